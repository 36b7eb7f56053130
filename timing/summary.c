#include "timing/summary.h"

#include "common/units.h"

#include <math.h>
#include <string.h>

static void print_head(const struct timings *timings, FILE *out)
{
    double overhead = 0;
    for (size_t i = 0; i < timings->n_records; i++)
        overhead = fmax(overhead, timings->records[i].overhead);
    fprintf(out, "%zu process%s on %zu node%s; subtracted from each run: %.0f ns for reading the clock; timing took "
            "%.2g %% of the time\n\n", timings->n_records, timings->n_records == 1 ? "" : "es", timings->n_nodes,
            timings->n_nodes == 1 ? "" : "s", overhead, 100 * timings->cost / fmax(timings->window, 1));
}

static void print_time(FILE *out, double ns)
{
    char text[UNITS_TIME_BYTES];
    fprintf(out, "  %9s", units_format_time(ns * 1e-9, text));
}

static void print_block(const struct timings *timings, const struct timings_block *block, int width, FILE *out)
{
    const struct tally *all = &block->all;
    char argument[32] = "";
    if (block->has_argument)
        snprintf(argument, sizeof argument, "%.10g", block->argument);
    fprintf(out, "  %-*s  %10s  %9lld", width, block->name, argument, (long long)all->count);
    print_time(out, all->minimum);
    print_time(out, tally_quantile(all, 0.5));
    print_time(out, all->sum / (double)all->count);
    print_time(out, tally_quantile(all, 0.99));
    fprintf(out, "  %5.1f %%\n", 100 * all->sum / fmax(timings->window, 1));
}

static void print_nodes(const struct timings *timings, enum serial_nodes nodes, FILE *out)
{
    static const char *const outcomes[] = {
        [NODES_ALIKE] = "nodes are alike",
        [NODES_FACTORS] = "nodes differ by a factor each",
        [NODES_MIXED] = "nodes differ, and not by one factor each",
    };
    if (timings->n_nodes < 2)
        return;
    fputs("\n", out);
    for (size_t h = 0; h < timings->n_nodes; h++)
        fprintf(out, "  node %zu  %-20s  %d process%s  factor %.4g\n", h, timings->nodes[h].host,
                timings->nodes[h].processes, timings->nodes[h].processes == 1 ? "" : "es",
                timings->nodes[h].factor);
    fprintf(out, "%s: %s\n", outcomes[timings->outcome],
            nodes == SERIAL_PER_NODE ? "a table by node for each block without argument, use measured(NAME, node)"
            : nodes == SERIAL_POOL || timings->outcome != NODES_FACTORS
                ? "all times together"
                : "node_time_factor, and the times divided by it together");
}

void summary_print(const struct timings *timings, enum serial_nodes nodes, FILE *out)
{
    size_t width = strlen("block");
    for (size_t b = 0; b < timings->n; b++)
        if (strlen(timings->blocks[b].name) > width)
            width = strlen(timings->blocks[b].name);
    print_head(timings, out);
    fprintf(out, "  %-*s  %10s  %9s  %9s  %9s  %9s  %9s  %7s\n", (int)width, "block", "argument", "count", "min",
            "median", "mean", "p99", "of time");
    for (size_t b = 0; b < timings->n; b++)
        print_block(timings, &timings->blocks[b], (int)width, out);
    print_nodes(timings, nodes, out);
}
