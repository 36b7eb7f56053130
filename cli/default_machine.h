/* default_machine.h - the machine file that predictions use when none is named. */
#ifndef PEVPM_CLI_DEFAULT_MACHINE_H
#define PEVPM_CLI_DEFAULT_MACHINE_H

#include <limits.h>

/* The first that can be read of: default-machine.yaml beside the program (a build folder), ../share/pevpm/ from there
 * (an installation, wherever it was moved), the share folder compiled in. NULL: there is none. */
const char *default_machine_find(char path[PATH_MAX]);

#endif
