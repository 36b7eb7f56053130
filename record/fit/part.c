#include "record/fit/part.h"

#include "record/fit/number.h"
#include "record/fit/term.h"

#include <math.h>
#include <stdlib.h>

/* A grid: its extents, the halves of them that are left after some trips, and how far apart neighbours are. */
static void make_grid(struct search *search, enum grid grid)
{
    const char *P_ = search->names->numprocs;
    int dimensions = grid_dimensions(grid);
    const char *text[GRID_DIMENSIONS];
    search->grids = GRID_BIT(grid);
    for (int d = dimensions - 1; d >= 0; d--) {
        char *extent = grid_text(grid, P_, d);
        text[d] = search_text(search, "%s", extent);
        free(extent);
        EACH(grid_extent(grid, P, d));
        part_add(search, text[d]);
    }
    for (int i = 0; i < search->names->n_loops && grid == GRID_2; i++)
        for (int d = 0; d < 2; d++) {
            EACH(number_halved(grid_extent(grid, P, d) / 2, s->index[i]));
            part_add(search, search_text(search, "(%s/2/round(pow(2, %s)))", text[d], search->names->loop[i]));
        }
    for (int d = 0; d + 1 < dimensions && dimensions > 2; d++) {
        EACH(grid_extent(grid, P, d) * grid_extent(grid, P, d + 1));
        part_add(search, search_text(search, "(%s*%s)", text[d], text[d + 1]));
    }
    search->grids = 0;
}

static void make_halves(struct search *search)
{
    const char *P_ = search->names->numprocs;
    search->grids = GRID_BIT(GRID_HALVES);
    EACH(2); part_add(search, "2");
    EACH(P / 2); part_add(search, search_text(search, "(%s/2)", P_));
    EACH(P / 4); part_add(search, search_text(search, "(%s/4)", P_));
    search->grids = 0;
}

/* The likelier first: where several formulas give all values, their order decides. */
void parts_make(struct search *search)
{
    const char *P_ = search->names->numprocs;
    EACH(1); part_add(search, "1");
    EACH(P); part_add(search, P_);
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(number_power2(s->index[i])); part_add(search, search_text(search, "round(pow(2, %s))", name));
        EACH(s->index[i] + 1); part_add(search, search_text(search, "(%s+1)", name));
        EACH(number_halved(P / 2, s->index[i]));
        part_add(search, search_text(search, "(%s/2/round(pow(2, %s)))", P_, name));
    }
    static const enum grid order[] = {GRID_2, GRID_HALVES, GRID_3};
    for (int turn = 0; turn < 4; turn++) { /* the wanted one first, then the usual ones in their order */
        enum grid grid = turn == 0 ? search->names->prefers : order[turn - 1];
        if (grid == GRID_HALVES)
            make_halves(search);
        else
            make_grid(search, grid);
    }
    int64_t most = 0;
    for (size_t i = 0; i < search->n; i++)
        most = search->samples[i].numprocs > most ? search->samples[i].numprocs : most;
    static const int64_t numbers[] = {4, 3, 8};
    search->grids = GRID_BIT(GRIDS);
    for (int i = 0; i < 3; i++)
        if (numbers[i] < most) { /* else no process has ever come so far */
            EACH(numbers[i]); part_add(search, search_text(search, "%d", (int)numbers[i]));
        }
    search->grids = 0;
}

void laws_make(struct search *search)
{
    const struct fit_names *names = search->names;
    for (size_t i = 0; i < names->n_laws; i++) {
        const struct box_law *law = &names->laws[i];
        char *text = box_law_text(law, names->procnum, names->numprocs);
        search->grids = GRID_BIT(law->grid);
        EACH((int64_t)round(box_law_size(law, s->recording, p, P)));
        law_add(search, search_text(search, "%s", text));
        free(text);
    }
    search->grids = 0;
}
