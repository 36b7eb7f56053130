#include "engine/price.h"

#include "common/alloc.h"
#include "models/collective_time.h"
#include "network/connection.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a table is of: a price's transit at a level (owner = price), its overheads (level -1, -2), or a computation
 * (owner = serial_ref, with its arguments). */
struct price_table {
    const void *owner;
    int64_t which;
    double a[2];
    struct quantile q;
    int32_t next; /* of its hash chain */
};

enum { FIRST_BUCKETS = 64, TABLE_BUCKETS = 2048 };

static uint64_t mix_bits(uint64_t x)
{
    x ^= x >> 31; /* finaliser of SplitMix64 (Steele, Lea, Flood 2014) */
    x *= 0x9E3779B97F4A7C15u;
    x ^= x >> 29;
    x *= 0xBF58476D1CE4E5B9u;
    return x ^ x >> 32;
}

void price_book_init(struct price_book *book, const struct cost_model *model, struct beyond *beyond)
{
    memset(book, 0, sizeof *book);
    book->model = model;
    book->beyond = beyond;
    book->n_buckets = FIRST_BUCKETS;
    book->buckets = alloc_zeroed(FIRST_BUCKETS, sizeof *book->buckets);
    book->tables = alloc_zeroed(PRICE_TABLES_MOST, sizeof *book->tables);
    book->table_buckets = alloc_array(TABLE_BUCKETS, sizeof *book->table_buckets);
    memset(book->table_buckets, 0xff, TABLE_BUCKETS * sizeof *book->table_buckets);
    book->generation = 1;
}

static void price_forget(struct price *price)
{
    memset(price->transit, 0, sizeof price->transit);
    price->overhead[SIDE_SEND] = price->overhead[SIDE_RECEIVE] = NULL;
    price->knows = false;
}

static void tables_drop(struct price_book *book)
{
    for (struct price *price = book->knowing; price; price = price->next_knowing)
        price_forget(price);
    book->knowing = NULL;
    for (size_t i = 0; i < book->n_tables; i++)
        quantile_free(&book->tables[i].q);
    book->n_tables = 0;
    memset(book->table_buckets, 0xff, TABLE_BUCKETS * sizeof *book->table_buckets);
    book->generation++;
}

void price_book_free(struct price_book *book)
{
    if (!book->tables)
        return;
    tables_drop(book);
    for (size_t i = 0; i < book->n_buckets; i++) {
        struct price *price = book->buckets[i];
        while (price) {
            struct price *next = price->next;
            free(price);
            price = next;
        }
    }
    free(book->buckets);
    free(book->tables);
    free(book->table_buckets);
    memset(book, 0, sizeof *book);
}

static size_t price_bucket(const struct price_book *book, uint32_t pair_class, enum send_kind kind, int64_t bytes)
{
    uint64_t key = mix_bits((uint64_t)bytes * 2 + (uint64_t)kind) ^ pair_class;
    return mix_bits(key) & (book->n_buckets - 1);
}

static void buckets_double(struct price_book *book)
{
    struct price **old = book->buckets;
    size_t n = book->n_buckets;
    book->n_buckets = 2 * n;
    book->buckets = alloc_zeroed(book->n_buckets, sizeof *book->buckets);
    for (size_t i = 0; i < n; i++) {
        struct price *price = old[i];
        while (price) {
            struct price *next = price->next;
            size_t b = price_bucket(book, price->pair_class, price->kind, price->bytes);
            price->next = book->buckets[b];
            book->buckets[b] = price;
            price = next;
        }
    }
    free(old);
}

/* The level that stands for an overhead in a table's key; real levels are positive. */
static int64_t overhead_key(enum side side)
{
    return -1 - (int64_t)side;
}

static int32_t table_find(struct price_book *book, const void *owner, int64_t which, const double a[2], size_t *bucket)
{
    uint64_t bits[2];
    memcpy(bits, a, sizeof bits);
    uint64_t key =
        mix_bits((uint64_t)(uintptr_t)owner) ^ mix_bits((uint64_t)which ^ mix_bits(bits[0] ^ mix_bits(bits[1])));
    *bucket = mix_bits(key) & (TABLE_BUCKETS - 1);
    for (int32_t i = book->table_buckets[*bucket]; i >= 0; i = book->tables[i].next) {
        const struct price_table *table = &book->tables[i];
        if (table->owner == owner && table->which == which && memcmp(table->a, a, sizeof table->a) == 0)
            return i;
    }
    return -1;
}

