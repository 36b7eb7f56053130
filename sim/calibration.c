#include "sim/calibration.h"

#include "models/launched.h"

enum status calibration_later(const struct engine_setup *setup, const struct replicate_plan *plan,
                              double later[REPLICATE_FIRST], size_t *n)
{
    uint32_t wanted = plan->exact > 0 && plan->exact < REPLICATE_FIRST ? plan->exact : REPLICATE_FIRST;
    *n = 0;
    if (setup->mode != MODE_distribution || wanted < 2 || !launched_is_known(setup->machine))
        return STATUS_OK;
    struct cost_model *model = launched_wrap(setup->model, setup->machine);
    struct engine_setup launched = *setup;
    struct replicate_plan few = *plan;
    struct replicate_result unused;
    struct diags diags = DIAGS_EMPTY;
    launched.model = model;
    few.exact = wanted;
    few.times = later;
    few.n_later = 0;
    few.progress = NULL;
    enum status status = replicate_run(&launched, &few, &unused, &diags);
    diags_free(&diags);
    cost_model_close(model);
    if (status == STATUS_OK)
        *n = wanted;
    return status == STATUS_INTERRUPTED ? status : STATUS_OK;
}
