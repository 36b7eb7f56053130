#include "results/merge.h"

#include "common/alloc.h"
#include "common/tests/said.h"

#include <math.h>
#include <unistd.h>

enum { LAUNCHES = 3 };
static const char *const paths[LAUNCHES] = {"a.yaml", "b.yaml", "c.yaml"};
static const struct point_key key = {.operation = SEND_BLOCKING, .pattern = PATTERN_pingpong, .nodes = 2, .ppn = 1,
                                     .level = 1, .bytes = 64};

/* Launches whose medians are 100, 102 and 110 us, and whose gaps differ. */
static void results_make(struct result results[LAUNCHES])
{
    static const int64_t medians[LAUNCHES] = {100000, 102000, 110000};
    static const double gaps[LAUNCHES] = {2e-3, 2.5e-3, 2.1e-3};
    for (int i = 0; i < LAUNCHES; i++) {
        struct result *result = &results[i];
        result_init(result);
        result->name = alloc_string("lab");
        result->nodes = 4;
        result->ppn = 1;
        result->eager_limit = 1024;
        result_histogram_init(result, &result->overflow);
        struct point *point = result_point(result, &key);
        for (int k = -50; k <= 50; k++)
            histogram_add(&point->transit, medians[i] + 10 * k, 1);
        histogram_add(&point->send_overhead, 8000 + i, 3);
        result_port(result, 64)->gap[PORT_OUT] = gaps[i];
        if (i > 0)
            result_port(result, 128)->gap[PORT_IN] = gaps[i];
        result->credit = 1e-3 * (1 + i);
        result->common_gap = 1e-6 * (9 - i);
        result_rest(result, 10000000)->delay = 1e-6 * (4 + i);
        if (i < 2)
            result_rest(result, 10000000)->wake = 1e-6 * (40 + i);
        if (i > 0)
            result_rest(result, 100000)->delay = 1e-6 * i;
        result->measured_after = 1e-3 * (3 - i);
        if (i > 0)
            result->known = result->known_after_rest = result->waited[1] = result->known_after_wait[1] = 0.1 * i;
        result->has_connect = i > 0; /* the first has not looked */
        result->connect = (struct machine_connect){.message = 1e-4 * (4 + i), .listen = 1e-3 * (9 + i)};
        result->ports_per_process = i < 2;
        result->buffer = i < 2 ? 20e-3 + 2e-3 * i : 0;
        if (i < 2)
            histogram_add(&result->overflow, 200000000 + i, 5);
        histogram_add(&result_collective(result, "MPI_Bcast", 4, 8)->time, 300000, 7);
    }
    histogram_add(&result_collective(&results[2], "MPI_Barrier", 4, 0)->time, 100000, 2);
}

static void results_free(struct result results[LAUNCHES])
{
    for (int i = 0; i < LAUNCHES; i++)
        result_free(&results[i]);
}

