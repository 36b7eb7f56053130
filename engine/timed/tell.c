/* What the ledger is told. */
#include "engine/timed/tell.h"

#include <math.h>

void timed_tell_span(struct timed *e, int32_t process, int32_t site, enum loss loss, double from, double to)
{
    if (e->ledger && e->ledger->span && to > from)
        e->ledger->span(e->ledger->context, &(struct span){process, site, loss, from, to});
}

void timed_tell_choice(struct timed *e, int32_t process, int32_t site, int32_t source, int32_t candidates)
{
    if (e->ledger && e->ledger->choice)
        e->ledger->choice(e->ledger->context, &(struct choice){process, site, source, candidates > 0 ? candidates : 1});
}

/* Messages of a collective have negative tags. */
static int32_t tag_told(const struct timed_transfer *m)
{
    int32_t tag = (int32_t)(uint32_t)m->context;
    return tag < 0 ? -1 : tag;
}

void timed_tell_flight(struct timed *e, const struct timed_operation *o, const struct timed_transfer *m, double time)
{
    const struct timed_channel *c = &e->channels[m->channel];
    int32_t site = e->processes[o->process].site;
    if (e->ledger->flight)
        e->ledger->flight(e->ledger->context, &(struct flight){
                                                  .from = c->from,
                                                  .to = c->to,
                                                  .send_site = m->site,
                                                  .receive_site = site,
                                                  .tag = tag_told(m),
                                                  .comm = (int32_t)(m->context >> 32),
                                                  .bytes = m->bytes,
                                                  .sent = m->call,
                                                  .arrived = m->time,
                                                  .received = time,
                                              });
    if (o->from == OPERAND_ANY_PEER)
        timed_tell_choice(e, o->process, o->site, c->from, o->candidates);
}

void timed_tell_lost(struct timed *e)
{
    for (int32_t i = 0; i < e->n_channels && e->ledger && e->ledger->lost; i++) {
        const struct timed_channel *c = &e->channels[i];
        for (int32_t t = c->first_unmatched; t != NONE; t = e->transfers[t].next_unmatched) {
            const struct timed_transfer *m = &e->transfers[t];
            e->ledger->lost(e->ledger->context, &(struct flight){.from = c->from,
                                                                 .to = c->to,
                                                                 .send_site = m->site,
                                                                 .receive_site = -1,
                                                                 .tag = tag_told(m),
                                                                 .comm = (int32_t)(m->context >> 32),
                                                                 .bytes = m->bytes,
                                                                 .sent = m->call});
        }
    }
}

/* A wait that is being split into spans. */
struct splitting {
    int32_t process, site;
    double at, to;
};

static void split_off(struct timed *e, struct splitting *s, enum loss loss, double seconds)
{
    double end = s->at + seconds;
    if (!(end < s->to))
        end = s->to;
    if (!(end > s->at))
        return;
    timed_tell_span(e, s->process, s->site, loss, s->at, end);
    s->at = end;
}

static double least_transit(struct timed *e, struct price *price)
{
    if (isnan(price->least))
        price->least = quantile_at(price_transit(&e->book, price, 1), 0);
    return price->least;
}

static void wait_split(struct timed *e, struct splitting *s, const struct timed_transfer *m, double overhead)
{
    split_off(e, s, LOSS_late_sender, rule_latest(0, fmin(m->call, s->to) - s->at));
    split_off(e, s, LOSS_receive_overhead, overhead);
    split_off(e, s, LOSS_transit, least_transit(e, m->price));
    split_off(e, s, LOSS_port_wait, m->port_wait);
    split_off(e, s, LOSS_contention, INFINITY);
}

void timed_tell_wait(struct timed *e, const struct timed_operation *o, double from, double to, double overhead)
{
    struct splitting s = {o->process, e->processes[o->process].site, from, to};
    if (e->ledger && e->ledger->span)
        wait_split(e, &s, &e->transfers[o->transfer], overhead);
}

void timed_tell_probe(struct timed *e, int32_t process, int32_t site, const struct timed_transfer *m, double from,
                      double to)
{
    struct splitting s = {process, site, from, to};
    if (e->ledger && e->ledger->span)
        wait_split(e, &s, m, 0);
}

void timed_tell_send(struct timed *e, const struct timed_operation *o, double from, double to)
{
    struct splitting s = {o->process, e->processes[o->process].site, from, to};
    if (!e->ledger || !e->ledger->span)
        return;
    if (o->kind == OPERATION_COLLECTIVE)
        split_off(e, &s, LOSS_collective_wait, INFINITY);
    else
        split_off(e, &s, LOSS_late_receiver, o->started - from);
    split_off(e, &s, LOSS_send_overhead, to - s.at - o->held);
    split_off(e, &s, LOSS_port_wait, INFINITY);
}
