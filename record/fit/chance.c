#include "record/fit/chance.h"

#include "record/fit/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* log2 of 20: smaller, and what follows its data by chance is confirmed more often; larger, and formulas that are meant
 * need more counts. */
static const double ENOUGH = 4.32;
/* Sizes are multiples of what an element takes, bytes; where they are multiples of more it follows from their law. */
enum { STEP_MOST = 4 };
enum { CONSTANTS_MOST = 1024 }; /* that are counted: beyond, nothing is confirmed */

/* The samples of a subset; those of one trip of a recording are a group. */
struct values {
    const struct search *search;
    bool condition;             /* values are true or false */
    bool specials;              /* some are MPI_PROC_NULL or the like */
    int64_t step;
    size_t n;
    struct fit_sample *list;    /* [n] by groups, in these by values */
    size_t *at;                 /* [n] which samples of the search they are */
    double bits;                /* log2 of how many answers are possible */
    size_t different;           /* values that follow from no other one */
    bool uniform;               /* each group has one value */
};

struct placed {
    struct fit_sample sample;
    size_t at;
};

static int compare_groups(const struct fit_sample *x, const struct fit_sample *y)
{
    if (x->recording != y->recording)
        return x->recording < y->recording ? -1 : 1;
    for (int i = 0; i < FIT_LOOPS; i++)
        if (x->index[i] != y->index[i])
            return x->index[i] < y->index[i] ? -1 : 1;
    return 0;
}

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    const int order = compare_groups(&x->sample, &y->sample);
    return order != 0 ? order : (x->sample.value > y->sample.value) - (x->sample.value < y->sample.value);
}

static int64_t step_of(const struct values *values)
{
    int64_t step = STEP_MOST;
    for (size_t i = 0; i < values->n; i++)
        for (; step > 1 && values->list[i].value % step != 0; step /= 2)
            ;
    return step;
}

static bool is_special(int64_t value)
{
    return value <= FIT_SOURCE;
}

static int64_t size_of(int64_t value)
{
    return value < 0 ? -value : value;
}

/* How many values could have been where this one is. */
static double possible(const struct values *values, const struct fit_sample *sample)
{
    if (values->condition || (values->search->names->number && is_special(sample->value)))
        return 2;
    if (!values->search->names->number)
        return fmax(1, (double)sample->numprocs + values->specials);
    return 2 * (double)size_of(sample->value) / (double)values->step + 2;
}

static size_t group_end(const struct values *values, size_t first)
{
    size_t end = first + 1;
    while (end < values->n && compare_groups(&values->list[first], &values->list[end]) == 0)
        end++;
    return end;
}

/* Of different values each could have been any; who has which of them could have been otherwise. */
static void weigh(struct values *values)
{
    values->uniform = true;
    for (size_t first = 0, end; first < values->n; first = end) {
        size_t different = 0;
        end = group_end(values, first);
        for (size_t i = first; i < end; i++)
            if (i == first || values->list[i].value != values->list[i - 1].value) {
                values->bits += log2(possible(values, &values->list[i]));
                different++;
            }
        values->bits += (double)(end - first - different) * log2((double)different);
        values->different += different;
        values->uniform = values->uniform && different == 1;
    }
}

static void values_make(struct values *values, const struct search *search, struct subset subset, bool condition)
{
    struct placed *placed = alloc_array(search->n + 1, sizeof *placed);
    *values = (struct values){.search = search, .condition = condition};
    for (size_t i = 0; i < search->n; i++)
        if (IN(subset, i)) {
            placed[values->n] = (struct placed){search->samples[i], i};
            if (condition)
                placed[values->n].sample.value = search->samples[i].value != 0;
            values->specials = values->specials || is_special(placed[values->n].sample.value);
            values->n++;
        }
    qsort(placed, values->n, sizeof *placed, compare_placed);
    values->list = alloc_array(values->n + 1, sizeof *values->list);
    values->at = alloc_array(values->n + 1, sizeof *values->at);
    for (size_t i = 0; i < values->n; i++) {
        values->list[i] = placed[i].sample;
        values->at[i] = placed[i].at;
    }
    free(placed);
    values->step = step_of(values);
    weigh(values);
}

static void values_free(struct values *values)
{
    free(values->list);
    free(values->at);
}

