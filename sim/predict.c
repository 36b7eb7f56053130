#include "sim/predict.h"

#include "collectives/algorithm_check.h"
#include "collectives/library.h"
#include "common/alloc.h"
#include "models/measured.h"
#include "models/pingpong.h"
#include "sim/calibration.h"
#include "sim/predict_impl.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An opened model, kept for all placements with the same processes per node. */
struct open_model {
    size_t mode;
    int ppn;
    struct cost_model *model;
};

/* One run of a request. */
struct run {
    const struct predict_request *request;
    struct predict_result *result;
    struct diags *diags;
    struct machine scaled;         /* where the request has a scale */
    size_t n_models, models_capacity;
    struct open_model *models;
    const struct tree *tree;       /* of this combination of parameters */
    const char *params;
    struct notes_said said;
    enum status worst;             /* of the placements that did not run */
};

/* The rows of one placement, before they have a base. */
struct batch {
    struct placement at;
    size_t n;                      /* modes known */
    struct prediction *rows;       /* [n_modes] */
};

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum contention contention_by(const struct predict_request *request, const char *model)
{
    const struct machine *machine = request->machine;
    if (request->contention_given)
        return request->contention;
    if (!machine->has_ports)
        return CONTENTION_scoreboard;
    return strcmp(model, "measured") == 0 && measured_knows_frames(machine) ? CONTENTION_frames : CONTENTION_ports;
}

enum contention predict_contention(const struct predict_request *request)
{
    return contention_by(request, request->model);
}

static char *params_text(size_t n, const struct definition definitions[], const struct scale *scale)
{
    char *text = alloc_string("");
    for (size_t i = 0; i < n; i++) {
        char value[VALUE_TEXT_BYTES];
        char *longer = alloc_format("%s%s%s=%s", text, i > 0 ? " " : "", definitions[i].name,
                                    definition_text(&definitions[i], value));
        free(text);
        text = longer;
    }
    if (!scale)
        return text;
    char *factors = scale_text(scale), *all = alloc_format("%s%sscale:%s", text, *text ? " " : "", factors);
    free(factors);
    free(text);
    return all;
}

enum socket_map predict_socket_map(const struct machine *machine, struct predict_map map)
{
    return map.has_sockets ? map.sockets : machine->socket_map;
}

const char *predict_sockets_text(const struct machine *machine, struct predict_map map)
{
    if (machine->sockets < 2)
        return "";
    return predict_socket_map(machine, map) == SOCKET_MAP_block ? ", on the sockets of a node one after the other"
                                                        : ", on the sockets of a node in turn";
}

enum status predict_lower(struct program **program, const struct tree *tree, const struct machine *machine,
                          enum mpi_library library, struct placement at, struct predict_map map, struct diags *diags)
{
    const int most = at.ppn > machine->ppn ? at.ppn : machine->ppn, of_each = machine->sockets > 1 ? machine->sockets : 1;
    const bool block = predict_socket_map(machine, map) == SOCKET_MAP_block;
    struct lower_options options = {.numprocs = at.numprocs, .nodes = at.nodes, .ppn = at.ppn, .cyclic = map.cyclic,
                                    .sockets = machine->sockets,
                                    .socket_fill = block ? (most + of_each - 1) / of_each : 0,
                                    .machine = machine->name, .time_unit = machine->time_unit,
                                    .mpich = library == LIBRARY_mpich};
    return program_lower(program, tree, &options, diags);
}

static enum contention contention_of(const struct predict_request *request, size_t mode)
{
    return request->modes[mode].pingpong ? CONTENTION_none : contention_by(request, predict_model(request, mode));
}

static enum status model_for(struct run *run, size_t mode, int ppn, struct cost_model **model)
{
    const struct predict_mode *wanted = &run->request->modes[mode];
    int measured_ppn = wanted->pingpong ? 1 : ppn;
    for (size_t i = 0; i < run->n_models; i++)
        if (run->models[i].mode == mode && run->models[i].ppn == measured_ppn) {
            *model = run->models[i].model;
            return STATUS_OK;
        }
    struct cost_options options = {.model = predict_model(run->request, mode), .mode = wanted->cost, .ppn = measured_ppn,
                                   .contention = contention_of(run->request, mode)};
    enum status status = cost_model_open(model, run->request->machine, &options, run->diags);
    if (status != STATUS_OK)
        return status;
    if (wanted->pingpong)
        *model = pingpong_wrap(*model);
    if (run->request->scale) {
        note_scale(&run->said, run->request, run->result, *model, options.contention);
        *model = scaled_wrap(*model, run->request->scale);
    }
    run->models = alloc_grow(run->models, run->n_models, &run->models_capacity, sizeof *run->models);
    run->models[run->n_models++] = (struct open_model){mode, measured_ppn, *model};
    return STATUS_OK;
}

