/* times.h - what a measured model (models/measured.h) draws: struct cost_model has these. */
#ifndef PEVPM_MODELS_MEASURED_TIMES_H
#define PEVPM_MODELS_MEASURED_TIMES_H

#include "models/cost.h"

void measured_transit(const struct cost_model *base, uint32_t pair_class, enum send_kind kind, int64_t bytes,
                      int level, struct mix *mix);
void measured_sizes(const struct cost_model *base, uint32_t pair_class, enum send_kind kind,
                    struct measured_range *sizes);
void measured_overhead(const struct cost_model *base, uint32_t pair_class, enum side side, enum send_kind asked,
                       int64_t bytes, struct mix *mix);

#endif
