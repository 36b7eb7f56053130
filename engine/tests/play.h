/* play.h - for tests: a program and a machine given as text, run by either engine.
 *
 * Failures to set a scene up print the diagnostics and fail the test. */
#ifndef PEVPM_ENGINE_TESTS_PLAY_H
#define PEVPM_ENGINE_TESTS_PLAY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/diag.h"
#include "directives/program.h"
#include "directives/source.h"
#include "engine/engine.h"
#include "models/cost.h"
#include "models/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scene {
    const char *model;           /* NULL: measured */
    enum cost_mode mode;
    enum contention contention;
    bool optimised, unconnected;
    int numprocs, nodes, ppn;    /* nodes, ppn 0: numprocs x 1 */
    uint64_t seed;

    struct source *source;
    struct tree *tree;
    struct machine *machine;
    struct program *program;
    struct cost_model *cost;
    struct engine_setup setup;
};

static inline void scene_check(enum status status, struct diags *diags)
{
    if (status != STATUS_OK)
        diags_print(diags, stderr);
    diags_free(diags);
    assert_string_equal(status_name(status), "OK");
}

/* Fills in what the test has not given and makes the setup. program: stand-alone directives; machine: YAML. */
static inline void scene_open(struct scene *scene, const char *program, const char *machine)
{
    struct diags diags = DIAGS_EMPTY;
    if (scene->nodes == 0) {
        scene->nodes = scene->numprocs;
        scene->ppn = 1;
    }
    scene->source = source_from_text("test.pevpm", program, strlen(program));
    scene_check(tree_parse(&scene->tree, scene->source, 0, NULL, &diags), &diags);
    scene_check(machine_read_text(&scene->machine, "test.yaml", machine, strlen(machine), &diags), &diags);
    const int sockets = scene->machine->sockets;
    const int places = scene->ppn > scene->machine->ppn ? scene->ppn : scene->machine->ppn;
    struct lower_options lower = {.numprocs = scene->numprocs, .nodes = scene->nodes, .ppn = scene->ppn,
                                  .sockets = sockets,
                                  .socket_fill = scene->machine->socket_map == SOCKET_MAP_block
                                                     ? (places + sockets - 1) / sockets : 0,
                                  .machine = scene->machine->name, .time_unit = scene->machine->time_unit};
    scene_check(program_lower(&scene->program, scene->tree, &lower, &diags), &diags);
    struct cost_options cost = {.model = scene->model ? scene->model : "measured", .mode = scene->mode,
                                .contention = scene->contention, .ppn = scene->ppn};
    scene_check(cost_model_open(&scene->cost, scene->machine, &cost, &diags), &diags);
    scene->setup = (struct engine_setup){.program = scene->program, .model = scene->cost, .machine = scene->machine,
                                         .mode = scene->mode, .seed = scene->seed,
                                         .library = scene->machine->library,
                                         .unconnected = scene->unconnected,
                                         .decisions = scene->optimised ? &scene->machine->decisions : NULL};
}

static inline void scene_close(struct scene *scene)
{
    cost_model_close(scene->cost);
    program_destroy(scene->program);
    machine_destroy(scene->machine);
    tree_destroy(scene->tree);
    source_destroy(scene->source);
}

/* Runs replications 0 ... n - 1. `text` (may be NULL) takes the diagnostics as printed. */
static inline enum status scene_run(const struct scene *scene, enum engine_kind kind, int lanes, int n,
                                    struct outcome outcome[], struct engine_totals *totals, char *text,
                                    size_t text_size)
{
    struct diags diags = DIAGS_EMPTY;
    enum status status = STATUS_OK;
    struct engine *engine = engine_create(kind, &scene->setup, lanes);
    int step = kind == ENGINE_LANES ? lanes : 1;
    for (int first = 0; first < n && status == STATUS_OK; first += step)
        status = engine_run(engine, (uint32_t)first, first + step < n ? step : n - first, outcome + first, totals,
                            &diags);
    engine_destroy(engine);
    if (text) {
        FILE *out = fmemopen(text, text_size, "w");
        diags_print(&diags, out);
        fclose(out);
    }
    diags_free(&diags);
    return status;
}

