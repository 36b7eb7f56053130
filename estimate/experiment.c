#include "estimate/experiment.h"

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

bool experiments_equal(const struct experiment *a, const struct experiment *b)
{
    return a->kind == b->kind && a->there == b->there && a->back == b->back && a->messages == b->messages &&
           memcmp(a->node, b->node, (size_t)experiment_nodes(a) * sizeof *a->node) == 0;
}

size_t experiment_rounds(size_t n, const struct experiment e[], size_t n_nodes, size_t round[])
{
    size_t rounds = 0;
    bool *taken = alloc_zeroed(n * n_nodes, sizeof *taken); /* [round][node] */
    for (size_t i = 0; i < n; i++) {
        bool is_free = false;
        for (round[i] = 0; !is_free; round[i] += !is_free) {
            is_free = true;
            for (int k = 0; k < experiment_nodes(&e[i]); k++)
                is_free = is_free && !taken[round[i] * n_nodes + (size_t)e[i].node[k]];
        }
        for (int k = 0; k < experiment_nodes(&e[i]); k++)
            taken[round[i] * n_nodes + (size_t)e[i].node[k]] = true;
        rounds = round[i] + 1 > rounds ? round[i] + 1 : rounds;
    }
    free(taken);
    return rounds;
}
