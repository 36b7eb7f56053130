#include "report/races.h"

#include "common/alloc.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void races_init(struct races *races, int32_t n_processes, int32_t n_sites)
{
    assert(n_processes >= 1 && n_sites >= 0);
    *races = (struct races){.n_processes = n_processes, .n_sites = n_sites};
    races->index_of = alloc_array((size_t)n_sites, sizeof *races->index_of);
    for (int32_t i = 0; i < n_sites; i++)
        races->index_of[i] = -1;
}

void races_free(struct races *races)
{
    for (int32_t i = 0; i < races->n; i++) {
        free(races->sites[i].senders);
        free(races->sites[i].orders);
    }
    free(races->sites);
    free(races->index_of);
    *races = (struct races){0};
}

static struct race_site *site_add(struct races *races, int32_t site)
{
    if (races->n == races->capacity) {
        races->capacity = races->capacity ? 2 * races->capacity : 8;
        races->sites = alloc_resize(races->sites, (size_t)races->capacity, sizeof *races->sites);
    }
    int32_t at = races->n++;
    for (; at > 0 && races->sites[at - 1].site > site; at--) {
        races->sites[at] = races->sites[at - 1];
        races->index_of[races->sites[at].site] = at;
    }
    races->sites[at] = (struct race_site){.site = site, .first_process = -1};
    races->sites[at].senders = alloc_zeroed((size_t)races->n_processes, sizeof *races->sites[at].senders);
    races->index_of[site] = at;
    return &races->sites[at];
}

static struct race_site *site_of(struct races *races, int32_t site)
{
    assert(site >= 0 && site < races->n_sites);
    return races->index_of[site] >= 0 ? &races->sites[races->index_of[site]] : site_add(races, site);
}

/* The finaliser of splitmix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014): orders that differ practically never share
 * a hash. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void races_choice(struct races *races, const struct choice *choice)
{
    assert(choice->source >= 0 && choice->source < races->n_processes && choice->candidates >= 1);
    struct race_site *site = site_of(races, choice->site);
    if (site->first_process < 0 || choice->process < site->first_process) {
        site->first_process = choice->process;
        site->first = choice->source;
    }
    struct race_sender *taker = &site->senders[choice->process];
    taker->chain = mixed(taker->chain + (uint64_t)choice->source + 1);
    site->taken++;
    site->contested += choice->candidates > 1;
    site->candidates += (uint64_t)choice->candidates;
    if (choice->candidates > site->candidates_most)
        site->candidates_most = choice->candidates;
    site->senders[choice->source].now++;
}

/* Who of several processes took first says nothing, so each has an order of its own. */
static void order_keep(struct race_site *site, int32_t n_processes)
{
    uint64_t order = 0;
    for (int32_t p = 0; p < n_processes; p++)
        order += site->senders[p].chain ? mixed(site->senders[p].chain + (uint64_t)p) : 0;

    size_t low = 0, high = site->n_orders;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (site->orders[middle] < order)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < site->n_orders && site->orders[low] == order)
        return;
    site->orders = alloc_grow(site->orders, site->n_orders, &site->orders_capacity, sizeof *site->orders);
    memmove(site->orders + low + 1, site->orders + low, (site->n_orders++ - low) * sizeof *site->orders);
    site->orders[low] = order;
}

static void site_end(struct race_site *site, int32_t n_processes, double time)
{
    for (int32_t p = 0; p < n_processes; p++) {
        struct race_sender *sender = &site->senders[p];
        double now = (double)sender->now;
        sender->taken += sender->now;
        sender->square += now * now;
        sender->cross += now * time;
        sender->now = 0;
    }
    if (site->first_process >= 0) {
        struct race_sender *first = &site->senders[site->first];
        first->first++;
        first->first_time += time;
        first->first_square += time * time;
        order_keep(site, n_processes);
    }
    for (int32_t p = 0; p < n_processes; p++)
        site->senders[p].chain = 0;
    site->first_process = -1;
}

