/* resume.h - what an earlier run has found before it planned. */
#ifndef PEVPM_BENCH_CAMPAIGN_RESUME_H
#define PEVPM_BENCH_CAMPAIGN_RESUME_H

#include "bench/state.h"

/* Takes it from the provenance of the file. STATUS_SCHEMA: the file was not measured on this machine, or not as the
 * options say. */
enum status campaign_resume(struct campaign *c);

#endif