static void test_merge(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    results_make(results);
    results[1].transports[TRANSPORT_self] = (struct machine_transport){.has_eager_limit = true, .eager_limit = 968};
    results[0].transports[TRANSPORT_node] = (struct machine_transport){.has_eager_limit = true, .eager_limit = 77};
    results[2].transports[TRANSPORT_node] = (struct machine_transport){.has_rendezvous = true, .rendezvous = RENDEZVOUS_get};
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    assert_int_equal(merged.launches, 3);
    assert_int_equal(merged.transports[TRANSPORT_node].eager_limit, 77);
    assert_true(merged.transports[TRANSPORT_node].has_rendezvous);
    assert_int_equal(merged.transports[TRANSPORT_node].rendezvous, RENDEZVOUS_get);
    assert_true(merged.transports[TRANSPORT_self].has_eager_limit &&
                merged.transports[TRANSPORT_node].has_eager_limit);
    assert_int_equal(merged.transports[TRANSPORT_self].eager_limit, 968);
    const struct point *point = result_find(&merged, &key);
    assert_int_equal(point->transit.count, 303);
    assert_int_equal(point->transit.minimum, 99500);
    assert_int_equal(point->transit.maximum, 110500);
    assert_int_equal(point->send_overhead.count, 9);
    assert_true(fabs(point->launch_sd - 0.0519) < 0.002); /* sd of 100, 102, 110 is 5.29; the median is 102 */
    assert_true(merged.ports[0].gap[PORT_OUT] == 2.1e-3);
    assert_true(fabs(merged.ports[0].ci95[PORT_OUT] - 4.3027 * 0.26458e-3 / sqrt(3)) < 1e-7);
    assert_true(isnan(merged.ports[0].gap[PORT_IN]));
    assert_true(fabs(merged.ports[1].gap[PORT_IN] - 2.3e-3) < 1e-12); /* of the two launches that have it */
    assert_true(merged.credit == 2e-3 && merged.credit_ci95 > 2e-3);
    assert_true(merged.common_gap == 8e-6 && merged.common_ci95 > 2e-6);
    assert_int_equal(merged.n_rests, 2);
    assert_int_equal(merged.rests[0].rest, 100000);
    assert_true(fabs(merged.rests[0].delay - 1.5e-6) < 1e-12); /* of the two launches that have it */
    assert_true(fabs(merged.rests[1].delay - 5e-6) < 1e-12 && merged.rests[1].ci95 > 2e-6);
    assert_true(isnan(merged.rests[0].wake) && fabs(merged.rests[1].wake - 40.5e-6) < 1e-12);
    assert_true(merged.measured_after == 2e-3);
    assert_true(fabs(merged.known - 0.15) < 1e-12 && merged.known_after_rest == merged.known); /* the mean */
    assert_true(merged.waited[1] == merged.known && merged.known_after_wait[1] == merged.known && isnan(merged.known_after_wait[0]));
    assert_true(merged.has_connect && fabs(merged.connect.message - 5.5e-4) < 1e-12);
    assert_true(fabs(merged.connect.listen - 10.5e-3) < 1e-12 && merged.connect.late == 0);
    assert_true(fabs(merged.buffer - 21e-3) < 1e-12);
    assert_int_equal(merged.overflow.count, 10);
    assert_true(merged.ports_per_process);
    assert_int_equal(result_collective_find(&merged, "MPI_Bcast", 4, 8)->time.count, 21);
    assert_int_equal(result_collective_find(&merged, "MPI_Barrier", 4, 0)->time.count, 2);
    assert_non_null(result_note_find(&merged, "merged", "b.yaml"));
    result_free(&merged);
    results_free(results);
    diags_free(&diags);
}

/* Gaps of messages two of which overflow the buffer are made by losses, and so are those of a launch that saw another
 * buffer. */
static void test_losses(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    results_make(results);
    results[1].buffer = 60e-3;
    results[2].buffer = 20e-3;
    const int64_t of_two = results[0].overflow.count + results[2].overflow.count;
    for (int i = 0; i < LAUNCHES; i++)
        result_port(&results[i], 65480)->gap[PORT_IN] = 50e-3 + 1e-3 * i;
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    assert_true(merged.buffer == 20e-3);
    assert_true(merged.overflow.count == of_two);
    assert_true(isnan(result_port(&merged, 65480)->gap[PORT_IN]));
    assert_true(!isnan(merged.ports[1].gap[PORT_IN]));
    result_free(&merged);
    results_free(results);
    diags_free(&diags);
}

/* A line of the machine file. */
static void assert_written(const struct result *result, const char *line)
{
    struct diags diags = DIAGS_EMPTY;
    char path[] = "/tmp/test_merge.XXXXXX", text[4096];
    bool found = false;
    close(mkstemp(path));
    assert_int_equal(result_write(result, path, &diags), STATUS_OK);
    FILE *file = fopen(path, "r");
    while (file && fgets(text, sizeof text, file))
        found = found || strstr(text, line);
    fclose(file);
    unlink(path);
    if (!found)
        fail_msg("the file has no line `%s`", line);
    diags_free(&diags);
}

