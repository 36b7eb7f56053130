/* tables.h - the times of a measured model (models/measured.h), by transport, kind of send, level and size. */
#ifndef PEVPM_MODELS_MEASURED_TABLES_H
#define PEVPM_MODELS_MEASURED_TABLES_H

#include "models/cost.h"
#include "models/distribution.h"
#include "models/machine.h"
#include "models/machine_path.h"
#include "models/node_kind.h"

/* One quantity of one entry by message size, ascending. */
struct track {
    size_t n;
    int64_t *bytes;
    const struct distribution **part;
};

/* What serves one kind of message: a transit track for each level, ascending; overheads by enum side. */
struct serving {
    size_t n;
    int *level;
    struct track *transit;
    struct track overhead[2];
};

struct measured_model {
    struct cost_model base; /* first: a struct cost_model * is also this */
    const struct machine *machine;
    enum cost_mode mode;
    bool levels;            /* off under CONTENTION_none */
    struct node_kinds kinds;
    struct machine_paths paths;
    uint32_t n_kinds;       /* of nodes, told apart by pair classes */
    struct serving serving[N_TRANSPORTS][2]; /* by enum send_kind */
    struct distribution *own;              /* those of the parts that the machine file does not have as they are: constants of the
                                              modes average and minimum, and what rare.h makes of transits */
    size_t n_own;
    struct rare_mean rare[N_TRANSPORTS]; /* of struct cost_model */
    struct distribution zero, second; /* 0 s, 1 s */
    struct distribution least_send[2]; /* by enum send_kind: the smallest overhead of sending an empty message */
};

/* What serves messages from one process to another; where nothing was measured of their way another stands in for it, the
 * nearest first. */
static inline const struct serving *serving_of(const struct measured_model *model, enum transport transport,
                                               enum send_kind kind)
{
    static const enum transport nearest[N_TRANSPORTS][3] = {
        [TRANSPORT_network] = {TRANSPORT_network, TRANSPORT_node, TRANSPORT_socket},
        [TRANSPORT_node] = {TRANSPORT_node, TRANSPORT_socket, TRANSPORT_network},
        [TRANSPORT_socket] = {TRANSPORT_socket, TRANSPORT_node, TRANSPORT_network},
        [TRANSPORT_self] = {TRANSPORT_node, TRANSPORT_socket, TRANSPORT_network},
    };
    int i = 0;
    while (i < 2 && model->serving[nearest[transport][i]][kind].n == 0)
        i++;
    return &model->serving[nearest[transport][i]][kind];
}

/* All of it but `base`, which is filled later, from the tables. Ends with measured_close, which is base.close. */
struct measured_model *tables_build(const struct machine *machine, const struct cost_options *options);
void measured_close(struct cost_model *base);

#endif
