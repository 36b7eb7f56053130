/* pingpong.h - a cost model by which every message costs what one between two nodes costs: modes X@2x1.
 *
 * What a simple ping-pong benchmark would predict: wraps a model that was opened with contention `none`, and has
 * messages within a node cost what they cost between that node and the next. A message to oneself stays one. */
#ifndef PEVPM_MODELS_PINGPONG_H
#define PEVPM_MODELS_PINGPONG_H

#include "models/cost.h"

/* inner: taken; cost_model_close of the result closes it. */
struct cost_model *pingpong_wrap(struct cost_model *inner);

#endif
