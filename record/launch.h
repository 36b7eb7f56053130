/* launch.h - becoming the program that is to be recorded. */
#ifndef PEVPM_RECORD_LAUNCH_H
#define PEVPM_RECORD_LAUNCH_H

#include "record/options.h"

/* Puts the recording library for the launcher's MPI before the program's libraries and executes the command: returns
 * only where that failed.
 *   STATUS_USAGE  the program is linked statically, so nothing can be put before its MPI
 *   STATUS_IO     it cannot be found or executed; there is no recording library for this MPI, or none that the loader could
 *                 be told of */
enum status launch(const struct record_options *options, struct diags *diags);

#endif
