#include "results/result.h"

#include "common/alloc.h"
#include "common/tests/said.h"
#include "models/cost.h"

#include <math.h>
#include <unistd.h>

static const struct point_key key = {.operation = SEND_BLOCKING, .pattern = PATTERN_pairs, .nodes = 4, .ppn = 1,
                                     .level = 4, .bytes = 1024};

static void histogram_fill(struct histogram *h, int64_t most)
{
    for (int64_t ns = 20017; ns < most; ns += 1009)
        histogram_add(h, ns, 1 + ns % 3);
    histogram_add(h, 203456789, 1); /* a retransmission */
}

static void result_fill(struct result *result, int64_t bin)
{
    result_init(result);
    result->name = alloc_string("lab");
    result->nodes = 16;
    result->ppn = 1;
    result->bin = bin;
    result->eager_limit = 65480;
    result->transports[TRANSPORT_self] = (struct machine_transport){.has_eager_limit = true, .eager_limit = 968};
    result->transports[TRANSPORT_node] = (struct machine_transport){.has_rendezvous = true, .rendezvous = RENDEZVOUS_get, .has_unread_limit = true,
                                                                             .unread_limit = 256};
    struct point_key to_itself = {.operation = SEND_NONBLOCKING, .pattern = PATTERN_pingpong, .nodes = 1, .ppn = 1,
                                  .level = 1, .bytes = 968};
    for (; to_itself.bytes <= 969; to_itself.bytes++)
        histogram_fill(&result_point(result, &to_itself)->transit, 30000);
    struct point *point = result_point(result, &key);
    histogram_fill(&point->transit, 90000);
    histogram_fill(&point->send_overhead, 40000);
    struct port_point *port = result_port(result, 1024);
    port->gap[PORT_OUT] = 0.889123e-3;
    port->gap[PORT_IN] = 0.890456e-3;
    result_port(result, 4096)->gap[PORT_OUT] = 3.45e-3;
    result->credit = 1.25e-3;
    result->common_gap = 8.812e-6;
    result_rest(result, 400000000)->delay = 78.847e-6;
    result_rest(result, 100000)->delay = 0;
    result_rest(result, 10000000)->wake = 47.25e-6; /* and no delay */
    result_rest(result, 400000000)->wake = 46.5e-6;
    result->measured_after = 3e-3;
    result->has_connect = true;
    result->connect = (struct machine_connect){.message = 483.5e-6, .call = 341e-6, .late = 262e-6, .listen = 9.5e-3};
    result->known = 0.0625;
    result->known_after_rest = 0.375;
    for (int i = 0; i < EXCHANGE_WAITS; i++) {
        static const double waited[EXCHANGE_WAITS] = {340e-6, 292e-6, 340e-6, 5e-3}; /* as chance may have it */
        result->waited[i] = waited[i];
        result->known_after_wait[i] = 0.125 * (i + 1);
    }
    result->has_congestion = true;
    result->congestion = CONGESTION_reno;
    result->held_first = 49110;
    result->held[1] = 100262;
    result->held[2] = 168785;
    result->buffer = 25.5e-3;
    result->ports_per_process = true;
    result_histogram_init(result, &result->overflow);
    histogram_add(&result->overflow, 212345678, 7);
    histogram_fill(&result_collective(result, "MPI_Reduce", 8, 64)->time, 400000);
    histogram_fill(&result_collective(result, "MPI_Bcast", 8, 64)->time, 300000);
    histogram_fill(&result_collective(result, "MPI_Bcast", 8, 64)->root_time, 100000);
    if (bin > 0)
        result_note(result, 0, NOTE_BIN, "%lld", (long long)bin);
    result_note(result, 0, NOTE_REST, "3000000");
    result_heading(result, NOTE_HOSTS);
    result_note(result, 1, "rank 0", "h1, \"quoted\"");
}

static void assert_same_histogram(const struct histogram *a, const struct histogram *b)
{
    assert_int_equal(a->bits, b->bits);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->bins, b->bins, a->n * sizeof *a->bins);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->minimum, b->minimum);
    assert_int_equal(a->maximum, b->maximum);
    assert_true(fabs(a->sum - b->sum) <= (double)a->count); /* the average is written to 1 ns */
}

