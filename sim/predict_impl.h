/* predict_impl.h - the notes of a predict_result, which predict_notes.c writes and predict.c asks for: what a reader of the numbers
 * should know, a sentence each, in the order in which they are asked for. A note tells of the row where it weighs most, and stands
 * once, however many rows it is true of. Private to sim/. */
#ifndef PEVPM_SIM_PREDICT_IMPL_H
#define PEVPM_SIM_PREDICT_IMPL_H

#include "collectives/library.h"
#include "models/cost.h"
#include "sim/predict.h"

#include <stdbool.h>

/* What has been said in this run. Zero-initialise. */
struct notes_said {
    bool scale, windows_lent, windows_inside, sizes;
};

/* Where the request goes beyond the machine: before any row is known. */
void notes_begin(const struct predict_request *request, struct predict_result *result);

/* The request has a scale: its factors on ports, where a model has none of them. */
void note_scale(struct notes_said *said, const struct predict_request *request, struct predict_result *result,
                const struct cost_model *model, enum contention contention);

/* The program has windows. One-sided operations cost what Open MPI makes of them between nodes; said where that is not
 * what runs. */
void note_windows(struct notes_said *said, struct predict_result *result, enum mpi_library library, int ppn);

/* A model for which all sizes are alike. */
void note_sizes(struct notes_said *said, struct predict_result *result, const struct cost_model *model);

/* Of all rows there are, of the machine file's gaps that they came to, and of what p5 and p95 hold. */
void notes_end(const struct predict_request *request, struct predict_result *result);

/* The model of one of the request's modes. */
static inline const char *predict_model(const struct predict_request *request, size_t mode)
{
    return request->modes[mode].model ? request->modes[mode].model : request->model;
}

#endif