static void progress_name(const struct run *run, const struct placement *at, const char *mode)
{
    char name[48];
    snprintf(name, sizeof name, "%s %dx%d", mode, at->nodes, at->ppn);
    progress_row(run->request->plan.progress, name, (double)at->numprocs);
}

static bool sends_without_waiting(const struct program *program)
{
    for (int32_t r = 0; r < program->n_roles; r++)
        for (int32_t i = 0; i < program->roles[r].n_code; i++)
            if (program->roles[r].code[i].op == INSTR_ISEND || program->roles[r].code[i].op == INSTR_ISSEND)
                return true;
    return false;
}

/* What the machine file has of messages that went by, and only the order of time asks for. */
static void row_left_out(struct prediction *row, const struct run *run, const struct program *program,
                         const struct cost_model *model, const struct engine_totals *totals)
{
    const struct machine *machine = run->request->machine;
    if (row->contention == CONTENTION_none)
        return;
    row->connect_left_out = (!model->in_time_by || !model->connect) && run->request->unconnected && machine->has_connect &&
                            totals->largest[TRANSPORT_network] >= 0;
    if (model->in_time_by)
        return;
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++) {
        bool told;
        row->permit_left_out |= transport_is_local(transport) && model->progress == PROGRESS_NONE &&
                                machine_rendezvous(machine, transport, &told) == RENDEZVOUS_permit && told &&
                                totals->largest[transport] > model->eager_limit[transport] &&
                                sends_without_waiting(program);
    }
}

/* Whether messages of a transport queue for something. A process sends to itself at level 1 alone. */
static bool transport_queues(const struct cost_model *model, enum contention contention, enum transport transport)
{
    static const struct seat first = {0, 0, 0};
    struct path_hop hop[PATH_MOST];
    if (!contention_has_ports(contention) || transport == TRANSPORT_self)
        return false;
    return transport == TRANSPORT_network ? model->ports != PORTS_OFF
                                          : model->path && model->path(model, transport, first, first, hop) > 0;
}

static void row_fill(struct prediction *row, const struct run *run, size_t mode, const struct cost_model *model,
                     const struct replicate_result *found)
{
    const struct predict_request *request = run->request;
    row->program = request->program;
    row->machine = request->machine->name;
    row->model = predict_model(request, mode);
    for (size_t i = 0; i < request->n_modes; i++)
        row->among_models = row->among_models || strcmp(predict_model(request, i), row->model) != 0;
    row->mode = request->modes[mode].name;
    row->params = run->params;
    row->contention = contention_of(request, mode);
    row->time = found->time;
    row->serial = found->serial;
    row->messages = found->totals.messages;
    row->unreceived = found->totals.unreceived;
    row->deadlocks = found->deadlocks;
    row->inversions = found->inversions;
    row->inversions_of = found->inversions_of;
    memcpy(row->level_most, found->totals.level_most, sizeof row->level_most);
    memcpy(row->level_measured, model->level_measured, sizeof row->level_measured);
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        if (row->level_most[transport] > 0)
            row->rare[transport] = model->rare[transport];
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        row->queues[transport] = transport_queues(model, row->contention, transport);
    row->other_ppn = model->other_ppn && row->contention != CONTENTION_none && row->level_most[TRANSPORT_network] > 0;
    row->socket_assumed = found->totals.level_most[TRANSPORT_socket] > 0 && model->level_measured[TRANSPORT_socket] > 0 &&
                          !model->socket_levels;
    row->self_assumed = found->totals.largest[TRANSPORT_self] >= 0 && !model->self_is_known;
    for (int transport = 0; transport < N_TRANSPORTS; transport++)
        row->limit_taken[transport] = found->totals.largest[transport] > 0 && model->eager_limit_taken[transport];
    row->engine = found->engine;
    row->lanes = found->lanes;
    row->precise = found->precise;
    memcpy(row->picks, found->picks, sizeof row->picks);
    row->base = BASELINE_NONE;
    row->baseline = row->speedup = row->speedup_ci95 = row->speedup_p5 = row->speedup_p95 = row->efficiency = NAN;
}

