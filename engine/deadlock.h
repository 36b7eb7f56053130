/* deadlock.h - tells who waits for whom when nobody can run. */
#ifndef PEVPM_ENGINE_DEADLOCK_H
#define PEVPM_ENGINE_DEADLOCK_H

#include "common/diag.h"
#include "directives/program.h"

#include <stdint.h>

enum { BLOCKED_ON_ANY = -1, BLOCKED_ANY_TAG = -1 };

struct blocked {
    int32_t process;
    int32_t site;       /* the directive it is blocked in */
    int32_t waits_for;  /* the process whose message or receive would free it; or BLOCKED_ON_ANY */
    bool sends;         /* it waits for a receive of its message, else for a message */
    int32_t tag;        /* or BLOCKED_ANY_TAG */
    bool peer_ended;    /* waits_for has ended its program */
};

/* Adds one error for each blocked process (those of the cycle first, at most 16, the rest counted) and a note with the
 * cycle. blocked [n] in rank order, n >= 1. */
void deadlock_report(const struct program *program, int32_t n, const struct blocked blocked[], struct diags *diags);

#endif
