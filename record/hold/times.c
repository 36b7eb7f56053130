#include "record/times.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the computations before one call, those that are of a measured(...). */
struct share {
    const struct recorded_node *node;
    int32_t serial;             /* program->serials; -1: none; -2: of several names */
    int64_t n;                  /* executions that are */
    double argument;            /* sum over these */
    double more;                /* s, sum: computed beside, before other calls */
    double here;                /* s, of all in the group that is looked at */
};

/* Items of both sides that belong together: [0, n) */
struct group {
    size_t n_said, n_ran;
    const struct call_item *said, *ran;
};

static double mean_of(const struct times *times, const struct recorded_times *of)
{
    if (times->processor && of->processor_n > 0)
        return of->processor / (double)of->processor_n;
    return of->wall / (double)of->n;
}

/* ---- what is measured between two calls ---- */

static void warn_mixed(struct times *times, const struct program *program, int32_t a, int32_t b, struct diags *diags)
{
    const struct site *at = &program->sites[program->serials[b].site];
    for (size_t i = 0; i < times->n_mixed; i++)
        if (times->mixed[i] == at->statement)
            return;
    times->mixed = alloc_grow(times->mixed, times->n_mixed, &times->mixed_capacity, sizeof *times->mixed);
    times->mixed[times->n_mixed++] = at->statement;
    diag_warning(diags, at->at,
                 "between two calls this cannot be told from measured(%s): neither gets times from there",
                 program->serials[a].measured);
}

/* The one serial of a group and what its arguments add up to; n: how often. -1: none; -2: of several names. */
static int32_t measured_in(struct times *times, const struct program *program, const struct group *group, int64_t *n,
                           double *argument, struct diags *diags)
{
    int32_t found = -1;
    *n = 0;
    *argument = 0;
    for (size_t i = 0; i < group->n_said; i++) {
        int32_t serial = group->said[i].kind == ITEM_COMPUTED ? group->said[i].serial : -1;
        if (serial < 0 || program->serials[serial].kind != SERIAL_measured)
            continue;
        if (found >= 0 && strcmp(program->serials[found].measured, program->serials[serial].measured) != 0) {
            warn_mixed(times, program, found, serial, diags);
            return -2;
        }
        found = serial;
        *argument += group->said[i].argument;
        ++*n;
    }
    return found;
}

/* The node before whose calls most was computed, and how many these are; more: what was computed before others. */
static const struct recorded_node *longest_in(const struct times *times, const struct group *group,
                                              struct share shares[], int64_t *count, double *more)
{
    const struct recorded_node *longest = NULL;
    double all = 0;
    *count = 0;
    for (size_t i = 0; i < group->n_ran; i++)
        if (group->ran[i].kind == ITEM_COMPUTED)
            shares[group->ran[i].node->number].here = 0;
    for (size_t i = 0; i < group->n_ran; i++) {
        const struct recorded_node *node = group->ran[i].node;
        if (group->ran[i].kind != ITEM_COMPUTED)
            continue;
        all += mean_of(times, &node->times);
        shares[node->number].here += mean_of(times, &node->times);
        if (!longest || shares[node->number].here > shares[longest->number].here)
            longest = node;
    }
    for (size_t i = 0; longest && i < group->n_ran; i++)
        *count += group->ran[i].kind == ITEM_COMPUTED && group->ran[i].node == longest;
    *more = longest ? fmax(all - shares[longest->number].here, 0) : 0;
    return longest;
}

static void take_group(struct times *times, const struct program *program, const struct group *group,
                       struct share shares[], struct diags *diags)
{
    int64_t said, ran;
    double argument, more;
    int32_t serial = measured_in(times, program, group, &said, &argument, diags);
    const struct recorded_node *node = longest_in(times, group, shares, &ran, &more);
    if (serial == -1 || !node)
        return;
    struct share *share = &shares[node->number];
    if (share->node && share->serial >= 0 && serial >= 0 &&
        strcmp(program->serials[share->serial].measured, program->serials[serial].measured) != 0) {
        warn_mixed(times, program, share->serial, serial, diags);
        serial = -2;
    }
    share->serial = share->node && share->serial == -2 ? -2 : serial;
    share->node = node;
    int64_t n = said < ran ? said : ran;
    share->n += n;
    share->argument += said > 0 ? argument * (double)n / (double)said : 0;
    share->more += more;
}

static size_t waits_in(size_t n, const struct call_item items[])
{
    size_t waits = 0;
    for (size_t i = 0; i < n; i++)
        waits += items[i].kind == ITEM_WAIT;
    return waits;
}