void races_end(struct races *races, double run_time)
{
    if (races->replications == 0)
        races->shift = run_time;
    double time = run_time - races->shift;
    races->replications++;
    races->time += time;
    races->square += time * time;
    for (int32_t i = 0; i < races->n; i++)
        site_end(&races->sites[i], races->n_processes, time);
}

void races_drop(struct races *part)
{
    for (int32_t i = 0; i < part->n; i++) {
        struct race_site *site = &part->sites[i];
        site->taken = site->contested = site->candidates = 0;
        site->candidates_most = 0;
        site->first_process = -1;
        for (int32_t p = 0; p < part->n_processes; p++)
            site->senders[p].now = site->senders[p].chain = 0;
    }
}

void races_take(struct races *races, struct races *part, double run_time)
{
    for (int32_t i = 0; i < part->n; i++) {
        const struct race_site *from = &part->sites[i];
        if (from->taken == 0)
            continue;
        struct race_site *to = site_of(races, from->site);
        to->taken += from->taken;
        to->contested += from->contested;
        to->candidates += from->candidates;
        to->candidates_most = from->candidates_most > to->candidates_most ? from->candidates_most : to->candidates_most;
        to->first = from->first;
        to->first_process = from->first_process;
        for (int32_t p = 0; p < races->n_processes; p++) {
            to->senders[p].now = from->senders[p].now;
            to->senders[p].chain = from->senders[p].chain;
        }
    }
    races_drop(part);
    races_end(races, run_time);
}

bool races_dependence(const struct races *races, const struct race_site *site, double *explained, double *chance)
{
    double n = 0, groups = 0, sum = 0, square = 0, between = 0;
    for (int32_t p = 0; p < races->n_processes; p++) {
        const struct race_sender *sender = &site->senders[p];
        if (sender->first == 0)
            continue;
        groups++;
        n += (double)sender->first;
        sum += sender->first_time;
        square += sender->first_square;
        between += sender->first_time * sender->first_time / (double)sender->first;
    }
    if (groups < 2 || n <= groups)
        return false;
    double total = square - sum * sum / n;
    between -= sum * sum / n;
    *explained = total > 0 ? fmin(fmax(between / total, 0), 1) : 0;
    double f = *explained / (groups - 1) / ((1 - *explained) / (n - groups));
    *chance = *explained < 1 ? gsl_cdf_fdist_Q(f, groups - 1, n - groups) : 0;
    return true;
}

double races_first_time(const struct races *races, const struct race_sender *sender)
{
    return sender->first ? races->shift + sender->first_time / (double)sender->first : NAN;
}

double races_correlation(const struct races *races, const struct race_sender *sender)
{
    double n = (double)races->replications, taken = (double)sender->taken;
    double variance_taken = sender->square - taken * taken / n;
    double variance_time = races->square - races->time * races->time / n;
    /* what rounding alone can leave of sums that cancel */
    if (!(variance_taken > 1e-12 * sender->square) || !(variance_time > 1e-12 * races->square))
        return NAN;
    double covariance = sender->cross - taken * races->time / n;
    return fmin(fmax(covariance / sqrt(variance_taken * variance_time), -1), 1);
}

struct ranked {
    uint64_t taken;
    int32_t process;
};

static int by_taken(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->taken != y->taken)
        return x->taken > y->taken ? -1 : 1;
    return x->process < y->process ? -1 : 1;
}

int32_t races_order(const struct races *races, const struct race_site *site, int32_t order[])
{
    struct ranked *ranked = alloc_array((size_t)races->n_processes, sizeof *ranked);
    int32_t n = 0;
    for (int32_t p = 0; p < races->n_processes; p++)
        if (site->senders[p].taken > 0)
            ranked[n++] = (struct ranked){site->senders[p].taken, p};
    qsort(ranked, (size_t)n, sizeof *ranked, by_taken);
    for (int32_t i = 0; i < n; i++)
        order[i] = ranked[i].process;
    free(ranked);
    return n;
}
