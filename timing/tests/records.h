/* records.h - records of processes that never ran, for tests. */
#ifndef PEVPM_TIMING_TESTS_RECORDS_H
#define PEVPM_TIMING_TESTS_RECORDS_H

#include "timing/record.h"

#include "common/tests/said.h"

#include <math.h>

#define assert_near(a, b, most) assert_true(fabs((a) - (b)) <= (most))

/* One block line with its bins: `count` durations of ns, and, where tail > 0, one of `tail` ns. */
static inline char *block_text(const char *name, const char *argument, int count, double ns, double tail)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "block %s %s %d %.0f %.0f %.0f %d\n%lld %d", name, argument, count + (tail > 0), ns,
            tail > 0 ? tail : ns, count * ns + tail, 1 + (tail > 0), (long long)record_bin_of(ns), count);
    if (tail > 0)
        fprintf(out, " %lld 1", (long long)record_bin_of(tail));
    fputc('\n', out);
    fclose(out);
    return text;
}

/* A record from blocks (a NULL-terminated list of texts, which are freed). */
static inline struct record record_of(const char *host, int rank, ...)
{
    char *text = NULL;
    size_t length;
    int n = 0;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "pevpm-time 1\nhost %s\nrank ", host);
    fprintf(out, rank < 0 ? "-" : "%d", rank);
    fputs("\nclock CLOCK_MONOTONIC\nbins 128\noverhead_ns 20\ncost_ns 70\nwindow_ns 1000000000\nunmatched 0\n"
          "dropped 0\n", out);
    va_list blocks;
    va_start(blocks, rank);
    for (char *block = va_arg(blocks, char *); block; block = va_arg(blocks, char *), n++) {
        fputs(block, out);
        free(block);
    }
    va_end(blocks);
    fprintf(out, "end %d\n", n);
    fclose(out);
    struct record record;
    struct diags diags = DIAGS_EMPTY;
    enum status status = record_read_text(&record, host, text, strlen(text), &diags);
    diags_print(&diags, stderr);
    assert_int_equal(status, STATUS_OK);
    diags_free(&diags);
    free(text);
    return record;
}

/* That is part of what is said, which is then forgotten. */
#define assert_said(diags, what)    \
    do {                            \
        assert_tells(diags, what);  \
        diags_free(diags);          \
    } while (0)

#endif
