/* What is planned for a job, and how that grows with its nodes. `test_campaign_plan table` prints it. */
#include "bench/apart.h"
#include "bench/find.h"
#include "bench/campaign/plan.h"
#include "bench/kind.h"
#include "bench/places.h"

#include "common/alloc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A cluster of nodes with ports of 10 Mbit/s, groups of eight behind trunks where there are any. */
struct fake {
    struct job job;
    struct crew crew;
    struct bench_options options;
    struct result result;
    struct node_class classes[3];
    struct campaign c;
};

static void fake_init(struct fake *f, int nodes, bool grouped)
{
    struct diags diags = DIAGS_EMPTY;
    char *words[] = {"pevpm-bench", "-o", "none.yaml", NULL};
    memset(f, 0, sizeof *f);
    assert_int_equal(bench_options_parse(&f->options, 3, words, &diags), STATUS_OK);
    result_init(&f->result);
    f->job.nodes = f->result.nodes = nodes;
    f->job.ppn = f->result.ppn = 1;
    f->crew.job = &f->job;
    f->result.eager_limit = 65480;
    f->result.frame = 1448;
    f->classes[0] = (struct node_class){.n = nodes, .slower = 1};
    f->c = (struct campaign){.crew = &f->crew, .options = &f->options, .result = &f->result, .n_classes = 1,
                             .classes = f->classes, .rest_found = 3000000, .rest = 3000000, .nodes = nodes,
                             .class_of = alloc_zeroed((size_t)nodes, sizeof(int)),
                             .group_of = alloc_zeroed((size_t)nodes, sizeof(int)), .n_groups = 1};
    f->c.n_groups = grouped ? (size_t)nodes / 8 : 1;
    for (int node = 0; node < nodes && grouped; node++)
        f->c.group_of[node] = node / 8;
    const int64_t sizes[] = {0, 1, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768, 65480, 65481, 131072};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct size_info *size = campaign_size_add(&f->c, sizes[i]);
        size->one_way = 100e-6 + (double)sizes[i] * 0.84e-6;
        size->copies = sizes[i] >= 2048;
    }
}

static void fake_free(struct fake *f)
{
    free(f->c.sizes);
    free(f->c.tasks);
    free(f->c.class_of);
    free(f->c.group_of);
    free(f->classes[0].gaps);
    result_free(&f->result);
    bench_options_free(&f->options);
}

/* A cluster that was calibrated, and what its bench had found before it planned. */
struct calibrated {
    const char *name;
    int nodes, ppn, groups;
    int class_n[3];          /* nodes of each class, the quickest first */
    double slower[3];
    double rest, per_byte;   /* s; of the quickest class */
    int64_t copies_from;     /* bytes from which on pairs were seen not to disturb one another */
    double common_gap;
    double left;             /* s of a budget of 190 s, of which judging takes 28.5, after finding */
};
static const struct calibrated clusters[] = {
    {"flat16", 16, 1, 1, {16}, {1}, 3e-3, 0.83e-6, 8192, 10e-6, 125},
    {"mixed8", 8, 1, 1, {3, 3, 2}, {1, 2, 4}, 3e-3, 0.419e-6, INT64_MAX, 12.3e-6, 125},
    {"nxp4x2", 4, 2, 1, {4}, {1}, 3e-3, 0.838e-6, 8192, 16.3e-6, 125},
    {"nxp4x4", 4, 4, 1, {4}, {1}, 3e-3, 0.838e-6, 8192, 16.3e-6, 125},
    {"tree12", 12, 1, 3, {12}, {1}, 3e-3, 0.838e-6, 8192, 19.3e-6, 125},
};