/* What TCP repeats needlessly only adds to a reverse gap. */
static void test_reverse_gaps(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    results_make(results);
    const double gaps[LAUNCHES] = {246e-6, 84e-6, 304e-6};
    for (int i = 0; i < LAUNCHES; i++)
        result_port(&results[i], 4096)->gap[PORT_REVERSE] = gaps[i];
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    assert_true(result_port(&merged, 4096)->gap[PORT_REVERSE] == 84e-6);
    assert_true(isnan(result_port(&merged, 4096)->ci95[PORT_REVERSE])); /* the median's is not the least one's */
    assert_written(&merged, "acknowledgements: [[4096, 84 us]]");
    result_free(&merged);
    results_free(results);
    diags_free(&diags);
}

/* A buffer that one launch of three saw overflow is none, and ports are the processes' where most saw that. */
static void test_rare_overflow(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    results_make(results);
    results[1].ports_per_process = false;
    results[1].buffer = 0;
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    assert_false(merged.ports_per_process);
    assert_true(merged.buffer == 0);
    result_free(&merged);
    results_free(results);
    diags_free(&diags);
}

static void assert_refused(struct result results[LAUNCHES], const char *message)
{
    struct result merged;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_SCHEMA);
    assert_int_equal(diags.n_errors, 1);
    assert_tells(&diags, message);
    result_free(&merged);
    results_free(results);
    diags_free(&diags);
}

/* A file that is named twice, or of which another one holds a part: of one launch nobody learns how launches differ. */
static void test_same_launch(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    results_make(results);
    struct point *copy = result_find(&results[2], &key), *point = result_find(&results[1], &key);
    histogram_free(&copy->transit);
    result_histogram_init(&results[2], &copy->transit);
    histogram_merge(&copy->transit, &point->transit);
    results[0].launches = 5;
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK); /* the overheads differ */
    assert_tells(&diags, "a.yaml: warning: holds 5 launches, which count as one here, so launches seem to differ less "
                         "than they do: merge all launches at once");
    result_free(&merged);
    histogram_free(&copy->send_overhead);
    result_histogram_init(&results[2], &copy->send_overhead);
    histogram_merge(&copy->send_overhead, &point->send_overhead);
    assert_refused(results, "c.yaml: error: holds the same samples as b.yaml: they are of one launch, so leave out one of "
                            "the two");
    results_make(results);
    histogram_add(&result_collective(&results[0], "MPI_Bcast", 4, 64)->time, 300000, 40);
    histogram_add(&result_collective(&results[1], "MPI_Bcast", 4, 64)->time, 300000, 40);
    assert_refused(results, "b.yaml: error: holds the same samples as a.yaml");
    diags_free(&diags);
}

static void within_node_add(struct result *result, const char *how)
{
    const struct point_key within = {.operation = SEND_BLOCKING, .pattern = PATTERN_pingpong, .nodes = 1, .ppn = 2,
                                     .level = 1, .bytes = 64};
    histogram_add(&result_point(result, &within)->transit, 700, 3);
    if (how)
        result_note(result, 0, NOTE_WITHIN_NODE, "%s", how);
}

/* A launch that has no messages within a node goes with any; those of files that do not say how came after a pause. */
static void test_within_node(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    results_make(results);
    assert_null(result_within_node(&results[0]));
    within_node_add(&results[1], WITHIN_NODE_CHAINED);
    within_node_add(&results[2], WITHIN_NODE_CHAINED);
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    assert_string_equal(result_within_node(&merged), WITHIN_NODE_CHAINED);
    result_free(&merged);
    within_node_add(&results[0], NULL);
    assert_string_equal(result_within_node(&results[0]), WITHIN_NODE_COLD);
    result_note(&results[2], 0, NOTE_WITHIN_NODE, WITHIN_NODE_COLD);
    assert_refused(results, "b.yaml: error: messages within a node were measured one right behind another, but after a "
                            "pause in a.yaml: leave out one, or measure both again");
    results_make(results);
    within_node_add(&results[0], "in the midst of communication"); /* as an older bench has it */
    within_node_add(&results[1], WITHIN_NODE_CHAINED);
    assert_refused(results, "b.yaml: error: messages within a node were measured one right behind another, but in the "
                            "midst of communication in a.yaml: leave out one, or measure both again");
    results_free(results);
    diags_free(&diags);
}

