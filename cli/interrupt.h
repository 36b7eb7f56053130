/* interrupt.h - Ctrl-C: the first SIGINT or SIGTERM asks the work to stop, the second ends the process. */
#ifndef PEVPM_CLI_INTERRUPT_H
#define PEVPM_CLI_INTERRUPT_H

#include <signal.h>

/* Installs the handlers. Returns the flag that becomes non-zero. */
const volatile sig_atomic_t *interrupt_install(void);

/* Between these two the signals wait, so that no temporary file is left behind. They do not nest. */
void interrupt_hold(void);
void interrupt_release(void);

#endif