/* A temporary file with the result in it; the caller frees its name and removes it. */
static char *write_file(const struct result *result)
{
    struct diags diags = DIAGS_EMPTY;
    char *path = alloc_string("/tmp/test_result.XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(result_write(result, path, &diags), STATUS_OK);
    diags_free(&diags);
    return path;
}

/* Behind shorter rests than were measured waking takes as long, where these are no shorter than that. */
static void waking_is_written_down_to_itself(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct result written;
    struct machine *machine;
    result_fill(&written, 1000);
    char *path = write_file(&written);
    assert_int_equal(machine_read(&machine, path, &diags), STATUS_OK);
    size_t seen = 0;
    for (size_t i = 0; i < machine->n_resources; i++) {
        const struct machine_curve *wake = &machine->resources[i].wake;
        seen += wake->n;
        if (wake->n > 0)
            assert_true(wake->bytes[1] == wake->time[1] && wake->time[1] == wake->time[2] && fabs(wake->time[2] - 47.25e-6) < 1e-12 &&
                        fabs(wake->bytes[2] - 10e-3) < 1e-9);
    }
    assert_int_equal(seen, 4);
    machine_destroy(machine);
    unlink(path);
    free(path);
    result_free(&written);
    diags_free(&diags);
}

static void check_round_trip(int64_t bin)
{
    struct diags diags = DIAGS_EMPTY;
    struct result written, read;
    result_fill(&written, bin);
    char *path = write_file(&written);
    assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
    assert_string_equal(read.name, "lab");
    assert_int_equal(read.nodes, 16);
    assert_int_equal(read.eager_limit, 65480);
    assert_int_equal(read.bin, bin);
    assert_true(read.transports[TRANSPORT_self].has_eager_limit && !read.transports[TRANSPORT_node].has_eager_limit);
    assert_int_equal(read.transports[TRANSPORT_self].eager_limit, 968);
    assert_true(read.transports[TRANSPORT_node].has_rendezvous);
    assert_int_equal(read.transports[TRANSPORT_node].rendezvous, RENDEZVOUS_get);
    assert_int_equal(read.transports[TRANSPORT_node].unread_limit, 256);
    assert_int_equal(read.n_points, 2); /* what stands alone above a limit is left out */
    assert_true(read.points[1].key.nodes == 1 && read.points[1].key.ppn == 1 && read.points[1].key.bytes == 968);
    assert_same_histogram(&read.points[1].transit, &written.points[1].transit);
    assert_same_histogram(&read.points[0].transit, &written.points[0].transit);
    assert_same_histogram(&read.points[0].send_overhead, &written.points[0].send_overhead);
    assert_int_equal(read.points[0].receive_overhead.count, 0);
    assert_int_equal(read.n_ports, 2);
    assert_true(fabs(read.ports[0].gap[PORT_IN] - 0.890456e-3) < 1e-12);
    assert_true(isnan(read.ports[1].gap[PORT_IN]) && isnan(read.ports[0].gap[PORT_REVERSE]));
    assert_true(fabs(read.credit - 1.25e-3) < 1e-12 && fabs(read.buffer - 25.5e-3) < 1e-12);
    assert_true(fabs(read.common_gap - 8.812e-6) < 1e-12);
    assert_int_equal(read.n_rests, 3);
    assert_int_equal(read.rests[0].rest, 100000);
    assert_int_equal(read.rests[1].rest, 10000000);
    assert_int_equal(read.rests[2].rest, 400000000);
    assert_true(read.rests[0].delay == 0 && isnan(read.rests[1].delay) &&
                fabs(read.rests[2].delay - 78.847e-6) < 1e-12);
    assert_true(isnan(read.rests[0].wake) && fabs(read.rests[1].wake - 47.25e-6) < 1e-12);
    assert_true(fabs(read.rests[2].wake - 46.5e-6) < 1e-12);
    assert_true(fabs(read.measured_after - 3e-3) < 1e-12);
    assert_true(read.has_connect && fabs(read.connect.message - 483.5e-6) < 1e-12 && read.connect.shared == 0);
    assert_true(fabs(read.connect.call - 341e-6) < 1e-12 && fabs(read.connect.late - 262e-6) < 1e-12);
    assert_true(fabs(read.connect.listen - 9.5e-3) < 1e-12);
    assert_true(read.known == 0.0625 && read.known_after_rest == 0.375);
    assert_true(fabs(read.waited[0] - 292e-6) < 1e-12 && read.known_after_wait[0] == 0.25);
    assert_true(fabs(read.waited[1] - 340e-6) < 1e-12 && read.known_after_wait[1] == 0.25); /* the mean of two */
    assert_true(fabs(read.waited[2] - 5e-3) < 1e-12 && read.known_after_wait[2] == 0.5);
    assert_true(isnan(read.waited[3]) && isnan(read.known_after_wait[3]));
    assert_true(read.held_first == 49110 && isnan(read.held[0]) && read.held[1] == 100262 && read.held[2] == 168785);
    assert_true(read.has_congestion && read.congestion == CONGESTION_reno);
    assert_true(read.ports_per_process);
    assert_same_histogram(&read.overflow, &written.overflow);
    assert_int_equal(read.n_collectives, 2);
    assert_string_equal(read.collectives[0].operation, "MPI_Bcast");
    assert_same_histogram(&read.collectives[0].root_time, &written.collectives[0].root_time);
    assert_same_histogram(&read.collectives[1].time, &written.collectives[1].time);
    assert_string_equal(result_note_find(&read, NOTE_REST, NULL), "3000000");
    assert_string_equal(result_note_find(&read, NOTE_HOSTS, "rank 0"), "h1, \"quoted\"");
    unlink(path);
    free(path);
    result_free(&read);
    result_free(&written);
    diags_free(&diags);
}

static void test_round_trip(void **state)
{
    (void)state;
    check_round_trip(0);
    check_round_trip(5000);
}

/* Nodes of three classes. */
static void fill_classes(struct result *written, int class_of[16])
{
    result_fill(written, 0);
    for (int node = 0; node < 16; node++)
        class_of[node] = node % 3 == 1 ? 0 : node % 3 == 0 ? 1 : 2;
    result_classes(written, 3, class_of);
    for (size_t class = 1; class < 3; class++)
        for (int side = 0; side <= PORT_IN; side++) {
            result_class_port(written, class, 8192)->gap[side] = 6.8705e-3 * (double)class;
            result_class_port(written, class, 1024)->gap[side] = 0.8905e-3 * (double)class + 1e-6 * side;
        }
}

/* The file has every node's ports, and they are the same when it has been read. */
static void test_classes(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct result written, read;
    int class_of[16];
    fill_classes(&written, class_of);
    written.classes[1].credit = 1.28e-3;
    written.classes[2].credit = 2.56e-3;
    char *path = write_file(&written);
    assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
    assert_int_equal(read.n_classes, 3);
    for (int node = 0; node < 16; node++)
        assert_int_equal(read.class_of[node], class_of[node]);
    assert_int_equal(read.n_ports, 2);
    assert_int_equal(read.classes[2].n, 2);
    assert_int_equal(read.classes[2].points[0].bytes, 1024);
    assert_true(fabs(read.classes[2].points[0].gap[PORT_IN] - 1.782e-3) < 1e-12);
    assert_true(fabs(read.classes[1].points[1].gap[PORT_OUT] - 6.8705e-3) < 1e-12);
    assert_true(fabs(read.classes[1].credit - 1.28e-3) < 1e-12 && fabs(read.classes[2].credit - 2.56e-3) < 1e-12);
    unlink(path);
    free(path);
    result_free(&read);
    result_free(&written);
    diags_free(&diags);
}

/* How many resources lie between a process of one node and another one. */
static int path_hops(const struct cost_model *model, enum transport transport, int from_node, int to_node)
{
    struct path_hop hop[PATH_MOST];
    return model->path(model, transport, (struct seat){0, from_node, SEAT_NO_SOCKET}, (struct seat){1, to_node, SEAT_NO_SOCKET},
                       hop);
}

/* Groups of groups behind further trunks: the file has them, predictions pass them, and they are the same when it has been
 * read. A quicker trunk's buffer, of as many bytes, lasts for less time. */
static void test_outer_groups(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct result written, read;
    struct machine *machine;
    struct cost_model *model;
    static const int above[] = {5, 5, 6, -1, 6, 7, 7, -1};
    int group_of[16];
    result_fill(&written, 0);
    for (int node = 0; node < 16; node++)
        group_of[node] = node % 5;
    result_groups(&written, 5, group_of);
    result_outer_groups(&written, 3, above);
    written.trunk_buffer = 17.5e-3;
    for (size_t group = 0; group < 8; group++)
        result_trunk(&written, group, 8192)->gap[PORT_OUT] = group < 5 ? 3.5e-3 : 1.75e-3;
    assert_int_equal(result_group_height(&written, 4), 0);
    assert_int_equal(result_group_height(&written, 6), 1);
    assert_int_equal(result_group_height(&written, 7), 2);
    result_note_outer_groups(&written, NULL);
    assert_string_equal(result_note_find(&written, NOTE_OUTER_GROUPS, NULL),
                        "nodes 0-1,5-6,10-11,15; 2,4,7,9,12,14; 0-2,4-7,9-12,14-15");
    char *path = write_file(&written);
    assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
    assert_int_equal(read.n_groups, 5);
    assert_int_equal(read.n_outer, 3);
    assert_memory_equal(read.group_of, group_of, sizeof group_of);
    assert_memory_equal(read.above, above, sizeof above);
    assert_true(fabs(read.trunks[7].points[0].gap[PORT_OUT] - 1.75e-3) < 1e-12);
    assert_int_equal(machine_read(&machine, path, &diags), STATUS_OK);
    const struct cost_options options = {.model = "measured", .contention = CONTENTION_ports, .ppn = 1};
    assert_int_equal(cost_model_open(&model, machine, &options, &diags), STATUS_OK);
    assert_int_equal(path_hops(model, TRANSPORT_network, 0, 5), 0);
    assert_int_equal(path_hops(model, TRANSPORT_network, 0, 1), 2);
    assert_int_equal(path_hops(model, TRANSPORT_network, 0, 2), 4);
    assert_int_equal(path_hops(model, TRANSPORT_network, 4, 3), 4);
    cost_model_close(model);
    for (size_t i = 0; i < machine->n_resources; i++)
        if (machine->resources[i].scope == RESOURCE_OF_group)
            assert_true(fabs(machine->resources[i].buffer - (machine->resources[i].groups[0] < 5 ? 17.5e-3 : 8.75e-3)) < 1e-12);
    machine_destroy(machine);
    unlink(path);
    free(path);
    result_groups(&read, 2, (const int[]){0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1});
    assert_int_equal(read.n_outer, 0);
    result_free(&read);
    result_free(&written);
    diags_free(&diags);
}

/* Groups behind trunks and a bus that the processes of a node share: the file has them, predictions pass them, and they
 * are the same when it has been read. */
static void test_resources(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct result written, read;
    struct machine *machine;
    struct cost_model *model;
    int group_of[16];
    result_fill(&written, 0);
    written.frame = 1448;
    for (int node = 0; node < 16; node++)
        group_of[node] = node < 6 ? 0 : node < 15 ? 1 : 2;
    result_groups(&written, 3, group_of);
    written.trunk_buffer = 17.5e-3;
    for (size_t group = 0; group < 2; group++) {
        struct port_point *trunk = result_trunk(&written, group, 8192);
        trunk->gap[PORT_OUT] = 3.4105e-3 + 1e-3 * (double)group;
        trunk->gap[PORT_IN] = 3.5e-3;
        trunk->gap[PORT_REVERSE] = 88.5e-6;
        result_trunk(&written, group, 64)->gap[PORT_OUT] = 43e-6;
    }
    result_bus(&written, 8192)->gap[PORT_OUT] = 1.767e-3;
    char *path = write_file(&written);
    assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
    assert_int_equal(read.n_groups, 3);
    assert_memory_equal(read.group_of, group_of, sizeof group_of);
    assert_true(fabs(read.trunk_buffer - 17.5e-3) < 1e-12 && fabs(read.buffer - 25.5e-3) < 1e-12);
    assert_same_histogram(&read.overflow, &written.overflow);
    assert_int_equal(read.trunks[1].n, 2);
    assert_int_equal(read.trunks[2].n, 0);
    assert_true(fabs(read.trunks[1].points[1].gap[PORT_OUT] - 4.4105e-3) < 1e-12);
    assert_true(fabs(read.trunks[0].points[1].gap[PORT_IN] - 3.5e-3) < 1e-12);
    assert_true(fabs(read.trunks[0].points[1].gap[PORT_REVERSE] - 88.5e-6) < 1e-12);
    assert_true(fabs(read.trunks[0].points[0].gap[PORT_OUT] - 43e-6) < 1e-12 &&
                isnan(read.trunks[0].points[0].gap[PORT_IN]));
    assert_int_equal(read.bus.n, 1);
    assert_true(read.bus.points[0].bytes == 8192 && fabs(read.bus.points[0].gap[PORT_OUT] - 1.767e-3) < 1e-12);
    assert_int_equal(read.frame, 1448);
    assert_int_equal(machine_read(&machine, path, &diags), STATUS_OK);
    const struct cost_options options = {.model = "measured", .contention = CONTENTION_ports, .ppn = 1};
    assert_int_equal(cost_model_open(&model, machine, &options, &diags), STATUS_OK);
    assert_int_equal(path_hops(model, TRANSPORT_network, 0, 5), 0);
    assert_int_equal(path_hops(model, TRANSPORT_network, 0, 6), 2);
    assert_int_equal(path_hops(model, TRANSPORT_network, 7, 15), 1);
    assert_int_equal(path_hops(model, TRANSPORT_node, 3, 3), 1);
    cost_model_close(model);
    size_t ends = 0; /* of trunks: both lose what has no room */
    for (size_t i = 0; i < machine->n_resources; i++)
        ends += machine->resources[i].scope == RESOURCE_OF_group && machine->resources[i].has_overflow &&
                fabs(machine->resources[i].buffer - 17.5e-3) < 1e-12;
    assert_int_equal(ends, 4);
    machine_destroy(machine);
    unlink(path);
    free(path);
    result_free(&read);
    result_free(&written);
    diags_free(&diags);
}

static void point_add(struct result *result, int nodes, int ppn, int level)
{
    const struct point_key of = {.operation = SEND_BLOCKING, .pattern = level > 1 ? PATTERN_pairs : PATTERN_pingpong,
                                 .nodes = nodes, .ppn = ppn, .level = level, .bytes = 1024};
    histogram_fill(&result_point(result, &of)->transit, 90000);
}

/* What messages wait for at a port or a bus that is known is not in a transit as well. */
static void test_explained(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    for (int is_shared = 0; is_shared < 2; is_shared++) {
        struct result written, read;
        result_fill(&written, 0);
        written.ppn = 4;
        written.ports_per_process = !is_shared;
        if (is_shared)
            result_bus(&written, 8192)->gap[PORT_OUT] = 1.767e-3;
        point_add(&written, 1, 2, 1);
        point_add(&written, 1, 4, 4);
        point_add(&written, 8, 1, 8);
        point_add(&written, 8, 4, 32);
        char *path = write_file(&written);
        assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
        assert_int_equal(read.n_points, is_shared ? 4 : 6); /* two are of result_fill */
        assert_non_null(result_find(&read, &(struct point_key){SEND_BLOCKING, PATTERN_pairs, 8, 1, 8, 1024, false}));
        assert_true((result_find(&read, &(struct point_key){SEND_BLOCKING, PATTERN_pairs, 8, 4, 32, 1024, false}) == NULL) ==
                    is_shared);
        unlink(path);
        free(path);
        result_free(&read);
        result_free(&written);
    }
    diags_free(&diags);
}

/* The line through 0 and 1 bytes is none for messages of many. */
static void test_ends_early(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct result written, read;
    result_fill(&written, 0);
    struct point_key alone = {SEND_BLOCKING, PATTERN_pingpong, 2, 1, 1, 16384, false},
                     two = {SEND_BLOCKING, PATTERN_pairs, 2, 1, 2, 0, false};
    histogram_fill(&result_point(&written, &alone)->transit, 90000);
    histogram_fill(&result_point(&written, &two)->transit, 90000);
    two.bytes = 1;
    histogram_fill(&result_point(&written, &two)->transit, 90000);
    struct point_key eight = {SEND_BLOCKING, PATTERN_pairs, 8, 1, 8, 4096, false};
    histogram_fill(&result_point(&written, &eight)->transit, 90000);
    char *path = write_file(&written);
    assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
    assert_non_null(result_find(&read, &alone));
    assert_null(result_find(&read, &two));
    assert_null(result_find(&read, &key)); /* 1024 bytes of four nodes */
    assert_non_null(result_find(&read, &eight));
    unlink(path);
    free(path);
    result_free(&read);
    result_free(&written);
    diags_free(&diags);
}

static void sizes_fill(struct result *result, struct point_key of, int64_t most)
{
    for (of.bytes = 64; of.bytes <= most; of.bytes *= 4)
        histogram_fill(&result_point(result, &of)->transit, 1900);
}

/* What ends early is told from messages alone of the same transport, up to the eager limit of that. */
static void test_ends_early_in_sockets(void **state)
{
    (void)state;
    static const struct {
        int64_t limit;         /* within a socket */
        int64_t between, within; /* bytes, of one message alone */
        bool between_kept, within_kept;
    } cases[] = {{65480, 65536, 1024, false, true}, {65480, 1024, 16384, true, false}, {4096, 1024, 16384, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result written, read;
        struct diags diags = DIAGS_EMPTY;
        struct point_key pingpong = {SEND_BLOCKING, PATTERN_pingpong, 1, 2, 1, 0, false},
                         pairs = {SEND_BLOCKING, PATTERN_pairs, 1, 2, 2, 0, false};
        result_fill(&written, 0);
        written.ppn = 4;
        written.sockets = 2;
        written.transports[TRANSPORT_node] = (struct machine_transport){.has_eager_limit = true, .eager_limit = 65536};
        written.transports[TRANSPORT_socket] =
            (struct machine_transport){.has_eager_limit = true, .eager_limit = cases[i].limit};
        sizes_fill(&written, pingpong, cases[i].between);
        sizes_fill(&written, pairs, 1024);
        pingpong.socket = pairs.socket = true;
        sizes_fill(&written, pingpong, cases[i].within);
        sizes_fill(&written, pairs, 1024);
        char *path = write_file(&written);
        assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
        pairs.bytes = 1024;
        assert_int_equal(result_find(&read, &pairs) != NULL, cases[i].within_kept);
        pairs.socket = false;
        assert_int_equal(result_find(&read, &pairs) != NULL, cases[i].between_kept);
        unlink(path);
        free(path);
        result_free(&read);
        result_free(&written);
        diags_free(&diags);
    }
}

/* Of one shape within a socket and between two. */
static void test_sockets(void **state)
{
    (void)state;
    struct result written, read;
    struct diags diags = DIAGS_EMPTY;
    struct point_key within = {SEND_BLOCKING, PATTERN_pingpong, 1, 2, 1, 1024, true}, between = within;
    between.socket = false;
    result_fill(&written, 0);
    written.ppn = 4;
    written.processors = 3;
    written.sockets = 2;
    written.has_socket_map = true;
    written.socket_map = SOCKET_MAP_block;
    written.transports[TRANSPORT_socket] = (struct machine_transport){.has_eager_limit = true, .eager_limit = 4040};
    histogram_fill(&result_point(&written, &within)->transit, 700);
    histogram_fill(&result_point(&written, &between)->transit, 1900);
    assert_int_equal(written.n_points, 5);
    char *path = write_file(&written);
    assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
    assert_int_equal(read.processors, 3);
    assert_int_equal(read.sockets, 2);
    assert_true(read.has_socket_map && read.socket_map == SOCKET_MAP_block);
    assert_int_equal(read.transports[TRANSPORT_socket].eager_limit, 4040);
    assert_same_histogram(&result_find(&read, &within)->transit, &result_find(&written, &within)->transit);
    assert_same_histogram(&result_find(&read, &between)->transit, &result_find(&written, &between)->transit);
    unlink(path);
    free(path);
    result_free(&read);
    result_free(&written);
    diags_free(&diags);
}

/* What chance made fall at the end would let large messages cost nothing, and could not be read. */
static void test_last_slope(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct result written, read;
    result_fill(&written, 0);
    result_port(&written, 4096)->gap[PORT_OUT] = 0.888e-3;
    char *path = write_file(&written);
    assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
    assert_int_equal(diags.n_errors, 0);
    assert_true(fabs(read.ports[1].gap[PORT_OUT] - 0.889123e-3) < 1e-12);
    unlink(path);
    free(path);
    result_free(&read);
    result_free(&written);
    diags_free(&diags);
}

/* Classes of which nothing was measured are not written. */
static void test_classes_unmeasured(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct result written, read;
    const int class_of[16] = {0, 1};
    result_fill(&written, 0);
    result_classes(&written, 2, class_of);
    char *path = write_file(&written);
    assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
    assert_int_equal(read.n_classes, 0);
    unlink(path);
    free(path);
    result_free(&read);
    result_free(&written);
    diags_free(&diags);
}

/* Notes stand under their headings whatever was noted in between, and replace what they repeat. */
static void test_notes(void **state)
{
    (void)state;
    struct result result;
    size_t first, end;
    result_init(&result);
    result_heading(&result, "fan_in");
    result_note(&result, 1, "0 bytes", "a");
    result_note(&result, 0, "elapsed", "1 s");
    result_heading(&result, "fan_out");
    result_note(&result, 1, "0 bytes", "b");
    result_heading(&result, "fan_in");
    result_note(&result, 1, "64 bytes", "c");
    result_note(&result, 1, "0 bytes", "d");
    result_note(&result, 0, "elapsed", "%d s", 2);
    assert_int_equal(result.n_notes, 6);
    assert_string_equal(result.notes[1].value, "d");
    assert_string_equal(result.notes[2].key, "64 bytes");
    assert_string_equal(result.notes[3].value, "2 s");
    result_notes_under(&result, "fan_in", &first, &end);
    assert_int_equal(first, 1);
    assert_int_equal(end, 3);
    result_notes_under(&result, "nothing", &first, &end);
    assert_int_equal(end - first, 0);
    assert_string_equal(result_note_find(&result, "fan_out", "0 bytes"), "b");
    assert_null(result_note_find(&result, "fan_out", "64 bytes"));
    result_free(&result);
}

static void assert_refused(const char *text, enum status expected, const char *message)
{
    struct diags diags = DIAGS_EMPTY;
    struct result result;
    char path[] = "/tmp/test_result.XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    assert_int_equal(result_read(&result, path, &diags), expected);
    assert_tells(&diags, message);
    result_free(&result);
    diags_free(&diags);
    unlink(path);
}

#define HEAD "name: lab\nnodes: 3\nprocesses_per_node: 1\n"

/* A file of format 1: the class that `ports` describes is the first, whatever the order of nodes. */
static void test_format_1(void **state)
{
    (void)state;
    static const char text[] = "pevpm_machine: 1\n" HEAD
        "ports:\n  out_gap: [[0, 10 us], [1024, 1 ms]]\n  in_gap: [[0, 20 us]]\n  credit: 1 ms\n  frame: 1448\n"
        "  common_gap: [[0, 9 us]]\n  rest_delay: [[0, 0], [1 ms, 4 us]]\n  per_node:\n"
        "    - {out_gap: [[0, 30 us]], in_gap: [[0, 40 us]], credit: 2 ms}\n"
        "    - {out_gap: [[0, 10 us], [1024, 1 ms]], in_gap: [[0, 20 us]], credit: 1 ms}\n"
        "    - {out_gap: [[0, 50 us]], in_gap: [[0, 40 us]], credit: 2 ms}\n";
    struct diags diags = DIAGS_EMPTY;
    struct result result;
    char path[] = "/tmp/test_result.XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    assert_int_equal(result_read(&result, path, &diags), STATUS_OK);
    assert_int_equal(result.n_classes, 3);
    assert_memory_equal(result.class_of, ((int[]){1, 0, 2}), 3 * sizeof(int));
    assert_int_equal(result.n_ports, 2);
    assert_true(fabs(result.ports[1].gap[PORT_OUT] - 1e-3) < 1e-12 && fabs(result.credit - 1e-3) < 1e-12);
    assert_true(fabs(result.classes[2].points[0].gap[PORT_OUT] - 50e-6) < 1e-12);
    assert_true(fabs(result.classes[1].points[0].gap[PORT_IN] - 40e-6) < 1e-12);
    assert_true(fabs(result.common_gap - 9e-6) < 1e-12 && result.n_rests == 1);
    unlink(path);
    result_free(&result);
    diags_free(&diags);
}

/* Resources that a person has written, and that would be lost. */
static void test_not_ours(void **state)
{
    (void)state;
#define LINES "pevpm_machine: 2\n" HEAD "topology: {groups: {a: \"0\", b: \"1-2\"}}\nresources:\n"
    assert_refused(LINES "  - {scope: group, of: [a, b], direction: out, demand: [[0, 1]]}\n", STATUS_SCHEMA,
                   "resources[0]: one line for several groups: pevpm-bench writes no such resource");
    assert_refused(LINES "  - {scope: group, of: a, direction: both, demand: [[0, 1]]}\n", STATUS_SCHEMA,
                   "resources[0]: `direction: both`");
    assert_refused(LINES "  - {scope: node, direction: both, transport: node, of: a, demand: [[0, 1]]}\n",
                   STATUS_SCHEMA, "`transport: node` with more than `demand`");
    assert_refused(LINES "  - {scope: node, direction: out, of: b, demand: [[0, 1]]}\n", STATUS_SCHEMA,
                   "node 0 has no out port");
    assert_refused(LINES "  - {scope: node, direction: out, demand: [[0, 1]]}\n", STATUS_SCHEMA, "there is no in port");
    assert_refused("pevpm_machine: 2\n" HEAD "topology: {groups: {a: \"0-1\"}}\n", STATUS_SCHEMA,
                   "node 2 is not in one of several groups");
    assert_refused("pevpm_machine: 2\n" HEAD "topology: {groups: {a: \"0\", b: \"1-2\", c: [a, b], d: [b]}}\n", STATUS_SCHEMA,
                   "`b` is in two groups");
}

static void test_errors(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct result result;
    assert_refused("pevpm_machine: 1\nname: lab\nnodes: 2\nprocesses_per_node: 1\npoint_to_point:\n"
                   "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 3 us}]}\n",
                   STATUS_SCHEMA, "transit is no histogram");
    assert_refused("pevpm_machine: [", STATUS_SYNTAX, "error");
    assert_refused("pevpm_machine: 1\n", STATUS_SCHEMA, "missing key");
    assert_int_equal(result_read(&result, "/nowhere/a.yaml", &diags), STATUS_IO);
    result_free(&result);
    diags_free(&diags);
    diags = (struct diags)DIAGS_EMPTY;
    result_fill(&result, 0);
    assert_int_equal(result_write(&result, "/dev/full", &diags), STATUS_IO);
    assert_int_equal(result_write(&result, "/nowhere/a.yaml", &diags), STATUS_IO);
    result_free(&result);
    diags_free(&diags);
}

/* A note goes alone, the last one under a heading with it; what stands behind stays. */
static void test_note_drop(void **state)
{
    (void)state;
    struct result result;
    result_init(&result);
    result_heading(&result, "less precise");
    result_note(&result, 1, "0 bytes", "a");
    result_note(&result, 1, "64 bytes", "b");
    result_note(&result, 0, "elapsed", "1 s");
    result_note_drop(&result, "less precise", "256 bytes");
    result_note_drop(&result, "precise", "0 bytes");
    assert_int_equal(result.n_notes, 4);
    result_note_drop(&result, "less precise", "0 bytes");
    assert_null(result_note_find(&result, "less precise", "0 bytes"));
    assert_string_equal(result_note_find(&result, "less precise", "64 bytes"), "b");
    result_note_drop(&result, "less precise", "64 bytes");
    assert_int_equal(result.n_notes, 1);
    assert_string_equal(result_note_find(&result, "elapsed", NULL), "1 s");
    result_heading(&result, "less precise");
    result_note(&result, 1, "0 bytes", "c");
    assert_string_equal(result_note_find(&result, "less precise", "0 bytes"), "c");
    result_free(&result);
}

/* What was found at the ports of the last class lasts half as long at the first's; before those ports are known it says
 * nothing. */
static void test_buffer_of_a_class(void **state)
{
    (void)state;
    const double expected[] = {40e-3 * 0.890456 / 1.782, 0};
    for (int known = 1; known >= 0; known--) {
        struct diags diags = DIAGS_EMPTY;
        struct result written, read;
        int class_of[16];
        fill_classes(&written, class_of);
        written.buffer = 40e-3;
        written.buffer_class = 2;
        if (!known)
            written.classes[2].n = 0;
        char *path = write_file(&written);
        assert_int_equal(result_read(&read, path, &diags), STATUS_OK);
        assert_true(fabs(read.buffer - expected[1 - known]) < 1e-9);
        unlink(path);
        free(path);
        result_free(&read);
        result_free(&written);
        diags_free(&diags);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waking_is_written_down_to_itself),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_classes), cmocka_unit_test(test_buffer_of_a_class),
                                       cmocka_unit_test(test_sockets), cmocka_unit_test(test_classes_unmeasured), cmocka_unit_test(test_notes),
                                       cmocka_unit_test(test_outer_groups), cmocka_unit_test(test_resources), cmocka_unit_test(test_explained), cmocka_unit_test(test_ends_early),
                                       cmocka_unit_test(test_ends_early_in_sockets), cmocka_unit_test(test_last_slope),
                                       cmocka_unit_test(test_format_1), cmocka_unit_test(test_not_ours),
                                       cmocka_unit_test(test_errors), cmocka_unit_test(test_note_drop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
