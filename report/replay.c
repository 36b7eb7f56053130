#include "report/replay.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdlib.h>

/* One thread's engine and what it hears of one replication. */
struct listener {
    struct engine_setup setup;
    struct ledger ledger;
    struct profile profile;
    struct races races;
    struct engine *engine;
    struct outcome outcome;
    enum status status;
    struct diags diags;
};

static void hear_span(void *context, const struct span *span)
{
    profile_span(&((struct listener *)context)->profile, span);
}

static void hear_choice(void *context, const struct choice *choice)
{
    races_choice(&((struct listener *)context)->races, choice);
}

static void hear_lost(void *context, const struct flight *flight)
{
    profile_lost(&((struct listener *)context)->profile, flight);
}

static void listener_open(struct listener *listener, const struct engine_setup *setup)
{
    *listener = (struct listener){.setup = *setup, .diags = DIAGS_EMPTY};
    listener->ledger = (struct ledger){.context = listener, .span = hear_span, .choice = hear_choice,
                                       .lost = hear_lost};
    listener->setup.ledger = &listener->ledger;
    profile_init(&listener->profile, setup->program->numprocs, setup->program->n_sites);
    races_init(&listener->races, setup->program->numprocs, setup->program->n_sites);
    listener->engine = engine_create(ENGINE_TIMED, &listener->setup, 1);
}

static void listener_close(struct listener *listener)
{
    engine_destroy(listener->engine);
    profile_free(&listener->profile);
    races_free(&listener->races);
    diags_free(&listener->diags);
}

static void listener_run(struct listener *listener, uint32_t replication)
{
    profile_reset(&listener->profile);
    diags_free(&listener->diags);
    listener->status =
        engine_run(listener->engine, replication, 1, &listener->outcome, NULL, &listener->diags);
}

/* Adds what one listener heard; of a deadlock nothing. */
static enum status listener_take(struct listener *listener, uint32_t replication, struct profile *profile,
                                 struct races *races, struct diags *diags)
{
    if (listener->status == STATUS_DEADLOCK) {
        races_drop(&listener->races);
        return STATUS_OK;
    }
    if (listener->status != STATUS_OK)
        return listener->status;
    double time = listener->outcome.time;
    int32_t wrong = profile_end(&listener->profile, time);
    if (wrong >= 0)
        diag_warning(diags, place_of_file(NULL),
                     "the times told of process %d do not add up to the run time (first in replication %u): the "
                     "profile is wrong there, and this is a bug in pevpm-sim", wrong, replication);
    profile_add(profile, &listener->profile);
    races_take(races, &listener->races, time);
    return STATUS_OK;
}

enum status replay_profile(const struct engine_setup *setup, uint32_t from, uint32_t n, int threads,
                           struct profile *profile, struct races *races, struct diags *diags)
{
    assert(threads >= 1);
    uint32_t width = n < (uint32_t)threads ? n : (uint32_t)threads;
    struct listener *listeners = alloc_array(width, sizeof *listeners);
    for (uint32_t i = 0; i < width; i++)
        listener_open(&listeners[i], setup);
    enum status status = STATUS_OK;
    for (uint32_t first = 0; first < n && status == STATUS_OK; first += width) {
        uint32_t now = n - first < width ? n - first : width;
#pragma omp parallel for schedule(static, 1) num_threads((int)now) if (now > 1)
        for (uint32_t i = 0; i < now; i++)
            listener_run(&listeners[i], from + first + i);
        for (uint32_t i = 0; i < now && status == STATUS_OK; i++)
            status = listener_take(&listeners[i], from + first + i, profile, races, diags);
        /* one that fails is run once more, for its own diagnostics */
        for (uint32_t i = 0; i < now && status != STATUS_OK && status != STATUS_INTERRUPTED; i++)
            if (listeners[i].status == status) {
                status = engine_run(listeners[i].engine, from + first + i, 1, &listeners[i].outcome, NULL, diags);
                break;
            }
    }
    for (uint32_t i = 0; i < width; i++)
        listener_close(&listeners[i]);
    free(listeners);
    return status;
}

enum status replay_trace(const struct engine_setup *setup, uint32_t replication, struct trace *trace, double *time,
                         struct diags *diags)
{
    struct ledger ledger = trace_ledger(trace);
    struct engine_setup told = *setup;
    told.ledger = &ledger;
    struct engine *engine = engine_create(ENGINE_TIMED, &told, 1);
    struct outcome outcome;
    enum status status = engine_run(engine, replication, 1, &outcome, NULL, diags);
    engine_destroy(engine);
    if (status == STATUS_OK)
        *time = outcome.time;
    return status;
}
