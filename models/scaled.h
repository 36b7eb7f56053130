/* scaled.h - what if: a cost model whose costs are those of another, each times a factor.
 *
 *     transit           every transit time. It is the whole one-way time, overheads included, so factors on overheads
 *                       leave it alone
 *     send_overhead, receive_overhead
 *     out_gap, in_gap   what ports charge for a message; reverse gaps go with the port they keep busy, the common gap
 *                       with out_gap
 *     credit            what an idle port has saved up
 *     serial            computation: node_time_factor of the machine
 *     eager_limit       the largest message sent eagerly: between nodes, within a node, to oneself
 *
 * Everything else - the network's levels, which nodes differ, ports per node or per process, what rests delay - stays
 * as it is. */
#ifndef PEVPM_MODELS_SCALED_H
#define PEVPM_MODELS_SCALED_H

#include "common/diag.h"
#include "common/status.h"
#include "models/cost.h"
#include "models/machine.h"

#include <stdbool.h>

#define SCALE_LIST(X) \
    X(transit) X(send_overhead) X(receive_overhead) X(out_gap) X(in_gap) X(credit) X(serial) X(eager_limit)
struct scale {
#define X(name) double name;
    SCALE_LIST(X)
#undef X
};

/* The scale that changes nothing. */
#define SCALE_NONE                                                                                                   \
    ((struct scale){.transit = 1, .send_overhead = 1, .receive_overhead = 1, .out_gap = 1, .in_gap = 1, .credit = 1, \
                    .serial = 1, .eager_limit = 1})
bool scale_is_none(const struct scale *scale);

/* Reads "gap=0.1,transit=0.5": KEY=FACTOR, comma separated; `overhead` and `gap` stand for both sides; a factor is a
 * number of at least 0. *scale is multiplied, so that options add up; unchanged on an error. `option` and the text are
 * quoted in errors. STATUS_USAGE for a key that is none (with `did you mean`), and for a factor. */
enum status scale_parse(const char *option, const char *text, struct scale *scale, struct diags *diags);

/* "gap=0.1,serial=2": the shortest text that scale_parse reads as this; "" for SCALE_NONE. The caller frees it. */
char *scale_text(const struct scale *scale);

/* inner: taken; cost_model_close of the result closes it. */
struct cost_model *scaled_wrap(struct cost_model *inner, const struct scale *scale);

/* The machine with its node_time_factor times scale->serial; all else is borrowed from `machine`, which must outlive
 * it. Ends with scaled_machine_free and never with machine_destroy. */
void scaled_machine_init(struct machine *scaled, const struct machine *machine, const struct scale *scale);
void scaled_machine_free(struct machine *scaled);

#endif