/* ---- answers ---- */

/* Different ones, by their hashes. */
struct answers {
    size_t n, capacity;
    uint64_t *list;
};

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static double answers_count(struct answers *answers)
{
    size_t different = answers->n > 0;
    if (answers->n > 0)
        qsort(answers->list, answers->n, sizeof *answers->list, compare_hashes);
    for (size_t i = 1; i < answers->n; i++)
        different += answers->list[i] != answers->list[i - 1];
    free(answers->list);
    return (double)different;
}

static bool is_possible(const struct values *values, const struct fit_sample *sample, int64_t value)
{
    if (values->condition)
        return true;
    if (is_special(value))
        return values->specials;
    if (!values->search->names->number)
        return value >= 0 && value < sample->numprocs;
    if (is_special(sample->value))
        return false;
    return value % values->step == 0 && size_of(value) / 2 - values->step / 2 <= size_of(sample->value) &&
           (value >= 0) == (sample->value >= 0);
}

/* Adds an answer, [n] in the order of the values, if it is a possible one. */
static void answers_add(struct answers *answers, const struct values *values, const int64_t answer[])
{
    uint64_t hash = 14695981039346656037U;
    for (size_t first = 0, end; first < values->n; first = end) {
        end = group_end(values, first);
        const bool one = values->list[first].value == values->list[end - 1].value;
        bool same = true;
        for (size_t i = first; i < end; i++) {
            if (!is_possible(values, &values->list[i], answer[i]))
                return;
            same = same && answer[i] == answer[first];
            hash = (hash ^ (uint64_t)answer[i]) * 1099511628211U;
            hash ^= hash >> 29;
        }
        if (one != same) /* what all have is known from nature: the root of a collective operation */
            return;
    }
    answers->list = alloc_grow(answers->list, answers->n, &answers->capacity, sizeof *answers->list);
    answers->list[answers->n++] = hash;
}

static void add_candidates(struct answers *answers, const struct values *values, const struct candidate list[], size_t n)
{
    int64_t *answer = alloc_array(values->n + 1, sizeof *answer);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < values->n; i++)
            answer[i] = list[k].value[values->at[i]];
        answers_add(answers, values, answer);
    }
    free(answer);
}

/* These are tried before all else. */
static void add_constants(struct answers *answers, const struct values *values)
{
    int64_t *answer = alloc_array(values->n + 1, sizeof *answer), most = CONSTANTS_MOST;
    for (size_t i = 0; i < values->n; i++)
        most = possible(values, &values->list[i]) < (double)most ? (int64_t)possible(values, &values->list[i]) : most;
    for (int64_t constant = 0; constant < most; constant++) {
        for (size_t i = 0; i < values->n; i++)
            answer[i] = constant * values->step;
        answers_add(answers, values, answer);
    }
    free(answer);
}

/* log2 of the answers of all wholes up to one. */
static double tried_wholes(const struct values *values, size_t at)
{
    struct answers answers = {0};
    const double all = log2((double)at + 1 + CONSTANTS_MOST);
    if (values->bits - all >= ENOUGH)
        return all; /* whatever they are */
    add_constants(&answers, values);
    add_candidates(&answers, values, values->search->wholes, at + 1);
    return log2(fmax(1, answers_count(&answers)));
}

/* A line with as many numbers through the values: what it is in between; false: no whole numbers. */
static bool line_answer(const struct values *values, const struct slope *slope, int numbers, int64_t answer[])
{
    const struct subset all = {0};
    struct search some = *values->search; /* these values alone */
    struct slope here = *slope;
    struct line line = {0};
    double *x = alloc_array(values->n + 1, sizeof *x);
    for (size_t i = 0; i < values->n; i++)
        x[i] = slope->value[values->at[i]];
    some.n = values->n;
    some.samples = values->list;
    here.value = x;
    bool good = line_find(&some, &here, all, &line) || (numbers == 1 && line.places == 2);
    if (good && numbers == 1)
        line = (struct line){.b = (double)values->list[line.high].value / x[line.high]};
    for (size_t i = 0; i < values->n && good; i++) {
        const double y = line_at(&line, &here, i);
        good = fabs(y) < 9e15 && (numbers == 1 || fabs(y - round(y)) < 1e-9 * (1 + fabs(y)));
        answer[i] = good ? (int64_t)round(y) : 0;
    }
    free(x);
    return good;
}

