#include "engine/timed/stream/mark.h"

#include "common/alloc.h"

static int32_t mark_new(struct timed_streams *all)
{
    const int32_t i = all->free_mark;
    if (i != NONE) {
        all->free_mark = all->marks[i].next;
        return i;
    }
    all->marks = alloc_grow(all->marks, (size_t)all->n_marks, &all->marks_capacity, sizeof *all->marks);
    return all->n_marks++;
}

void mark_add(struct timed *e, struct timed_stream *s, enum mark_kind kind, int32_t transfer, double given,
              double common, int shares)
{
    struct timed_streams *all = &e->streams;
    const int32_t i = mark_new(all);
    all->marks[i] = (struct timed_mark){.end = s->written, .given = given, .common = common, .transfer = transfer,
                                        .kind = (uint8_t)kind, .shares = (uint8_t)shares, .next = NONE};
    if (s->last_mark == NONE)
        s->first_mark = i;
    else
        all->marks[s->last_mark].next = i;
    s->last_mark = i;
    if (s->next_mark == NONE)
        s->next_mark = i;
    if (s->leaving_mark == NONE)
        s->leaving_mark = i;
}

double marks_send(struct timed *e, struct timed_stream *s, double end)
{
    double common = 0;
    while (s->leaving_mark != NONE) {
        struct timed_mark *mark = &e->streams.marks[s->leaving_mark];
        if (common == 0)
            common = mark->common;
        mark->common = 0;
        if (mark->end > end + STREAM_ROUNDING)
            break;
        s->leaving_mark = mark->next;
    }
    return common;
}

void marks_forget(struct timed *e, struct timed_stream *s)
{
    struct timed_streams *all = &e->streams;
    while (s->first_mark != NONE && s->first_mark != s->next_mark &&
           all->marks[s->first_mark].end <= s->acknowledged + STREAM_ROUNDING) {
        const int32_t i = s->first_mark;
        s->acknowledged_given = all->marks[i].given;
        s->first_mark = all->marks[i].next;
        if (s->first_mark == NONE)
            s->last_mark = NONE;
        all->marks[i].next = all->free_mark;
        all->free_mark = i;
    }
}

double mark_given(const struct timed *e, const struct timed_stream *s, double place)
{
    double given = s->acknowledged_given;
    for (int32_t i = s->first_mark; i != NONE; i = e->streams.marks[i].next) {
        const struct timed_mark *mark = &e->streams.marks[i];
        if (mark->end > place)
            return rule_latest(given, mark->given - mark->shares * (mark->end - place));
        given = mark->given;
    }
    return given;
}

double mark_place(const struct timed *e, const struct timed_stream *s, double given)
{
    double place = s->acknowledged;
    for (int32_t i = s->first_mark; i != NONE; i = e->streams.marks[i].next) {
        const struct timed_mark *mark = &e->streams.marks[i];
        if (mark->given > given)
            return rule_latest(place, mark->end - (mark->given - given) / mark->shares);
        place = mark->end;
    }
    return place;
}