static int32_t table_add(struct price_book *book, const void *owner, int64_t which, const double a[2], size_t bucket,
                         const struct mix *mix)
{
    if (book->n_tables == PRICE_TABLES_MOST)
        tables_drop(book);
    int32_t i = (int32_t)book->n_tables++;
    struct price_table *table = &book->tables[i];
    *table = (struct price_table){.owner = owner, .which = which, .next = book->table_buckets[bucket]};
    memcpy(table->a, a, sizeof table->a);
    quantile_build(&table->q, mix);
    book->table_buckets[bucket] = i;
    return i;
}

static const double no_arguments[2];

/* The price is about to remember a table. */
static void price_knows(struct price_book *book, struct price *price)
{
    if (price->knows)
        return;
    price->knows = true;
    price->next_knowing = book->knowing;
    book->knowing = price;
}

const struct quantile *price_overhead_build(struct price_book *book, struct price *price, enum side side)
{
    size_t bucket;
    int32_t i = table_find(book, price, overhead_key(side), no_arguments, &bucket);
    if (i < 0) {
        struct mix mix;
        book->model->overhead(book->model, price->pair_class, side, price->kind, price->bytes, &mix);
        i = table_add(book, price, overhead_key(side), no_arguments, bucket, &mix);
    }
    price_knows(book, price);
    return price->overhead[side] = &book->tables[i].q;
}

const struct quantile *price_transit_build(struct price_book *book, struct price *price, int level)
{
    assert(level >= 1);
    int asked = level;
    if (level > book->model->level_max)
        level = book->model->level_max;
    size_t bucket;
    int32_t i = table_find(book, price, level, no_arguments, &bucket);
    if (i < 0) {
        struct mix mix;
        book->model->transit(book->model, price->pair_class, price->kind, price->bytes, level, &mix);
        i = table_add(book, price, level, no_arguments, bucket, &mix);
    }
    price_knows(book, price);
    if (asked < PRICE_LEVELS_NEAR)
        price->transit[asked] = &book->tables[i].q;
    return &book->tables[i].q;
}

static void price_ports(const struct cost_model *model, struct price *price)
{
    struct port_cost *cost = &price->ports;
    model->ports_for(model, price->pair_class, price->bytes, cost);
    price->saved = fmax(cost->in_saved, cost->frame);
    price->senders_saved = fmax(cost->senders_in_saved, cost->senders_in_gap);
    price->acknowledged = cost->reverse_out > 0 || cost->reverse_in > 0;
    price->threshold = connection_first_threshold(cost->out_gap);
}

struct price *price_find(struct price_book *book, uint32_t pair_class, enum send_kind kind, int64_t bytes)
{
    size_t b = price_bucket(book, pair_class, kind, bytes);
    for (struct price *price = book->buckets[b]; price; price = price->next)
        if (price->bytes == bytes && price->pair_class == pair_class && price->kind == kind)
            return price;
    if (book->n_prices == book->n_buckets) {
        buckets_double(book);
        b = price_bucket(book, pair_class, kind, bytes);
    }
    struct price *price = alloc_zeroed(1, sizeof *price);
    *price = (struct price){.pair_class = pair_class, .kind = kind, .bytes = bytes, .least = NAN, .lead = NAN,
                            .next = book->buckets[b]};
    book->buckets[b] = price;
    book->n_prices++;
    price_ports(book->model, price);
    for (int side = SIDE_SEND; side <= SIDE_RECEIVE; side++) {
        const struct quantile *q = price_overhead(book, price, (enum side)side);
        price->constant_overhead[side] = q->constant;
        price->constant[side] = q->constant ? q->value : 0;
    }
    return price;
}

void price_note_sent(struct price_book *book, struct price *price)
{
    struct measured_range sizes;
    price->sent = true;
    if (!book->model->sizes)
        return;
    book->model->sizes(book->model, price->pair_class, price->kind, &sizes);
    beyond_add(book->beyond, BEYOND_message, "", &sizes, (double)price->bytes);
}

/* Of measured(NAME): false where the machine does not know it. */
static bool measured_mix(struct price_book *book, const struct machine *machine, const struct serial_ref *serial,
                         double argument, struct mix *mix, struct problem *problem)
{
    _Static_assert((int)MACHINE_SERIAL_TEXT_BYTES <= (int)PROGRAM_TEXT_BYTES, "the text has room in a problem");
    const struct machine_serial *measured;
    problem->site = serial->site;
    problem->status = machine_serial_look_up(machine, serial->measured, serial->n > 0, argument, &measured,
                                             problem->text);
    if (problem->status != STATUS_OK)
        return false;
    if (measured->n > 0) {
        const struct measured_range range = {measured->n, measured->argument[0], measured->argument[measured->n - 1]};
        beyond_add(book->beyond, BEYOND_table, measured->name, &range, argument);
    }
    machine_serial_mix(measured, argument, mix);
    return true;
}

