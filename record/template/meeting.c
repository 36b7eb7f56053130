#include "record/template/meeting.h"

#include "common/alloc.h"
#include "recorder/fold.h"

#include <stdlib.h>
#include <string.h>

/* Collective operations of a process that are looked at: 4 MB for all processes of the same communicators. A call that
 * makes a communicator counts as MADE_CALLS of them, which take as much as its own list. */
enum { CALLS_MOST = 1000000, MADE_CALLS = 32 };

/* A communicator that several processes know, with the sites of its operations as the first of them came to them. */
struct met {
    size_t n, capacity;
    int *sites;
    bool astray;                /* processes do not agree: the recording has not all of them */
};

/* Communicators of the same members, in the order in which each process made them. */
struct kin {
    const struct recorded_comm *like;
    size_t n, capacity;
    struct met *list;
};

struct meetings {
    size_t n, capacity;
    struct kin *list;
};

static bool same_members(const struct recorded_comm *a, const struct recorded_comm *b)
{
    return a->size == b->size &&
           (a->members == b->members ||
            (a->members && b->members && memcmp(a->members, b->members, (size_t)a->size * sizeof *a->members) == 0));
}

static size_t kin_of(struct meetings *meetings, const struct recorded_comm *comm)
{
    for (size_t i = 0; i < meetings->n; i++)
        if (same_members(meetings->list[i].like, comm))
            return i;
    meetings->list = alloc_grow(meetings->list, meetings->n, &meetings->capacity, sizeof *meetings->list);
    meetings->list[meetings->n] = (struct kin){.like = comm};
    return meetings->n++;
}

/* What a process has under a number: one communicator after another, where each was freed before the next was made. */
struct held {
    size_t kin;                 /* of the meetings */
    bool made;
    size_t ordinal;             /* of the last that was made: among its kin */
    size_t at;                  /* its operations so far */
};

/* One process that goes through its calls. */
struct going {
    struct site_table *table;
    struct meetings *meetings;
    const struct recorded_process *process;
    const int *among;
    int *sites;                 /* [process->n_calls] -1: not asked for yet */
    struct held *held;          /* [process->n_comms] */
    size_t *made;               /* [meetings->n] how many of each kin so far */
    int64_t calls;
    bool joined;
};

static void make(struct going *going, int number)
{
    struct held *held = &going->held[number];
    held->made = true;
    held->ordinal = going->made[held->kin]++;
    held->at = 0;
}

static struct met *met_of(struct going *going, int number)
{
    struct held *held = &going->held[number];
    if (!held->made) /* MPI_COMM_SELF: no call makes it */
        make(going, number);
    struct kin *kin = &going->meetings->list[held->kin];
    while (kin->n <= held->ordinal) {
        kin->list = alloc_grow(kin->list, kin->n, &kin->capacity, sizeof *kin->list);
        kin->list[kin->n++] = (struct met){0};
    }
    return &kin->list[held->ordinal];
}

static void meet(struct going *going, const struct recorded_node *node)
{
    struct met *met = met_of(going, node->comm);
    int *known = &going->sites[node->number];
    if (*known < 0)
        *known = site_find_apart(going->table, going->process, node->op, node->path, -1, going->among ? going->among[node->number] : AMONG_ANY);
    const int site = *known;
    const size_t k = going->held[node->comm].at++;
    if (k == met->n) {
        met->sites = alloc_grow(met->sites, met->n, &met->capacity, sizeof *met->sites);
        met->sites[met->n++] = site;
        return;
    }
    met->astray = met->astray || going->table->sites[met->sites[k]].op != node->op;
    if (!met->astray && !operation_gives_request(node->op) && site_join(going->table, met->sites[k], site))
        going->joined = true;
}

static void take(struct going *going, const struct recorded_node *node)
{
    if (operation_makes_comm(node->op)) {
        make(going, node->peer);
        going->calls += MADE_CALLS;
    } else if (operation_is_collective(node->op)) {
        meet(going, node);
        going->calls++;
    }
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
        if (!node->loop)
            take(going, node);
    }
}

static bool join_process(struct site_table *table, struct meetings *meetings, const struct recorded_process *process,
                         const int among[])
{
    struct going going = {.table = table, .meetings = meetings, .process = process, .among = among};
    if (process->alike == FOLD_SHAPES) /* loops have no trips of their own */
        return false;
    going.sites = alloc_array((size_t)process->n_calls + 1, sizeof *going.sites);
    memset(going.sites, -1, (size_t)process->n_calls * sizeof *going.sites);
    going.held = alloc_zeroed((size_t)process->n_comms, sizeof *going.held);
    for (int i = 0; i < process->n_comms; i++)
        going.held[i].kin = kin_of(meetings, &process->comms[i]);
    going.made = alloc_zeroed(meetings->n, sizeof *going.made);
    make(&going, 0); /* MPI_COMM_WORLD is the first of its kin */
    go(&going, process->n, process->nodes);
    free(going.sites);
    free(going.held);
    free(going.made);
    return going.joined;
}

static void meetings_free(struct meetings *meetings)
{
    for (size_t i = 0; i < meetings->n; i++) {
        struct kin *kin = &meetings->list[i];
        for (size_t k = 0; k < kin->n; k++)
            free(kin->list[k].sites);
        free(kin->list);
    }
    free(meetings->list);
}

bool meetings_join(struct site_table *table, size_t n, const struct recording recordings[], const struct among *among)
{
    bool joined = false;
    for (size_t r = 0, k = 0; r < n; r++) {
        struct meetings meetings = {0};
        for (int rank = 0; rank < recordings[r].ranks; rank++, k++)
            joined = join_process(table, &meetings, &recordings[r].processes[rank], among ? among->of[k] : NULL) || joined;
        meetings_free(&meetings);
    }
    return joined;
}
