#include "bench/apart.h"

#include "common/alloc.h"
#include "estimate/machine/apart_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum port_gap sides[] = {PORT_OUT, PORT_IN};
enum { N_SIDES = sizeof sides / sizeof *sides, KEY_BYTES = 32 };

const char *apart_heading(size_t class, enum port_gap side, char text[RESULT_HEADING_BYTES])
{
    return result_class_heading(side == PORT_OUT ? "fan_out" : "fan_in", class, text);
}

static const char *key_of(int64_t bytes, char text[KEY_BYTES])
{
    snprintf(text, KEY_BYTES, "%lld bytes", (long long)bytes);
    return text;
}

static const char *note_of(const struct result *result, size_t class, enum port_gap side, int64_t bytes)
{
    char heading[RESULT_HEADING_BYTES], key[KEY_BYTES];
    return result_note_find(result, apart_heading(class, side, heading), key_of(bytes, key));
}

static bool is_twice(const struct result *result, size_t class, enum port_gap side, int64_t bytes)
{
    const char *note = note_of(result, class, side, bytes);
    return note && strstr(note, APART_TWICE);
}

void apart_gap_note(struct result *result, size_t class, enum port_gap side, const struct ports_gap *gap, bool twice)
{
    char heading[RESULT_HEADING_BYTES], key[KEY_BYTES];
    result_heading(result, apart_heading(class, side, heading));
    result_note(result, 1, key_of(gap->bytes, key), "gap %.4f us, credit %.4f us, alone %.4f us, misfit %.4f us%s", gap->gap * 1e6,
                gap->credit * 1e6, gap->transit * 1e6, gap->misfit * 1e6, twice ? APART_TWICE : "");
}

bool apart_gap_read(const char *note, struct ports_gap *gap)
{
    double us[4];
    if (sscanf(note, "gap %lf us, credit %lf us, alone %lf us, misfit %lf us", &us[0], &us[1], &us[2], &us[3]) != 4)
        return false;
    *gap = (struct ports_gap){.gap = us[0] * 1e-6, .credit = us[1] * 1e-6, .transit = us[2] * 1e-6, .misfit = us[3] * 1e-6};
    return true;
}

void apart_twice(struct result *result, size_t class, enum port_gap side, int64_t bytes)
{
    char heading[RESULT_HEADING_BYTES], key[KEY_BYTES];
    const char *note = note_of(result, class, side, bytes);
    if (!note || is_twice(result, class, side, bytes))
        return;
    char *twice = alloc_format("%s" APART_TWICE, note);
    result_heading(result, apart_heading(class, side, heading));
    result_note(result, 1, key_of(bytes, key), "%s", twice);
    free(twice);
}

/* What is known with its misfit: gaps [room for all of the class]; returns how many. */
static size_t gaps_of(const struct result *result, size_t class, enum port_gap side, struct apart_gap gaps[])
{
    const size_t all = class == 0 ? result->n_ports : result->classes[class].n;
    const struct port_point *points = class == 0 ? result->ports : result->classes[class].points;
    size_t n = 0;
    for (size_t i = 0; i < all; i++) {
        const char *note = isnan(points[i].gap[side]) ? NULL : note_of(result, class, side, points[i].bytes);
        struct ports_gap noted;
        if (note && apart_gap_read(note, &noted))
            gaps[n++] = (struct apart_gap){points[i].bytes, points[i].gap[side], noted.misfit};
    }
    return n;
}

/* Who is told of the sizes that stand apart. */
struct taker {
    void (*take)(void *context, const struct apart_gap *gap, const struct apart *apart);
    void *context;
};

static void side_look(const struct result *result, size_t class, enum port_gap side, const struct taker *taker)
{
    const struct headers headers = headers_usual();
    const size_t room = class == 0 ? result->n_ports : result->classes[class].n;
    struct apart_gap *gaps = alloc_array(room + 1, sizeof *gaps);
    const size_t n = gaps_of(result, class, side, gaps);
    struct apart apart;
    for (size_t i = 0; i < n; i++)
        if (apart_fit(n, gaps, i, result->frame, &headers, PORTS_ALIKE, &apart) && fabs(gaps[i].gap - apart.gap) > apart.spread)
            taker->take(taker->context, &gaps[i], &apart);
    free(gaps);
}

struct asked {
    int64_t bytes;
    bool found;
};

static void asked_take(void *context, const struct apart_gap *gap, const struct apart *apart)
{
    struct asked *asked = context;
    (void)apart;
    asked->found |= gap->bytes == asked->bytes;
}

bool apart_asks(const struct result *result, size_t class, int64_t bytes)
{
    struct asked asked = {.bytes = bytes};
    if (class > 0 && class >= result->n_classes)
        return false;
    for (size_t k = 0; k < N_SIDES; k++)
        if (!is_twice(result, class, sides[k], bytes))
            side_look(result, class, sides[k], &(struct taker){asked_take, &asked});
    return asked.found;
}

static void short_gaps(struct result *result, size_t class, size_t n, struct port_point points[])
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < N_SIDES && points[i].bytes < result->frame; k++) {
            const char *note = isnan(points[i].gap[sides[k]]) ? NULL : note_of(result, class, sides[k], points[i].bytes);
            struct ports_gap noted;
            if (note && apart_gap_read(note, &noted))
                points[i].gap[sides[k]] = noted.gap;
        }
}

void apart_short_gaps(struct result *result)
{
    short_gaps(result, 0, result->n_ports, result->ports);
    for (size_t class = 1; class < result->n_classes; class++)
        short_gaps(result, class, result->classes[class].n, result->classes[class].points);
}

struct noting {
    struct result *result;
    size_t class, n;
    enum port_gap side;
};

static void note_take(void *context, const struct apart_gap *gap, const struct apart *apart)
{
    struct noting *noting = context;
    char heading[RESULT_HEADING_BYTES], key[64];
    snprintf(key, sizeof key, "%s, %lld bytes", apart_heading(noting->class, noting->side, heading), (long long)gap->bytes);
    const bool twice = is_twice(noting->result, noting->class, noting->side, gap->bytes);
    result_heading(noting->result, NOTE_APART);
    result_note(noting->result, 1, key, "%.1f %% %s than its neighbours say, which may be off by %.1f %%%s", 100 * fabs(gap->gap / apart->gap - 1),
                gap->gap > apart->gap ? "more" : "less", 100 * apart->spread / apart->gap, twice ? APART_TWICE : "");
    noting->n++;
}

size_t apart_note(struct result *result)
{
    struct noting noting = {.result = result};
    result_notes_drop(result, NOTE_APART);
    for (noting.class = 0; noting.class == 0 || noting.class < result->n_classes; noting.class++)
        for (size_t k = 0; k < N_SIDES; k++) {
            noting.side = sides[k];
            side_look(result, noting.class, noting.side, &(struct taker){note_take, &noting});
        }
    return noting.n;
}