/* Of nodes that differ the ports are merged class by class, and what passes them is as the first launch saw it. */
static void test_classes(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    const double gaps[] = {1.78e-3, 1.79e-3, 1.91e-3}, credits[] = {2.5e-3, 2.56e-3, 2.6e-3};
    results_make(results);
    for (int i = 0; i < LAUNCHES; i++) {
        result_classes(&results[i], 2, (const int[]){0, 1, 0, 1});
        result_class_port(&results[i], 1, 1024)->gap[PORT_OUT] = gaps[i];
        results[i].classes[1].credit = credits[i];
        result_heading(&results[i], NOTE_RATES);
        result_note(&results[i], 1, "node 1", "launch %d", i);
    }
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    assert_int_equal(merged.n_classes, 2);
    assert_int_equal(merged.class_of[3], 1);
    assert_true(fabs(merged.classes[1].points[0].gap[PORT_OUT] - 1.79e-3) < 1e-12);
    assert_true(fabs(merged.classes[1].credit - 2.56e-3) < 1e-12 && merged.classes[1].credit_ci95 > 0);
    assert_string_equal(result_note_find(&merged, NOTE_RATES, "node 1"), "launch 0");
    result_free(&merged);
    results_free(results);
    diags_free(&diags);
}

/* What trunks and buses are kept busy for: the median of those launches that measured it, with its interval. */
static void test_resources(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    const double gaps[] = {3.41e-3, 3.49e-3, 3.42e-3};
    results_make(results);
    for (int i = 0; i < LAUNCHES; i++) {
        result_groups(&results[i], 2, (const int[]){0, 0, 1, 1});
        result_trunk(&results[i], 1, 8192)->gap[PORT_OUT] = gaps[i];
        result_trunk(&results[i], 1, 8192)->gap[PORT_REVERSE] = gaps[i] / 10;
        results[i].trunk_buffer = i > 0 ? 17e-3 + 1e-3 * i : 0;
        if (i > 0)
            result_bus(&results[i], 64)->gap[PORT_OUT] = gaps[i] / 2;
    }
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    assert_int_equal(merged.n_groups, 2);
    assert_int_equal(merged.group_of[2], 1);
    assert_int_equal(merged.trunks[0].n, 0);
    assert_true(fabs(merged.trunk_buffer - 18.5e-3) < 1e-12);
    const struct port_point *trunk = &merged.trunks[1].points[0];
    assert_true(trunk->gap[PORT_OUT] == 3.42e-3);
    assert_true(fabs(trunk->ci95[PORT_OUT] - 4.3027 * 43.589e-6 / sqrt(3)) < 1e-7);
    assert_true(trunk->gap[PORT_REVERSE] == 0.341e-3 && isnan(trunk->ci95[PORT_REVERSE]) && isnan(trunk->gap[PORT_IN]));
    assert_true(fabs(merged.bus.points[0].gap[PORT_OUT] - 1.7275e-3) < 1e-12); /* of the two that have it */
    result_free(&merged);
    free(results[2].bus.points);
    results[2].bus = (struct class_ports){0};
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    assert_int_equal(merged.bus.n, 0);
    result_free(&merged);
    results_free(results);
    diags_free(&diags);
}

