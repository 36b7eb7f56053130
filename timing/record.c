#include "timing/record.h"

#include "common/alloc.h"
#include "directives/source.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t INDEX_MOST = 64 * RECORD_BINS; /* 2^64 ns are 584 years */

struct scan {
    const struct source *source;
    size_t at;
    struct diags *diags;
};

struct word {
    size_t at, n; /* n = 0: the end of the file */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct word next_word(struct scan *scan)
{
    const char *text = scan->source->text;
    while (scan->at < scan->source->length && is_blank(text[scan->at]))
        scan->at++;
    struct word word = {scan->at, 0};
    while (scan->at < scan->source->length && !is_blank(text[scan->at]))
        scan->at++;
    word.n = scan->at - word.at;
    return word;
}

static bool refuse(struct scan *scan, struct word word, const char *expected)
{
    enum { SHOWN = 40 };
    const char *text = scan->source->text + word.at;
    if (word.n == 0)
        diag_error(scan->diags, place_of_file(scan->source->name),
                   "the record is cut short: expected %s, found the end of the file", expected);
    else
        diag_error(scan->diags, source_place(scan->source, word.at, word.n), "expected %s, found `%.*s`", expected,
                   (int)(word.n < SHOWN ? word.n : SHOWN), text);
    return false;
}

static bool word_is(const struct scan *scan, struct word word, const char *text)
{
    return word.n == strlen(text) && memcmp(scan->source->text + word.at, text, word.n) == 0;
}

static bool take_keyword(struct scan *scan, const char *keyword)
{
    char expected[40];
    struct word word = next_word(scan);
    snprintf(expected, sizeof expected, "`%s`", keyword);
    return word_is(scan, word, keyword) || refuse(scan, word, expected);
}

static bool take_text(struct scan *scan, const char *expected, char **text)
{
    struct word word = next_word(scan);
    if (word.n == 0)
        return refuse(scan, word, expected);
    *text = alloc_string_n(scan->source->text + word.at, word.n);
    return true;
}

/* A number of at least `least`. The source's text ends with a NUL, so strtod stops. */
static bool take_number(struct scan *scan, double least, const char *expected, double *value)
{
    struct word word = next_word(scan);
    char *end;
    *value = strtod(scan->source->text + word.at, &end);
    if (word.n == 0 || end != scan->source->text + word.at + word.n || !isfinite(*value) || *value < least)
        return refuse(scan, word, expected);
    return true;
}

static bool take_count(struct scan *scan, int64_t least, int64_t most, const char *expected, int64_t *value)
{
    struct word word = next_word(scan);
    char *end;
    errno = 0;
    *value = strtoll(scan->source->text + word.at, &end, 10);
    if (word.n == 0 || end != scan->source->text + word.at + word.n || errno || *value < least || *value > most)
        return refuse(scan, word, expected);
    return true;
}

/* ---- parts ---- */

static bool take_rank(struct scan *scan, struct record *record)
{
    struct scan ahead = *scan;
    int64_t rank = -1;
    if (word_is(scan, next_word(&ahead), "-"))
        *scan = ahead;
    else if (!take_count(scan, 0, INT_MAX, "a rank or `-`", &rank))
        return false;
    record->rank = (int)rank;
    return true;
}

/* "stray" ( "begin" | "end" ) NAME FILE LINE COUNT */
static bool take_stray(struct scan *scan, struct record *record)
{
    int64_t line;
    if (!take_keyword(scan, "stray"))
        return false;
    record->strays = alloc_grow(record->strays, record->n_strays, &record->strays_capacity, sizeof *record->strays);
    struct record_stray *stray = &record->strays[record->n_strays++];
    *stray = (struct record_stray){0};
    struct word kind = next_word(scan);
    stray->end = word_is(scan, kind, "end");
    if (!stray->end && !word_is(scan, kind, "begin"))
        return refuse(scan, kind, "`begin` or `end`");
    if (!take_text(scan, "the name of a block", &stray->name) || !take_text(scan, "a file or `-`", &stray->file) ||
        !take_count(scan, 0, INT_MAX, "a line number", &line) ||
        !take_count(scan, 1, INT64_MAX, "a count above 0", &stray->count))
        return false;
    stray->line = (int)line;
    if (line == 0) {
        free(stray->file);
        stray->file = NULL;
    }
    return true;
}

static bool take_strays(struct scan *scan, struct record *record)
{
    int64_t n;
    if (!take_keyword(scan, "strays") || !take_count(scan, 0, INT_MAX, "a number of places", &n))
        return false;
    while (n-- > 0)
        if (!take_stray(scan, record))
            return false;
    return true;
}

static bool take_head(struct scan *scan, struct record *record)
{
    int64_t version, bins;
    char *clock = NULL;
    bool ok = take_keyword(scan, "pevpm-time") &&
              take_count(scan, 1, 2, "version 1 or 2, which this pevpm-time reads", &version) &&
              take_keyword(scan, "host") && take_text(scan, "the name of a host", &record->host) &&
              take_keyword(scan, "rank") && take_rank(scan, record) && take_keyword(scan, "clock") &&
              take_text(scan, "the name of a clock", &clock) && take_keyword(scan, "bins") &&
              take_count(scan, RECORD_BINS, RECORD_BINS, "128 bins", &bins) && take_keyword(scan, "overhead_ns") &&
              take_number(scan, 0, "a time of at least 0", &record->overhead) && take_keyword(scan, "cost_ns") &&
              take_number(scan, 0, "a time of at least 0", &record->cost) && take_keyword(scan, "window_ns") &&
              take_number(scan, 0, "a time of at least 0", &record->window) && take_keyword(scan, "unmatched") &&
              take_count(scan, 0, INT64_MAX, "a count", &record->unmatched) && take_keyword(scan, "dropped") &&
              take_count(scan, 0, INT64_MAX, "a count", &record->dropped) &&
              (version == 1 || take_strays(scan, record));
    free(clock);
    return ok;
}

static bool take_argument(struct scan *scan, struct record_block *block)
{
    struct scan ahead = *scan;
    if (word_is(scan, next_word(&ahead), "-")) {
        *scan = ahead;
        return true;
    }
    block->has_argument = true;
    return take_number(scan, -HUGE_VAL, "an argument or `-`", &block->argument);
}

static bool take_bins(struct scan *scan, struct record_block *block, size_t n)
{
    int64_t sum = 0, last = -1;
    struct word word = {0, 0};
    block->bins = alloc_zeroed(n, sizeof *block->bins);
    for (size_t i = 0; i < n; i++) {
        struct bin *bin = &block->bins[i];
        if (!take_count(scan, last + 1, INDEX_MOST, "a bin above the one before", &bin->index) ||
            !take_count(scan, 1, INT64_MAX - sum, "a count above 0", &bin->count))
            return false;
        word = (struct word){scan->at - 1, 1};
        last = bin->index;
        sum += bin->count;
        block->n++;
    }
    if (sum != block->count)
        return refuse(scan, word, "bins that add up to the block's count");
    return (record_bin_of(block->minimum) == block->bins[0].index &&
            record_bin_of(block->maximum) == block->bins[n - 1].index) ||
           refuse(scan, word, "bins from the shortest to the longest time");
}

static bool take_block(struct scan *scan, struct record *record)
{
    record->blocks = alloc_grow(record->blocks, record->n, &record->capacity, sizeof *record->blocks);
    struct record_block *block = &record->blocks[record->n++];
    *block = (struct record_block){0};
    int64_t n;
    return take_text(scan, "the name of a block", &block->name) && take_argument(scan, block) &&
           take_count(scan, 1, INT64_MAX, "a count above 0", &block->count) &&
           take_number(scan, 0, "the shortest time", &block->minimum) &&
           take_number(scan, block->minimum, "a longest time not below the shortest", &block->maximum) &&
           take_number(scan, 0, "a sum of times", &block->sum) &&
           take_count(scan, 1, INDEX_MOST + 1, "a number of bins", &n) && take_bins(scan, block, (size_t)n);
}

static bool take_record(struct scan *scan, struct record *record)
{
    if (!take_head(scan, record))
        return false;
    for (;;) {
        struct word word = next_word(scan);
        int64_t n;
        if (word_is(scan, word, "block")) {
            if (!take_block(scan, record))
                return false;
        } else if (word_is(scan, word, "end")) {
            if (!take_count(scan, (int64_t)record->n, (int64_t)record->n, "the number of blocks above", &n))
                return false;
            word = next_word(scan);
            return word.n == 0 || refuse(scan, word, "nothing after the end");
        } else {
            return refuse(scan, word, "`block` or `end`");
        }
    }
}

/* ---- whole ---- */

static enum status read_source(struct record *record, const struct source *source, struct diags *diags)
{
    struct scan scan = {source, 0, diags};
    record->path = alloc_string(source->name);
    return take_record(&scan, record) ? STATUS_OK : STATUS_SCHEMA;
}

enum status record_read(struct record *record, const char *path, struct diags *diags)
{
    struct source *source;
    *record = (struct record){0};
    enum status status = source_read(&source, path, diags);
    if (status != STATUS_OK)
        return status;
    status = read_source(record, source, diags);
    source_destroy(source);
    return status;
}

enum status record_read_text(struct record *record, const char *name, const char *text, size_t length,
                             struct diags *diags)
{
    struct source *source = source_from_text(name, text, length);
    *record = (struct record){0};
    enum status status = read_source(record, source, diags);
    source_destroy(source);
    return status;
}

void record_free(struct record *record)
{
    for (size_t i = 0; i < record->n; i++) {
        free(record->blocks[i].name);
        free(record->blocks[i].bins);
    }
    for (size_t i = 0; i < record->n_strays; i++) {
        free(record->strays[i].name);
        free(record->strays[i].file);
    }
    free(record->strays);
    free(record->blocks);
    free(record->path);
    free(record->host);
    *record = (struct record){0};
}

void record_bin_range(int64_t index, double *low, double *high)
{
    int shift = index < 2 * RECORD_BINS ? 0 : (int)(index / RECORD_BINS) - 1;
    double first = (double)(index - (int64_t)shift * RECORD_BINS);
    *low = ldexp(first, shift);
    *high = ldexp(first + 1, shift);
}

int64_t record_bin_of(double ns)
{
    int shift = ns < 2 * RECORD_BINS ? 0 : ilogb(ns) - ilogb(RECORD_BINS);
    return (int64_t)shift * RECORD_BINS + (int64_t)ldexp(ns, -shift);
}