/* log2 of the answers of all lines up to one, through the same ends. */
static double tried_lines(const struct values *values, const struct piece *piece, int numbers)
{
    struct answers answers = {0};
    int64_t *answer = alloc_array(values->n + 1, sizeof *answer);
    for (size_t i = 0; i <= piece->at; i++) {
        const struct slope *slope = &values->search->slopes[i];
        if ((!piece->grid || line_of_grid(values->search, slope)) && line_answer(values, slope, numbers, answer))
            answers_add(&answers, values, answer);
    }
    free(answer);
    return log2(fmax(1, answers_count(&answers)));
}

/* ---- formulas ---- */

/* What speaks for a piece, and against it: log2. */
struct weight {
    double bits, tried;
    double lost;                /* bits that its numbers have taken */
    bool confirmed;
};

/* Nobody asks, or the values are of two counts. */
static bool has_two_counts(const struct values *values)
{
    const int *counts = values->search->names->counts;
    for (size_t i = 1; i < values->n && counts; i++)
        if (counts[values->list[i].recording] != counts[values->list[0].recording])
            return true;
    return !counts;
}

static struct weight weigh_constant(const struct values *values, double each)
{
    const bool special = values->n == 0 || is_special(values->list[0].value);
    const double lost = special ? 0 : each;
    return (struct weight){.bits = values->bits - lost, .lost = lost,
                           .confirmed = special || has_two_counts(values)};
}

static struct weight weigh_line(const struct values *values, const struct piece *piece, double each)
{
    struct line line;
    const int numbers = line_find(values->search, &values->search->slopes[piece->at], piece->of, &line) && line.a != 0 ? 2 : 1;
    struct weight weight = {.bits = values->bits - numbers * each, .lost = numbers * each};
    const double all = log2((double)piece->at + 1);
    weight.tried = weight.bits - all >= ENOUGH ? all : tried_lines(values, piece, numbers);
    weight.confirmed = weight.bits - weight.tried >= ENOUGH;
    return weight;
}

static struct weight weigh_block(const struct values *values, const struct block_evidence *evidence, double each)
{
    struct weight weight = {.bits = values->bits - evidence->numbers * each, .lost = evidence->numbers * each,
                            .tried = log2((double)evidence->tried)};
    const double rounded = (double)evidence->rounded - weight.tried - log2((double)evidence->least);
    weight.confirmed = weight.bits - weight.tried >= ENOUGH &&
                       ((values->uniform && !evidence->apart) || rounded >= ENOUGH);
    return weight;
}

static struct weight weigh_piece(const struct search *search, const struct piece *piece)
{
    struct values values;
    struct weight weight = {.confirmed = true};
    values_make(&values, search, piece->of, false);
    const double each = values.different > 0 ? values.bits / (double)values.different : 0;
    weight.bits = values.bits;
    if (piece->kind == PIECE_CONSTANT)
        weight = weigh_constant(&values, each);
    if (piece->kind == PIECE_WHOLE) {
        weight.tried = tried_wholes(&values, piece->at);
        weight.confirmed = weight.bits - weight.tried >= ENOUGH;
    }
    if (piece->kind == PIECE_LINE)
        weight = weigh_line(&values, piece, each);
    if (piece->kind == PIECE_BLOCK)
        weight = weigh_block(&values, &piece->evidence, each);
    values_free(&values);
    return weight;
}

bool chance_confirms(const struct search *search, const struct piece *piece)
{
    return weigh_piece(search, piece).confirmed;
}

const char *chance_unconfirmed(const struct search *search, const char *text, const struct piece *pieces, double tests)
{
    double against = tests;
    for (const struct piece *piece = pieces; piece; piece = piece->next) {
        const struct weight weight = weigh_piece(search, piece);
        if (!weight.confirmed)
            return piece->text;
        against += weight.lost + weight.tried;
    }
    if (!pieces || !pieces->next)
        return NULL;
    struct values all;
    values_make(&all, search, (struct subset){0}, false);
    const bool confirmed = all.bits - against >= ENOUGH;
    values_free(&all);
    return confirmed ? NULL : text;
}

