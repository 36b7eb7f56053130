#include "record/fit/fit_terms.h"

#include "record/fit/neighbour.h"
#include "record/fit/number.h"
#include "record/fit/ring.h"
#include "record/fit/term.h"
#include "record/fit/tree.h"
#include "record/fit/turn.h"

static bool all_powers(const struct search *search)
{
    for (size_t i = 0; i < search->n; i++)
        if ((search->samples[i].numprocs & (search->samples[i].numprocs - 1)) != 0)
            return false;
    return true;
}

/* The place of a process in the transposed grid of a power of two: as many rows as columns, or pairs of neighbours
 * together where it has twice as many columns. */
static void add_transposed(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    if (!all_powers(search))
        return;
    const char *rows = search_text(search, "round(pow(2, ilog2(%s)/2))", P_);
#define ROWS number_power2(number_log2(P) / 2)
    EACH(number_log2(P) % 2 == 0 ? p % ROWS * ROWS + p / ROWS
                             : 2 * (p / 2 % ROWS * ROWS + p / 2 / ROWS) + p % 2);
#undef ROWS
    whole_add(search, search_text(search, "(ilog2(%s)%%2 == 0 ? %s%%%s*%s + %s/%s : 2*(%s/2%%%s*%s + %s/2/%s) + %s%%2)",
                             P_, p_,
                             rows, rows, p_, rows, p_, rows, rows, p_, rows, p_));
}

static void add_log(struct search *search)
{
    EACH(number_log2(P)); whole_add(search, search_text(search, "ilog2(%s)", search->names->numprocs));
}

/* Of processes and loops alone. */
static void add_plain(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    EACH(p); whole_add(search, p_);
    if (all_powers(search))
        add_log(search);
    for (int up = 1; up >= 0; up--) {
        EACH((number_log2(P) + up) / 2); whole_add(search, search_text(search, "(ilog2(%s)+%d)/2", P_, up));
    }
    for (int up = 2; up >= 0; up--) {
        EACH((number_log2(P) + up) / 3); whole_add(search, search_text(search, "(ilog2(%s)+%d)/3", P_, up));
    }
    EACH(P - 1); whole_add(search, search_text(search, "%s-1", P_));
    EACH(P - 2); whole_add(search, search_text(search, "%s-2", P_));
    EACH(P - 1 - p); whole_add(search, search_text(search, "%s-1-%s", P_, p_));
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(s->index[i]); whole_add(search, name);
        EACH(P - 1 - s->index[i]); whole_add(search, search_text(search, "%s-1-%s", P_, name));
        EACH(s->index[i] + 1); whole_add(search, search_text(search, "%s+1", name));
        EACH(s->index[i] < p ? s->index[i] : s->index[i] + 1);
        whole_add(search, search_text(search, "(%s < %s ? %s : %s+1)", name, p_, name, name));
    }
    periods_add(search);
}

/* The partner, the place and the neighbours of a process among as many as the part says, or in rows of so many. */
static void add_within(struct search *search, const struct candidate *part)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs, *t = part->text;
    search->grids = part->grids;
    EACH(p / AT(*part) % 2 == 0 ? p + AT(*part) : p - AT(*part));
    whole_add(search, search_text(search, "(%s%%2 == 0 ? %s+%s : %s-%s)", text_over(search, t), p_, t, p_, t));
    EACH(p % AT(*part)); whole_add(search, search_text(search, "%s%%%s", p_, t));
    EACH(p / AT(*part)); whole_add(search, search_text(search, "%s/%s", p_, t));
    EACH(p / AT(*part) * AT(*part));
    whole_add(search, search_text(search, "%s/%s*%s", p_, t, t));
    EACH(p - p % AT(*part) + AT(*part) - 1 - p % AT(*part));
    whole_add(search, search_text(search, "%s/%s*%s + %s - %s%%%s", p_, t, t, text_last(search, t), p_, t));
    EACH(p % AT(*part) * (P / AT(*part)) + p / AT(*part));
    whole_add(search, search_text(search, "%s%%%s*(%s/%s) + %s/%s", p_, t, P_, t, p_, t));
    EACH(2 * (p / 2 % AT(*part) * AT(*part) + p / 2 / AT(*part)) + p % 2);
    whole_add(search, search_text(search, "2*(%s/2%%%s*%s + %s/2/%s) + %s%%2", p_, t, t, p_, t, p_));
}

