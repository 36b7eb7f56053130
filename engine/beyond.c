#include "engine/beyond.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int number_compare(double a, double b)
{
    return (a > b) - (a < b);
}

/* By what they are of, not by what was asked. */
static int item_compare(const struct beyond_item *a, const struct beyond_item *b)
{
    int by_name = a->kind != b->kind ? (int)a->kind - (int)b->kind : strcmp(a->name, b->name);
    int by_least = by_name ? by_name : number_compare(a->measured.least, b->measured.least);
    return by_least ? by_least : number_compare(a->measured.most, b->measured.most);
}

static void item_add(struct beyond *beyond, const struct beyond_item *item)
{
    size_t at = 0;
    while (at < beyond->n && item_compare(&beyond->items[at], item) < 0)
        at++;
    if (at < beyond->n && item_compare(&beyond->items[at], item) == 0) {
        beyond->items[at].least = fmin(beyond->items[at].least, item->least);
        beyond->items[at].most = fmax(beyond->items[at].most, item->most);
        return;
    }
    beyond->items = alloc_grow(beyond->items, beyond->n, &beyond->capacity, sizeof *beyond->items);
    memmove(&beyond->items[at + 1], &beyond->items[at], (beyond->n - at) * sizeof *beyond->items);
    beyond->items[at] = *item;
    beyond->n++;
}

void beyond_add(struct beyond *beyond, enum beyond_kind kind, const char *name, const struct measured_range *measured,
                double asked)
{
    const struct beyond_item item = {kind, name, *measured, asked, asked};
    if (!beyond || (asked >= measured->least && asked <= measured->most))
        return;
#pragma omp critical(pevpm_beyond)
    item_add(beyond, &item);
}

void beyond_free(struct beyond *beyond)
{
    free(beyond->items);
    *beyond = (struct beyond){0};
}

/* ---- sentences ---- */

/* "8", or "8 to 100", as asked: one side of the range, or both. */
static char *asked_text(const struct beyond_item *item)
{
    return item->least < item->most ? alloc_format("%.10g to %.10g", item->least, item->most)
                                    : alloc_format("%.10g", item->most);
}

/* What sizes outside cost. */
static char *rule_text(const struct beyond_item *item)
{
    const struct measured_range *range = &item->measured;
    bool smaller = item->least < range->least, larger = item->most > range->most;
    if (range->n == 1)
        return alloc_format("%.10g bytes alone were measured; all others are taken to cost the same", range->least);
    return alloc_format("%.10g to %.10g bytes were measured; %s%s%s", range->least, range->most,
                        smaller ? "smaller ones are taken to cost what the smallest do" : "",
                        smaller && larger ? ", and " : "",
                        larger ? "for larger ones the line through the last two sizes goes on" : "");
}

char *beyond_text(const struct beyond_item *item)
{
    const struct measured_range *range = &item->measured;
    char *asked = asked_text(item), *rule = NULL, *text = NULL;
    switch (item->kind) {
    case BEYOND_message:
        rule = rule_text(item);
        text = alloc_format("messages of %s bytes: %s", asked, rule);
        break;
    case BEYOND_collective:
        rule = rule_text(item);
        text = alloc_format("%s of %s bytes: %s", item->name, asked, rule);
        break;
    case BEYOND_table:
        text = alloc_format("measured(%s, %s) is outside of what was timed, %.10g to %.10g: the line at that end goes "
                            "on, cut at 0", item->name, asked, range->least, range->most);
        break;
    case BEYOND_reduction:
        text = alloc_format("the arithmetic of reductions (up to %.10g bytes at a time) is taken to cost nothing: the "
                            "machine file has no `reduction`", item->most);
        break;
    case BEYOND_exchange:
        text = alloc_format("messages of %s bytes that two processes send each other, again and again: both are taken to pass "
                            "at once, where one after the other takes twice as long; the machine file has no `handshakes`, "
                            "which tells how often", asked);
        break;
    case BEYOND_wait:
        text = alloc_format("messages of %s bytes that two processes send each other behind short ones: they are taken to pass at "
                            "once as often as behind long ones; the machine file has no `known_after_wait`, which tells how "
                            "often", asked);
        break;
    case BEYOND_send:
        text = alloc_format("sends of %s bytes are taken to be over as soon as their data begin to leave, where a host holds only "
                            "a part of them; the machine file has no `send_buffer`, which tells how much", asked);
        break;
    case BEYOND_permit:
        text = alloc_format("messages of %s bytes within a node are taken to wait until their senders are in MPI, where "
                            "receivers may get them meanwhile; the machine file has no `rendezvous` of the node, which "
                            "tells", asked);
        break;
    case BEYOND_numprocs:
        text = alloc_format("%s on %s processes: its times were measured on %.10g to %.10g, so it is carried out "
                            "message by message", item->name, asked, range->least, range->most);
        break;
    }
    free(asked);
    free(rule);
    return text;
}
