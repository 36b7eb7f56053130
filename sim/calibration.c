#include "sim/calibration.h"

#include "models/launched.h"

#include <math.h>

enum status calibration_sd(const struct engine_setup *setup, const struct replicate_plan *plan, double *sd,
                           struct diags *diags)
{
    double times[2][CALIBRATION_REPLICATIONS], sum = 0;
    struct replicate_plan pair = *plan;
    struct engine_setup setups[2] = {*setup, *setup};
    struct replicate_result unused;
    int n = 0;
    *sd = 0;
    if (setup->mode != MODE_distribution || !launched_is_known(setup->machine))
        return STATUS_OK;
    struct cost_model *later = launched_wrap(setup->model, setup->machine);
    setups[1].model = later;
    pair.exact = CALIBRATION_REPLICATIONS;
    pair.calibration_sd = 0;
    pair.progress = NULL;
    enum status status = STATUS_OK;
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        pair.times = times[i];
        status = replicate_run(&setups[i], &pair, &unused, diags);
    }
    cost_model_close(later);
    for (int r = 0; r < CALIBRATION_REPLICATIONS && status == STATUS_OK; r++)
        if (!isnan(times[0][r]) && !isnan(times[1][r])) {
            sum += times[1][r] - times[0][r];
            n++;
        }
    *sd = n > 0 ? fabs(sum / n) : 0;
    return status;
}