/* As many further on as a loop has gone round, itself first: for (i = 0; ...) MPI_Isend(to (rank + i) % size). */
static void add_trips_on(struct search *search, int first)
{
    const char *p_ = search->names->procnum;
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(s->index[i]);
        const struct candidate trip = candidate_make(search, name);
        for (int turn = 0; turn < 2; turn++) {
            const int sign = turn == 0 ? first : -first;
            EACH(p + sign * s->index[i]);
            whole_add(search, search_text(search, "%s%s%s", p_, sign > 0 ? "+" : "-", name));
            ring_add(search, &search->parts[0], &search->parts[1], &trip, sign);
        }
    }
    search->grids = 0;
}

/* Whom a loop comes to in so many processes as the part says: the second half, the members of one's own row or column of so
 * many, the first of each row. */
static void add_members(struct search *search, const struct candidate *part)
{
    const char *p_ = search->names->procnum, *t = part->text;
    bool same = true; /* as a number, of which there are lines */
    for (size_t i = 1; i < search->n; i++)
        same = same && part->value[i] == part->value[0];
    search->grids = part->grids;
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        if (!same) {
            EACH(AT(*part) + s->index[i]); whole_add(search, search_text(search, "%s+%s", t, name));
            EACH(s->index[i] * AT(*part)); whole_add(search, search_text(search, "%s*%s", name, t));
        }
        EACH(p / AT(*part) * AT(*part) + s->index[i]);
        whole_add(search, search_text(search, "%s/%s*%s + %s", p_, t, t, name));
        EACH(s->index[i] * AT(*part) + p % AT(*part));
        whole_add(search, search_text(search, "%s*%s + %s%%%s", name, t, p_, t));
        EACH((p / AT(*part) + s->index[i]) % AT(*part)); /* along the row: the diagonal, and further on */
        whole_add(search, search_text(search, "(%s/%s+%s)%%%s", p_, t, name, t));
    }
    search->grids = 0;
}

void search_make_wholes(struct search *search)
{
    const char *p_ = search->names->procnum;
    struct candidate *parts = search->parts;
    size_t n = search->n_parts;
    int first = search->names->sign < 0 ? -1 : 1;
    add_plain(search);
    for (size_t d = 0; d < n; d++) {
        search->grids = parts[d].grids;
        EACH(AT(parts[d])); whole_add(search, parts[d].text);
        EACH(AT(parts[d]) - 1); whole_add(search, text_last(search, parts[d].text));
    }
    search->grids = 0;
    if (!all_powers(search)) /* a tree among 9 has as many steps as among 16, so that an extent of a grid is likelier */
        add_log(search);
    lines_add(search, false);
    for (size_t d = 0; d < n; d++)
        for (int turn = 0; turn < 2; turn++) {
            int sign = turn == 0 ? first : -first;
            search->grids = parts[d].grids;
            EACH(p + sign * AT(parts[d]));
            whole_add(search, search_text(search, "%s%s%s", p_, sign > 0 ? "+" : "-", parts[d].text));
        }
    for (size_t d = 0; d < n; d++)
        for (int turn = 0; turn < 2; turn++)
            ring_add(search, &parts[0], &parts[1], &parts[d], turn == 0 ? first : -first);
    add_trips_on(search, first);
    tours_add(search);
    rings_add(search, GRID_BIT(search->names->prefers));
    search->grids = 0;
    if (!search->names->number)
        corners_add(search);
    add_transposed(search);
    for (size_t d = 0; d < n; d++)
        add_within(search, &parts[d]);
    for (size_t d = 2; d < n; d++) /* of 1 and of all there are the trips themselves */
        add_members(search, &parts[d]);
    rings_add(search, 0);
    search->grids = 0;
    EACH((p - 1) / 2); whole_add(search, search_text(search, "(%s-1)/2", p_));
    EACH(2 * p + 1); whole_add(search, search_text(search, "2*%s+1", p_));
    EACH(2 * p + 2); whole_add(search, search_text(search, "2*%s+2", p_));
    neighbours_add(search);
    for (int loop = search->names->n_loops - 1; loop >= 0; loop--) {
        rounds_add(search, loop);
        owners_add(search, loop);
    }
    if (search->names->number)
        tree_add_counts(search);
    else
        tree_add_partners(search);
}
