#include "measure/slots.h"

#include "measure/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 8 };

/* The slots of a choice. */
static void expect_slots(int ppn, const int socket[], enum transport transport, int n, const int expected[])
{
    for (int q = 0; q < n; q++)
        assert_int_equal(slots_nth(ppn, socket, transport, n, q), expected[q]);
}

static void groups_send_within_or_between(void **state)
{
    (void)state;
    static const struct {
        int ppn, socket[MOST], within, between, slots_within[MOST], slots_between[MOST];
    } cases[] = {
        {2, {0, 0}, 2, 0, {0, 1}, {0}},
        {2, {1, 0}, 0, 2, {0}, {0, 1}},
        {4, {0, 1, 0, 1}, 2, 4, {0, 2}, {0, 2, 1, 3}},
        {4, {5, 5, 3, 3}, 2, 4, {0, 1}, {0, 1, 2, 3}},
        {5, {0, 1, 1, 1, 0}, 2, 4, {1, 2}, {0, 4, 1, 2}},
        {8, {0, 0, 0, 0, 1, 1, 1, 1}, 4, 8, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7}},
        {8, {0, 1, 2, 3, 0, 1, 2, 3}, 2, 8, {0, 4}, {0, 2, 4, 6, 1, 3, 5, 7}},
        {8, {0, 0, 0, 0, 0, 0, 0, 1}, 6, 2, {0, 1, 2, 3, 4, 5}, {0, 7}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(slots_most(cases[i].ppn, cases[i].socket, TRANSPORT_socket), cases[i].within);
        assert_int_equal(slots_most(cases[i].ppn, cases[i].socket, TRANSPORT_node), cases[i].between);
        expect_slots(cases[i].ppn, cases[i].socket, TRANSPORT_socket, cases[i].within, cases[i].slots_within);
        expect_slots(cases[i].ppn, cases[i].socket, TRANSPORT_node, cases[i].between, cases[i].slots_between);
    }
    expect_slots(8, cases[6].socket, TRANSPORT_node, 4, (const int[]){0, 2, 1, 3});
    expect_slots(8, cases[5].socket, TRANSPORT_node, 2, (const int[]){0, 4});
}

static void layouts_have_names(void **state)
{
    (void)state;
    static const struct {
        int nodes, ppn, sockets, socket[MOST];
        bool named;
        enum socket_map map;
    } cases[] = {
        {2, 4, 2, {0, 1, 0, 1, 1, 0, 1, 0}, true, SOCKET_MAP_cyclic}, /* whichever comes first */
        {2, 4, 2, {0, 0, 1, 1, 1, 1, 0, 0}, true, SOCKET_MAP_block},
        {2, 4, 2, {0, 0, 1, 1, 0, 1, 0, 1}, false, SOCKET_MAP_block}, /* one node each */
        {1, 4, 2, {0, 0, 0, 0}, false, SOCKET_MAP_block},
        {1, 4, 2, {0, 1, 1, 0}, false, SOCKET_MAP_block},
        {1, 2, 2, {1, 0}, true, SOCKET_MAP_cyclic},
        {1, 5, 2, {0, 0, 0, 1, 1}, true, SOCKET_MAP_block},
        {1, 6, 4, {0, 1, 2, 3, 0, 1}, true, SOCKET_MAP_cyclic},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum socket_map map;
        assert_int_equal(slots_map(cases[i].nodes, cases[i].ppn, cases[i].socket, cases[i].sockets, &map), cases[i].named);
        if (cases[i].named)
            assert_int_equal(map, cases[i].map);
    }
}

/* Two nodes of four, which patterns take in the other order; the second node's processes lie otherwise. */
static void a_job_lays_groups_over_them(void **state)
{
    (void)state;
    int socket[] = {0, 0, 1, 1, 1, 0, 1, 0}, order[] = {1, 0};
    const struct job job = {.nodes = 2, .ppn = 4, .order = order, .sockets = 2, .socket_of = socket};
    struct shape shape = {.job_nodes = 2, .job_ppn = 4, .nodes = 1, .ppn = 2, .copies = 2, .pairs = TRANSPORT_socket};
    static const int within[] = {4, 6, 0, 1}, between[] = {4, 5, 0, 2}, plain[] = {4, 5, 0, 1};
    assert_int_equal(job_slots_most(&job, TRANSPORT_socket), 2);
    assert_int_equal(job_slots_most(&job, TRANSPORT_node), 4);
    for (int i = 0; i < 4; i++) {
        const int place = shape_place(&shape, i / 2, i % 2);
        shape.pairs = TRANSPORT_socket;
        assert_int_equal(job_shape_place(&job, &shape, place), within[i]);
        shape.pairs = TRANSPORT_node;
        assert_int_equal(job_shape_place(&job, &shape, place), between[i]);
        shape.pairs = TRANSPORT_network;
        assert_int_equal(job_shape_place(&job, &shape, place), plain[i]);
    }
    const struct job untold = {.nodes = 2, .ppn = 4, .order = order, .socket_of = socket};
    assert_int_equal(job_slots_most(&untold, TRANSPORT_socket), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_send_within_or_between), cmocka_unit_test(layouts_have_names),
                                       cmocka_unit_test(a_job_lays_groups_over_them)};
    return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
