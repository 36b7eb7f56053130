/* Decisions of collectives: closed forms, the best of all mappings, and what is left to the MPI library. */
#include "sim/decide.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD "pevpm_machine: 1\nname: m\nnodes: 16\nprocesses_per_node: 1\n"
#define LINEAR "collectives:\n  MPI_Gather: {algorithm: linear}\n"
#define LMO "models:\n  lmo:\n    C: 3e-5\n    t: 8e-7\n    inverse_beta: 2e-7\n    gather: {kappa1: 1e-7, kappa2: 1e-7}\n"
#define ESCALATES                                                                                     \
    "    escalation:\n      levels: [0.2]\n      applies: added\n      M1: [[3, 5000], [16, 1100]]\n"  \
    "      M2: 40000\n      probability:\n        - {numprocs: [16], bytes: [1000], p: [[0.5]]}\n"

static struct machine *machine_of(const char *text)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine;
    if (machine_read_text(&machine, "m", text, strlen(text), &diags) != STATUS_OK) {
        diags_print(&diags, stderr);
        fail();
    }
    diags_free(&diags);
    return machine;
}

static struct decisions decided(const char *text, const char *model, int n, double gain)
{
    static const int root = 0;
    struct machine *machine = machine_of(text);
    struct decide_wish wish = {.model = model, .gain = gain, .n_counts = 1, .counts = &n, .n_roots = 1, .roots = &root};
    struct diags diags = DIAGS_EMPTY;
    struct decisions d;
    assert_int_equal(decide(&d, machine, &wish, &diags), STATUS_OK);
    diags_free(&diags);
    machine_destroy(machine);
    return d;
}

/* The first line of an operation in pieces (or not); NULL: none. */
static const struct coll_row *row_of(const struct decisions *d, enum coll_op op, bool pieces, size_t *at)
{
    for (*at = 0; *at < d->table.n; ++*at)
        if (d->table.rows[*at].op == op && (d->table.rows[*at].piece > 0) == pieces)
            return &d->table.rows[*at];
    return NULL;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * expected))
        fail_msg("%.12g, not %.12g", value, expected);
}

static void a_gather_that_escalates_goes_in_pieces(void **state)
{
    (void)state;
    struct decisions d = decided(HEAD LINEAR LMO ESCALATES, "lmo", 16, 0.05);
    size_t at;
    const struct coll_row *row = row_of(&d, COLL_MPI_Gatherv, true, &at); /* whose announcement a tree must not cost */
    assert_non_null(row);
    assert_int_equal(row->piece, 825);
    assert_int_equal(row->from, 1100);
    assert_int_equal(row->to, 65535);
    /* (9): n (C + t M) + C + (t + 1 / beta) M + kappa_1 M, and half of the time 0.2 s more */
    double linear = 15 * (3e-5 + 8e-7 * 40000) + 3e-5 + 1e-6 * 40000 + 1e-7 * 40000;
    assert_near(d.decided[at].native[1], linear + 0.1);
    /* 49 pieces of 817 bytes at most; each round but the first n (C + t p) + kappa_1 p, and n C to ask */
    double p = 817, round = 15 * (3e-5 + 8e-7 * p) + 1e-7 * p;
    assert_near(d.decided[at].ours[1], 49 * round + 3e-5 + 1e-6 * p + 48 * 15 * 3e-5);
    decisions_free(&d);
    d = decided(HEAD LINEAR LMO, "lmo", 16, 0.05); /* does not escalate */
    assert_null(row_of(&d, COLL_MPI_Gatherv, true, &at));
    assert_null(row_of(&d, COLL_MPI_Gather, true, &at));
    decisions_free(&d);
}

/* Shares of 4096 bytes do not escalate. A Gather of them is left to the library, a Gatherv is not, for nobody but its root
 * knows that no share has another size. */