static enum mpi_library library_of(const struct predict_request *request)
{
    return request->library_given ? request->library : request->machine->library;
}

static struct engine_setup setup_of(const struct run *run, const struct program *program,
                                    const struct cost_model *model, size_t mode)
{
    const struct predict_request *request = run->request;
    return (struct engine_setup){.program = program, .model = model,
                                 .library = library_of(request),
                                 .decisions = request->optimised ? &request->machine->decisions : NULL,
                                 .machine = request->scale ? &run->scaled : request->machine,
                                 .mode = request->modes[mode].cost, .seed = request->seed, .unconnected = request->unconnected,
                                 .same_work = request->same_work, .work = request->work,
                                 .stop = request->stop,
                                 .watch = request->watch,
                                 .beyond = &run->result->beyond};
}

/* Where one computation was not timed, others may not be either: their names at once. */
static void report_untimed(const struct program *program, const struct machine *machine, struct diags *diags)
{
    char *names = alloc_string("");
    int n = 0;
    for (int32_t i = 0; i < program->n_serials; i++) {
        const struct serial_ref *serial = &program->serials[i];
        bool known = serial->kind != SERIAL_measured || machine_serial_find(machine, serial->measured);
        for (int32_t j = 0; j < i && !known; j++)
            known = program->serials[j].measured && strcmp(program->serials[j].measured, serial->measured) == 0;
        if (known)
            continue;
        char *longer = alloc_format("%s%s`%s`", names, n++ > 0 ? ", " : "", serial->measured);
        free(names);
        names = longer;
    }
    if (n > 1)
        diag_note(diags, place_of_file(machine->path), "the file has none of %s", names);
    free(names);
}

/* Room for the times of the program's regions in one row; NULL: it has none. */
static double *regions_prepare(struct run *run)
{
    struct predict_result *result = run->result;
    const struct tree *tree = run->tree;
    if (tree->n_regions == 0)
        return NULL;
    if (!result->regions) {
        result->n_regions = tree->n_regions;
        result->regions = alloc_array(tree->n_regions, sizeof *result->regions);
        for (size_t i = 0; i < tree->n_regions; i++)
            result->regions[i] = alloc_string(tree->regions[i]);
    }
    double *times = alloc_zeroed(tree->n_regions * N_REGION_TIMES, sizeof *times);
    result->region_times = alloc_grow(result->region_times, result->n_region_times, &result->region_times_capacity,
                                      sizeof *result->region_times);
    return result->region_times[result->n_region_times++] = times;
}

/* Predicts a placement in one mode. STATUS_INTERRUPTED: the row holds what is known where row->time.n >= 2. */
static enum status row_predict(struct run *run, const struct program *program, struct placement at, size_t mode,
                               struct prediction *row, struct diags *diags)
{
    struct cost_model *model;
    double start = clock_seconds();
    enum status status = model_for(run, mode, at.ppn, &model);
    if (status != STATUS_OK)
        return status;
    const struct predict_request *request = run->request;
    progress_name(run, &at, request->modes[mode].name);
    struct engine_setup setup = setup_of(run, program, model, mode);
    status = engine_serves(&setup, engine_choose(&setup, request->plan.engine), diags);
    if (status != STATUS_OK)
        return status;
    if (run->tree->n_windows > 0)
        note_windows(&run->said, run->result, setup.library, at.ppn);
    struct replicate_result found = {0};
    struct replicate_plan plan = request->plan;
    struct replicate_later later[N_CALIBRATION_PARTS];
    status = calibration_later(&setup, &plan, later, &plan.n_later);
    plan.later = later;
    plan.regions = regions_prepare(run);
    if (status == STATUS_OK)
        status = replicate_run(&setup, &plan, &found, diags);
    if (status == STATUS_NAME)
        report_untimed(program, request->machine, diags);
    *row = (struct prediction){.at = at, .complete = status == STATUS_OK};
    row_fill(row, run, mode, model, &found);
    row_left_out(row, run, program, model, &found.totals);
    row->n_regions = run->result->n_regions;
    row->regions = run->result->regions;
    row->region_times = plan.regions;
    row->seconds = clock_seconds() - start;
    row->roles = program->n_roles;
    run->result->simulated += found.time.n ? found.time.mean * (double)found.time.n : 0;
    run->result->simulated_cpu += found.time.n ? found.time.mean * (double)found.time.n * at.numprocs : 0;
    return status;
}

