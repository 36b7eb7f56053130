#include "sim/steadied.h"

#include "common/alloc.h"
#include "engine/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CI95_DEVIATIONS 1.96

/* The standard deviation of a fitted number. */
static double deviation_of(const struct machine_source *source, const double *value)
{
    for (size_t i = 0; source && i < source->n_fitted; i++)
        if (source->fitted[i].of == value)
            return source->fitted[i].ci95 / CI95_DEVIATIONS;
    return 0;
}

static double sign_of(uint64_t draw, size_t i, uint32_t kind)
{
    return random_word(draw, kind, (uint32_t)i, 0, STREAM_TRANSIT) & 1 ? 1 : -1;
}

/* The values [n], moved; the caller's. kind: of parameter, for its chance. */
static double *moved(const double value[], size_t n, const struct machine_source *source, uint64_t draw, uint32_t kind)
{
    double *out = alloc_array(n, sizeof *out), *s = alloc_array(n, sizeof *s), mean = 0, noise = 0, variance = 0;
    for (size_t i = 0; i < n; i++) {
        s[i] = deviation_of(source, &value[i]);
        mean += value[i] / (double)n;
        noise += s[i] * s[i] / (double)n;
    }
    for (size_t i = 0; i < n && n > 1; i++)
        variance += (value[i] - mean) * (value[i] - mean) / (double)(n - 1);
    double w = variance > 0 ? fmax(0, 1 - noise / variance) : 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = mean + w * (value[i] - mean);
        if (draw > 0)
            out[i] = fmax(0, out[i] + s[i] * sign_of(draw, i, kind));
    }
    free(s);
    return out;
}

void steadied_init(struct steadied *steadied, const struct machine *machine, const struct machine_source *source,
                   uint64_t draw)
{
    *steadied = (struct steadied){.machine = *machine};
    if (!machine->lmo)
        return;
    steadied->lmo = *machine->lmo;
    steadied->lmo.C = moved(machine->lmo->C, machine->lmo->n, source, draw, 0);
    steadied->lmo.t = moved(machine->lmo->t, machine->lmo->n, source, draw, 1);
    steadied->machine.lmo = &steadied->lmo;
}

void steadied_free(struct steadied *steadied)
{
    free(steadied->lmo.C);
    free(steadied->lmo.t);
}
