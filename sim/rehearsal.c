#include "sim/rehearsal.h"

#include "directives/tree.h"
#include "engine/engine.h"
#include "engine/ledger.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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

/* Runs the replications; *largest: the largest message of all. Where one comes to its end there is no error, unless strict: then the first that does not counts. */
static enum status replications_run(const struct engine_setup *setup, int n, bool strict, double *seconds, int64_t *largest,
                                    struct diags *diags)
{
    struct engine *engine = engine_create(engine_choose(setup, ENGINE_AUTO), setup, 1);
    enum status first = STATUS_OK;
    int n_ended = 0;
    *seconds = 0;
    for (int r = 0; r < n && (!strict || first == STATUS_OK); r++) {
        struct outcome outcome;
        struct engine_totals totals;
        struct diags unsaid = DIAGS_EMPTY;
        const bool counts = strict || r == 0;
        enum status status = engine_run(engine, (uint32_t)r, 1, &outcome, &totals, counts ? diags : &unsaid);
        diags_free(&unsaid);
        first = counts ? status : first;
        if (status != STATUS_OK)
            continue;
        n_ended++;
        *seconds = fmax(*seconds, outcome.time);
        for (int transport = 0; transport < N_TRANSPORTS; transport++)
            *largest = totals.largest[transport] > *largest ? totals.largest[transport] : *largest;
    }
    engine_destroy(engine);
    if (n_ended == 0 || strict)
        return first;
    if (first != STATUS_OK)
        diags_free(diags);
    return STATUS_OK;
}

/* ---- what is too large ---- */

/* What all members of a collective operation give or get together, in one array of one of them; 0: not known before the run, or
 * no process has such an array. */
static int64_t total_of(const struct program *program, const struct collective_ref *ref)
{
    const int32_t n = program->comms[ref->comm].n;
    int64_t total = 0;
    if (collective_op_is_local(ref->op) || ref->bytes_expr >= 0)
        return 0;
    if (collective_op_sizes(ref->op) == SIZES_share)
        return ref->bytes > INT64_MAX / n ? INT64_MAX : ref->bytes * n;
    for (int32_t r = 0; ref->shares && r < n; r++)
        total = ref->shares[r] > INT64_MAX - total ? INT64_MAX : total + ref->shares[r];
    return total;
}

static bool totals_exceed(const struct program *program, int64_t most)
{
    bool exceed = false;
    for (int32_t i = 0; i < program->n_collectives; i++)
        exceed = exceed || total_of(program, &program->collectives[i]) > most;
    return exceed;
}

/* The first thing of a replication that is too large. */
struct excess {
    const struct program *program;
    int64_t most, bytes;       /* bytes 0: nothing yet */
    int32_t site, process;
};

static void excess_take(struct excess *excess, int64_t bytes, int32_t site, int32_t process)
{
    if (bytes > excess->most && excess->bytes == 0) {
        excess->bytes = bytes;
        excess->site = site;
        excess->process = process;
    }
}

static void hear_flight(void *context, const struct flight *flight)
{
    excess_take(context, flight->bytes, flight->send_site, flight->from);
}

/* A process is in a collective operation. */
static void hear_span(void *context, const struct span *span)
{
    struct excess *excess = context;
    for (int32_t i = 0; span->site >= 0 && i < excess->program->n_collectives; i++)
        if (excess->program->collectives[i].site == span->site)
            excess_take(excess, total_of(excess->program, &excess->program->collectives[i]), span->site, span->process);
}

/* Runs the first replication once more and listens. */
static enum status excess_find(const struct engine_setup *setup, int64_t most, struct diags *diags)
{
    struct excess excess = {.program = setup->program, .most = most};
    const struct ledger ledger = {.context = &excess, .span = hear_span, .flight = hear_flight, .lost = hear_flight};
    struct engine_setup told = *setup;
    struct diags unsaid = DIAGS_EMPTY; /* it has been run, and all that was wrong has been said */
    struct outcome outcome;
    told.ledger = &ledger;
    struct engine *engine = engine_create(ENGINE_TIMED, &told, 1);
    (void)engine_run(engine, 0, 1, &outcome, NULL, &unsaid);
    engine_destroy(engine);
    diags_free(&unsaid);
    if (excess.bytes == 0)
        return STATUS_OK;
    char text[PROGRAM_TEXT_BYTES];
    snprintf(text, sizeof text, "%" PRId64 " bytes are more than an MPI call takes, %" PRId64, excess.bytes, most);
    program_report(setup->program, excess.site, excess.process, text, diags);
    return STATUS_NOT_YET;
}

enum status rehearse(const struct program *program, const struct machine *machine, uint64_t seed, bool strict,
                     int64_t bytes_most, double *seconds, struct diags *diags)
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
        int64_t largest = 0;
        status = replications_run(&setup, program->time_decides ? REHEARSALS : 1, strict, seconds, &largest, diags);
        if (status == STATUS_OK && bytes_most > 0 && (largest > bytes_most || totals_exceed(program, bytes_most)))
            status = excess_find(&setup, bytes_most, diags);
        cost_model_close(model);
    }
    machine_destroy(slow);
    return status;
}