/* The same of groups of groups. */
static void test_outer_groups(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    const double gaps[] = {1.71e-3, 1.69e-3, 1.78e-3};
    results_make(results);
    for (int i = 0; i < LAUNCHES; i++) {
        result_groups(&results[i], 4, (const int[]){0, 1, 2, 3});
        result_outer_groups(&results[i], 1, (const int[]){-1, 4, 4, -1, -1});
        result_trunk(&results[i], 4, 8192)->gap[PORT_OUT] = gaps[i];
    }
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    assert_int_equal(merged.n_outer, 1);
    assert_int_equal(merged.above[2], 4);
    assert_true(merged.trunks[4].points[0].gap[PORT_OUT] == 1.71e-3);
    result_free(&merged);
    results_free(results);
    results_make(results);
    for (int i = 0; i < LAUNCHES; i++) {
        result_groups(&results[i], 4, (const int[]){0, 1, 2, 3});
        result_outer_groups(&results[i], 1, i < 2 ? (const int[]){-1, 4, 4, -1, -1} : (const int[]){4, 4, -1, -1, -1});
    }
    assert_refused(results, "share a trunk are 0, 1, 2, 3 and groups of these, 0-1, but 0, 1, 2, 3 and groups of these, 1-2 in a.yaml");
    diags_free(&diags);
}

/* What other sizes did not explain in a launch is said of that launch. */
static void test_apart(void **state)
{
    (void)state;
    struct result results[LAUNCHES], merged;
    struct diags diags = DIAGS_EMPTY;
    size_t first, end;
    results_make(results);
    for (int i = 1; i < LAUNCHES; i++) {
        result_heading(&results[i], NOTE_APART);
        result_note(&results[i], 1, "fan_in, 16384 bytes", "%d.4 %% less than its neighbours say", i);
    }
    result_note(&results[2], 1, "fan_out, class 1, 4096 bytes", "5.0 %% more than its neighbours say");
    assert_int_equal(merge_results(LAUNCHES, results, paths, &merged, &diags), STATUS_OK);
    result_notes_under(&merged, NOTE_APART, &first, &end);
    assert_int_equal(end - first, 3);
    assert_string_equal(result_note_find(&merged, NOTE_APART, "b.yaml, fan_in, 16384 bytes"), "1.4 % less than its neighbours say");
    assert_string_equal(result_note_find(&merged, NOTE_APART, "c.yaml, fan_in, 16384 bytes"), "2.4 % less than its neighbours say");
    assert_string_equal(result_note_find(&merged, NOTE_APART, "c.yaml, fan_out, class 1, 4096 bytes"), "5.0 % more than its neighbours say");
    result_free(&merged);
    results_free(results);
    diags_free(&diags);
}

