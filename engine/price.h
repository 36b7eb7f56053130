/* price.h - what the messages and sampled computations of one run cost, looked up once and kept.
 *
 * A price belongs to a (pair class, kind of send, size). Its overheads and ports do not depend on the contention level;
 * its transit has one table for each level met. Tables are built when first needed and dropped, all at once,
 * when they would pass PRICE_TABLES_MOST (a program whose sizes and levels never repeat), so a pointer to a table is
 * valid only until the next call. Prices themselves stay until the book is freed.
 * A book belongs to one engine: it is not shared between threads. */
#ifndef PEVPM_ENGINE_PRICE_H
#define PEVPM_ENGINE_PRICE_H

#include "directives/program.h"
#include "engine/beyond.h"
#include "engine/operand.h"
#include "models/cost.h"
#include "models/machine.h"
#include "models/quantile.h"

#include <stddef.h>
#include <stdint.h>

/* 64 KiB each: 1024 tables are 64 MiB. */
enum { PRICE_TABLES_MOST = 1024 };

/* The tables of these levels are found without a search. */
enum { PRICE_LEVELS_NEAR = 128 };

struct price {
    uint32_t pair_class;
    enum send_kind kind;
    int64_t bytes;
    struct port_cost ports;
    /* Of ports that are asked in the order of time: */
    double saved, senders_saved;       /* what idle in ports have saved up: the receiver's, and the sender's for
                                        * acknowledgements */
    bool acknowledged;                 /* acknowledgements take something of ports */
    int32_t threshold;                 /* at which window a connection with such messages stops to open (network/connection.h) */
    bool sent;                         /* a message of the program had it */
    bool told;                         /* that its sends are over too soon, perhaps */
    bool constant_overhead[2];         /* [side]: then constant[side] */
    double constant[2];
    const struct quantile *transit[PRICE_LEVELS_NEAR]; /* by level; NULL: not known */
    const struct quantile *overhead[2]; /* [side]; NULL: not known */
    bool knows;                        /* some of these: it is among the book's `knowing` */
    struct price *next_knowing;
    double least, lead;                /* smallest transit at level 1, and less the spread; NaN: not asked for
                                        * yet */
    struct price *next;                /* of its hash chain */
};

struct price_table;                    /* one built quantile function and what it is of */

struct price_book {
    const struct cost_model *model;    /* borrowed */
    struct beyond *beyond;             /* NULL: nobody wants to know. Borrowed */
    size_t n_prices, n_buckets;
    struct price **buckets;
    size_t n_tables;
    struct price_table *tables;        /* [PRICE_TABLES_MOST] */
    int32_t *table_buckets;            /* hash of (owner, which) */
    uint32_t generation;               /* of the tables */
    struct price *knowing;             /* prices that point to some of them */
};

/* The price of (pair class, kind, bytes); made when new. Never NULL. */
struct price *price_find(struct price_book *book, uint32_t pair_class, enum send_kind kind, int64_t bytes);

/* The same for a message that the program sends: sizes that were not measured are noted. */
__attribute__((cold)) void price_note_sent(struct price_book *book, struct price *price);
static inline struct price *price_message(struct price_book *book, uint32_t pair_class, enum send_kind kind,
                                          int64_t bytes)
{
    struct price *price = price_find(book, pair_class, kind, bytes);
    if (!price->sent)
        price_note_sent(book, price);
    return price;
}

/* Its quantile functions. level >= 1. */
__attribute__((cold))
const struct quantile *price_transit_build(struct price_book *book, struct price *price, int level);

static inline const struct quantile *price_transit(struct price_book *book, struct price *price, int level)
{
    const struct quantile *known = level < PRICE_LEVELS_NEAR ? price->transit[level] : NULL;
    return known ? known : price_transit_build(book, price, level);
}

__attribute__((cold))
const struct quantile *price_overhead_build(struct price_book *book, struct price *price, enum side side);

static inline const struct quantile *price_overhead(struct price_book *book, struct price *price, enum side side)
{
    const struct quantile *known = price->overhead[side];
    return known ? known : price_overhead_build(book, price, side);
}

/* The quantile function of a computation: `serial` with its arguments a[0], a[1] (seconds; shape and measured's
 * argument bare), which program_check_serial has accepted. In the modes average and minimum the quantile function is
 * the constant average: the modes compare communication. NULL: the machine does not know how long it takes
 * (machine_serial_look_up). */
const struct quantile *price_serial(struct price_book *book, const struct machine *machine, enum cost_mode mode,
                                    const struct serial_ref *serial, const double a[2], struct problem *problem);

/* The quantile function of a measured collective (models/collective_time.h); NULL where numprocs lies outside what was
 * measured. */
const struct quantile *price_collective(struct price_book *book, const struct machine_collective *collective,
                                        enum cost_mode mode, int numprocs, int64_t bytes, bool root);

/* A quantile function of one's own, kept under (owner, which, a): NULL, it is not known yet; make builds it from a
 * distribution. */
const struct quantile *price_own(struct price_book *book, const void *owner, int64_t which, const double a[2]);
const struct quantile *price_own_make(struct price_book *book, const void *owner, int64_t which, const double a[2],
                                      enum cost_mode mode, const struct distribution *distribution);

void price_book_init(struct price_book *book, const struct cost_model *model, struct beyond *beyond);
void price_book_free(struct price_book *book);

#endif
