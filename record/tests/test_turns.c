/* Formulas of whose turn it is: partners and owners in turn, rounds, trees that are walked by hand, and what repeats itself. */
#include "record/tests/fitted.h"

#include <stdlib.h>
#include <string.h>

/* Who is as many further on as the loop has gone round: himself first. */
static void partners_in_turn_are_found(void **state)
{
    (void)state;
    expect(in_turn, 2, "(p+i)%P");
    expect(back_in_turn, 2, "(p+P-i)%P");
    expect(back_in_turn, 3, "(p+P-i)%P");
}

/* 30 rows among 8 leave six, 24 none. */
static int64_t row_first(int p, int P, int64_t i)
{
    int64_t end = 0;
    for (int q = 0; q < P; q++)
        if (i < (end += 30 / P + (q < 30 % P)))
            return q;
    return p - p;
}
static int64_t row_bounds(int p, int P, int64_t i)
{
    for (int q = 0; q < P; q++)
        if (i < (q + 1) * INT64_C(30) / P)
            return q;
    return p - p;
}
static int64_t row_rest(int p, int P, int64_t i) { return i / (30 / P) < P - 1 ? i / (30 / P) : P - 1 + p - p; }
static int64_t row_even(int p, int P, int64_t i) { return i / (24 / P) + p - p; }
static int64_t row_mine(int p, int P, int64_t i) { return row_first(p, P, i) == p; }
static int64_t row_cyclic(int p, int P, int64_t i) { return i % P == p; }

/* Whose row is broadcast next: each has a block of them. */
static void owners_are_found(void **state)
{
    (void)state;
    expect(row_first, 30, "max(i/(30/P+1), (i-30%P)/(30/P))");
    expect(row_bounds, 30, "(P*(i+1)-1)/30");
    expect(row_rest, 30, "min(i/(30/P), P-1)");
    expect(row_even, 24, "i/(24/P)");
    expect_condition(row_mine, 30, "max(i/(30/P+1), (i-30%P)/(30/P)) == p");
    expect_condition(row_cyclic, 30, "i%P == p");
}

static int64_t round_of(int p, int P, int64_t i) { return i / (P - 1) + p - p; }
static int64_t tag_of(int p, int P, int64_t i) { return 2 * (i / (P - 1)) + 10 + p - p; }
static int64_t worker_of(int p, int P, int64_t i) { return i % (P - 1) + 1 + p - p; }
static int64_t but_me_of(int p, int P, int64_t i) { return i % (P - 1) + (i % (P - 1) >= p); }

static int64_t others_of(int p, int P, int64_t i) { return (p + 1 + i % (P - 1)) % P; }
static int64_t others_back_of(int p, int P, int64_t i) { return (p + P - 1 - i % (P - 1)) % P; }

/* Two loops within each other that are one. */
static void rounds_are_found(void **state)
{
    (void)state;
    expect(round_of, 30, "i/(P-1)");
    expect(tag_of, 30, "2*(i/(P-1))+10");
    expect(worker_of, 30, "i%(P-1)+1");
    expect(others_of, 30, "(p+1+i%(P-1))%P");
    expect(others_back_of, 30, "(p+P-1-i%(P-1))%P");
    expect(but_me_of, 30, "(i%(P-1) < p ? i%(P-1) : i%(P-1)+1)");
}

static int64_t rows_before(int p, int P, int64_t i) { return 96 / P * p + i - i; }
static int64_t rows_behind(int p, int P, int64_t i) { return 96 / P * (P - 1 - p) + i - i; }
static int64_t workers_but_one(int p, int P, int64_t i) { return p == 0 ? P - 2 : 0 + i - i; }

static void counts_of_sides_are_found(void **state)
{
    (void)state;
    struct fit_names number = names;
    struct fit_sample samples[14];
    struct arena memory = ARENA_EMPTY;
    number.number = true;
    assert_string_equal(fit_value(samples_of(rows_before, 1, samples), samples, &number, NULL, &memory), "round(96.0*p/P)");
    assert_string_equal(fit_value(samples_of(rows_behind, 1, samples), samples, &number, NULL, &memory), "round(96.0*(P-1-p)/P)");
    assert_string_equal(fit_value(samples_of(workers_but_one, 1, samples), samples, &number, NULL, &memory), "(p == 0 ? P-2 : 0)");
    arena_free(&memory);
}

static int64_t second_half(int p, int P, int64_t i) { return P / 2 + i + p - p; }
static int64_t own_row(int p, int P, int64_t i) { return p / (P < 8 ? 2 : 4) * (P < 8 ? 2 : 4) + i; }
static int64_t own_column(int p, int P, int64_t i) { return p % (P < 8 ? 2 : 4) + i * (P < 8 ? 2 : 4); }
static int64_t odd_and_even(int p, int P, int64_t i)
{
    return (p + i) % 2 == 0 ? p == P - 1 ? FIT_NULL : p + 1 : p == 0 ? FIT_NULL : p - 1;
}

