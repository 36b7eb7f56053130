/* provenance.h - how and where a machine was measured, for its file. */
#ifndef PEVPM_BENCH_PROVENANCE_H
#define PEVPM_BENCH_PROVENANCE_H

#include "measure/crew.h"
#include "results/result.h"

/* Notes program, date, MPI, kernel, job, clock, how messages within a node are measured, and the command line. members:
 * one for each place. */
void provenance_describe(const struct job *job, const struct crew_member members[], int argc, char *const argv[],
                         struct result *result);

/* How this job measures messages within a node: what NOTE_WITHIN_NODE is to say. */
const char *provenance_within_node(const struct job *job);

/* Notes each rank's host, its clock's source and how wrong its clock may have been: bound and limit (clock.h). */
void provenance_hosts(const struct job *job, const struct crew_member members[], struct result *result);

/* Warns where the hosts' clock sources differ, or one is read through the kernel or a device (hpet, acpi_pm): its times
 * are coarse, and its rate is not that of the others. */
void provenance_check_clocks(const struct job *job, const struct crew_member members[], struct diags *diags);

#endif
