#include "bench/state.h"

#include "common/alloc.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double END_RESERVE = 3;   /* s for the last synchronisation and the file, at least */
static const double END_SPARE = 1.5;   /* times what the end of a block took last */

double campaign_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double campaign_left(const struct campaign *c)
{
    return bench_options_measuring(c->options) - fmax(END_RESERVE, END_SPARE * c->block_cost) -
           (campaign_now() - c->started);
}

void campaign_say(const struct campaign *c, const char *format, ...)
{
    if (c->options->quiet || !isatty(STDERR_FILENO))
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "\r%3.0f s of %.0f: ", campaign_now() - c->started, bench_options_measuring(c->options));
    vfprintf(stderr, format, arguments);
    fputs("\033[K", stderr);
    va_end(arguments);
}

void campaign_log(const struct campaign *c, const char *format, ...)
{
    if (!c->options->verbose)
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%6.1f s: ", campaign_now() - c->started);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void campaign_note_precision(struct campaign *c, const char *point, size_t samples, double precision, enum stop stop)
{
    if (stop == STOP_precise) {
        result_note_drop(c->result, NOTE_IMPRECISE, point);
        return;
    }
    result_heading(c->result, NOTE_IMPRECISE);
    if (isfinite(precision))
        result_note(c->result, 1, point, "%zu samples, median within %.1f %%: %s", samples, 100 * precision,
                    stop_text(stop));
    else
        result_note(c->result, 1, point, "%zu samples: %s", samples, stop_text(stop));
}

const struct size_info *campaign_size(const struct campaign *c, int64_t bytes)
{
    for (size_t i = 0; i < c->n_sizes; i++)
        if (c->sizes[i].bytes == bytes)
            return &c->sizes[i];
    for (size_t i = 0; i < c->n_at_frame; i++)
        if (c->at_frame[i].bytes == bytes)
            return &c->at_frame[i];
    return NULL;
}

bool campaign_is_at_frame(const struct campaign *c, int64_t bytes)
{
    for (size_t i = 0; i < c->n_at_frame; i++)
        if (c->at_frame[i].bytes == bytes)
            return true;
    return false;
}

struct size_info *campaign_size_add(struct campaign *c, int64_t bytes)
{
    size_t at = 0;
    while (at < c->n_sizes && c->sizes[at].bytes < bytes)
        at++;
    if (at < c->n_sizes && c->sizes[at].bytes == bytes)
        return NULL;
    c->sizes = alloc_grow(c->sizes, c->n_sizes, &c->sizes_capacity, sizeof *c->sizes);
    for (size_t i = c->n_sizes++; i > at; i--)
        c->sizes[i] = c->sizes[i - 1];
    c->sizes[at] = (struct size_info){.bytes = bytes};
    return &c->sizes[at];
}

int64_t campaign_limit(const struct campaign *c, int nodes)
{
    return campaign_limit_of(c, machine_transport_by_nodes(nodes));
}

int64_t campaign_limit_of(const struct campaign *c, enum transport transport)
{
    const struct machine_transport *own = &c->result->transports[transport];
    if (transport == TRANSPORT_network)
        return c->result->eager_limit;
    if (own->has_eager_limit)
        return own->eager_limit;
    return campaign_limit_of(c, transport == TRANSPORT_socket ? TRANSPORT_node : TRANSPORT_network);
}
