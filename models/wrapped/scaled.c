#include "models/scaled.h"

#include "common/alloc.h"
#include "common/numerals.h"
#include "common/suggest.h"
#include "models/wrapped/wrapped.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The factors that a key multiplies: offsets into struct scale. A key for two stands before its parts. */
static const struct {
    const char *name;
    size_t n, part[2];
} keys[] = {
    {"overhead", 2, {offsetof(struct scale, send_overhead), offsetof(struct scale, receive_overhead)}},
    {"gap", 2, {offsetof(struct scale, out_gap), offsetof(struct scale, in_gap)}},
#define X(name) {#name, 1, {offsetof(struct scale, name), 0}},
    SCALE_LIST(X)
#undef X
};
enum { N_KEYS_OF_SCALE = sizeof keys / sizeof *keys };

static double *factor_of(struct scale *scale, size_t key, size_t part)
{
    return (double *)((char *)scale + keys[key].part[part]);
}

/* ---- texts ---- */

bool scale_is_none(const struct scale *scale)
{
    return true
#define X(name) && scale->name == 1
        SCALE_LIST(X)
#undef X
        ;
}

/* n bytes of the option's text, for diagnostics. */
static struct place part_place(const char *option, const char *text, const char *at, size_t n)
{
    return (struct place){.file = option, .line = 1, .column = (int)(at - text) + 1, .width = n > 0 ? (int)n : 1,
                          .text = text, .text_length = strlen(text)};
}

/* KEY=FACTOR, n bytes at `at`. */
static enum status parse_part(const char *option, const char *text, const char *at, size_t n, struct scale *scale,
                              struct diags *diags)
{
    const char *equals = memchr(at, '=', n), *names[N_KEYS_OF_SCALE];
    size_t name = equals ? (size_t)(equals - at) : n, key = 0;
    for (size_t i = 0; i < N_KEYS_OF_SCALE; i++)
        names[i] = keys[i].name;
    while (key < N_KEYS_OF_SCALE && !(strlen(names[key]) == name && memcmp(names[key], at, name) == 0))
        key++;
    if (key == N_KEYS_OF_SCALE) {
        const char *meant = suggest_name(at, name, names, N_KEYS_OF_SCALE);
        diag_error(diags, part_place(option, text, at, name),
                   "unknown cost `%.*s`%s%s%s (transit, overhead, gap, credit, serial, eager_limit; one side: "
                   "send_overhead, receive_overhead, out_gap, in_gap)",
                   (int)name, at, meant ? ", did you mean `" : "", meant ? meant : "", meant ? "`?" : "");
        return STATUS_USAGE;
    }
    char *end, number[64] = "";
    size_t n_number = equals ? n - name - 1 : 0;
    if (n_number < sizeof number)
        memcpy(number, at + name + (equals != NULL), n_number);
    double factor = numerals_read(number, &end);
    if (end == number || *end != '\0' || !(factor >= 0) || !isfinite(factor)) {
        diag_error(diags, part_place(option, text, equals ? equals + 1 : at + n, n_number),
                   "expected %s, a number of at least 0: %s=0.5 halves it", equals ? "a factor" : "`=` and a factor",
                   names[key]);
        return STATUS_USAGE;
    }
    for (size_t part = 0; part < keys[key].n; part++)
        *factor_of(scale, key, part) *= factor;
    return STATUS_OK;
}

enum status scale_parse(const char *option, const char *text, struct scale *scale, struct diags *diags)
{
    struct scale made = *scale;
    const char *at = text;
    for (;;) {
        size_t n = strcspn(at, ",");
        enum status status = parse_part(option, text, at, n, &made, diags);
        if (status != STATUS_OK)
            return status;
        if (at[n] == '\0')
            break;
        at += n + 1;
    }
    *scale = made;
    return STATUS_OK;
}

char *scale_text(const struct scale *scale)
{
    struct scale left = *scale;
    char *text = alloc_string("");
    const struct numerals before = numerals_plain();
    for (size_t key = 0; key < N_KEYS_OF_SCALE; key++) {
        double factor = *factor_of(&left, key, 0);
        if (factor == 1 || *factor_of(&left, key, keys[key].n - 1) != factor)
            continue;
        for (size_t part = 0; part < keys[key].n; part++)
            *factor_of(&left, key, part) = 1;
        char number[32];
        int digits = 6;
        do
            snprintf(number, sizeof number, "%.*g", digits, factor);
        while (numerals_read(number, NULL) != factor && digits++ < 17);
        char *longer = alloc_format("%s%s%s=%s", text, *text ? "," : "", keys[key].name, number);
        free(text);
        text = longer;
    }
    numerals_restore(before);
    return text;
}

