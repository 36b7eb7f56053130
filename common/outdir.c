#include "common/outdir.h"

#include "common/alloc.h"
#include "common/beside.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status system_error(struct diags *diags, const char *path, const char *doing)
{
    diag_error(diags, place_of_file(path), "cannot %s: %s", doing, strerror(errno));
    return STATUS_IO;
}

static int remove_entry(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    (void)what;
    (void)kind;
    (void)where;
    return remove(path);
}

static void remove_all(const char *path)
{
    enum { FILES_OPEN = 16 };
    nftw(path, remove_entry, FILES_OPEN, FTW_DEPTH | FTW_PHYS);
}

static void outdir_clear(struct outdir *dir)
{
    free(dir->path);
    free(dir->temporary);
    memset(dir, 0, sizeof *dir);
}

static bool is_empty(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    bool empty = true;
    for (const struct dirent *entry; empty && (entry = readdir(folder));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(folder);
    return empty;
}

static bool has_file(const char *path, const char *name)
{
    char *whole = alloc_format("%s/%s", path, name);
    bool there = access(whole, F_OK) == 0;
    free(whole);
    return there;
}

/* Is there nothing in the way that is not ours to replace? */
static enum status path_check(const char *path, const char *marker, struct diags *diags)
{
    struct stat there;
    if (lstat(path, &there) != 0)
        return STATUS_OK;
    if (!S_ISDIR(there.st_mode)) {
        diag_error(diags, place_of_file(path), "cannot be replaced by a folder: it is not one");
        return STATUS_IO;
    }
    if (is_empty(path) || has_file(path, marker))
        return STATUS_OK;
    diag_error(diags, place_of_file(path), "will not be replaced: it is a folder that holds other files, and no %s",
               marker);
    return STATUS_IO;
}

enum status outdir_open(struct outdir *dir, const char *path, const char *marker, struct diags *diags)
{
    memset(dir, 0, sizeof *dir);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    dir->path = alloc_string_n(path, length);
    enum status status = path_check(dir->path, marker, diags);
    if (status == STATUS_OK && beside_folder(dir->path, &dir->temporary) != 0)
        status = system_error(diags, dir->path, "create");
    if (status != STATUS_OK)
        outdir_clear(dir);
    return status;
}

enum status outdir_commit(struct outdir *dir, struct diags *diags)
{
    char *old = NULL;
    enum status status = STATUS_OK;
    if (access(dir->path, F_OK) == 0) { /* it steps aside: a folder with files cannot be renamed over */
        old = alloc_format("%s.old", dir->temporary);
        if (rename(dir->path, old) != 0)
            status = system_error(diags, dir->path, "replace");
    }
    if (status == STATUS_OK && rename(dir->temporary, dir->path) != 0) {
        status = system_error(diags, dir->path, "rename to");
        if (old)
            rename(old, dir->path);
    } else if (status == STATUS_OK && old) {
        remove_all(old);
    }
    free(old);
    if (status == STATUS_OK)
        outdir_clear(dir);
    else
        outdir_abandon(dir);
    return status;
}

void outdir_abandon(struct outdir *dir)
{
    if (dir->temporary)
        remove_all(dir->temporary);
    outdir_clear(dir);
}
