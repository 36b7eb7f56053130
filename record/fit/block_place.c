#include "record/fit/block_place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Room for a place; place_keep keeps it. */
static struct block_place *add_place(struct search *search, const char *q_text, const char *E_text, unsigned grids)
{
    search->places = alloc_grow(search->places, search->n_places, &search->places_capacity, sizeof *search->places);
    struct block_place *new = &search->places[search->n_places];
    *new = (struct block_place){q_text, E_text, arena_alloc(search->memory, search->m, sizeof *new->q),
                                arena_alloc(search->memory, search->m, sizeof *new->E), grids};
    return new;
}

/* Keeps what is no place that stands before it. */
static void place_keep(struct search *search)
{
    const struct block_place *new = &search->places[search->n_places];
    for (size_t i = 0; i < search->n_places; i++)
        if (memcmp(new->q, search->places[i].q, search->n * sizeof *new->q) == 0 &&
            memcmp(new->E, search->places[i].E, search->n * sizeof *new->E) == 0)
            return;
    search->n_places++;
}

/* Adds a place from expressions over p (procnum), P (numprocs) and t (the trip of `loop`). */
#define PLACE(q_text, E_text, q_is, E_is)                                      \
    do {                                                                       \
        struct block_place *new_ = add_place(search, q_text, E_text, 0);       \
        for (size_t k_ = 0; k_ < search->m; k_++) {                            \
            const struct fit_sample *s_ = &search->beyond[k_];                 \
            const int64_t p = s_->procnum, P = s_->numprocs, t = s_->index[loop]; \
            (void)p;                                                           \
            (void)t;                                                           \
            new_->q[k_] = (q_is);                                              \
            new_->E[k_] = (E_is);                                              \
        }                                                                      \
        place_keep(search);                                                    \
    } while (0)

/* A process among all, or among the workers of process 0. */
static void add_processes(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    const int loop = 0;
    PLACE(p_, P_, p, P);
    PLACE(search_text(search, "(%s-1)", p_), search_text(search, "(%s-1)", P_), p - 1, P - 1);
    PLACE(search_text(search, "(%s-1-%s)", P_, p_), P_, P - 1 - p, P);
    PLACE(search_text(search, "((%s+1)%%%s)", p_, P_), P_, (p + 1) % P, P);
    PLACE(search_text(search, "((%s+%s-1)%%%s)", p_, P_, P_), P_, (p + P - 1) % P, P);
}

/* Whose block a trip is about: all in turn, all but process 0, the workers; in a ring what comes from further and further on. */
static void add_trips(struct search *search, int loop)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs, *t_ = search->names->loop[loop];
    PLACE(search_text(search, "(%s+1)", t_), P_, t + 1, P);
    PLACE(t_, P_, t, P);
    PLACE(t_, search_text(search, "(%s-1)", P_), t, P - 1);
    PLACE(search_text(search, "((%s+%s-%s)%%%s)", p_, P_, t_, P_), P_, (p + P - t) % P, P);
    PLACE(search_text(search, "((%s+%s)%%%s)", p_, t_, P_), P_, (p + t) % P, P);
    PLACE(search_text(search, "((%s+%s-1-%s)%%%s)", p_, P_, t_, P_), P_, (p + P - 1 - t) % P, P);
    PLACE(search_text(search, "((%s+1+%s)%%%s)", p_, t_, P_), P_, (p + 1 + t) % P, P);
    PLACE(search_text(search, "(%s < %s ? %s : %s+1)", t_, p_, t_, t_), P_, t < p ? t : t + 1, P);
}

/* Along the axes of the wanted grid, whichever of them is next in number. */
static void add_axes(struct search *search)
{
    const struct fit_names *names = search->names;
    for (int order = 0; order < 2; order++)
        for (int axis = 0; axis < grid_dimensions(names->prefers); axis++) {
            const bool last_first = (order == 0) == names->last_first;
            char *at = grid_at_text(names->prefers, last_first, names->procnum, names->numprocs, axis);
            char *extent = grid_text(names->prefers, names->numprocs, axis);
            struct block_place *new = add_place(search, search_text(search, "(%s)", at), search_text(search, "%s", extent),
                                                GRID_BIT(names->prefers));
            for (size_t i = 0; i < search->m; i++) {
                struct grid_place place;
                grid_place(&place, names->prefers, last_first, search->beyond[i].procnum, search->beyond[i].numprocs);
                new->q[i] = place.at[axis];
                new->E[i] = place.extent[axis];
            }
            place_keep(search);
            free(at);
            free(extent);
        }
}

/* What is larger is not shared out: its products with a number of processes, of which a recording has up to 2^20, must fit. */
static const int64_t QUANTITY_MOST = INT64_C(1) << 40, SQUARE_MOST = INT64_C(1) << 20;

static int64_t quantity_of(int64_t value, int64_t more, bool square)
{
    if (value < 0 || value > (square ? SQUARE_MOST : QUANTITY_MOST))
        return 0;
    return square ? value * value : value + more;
}

/* The parameter number `param` and `more`, or its square; 1 where there is none. */
static void add_quantity(struct search *search, const char *text, int param, int64_t more, bool square)
{
    search->quantities = alloc_grow(search->quantities, search->n_quantities, &search->quantities_capacity,
                                    sizeof *search->quantities);
    struct quantity *new = &search->quantities[search->n_quantities++];
    *new = (struct quantity){text, arena_alloc(search->memory, search->m, sizeof *new->value)};
    for (size_t i = 0; i < search->m; i++)
        new->value[i] =
            param < 0 ? 1 : quantity_of(search->names->values[param][search->beyond[i].recording], more, square);
}

static void make_quantities(struct search *search)
{
    static const int64_t more[] = {1, -1, 2, -2}; /* with borders, or without them */
    add_quantity(search, "1", -1, 0, false);
    for (int i = 0; i < search->names->n_params; i++) {
        const char *name = search->names->param[i];
        add_quantity(search, name, i, 0, false);
        for (size_t k = 0; k < sizeof more / sizeof *more; k++)
            add_quantity(search, search_text(search, "(%s%+" PRId64 ")", name, more[k]), i, more[k], false);
        add_quantity(search, search_text(search, "(%s*%s)", name, name), i, 0, true);
    }
}

void search_make_places(struct search *search)
{
    if (search->n_places > 0)
        return;
    add_processes(search);
    for (int loop = search->names->n_loops - 1; loop >= 0; loop--)
        add_trips(search, loop);
    add_axes(search);
    make_quantities(search);
}
