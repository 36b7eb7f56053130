#include "common/beside.h"

#include "common/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_file(const char *name)
{
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static int make_folder(const char *name)
{
    return mkdir(name, 0777);
}

static int make(const char *path, int (*one)(const char *name), char **name)
{
    for (unsigned n = 0;; n++) {
        *name = alloc_format("%s.%ld.%u", path, (long)getpid(), n);
        const int made = one(*name), reason = errno;
        if (made >= 0)
            return made;
        free(*name);
        *name = NULL;
        errno = reason;
        if (reason != EEXIST)
            return -1;
    }
}

int beside_file(const char *path, char **name)
{
    return make(path, make_file, name);
}

int beside_folder(const char *path, char **name)
{
    return make(path, make_folder, name);
}