/* All modes of a placement, without bases. What is wrong with the program there goes to `diags`. */
static enum status batch_predict(struct run *run, struct placement at, struct batch *batch, struct diags *diags)
{
    struct program *program = NULL;
    *batch = (struct batch){.at = at, .rows = alloc_zeroed(run->request->n_modes, sizeof *batch->rows)};
    enum status status = predict_lower(&program, run->tree, run->request->machine, library_of(run->request), at,
                                       run->request->map, diags);
    status = replicate_agree(run->request->plan.spread, status, diags);
    for (size_t mode = 0; mode < run->request->n_modes && status == STATUS_OK; mode++) {
        status = row_predict(run, program, at, mode, &batch->rows[mode], diags);
        batch->n += status == STATUS_OK || (status == STATUS_INTERRUPTED && batch->rows[mode].time.n >= 2);
    }
    if (program)
        program_destroy(program);
    return status;
}

/* mean(T_base) / mean(T_P); relative variances add where both are sampled. */
static void row_compare(struct prediction *row, enum baseline kind, struct placement base_at, double mean, double ci95)
{
    if (kind == BASELINE_NONE || !(mean > 0))
        return;
    row->base = kind;
    row->base_at = base_at;
    row->baseline = mean;
    if (!(row->time.mean > 0))
        return;
    row->speedup = mean / row->time.mean;
    row->speedup_p5 = mean / row->time.p95;
    row->speedup_p95 = mean / row->time.p5;
    row->efficiency = row->speedup / row->at.numprocs;
    bool itself = kind == BASELINE_PREDICTED && row->at.numprocs == 1;
    row->speedup_ci95 = itself ? 0 : row->speedup * hypot(ci95 / mean, row->time.ci95 / row->time.mean);
}

/* Compares a row with its base (base: the batch that gives it, or NULL), and hands it out. */
static enum status row_finish(struct run *run, struct prediction *row, enum baseline kind, const struct batch *base,
                              size_t mode)
{
    double mean = NAN, ci95 = 0;
    struct placement base_at = {0};
    if (kind == BASELINE_GIVEN)
        mean = run->request->baseline;
    if (base && mode < base->n) {
        const struct prediction *from = &base->rows[mode];
        mean = kind == BASELINE_PREDICTED ? from->time.mean : from->serial;
        /* the Serial times of a run are a sum of many draws: their error is far below that of run times */
        ci95 = kind == BASELINE_PREDICTED ? from->time.ci95 : 0;
        base_at = base->at;
    }
    row_compare(row, kind, base_at, mean, ci95);
    struct predict_result *result = run->result;
    result->rows = alloc_grow(result->rows, result->n, &result->capacity, sizeof *result->rows);
    result->rows[result->n++] = *row;
    enum status status = run->request->on_row ? run->request->on_row(run->request->context, row) : STATUS_OK;
    return replicate_agree(run->request->plan.spread, status, run->diags);
}

/* Hands out what a finished row was predicted with. program NULL: it is lowered once more. */
static enum status row_inspect(struct run *run, const struct program *program, const struct prediction *row,
                               size_t mode)
{
    const struct predict_request *request = run->request;
    if (!request->on_inspect)
        return STATUS_OK;
    struct program *again = NULL;
    struct cost_model *model = NULL;
    struct diags said = DIAGS_EMPTY; /* when the row was predicted */
    enum status status = STATUS_OK;
    if (!program)
        status = predict_lower(&again, run->tree, request->machine, library_of(request), row->at, request->map,
                               &said);
    diags_free(&said);
    if (status == STATUS_OK)
        status = model_for(run, mode, row->at.ppn, &model);
    if (status == STATUS_OK) {
        struct engine_setup setup = setup_of(run, program ? program : again, model, mode);
        status = request->on_inspect(request->context, row, &setup);
    }
    if (again)
        program_destroy(again);
    return replicate_agree(request->plan.spread, status, run->diags);
}

static bool ends_the_run(enum status status)
{
    return status == STATUS_INTERRUPTED || status == STATUS_IO || status == STATUS_MPI || status == STATUS_SCHEMA ||
           status == STATUS_USAGE || status == STATUS_GONE;
}

