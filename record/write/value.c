#include "record/proof.h"
#include "record/table.h"
#include "record/write/writer_impl.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MOST = 4000 };   /* of one value: beyond these the first ones count */

const char *const writer_loops[FIT_LOOPS] = {"i", "j", "k", "l", "loop5", "loop6", "loop7", "loop8"};

void samples_add(struct samples *samples, const struct fit_sample *sample)
{
    samples->list = alloc_grow(samples->list, samples->n, &samples->capacity, sizeof *sample);
    samples->list[samples->n++] = *sample;
}

unsigned samples_levels(const struct series *series, int level)
{
    if (!series)
        return 0;
    unsigned levels = series->n > 1 && level < FIT_LOOPS ? 1U << level : 0;
    for (size_t i = 0; i < series->n; i++)
        levels |= samples_levels(series->runs[i].of, level + 1);
    return levels;
}

/* The next of the trips of a run that are looked at. Where nothing depends on the loop its ends are enough. Where
 * something does, a formula may be right at both ends and wrong between them, such as one bit of a number: powers of
 * two show that soon, so that the first INNER_MOST trips are looked at. */
static int64_t next_trip(int64_t trip, int64_t count, bool dense)
{
    enum { INNER_MOST = 6 };
    return dense && trip + 1 < INNER_MOST ? trip + 1 : trip + 1 < count - 1 ? count - 1 : trip + 1;
}

void samples_add_series(struct samples *samples, const struct series *series, int level, int depth, unsigned dense,
                        struct fit_sample *sample)
{
    if (!series)
        return;
    if (level == depth) {
        sample->value = series->value;
        if (samples->n >= SAMPLES_MOST)
            return;
        samples_add(samples, sample);
        return;
    }
    int64_t at = 0, trips = 0;
    for (size_t i = 0; i < series->n; i++)
        trips += series->runs[i].count;
    for (size_t i = 0; i < series->n; at += series->runs[i++].count)
        for (int64_t trip = 0; trip < series->runs[i].count;
             trip = next_trip(trip, series->runs[i].count, level < FIT_LOOPS && (dense >> level & 1))) {
            if (level < FIT_LOOPS) {
                const unsigned bit = 1U << level;
                sample->index[level] = at + trip;
                sample->trips[level] = trips;
                sample->between = trip > 0 && trip < series->runs[i].count - 1 ? sample->between | bit
                                                                               : sample->between & ~bit;
            }
            samples_add_series(samples, series->runs[i].of, level + 1, depth, dense, sample);
        }
}

/* comm: whose ranks the values are of; -1 MPI_COMM_WORLD. */
void samples_add_instance(const struct writer *writer, struct samples *samples, size_t instance,
                          const struct series *series, enum meaning meaning, int comm, unsigned dense)
{
    const struct template *template = writer->template;
    struct fit_sample sample = {.procnum = template->instances[instance].rank,
                                .world = template->instances[instance].rank,
                                .numprocs = writer_ranks(template, instance),
                                .recording = template->instances[instance].recording};
    if (comm >= 0) {
        const struct recorded_comm *of =
            &writer_process(template, instance)->comms[writer->comms[comm].number[instance]];
        sample.procnum = of->rank;
        sample.numprocs = of->size;
    }
    size_t first = samples->n;
    samples_add_series(samples, series, 0, writer->depth, dense, &sample);
    for (size_t i = first; i < samples->n && meaning != MEANS_NUMBER; i++) {
        int64_t value = samples->list[i].value;
        if (meaning == MEANS_PEER && value < 0)
            samples->list[i].value = value == PEER_NULL ? FIT_NULL : value == PEER_ANY ? FIT_ANY : FIT_SOURCE;
        if (meaning == MEANS_TAG && value == TAG_ANY)
            samples->list[i].value = FIT_ANY;
    }
}

