/* Wrappers: what they leave alone, what a ping-pong changes, and who closes what. */
#include "models/wrapped/wrapped.h"

#include "common/alloc.h"
#include "models/pingpong.h"
#include "models/tests/model_fixture.h"

/* 101 bytes, as in test_loggp.c; no ports within a node. */
#define LOGGP "  loggp: {L: 5 us, o_s: 1 us, o_r: 4 us, g: 3 us, G: 10 ns}\n"
static const double between[5] = {1, 4, 11, 5, 4}, within[5] = {1, 0, 11, 0, 4};

static void open_loggp(struct fixture *f)
{
    assert_int_equal(fixture_open(f, HEAD LOGGP, (struct cost_options){.model = "loggp", .ppn = 1}), STATUS_OK);
    assert_costs(f, 0, 1, 101, between);
    assert_costs(f, 1, 1, 101, within);
}

static void nothing_changes_by_itself(void **state)
{
    (void)state;
    struct fixture f;
    open_loggp(&f);
    struct wrapped *wrapped = alloc_zeroed(1, sizeof *wrapped);
    wrapped_init(wrapped, f.model);
    assert_ptr_equal(wrapped_inner(&wrapped->door), f.model);
    struct fixture g = {.model = &wrapped->door};
    assert_costs(&g, 0, 1, 101, between);
    assert_costs(&g, 1, 1, 101, within);
    assert_string_equal(g.model->name, "loggp");
    assert_int_equal(g.model->ports, PORTS_PER_PROCESS);
    assert_int_equal(g.model->eager_limit[TRANSPORT_network], 4096);
    cost_model_close(g.model); /* what is borrowed stays open */
    assert_costs(&f, 0, 1, 101, between);
    fixture_close(&f);
}

/* That what is taken is closed is seen by the leak sanitizer. */
static void a_pingpong_knows_no_shared_nodes(void **state)
{
    (void)state;
    struct fixture f;
    open_loggp(&f);
    f.model = pingpong_wrap(f.model);
    assert_costs(&f, 0, 1, 101, between);
    assert_costs(&f, 1, 1, 101, between);
    assert_costs(&f, 2, 2, 101, between); /* the last node's next is the first */
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes_by_itself),
        cmocka_unit_test(a_pingpong_knows_no_shared_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