static bool same_placement(struct placement a, struct placement b)
{
    return a.nodes == b.nodes && a.ppn == b.ppn;
}

static int by_numprocs(const void *a, const void *b)
{
    const struct placement *x = *(const struct placement *const *)a, *y = *(const struct placement *const *)b;
    if (x->numprocs != y->numprocs)
        return x->numprocs < y->numprocs ? -1 : 1;
    return x < y ? -1 : x > y; /* the earlier one of the list */
}

/* The smallest placement of the request that runs; its rows are kept in *batch. */
static enum status smallest_predict(struct run *run, struct batch *batch)
{
    size_t n = run->request->n_placements;
    const struct placement **order = alloc_array(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = &run->request->placements[i];
    qsort(order, n, sizeof *order, by_numprocs);
    enum status status = STATUS_RANGE;
    for (size_t i = 0; i < n && status != STATUS_OK && !ends_the_run(status); i++) {
        struct diags unsaid = DIAGS_EMPTY; /* said when the placement's own turn comes */
        free(batch->rows);
        status = batch_predict(run, *order[i], batch, &unsaid);
        if (ends_the_run(status) && status != STATUS_INTERRUPTED) {
            free(batch->rows);
            status = batch_predict(run, *order[i], batch, run->diags); /* now in the open */
        }
        diags_free(&unsaid);
    }
    free(order);
    return status;
}

/* Finds what speedups refer to. *batch holds the rows of one placement afterwards (n = 0: none). */
static enum status base_find(struct run *run, enum baseline *kind, struct batch *batch)
{
    *batch = (struct batch){.n = 0};
    *kind = BASELINE_GIVEN;
    if (!isnan(run->request->baseline))
        return STATUS_OK;
    struct diags unsaid = DIAGS_EMPTY; /* that one process is too few is no error unless it was asked for */
    struct placement one = {1, 1, 1};
    *kind = BASELINE_PREDICTED;
    enum status status = batch_predict(run, one, batch, &unsaid);
    diags_free(&unsaid);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED)
        return status;
    *kind = BASELINE_SERIAL;
    return smallest_predict(run, batch);
}

static enum status worse_of(enum status a, enum status b)
{
    return status_exit_code(b) > status_exit_code(a) ? b : a;
}

static bool has_deadlocks(const struct batch *batch)
{
    bool any = false;
    for (size_t mode = 0; mode < batch->n; mode++)
        any = any || batch->rows[mode].deadlocks > 0;
    return any;
}

/* One placement of the request: from `base` where it has been predicted already and nothing is left to be said of
 * it. */
static enum status placement_run(struct run *run, struct placement at, enum baseline kind, const struct batch *base)
{
    const struct batch *from = kind == BASELINE_GIVEN ? NULL : base;
    if (from && from->n == run->request->n_modes && same_placement(from->at, at) && !has_deadlocks(from)) {
        enum status status = STATUS_OK;
        for (size_t mode = 0; mode < from->n && status == STATUS_OK; mode++) {
            struct prediction row = from->rows[mode];
            status = row_finish(run, &row, kind, from, mode);
            if (status == STATUS_OK)
                status = row_inspect(run, NULL, &row, mode);
        }
        return status;
    }
    struct program *program = NULL;
    enum status status =
        predict_lower(&program, run->tree, run->request->machine, library_of(run->request), at, run->request->map,
                      run->diags);
    status = replicate_agree(run->request->plan.spread, status, run->diags);
    for (size_t mode = 0; mode < run->request->n_modes && status == STATUS_OK; mode++) {
        struct prediction row;
        status = row_predict(run, program, at, mode, &row, run->diags);
        if (status == STATUS_OK || (status == STATUS_INTERRUPTED && row.time.n >= 2)) {
            run->worst = row.deadlocks > 0 ? worse_of(run->worst, STATUS_DEADLOCK) : run->worst;
            enum status finished = row_finish(run, &row, kind, from, mode);
            if (finished == STATUS_OK && status == STATUS_OK)
                finished = row_inspect(run, program, &row, mode);
            status = finished == STATUS_OK ? status : finished;
        }
    }
    if (program)
        program_destroy(program);
    return status;
}

