/* Which open operations a wait names. MPI is not started: no request is looked into. */
#include "executor/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Names 0, 1 and 2; 0[7], all of 0, 1, 0[8]. */
static struct request_ref refs[] = {{0, -1, 7, false}, {0, -1, -1, true}, {1, -1, -1, false}, {0, -1, 8, false}};
static const struct program program = {.numprocs = 1, .requests = refs, .n_requests = 4};

static void post(struct requests *requests, int32_t name, int64_t index, int32_t site)
{
    requests_add(requests, &(struct open_call){.name = name, .index = index, .site = site,
                                               .handle = MPI_REQUEST_NULL});
}

/* 0[7] twice, 0[8], 1, and one without a name: sites 10 to 14. */
static struct requests posted(void)
{
    struct requests requests = {0};
    post(&requests, 0, 7, 10);
    post(&requests, 0, 8, 11);
    post(&requests, 1, -1, 12);
    post(&requests, 0, 7, 13);
    post(&requests, INT32_MIN, -1, 14);
    return requests;
}

static void expect_marked(struct requests *requests, enum instr_op op, int32_t first, int32_t n, size_t n_sites,
                          const int32_t sites[])
{
    const struct instr instr = {.op = (uint8_t)op, .first_request = first, .n_requests = n};
    struct problem problem;
    assert_true(requests_mark(requests, &program, &instr, 0, NULL, &problem));
    assert_int_equal(requests->n_marked, n_sites);
    for (size_t i = 0; i < n_sites; i++)
        assert_int_equal(requests->open[requests->marked[i]].site, sites[i]);
}

static void the_latest_of_a_name_is_meant(void **state)
{
    (void)state;
    struct requests requests = posted();
    expect_marked(&requests, INSTR_WAIT, 0, 1, 1, (int32_t[]){13});
    expect_marked(&requests, INSTR_WAITANY, 2, 1, 1, (int32_t[]){12});
    requests_free(&requests);
}

static void a_bare_name_means_all_its_elements_once(void **state)
{
    (void)state;
    struct requests requests = posted();
    expect_marked(&requests, INSTR_TEST, 1, 1, 3, (int32_t[]){10, 11, 13});
    expect_marked(&requests, INSTR_WAIT, 0, 4, 4, (int32_t[]){10, 11, 12, 13}); /* in the order they were posted */
    requests_free(&requests);
}

static void no_name_means_all(void **state)
{
    (void)state;
    struct requests requests = posted();
    expect_marked(&requests, INSTR_WAITALL, -1, 0, 5, (int32_t[]){10, 11, 12, 13, 14});
    expect_marked(&requests, INSTR_TESTALL, -1, 0, 5, (int32_t[]){10, 11, 12, 13, 14});
    requests_free(&requests);
}

static void what_is_complete_is_forgotten(void **state)
{
    (void)state;
    struct requests requests = posted();
    expect_marked(&requests, INSTR_WAITSOME, 0, 4, 4, (int32_t[]){10, 11, 12, 13});
    requests.handles[1] = (MPI_Request)&requests; /* any that is not null */
    requests_sweep(&requests);
    expect_marked(&requests, INSTR_WAITALL, -1, 0, 2, (int32_t[]){11, 14});
    requests_free(&requests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_latest_of_a_name_is_meant),
        cmocka_unit_test(a_bare_name_means_all_its_elements_once),
        cmocka_unit_test(no_name_means_all),
        cmocka_unit_test(what_is_complete_is_forgotten),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
