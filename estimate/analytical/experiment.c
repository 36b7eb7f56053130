#include "estimate/analytical/experiment.h"

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

int experiment_nodes(const struct experiment *experiment)
{
    static const int nodes[] = {
#define X(name, n, time) n,
        EXPERIMENT_LIST(X)
#undef X
    };
    return nodes[experiment->kind];
}

int experiments_compare(const struct experiment *a, const struct experiment *b)
{
    const bool three = experiment_nodes(a) > 2 && experiment_nodes(b) > 2;
    const int64_t difference[] = {(int64_t)a->kind - (int64_t)b->kind, a->there - b->there, a->back - b->back,
                                  a->messages - b->messages, a->node[0] - b->node[0], a->node[1] - b->node[1],
                                  three ? a->node[2] - b->node[2] : 0};
    for (size_t i = 0; i < sizeof difference / sizeof *difference; i++)
        if (difference[i] != 0)
            return difference[i] > 0 ? 1 : -1;
    return 0;
}

bool experiments_equal(const struct experiment *a, const struct experiment *b)
{
    return experiments_compare(a, b) == 0;
}

bool experiment_is_of_processors(const struct experiment *e)
{
    return e->there <= 1 && e->back <= 1;
}

bool experiment_crosses(const struct experiment *e, const struct trunks *trunks, size_t n_nodes, size_t trunk)
{
    const bool *behind = trunks->behind + trunk * n_nodes;
    bool crosses = false;
    for (int k = 1; k < experiment_nodes(e); k++)
        crosses = crosses || behind[e->node[k]] != behind[e->node[0]];
    return crosses;
}

/* What an experiment keeps busy: its nodes, then the trunks that it crosses. busy [n_nodes + trunks->n] out. */
static void busy_find(const struct experiment *e, size_t n_nodes, const struct trunks *trunks, bool busy[])
{
    memset(busy, 0, n_nodes * sizeof *busy);
    for (int k = 0; k < experiment_nodes(e); k++)
        busy[e->node[k]] = true;
    for (size_t t = 0; t < trunks->n; t++)
        busy[n_nodes + t] = experiment_crosses(e, trunks, n_nodes, t);
}

static bool any_of_both(size_t n, const bool a[], const bool b[])
{
    for (size_t i = 0; i < n; i++)
        if (a[i] && b[i])
            return true;
    return false;
}

size_t experiment_rounds(size_t n, const struct experiment e[], size_t n_nodes, const struct trunks *trunks,
                         size_t round[])
{
    size_t rounds = 0, kinds = n_nodes + trunks->n;
    /* taken [round][] */
    bool *taken = alloc_zeroed(n * kinds, sizeof *taken), *busy = alloc_array(kinds, sizeof *busy);
    for (size_t i = 0; i < n; i++) {
        busy_find(&e[i], n_nodes, trunks, busy);
        round[i] = 0;
        while (any_of_both(kinds, busy, taken + round[i] * kinds))
            round[i]++;
        for (size_t k = 0; k < kinds; k++)
            taken[round[i] * kinds + k] |= busy[k];
        rounds = round[i] + 1 > rounds ? round[i] + 1 : rounds;
    }
    free(taken);
    free(busy);
    return rounds;
}
