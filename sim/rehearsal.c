#include "sim/rehearsal.h"

#include "engine/engine.h"

#include <math.h>
#include <string.h>

/* 1 ms and 1 us per byte. Calls take so long that polling for a message ends soon. */
static const char slow_machine[] =
    "pevpm_machine: 1\nname: \"-\"\nnodes: 2\nprocesses_per_node: 1\n"
    "models: {loggp: {L: \"1 ms\", o_s: \"100 us\", o_r: \"100 us\", g: 0, G: \"1 us\"}}\n";

struct machine *rehearsal_machine(struct diags *diags)
{
    struct machine *machine = NULL;
    (void)machine_read_text(&machine, "<none>", slow_machine, strlen(slow_machine), diags);
    return machine;
}

/* Runs the replications. Where one comes to its end there is no error, unless strict: then the first that does not counts. */
static enum status replications_run(const struct engine_setup *setup, int n, bool strict, double *seconds, struct diags *diags)
{
    struct engine *engine = engine_create(engine_choose(setup, ENGINE_AUTO), setup, 1);
    enum status first = STATUS_OK;
    int n_ended = 0;
    *seconds = 0;
    for (int r = 0; r < n && (!strict || first == STATUS_OK); r++) {
        struct outcome outcome;
        struct diags unsaid = DIAGS_EMPTY;
        const bool counts = strict || r == 0;
        enum status status = engine_run(engine, (uint32_t)r, 1, &outcome, NULL, counts ? diags : &unsaid);
        diags_free(&unsaid);
        first = counts ? status : first;
        if (status != STATUS_OK)
            continue;
        n_ended++;
        *seconds = fmax(*seconds, outcome.time);
    }
    engine_destroy(engine);
    if (n_ended == 0 || strict)
        return first;
    if (first != STATUS_OK)
        diags_free(diags);
    return STATUS_OK;
}

enum status rehearse(const struct program *program, const struct machine *machine, uint64_t seed, bool strict,
                     double *seconds, struct diags *diags)
{
    struct machine *slow = rehearsal_machine(diags);
    struct machine computing = machine ? *machine : *slow;
    struct cost_options options = {.model = "loggp", .mode = MODE_distribution, .contention = CONTENTION_none,
                                   .ppn = program->ppn};
    struct cost_model *model = NULL;
    slow->eager_limit = computing.eager_limit;
    memcpy(slow->transports, computing.transports, sizeof slow->transports);
    computing.n_collectives = 0; /* theirs is the other network */
    enum status status = cost_model_open(&model, slow, &options, diags);
    if (status == STATUS_OK) {
        struct engine_setup setup = {.program = program, .model = model, .machine = &computing,
                                     .mode = MODE_distribution, .seed = seed, .library = computing.library};
        status = replications_run(&setup, program->time_decides ? REHEARSALS : 1, strict, seconds, diags);
        cost_model_close(model);
    }
    machine_destroy(slow);
    return status;
}