/* Items up to the next wait, and past it. */
static size_t next_part(const struct call_item **items, size_t *n)
{
    size_t part = 0;
    while (part < *n && (*items)[part].kind != ITEM_WAIT)
        part++;
    size_t past = part < *n ? part + 1 : part;
    *items += past;
    *n -= past;
    return part;
}

/* What lies between two calls; waits cut it where both sides have as many of them. */
static void take_between(struct times *times, const struct program *program, struct group between,
                         struct share shares[], struct diags *diags)
{
    size_t waits = waits_in(between.n_said, between.said);
    if (waits != waits_in(between.n_ran, between.ran)) {
        take_group(times, program, &between, shares, diags);
        return;
    }
    for (size_t i = 0; i <= waits; i++) {
        struct group group = {.said = between.said, .ran = between.ran};
        group.n_said = next_part(&between.said, &between.n_said);
        group.n_ran = next_part(&between.ran, &between.n_ran);
        take_group(times, program, &group, shares, diags);
    }
}

/* ---- histograms ---- */

/* A histogram while values leave it, with room for one bin more. */
struct kept {
    size_t first, end;          /* bins that have some left */
    struct recorded_bin *bins;
    int64_t n;
    double sum;                 /* s */
};

static struct kept keep_all(const struct times *times, const struct recorded_times *of)
{
    struct kept kept = {.end = of->n_bins > 0 ? of->n_bins : 1, .n = of->n, .sum = mean_of(times, of) * (double)of->n};
    kept.bins = alloc_array(kept.end + 1, sizeof *kept.bins);
    if (of->n_bins > 0)
        memcpy(kept.bins, of->bins, of->n_bins * sizeof *of->bins);
    else
        kept.bins[0] = (struct recorded_bin){kept.sum, kept.sum + 1e-9, of->n};
    return kept;
}

static double middle(const struct recorded_bin *bin)
{
    return (bin->low + bin->high) / 2;
}

static double median_of(const struct kept *kept)
{
    int64_t passed = 0;
    size_t i = kept->first;
    while (i + 1 < kept->end && 2 * (passed + kept->bins[i].count) < kept->n)
        passed += kept->bins[i++].count;
    return middle(&kept->bins[i]);
}

/* Takes `n` values away, the one that is further from the median by its ratio first. */
static void leave_extremes(struct kept *kept, int64_t n)
{
    double median = median_of(kept);
    while (n > 0 && kept->n > n) {
        struct recorded_bin *low = &kept->bins[kept->first], *high = &kept->bins[kept->end - 1];
        struct recorded_bin *out = median * median > middle(low) * middle(high) ? low : high;
        int64_t count = out->count < n ? out->count : n;
        out->count -= count;
        kept->n -= count;
        kept->sum -= (double)count * middle(out);
        n -= count;
        kept->first += out == low && low->count == 0;
        kept->end -= out == high && out != low && high->count == 0;
    }
}

static double sum_of(const struct kept *kept)
{
    double sum = 0;
    for (size_t i = kept->first; i < kept->end; i++)
        sum += (double)kept->bins[i].count * middle(&kept->bins[i]);
    return sum;
}

/* The bins are of the processor's time, the sum and the longest time of the wall clock's: what that has beyond them are
 * interruptions. As few of them as the longest one allows come in, for values of the most frequent kind. */
static void add_interruptions(struct kept *kept, double longest)
{
    struct recorded_bin *usual = &kept->bins[kept->first], *last = &kept->bins[kept->end - 1];
    for (size_t i = kept->first; i < kept->end; i++)
        usual = kept->bins[i].count > usual->count ? &kept->bins[i] : usual;
    double each = longest - middle(usual);
    int64_t n = each > 0 ? (int64_t)((kept->sum - sum_of(kept)) / each) : 0;
    n = n < usual->count / 2 ? n : usual->count / 2;
    if (n < 1 || longest < last->high)
        return;
    usual->count -= n;
    kept->bins[kept->end++] = (struct recorded_bin){longest, longest * (1 + 1e-6), n};
}

static void add_bin(struct record_block *block, size_t *capacity, int64_t index, int64_t count)
{
    if (count == 0)
        return;
    if (block->n > 0 && block->bins[block->n - 1].index >= index) {
        block->bins[block->n - 1].count += count;
        return;
    }
    block->bins = alloc_grow(block->bins, block->n, capacity, sizeof *block->bins);
    block->bins[block->n++] = (struct bin){index, count};
}

