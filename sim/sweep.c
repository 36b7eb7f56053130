#include "sim/sweep.h"

#include <stdlib.h>

struct definition sweep_definition(const struct sweep *sweep, size_t i)
{
    return (struct definition){.name = sweep->name, .value = sweep->values[i],
                               .text = sweep->texts ? sweep->texts[i] : NULL};
}

size_t sweep_combinations(size_t n, const struct sweep sweeps[])
{
    size_t all = 1;
    for (size_t i = 0; i < n; i++)
        all *= sweeps[i].n;
    return all;
}

void sweep_select(size_t n, const struct sweep sweeps[], size_t c, struct definition definitions[])
{
    for (size_t i = n; i-- > 0;) {
        definitions[i] = sweep_definition(&sweeps[i], c % sweeps[i].n);
        c /= sweeps[i].n;
    }
}

void sweep_free(struct sweep *sweep)
{
    for (size_t i = 0; sweep->texts && i < sweep->n; i++)
        free(sweep->texts[i]);
    free(sweep->texts);
    free(sweep->name);
    free(sweep->values);
    *sweep = (struct sweep){0};
}
