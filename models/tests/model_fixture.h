/* model_fixture.h - what the tests of the models share: a model opened on a text, its costs in us. */
#ifndef PEVPM_MODELS_TESTS_MODEL_FIXTURE_H
#define PEVPM_MODELS_TESTS_MODEL_FIXTURE_H

#include "common/tests/said.h"
#include "models/cost.h"
#include "models/machine.h"
#include "models/quantile.h"

#include <math.h>

/* Of the analytical models' machines. */
#define HEAD "pevpm_machine: 1\nname: m\nnodes: 3\nprocesses_per_node: 2\neager_limit: 4096\nmodels:\n"

struct fixture {
    struct machine *machine;
    struct cost_model *model;
    struct diags diags;
};

static inline enum status fixture_open(struct fixture *f, const char *text, struct cost_options options)
{
    *f = (struct fixture){.diags = DIAGS_EMPTY};
    enum status status = machine_read_text(&f->machine, "m.yaml", text, strlen(text), &f->diags);
    if (status != STATUS_OK)
        diags_print(&f->diags, stderr);
    assert_int_equal(status, STATUS_OK);
    return cost_model_open(&f->model, f->machine, &options, &f->diags);
}

static inline void fixture_close(struct fixture *f)
{
    cost_model_close(f->model);
    machine_destroy(f->machine);
    diags_free(&f->diags);
}

/* The class of two processes on these nodes; of a process with itself. */
static inline uint32_t pair_between(const struct cost_model *m, int from_node, int to_node)
{
    const struct seat from = {0, from_node, SEAT_NO_SOCKET}, to = {1, to_node, SEAT_NO_SOCKET};
    return m->pair_class(m, transport_between(from, to), from_node, to_node);
}

static inline uint32_t pair_with_itself(const struct cost_model *m, int node)
{
    return m->pair_class(m, TRANSPORT_self, node, node);
}

static inline double mix_value(const struct mix *mix)
{
    struct quantile q;
    quantile_build(&q, mix);
    assert_true(q.constant);
    return q.value;
}

/* All five costs of a message, in us: { send overhead, out gap, transit, in gap, receive overhead }. */
static inline void assert_pair_costs(const struct fixture *f, uint32_t pair, int64_t bytes, const double expected[5])
{
    const struct cost_model *m = f->model;
    struct mix mix;
    struct port_cost ports;
    double found[5];
    m->overhead(m, pair, SIDE_SEND, SEND_BLOCKING, bytes, &mix);
    found[0] = mix_value(&mix);
    m->transit(m, pair, SEND_NONBLOCKING, bytes, 7, &mix);
    found[2] = mix_value(&mix);
    m->overhead(m, pair, SIDE_RECEIVE, SEND_BLOCKING, bytes, &mix);
    found[4] = mix_value(&mix);
    m->ports_for(m, pair, bytes, &ports);
    found[1] = ports.out_gap;
    found[3] = ports.in_gap;
    assert_true(port_cost_out_credit(&ports) == 0 && port_cost_in_credit(&ports) == 0);
    for (int i = 0; i < 5; i++)
        if (!(fabs(found[i] - expected[i] * 1e-6) <= 1e-12 * expected[i] * 1e-6))
            fail_msg("cost %d: found %.15g us, expected %.15g us", i, found[i] * 1e6, expected[i]);
}

static inline void assert_costs(const struct fixture *f, int from, int to, int64_t bytes, const double expected[5])
{
    assert_pair_costs(f, pair_between(f->model, from, to), bytes, expected);
}

#endif