static void no_hole_is_left_between_pieces_of_a_gatherv(void **state)
{
    (void)state;
    struct decisions d = decided(HEAD LINEAR LMO
                                 "    escalation:\n      levels: [0.2]\n      applies: added\n      M1: [[3, 5000], [16, 1100]]\n"
                                 "      M2: 40000\n      probability:\n        - {numprocs: [16], bytes: [1000, 3000, 5000, 40000], "
                                 "p: [[0.5, 0, 0, 0.5]]}\n", "lmo", 16, 0.05);
    size_t at;
    const struct coll_row *row = row_of(&d, COLL_MPI_Gatherv, true, &at);
    assert_int_equal(row->from, 1100);
    assert_int_equal(row->to, 65535);
    row = row_of(&d, COLL_MPI_Gather, true, &at);
    assert_int_equal(row->from, 1100);
    assert_true(row->to < 4096);
    decisions_free(&d);
}

static void between_two_there_is_nothing_to_decide(void **state)
{
    (void)state;
    struct decisions d = decided(HEAD LINEAR LMO ESCALATES, "lmo", 2, 0.05);
    assert_int_equal(d.table.n, 0);
    decisions_free(&d);
}

static void without_gain_all_is_native(void **state)
{
    (void)state;
    struct decisions d = decided(HEAD LINEAR LMO ESCALATES, "lmo", 16, 0.97);
    assert_int_equal(d.table.n, 0);
    decisions_free(&d);
}

/* ---- mappings ---- */

enum { N = 6 };
static double alpha[N][N], beta[N][N];

static const char *links(void)
{
    static char text[4000];
    char *end = text + sprintf(text, "pevpm_machine: 1\nname: m\nnodes: %d\nprocesses_per_node: 1\nmodels:\n  hockney_hetero:\n", N);
    for (int which = 0; which < 2; which++) {
        end += sprintf(end, "    %s: [", which ? "beta" : "alpha");
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double slow = i == j ? 0 : 1 + (i * 7 + j * 7 + i * j * 3) % 11;
                alpha[i][j] = 2e-5 * slow;
                beta[i][j] = 3e-8 * slow;
                end += sprintf(end, "%s%.17g%s", j ? ", " : i ? ", [" : "[", which ? beta[i][j] : alpha[i][j], j < N - 1 ? "" : "]");
            }
        end += sprintf(end, "]\n");
    }
    return text;
}

/* When the last of the subtree at position p, of `run` positions, has its share, p having its data at `from`: children
 * in the order 4, 2, 1, each message behind the last one. */
static double scatter_end(const int mapping[], int p, int run, double from, double M)
{
    double end = from;
    for (int step = 4; step >= 1; step /= 2) {
        if (step >= run)
            continue;
        int child = p + step, below = run - step;
        int parts = below < step ? below : step;
        run = step;
        from += alpha[mapping[p]][mapping[child]] + beta[mapping[p]][mapping[child]] * M * parts;
        end = fmax(end, scatter_end(mapping, child, parts, from, M));
    }
    return end;
}

static void all_mappings(int mapping[], int fixed, double M, double *best, double *worst)
{
    if (fixed == N) {
        double time = scatter_end(mapping, 0, N, 0, M);
        *best = fmin(*best, time);
        *worst = fmax(*worst, time);
        return;
    }
    for (int i = fixed; i < N; i++) {
        int kept[N];
        memcpy(kept, mapping, sizeof kept);
        mapping[fixed] = kept[i];
        mapping[i] = kept[fixed];
        all_mappings(mapping, fixed + 1, M, best, worst);
        memcpy(mapping, kept, sizeof kept);
    }
}

static void a_mapping_is_as_good_as_any(void **state)
{
    struct decisions d = *(struct decisions *)*state;
    size_t lines = 0;
    for (size_t i = 0; i < d.table.n; i++) {
        const struct coll_row *row = &d.table.rows[i];
        if (row->op != COLL_MPI_Scatter || !row->mapping)
            continue;
        int mapping[N] = {0, 1, 2, 3, 4, 5};
        double best = INFINITY, worst = 0;
        all_mappings(mapping, 1, (double)row->from, &best, &worst);
        assert_int_equal(row->mapping[0], 0);
        assert_near(d.decided[i].ours[0], scatter_end(row->mapping, 0, N, 0, (double)row->from));
        assert_true(d.decided[i].ours[0] <= 1.02 * best);
        assert_true(worst > 1.3 * best); /* so the choice matters */
        lines++;
    }
    assert_true(lines > 0);
}