static void test_refused(void **state)
{
    (void)state;
    struct result results[LAUNCHES];
    results_make(results);
    results[1].nodes = 8;
    assert_refused(results, "8 x 1 processes, but 4 x 1 in a.yaml");
    results_make(results);
    results[2].eager_limit = 4096;
    assert_refused(results, "the eager limit is not that of a.yaml");
    results_make(results);
    results[0].processors = 4;
    results[1].processors = 2;
    assert_refused(results, "b.yaml: error: processes of a node do not share as many processors as in a.yaml (processors_per_node)");
    results_make(results);
    results[1].sockets = 2;
    assert_refused(results, "2 sockets per node, but 1 in a.yaml");
    results_make(results);
    for (int i = 0; i < LAUNCHES; i++) {
        results[i].sockets = 2;
        results[i].has_socket_map = i != 2;
    }
    assert_refused(results, "c.yaml: error: processes lie otherwise on the sockets of a node than in a.yaml");
    results_make(results);
    results[1].transports[TRANSPORT_self] = (struct machine_transport){.has_eager_limit = true, .eager_limit = 968};
    results[2].transports[TRANSPORT_self] = (struct machine_transport){.has_eager_limit = true, .eager_limit = 1024};
    assert_refused(results, "the eager limit of `transports: self` is not that of the files before");
    results_make(results);
    results[0].transports[TRANSPORT_node] = (struct machine_transport){.has_rendezvous = true, .rendezvous = RENDEZVOUS_permit};
    results[2].transports[TRANSPORT_node] = (struct machine_transport){.has_rendezvous = true, .rendezvous = RENDEZVOUS_get};
    assert_refused(results, "the rendezvous of `transports: node` is not that of the files before");
    results_make(results);
    results[0].transports[TRANSPORT_node] = (struct machine_transport){.has_unread_limit = true, .unread_limit = 256};
    results[2].transports[TRANSPORT_node] = (struct machine_transport){.has_unread_limit = true, .unread_limit = 248};
    assert_refused(results, "the unread limit of `transports: node` is not that of the files before");
    results_make(results);
    result_classes(&results[1], 2, (const int[]){0, 1, 0, 1});
    assert_refused(results, "other nodes differ from one another than in a.yaml");
    results_make(results);
    for (int i = 0; i < LAUNCHES; i++)
        result_groups(&results[i], 2, i < 2 ? (const int[]){0, 0, 1, 1} : (const int[]){0, 1, 1, 1});
    assert_refused(results, "the groups of nodes that share a trunk are 0, 1-3, but 0-1, 2-3 in a.yaml");
    results_make(results);
    result_groups(&results[0], 2, (const int[]){0, 0, 1, 1});
    result_groups(&results[1], 2, (const int[]){0, 0, 1, 1});
    assert_refused(results, "c.yaml: error: the groups of nodes that share a trunk are none, but 0-1, 2-3 in a.yaml");
    results_make(results);
    results[2].bin = 1000;
    assert_refused(results, "bins of another width");
}

static void test_ci95(void **state)
{
    (void)state;
    assert_true(fabs(merge_ci95(2, (const double[]){1, 3}) - 12.7062) < 1e-3);
    assert_true(fabs(merge_ci95(4, (const double[]){1, 3, 1, 3}) - 3.18245 * 1.154701 / 2) < 1e-3);
}

/* Files; the spread is written where fitted numbers have it, and read again. */
static void test_files(void **state)
{
    (void)state;
    struct result results[LAUNCHES], read;
    struct diags diags = DIAGS_EMPTY;
    char names[LAUNCHES + 1][32];
    const char *list[LAUNCHES];
    results_make(results);
    for (int i = 0; i <= LAUNCHES; i++) {
        strcpy(names[i], "/tmp/test_merge.XXXXXX");
        close(mkstemp(names[i]));
    }
    for (int i = 0; i < LAUNCHES; i++) {
        list[i] = names[i];
        assert_int_equal(result_write(&results[i], names[i], &diags), STATUS_OK);
    }
    assert_int_equal(merge_files(LAUNCHES, list, names[LAUNCHES], &diags), STATUS_OK);
    assert_int_equal(result_read(&read, names[LAUNCHES], &diags), STATUS_OK);
    assert_int_equal(read.launches, 3);
    assert_int_equal(result_find(&read, &key)->transit.count, 303);
    assert_true(result_find(&read, &key)->launch_sd > 0.04);
    result_free(&read);
    FILE *file = fopen(names[LAUNCHES], "r");
    char text[4096], *found = NULL;
    while (file && fgets(text, sizeof text, file))
        found = found ? found : strstr(text, "experiments: 3");
    assert_non_null(found);
    fclose(file);
    list[1] = "/nowhere/a.yaml";
    assert_int_equal(merge_files(LAUNCHES, list, names[LAUNCHES], &diags), STATUS_IO);
    for (int i = 0; i <= LAUNCHES; i++)
        unlink(names[i]);
    results_free(results);
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_merge),        cmocka_unit_test(test_losses),
                                       cmocka_unit_test(test_reverse_gaps), cmocka_unit_test(test_rare_overflow),
                                       cmocka_unit_test(test_resources), cmocka_unit_test(test_outer_groups),    cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_within_node),  cmocka_unit_test(test_classes),
                                       cmocka_unit_test(test_same_launch), cmocka_unit_test(test_ci95),         cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