const char *writer_table(struct writer *writer, const struct fit_names *names, struct samples *samples,
                         const char *beyond, bool tag, bool *everywhere)
{
    size_t ends = 0;
    for (size_t i = 0; i < samples->n; i++)
        if (samples->list[i].between == 0)
            samples->list[ends++] = samples->list[i];
    samples->n = ends;
    /* processes of one rank in communicators of one name may differ: what tells them apart is who they are among all */
    struct fit_names by = *names;
    qsort(samples->list, samples->n, sizeof *samples->list, fit_sample_compare);
    bool differ = false;
    for (size_t i = 1; i < samples->n && !differ; i++) {
        const struct fit_sample *a = &samples->list[i - 1], *b = &samples->list[i];
        differ = a->recording == b->recording && a->procnum == b->procnum && a->world != b->world;
    }
    for (size_t i = 0; i < samples->n && differ; i++)
        samples->list[i].procnum = samples->list[i].world;
    by.procnum = differ ? "procnum" : by.procnum;
    const struct template *template = writer->template;
    return table_write(&by, samples->n, samples->list, template->n_recordings, template->recordings, beyond, tag, everywhere,
                       &writer->memory);
}

struct fit_names writer_names(struct writer *writer, int comm, enum meaning meaning)
{
    struct fit_names names = {.procnum = "procnum", .numprocs = "numprocs", .source = "sender", .loop = writer_loops,
                              .counts = writer->n_counts > 1 ? writer->counts : NULL,
                              .any = meaning == MEANS_TAG ? "MPI_ANY_TAG" : "MPI_ANY_SOURCE", .n_params = writer->n_params,
                              .param = writer->params, .values = (const int64_t *const *)writer->param_values,
                              .n_loops = writer->depth < FIT_LOOPS ? writer->depth : FIT_LOOPS, .trips = writer->trips,
                              .grids = writer->grids, .prefers = writer->prefers, .last_first = writer->last_first,
                              .places = &writer->places,
                              .n_laws = writer->n_laws, .laws = writer->laws, .sign = writer->sign, .number = meaning != MEANS_PEER,
                              .in_line = writer->in_line, .direction = writer->direction, .inside = writer->inside,
                              .constants = writer_gives_up(writer)};
    if (comm >= 0) {
        names.places = NULL; /* how many a communicator has of other counts, nobody knows */
        names.inside = NULL;
        names.trips = NULL; /* their formulas are over all processes */
        char *text = alloc_format("procnum_in(%s)", writer->comms[comm].name);
        names.procnum = arena_string_n(&writer->memory, text, strlen(text));
        free(text);
        text = alloc_format("numprocs_in(%s)", writer->comms[comm].name);
        names.numprocs = arena_string_n(&writer->memory, text, strlen(text));
        free(text);
    }
    return names;
}