/* Lines with a mapping are looked at first; sizes of lines of one kind do not overlap. */
static void lines_are_in_order(void **state)
{
    struct decisions d = *(struct decisions *)*state;
    assert_true(d.table.n > 1);
    for (size_t i = 1; i < d.table.n; i++) {
        const struct coll_row *before = &d.table.rows[i - 1], *row = &d.table.rows[i];
        assert_true(before->op <= row->op);
        if (before->op != row->op)
            continue;
        assert_true(before->mapping || !row->mapping);
        if (!before->mapping == !row->mapping)
            assert_true(before->to < row->from && (before->to == row->from - 1 || 2 * before->to < row->from));
    }
    for (size_t i = 0; i < d.table.n; i++)
        assert_true(d.decided[i].ours[0] <= 0.99 * d.decided[i].native[0] &&
                    d.table.rows[i].from <= d.table.rows[i].to);
}

/* n processes under Hockney: a tree saves 11 alpha of 15 (alpha + beta M). What tells sizes is a label for each share,
 * and nothing of what goes straight. */
static void a_scatterv_is_decided_as_a_scatter_is(void **state)
{
    (void)state;
    static const char text[] = HEAD "collectives:\n  MPI_Scatter: {algorithm: linear}\n"
                                    "models:\n  hockney: {alpha: 1e-4, beta: 1e-7}\n";
    size_t at;
    struct decisions d = decided(text, "hockney", 16, 0.05);
    const struct coll_row *scatter = row_of(&d, COLL_MPI_Scatter, false, &at), *row;
    assert_non_null(scatter);
    row = row_of(&d, COLL_MPI_Scatterv, false, &at);
    assert_non_null(row);
    assert_int_equal(row->from, scatter->from);
    assert_int_equal(row->to, scatter->to);
    assert_near(d.decided[at].native[0], 15 * (1e-4 + 1e-7));
    assert_near(d.decided[at].ours[0], 4 * 1e-4 + 15 * 17 * 1e-7);
    decisions_free(&d);
}

/* From M2 on a straight Gatherv takes the sum of what is on the way: 3.2e-6 M here, and a tree on whose leaves
 * the slow nodes are half of it. Its words cost nothing where shares are smaller. */
static void a_gatherv_goes_over_a_tree_where_it_is_large(void **state)
{
    (void)state;
    static const char text[] =
        "pevpm_machine: 1\nname: m\nnodes: 6\nprocesses_per_node: 1\nmodels:\n  lmo:\n"
        "    C: [3e-5, 3e-5, 3e-5, 3e-5, 3e-5, 3e-5]\n    t: [1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9]\n"
        "    inverse_beta: [[0, 1e-7, 1e-7, 1e-6, 1e-6, 1e-6], [1e-7, 0, 1e-7, 1e-6, 1e-6, 1e-6], "
        "[1e-7, 1e-7, 0, 1e-6, 1e-6, 1e-6], [1e-6, 1e-6, 1e-6, 0, 1e-6, 1e-6], [1e-6, 1e-6, 1e-6, 1e-6, 0, 1e-6], "
        "[1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 0]]\n"
        "    gather: {kappa1: 0, kappa2: 0}\n    escalation: {levels: [0.2], applies: added, M1: [[6, 3000]], M2: 4000}\n";
    size_t at;
    struct decisions d = decided(text, "lmo", 6, 0.05);
    const struct coll_row *row = row_of(&d, COLL_MPI_Gatherv, false, &at);
    assert_non_null(row);
    assert_non_null(row->mapping);
    assert_int_equal(row->from, 4096);
    assert_near(d.decided[at].native[0], 5 * (3e-5 + 4096e-9) + 5 * (3e-5 + 4096e-9) + 4096 * 3.2e-6);
    assert_true(d.decided[at].ours[0] < 0.6 * d.decided[at].native[0]);
    decisions_free(&d);
}

