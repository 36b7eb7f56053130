#include "engine/deadlock.h"

#include "common/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKED_SHOWN = 16, NOBODY = -1 };

static int32_t blocked_index(int32_t n, const struct blocked blocked[], int32_t process)
{
    int32_t low = 0, high = n - 1;
    while (low <= high) {
        int32_t middle = low + (high - low) / 2;
        if (blocked[middle].process == process)
            return middle;
        if (blocked[middle].process < process)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return NOBODY;
}

/* Follows waits_for from the lowest rank on until a process comes again: marks the cycle and returns one of its
 * members, or NOBODY where every chain ends at a process that has ended. seen [n] and cycle [n] start as zeros. */
static int32_t cycle_find(int32_t n, const struct blocked blocked[], int32_t *seen, bool *cycle)
{
    for (int32_t start = 0; start < n; start++) {
        int32_t i = start;
        while (i != NOBODY && seen[i] == 0) {
            seen[i] = start + 1;
            i = blocked_index(n, blocked, blocked[i].waits_for);
        }
        if (i == NOBODY || seen[i] != start + 1)
            continue;
        int32_t member = i;
        do {
            cycle[i] = true;
            i = blocked_index(n, blocked, blocked[i].waits_for);
        } while (i != member);
        return member;
    }
    return NOBODY;
}

static void blocked_report(const struct program *program, const struct blocked *b, struct diags *diags)
{
    const struct site *site = &program->sites[b->site];
    const char *what = b->sends ? "for a matching receive by" : "for a message from";
    char peer[32] = "any process", tag[32] = "any tag";
    if (b->waits_for != BLOCKED_ON_ANY)
        snprintf(peer, sizeof peer, "process %d", b->waits_for);
    if (b->tag != BLOCKED_ANY_TAG)
        snprintf(tag, sizeof tag, "tag %d", b->tag);
    diag_error(diags, site->at, "deadlock: process %d of %d waits in %s %s %s (%s)%s", b->process, program->numprocs,
               site->what, what, peer, tag, b->peer_ended ? ", which has ended" : "");
}

/* "0 -> 1 -> 2 -> 0", shortened in the middle. */
static void cycle_report(const struct program *program, int32_t n, const struct blocked blocked[], int32_t member,
                         struct diags *diags)
{
    char text[512];
    size_t used = 0;
    int32_t i = member, length = 0;
    do {
        if (length < BLOCKED_SHOWN)
            used += (size_t)snprintf(text + used, sizeof text - used, "%d -> ", blocked[i].process);
        else if (length == BLOCKED_SHOWN)
            used += (size_t)snprintf(text + used, sizeof text - used, "... -> ");
        length++;
        i = blocked_index(n, blocked, blocked[i].waits_for);
    } while (i != member);
    snprintf(text + used, sizeof text - used, "%d", blocked[member].process);
    diag_note(diags, program->sites[blocked[member].site].at, "%s wait%s in a cycle: %s",
              length == 1 ? "this process" : "these processes", length == 1 ? "s" : "", text);
}

void deadlock_report(const struct program *program, int32_t n, const struct blocked blocked[], struct diags *diags)
{
    int32_t *seen = alloc_zeroed((size_t)n, sizeof *seen);
    bool *cycle = alloc_zeroed((size_t)n, sizeof *cycle);
    int32_t member = cycle_find(n, blocked, seen, cycle);
    int32_t shown = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < n && shown < BLOCKED_SHOWN; i++)
            if (cycle[i] == (pass == 0)) {
                blocked_report(program, &blocked[i], diags);
                shown++;
            }
    if (n > shown)
        diag_note(diags, place_of_file(source_program(program->tree->source)), "%d more processes are blocked", n - shown);
    if (member != NOBODY)
        cycle_report(program, n, blocked, member, diags);
    free(cycle);
    free(seen);
}