void writer_say_of(struct writer *writer, struct said_of *said, const char *what, int site)
{
    if (said->n++ == 0)
        said->first = writer_keep(writer, alloc_format("%s at %s", what, writer_place(writer, site)));
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

void writer_note_formula(struct writer *writer, const char *text, const struct fit_other *other, const char *what,
                         int site)
{
    const char *unconfirmed = writer->n_counts > 1 && !other->alone ? other->unconfirmed : NULL; /* else all is said at once */
    writer->taken = other->grids;
    writer->gridded += other->grids != 0;
    writer->divided += (other->divides & GRID_BIT(writer->prefers)) != 0;
    writer->foreign += (other->grids & ~GRID_BIT(writer->prefers)) != 0;
    if (other->alone && writer->n_counts > 1)
        writer_say_of(writer, &writer->alone, what, site);
    if (other->uneven > 0 && !other->text) {
        writer_say_of(writer, &writer->uneven, what, site);
        if (writer->uneven_at == 0 || other->uneven < writer->uneven_at)
            writer->uneven_at = other->uneven;
    }
    if (!other->text && !unconfirmed)
        return;
    for (size_t i = 0; i < writer->n_doubts; i++) {
        const struct doubt *doubt = &writer->doubts[i];
        if (strcmp(doubt->text, text) == 0 && same_text(doubt->other, other->text) &&
            same_text(doubt->unconfirmed, unconfirmed)) {
            writer->doubts[i].n++;
            return;
        }
    }
    writer->doubts = alloc_grow(writer->doubts, writer->n_doubts, &writer->doubts_capacity, sizeof *writer->doubts);
    writer->doubts[writer->n_doubts++] = (struct doubt){
        .text = text, .other = other->text, .unconfirmed = unconfirmed, .beyond = other->beyond, .cheaper = other->cheaper,
        .where = writer_keep(writer, alloc_format("%s at %s", what, writer_place(writer, site))), .n = 1};
}

/* Counts that were not recorded, the least that a program may not run at, and the least that it does: "6 or 16". */
static const char *counts_text(struct writer *writer, int cheaper, int beyond)
{
    return writer_keep(writer, cheaper > 0 ? alloc_format("%d or %d", cheaper, beyond) : alloc_format("%d", beyond));
}

/* Those of any formula. */
static const char *new_counts(struct writer *writer)
{
    int least[2] = {0};
    for (size_t i = 0; i < writer->places.n; i++) {
        const struct fit_place *place = &writer->places.list[i];
        int *of = &least[place->cheaper];
        *of = *of == 0 || place->numprocs < *of ? place->numprocs : *of;
    }
    return counts_text(writer, least[true], least[false]);
}

/* ", as at 3 more places," or "" behind the first. */
static const char *more_text(struct writer *writer, const struct said_of *said)
{
    return said->n == 1 ? "" : writer_keep(writer, alloc_format(", as at %zu more place%s,", said->n - 1, said->n == 2 ? "" : "s"));
}

static void remark_doubt(struct writer *writer, const struct doubt *doubt)
{
    const struct said_of places = {.n = doubt->n};
    const char *more = more_text(writer, &places);
    if (doubt->other) {
        writer_remark(writer, "%s%s is written as %s, but %s gives the same at the recorded counts; they differ at %d "
                      "processes%s: record at %s to tell", doubt->where, more, doubt->text, doubt->other, doubt->beyond,
                      doubt->unconfirmed ? ", and the values are too few to confirm either" : "",
                      counts_text(writer, doubt->cheaper, doubt->beyond));
        return;
    }
    const bool part = strcmp(doubt->unconfirmed, doubt->text) != 0;
    writer_remark(writer, "%s%s is written as %s: it gives what was recorded, but nothing confirms %s%s, for of the formulas that "
                  "are tried some one gives almost any values that are so few; record at %s to tell", doubt->where, more,
                  doubt->text, part ? doubt->unconfirmed : "it", part ? " in it" : "", new_counts(writer));
}

/* What is known of as many counts as it takes numbers, or fewer: said once for all places. */
static void remark_counts(struct writer *writer)
{
    const int one = writer->template->recordings[0].ranks;
    const struct said_of *alone = &writer->alone, *uneven = &writer->uneven, *times = &writer->times, *limits = &writer->limits;
    if (writer->n_counts == 1)
        writer_remark(writer, "all was recorded at %d process%s: what changes with their number is not known, and what this program "
                      "says of other counts is confirmed by nothing; record at another count, too", one, one == 1 ? "" : "es");
    if (alone->n > 0)
        writer_remark(writer, "%s%s was seen at one count alone and is taken to be the same at others, which nothing confirms: record "
                      "at %s to tell", alone->first, more_text(writer, alone), new_counts(writer));
    if (uneven->n > 0)
        writer_remark(writer, "%s%s is a share that leaves no remainder at the recorded counts, which are powers of two: at others, such "
                      "as %d, who has more or less than that is not known, and the program gives all the same; to predict there, record "
                      "at %d, too", uneven->first, more_text(writer, uneven), writer->uneven_at, writer->uneven_at);
    if (limits->n > 0)
        writer_remark(writer, "%s%s is the same number in all recordings, whatever their sizes: if the program leaves that loop when "
                      "a result is good enough, it is the most that it allows, and another size may leave earlier; record at that "
                      "size, too", limits->first, more_text(writer, limits));
    if (times->n > 0)
        writer_remark(writer, "%s%s follows a formula of as many numbers as it was seen at counts: it gives their means, whatever they are, "
                      "and nothing confirms it; record at %s, too", times->first, more_text(writer, times), new_counts(writer));
}

void writer_remark_doubts(struct writer *writer)
{
    /* of which formula is meant nobody needs to know where chance decides */
    for (size_t i = 0; i < writer->n_doubts; i++) {
        writer->result->n_doubts += writer->doubts[i].other != NULL;
        if (!writer_gives_up(writer))
            remark_doubt(writer, &writer->doubts[i]);
    }
    remark_counts(writer);
    free(writer->doubts);
}

/* Do the values not depend on the trips of a loop? sorted: room for as many samples. */
static bool is_same_in(const struct samples *samples, int loop, struct fit_sample sorted[])
{
    for (size_t i = 0; i < samples->n; i++) {
        sorted[i] = samples->list[i];
        sorted[i].index[loop] = 0;
    }
    qsort(sorted, samples->n, sizeof *sorted, fit_sample_compare);
    for (size_t i = 1; i < samples->n; i++)
        if (sorted[i].value != sorted[i - 1].value && fit_sample_compare(&sorted[i], &sorted[i - 1]) == 0)
            return false;
    return true;
}

void writer_leave_loops(struct writer *writer, struct samples *samples, struct fit_names *names)
{
    struct fit_sample *sorted = alloc_array(samples->n + 1, sizeof *sorted);
    const char **left = arena_alloc(&writer->memory, FIT_LOOPS, sizeof *left), **trips = arena_alloc(&writer->memory, FIT_LOOPS, sizeof *trips);
    int n = 0;
    for (int loop = 0; loop < names->n_loops; loop++) {
        bool same = !(writer->decisive >> loop & 1) && is_same_in(samples, loop, sorted);
        size_t kept = 0;
        for (size_t i = 0; i < samples->n && same; i++) {
            sorted[i].between &= ~(1U << loop);
            if (i == 0 || fit_sample_compare(&sorted[i], &sorted[i - 1]) != 0)
                samples->list[kept++] = sorted[i];
            else
                samples->list[kept - 1].between &= sorted[i].between;
        }
        if (same) {
            samples->n = kept;
            continue;
        }
        for (size_t i = 0; i < samples->n && loop != n; i++) {
            const unsigned bits = samples->list[i].between, here = bits >> loop & 1;
            samples->list[i].between = (bits & ~(1U << loop) & ~(1U << n)) | here << n;
            samples->list[i].index[n] = samples->list[i].index[loop];
            samples->list[i].index[loop] = 0;
            samples->list[i].trips[n] = samples->list[i].trips[loop];
        }
        trips[n] = names->trips ? names->trips[loop] : NULL;
        left[n++] = names->loop[loop];
    }
    names->n_loops = n;
    names->loop = left;
    names->trips = trips;
    free(sorted);
}

/* ---- means of sizes that follow the data ---- */

/* The sum of a series, each value as often as it is there. */
static double series_sum(const struct series *series)
{
    double sum = series->n == 0 ? (double)series->value : 0;
    for (size_t i = 0; i < series->n; i++)
        sum += !series->runs[i].of ? 0 : (double)series->runs[i].count * series_sum(series->runs[i].of);
    return sum;
}

/* The number of values in it. */
static double series_values(const struct series *series)
{
    double n = series->n == 0;
    for (size_t i = 0; i < series->n; i++)
        n += !series->runs[i].of ? 0 : (double)series->runs[i].count * series_values(series->runs[i].of);
    return n;
}

/* The value furthest from a mean, as a part of it. */
static double series_spread(const struct series *series, double mean)
{
    double most = series->n == 0 ? fabs((double)series->value / mean - 1) : 0;
    for (size_t i = 0; i < series->n; i++)
        most = series->runs[i].of ? fmax(most, series_spread(series->runs[i].of, mean)) : most;
    return most;
}

/* Sizes that are further from their mean are not all one: more than what is lost by dividing, less than a byte of any message. */
#define SAME_SPREAD 1e-12

/* A mean of sizes: as a formula over the counts, bytes; NULL: none to be believed. */
struct mean {
    const char *text;
    double error, spread;       /* of the formula; of the sizes of one count */
    const char *doubtful;       /* said of it behind what it is; "" */
};

/* That of writer->sized, over all processes and calls. */
static struct mean mean_size(struct writer *writer, const struct fit_names *names)
{
    const struct template *template = writer->template;
    struct samples means = {0};
    struct mean mean = {0};
    for (size_t r = 0; r < template->n_recordings; r++) {
        double sum = 0, n = 0;
        for (size_t k = 0; k < template->n_instances; k++)
            if (writer->sized->of[k] && template->instances[k].recording == (int)r) {
                sum += series_sum(writer->sized->of[k]->field[FIELD_bytes]);
                n += series_values(writer->sized->of[k]->field[FIELD_bytes]);
            }
        if (sum == 0)
            continue;
        /* us for bytes */
        struct fit_sample sample = fit_time_sample(template->recordings[r].ranks, (int)r, 1e-6 * sum / n);
        samples_add(&means, &sample);
        for (size_t k = 0; k < template->n_instances; k++)
            if (writer->sized->of[k] && template->instances[k].recording == (int)r)
                mean.spread = fmax(mean.spread, series_spread(writer->sized->of[k]->field[FIELD_bytes], sum / n));
    }
    mean.text = means.n > 1 ? fit_time(means.n, means.list, names, &mean.error, &writer->memory) : NULL;
    mean.text = mean.text && mean.error <= FIT_MEAN_ERROR ? mean.text : NULL;
    mean.doubtful = mean.text && !fit_time_confirmed(means.n, means.list, names, mean.text)
                        ? ", but nothing confirms it, for it has as many numbers as there are counts" : "";
    free(means.list);
    return mean;
}

/* Of more values than a table holds: the mean of each process at the recorded counts, or of all together where these are too many,
 * and `beyond` at others. */
static const char *table_of_means(struct writer *writer, const char *beyond, const char *what, const char *place)
{
    const struct template *template = writer->template;
    const struct fit_names names = {.procnum = "procnum", .numprocs = "numprocs", .n_params = writer->n_params,
                                    .param = writer->params, .values = (const int64_t *const *)writer->param_values};
    struct samples means = {0};
    double furthest = 0;
    for (size_t k = 0; k < template->n_instances; k++) {
        const struct series *sizes = writer->sized->of[k] ? writer->sized->of[k]->field[FIELD_bytes] : NULL;
        if (!sizes)
            continue;
        const double mean = series_sum(sizes) / series_values(sizes);
        const struct fit_sample sample = {.procnum = template->instances[k].rank, .world = template->instances[k].rank,
                                          .numprocs = writer_ranks(template, k), .recording = template->instances[k].recording,
                                          .value = llround(mean)};
        furthest = mean > 0 ? fmax(furthest, series_spread(sizes, mean)) : furthest;
        samples_add(&means, &sample);
    }
    const char *text = table_write(&names, means.n, means.list, template->n_recordings, template->recordings, beyond, false, NULL,
                                   &writer->memory);
    if (text) {
        writer->result->meant = true;
        writer_remark(writer, "%s at %s follows the data, and has more values than a table holds: at the recorded counts the mean of each "
                      "process stands for it, from which single ones differ by up to %.0f %%; --check of these recordings needs "
                      "--sizes any", what, place, 100 * furthest);
    }
    free(means.list);
    return text;
}

/* What no formula says: a table, or of a size a mean. */
static const char *without_formula(struct writer *writer, struct samples *samples, const struct fit_names *names,
                                   enum meaning meaning, const char *what, const char *place)
{
    const struct mean mean = writer->sized ? mean_size(writer, names) : (struct mean){0};
    const char *rounded = mean.text ? writer_keep(writer, alloc_format("round(%s)", mean.text)) : NULL;
    const char *beyond = mean.spread <= FIT_MEAN_SPREAD ? rounded : NULL;
    if (mean.text && writer->means) {
        writer_remark(writer, "%s at %s follows the data: its mean over all processes stands for it, %s bytes, which "
                      "is what was recorded within %.1f %%%s; that processes differ is left out", what, place, mean.text,
                      100 * mean.error, mean.doubtful);
        return rounded;
    }
    bool everywhere;
    const char *text = writer_table(writer, names, samples, beyond, meaning == MEANS_TAG, &everywhere);
    if (text && everywhere) {
        writer_remark(writer, "%s at %s follows no formula that was tried, but is the same at all recorded counts: that stands for "
                      "others, too", what, place);
        return text;
    }
    writer->result->n_tables++;
    if (text && beyond && mean.spread < SAME_SPREAD)
        writer_remark(writer, "%s at %s is the same in all processes, but has too few values to believe a formula: it is a table at "
                      "the recorded counts, and at others %s bytes, which is what was recorded within %.1f %%%s; record at %s "
                      "to tell", what, place, mean.text, 100 * mean.error, mean.doubtful, new_counts(writer));
    else if (text && beyond)
        writer_remark(writer, "%s at %s follows the data: it is a table at the recorded counts, and at others its mean "
                      "over all processes stands for it, %s bytes, which is what was recorded within %.1f %%%s; "
                      "`--sizes mean` writes that alone", what, place, mean.text, 100 * mean.error, mean.doubtful);
    else if (text)
        writer_remark(writer, "%s at %s follows no formula that was tried: it stays a table, valid at the recorded "
                      "counts", what, place);
    if (!text && writer->sized)
        text = table_of_means(writer, beyond, what, place);
    if (text && mean.text && !beyond)
        writer_remark(writer, "%s at %s differs by up to %.0f %% from its mean over all processes, which is %s bytes "
                      "within %.1f %%%s: `--sizes mean` writes that", what, place, 100 * mean.spread, mean.text,
                      100 * mean.error, mean.doubtful);
    return text;
}

/* A formula of who a process is among all, where there is none of his rank in the communicator: of the diagonal of a grid, whose
 * processes are roots in their rows. NULL: none. names: as the samples have lost their loops. */
static const char *fit_among_all(struct writer *writer, const struct samples *samples, const struct fit_names *names,
                                 enum meaning meaning, struct fit_other *other)
{
    struct fit_names among = writer_names(writer, -1, meaning);
    struct samples all = {0};
    among.n_loops = names->n_loops;
    among.loop = names->loop;
    among.trips = names->trips;
    for (size_t i = 0; i < samples->n; i++) {
        struct fit_sample sample = samples->list[i];
        sample.procnum = sample.world;
        sample.numprocs = writer->template->recordings[sample.recording].ranks;
        samples_add(&all, &sample);
    }
    const char *text = writer_fit(writer, &all, &among, other);
    free(all.list);
    return text;
}

/* A value of a call as text: a formula, or a table with a remark. what: "the size of MPI_Send". */
const char *writer_expression(struct writer *writer, struct samples *samples, int comm, enum meaning meaning,
                              const char *what, int site)
{
    struct fit_names names = writer_names(writer, comm, meaning);
    struct fit_other other;
    writer_leave_loops(writer, samples, &names);
    const char *text = writer_fit(writer, samples, &names, &other);
    if (!text && comm >= 0)
        text = fit_among_all(writer, samples, &names, meaning, &other);
    if (text) {
        writer_note_formula(writer, text, &other, what, site);
        return text;
    }
    writer->taken = 0;
    text = without_formula(writer, samples, &names, meaning, what, writer_place(writer, site));
    if (text)
        return text;
    writer_remark(writer, "%s at %s differs from call to call in a way that is neither a formula nor a short table",
                  what, writer_place(writer, site));
    diag_error(writer->diags, place_of_file(NULL),
               "%s at %s differs from call to call in a way that cannot be written: "
               "record fewer steps",
               what, writer_place(writer, site));
    writer->status = STATUS_NOT_YET;
    return "0";
}

/* ---- fields of calls ---- */

static void sample_node(const struct writer *writer, struct samples *samples, const struct template_node *node,
                        enum field field, enum meaning meaning, int comm)
{
    unsigned dense = 0;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        dense |= node->of[k] ? samples_levels(node->of[k]->field[field], 0) : 0;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k])
            samples_add_instance(writer, samples, k, node->of[k]->field[field], meaning, comm, dense);
}