/* Equal hosts, whose C were estimated to differ; and hosts that do. */
static struct decisions unsure(const char *C)
{
    char text[1000];
    snprintf(text, sizeof text,
             "pevpm_machine: 1\nname: m\nnodes: 6\nprocesses_per_node: 1\nmodels:\n  lmo:\n    C: [%s]\n"
             "    t: [1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9]\n    inverse_beta: [[0, 1e-8, 1e-8, 1e-8, 1e-8, 1e-8], "
             "[1e-8, 0, 1e-8, 1e-8, 1e-8, 1e-8], [1e-8, 1e-8, 0, 1e-8, 1e-8, 1e-8], [1e-8, 1e-8, 1e-8, 0, 1e-8, 1e-8], "
             "[1e-8, 1e-8, 1e-8, 1e-8, 0, 1e-8], [1e-8, 1e-8, 1e-8, 1e-8, 1e-8, 0]]\n",
             C);
    static const int root = 0, n = 6;
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    struct machine *machine = NULL;
    struct diags diags = DIAGS_EMPTY;
    char path[] = "/tmp/pevpm-test-decide-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    assert_int_equal(machine_read_whole(&machine, &source, path, &diags), STATUS_OK);
    unlink(path);
    struct decide_wish wish = {.model = "lmo", .gain = 0.05, .source = &source, .n_counts = 1, .counts = &n, .n_roots = 1,
                               .roots = &root};
    struct decisions d;
    assert_int_equal(decide(&d, machine, &wish, &diags), STATUS_OK);
    diags_free(&diags);
    machine_source_free(&source);
    machine_destroy(machine);
    return d;
}

static size_t mapped_lines(struct decisions d)
{
    size_t n = 0;
    for (size_t i = 0; i < d.table.n; i++)
        n += d.table.rows[i].mapping != NULL;
    decisions_free(&d);
    return n;
}

static void what_is_uncertain_is_not_decided(void **state)
{
    (void)state;
#define C_OF(ci95)                                                                                                     \
    "{value: 3e-5, ci95: " ci95 ", experiments: 9}, {value: 6e-5, ci95: " ci95 ", experiments: 9}, {value: 2e-5, ci95: " \
    ci95 ", experiments: 9}, {value: 5e-5, ci95: " ci95 ", experiments: 9}, {value: 3e-5, ci95: " ci95                  \
    ", experiments: 9}, {value: 2e-5, ci95: " ci95 ", experiments: 9}"
    assert_true(mapped_lines(unsure("3e-5, 6e-5, 2e-5, 5e-5, 3e-5, 2e-5")) > 0);
    assert_true(mapped_lines(unsure(C_OF("1e-7"))) > 0);
    assert_int_equal(mapped_lines(unsure(C_OF("4e-5"))), 0);
#undef C_OF
}

static void a_model_that_is_not_there(void **state)
{
    (void)state;
    static const int n = 4, root = 0;
    struct machine *machine = machine_of(HEAD LMO);
    struct decide_wish wish = {.model = "hockney", .n_counts = 1, .counts = &n, .n_roots = 1, .roots = &root};
    struct diags diags = DIAGS_EMPTY;
    struct decisions d;
    assert_int_equal(decide(&d, machine, &wish, &diags), STATUS_SCHEMA);
    decisions_free(&d);
    diags_free(&diags);
    machine_destroy(machine);
}

static struct decisions mapped;
static int decide_links(void **state)
{
    mapped = decided(links(), "hockney", N, 0.01);
    *state = &mapped;
    return 0;
}
static int forget_links(void **state)
{
    decisions_free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gather_that_escalates_goes_in_pieces),
        cmocka_unit_test(no_hole_is_left_between_pieces_of_a_gatherv), cmocka_unit_test(between_two_there_is_nothing_to_decide),
        cmocka_unit_test(without_gain_all_is_native), cmocka_unit_test(a_mapping_is_as_good_as_any),
        cmocka_unit_test(lines_are_in_order), cmocka_unit_test(a_scatterv_is_decided_as_a_scatter_is),
        cmocka_unit_test(a_gatherv_goes_over_a_tree_where_it_is_large),
        cmocka_unit_test(what_is_uncertain_is_not_decided),
        cmocka_unit_test(a_model_that_is_not_there)};
    return cmocka_run_group_tests(tests, decide_links, forget_links);
}