/* ---- the model ---- */

struct scaled {
    struct wrapped base; /* first */
    struct scale scale;
};

static const struct scale *scale_of(const struct cost_model *model)
{
    return &((const struct scaled *)model)->scale;
}

static void scaled_transit(const struct cost_model *model, uint32_t pair, enum send_kind kind, int64_t bytes, int level,
                           struct mix *mix)
{
    const struct cost_model *inner = wrapped_inner(model);
    inner->transit(inner, pair, kind, bytes, level, mix);
    mix_scale(mix, scale_of(model)->transit);
}

static void scaled_overhead(const struct cost_model *model, uint32_t pair, enum side side, enum send_kind kind,
                            int64_t bytes, struct mix *mix)
{
    const struct cost_model *inner = wrapped_inner(model);
    const struct scale *scale = scale_of(model);
    inner->overhead(inner, pair, side, kind, bytes, mix);
    mix_scale(mix, side == SIDE_SEND ? scale->send_overhead : scale->receive_overhead);
}

/* A port's buffer holds bytes, so the time that they take goes with the gap. */
static void scaled_ports_for(const struct cost_model *model, uint32_t pair, int64_t bytes, struct port_cost *cost)
{
    const struct cost_model *inner = wrapped_inner(model);
    const struct scale *scale = scale_of(model);
    inner->ports_for(inner, pair, bytes, cost);
    cost->out_gap *= scale->out_gap;
    cost->receivers_out_gap *= scale->out_gap;
    cost->spread *= scale->out_gap;
    cost->reverse_out *= scale->out_gap;
    cost->common *= scale->out_gap;
    cost->slower *= scale->out_gap;
    cost->in_gap *= scale->in_gap;
    cost->out_byte *= scale->out_gap;
    cost->in_byte *= scale->in_gap;
    cost->frame *= scale->in_gap;
    cost->senders_in_gap *= scale->in_gap;
    cost->reverse_in *= scale->in_gap;
    cost->out_saved *= scale->credit;
    cost->in_saved *= scale->credit;
    cost->receivers_out_saved *= scale->credit;
    cost->senders_in_saved *= scale->credit;
    if (isfinite(cost->buffer))
        cost->buffer *= scale->in_gap;
}

/* What is neither of one end nor of the other goes with the gaps of the sender. */
static void scaled_hop_for(const struct cost_model *model, int32_t resource, int64_t bytes, struct hop_cost *cost,
                           double *acknowledgements)
{
    const struct cost_model *inner = wrapped_inner(model);
    const struct scale *scale = scale_of(model);
    inner->hop_for(inner, resource, bytes, cost, acknowledgements);
    cost->work *= scale->out_gap;
    cost->frame *= scale->out_gap;
    cost->empty *= scale->out_gap;
    cost->byte *= scale->out_gap;
    cost->full *= scale->out_gap;
    cost->credit *= scale->credit;
    cost->saved = fmax(cost->credit, cost->frame);
    if (isfinite(cost->buffer))
        cost->buffer *= scale->out_gap;
    *acknowledgements *= scale->out_gap;
}

static int64_t limit_scale(int64_t limit, double factor)
{
    double scaled = (double)limit * factor;
    return limit == INT64_MAX || scaled >= 9e18 ? INT64_MAX : (int64_t)scaled;
}

struct cost_model *scaled_wrap(struct cost_model *inner, const struct scale *scale)
{
    struct scaled *scaled = alloc_zeroed(1, sizeof *scaled);
    wrapped_init(&scaled->base, inner);
    scaled->base.taken = inner;
    scaled->scale = *scale;
    struct cost_model *door = &scaled->base.door;
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        door->eager_limit[transport] = limit_scale(inner->eager_limit[transport], scale->eager_limit);
    door->transit = scaled_transit;
    door->overhead = scaled_overhead;
    door->ports_for = scaled_ports_for;
    if (inner->path)
        door->hop_for = scaled_hop_for;
    return door;
}

/* ---- the machine ---- */

void scaled_machine_init(struct machine *scaled, const struct machine *machine, const struct scale *scale)
{
    *scaled = *machine;
    scaled->n_factors = machine->n_factors > 0 ? machine->n_factors : 1;
    scaled->factors = alloc_array(scaled->n_factors, sizeof *scaled->factors);
    for (size_t i = 0; i < scaled->n_factors; i++)
        scaled->factors[i] = machine_time_factor(machine, (int)i) * scale->serial;
}

void scaled_machine_free(struct machine *scaled)
{
    free(scaled->factors);
    scaled->factors = NULL;
}
