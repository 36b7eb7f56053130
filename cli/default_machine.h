/* default_machine.h - the machine file that predictions use when none is named. */
#ifndef PEVPM_CLI_DEFAULT_MACHINE_H
#define PEVPM_CLI_DEFAULT_MACHINE_H

enum { DEFAULT_MACHINE_BYTES = 4096 }; /* PATH_MAX of Linux, which C11's <limits.h> does not have */

/* The first that can be read of: default-machine.yaml beside the program (a build folder), ../share/pevpm/ from there
 * (an installation, wherever it was moved), the share folder compiled in. NULL: there is none. */
const char *default_machine_find(char path[DEFAULT_MACHINE_BYTES]);

#endif
