#include "record/tested.h"
#include "record/writer.h"

#include "common/alloc.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { REQUESTS = 100 };

static void print_head(FILE *out, int rank)
{
    fprintf(out, "rank %d 2\nhost a\nprocessors 1\nclocks 20 300\npolls 0\nalike 0\nmodule 0 ab /app\n"
                 "path 0 0:10\npath 1 0:20\npath 2 0:30\n", rank);
    for (int i = 0; i < REQUESTS; i++)
        fprintf(out, "list %d 0:%d\n", i, i);
}

static void print_call(FILE *out, const char *call, int path, int request, long times)
{
    fprintf(out, "%s %d 0 0 0 8 0 0 0 %d n %ld wall 9 9 9 cpu 0 0 in 9 size 8 8 8\n", call, path, request, times);
}

/* Two processes of one function begin receives. The first waits for each when it has begun all; the second has tested
 * each at once, and each has come. All that `trips` times. */
static void make_recording(struct recording *recording, long trips)
{
    char *text = NULL;
    size_t length;
    struct diags diags = DIAGS_EMPTY;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "pevpm-recording 1\nranks 2\n");
    print_head(out, 0);
    fprintf(out, "loop %ld 1\n", trips);
    for (int i = 0; i < REQUESTS; i++)
        print_call(out, "MPI_Irecv", 0, i, trips);
    for (int i = 0; i < REQUESTS; i++)
        print_call(out, "MPI_Wait", 1, i, trips);
    fprintf(out, "next\ndone 0\n");
    print_head(out, 1);
    fprintf(out, "loop %ld 1\n", trips);
    for (int i = 0; i < REQUESTS; i++) {
        print_call(out, "MPI_Irecv", 0, i, trips);
        print_call(out, "MPI_Test", 2, i, trips);
    }
    fprintf(out, "next\ndone 1\nend 2\n");
    fclose(out);
    assert_int_equal(recording_read_text(recording, "late.rec", text, length, &diags), STATUS_OK);
    free(text);
    diags_free(&diags);
}

static int count(size_t n, const struct recorded_node nodes[], enum operation op)
{
    int found = 0;
    for (size_t i = 0; i < n; i++)
        found += nodes[i].loop ? count(nodes[i].n_body, nodes[i].body, op) : nodes[i].op == op;
    return found;
}

/* However many there are before the program comes to where it waits. */
static void all_tests_become_waits(void **state)
{
    (void)state;
    struct recording recording;
    make_recording(&recording, 1);
    recordings_put_tests(1, &recording);
    const struct recorded_process *second = &recording.processes[1];
    assert_int_equal(recording.n_tested, 0);
    assert_int_equal(count(second->n, second->nodes, OPERATION_MPI_Test), 0);
    assert_int_equal(count(second->n, second->nodes, OPERATION_MPI_Wait), REQUESTS);
    assert_int_equal(second->nodes[REQUESTS - 1].op, OPERATION_MPI_Irecv);
    recording_free(&recording);
}

/* Where they stay, the program that is made says so. */
static void too_many_calls_are_told(void **state)
{
    (void)state;
    struct recording recording;
    struct template template;
    struct diags diags = DIAGS_EMPTY;
    struct writer_result result = {0};
    char *text = NULL;
    size_t length;
    make_recording(&recording, 2000000);
    recordings_put_tests(1, &recording);
    const struct recorded_process *second = &recording.processes[1];
    assert_int_equal(recording.n_tested, 1);
    assert_int_equal(count(second->n, second->nodes, OPERATION_MPI_Test), REQUESTS);
    assert_int_equal(template_begin(&template, 1, &recording, &diags), STATUS_OK);
    template_make(&template, NULL);
    const char **where = alloc_array((size_t)template.sites.n, sizeof *where);
    for (int i = 0; i < template.sites.n; i++)
        where[i] = "somewhere";
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(writer_write(&template, &(struct writer_request){0}, where, out, &result, &diags), STATUS_OK);
    fclose(out);
    assert_non_null(strstr(text, "# Note: late.rec: in 1 of 2 processes tests"));
    free(text);
    free(where);
    writer_result_free(&result);
    template_free(&template);
    recording_free(&recording);
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_tests_become_waits),
                                       cmocka_unit_test(too_many_calls_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