/* Whether those samples have a formula, and it is another process where they were left out, [n] places: nobody answers
 * himself. */
static bool are_enough(struct writer *writer, const struct samples *samples, size_t n, const struct fit_sample places[], int comm)
{
    struct fit_names names = writer_names(writer, comm, MEANS_PEER);
    struct samples some = {0};
    struct fit_other other;
    for (size_t i = 0; i < samples->n; i++)
        samples_add(&some, &samples->list[i]);
    writer_leave_loops(writer, &some, &names);
    const char *text = writer_fit(writer, &some, &names, &other);
    free(some.list);
    names = writer_names(writer, comm, MEANS_PEER); /* places have all loops */
    char *another = text ? alloc_format("(%s) >= 0 && (%s) < %s && (%s) != %s", text, text, names.numprocs, text, names.procnum)
                         : NULL;
    const bool enough = another && proof_holds(another, true, n, places, &names);
    free(another);
    return enough;
}

/* Who the partners were, where that is known throughout and a formula: what `samples` become. False: it is not. */
static bool take_known(struct writer *writer, struct samples *samples, const struct template_node *node, int comm)
{
    struct samples others = {0};
    sample_node(writer, &others, node, FIELD_who, MEANS_PEER, comm);
    bool known = true;
    for (size_t i = 0; i < others.n; i++)
        known = known && others.list[i].value != FIT_SOURCE && others.list[i].value != FIT_ANY;
    known = known && are_enough(writer, &others, 0, NULL, comm);
    struct samples left = known ? *samples : others;
    *samples = known ? others : *samples;
    free(left.list);
    return known;
}