static void calibrated_init(struct fake *f, const struct calibrated *cluster)
{
    const int nodes = cluster->nodes;
    fake_init(f, nodes, false);
    f->job.ppn = f->result.ppn = cluster->ppn;
    f->c.rest_found = f->c.rest = (int64_t)(cluster->rest * 1e9);
    f->result.common_gap = cluster->common_gap;
    f->c.n_classes = 0;
    f->c.classes = f->classes;
    for (int first = 0; first < nodes; f->c.n_classes++) {
        const size_t k = f->c.n_classes;
        f->classes[k] = (struct node_class){.first = first, .n = cluster->class_n[k], .slower = cluster->slower[k]};
        for (int i = 0; i < cluster->class_n[k]; i++)
            f->c.class_of[first++] = (int)k;
    }
    f->c.n_groups = (size_t)cluster->groups;
    for (int node = 0; node < nodes; node++)
        f->c.group_of[node] = node / (nodes / cluster->groups);
    for (size_t i = 0; i < f->c.n_sizes; i++) {
        struct size_info *size = &f->c.sizes[i];
        size->one_way = 100e-6 + fmax(0, (double)size->bytes - 1400) * cluster->per_byte;
        size->copies = size->bytes >= cluster->copies_from;
    }
    campaign_class(&f->c, 0);
}

static void calibrated_print(const struct calibrated *cluster)
{
    struct fake f;
    calibrated_init(&f, cluster);
    campaign_plan(&f.c);
    printf("%-8s %6zu points %6.1f s of %.0f\n", cluster->name, f.c.n_tasks, plan_cost(f.c.n_tasks, f.c.tasks),
           cluster->left);
    for (enum task_kind kind = 0; kind < N_TASKS; kind++) {
        double cost = 0;
        int n = 0;
        for (size_t i = 0; i < f.c.n_tasks; i++)
            if (f.c.tasks[i].kind == kind && !task_is_explained(&f.c, &f.c.tasks[i]))
                cost += f.c.tasks[i].cost, n++;
        if (n > 0)
            printf("    %-34s %4d %6.1f s\n", task_text(kind), n, cost);
    }
    fake_free(&f);
}

/* The cost of all that is planned, s; points: how many. */
static double planned(int nodes, bool grouped, size_t *points)
{
    struct fake f;
    fake_init(&f, nodes, grouped);
    campaign_plan(&f.c);
    const double cost = plan_cost(f.c.n_tasks, f.c.tasks);
    *points = f.c.n_tasks;
    fake_free(&f);
    return cost;
}

static void cost_does_not_grow_with_nodes(void **state)
{
    (void)state;
    for (int grouped = 0; grouped < 2; grouped++) {
        size_t points;
        const double few = planned(16, grouped, &points), some = planned(64, grouped, &points);
        const double many = planned(1024, grouped, &points);
        assert_true(few > 20 && few < 400);
        assert_true(some < 1.2 * few); /* sixteen times the nodes are at most four more levels, of ever fewer
                                        * repetitions */
        assert_true(many < 1.5 * some);
    }
}

/* With half of the time that all takes what trunks and ports lose is still measured, and levels are not. */
static void buffers_come_before_levels(void **state)
{
    (void)state;
    struct fake f;
    size_t left = 0, levels = 0;
    fake_init(&f, 64, true);
    campaign_plan(&f.c);
    plan_next(f.c.n_tasks, f.c.tasks, plan_cost(f.c.n_tasks, f.c.tasks) / 2);
    for (size_t i = 0; i < f.c.n_tasks; i++) {
        const struct task *task = &f.c.tasks[i];
        left += !task->dropped && (task->kind == TASK_overflow || task->kind == TASK_trunk_overflow);
        levels += !task->dropped && task->kind == TASK_pairs;
    }
    assert_int_equal(left, 2);
    assert_true(levels < 30);
    fake_free(&f);
}

/* Rates and trunks are left when there is hardly time for anything: without them a file is wrong in kind. */
static void trunks_and_rates_stay(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f, 16, true);
    campaign_plan(&f.c);
    plan_next(f.c.n_tasks, f.c.tasks, 20);
    for (size_t i = 0; i < f.c.n_tasks; i++)
        if (f.c.tasks[i].kind == TASK_trunks || f.c.tasks[i].kind == TASK_rates)
            assert_false(f.c.tasks[i].dropped);
    assert_true(plan_cost(f.c.n_tasks, f.c.tasks) <= 20);
    fake_free(&f);
}

