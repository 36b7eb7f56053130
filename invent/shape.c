#include "invent/shape_impl.h"

#include "common/alloc.h"
#include "engine/random.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int chance(struct maker *m, int n)
{
    return (int)(random_word(m->seed, 1, 2, m->drawn++, STREAM_SERIAL) % (uint32_t)n);
}

double chance_real(struct maker *m, double low, double high)
{
    return low + (high - low) * random_word(m->seed, 1, 2, m->drawn++, STREAM_SERIAL) / 4294967296.0;
}

void say(struct maker *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *more = alloc_format_list(format, arguments);
    va_end(arguments);
    size_t n = strlen(more);
    if (m->used + n + 1 > m->capacity) {
        m->capacity = 2 * (m->used + n + 1);
        m->text = alloc_resize(m->text, m->capacity, 1);
    }
    memcpy(m->text + m->used, more, n + 1);
    m->used += n;
    free(more);
}

const char *chance_number(struct maker *m, int64_t most, double *bytes)
{
    /* from nothing over a cache line, a frame and eager limits (4, 12, 64 KiB and one byte more) to what is far
     * above */
    static const int64_t numbers[] = {0,     1,     8,     40,    100,   512,   1024,   1448,
                                      1460,  3000,  4096,  4097,  8192,  9000,  12288,  16384,
                                      20000, 32768, 50000, 65483, 65536, 65537, 100000, 160000};
    enum { N_NUMBERS = sizeof numbers / sizeof *numbers };
    int n = N_NUMBERS;
    while (numbers[n - 1] > most)
        n--;
    int which = chance(m, n);
    *bytes = (double)numbers[which];
    snprintf(m->size_text, sizeof m->size_text, "%lld", (long long)numbers[which]);
    return m->size_text;
}

const char *chance_size(struct maker *m, int64_t most, double *bytes)
{
    if (!m->sizes)
        return chance_number(m, most, bytes);
    *bytes = 3000;
    return m->sizes[chance(m, (int)m->n_sizes)];
}

void say_send(struct maker *m, const char *to, const char *size, int tag)
{
    static const char *const ops[] = {"MPI_Send", "MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend"};
    say(m, "Message type = %s & to = %s & size = %s & tag = %d%s\n", ops[chance(m, m->ready ? 5 : 4)], to, size, tag,
        m->tag_lap ? m->tag_lap : "");
}

/* How computation is spread over processes: expressions whose mean over them is about 1. */
static const char *const imbalances[] = {
    "1", "1", "1", "(procnum == 0 ? 1.6 : 1)", "(procnum%2 == 0 ? 0.8 : 1.2)", "(0.5 + (procnum+0.5)/numprocs)",
    "(procnum%3 == 0 ? 1.8 : 0.6)"};
/* And how it varies: with a mean of (w). */
static const char *const laws[] = {
    "%s", "%s", "%s", "normal(%s, 0.1*%s)", "normal(%s, 0.3*%s)", "exponential(%s)", "gamma(4, %s/4)",
    "uniform(0.5*%s, 1.5*%s)", "lognormal(%s, 0.5*%s)"};
enum { N_IMBALANCES = sizeof imbalances / sizeof *imbalances, N_LAWS = sizeof laws / sizeof *laws };

/* A Serial line of the law's, with the mean `time`. */
static void say_serial(struct maker *m, const char *law, const char *time)
{
    say(m, "Serial time = ");
    for (; *law; law++)
        if (law[0] == '%' && law[1] == 's')
            say(m, "%s", time), law++;
        else
            say(m, "%c", *law);
    say(m, "\n");
}

void say_work(struct maker *m)
{
    if (m->computes && chance(m, 3) != 0)
        say_sure_work(m);
}

void say_sure_work(struct maker *m)
{
    if (!m->computes)
        return;
    m->n_works++;
    if (m->times) {
        say(m, "Serial time = %s\n", m->times[chance(m, (int)m->n_times)]);
        return;
    }
    const char *imbalance = imbalances[chance(m, N_IMBALANCES)]; /* two draws in one call have no order */
    char *time = alloc_format("work*%.2f*%s%s%s", chance_real(m, 0.2, 1.5), imbalance, m->often ? "/" : "",
                              m->often ? m->often : "");
    say_serial(m, laws[chance(m, N_LAWS)], time);
    free(time);
}

void say_all_work(struct maker *m)
{
    assert(m->n_works == 0 && !m->times);
    char *time = alloc_format("work*%s", imbalances[chance(m, N_IMBALANCES)]);
    m->n_works++;
    say_serial(m, laws[chance(m, N_LAWS)], time);
    free(time);
}

struct shape_cost cost_of(double n, double bytes)
{
    return (struct shape_cost){.fixed = {n, n * bytes}};
}

static struct shape_load load_add(struct shape_load a, struct shape_load b)
{
    return (struct shape_load){a.messages + b.messages, a.bytes + b.bytes};
}

struct shape_cost cost_add(struct shape_cost a, struct shape_cost b)
{
    return (struct shape_cost){load_add(a.fixed, b.fixed), load_add(a.each, b.each)};
}

static const struct {
    struct shape_cost (*say)(struct maker *m);
    bool by_time, may_deadlock;
} shapes[N_SHAPES] = {
#define X(name, kind, by_time, may_deadlock) {shape_##name, by_time, may_deadlock},
    SHAPE_LIST(X)
#undef X
};

struct shape_cost shape_say(struct maker *m, enum shape_name shape)
{
    m->n_phases++;
    m->often = m->tag_lap = NULL;
    return shapes[shape].say(m);
}

bool shape_is_by_time(enum shape_name shape)
{
    return shapes[shape].by_time;
}

bool shape_may_deadlock(enum shape_name shape)
{
    return shapes[shape].may_deadlock;
}
