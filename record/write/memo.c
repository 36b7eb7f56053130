#include "record/write/writer_impl.h"

#include <stdlib.h>
#include <string.h>

/* What was asked for, and the answer. Programs ask the same of many calls. */
struct asked {
    uint64_t hash;
    struct fit_names names;         /* with copies of what is the asker's */
    size_t n;
    const struct fit_sample *samples;
    const char *text;
    struct fit_other other;
};

struct writer_memo {
    size_t n, capacity;
    struct asked *list;
};

static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ byte[i]) * 1099511628211U;
    return hash;
}

/* Of what differs from one question to another of a writer; the rest of the names is the same, or follows from
 * these. */
static uint64_t hash_of(const struct samples *samples, const struct fit_names *names, size_t n_places)
{
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < samples->n; i++) {
        const struct fit_sample *sample = &samples->list[i];
        hash = mix(hash, &sample->procnum, sizeof sample->procnum);
        hash = mix(hash, &sample->numprocs, sizeof sample->numprocs);
        hash = mix(hash, sample->index, sizeof sample->index);
        hash = mix(hash, &sample->value, sizeof sample->value);
    }
    hash = mix(hash, &names->n_loops, sizeof names->n_loops);
    hash = mix(hash, names->procnum, strlen(names->procnum));
    return names->inside ? mix(hash, names->inside, n_places) : hash;
}

static bool same_samples(const struct asked *asked, const struct samples *samples)
{
    if (asked->n != samples->n)
        return false;
    for (size_t i = 0; i < asked->n; i++) {
        const struct fit_sample *a = &asked->samples[i], *b = &samples->list[i];
        if (fit_sample_compare(a, b) != 0 || a->numprocs != b->numprocs || a->value != b->value)
            return false;
    }
    return true;
}

static bool same_trips(const struct fit_names *a, const struct fit_names *b, int loop)
{
    const char *x = a->trips ? a->trips[loop] : NULL, *y = b->trips ? b->trips[loop] : NULL;
    return x && y ? strcmp(x, y) == 0 : x == y;
}

static bool same_names(const struct fit_names *a, const struct fit_names *b, size_t n_places)
{
    bool loops = a->n_loops == b->n_loops;
    for (int i = 0; i < a->n_loops && loops; i++)
        loops = strcmp(a->loop[i], b->loop[i]) == 0 && same_trips(a, b, i);
    return loops && a->grids == b->grids && a->sign == b->sign && a->number == b->number &&
           a->in_line == b->in_line && (!a->in_line || a->direction == b->direction) && a->places == b->places &&
           strcmp(a->procnum, b->procnum) == 0 && strcmp(a->any, b->any) == 0 && a->n_laws == b->n_laws &&
           (a->n_laws == 0 || memcmp(a->laws, b->laws, a->n_laws * sizeof *a->laws) == 0) && !a->inside == !b->inside &&
           (!a->inside || memcmp(a->inside, b->inside, n_places) == 0);
}

static const void *copy(struct arena *memory, const void *of, size_t n, size_t size)
{
    if (!of || n == 0)
        return NULL;
    return memcpy(arena_alloc(memory, n, size), of, n * size);
}

const char *writer_fit(struct writer *writer, const struct samples *samples, const struct fit_names *names,
                       struct fit_other *other)
{
    size_t n_places = writer->places.n;
    uint64_t hash = hash_of(samples, names, n_places);
    if (!writer->memo)
        writer->memo = alloc_zeroed(1, sizeof *writer->memo);
    struct writer_memo *memo = writer->memo;
    for (size_t i = 0; i < memo->n; i++)
        if (memo->list[i].hash == hash && same_names(&memo->list[i].names, names, n_places) &&
            same_samples(&memo->list[i], samples)) {
            *other = memo->list[i].other;
            return memo->list[i].text;
        }
    const char *text = fit_value(samples->n, samples->list, names, other, &writer->memory);
    struct asked asked = {hash,       *names,
                          samples->n, copy(&writer->memory, samples->list, samples->n, sizeof *samples->list),
                          text,       *other};
    asked.names.laws = copy(&writer->memory, names->laws, names->n_laws, sizeof *names->laws);
    asked.names.inside = copy(&writer->memory, names->inside, n_places, 1);
    memo->list = alloc_grow(memo->list, memo->n, &memo->capacity, sizeof *memo->list);
    memo->list[memo->n++] = asked;
    return text;
}

void writer_free_memo(struct writer *writer)
{
    if (writer->memo)
        free(writer->memo->list);
    free(writer->memo);
    writer->memo = NULL;
}