/* Whom a loop comes to in halves, rows and columns; and on one side and the other in turn. */
static void members_in_turn_are_found(void **state)
{
    (void)state;
    expect(second_half, 2, "(P/2)+i");
    expect(own_row, 3, "p/dims_create(P, 2, 0)*dims_create(P, 2, 0) + i");
    expect(own_column, 3, "i*dims_create(P, 2, 0) + p%dims_create(P, 2, 0)");
    expect(odd_and_even, 2, "((p+i)%2 == 0 ? (p == P-1 ? MPI_PROC_NULL : p+1) : (p == 0 ? MPI_PROC_NULL : p-1))");
}

/* From whom a sweep comes that begins at each corner of a grid in turn, five planes each. */
static int64_t swept(int p, int P, int64_t i)
{
    const int columns = P == 8 ? 2 : P / 2, row = p / columns, rows = P / columns, corner = (int)(i / 5 % 4);
    const int from = corner % 2 == 0 ? row - 1 : row + 1;
    return from < 0 || from >= rows ? FIT_NULL : p + (from - row) * columns;
}

static void corners_in_turn_are_found(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 40];
    struct arena memory = ARENA_EMPTY;
    struct fit_names of = names;
    struct fit_other other;
    of.last_first = true;
    const char *found = fit_value(samples_of(swept, 40, samples), samples, &of, &other, &memory);
    assert_non_null(found);
    assert_memory_equal(found, "(i/5%2 == 1 ? ", 14);
    assert_null(other.unconfirmed);
    arena_free(&memory);
}

static int64_t low_of(int64_t p, int64_t P)
{
    int64_t low = 1;
    while (low < P && p % (2 * low) == 0)
        low *= 2;
    return low;
}
static int64_t high_of(int64_t p)
{
    int64_t high = 1;
    while (2 * high <= p)
        high *= 2;
    return high;
}
static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

/* Samples of a process in the trips in which it sends to another one, by lowest or highest bits, nearer and nearer or further and
 * further away. what: the partner, or for how many the message is. */
enum what { TREE_PARTNER, TREE_SIZE };
static size_t tree_samples(bool low, bool nearer, enum what what, struct fit_sample samples[])
{
    static const int counts[] = {2, 4, 5, 6, 8};
    size_t n = 0;
    for (int r = 0; r < 5; r++)
        for (int p = 0; p < counts[r]; p++) {
            const int64_t P = counts[r], first = low ? 1 : p == 0 ? 1 : 2 * high_of(p);
            int64_t distance[8];
            int trips = 0;
            for (int64_t d = first; p + d < P && (!low || d < low_of(p, P)); d *= 2)
                distance[trips++] = d;
            for (int i = 0; i < trips; i++) {
                const int64_t d = distance[nearer ? trips - 1 - i : i];
                samples[n++] = (struct fit_sample){.procnum = p, .numprocs = (int)P, .recording = r, .index = {i},
                                                   .value = what == TREE_PARTNER ? p + d : 480 * least_of(d, P - p - d)};
            }
        }
    return n;
}

/* What a function of processes is at 2, 4, 5, 6 and 8. */
static size_t process_samples(int64_t (*value)(int64_t p, int64_t P), struct fit_sample samples[])
{
    static const int counts[] = {2, 4, 5, 6, 8};
    size_t n = 0;
    for (int r = 0; r < 5; r++)
        for (int p = 0; p < counts[r]; p++)
            if (value(p, counts[r]) >= 0)
                samples[n++] = (struct fit_sample){.procnum = p, .numprocs = counts[r], .recording = r,
                                                   .value = value(p, counts[r])};
    return n;
}
static int64_t low_parent(int64_t p, int64_t P) { return p == 0 ? -1 : p - low_of(p, P); }
static int64_t high_parent(int64_t p, int64_t P) { return p == 0 ? -1 : p - high_of(p) + P - P; }
static int64_t low_subtree(int64_t p, int64_t P) { return 480 * least_of(low_of(p, P), P - p); }
static int64_t low_children(int64_t p, int64_t P)
{
    int64_t n = 0;
    for (int64_t d = 1; d < low_of(p, P) && p + d < P; d *= 2)
        n++;
    return n;
}
static int64_t high_children(int64_t p, int64_t P)
{
    int64_t n = 0;
    for (int64_t d = p == 0 ? 1 : 2 * high_of(p); p + d < P; d *= 2)
        n++;
    return n;
}

