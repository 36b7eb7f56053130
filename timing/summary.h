/* summary.h - timings as a table for people. */
#ifndef PEVPM_TIMING_SUMMARY_H
#define PEVPM_TIMING_SUMMARY_H

#include "timing/serial.h"

#include <stdio.h>

/* One line per block: name, argument, count, min, median, mean, p99, and its share of the processes' time from the
 * first BEGIN to the last END; then one line per node, where there are several, and what was done about them. */
void summary_print(const struct timings *timings, enum serial_nodes nodes, FILE *out);

#endif
