/* wire.h - a message on its way: transit, in port, arrival. */
#ifndef PEVPM_ENGINE_TIMED_WAY_WIRE_H
#define PEVPM_ENGINE_TIMED_WAY_WIRE_H

#include "engine/timed/state.h"

/* The four words of words->block. */
void timed_words_fill(struct timed *e, struct timed_words *words, int32_t process, enum stream stream);

static inline struct timed_words *timed_words_of(const struct timed *e, int32_t process, enum stream stream)
{
    return &e->words[(size_t)process * N_STREAMS + (size_t)stream];
}

/* words: those of this process and stream. */
static inline uint32_t timed_word_of(struct timed *e, struct timed_words *words, int32_t process, enum stream stream, uint64_t draw)
{
    if (words->block != draw / 4) {
        words->block = draw / 4;
        timed_words_fill(e, words, process, stream);
    }
    return words->word[draw % 4];
}

static inline uint32_t timed_word(struct timed *e, int32_t process, enum stream stream, uint64_t draw)
{
    return timed_word_of(e, timed_words_of(e, process, stream), process, stream, draw);
}

/* The word that draws the transit of a process's message of that number, for the message to keep. overhead: its send
 * draws one too, and both streams get their next words together: when they need some nothing can predict, so it is asked
 * once for both. */
void timed_message_words_fill(struct timed *e, int32_t process, uint64_t block, bool overhead);

static inline uint32_t timed_message_word(struct timed *e, int32_t process, uint64_t number, bool overhead)
{
    const struct timed_words *words = &e->words[(size_t)process * N_STREAMS + STREAM_TRANSIT];
    if (words->block != number / 4)
        timed_message_words_fill(e, process, number / 4, overhead);
    return words->word[number % 4];
}

static inline double timed_drawn(struct timed *e, const struct quantile *q, int32_t process, enum stream stream,
                                 uint64_t draw)
{
    return q->constant ? q->value : quantile_at(q, timed_word(e, process, stream, draw));
}

/* What a call takes that the network asks nothing of: the library alone, as in a message to oneself. */
double wire_overhead_within(struct timed *e, const struct timed_transfer *m, enum side side, uint32_t word);

/* c: its channel. */
static inline double send_overhead(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    if (m->kept)
        return wire_overhead_within(e, m, SIDE_SEND, timed_word(e, c->from, STREAM_SEND_OVERHEAD, m->number));
    if (m->price->constant_overhead[SIDE_SEND])
        return m->price->constant[SIDE_SEND];
    if (rule_overhead_stream(SIDE_SEND, c->transport) == STREAM_TRANSIT)
        return quantile_at(price_overhead(&e->book, m->price, SIDE_SEND), m->word);
    return timed_drawn(e, price_overhead(&e->book, m->price, SIDE_SEND), c->from, STREAM_SEND_OVERHEAD, m->number);
}

static inline double receive_overhead(struct timed *e, const struct timed_transfer *m)
{
    if (m->shares)
        return wire_overhead_within(e, m, SIDE_RECEIVE, m->word);
    if (m->price->constant_overhead[SIDE_RECEIVE])
        return m->price->constant[SIDE_RECEIVE];
    return quantile_at(price_overhead(&e->book, m->price, SIDE_RECEIVE), m->word);
}

/* Its transit, drawn at the level of now, with what its ports add; less `explained`, which is in the transits of levels above 1, but
 * no less than the transit of level 1, if that is less. */
double wire_transit(struct timed *e, int32_t transfer, double explained);

/* The events of enum event_kind that are a transfer's. */
void wire_level(struct timed *e, int32_t transfer);
void wire_last(struct timed *e, struct timed_channel *c);
void wire_arrive(struct timed *e, int32_t transfer);

/* The last resource has passed all of it, at `leaves`; x: if all had been idle. Its arrival is known, then. */
void wire_passed(struct timed *e, int32_t transfer, double x, double leaves);
void wire_arrival_known(struct timed *e, int32_t transfer, double arrival);

/* What the acknowledgement of a message takes of ports, at once. */
void wire_acknowledge(struct timed *e, const struct timed_channel *c, const struct price *price);

#endif