static size_t count_value(const struct samples *samples, int64_t value)
{
    size_t n = 0;
    for (size_t i = 0; i < samples->n; i++)
        n += samples->list[i].value == value;
    return n;
}

/* Who sent what a wildcard receives here, where that is asked for. */
static void name_senders(struct writer *writer, struct samples *samples, const struct template_node *node, int comm)
{
    if (!writer->senders || count_value(samples, FIT_ANY) == 0 || !take_known(writer, samples, node, comm))
        return;
    writer->result->n_senders++;
    writer_remark(writer, "%s at %s takes what comes from anybody; who sent it in the recorded runs stands for that, without "
                  "which the program may come to no end", operation_name(writer->template->sites.sites[node->site].op),
                  writer_place(writer, node->site));
}

/* The sender of what a wildcard received before may be this partner by chance, too. Where all partners are that, it is none; else
 * the recording may know who that was. Where it does not and most partners are known by their numbers, those that are not
 * say nothing, but that of two processes it was the other one. */
static void leave_senders(struct writer *writer, struct samples *samples, const struct template_node *node, int comm)
{
    struct samples known = {0}, left = {0};
    const size_t senders = count_value(samples, FIT_SOURCE);
    if (senders == 0 || senders == samples->n || take_known(writer, samples, node, comm))
        return;
    for (size_t i = 0; i < samples->n; i++) {
        struct fit_sample sample = samples->list[i];
        const bool sender = sample.value == FIT_SOURCE;
        if (sender && sample.numprocs == 2)
            sample.value = 1 - sample.procnum;
        else if (sender)
            samples_add(&left, &sample);
        if (!sender || sample.numprocs == 2)
            samples_add(&known, &sample);
    }
    if (2 * known.n >= samples->n && are_enough(writer, &known, left.n, left.list, comm)) {
        struct samples all = *samples;
        *samples = known;
        known = all;
    }
    free(known.list);
    free(left.list);
}

const char *writer_field(struct writer *writer, const struct template_node *node, enum field field,
                         enum meaning meaning, int comm, const char *what)
{
    struct samples samples = {0};
    enum operation op = writer->template->sites.sites[node->site].op;
    char *subject = alloc_format("the %s of %s", what, operation_name(op));
    sample_node(writer, &samples, node, field, meaning, meaning == MEANS_PEER ? comm : -1);
    writer->sign = meaning == MEANS_PEER ? writer_sign_of(writer, field) : 0;
    writer->direction = field == FIELD_peer && meaning == MEANS_PEER ? writer_way_of(writer, node) : DIRECTION_NONE;
    writer->in_line = writer->direction != DIRECTION_NONE;
    if (meaning == MEANS_PEER && field == FIELD_peer) {
        name_senders(writer, &samples, node, comm);
        leave_senders(writer, &samples, node, comm);
    }
    const char *text = writer_expression(writer, &samples, meaning == MEANS_PEER ? comm : -1, meaning,
                                         subject, node->site);
    writer->sign = 0;
    writer->in_line = false;
    free(subject);
    free(samples.list);
    return text;
}