/* An odd node out takes a second pass, and few messages of a slow port take longer than a stream should. */
static void rates_cost_what_they_take(void **state)
{
    (void)state;
    struct fake f;
    double cost[3];
    const int nodes[3] = {16, 15, 16};
    for (int i = 0; i < 3; i++) {
        fake_init(&f, nodes[i], false);
        for (size_t k = 0; k < f.c.n_sizes && i == 2; k++)
            f.c.sizes[k].one_way *= 10;
        const struct task task = {.kind = TASK_rates, .nodes = 2, .ppn = 1, .bytes = 8192};
        cost[i] = task_cost(&f.c, &task);
        fake_free(&f);
    }
    assert_true(fabs(cost[1] - 2 * cost[0]) < 1e-9);
    assert_true(cost[2] > 8 * 8 * 0.069); /* eight streams of at least 8 messages of 69 ms */
}

/* Trunks of groups of groups take a pass for each level. */
static void further_trunks_cost_more(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f, 64, true);
    result_groups(&f.result, f.c.n_groups, f.c.group_of);
    const struct task task = {.kind = TASK_trunks, .nodes = 64, .ppn = 1, .bytes = 8192};
    const double one = task_cost(&f.c, &task);
    result_outer_groups(&f.result, 5, (const int[]){8, 8, 9, 9, 10, 10, 11, 11, 12, 12, -1, -1, -1});
    assert_true(fabs(task_cost(&f.c, &task) - 3 * one) < 1e-9);
    fake_free(&f);
}

/* Every point of clusters of which a third could not be measured: once, in the time that is left of the usual
 * budget. */
static void clusters_fit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
        struct fake f;
        calibrated_init(&f, &clusters[i]);
        campaign_plan(&f.c);
        assert_true(plan_cost(f.c.n_tasks, f.c.tasks) <= clusters[i].left);
        fake_free(&f);
    }
}

/* Acknowledgements are a few percent of a burst around a ring, and connections that have lost packets are slower by
 * more. */
static void acknowledgements_come_before_losses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++) {
        struct fake f;
        calibrated_init(&f, &clusters[i]);
        campaign_plan(&f.c);
        size_t n = 0, first_lost = f.c.n_tasks;
        for (size_t k = f.c.n_tasks; k-- > 0;)
            if (f.c.tasks[k].kind == TASK_overflow || f.c.tasks[k].kind == TASK_trunk_overflow ||
                f.c.tasks[k].kind == TASK_ports)
                first_lost = k;
        for (size_t k = 0; k < f.c.n_tasks; k++)
            if (f.c.tasks[k].kind == TASK_reverse) {
                assert_true(k < first_lost);
                n++;
            }
        assert_true(n >= 6);
        fake_free(&f);
    }
}

/* The second time brings the samples that the first has left, and as many again where only the median is not known. */
static void again_brings_the_rest(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f, 2, false);
    struct task task = {.kind = TASK_pingpong, .nodes = 2, .ppn = 1, .bytes = 16384};
    const double first = task_cost(&f.c, &task);
    task.again = true;
    const double all = task_cost(&f.c, &task);
    task.samples = 60;
    const double rest = task_cost(&f.c, &task);
    task.samples = 299;
    assert_true(3 * first < all && rest < all - 55 * 13.8e-3);
    assert_true(fabs(task_cost(&f.c, &task) - all) < 1e-9);
    fake_free(&f);
}

