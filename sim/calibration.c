#include "sim/calibration.h"

#include "common/alloc.h"
#include "models/launched.h"
#include "models/scaled.h"
#include "sim/model_error.h"

#include <stdlib.h>

/* A setup that is slower; what it is made of. */
struct slower {
    struct engine_setup setup;
    double clock;              /* its run times are this times what the replications say */
    struct cost_model *model;  /* NULL: the original's */
    struct machine machine;    /* where `scaled` */
    bool scaled;
};

static double part_sd(const struct machine *machine, enum calibration_part part)
{
    switch (part) {
    case CALIBRATION_communication: return machine->has_model_error ? machine->model_error.communication : 0;
    case CALIBRATION_computation: return machine->has_model_error ? machine->model_error.computation : 0;
    case CALIBRATION_launch:
    case N_CALIBRATION_PARTS: break;
    }
    return launched_is_known(machine) ? 1 : 0; /* the model knows how much for each size */
}

static void serial_scale(struct slower *slower, double factor)
{
    struct scale scale = SCALE_NONE;
    scale.serial = factor;
    scaled_machine_init(&slower->machine, slower->setup.machine, &scale);
    slower->setup.machine = &slower->machine;
    slower->scaled = true;
}

/* How many times as long the part takes; launched_wrap knows by itself. */
static double part_factor(const struct machine *machine, enum calibration_part part)
{
    return part == CALIBRATION_communication && machine->model_error.stretch > 0 ? machine->model_error.stretch
                                                                                : 1 + part_sd(machine, part);
}

static void slower_init(struct slower *slower, const struct engine_setup *setup, enum calibration_part part)
{
    double factor = part_factor(setup->machine, part);
    *slower = (struct slower){.setup = *setup, .clock = 1};
    switch (part) {
    case CALIBRATION_communication:
        slower->clock = factor;
        serial_scale(slower, 1 / factor);
        return;
    case CALIBRATION_computation:
        serial_scale(slower, factor);
        return;
    case CALIBRATION_launch:
    case N_CALIBRATION_PARTS: break;
    }
    slower->setup.model = slower->model = launched_wrap(setup->model, setup->machine);
}

static void slower_free(struct slower *slower)
{
    if (slower->model)
        cost_model_close(slower->model);
    if (slower->scaled)
        scaled_machine_free(&slower->machine);
}

/* What is wanted of `few` replications of another setup, whose diagnostics the prediction itself will give. */
static enum status few_run(const struct engine_setup *setup, const struct replicate_plan *plan, uint32_t wanted,
                           double times[], struct replicate_result *result)
{
    struct replicate_plan few = *plan;
    struct diags diags = DIAGS_EMPTY;
    few.exact = wanted;
    few.times = times;
    few.regions = NULL;
    few.n_later = 0;
    few.progress = NULL;
    enum status status = replicate_run(setup, &few, result, &diags);
    diags_free(&diags);
    return status;
}

bool work_differs(const struct program *program, const struct machine *machine)
{
    bool differs = program->n_serials > 0;
    for (int scope = 0; scope < N_VARIABILITIES; scope++)
        differs = differs || machine->has_variability[scope];
    return differs;
}

/* What communication alone makes of runs, s: their standard deviation where all compute alike (model_error.h). Only where
 * computations differ must they be made alike, which the time-ordered engine alone can do. */
static enum status spread_find(const struct engine_setup *setup, const struct replicate_plan *plan, uint32_t wanted,
                               double *spread)
{
    struct engine_setup alike = *setup;
    struct replicate_result result;
    alike.same_work = setup->same_work || work_differs(setup->program, setup->machine);
    enum status status = few_run(&alike, plan, wanted, NULL, &result);
    if (status == STATUS_OK)
        *spread = model_error_known(result.time.p5, result.time.p95);
    return status;
}

