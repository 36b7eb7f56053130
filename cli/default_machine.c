#include "cli/default_machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool readable(char path[DEFAULT_MACHINE_BYTES], const char *folder, int length, const char *rest)
{
    int n = snprintf(path, DEFAULT_MACHINE_BYTES, "%.*s%s", length, folder, rest);
    return n > 0 && n < DEFAULT_MACHINE_BYTES && access(path, R_OK) == 0;
}

const char *default_machine_find(char path[DEFAULT_MACHINE_BYTES])
{
    char program[DEFAULT_MACHINE_BYTES];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n > 0) {
        program[n] = '\0';
        const char *slash = strrchr(program, '/');
        int folder = slash ? (int)(slash - program) : 0;
        if (readable(path, program, folder, "/default-machine.yaml") ||
            readable(path, program, folder, "/../share/pevpm/default-machine.yaml"))
            return path;
    }
    return readable(path, "", 0, PEVPM_DATADIR "/default-machine.yaml") ? path : NULL;
}