/* The run time of one replication, the same by both engines. */
static inline double play_with(struct scene scene, const char *program, const char *machine)
{
    struct outcome reference, lanes;
    char text[4000] = "";
    scene_open(&scene, program, machine);
    enum status status = scene_run(&scene, ENGINE_REFERENCE, 1, 1, &reference, NULL, text, sizeof text);
    if (status != STATUS_OK)
        print_error("%s", text);
    assert_string_equal(status_name(status), "OK");
    assert_int_equal(scene_run(&scene, ENGINE_LANES, 8, 1, &lanes, NULL, NULL, 0), STATUS_OK);
    scene_close(&scene);
    assert_memory_equal(&reference.time, &lanes.time, sizeof reference.time);
    return reference.time;
}

/* The run time of one replication in the time-ordered engine. */
static inline double play_timed(struct scene scene, const char *program, const char *machine)
{
    struct outcome outcome;
    char text[4000] = "";
    scene_open(&scene, program, machine);
    enum status status = scene_run(&scene, ENGINE_TIMED, 1, 1, &outcome, NULL, text, sizeof text);
    scene_close(&scene);
    if (status != STATUS_OK)
        print_error("%s\n%s", program, text);
    assert_string_equal(status_name(status), "OK");
    return outcome.time;
}

/* A program that cannot run there: `part` is in what its user is told. */
static inline void play_error(struct scene scene, const char *program, const char *machine, enum status expected,
                              const char *part)
{
    struct outcome outcome;
    char text[4000] = "";
    scene_open(&scene, program, machine);
    struct engine *engine = engine_create(ENGINE_TIMED, &scene.setup, 1);
    for (int turn = 0; turn < 2; turn++) { /* an engine that failed can run again, and fails the same way */
        struct diags diags = DIAGS_EMPTY;
        enum status status = engine_run(engine, 0, 1, &outcome, NULL, &diags);
        FILE *out = fmemopen(text, sizeof text, "w");
        diags_print(&diags, out);
        fclose(out);
        diags_free(&diags);
        assert_string_equal(status_name(status), status_name(expected));
        if (!strstr(text, part))
            fail_msg("\"%s\" is not in\n%s", part, text);
    }
    engine_destroy(engine);
    scene_close(&scene);
}

/* When each process ends, as the time-ordered engine tells its ledger. */
struct ends {
    double at[64];
};

static inline void ends_note(void *context, const struct span *span)
{
    struct ends *ends = context;
    if (span->site >= 0)
        ends->at[span->process] = span->to;
}

/* Replication 0 in the time-ordered engine, at most 64 processes. */
static inline struct ends play_ends(struct scene scene, const char *program, const char *machine)
{
    struct ends ends = {{0}};
    struct ledger ledger = {.context = &ends, .span = ends_note};
    struct outcome outcome;
    char text[4000] = "";
    scene_open(&scene, program, machine);
    scene.setup.ledger = &ledger;
    enum status status = scene_run(&scene, ENGINE_TIMED, 1, 1, &outcome, NULL, text, sizeof text);
    scene_close(&scene);
    if (status != STATUS_OK)
        print_error("%s\n%s", program, text);
    assert_string_equal(status_name(status), "OK");
    return ends;
}

/* expected [numprocs], to 1e-9 relative. */
static inline void expect_ends(struct scene scene, const char *program, const char *machine, const double expected[])
{
    struct ends ends = play_ends(scene, program, machine);
    for (int i = 0; i < scene.numprocs; i++) {
        bool same = fabs(ends.at[i] - expected[i]) <= 1e-9 * fabs(expected[i]);
        if (!same)
            print_error("process %d: %.17g is not %.17g\n%s", i, ends.at[i], expected[i], program);
        assert_true(same);
    }
}

/* Equal to 1e-9 relative: what closed forms must hold to. */
static inline void expect_time(double measured, double expected)
{
    if (!(fabs(measured - expected) <= 1e-9 * fabs(expected)))
        print_error("%.17g is not %.17g\n", measured, expected);
    assert_true(fabs(measured - expected) <= 1e-9 * fabs(expected));
}

#endif