static enum status part_run(const struct engine_setup *setup, const struct replicate_plan *plan, uint32_t wanted,
                            enum calibration_part part, struct replicate_later *later)
{
    struct slower slower;
    struct replicate_result unused;
    *later = (struct replicate_later){.n = wanted, .part = 1};
    slower_init(&slower, setup, part);
    enum status status = few_run(&slower.setup, plan, wanted, later->times, &unused);
    if (part != CALIBRATION_launch) {
        later->added = 1 / (part_factor(setup->machine, part) - 1);
        later->part = part_sd(setup->machine, part) * later->added;
    }
    if (part == CALIBRATION_communication)
        later->powers = model_error_powers(&setup->machine->model_error);
    if (status == STATUS_OK && later->powers.spread > 0) {
        enum status found = spread_find(setup, plan, wanted, &later->spread);
        if (found != STATUS_OK) /* what cannot be run so, since it deadlocks, is as wrong as programs mostly are */
            later->powers.spread = 0;
        status = found == STATUS_INTERRUPTED ? found : STATUS_OK;
    }
    for (uint32_t r = 0; r < wanted && status == STATUS_OK; r++)
        later->times[r] *= slower.clock;
    slower_free(&slower);
    return status;
}

enum status calibration_later(const struct engine_setup *setup, const struct replicate_plan *plan,
                              struct replicate_later later[N_CALIBRATION_PARTS], size_t *n)
{
    uint32_t wanted = plan->exact > 0 && plan->exact < REPLICATE_FIRST ? plan->exact : REPLICATE_FIRST;
    *n = 0;
    if (setup->mode != MODE_distribution || wanted < 2 || plan->spread_alone)
        return STATUS_OK;
    for (int part = 0; part < N_CALIBRATION_PARTS; part++) {
        if (!(part_sd(setup->machine, (enum calibration_part)part) > 0))
            continue;
        enum status status = part_run(setup, plan, wanted, (enum calibration_part)part, &later[*n]);
        if (status == STATUS_INTERRUPTED)
            return status;
        *n += status == STATUS_OK;
    }
    return STATUS_OK;
}

/* " (28 runs here, 1142 elsewhere)": what the model error was found from; empty where the file does not say. */
static char *runs_text(const struct machine_model_error *error)
{
    const char *s = error->runs == 1 ? "" : "s", *others = error->elsewhere == 1 ? "" : "s";
    if (error->runs > 0 && error->elsewhere > 0)
        return alloc_format(" (%d run%s here, %d elsewhere)", error->runs, s, error->elsewhere);
    if (error->elsewhere > 0)
        return alloc_format(" (%d run%s elsewhere, none here)", error->elsewhere, others);
    return error->runs > 0 ? alloc_format(" (%d run%s)", error->runs, s) : alloc_string("");
}

char *calibration_text(const struct machine *machine)
{
    double communication = part_sd(machine, CALIBRATION_communication);
    double computation = part_sd(machine, CALIBRATION_computation);
    if (!(communication > 0 || computation > 0))
        return NULL;
    char *runs = runs_text(&machine->model_error);
    const struct machine_model_error *error = &machine->model_error;
    const char *more = !(error->spread_power > 0) ? ""
                       : error->share_power > 0   ? ", more where it is a small part of a run or makes runs differ"
                                                  : ", more where it makes runs differ";
    char *of_messages = communication > 0 ? alloc_format("%.2g %% of communication%s%s", 100 * communication, more,
                                                         *more && computation > 0 ? "," : "")
                                          : NULL;
    char *of_serial = computation > 0 ? alloc_format("%.2g %% of computation", 100 * computation) : NULL;
    char *text = alloc_format("p5-p95 hold the spread of runs%s a model error of %s%s%s%s",
                              launched_is_known(machine) ? ", of calibrations, and" : " and",
                              of_messages ? of_messages : "", of_messages && of_serial ? " and " : "",
                              of_serial ? of_serial : "", runs);
    free(of_serial);
    free(of_messages);
    free(runs);
    return text;
}
