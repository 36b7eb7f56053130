#include "engine/variability.h"

#include "engine/random.h"

void variability_init(struct variability *v, const struct machine *machine, enum cost_mode mode)
{
    *v = (struct variability){.machine = machine};
    for (int i = 0; i < N_VARIABILITIES; i++) {
        const struct distribution *factor = &machine->variability[i];
        v->any = v->any || machine->has_variability[i];
        if (machine->has_variability[i] && mode == MODE_distribution) {
            struct mix mix = MIX_OF(factor);
            quantile_build(&v->factor[i], &mix);
        } else {
            quantile_constant(&v->factor[i], machine->has_variability[i] ? factor->average : 1);
        }
    }
}

void variability_free(struct variability *v)
{
    for (int i = 0; i < N_VARIABILITIES; i++)
        quantile_free(&v->factor[i]);
}

double variability_at(const struct variability *v, uint64_t seed, uint32_t replication, int node)
{
    double run = random_draw(&v->factor[VARIABILITY_per_run], seed, replication, 0, 0, STREAM_SERIAL_RUN);
    double here =
        random_draw(&v->factor[VARIABILITY_per_node], seed, replication, (uint32_t)node, 0, STREAM_SERIAL_NODE);
    return machine_time_factor(v->machine, node) * run * here;
}