/* Two quick nodes, four of half their rate, three of a fifth: no three of the quickest meet, so the next are asked. */
static void what_takes_three_is_asked_of_a_class_that_has_them(void **state)
{
    (void)state;
    static const struct {
        int n[3];
        int class; /* -1: no class has three */
    } cases[] = {{{2, 4, 3}, 1}, {{4, 2, 3}, 0}, {{2, 2, 5}, 2}, {{2, 2, 2}, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        const int *n = cases[i].n;
        int found = 0;
        fake_init(&f, n[0] + n[1] + n[2], false);
        f.c.n_classes = 3;
        for (int k = 0, first = 0; k < 3; first += n[k++]) {
            f.classes[k] = (struct node_class){.first = first, .n = n[k], .slower = 1 + 2 * k};
            for (int node = first; node < first + n[k]; node++)
                f.c.class_of[node] = k;
        }
        campaign_class(&f.c, 0);
        campaign_plan(&f.c);
        for (size_t k = 0; k < f.c.n_tasks; k++)
            if (f.c.tasks[k].kind == TASK_overflow) {
                assert_int_equal((int)f.c.tasks[k].class, cases[i].class);
                found++;
            }
        assert_int_equal(found, cases[i].class < 0 ? 0 : 1);
        fake_free(&f);
    }
}

/* How many tasks of a kind there are for groups of so many processes of a node, in a socket or not. */
static int local_tasks(const struct fake *f, enum task_kind kind, int ppn, bool socket)
{
    int n = 0;
    for (size_t i = 0; i < f->c.n_tasks; i++) {
        const struct task *task = &f->c.tasks[i];
        n += task->kind == kind && task->nodes == 1 && task->ppn == ppn && task->socket == socket && task->bytes == 64;
    }
    return n;
}

/* Of eight processes a node, six on one of two sockets: within it are groups of 2, 4 and 6, between both of 2 and 4; those on one
 * socket alone make no other; and where sockets are not told apart nobody asks. */
static void within_nodes_pairs_are_of_one_kind(void **state)
{
    (void)state;
    enum { NODES = 4, PPN = 8 };
    static const struct {
        const char *name;
        int sockets, socket[PPN];
        int within[PPN + 1], between[PPN + 1]; /* pairs of so many processes */
    } cases[] = {
        {"not told apart", 0, {0}, {0}, {[2] = 1, [4] = 1, [8] = 1}},
        {"two unequal", 2, {0, 0, 0, 1, 1, 0, 0, 0}, {[2] = 1, [4] = 1, [6] = 1}, {[2] = 1, [4] = 1}},
        {"one", 2, {1, 1, 1, 1, 1, 1, 1, 1}, {[2] = 1, [4] = 1, [8] = 1}, {0}},
        {"one each", 8, {0, 1, 2, 3, 4, 5, 6, 7}, {0}, {[2] = 1, [4] = 1, [8] = 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        int socket[NODES * PPN];
        fake_init(&f, NODES, false);
        f.job.ppn = f.result.ppn = PPN;
        f.job.sockets = cases[i].sockets;
        f.job.socket_of = socket;
        for (int place = 0; place < NODES * PPN; place++)
            socket[place] = cases[i].socket[place % PPN];
        campaign_plan(&f.c);
        for (int ppn = 2; ppn <= PPN; ppn++) {
            assert_int_equal(local_tasks(&f, TASK_pairs, ppn, true), cases[i].within[ppn]);
            assert_int_equal(local_tasks(&f, TASK_pairs, ppn, false), cases[i].between[ppn]);
        }
        assert_int_equal(local_tasks(&f, TASK_pingpong, 2, true), cases[i].within[2]);
        assert_int_equal(local_tasks(&f, TASK_pingpong, 2, false), cases[i].between[2]);
        assert_int_equal(local_tasks(&f, TASK_receive, 2, true), cases[i].within[2]);
        const struct shape shape = campaign_local_shape(&f.c, TRANSPORT_socket, 2);
        assert_int_equal(shape.pairs, cases[i].within[2] > 0 ? TRANSPORT_socket : TRANSPORT_network);
        fake_free(&f);
    }
}

/* Of two sockets with three processes each: a level that was asked for and that neither kind of pairs has is told, once. */
static void levels_that_are_not_there_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *levels;
        int sockets;
        const char *warning; /* NULL: none */
        int between, within; /* processes of the largest groups */
    } cases[] = {{"1x2", 2, NULL, 2, 2},
                 {"1x4", 2, NULL, 4, 2},
                 {"2x5", 2, NULL, 0, 0},
                 {"1x5", 2, "--levels 1x5: sockets are told apart, so it is measured with 4 processes of a node that send between these and with 2", 4, 2},
                 {"1x5", 0, NULL, 5, 0},
                 {"1x3", 1, "--levels 1x3: sockets are told apart, so it is measured with 0 processes of a node that send between these and with 2", 0, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        struct diags diags = DIAGS_EMPTY;
        int socket[2 * 6];
        char levels[8];
        char *words[] = {"pevpm-bench", "-o", "none.yaml", "--levels", levels, NULL};
        strcpy(levels, cases[i].levels);
        fake_init(&f, 2, false);
        bench_options_free(&f.options);
        assert_int_equal(bench_options_parse(&f.options, 5, words, &diags), STATUS_OK);
        f.job.ppn = f.result.ppn = 6;
        f.job.sockets = cases[i].sockets;
        f.job.socket_of = socket;
        for (int place = 0; place < 2 * 6; place++)
            socket[place] = cases[i].sockets > 1 ? place % 2 : 0;
        f.c.diags = &diags;
        campaign_plan(&f.c);
        int most[2] = {0, 0};
        for (int ppn = 2; ppn <= 6; ppn++)
            for (int within = 0; within < 2; within++)
                most[within] = local_tasks(&f, TASK_pairs, ppn, within) > 0 ? ppn : most[within];
        assert_int_equal(most[false], cases[i].between);
        assert_int_equal(most[true], cases[i].within);
        assert_int_equal(diags.n, cases[i].warning ? 1 : 0); /* although MPI_Send and MPI_Isend have levels */
        if (cases[i].warning)
            assert_memory_equal(diag_message(&diags, 0), cases[i].warning, strlen(cases[i].warning));
        diags_free(&diags);
        fake_free(&f);
    }
}

static void table_print(void)
{
    printf("%8s %18s %18s\n", "nodes", "one switch", "groups of eight");
    for (int nodes = 16; nodes <= 4096; nodes *= 4) {
        size_t flat, grouped;
        const double one = planned(nodes, false, &flat), eight = planned(nodes, true, &grouped);
        printf("%8d %6zu p. %6.1f s %6zu p. %6.1f s\n", nodes, flat, one, grouped, eight);
    }
    for (size_t i = 0; i < sizeof clusters / sizeof *clusters; i++)
        calibrated_print(&clusters[i]);
}

/* Groups of three would lie across the trunks of groups of eight. */
static void small_groups_cross_no_trunk(void **state)
{
    (void)state;
    static const struct {
        bool grouped;
        int wanted, nodes;
    } cases[] = {{true, 2, 2}, {true, 3, 4}, {true, 4, 4}, {true, 5, 8}, {true, 9, 8}, {false, 3, 3}, {false, 65, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        fake_init(&f, 64, cases[i].grouped);
        assert_int_equal(campaign_close_group(&f.c, cases[i].wanted), cases[i].nodes);
        fake_free(&f);
    }
}

static void all_pairs_of_even_groups_exchange(void **state)
{
    (void)state;
    static const struct {
        int nodes, per_group, pairs;
    } cases[] = {{64, 8, 32}, {64, 64, 32}, {15, 5, 2}, {9, 9, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        fake_init(&f, cases[i].nodes, false);
        f.c.n_groups = (size_t)(cases[i].nodes / cases[i].per_group);
        for (int node = 0; node < cases[i].nodes; node++)
            f.c.group_of[node] = node / cases[i].per_group;
        assert_int_equal(campaign_close_pairs(&f.c), cases[i].pairs);
        fake_free(&f);
    }
}

/* Eight nodes of two switches, two or three classes: what patterns are laid over of the quickest crosses no trunk where its nodes
 * can be parted so, and fills a port where they are two to a switch. */
static void nodes_of_a_class_stay_behind_their_switch(void **state)
{
    (void)state;
    static const struct {
        const char *class_of, *group_of;
        int close, crowd, pairs;
    } cases[] = {{"00110022", "00001111", 2, 4, 2}, {"00001100", "00001111", 2, 6, 3}, {"00000000", "00000011", 2, 8, 4},
                 {"00001000", "00001111", 4, 4, 2}, {"01201201", "00011122", 3, 3, 1}, {"00001111", "00001111", 4, 4, 2},
                 {"00110022", "00000000", 4, 4, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        fake_init(&f, 8, false);
        f.c.n_groups = strchr(cases[i].group_of, '2') ? 3 : strchr(cases[i].group_of, '1') ? 2 : 1;
        f.c.n_classes = strchr(cases[i].class_of, '2') ? 3 : 2;
        f.classes[0].n = 0;
        for (int node = 0; node < 8; node++) {
            f.c.group_of[node] = cases[i].group_of[node] - '0';
            f.c.class_of[node] = cases[i].class_of[node] - '0';
            f.classes[0].n += f.c.class_of[node] == 0;
        }
        campaign_class(&f.c, 0);
        assert_int_equal(campaign_close(&f.c), cases[i].close);
        assert_int_equal(campaign_crowd(&f.c), cases[i].crowd);
        assert_int_equal(campaign_close_pairs(&f.c), cases[i].pairs);
        fake_free(&f);
    }
}

static void nodes_that_stand_alone_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *group_of;
        size_t groups;
        int alone, first;
    } cases[] = {{"000123", 4, 3, 3}, {"010000", 2, 1, 1}, {"001122", 3, 0, -1}, {"000000", 1, 0, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        int first;
        fake_init(&f, 6, false);
        f.c.n_groups = cases[i].groups;
        for (int node = 0; node < 6; node++)
            f.c.group_of[node] = cases[i].group_of[node] - '0';
        assert_int_equal(campaign_alone(&f.c, &first), cases[i].alone);
        assert_int_equal(first, cases[i].first);
        fake_free(&f);
    }
}

/* Three nodes, one behind each of three switches, are measured through trunks; two and one are not. */
static void trunks_between_nodes_that_are_measured_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *class_of, *group_of;
        int order[6];
        bool crosses;
    } cases[] = {{"010101", "001122", {0, 2, 4, 1, 3, 5}, true}, {"000111", "000111", {0, 1, 2, 3, 4, 5}, false},
                 {"001011", "001122", {0, 1, 3, 2, 4, 5}, false}, {"010101", "000000", {0, 2, 4, 1, 3, 5}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        int order[6];
        fake_init(&f, 6, false);
        memcpy(order, cases[i].order, sizeof order);
        f.job.order = order;
        f.c.n_groups = strchr(cases[i].group_of, '2') ? 3 : strchr(cases[i].group_of, '1') ? 2 : 1;
        f.c.n_classes = 2;
        f.classes[0].n = 3;
        for (int node = 0; node < 6; node++) {
            f.c.group_of[node] = cases[i].group_of[node] - '0';
            f.c.class_of[node] = cases[i].class_of[node] - '0';
        }
        campaign_class(&f.c, 0);
        assert_int_equal(campaign_crosses(&f.c), cases[i].crosses);
        fake_free(&f);
    }
}

/* Both sides of an eager limit differ by a byte, and by what a permission takes: the line through them alone leads
 * anywhere. */
static void long_messages_are_expected_on_a_line(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f, 64, false);
    const size_t last = f.c.n_sizes - 1;
    f.c.sizes[last - 1].one_way += 500e-6;
    assert_true(fabs(campaign_size_line(&f.c, last) / f.c.sizes[last].one_way - 1) < 0.05);
    f.c.sizes[last - 1].copies = false;
    assert_true(isnan(campaign_size_line(&f.c, last)));
    assert_true(isnan(campaign_size_line(&f.c, 0)) && isnan(campaign_size_line(&f.c, 1)));
    fake_free(&f);
}

static const int64_t port_bytes[] = {4096, 8192, 16384, 32768};
enum { N_PORTS = sizeof port_bytes / sizeof *port_bytes, WRONG = 2 };

/* Of four long sizes one is 3 % off. */
static void ports_make(struct fake *f)
{
    fake_init(f, 16, false);
    for (int i = 0; i < N_PORTS; i++) {
        const double wire = (double)port_bytes[i] + 88 + 66 * floor((double)port_bytes[i] / 1448);
        struct port_point *port = result_port(&f->result, port_bytes[i]);
        port->gap[PORT_OUT] = port->gap[PORT_IN] = 0.8e-6 * wire;
        port->gap[PORT_IN] *= i == WRONG ? 1.03 : 1;
        for (enum port_gap side = PORT_OUT; side <= PORT_IN; side++)
            apart_gap_note(&f->result, 0, side, &(struct ports_gap){.gap = port->gap[side], .bytes = port_bytes[i]}, false);
    }
}

/* It is not done, until it has been measured twice. */
static void a_port_that_stands_apart_is_measured_again(void **state)
{
    (void)state;
    struct fake f;
    ports_make(&f);
    for (int i = 0; i < N_PORTS; i++) {
        const struct task task = {.kind = TASK_ports, .bytes = port_bytes[i]};
        assert_true(task_is_odd(&f.c, &task) == (i > 0)); /* those beside it as well: which is wrong is not to be told */
        assert_true(task_is_done(&f.c, &task) == (i == 0));
    }
    apart_gap_note(&f.result, 0, PORT_IN, &(struct ports_gap){.gap = 1e-6, .bytes = 16384}, true);
    assert_false(task_is_odd(&f.c, &(struct task){.kind = TASK_ports, .bytes = 16384}));
    assert_true(task_is_done(&f.c, &(struct task){.kind = TASK_ports, .bytes = 16384}));
    fake_free(&f);
}

/* Those beside it are not measured once it has come out right, whether this run has measured them before or --resume took them up: no
 * process would be there to answer. */
static void a_port_that_fits_by_then_is_not(void **state)
{
    (void)state;
    struct fake f;
    ports_make(&f);
    result_port(&f.result, port_bytes[WRONG])->gap[PORT_IN] /= 1.03;
    for (int again = 0; again < 2; again++)
        for (int i = WRONG - 1; i < N_PORTS; i++) {
            struct task task = {.kind = TASK_ports, .bytes = port_bytes[i], .again = again};
            task_measure(&f.c, &task, 0);
            assert_int_equal(f.classes[0].n_gaps, 0);
        }
    fake_free(&f);
}

/* When a trunk of a group of groups overflows first, there is nothing to ask of those behind it, again and again. */
static void what_was_not_asked_is_answered(void **state)
{
    (void)state;
    static const int group_of[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2}, above[] = {3, 3, -1, -1};
    const struct task task = {.kind = TASK_trunk_overflow};
    struct fake f;
    fake_init(&f, 24, true);
    result_groups(&f.result, 3, group_of);
    result_outer_groups(&f.result, 1, above);
    for (size_t group = 0; group < 4; group++) {
        result_trunk(&f.result, group, 8192)->gap[PORT_OUT] = group < 3 ? 1e-3 : 2e-3;
        result_trunk(&f.result, group, 65480)->gap[PORT_OUT] = group < 3 ? 8e-3 : 16e-3;
    }
    assert_false(task_is_done(&f.c, &task));
    result_note(&f.result, 0, NOTE_TRUNK_OVERFLOW, "not asked: a trunk of a group of groups is slower than those behind it");
    assert_true(task_is_done(&f.c, &task));
    result_trunk(&f.result, 3, 65480)->gap[PORT_OUT] = 4e-3; /* it was not measured well then */
    assert_false(task_is_done(&f.c, &task));
    fake_free(&f);
}

int main(int argc, char *argv[])
{
    if (argc > 1 && strcmp(argv[1], "table") == 0) {
        table_print();
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(cost_does_not_grow_with_nodes),
                                       cmocka_unit_test(small_groups_cross_no_trunk),
                                       cmocka_unit_test(trunks_and_rates_stay),
                                       cmocka_unit_test(buffers_come_before_levels),
                                       cmocka_unit_test(within_nodes_pairs_are_of_one_kind),
                                       cmocka_unit_test(levels_that_are_not_there_are_told),
                                       cmocka_unit_test(all_pairs_of_even_groups_exchange),
                                       cmocka_unit_test(nodes_of_a_class_stay_behind_their_switch),
                                       cmocka_unit_test(trunks_between_nodes_that_are_measured_are_known),
                                       cmocka_unit_test(nodes_that_stand_alone_are_counted),
                                       cmocka_unit_test(long_messages_are_expected_on_a_line),
                                       cmocka_unit_test(rates_cost_what_they_take), cmocka_unit_test(further_trunks_cost_more),
                                       cmocka_unit_test(clusters_fit),
                                       cmocka_unit_test(what_takes_three_is_asked_of_a_class_that_has_them),
                                       cmocka_unit_test(acknowledgements_come_before_losses),
                                       cmocka_unit_test(what_was_not_asked_is_answered),
                                       cmocka_unit_test(a_port_that_stands_apart_is_measured_again),
                                       cmocka_unit_test(a_port_that_fits_by_then_is_not),
                                       cmocka_unit_test(again_brings_the_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