static void law_mix(const struct serial_ref *serial, const double a[2], struct distribution *law, struct mix *mix)
{
    static const enum law law_of[] = {
        [SERIAL_normal] = LAW_normal,           [SERIAL_lognormal] = LAW_lognormal, [SERIAL_uniform] = LAW_uniform,
        [SERIAL_exponential] = LAW_exponential, [SERIAL_gamma] = LAW_gamma,
    };
#pragma omp critical(pevpm_distribution_law) /* it sets GSL's error handler, which all threads share */
    distribution_law(law, law_of[serial->kind], a[0], a[1], 0);
    *mix = MIX_OF(law);
}

/* The mix of the averages: what the modes that compare communication take for a computation. */
static void mix_average(const struct mix *mix, struct distribution *average, struct mix *out)
{
    double value = 0;
    for (int i = 0; i < mix->n; i++)
        value += mix->weight[i] * mix->part[i]->average;
    distribution_constant(average, value > 0 ? value : 0);
    *out = MIX_OF(average);
}

static void mix_minimum(const struct mix *mix, struct distribution *minimum, struct mix *out)
{
    double value = 0;
    for (int i = 0; i < mix->n; i++)
        value += mix->weight[i] * mix->part[i]->minimum;
    distribution_constant(minimum, value > 0 ? value : 0);
    *out = MIX_OF(minimum);
}

const struct quantile *price_serial(struct price_book *book, const struct machine *machine, enum cost_mode mode,
                                    const struct serial_ref *serial, const double a[2], struct problem *problem)
{
    size_t bucket;
    int32_t i = table_find(book, serial, 0, a, &bucket);
    if (i >= 0)
        return &book->tables[i].q;
    struct distribution law = {0}, average = {0};
    struct mix mix, average_mix;
    if (serial->kind != SERIAL_measured)
        law_mix(serial, a, &law, &mix);
    else if (!measured_mix(book, machine, serial, a[0], &mix, problem))
        return NULL;
    if (mode != MODE_distribution)
        mix_average(&mix, &average, &average_mix);
    i = table_add(book, serial, 0, a, bucket, mode == MODE_distribution ? &mix : &average_mix);
    distribution_free(&law);
    distribution_free(&average);
    return &book->tables[i].q;
}

const struct quantile *price_collective(struct price_book *book, const struct machine_collective *collective,
                                        enum cost_mode mode, int numprocs, int64_t bytes, bool root)
{
    const double a[2] = {numprocs, root};
    size_t bucket;
    int32_t i = table_find(book, collective, bytes, a, &bucket);
    if (i >= 0)
        return &book->tables[i].q;
    struct distribution single = {0};
    struct mix mix, single_mix;
    struct measured_range range;
    collective_time_numprocs(collective, &range);
    if (numprocs > 1)
        beyond_add(book->beyond, BEYOND_numprocs, collective->operation, &range, numprocs);
    if (!collective_time_mix(collective, numprocs, bytes, root, &mix))
        return NULL;
    collective_time_sizes(collective, numprocs, &range);
    beyond_add(book->beyond, BEYOND_collective, collective->operation, &range, (double)bytes);
    if (mode == MODE_average)
        mix_average(&mix, &single, &single_mix);
    else if (mode == MODE_minimum)
        mix_minimum(&mix, &single, &single_mix);
    i = table_add(book, collective, bytes, a, bucket, mode == MODE_distribution ? &mix : &single_mix);
    distribution_free(&single);
    return &book->tables[i].q;
}

const struct quantile *price_own(struct price_book *book, const void *owner, int64_t which, const double a[2])
{
    size_t bucket;
    int32_t i = table_find(book, owner, which, a, &bucket);
    return i < 0 ? NULL : &book->tables[i].q;
}

const struct quantile *price_own_make(struct price_book *book, const void *owner, int64_t which, const double a[2],
                                      enum cost_mode mode, const struct distribution *distribution)
{
    size_t bucket;
    struct distribution single = {0};
    struct mix mix = MIX_OF(distribution), single_mix;
    table_find(book, owner, which, a, &bucket);
    if (mode == MODE_average)
        mix_average(&mix, &single, &single_mix);
    else if (mode == MODE_minimum)
        mix_minimum(&mix, &single, &single_mix);
    int32_t i = table_add(book, owner, which, a, bucket, mode == MODE_distribution ? &mix : &single_mix);
    distribution_free(&single);
    return &book->tables[i].q;
}
