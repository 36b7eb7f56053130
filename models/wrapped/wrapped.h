/* wrapped.h - a cost model that passes every question on to another one, for those that change some of the answers.
 *
 * A wrapper is an allocated struct that begins with a struct wrapped, so that a pointer to either is one to both and to
 * the model. After wrapped_init it puts its own functions and plain fields into `door` where they differ. */
#ifndef PEVPM_MODELS_WRAPPED_H
#define PEVPM_MODELS_WRAPPED_H

#include "models/cost.h"

struct wrapped {
    struct cost_model door;         /* first: the model that callers see */
    const struct cost_model *inner; /* the one that answers */
    struct cost_model *taken;       /* the same where the wrapper closes it; NULL: borrowed */
};

/* `door` is as `inner`, which must outlive it and is borrowed until the caller sets `taken`. door.close closes what is
 * taken and frees the wrapper; one that holds more frees that first and calls wrapped_close. */
void wrapped_init(struct wrapped *wrapped, const struct cost_model *inner);
void wrapped_close(struct cost_model *model);

/* The one that answers for a wrapper's `model`. */
const struct cost_model *wrapped_inner(const struct cost_model *model);

#endif
