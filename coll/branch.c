// SPDX-License-Identifier: MIT
#include "coll/branch.h"

int64_t pieces_of(int64_t M, int64_t M1)
{
    return M <= M1 ? 1 : (M - 1) / M1 + 1;
}

int64_t piece_begin(int64_t M, int64_t m, int64_t k)
{
    int64_t shortest = M / m, longer = M % m; /* pieces by one byte */
    return k * shortest + (k < longer ? k : longer);
}

struct branch branch_of(int n, int position)
{
    struct branch b = {.parent = position == 0 ? -1 : position & (position - 1)};
    int64_t reach = position == 0 ? n : position & -position;
    b.run = (int)(reach < n - position ? reach : n - position);
    for (int64_t step = 1; step < reach && position + step < n; step *= 2)
        b.children[b.n_children++] = position + (int)step;
    return b;
}
