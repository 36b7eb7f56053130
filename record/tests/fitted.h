/* fitted.h - for tests of formulas: what a function of processes, counts and trips is, and which formula is found for it. */
#ifndef PEVPM_RECORD_TESTS_FITTED_H
#define PEVPM_RECORD_TESTS_FITTED_H

#include "record/fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const char *const loops[] = {"i"};
static const struct fit_names names = {.procnum = "p", .numprocs = "P", .any = "ANY", .source = "sender", .n_loops = 1,
                                       .loop = loops};

/* Of all processes of 2, 4 and 8, in `trips` trips. */
static inline size_t samples_of(int64_t (*value)(int p, int P, int64_t i), int trips, struct fit_sample samples[])
{
    size_t n = 0;
    for (int P = 2, r = 0; P <= 8; P *= 2, r++)
        for (int p = 0; p < P; p++)
            for (int64_t i = 0; i < trips; i++)
                samples[n++] = (struct fit_sample){.procnum = p, .numprocs = P, .recording = r, .index = {i},
                                                   .value = value(p, P, i)};
    return n;
}

static inline void expect(int64_t (*value)(int p, int P, int64_t i), int trips, const char *formula)
{
    struct fit_sample samples[14 * 30];
    struct arena memory = ARENA_EMPTY;
    size_t n = samples_of(value, trips, samples);
    const char *found = fit_value(n, samples, &names, NULL, &memory);
    assert_non_null(found);
    assert_string_equal(found, formula);
    arena_free(&memory);
}

static inline void expect_condition(int64_t (*value)(int p, int P, int64_t i), int trips, const char *formula)
{
    struct fit_sample samples[14 * 30];
    struct arena memory = ARENA_EMPTY;
    size_t n = samples_of(value, trips, samples);
    const char *found = fit_condition(n, samples, &names, NULL, NULL, &memory);
    assert_non_null(found);
    assert_string_equal(found, formula);
    arena_free(&memory);
}

/* Partners of a loop whose turn it is, which several tests ask for. */
static inline int64_t in_turn(int p, int P, int64_t i) { return (p + i) % P; }
static inline int64_t back_in_turn(int p, int P, int64_t i) { return (p + P - i % P) % P; }
static inline int64_t two_buffers(int p, int P, int64_t i) { return i % 2 == 0 ? (p + 1) % P : 17; }
static inline int64_t root_in_turn(int p, int P, int64_t i) { return i % P + p - p; }

/* What fit_value says of values that follow from the number of processes, [n] counts; all: of every process, else one. */
static inline struct fit_other other_of(size_t n, const int counts[], const int64_t values[], bool all, const struct fit_names *of,
                                 const char **text, struct arena *memory)
{
    struct fit_sample samples[80];
    struct fit_other other;
    size_t made = 0;
    for (size_t r = 0; r < n; r++)
        for (int p = 0; p < (all ? counts[r] : 1); p++)
            samples[made++] = (struct fit_sample){.procnum = p, .numprocs = counts[r], .recording = (int)r, .value = values[r]};
    *text = fit_value(made, samples, of, &other, memory);
    assert_non_null(*text);
    return other;
}

#endif