/* On Ctrl-C while the base is looked for: its rows are known and may have been asked for. */
static void base_salvage(struct run *run, enum baseline kind, const struct batch *base)
{
    for (size_t i = 0; i < run->request->n_placements; i++)
        for (size_t mode = 0; mode < base->n && same_placement(run->request->placements[i], base->at); mode++) {
            struct prediction row = base->rows[mode];
            if (row_finish(run, &row, kind, base, mode) != STATUS_OK)
                return;
        }
}

/* All placements and modes with one set of parameters. */
static enum status combination_run(struct run *run)
{
    const struct predict_request *request = run->request;
    enum baseline kind;
    struct batch base;
    enum status status = base_find(run, &kind, &base);
    if (status == STATUS_INTERRUPTED)
        base_salvage(run, kind, &base);
    for (size_t i = 0; i < request->n_placements && !ends_the_run(status); i++) {
        struct placement at = request->placements[i];
        if (request->placements_defaulted && at.numprocs == 1 && kind == BASELINE_SERIAL)
            continue;
        status = placement_run(run, at, kind, &base);
        if (!ends_the_run(status))
            run->worst = worse_of(run->worst, status);
    }
    free(base.rows);
    return ends_the_run(status) ? status : STATUS_OK;
}

/* Parses the program with combination c of the parameters and runs it. What is said of the file is said once. */
static enum status combination_parse(struct run *run, size_t c)
{
    const struct predict_request *request = run->request;
    struct definition *definitions = alloc_array(request->n_sweeps, sizeof *definitions);
    sweep_select(request->n_sweeps, request->sweeps, c, definitions);
    struct diags unsaid = DIAGS_EMPTY;
    struct tree *tree = NULL;
    enum status status =
        tree_parse(&tree, request->source, request->n_sweeps, definitions, c == 0 ? run->diags : &unsaid);
    diags_free(&unsaid);
    if (status == STATUS_OK && c == 0)
        status = algorithms_check(tree, run->diags);
    status = replicate_agree(request->plan.spread, status, run->diags);
    if (status == STATUS_OK) {
        struct predict_result *result = run->result;
        result->params = alloc_grow(result->params, result->n_params, &result->params_capacity, sizeof *result->params);
        run->params = result->params[result->n_params++] =
            params_text(request->n_sweeps, definitions, request->scale);
        run->tree = tree;
        status = combination_run(run);
    }
    if (tree)
        tree_destroy(tree);
    free(definitions);
    return status;
}

enum status predict_run(const struct predict_request *request, struct predict_result *result, struct diags *diags)
{
    assert(request->n_placements > 0 && request->n_modes > 0);
    double start = clock_seconds();
    if (request->optimised && !request->machine->has_decisions) {
        diag_error(diags, place_of_file(request->machine->path),
                   "has no `decisions` on how libpevpm-coll carries collectives out: pevpm-sim decide writes them");
        return STATUS_SCHEMA;
    }
    struct run run = {.request = request, .result = result, .diags = diags, .worst = STATUS_OK};
    notes_begin(request, result);
    if (request->scale)
        scaled_machine_init(&run.scaled, request->machine, request->scale);
    enum status status = STATUS_OK;
    size_t combinations = sweep_combinations(request->n_sweeps, request->sweeps);
    for (size_t c = 0; c < combinations && status == STATUS_OK; c++)
        status = combination_parse(&run, c);
    for (size_t i = 0; i < run.n_models; i++) {
        note_sizes(&run.said, result, run.models[i].model);
        cost_model_close(run.models[i].model);
    }
    free(run.models);
    if (request->scale)
        scaled_machine_free(&run.scaled);
    notes_end(request, result);
    result->complete = status == STATUS_OK;
    result->seconds = clock_seconds() - start;
    return status == STATUS_OK ? run.worst : status;
}

void predict_result_free(struct predict_result *result)
{
    beyond_free(&result->beyond);
    for (size_t i = 0; i < result->n_notes; i++)
        free(result->notes[i]);
    for (size_t i = 0; i < result->n_params; i++)
        free(result->params[i]);
    for (size_t i = 0; i < result->n_regions; i++)
        free(result->regions[i]);
    for (size_t i = 0; i < result->n_region_times; i++)
        free(result->region_times[i]);
    free(result->regions);
    free(result->region_times);
    free(result->notes);
    free(result->params);
    free(result->rows);
    *result = (struct predict_result){0};
}