/* Values `factor` times as long and `more` longer, evenly over the finer bins of a record. */
static void fill(struct record_block *block, const struct kept *kept, double factor, double more)
{
    size_t capacity = 0;
    for (size_t i = kept->first; i < kept->end; i++) {
        const struct recorded_bin *bin = &kept->bins[i];
        int64_t low = record_bin_of(1e9 * (bin->low * factor + more));
        int64_t high = record_bin_of(1e9 * (bin->high * factor + more) * (1 - 1e-9));
        int64_t wide = high > low ? high - low + 1 : 1;
        for (int64_t k = 0; k < wide; k++)
            add_bin(block, &capacity, low + k, (int64_t)((double)bin->count * (double)(k + 1) / (double)wide) -
                                                   (int64_t)((double)bin->count * (double)k / (double)wide));
    }
    double unused;
    record_bin_range(block->bins[0].index, &block->minimum, &unused);
    record_bin_range(block->bins[block->n - 1].index, &unused, &block->maximum);
    block->maximum -= block->maximum - 1 > block->minimum ? 1 : 0;
}

static void add_block(struct times *times, struct record *record, const struct program *program,
                      const struct share *share)
{
    const struct serial_ref *serial = &program->serials[share->serial];
    struct kept kept = keep_all(times, &share->node->times);
    leave_extremes(&kept, kept.n - share->n);
    if (!times->processor)
        add_interruptions(&kept, share->node->times.wall_most);
    double sum = sum_of(&kept), more = share->more / (double)share->n;
    record->blocks = alloc_grow(record->blocks, record->n, &record->capacity, sizeof *record->blocks);
    struct record_block *block = &record->blocks[record->n++];
    *block = (struct record_block){.name = alloc_string(serial->measured), .has_argument = serial->n > 0,
                                   .argument = serial->n > 0 ? share->argument / (double)share->n : 0,
                                   .count = kept.n};
    kept.sum = fmax(kept.sum, 0);
    fill(block, &kept, sum > 0 ? kept.sum / sum : 1, more);
    block->sum = 1e9 * (kept.sum + more * (double)kept.n);
    free(kept.bins);
}

/* ---- a process ---- */

static double window_of(size_t n, const struct recorded_node nodes[])
{
    double window = 0;
    for (size_t i = 0; i < n; i++)
        window += nodes[i].loop ? window_of(nodes[i].n_body, nodes[i].body)
                                : nodes[i].times.wall + nodes[i].times.inside;
    return window;
}

/* Behind the last call that the program says: up to the next computation, past as many waits as the program has there.
 * What comes then is no part of the program, though the calls that tell may be left out of `ran`. */
static size_t end_of(const struct calls *ran, size_t from, size_t most, size_t waits)
{
    size_t at = from;
    while (at < most && (waits > 0 || ran->items[at].kind != ITEM_COMPUTED))
        waits -= ran->items[at++].kind == ITEM_WAIT && waits > 0;
    return at < most ? at + 1 : most;
}

void times_take(struct times *times, const struct program *program, const struct recording *recording, int process,
                const struct calls *said, const struct calls *ran, size_t start, struct diags *diags)
{
    const struct recorded_process *of = &recording->processes[process];
    struct share *shares = alloc_zeroed((size_t)of->n_calls + 1, sizeof *shares);
    for (size_t i = 0; i <= said->n; i++) {
        size_t k = start + i;
        size_t said_from = i > 0 ? said->list[i - 1].items : 0, ran_from = k > 0 ? ran->list[k - 1].items : 0;
        size_t said_to = i < said->n ? said->list[i].items : said->n_items;
        size_t ran_to = k < ran->n ? ran->list[k].items : ran->n_items;
        if (i == said->n && said->n > 0)
            ran_to = end_of(ran, ran_from, ran_to, waits_in(said_to - said_from, said->items + said_from));
        struct group between = {said_to - said_from, ran_to - ran_from, said->items + said_from, ran->items + ran_from};
        if (between.n_said > 0 && between.n_ran > 0)
            take_between(times, program, between, shares, diags);
    }
    times->records = alloc_grow(times->records, times->n, &times->capacity, sizeof *times->records);
    struct record *record = &times->records[times->n++];
    *record = (struct record){.path = alloc_string(recording->name), .host = alloc_string(of->host), .rank = process,
                              .overhead = 1e9 * of->clock, .window = 1e9 * window_of(of->n, of->nodes)};
    for (int i = 0; i < of->n_calls; i++)
        if (shares[i].node && shares[i].serial >= 0)
            add_block(times, record, program, &shares[i]);
    free(shares);
}

void times_free(struct times *times)
{
    for (size_t i = 0; i < times->n; i++)
        record_free(&times->records[i]);
    free(times->records);
    free(times->mixed);
    *times = (struct times){0};
}