/* ---- places in the data ---- */

/* log2 of 8: less than ENOUGH, for who is the last of all is meant oftener than where the data happen to be. */
static const double ENOUGH_PLACE = 3;
static const double EXACT = 1e-9; /* of k / numprocs, which differ by more up to 10,000 processes */
enum { PARTS_MOST = 4096 };

/* The f of partners, by sample of the values: false: there is none. */
static bool find_part(const struct values *values, const int64_t partner[], double *low, double *high)
{
    *low = 0;
    *high = 1;
    for (size_t i = 0; i < values->n; i++) {
        const double numprocs = values->list[i].numprocs;
        if (partner[i] < 0 || partner[i] >= values->list[i].numprocs)
            return false;
        *low = fmax(*low, (double)partner[i] / numprocs);
        *high = fmin(*high, (double)(partner[i] + 1) / numprocs);
    }
    return *low < *high - EXACT;
}

static bool follows_count(const struct values *values)
{
    for (size_t i = 0; i < values->n; i++)
        for (size_t k = 0; k < i; k++)
            if (values->list[i].numprocs == values->list[k].numprocs && values->list[i].value != values->list[k].value)
                return false;
    return true;
}

static int compare_parts(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many different answers floor(f numprocs) has: as many as there are k / numprocs. */
static double possible_parts(const struct values *values)
{
    double *parts = alloc_array(PARTS_MOST + 1, sizeof *parts), most = 0;
    size_t n = 0, different = 0;
    for (size_t i = 0; i < values->n; i++) {
        const int numprocs = values->list[i].numprocs;
        most = fmax(most, numprocs);
        bool new = n + (size_t)numprocs <= PARTS_MOST;
        for (size_t k = 0; k < i && new; k++)
            new = values->list[k].numprocs != numprocs;
        for (int k = 0; k < numprocs && new; k++)
            parts[n++] = k / (double)numprocs;
    }
    qsort(parts, n, sizeof *parts, compare_parts);
    for (size_t i = 0; i < n; i++)
        different += i == 0 || parts[i] - parts[i - 1] > EXACT;
    free(parts);
    return fmax(most, (double)different);
}

/* Of the wholes up to one, and of 0. */
static double tried_parts(const struct values *values, size_t at)
{
    struct answers answers = {0};
    int64_t *answer = alloc_zeroed(values->n + 1, sizeof *answer);
    double low, high;
    answers_add(&answers, values, answer);
    for (size_t k = 0; k <= at; k++) {
        for (size_t i = 0; i < values->n; i++)
            answer[i] = values->search->wholes[k].value[values->at[i]];
        if (find_part(values, answer, &low, &high))
            answers_add(&answers, values, answer);
    }
    free(answer);
    return answers_count(&answers);
}

bool chance_is_place(const struct search *search, const struct piece *piece, double *low, double *high)
{
    struct values values;
    if (search->names->number || (piece->kind != PIECE_WHOLE && piece->kind != PIECE_LINE))
        return false;
    values_make(&values, search, piece->of, false);
    int64_t *partner = alloc_array(values.n + 1, sizeof *partner);
    for (size_t i = 0; i < values.n; i++)
        partner[i] = values.list[i].value;
    bool is = values.uniform && find_part(&values, partner, low, high) && follows_count(&values);
    if (is && piece->kind == PIECE_WHOLE)
        is = log2(possible_parts(&values)) - log2(tried_parts(&values, piece->at)) < ENOUGH_PLACE;
    free(partner);
    values_free(&values);
    return is;
}

/* ---- conditions ---- */

bool chance_confirms_tests(const struct search *search, size_t a, size_t b)
{
    struct values values;
    struct answers answers = {0};
    values_make(&values, search, (struct subset){0}, true);
    double tried = log2(2 * ((double)a + 1)); /* each as it is or not */
    if (a != b)
        tried = log2(2 * (double)search->n_tests + 8 * ((double)a * (double)search->n_tests + (double)(b - a)));
    else if (values.bits - tried < ENOUGH) {
        add_candidates(&answers, &values, search->tests, a + 1);
        tried = log2(2 * fmax(1, answers_count(&answers)));
    }
    const bool confirmed = values.bits - tried >= ENOUGH;
    values_free(&values);
    return confirmed;
}
