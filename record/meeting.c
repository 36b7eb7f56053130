#include "record/meeting.h"

#include "common/alloc.h"
#include "recorder/fold.h"

#include <stdlib.h>
#include <string.h>

enum { CALLS_MOST = 1000000 };  /* collective operations of a process that are looked at: 4 MB for all processes */

/* A communicator that several processes know, with the sites of its operations as the first of them came to them. */
struct met {
    const struct recorded_comm *comm;
    int ordinal;                /* of those with these members, in the order in which each process made them */
    size_t n, capacity;
    int *sites;
    bool astray;                /* processes do not agree: the recording has not all of them */
};

struct meetings {
    size_t n, capacity;
    struct met *list;
};

static bool same_members(const struct recorded_comm *a, const struct recorded_comm *b)
{
    return a->size == b->size &&
           (a->members == b->members ||
            (a->members && b->members && memcmp(a->members, b->members, (size_t)a->size * sizeof *a->members) == 0));
}

static size_t met_of(struct meetings *meetings, const struct recorded_process *process, int comm)
{
    const struct recorded_comm *of = &process->comms[comm];
    int ordinal = 0;
    for (int i = 0; i < comm; i++)
        ordinal += same_members(&process->comms[i], of);
    for (size_t i = 0; i < meetings->n; i++)
        if (meetings->list[i].ordinal == ordinal && same_members(meetings->list[i].comm, of))
            return i;
    meetings->list = alloc_grow(meetings->list, meetings->n, &meetings->capacity, sizeof *meetings->list);
    meetings->list[meetings->n] = (struct met){.comm = of, .ordinal = ordinal};
    return meetings->n++;
}

/* One process that goes through its calls. */
struct going {
    struct site_table *table;
    struct meetings *meetings;
    const struct recorded_process *process;
    int *sites;                 /* [process->n_calls] -1: not asked for yet */
    size_t *met;                /* [process->n_comms] of the meetings */
    size_t *at;                 /* [process->n_comms] operations so far */
    int64_t calls;
    bool joined;
};

static void meet(struct going *going, const struct recorded_node *node)
{
    struct met *met = &going->meetings->list[going->met[node->comm]];
    int *known = &going->sites[node->number];
    *known = *known < 0 ? site_find(going->table, going->process, node->op, node->path) : *known;
    const int site = *known;
    const size_t k = going->at[node->comm]++;
    going->calls++;
    if (k == met->n) {
        met->sites = alloc_grow(met->sites, met->n, &met->capacity, sizeof *met->sites);
        met->sites[met->n++] = site;
        return;
    }
    met->astray = met->astray || going->table->sites[met->sites[k]].op != node->op;
    if (!met->astray && !operation_gives_request(node->op) && site_join(going->table, met->sites[k], site))
        going->joined = true;
}

static void go(struct going *going, size_t n, const struct recorded_node nodes[])
{
    for (size_t i = 0; i < n && going->calls < CALLS_MOST; i++) {
        const struct recorded_node *node = &nodes[i];
        const int64_t before = going->calls;
        for (int64_t trip = 0; node->loop && trip < node->trips / node->runs && going->calls < CALLS_MOST; trip++) {
            go(going, node->n_body, node->body);
            if (going->calls == before)
                break;
        }
        if (!node->loop && operation_is_collective(node->op))
            meet(going, node);
    }
}

static bool join_process(struct site_table *table, struct meetings *meetings, const struct recorded_process *process)
{
    struct going going = {.table = table, .meetings = meetings, .process = process};
    if (process->alike == FOLD_SHAPES) /* loops have no trips of their own */
        return false;
    going.sites = alloc_array((size_t)process->n_calls + 1, sizeof *going.sites);
    memset(going.sites, -1, (size_t)process->n_calls * sizeof *going.sites);
    going.met = alloc_zeroed((size_t)process->n_comms + 1, sizeof *going.met);
    going.at = alloc_zeroed((size_t)process->n_comms + 1, sizeof *going.at);
    for (int i = 0; i < process->n_comms; i++)
        going.met[i] = met_of(meetings, process, i);
    go(&going, process->n, process->nodes);
    free(going.sites);
    free(going.met);
    free(going.at);
    return going.joined;
}

bool meetings_join(struct site_table *table, size_t n, const struct recording recordings[])
{
    bool joined = false;
    for (size_t r = 0; r < n; r++) {
        struct meetings meetings = {0};
        for (int rank = 0; rank < recordings[r].ranks; rank++)
            joined = join_process(table, &meetings, &recordings[r].processes[rank]) || joined;
        for (size_t i = 0; i < meetings.n; i++)
            free(meetings.list[i].sites);
        free(meetings.list);
    }
    return joined;
}