static void expect_of(size_t n, const struct fit_sample samples[], bool number, const char *formula)
{
    struct arena memory = ARENA_EMPTY;
    struct fit_names of = names;
    struct fit_other other;
    of.number = number;
    const char *found = fit_value(n, samples, &of, &other, &memory);
    assert_non_null(found);
    assert_string_equal(found, formula);
    assert_null(other.unconfirmed);
    arena_free(&memory);
}

static void binomial_trees_are_found(void **state)
{
    (void)state;
    struct fit_sample samples[80];
    expect_of(process_samples(low_parent, samples), samples, false, "p-lowbit(p, P)");
    expect_of(process_samples(high_parent, samples), samples, false, "p-round(pow(2, ilog2(2*p+1)))/2");
    expect_of(process_samples(low_children, samples), samples, true, "ilog2(lowbit(p, 2*(P-p)-1))");
    expect_of(process_samples(high_children, samples), samples, true, "ilog2(2*((P-1-p)/round(pow(2, ilog2(2*p+1))))+1)");
    expect_of(process_samples(low_subtree, samples), samples, true, "480*min(lowbit(p, 2*P-1), P-p)");
    expect_of(tree_samples(true, false, TREE_PARTNER, samples), samples, false, "p+round(pow(2, i))");
    expect_of(tree_samples(true, true, TREE_PARTNER, samples), samples, false, "p+lowbit(p, 2*(P-p)-1)/2/round(pow(2, i))");
    expect_of(tree_samples(false, false, TREE_PARTNER, samples), samples, false, "p+round(pow(2, ilog2(2*p+1)+i))");
    expect_of(tree_samples(true, false, TREE_SIZE, samples), samples, true, "480*min(round(pow(2, i)), P-p-round(pow(2, i)))");
    expect_of(tree_samples(true, true, TREE_SIZE, samples), samples, true,
              "480*min(lowbit(p, 2*(P-p)-1)/2/round(pow(2, i)), P-p-lowbit(p, 2*(P-p)-1)/2/round(pow(2, i)))");
}

static void who_sends_on_in_a_tree_is_found(void **state)
{
    (void)state;
    struct fit_sample samples[80];
    struct arena memory = ARENA_EMPTY;
    size_t n = process_samples(low_children, samples);
    assert_string_equal(fit_condition(n, samples, &names, NULL, NULL, &memory), "lowbit(p, 2*(P-p)-1) > 1");
    n = process_samples(high_children, samples);
    assert_string_equal(fit_condition(n, samples, &names, NULL, NULL, &memory), "p+round(pow(2, ilog2(2*p+1))) < P");
    arena_free(&memory);
}

static int64_t every_seventh(int p, int P, int64_t i) { return p + P > 0 && i % 7 == 3; }
static int64_t but_every_seventh(int p, int P, int64_t i) { return p + P > 0 && i % 7 != 3; }
static int64_t three_tags(int p, int P, int64_t i) { return i % 3 + p - p + P - P; }
static int64_t tags_from_100(int p, int P, int64_t i) { return 100 + 2 * (i % 3) + p - p + P - P; }

/* What happens every so manyth trip. */
static void trips_that_repeat_themselves_are_found(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 30];
    struct arena memory = ARENA_EMPTY;
    size_t n = samples_of(every_seventh, 30, samples);
    assert_string_equal(fit_condition(n, samples, &names, NULL, NULL, &memory), "i%7 == 3");
    n = samples_of(but_every_seventh, 30, samples);
    assert_string_equal(fit_condition(n, samples, &names, NULL, NULL, &memory), "!(i%7 == 3)");
    n = samples_of(three_tags, 30, samples);
    assert_string_equal(fit_value(n, samples, &names, NULL, &memory), "i%3");
    n = samples_of(tags_from_100, 30, samples);
    assert_string_equal(fit_value(n, samples, &names, NULL, &memory), "2*(i%3)+100");
    n = samples_of(two_buffers, 30, samples);
    assert_string_equal(fit_value(n, samples, &names, NULL, &memory), "(i%2 == 1 ? 17 : (p+1)%P)");
    n = samples_of(root_in_turn, 30, samples);
    assert_string_equal(fit_value(n, samples, &names, NULL, &memory), "i%P");
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partners_in_turn_are_found),
        cmocka_unit_test(owners_are_found),
        cmocka_unit_test(rounds_are_found),
        cmocka_unit_test(counts_of_sides_are_found),
        cmocka_unit_test(members_in_turn_are_found),
        cmocka_unit_test(corners_in_turn_are_found),
        cmocka_unit_test(binomial_trees_are_found),
        cmocka_unit_test(who_sends_on_in_a_tree_is_found),
        cmocka_unit_test(trips_that_repeat_themselves_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
