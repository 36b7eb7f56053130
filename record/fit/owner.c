#include "record/fit/owner.h"

#include "record/fit/number.h"

#include <inttypes.h>

/* More things, which -D may say, nobody has; of these no product with processes overflows. */
#define THINGS_MOST (INT64_C(1) << 32)

int64_t owner_of(enum owner_kind kind, int64_t i, int64_t n, int64_t E)
{
    if (E < 1 || n < E || i < 0 || n > THINGS_MOST || i > THINGS_MOST)
        return -1;
    const int64_t least = n / E, more = n % E;
    switch (kind) {
    case OWNER_DOWN: return i / least;
    case OWNER_FIRST: return number_most(i / (least + 1), (i - more) / least);
    case OWNER_BOUNDS: return (E * (i + 1) - 1) / n;
    case OWNER_REST: return number_least(i / least, E - 1);
    case OWNER_CEIL: return i / ((n + E - 1) / E);
    case OWNER_LAST: return number_least(i / least, (i + E - more) / (least + 1));
    case OWNER_KINDS: break;
    }
    return -1;
}

const char *owner_text(struct search *search, enum owner_kind kind, const char *i, const char *n, const char *E)
{
    switch (kind) {
    case OWNER_DOWN: return search_text(search, "%s/(%s/%s)", i, n, E);
    case OWNER_FIRST: return search_text(search, "max(%s/(%s/%s+1), (%s-%s%%%s)/(%s/%s))", i, n, E, i, n, E, n, E);
    case OWNER_BOUNDS: return search_text(search, "(%s*(%s+1)-1)/%s", E, i, n);
    case OWNER_REST: return search_text(search, "min(%s/(%s/%s), %s-1)", i, n, E, E);
    case OWNER_CEIL: return search_text(search, "%s/((%s+%s-1)/%s)", i, n, E, E);
    case OWNER_LAST: return search_text(search, "min(%s/(%s/%s), (%s+%s-%s%%%s)/(%s/%s+1))", i, n, E, i, E, n, E, n, E);
    case OWNER_KINDS: break;
    }
    return NULL;
}

/* ---- how many things ---- */

static int add_number(struct search *search, struct owner_total totals[], int n, int64_t number)
{
    for (int i = 0; i < n; i++)
        if (totals[i].param < 0 && totals[i].number == number)
            return n;
    if (n == OWNER_TOTALS || number < 2)
        return n;
    totals[n] = (struct owner_total){search_text(search, "%" PRId64, number), number, -1};
    return n + 1;
}

/* What is the same at all counts: trips, or those of one turn times the processes but `without`; 0: it is not. */
static int64_t same_at_all(size_t n, const struct turn turns[], bool trips, int without)
{
    int64_t same = 0;
    for (size_t i = 0; i < n; i++) {
        const int64_t here = trips ? turns[i].trips : turns[i].least == turns[i].most ? turns[i].most * (turns[i].numprocs - without) : 0;
        if (here == 0 || (i > 0 && here != same))
            return 0;
        same = here;
    }
    return same;
}

int owner_totals(struct search *search, int loop, struct owner_total totals[OWNER_TOTALS])
{
    struct turn turns[TURNS_MOST];
    const size_t n_turns = turns_find(turns, loop, search->n, search->samples);
    int n = 0;
    for (int i = 0; i < search->names->n_params && n < OWNER_TOTALS / 2; i++)
        totals[n++] = (struct owner_total){search->names->param[i], 0, i};
    if (n_turns < 2) /* one count does not tell what is shared out from what is not */
        return n;
    const int64_t trips = same_at_all(n_turns, turns, true, 0);
    n = trips > 0 ? add_number(search, totals, n, trips) : n;
    n = trips > 0 ? add_number(search, totals, n, trips + 1) : n;
    n = add_number(search, totals, n, same_at_all(n_turns, turns, false, 0));
    return add_number(search, totals, n, same_at_all(n_turns, turns, false, 1));
}

int64_t owner_total_at(const struct search *search, const struct owner_total *total, size_t place)
{
    return total->param < 0 ? total->number : search->names->values[total->param][search->beyond[place].recording];
}
