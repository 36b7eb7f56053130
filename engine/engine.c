#include "engine/engine.h"

#include "common/alloc.h"
#include "engine/engine_impl.h"

#include <assert.h>
#include <stdlib.h>

struct engine {
    enum engine_kind kind;
    const struct engine_setup *setup;
    int lanes;
    struct reference *reference; /* one of the three */
    struct lanes *batch;
    struct timed *timed;
};

struct engine *engine_create(enum engine_kind kind, const struct engine_setup *setup, int lanes)
{
    struct engine *engine = alloc_zeroed(1, sizeof *engine);
    engine->kind = kind;
    engine->setup = setup;
    engine->lanes = kind == ENGINE_LANES ? lanes : 1;
    switch (kind) {
    case ENGINE_AUTO:
        assert(false && "engine_choose comes first");
        break;
    case ENGINE_REFERENCE:
        engine->reference = reference_create(setup);
        break;
    case ENGINE_LANES:
        engine->batch = lanes_create(setup, lanes);
        break;
    case ENGINE_TIMED:
        engine->timed = timed_create(setup);
        break;
    }
    return engine;
}

void engine_destroy(struct engine *engine)
{
    if (!engine)
        return;
    reference_destroy(engine->reference);
    lanes_destroy(engine->batch);
    timed_destroy(engine->timed);
    free(engine);
}

enum status engine_run(struct engine *engine, uint32_t first, int n, struct outcome outcome[],
                       struct engine_totals *totals, struct diags *diags)
{
    assert(n >= 1 && n <= engine->lanes);
    enum status status = engine_serves(engine->setup, engine->kind, diags);
    if (status != STATUS_OK)
        return status;
    if (engine->batch)
        return lanes_run(engine->batch, first, n, outcome, totals, diags);
    if (engine->timed)
        return timed_run(engine->timed, first, outcome, totals, diags);
    return reference_run(engine->reference, first, outcome, totals, diags);
}

const double *engine_regions(const struct engine *engine, int i)
{
    if (engine->batch)
        return lanes_regions(engine->batch, i);
    return engine->timed ? timed_regions(engine->timed) : reference_regions(engine->reference);
}

const char *engine_name(enum engine_kind kind)
{
    static const char *const names[] = {"auto", "lanes", "reference", "timed"};
    return names[kind];
}

enum engine_kind engine_choose(const struct engine_setup *setup, enum engine_kind asked)
{
    if (setup->program->time_decides || setup->program->n_collectives > 0 || setup->same_work)
        return ENGINE_TIMED;
    if (asked != ENGINE_AUTO)
        return asked;
    return setup->model->in_time_by ? ENGINE_TIMED : ENGINE_LANES;
}

enum status engine_serves(const struct engine_setup *setup, enum engine_kind kind, struct diags *diags)
{
    if (kind == ENGINE_TIMED || !setup->model->in_time_by)
        return STATUS_OK;
    diag_error(diags, place_of_file(setup->machine->path),
               "`%s` cannot be simulated by the %s engine yet: leave --engine out, or use --engine timed",
               setup->model->in_time_by, engine_name(kind));
    return STATUS_NOT_YET;
}

/* About what a process needs in one lane: clock, a message with its channel both ways, and the words of two streams. */
enum { BYTES_PER_LANE = 200 };
/* Batches that stay in a second-level cache run fastest; below 8 lanes the vector units idle, so that much memory
 * is always accepted, up to a limit meant for machines with little of it. */
#define CACHE_BYTES (1 << 20)
#define MEMORY_BYTES (1 << 29)

int engine_lanes_for(const struct engine_setup *setup, uint64_t replications)
{
    uint64_t per_lane = (uint64_t)setup->program->numprocs * BYTES_PER_LANE;
    int lanes = 8;
    if (replications == 1 || 8 * per_lane > MEMORY_BYTES)
        return 1;
    while (lanes < ENGINE_LANES_MOST && (uint64_t)lanes < replications && 2 * (uint64_t)lanes * per_lane <= CACHE_BYTES)
        lanes *= 2;
    return lanes;
}
