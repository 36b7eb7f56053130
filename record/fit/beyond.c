#include "record/fit/beyond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS_MOST = 16, RANKS_MOST = 64, TRIPS_MOST = 6 };

static bool has_count(size_t n, const int counts[], int count)
{
    for (size_t i = 0; i < n; i++)
        if (counts[i] == count)
            return true;
    return false;
}

/* Some of the processes of a count that nobody recorded: all, but of many every so manyth, and the last. */
static void add_places(struct fit_places *places, int numprocs, bool cheaper)
{
    int step = numprocs > RANKS_MOST ? numprocs / RANKS_MOST : 1;
    for (int p = 0; p < numprocs; p = p < numprocs - 1 && p + step > numprocs - 1 ? numprocs - 1 : p + step) {
        places->list = alloc_grow(places->list, places->n, &places->capacity, sizeof *places->list);
        places->list[places->n++] = (struct fit_place){p, numprocs, cheaper};
    }
}

void fit_places_make(struct fit_places *places, size_t n, const int counts[])
{
    bool powers = true, squares = true;
    int most = 1;
    for (size_t i = 0; i < n; i++) {
        int root = (int)(sqrt((double)counts[i]) + 0.5);
        powers = powers && (counts[i] & (counts[i] - 1)) == 0;
        squares = squares && root * root == counts[i] && counts[i] > 1;
        most = counts[i] > most ? counts[i] : most;
    }
    *places = (struct fit_places){0};
    int root = (int)(sqrt((double)most) + 0.5);
    if (squares && !powers) {
        add_places(places, (root + 1) * (root + 1), false);
        add_places(places, (root + 2) * (root + 2), false);
        return;
    }
    for (int part = 3; part <= 6 && most % 4 == 0 && powers; part += 3) /* 6 and 12 beside 2, 4 and 8 */
        add_places(places, most / 4 * part, true);
    if (!powers && !has_count(n, counts, most + most / 2))
        add_places(places, most + most / 2, false);
    add_places(places, 2 * most, false);
    add_places(places, 4 * most, false);
}

void fit_places_free(struct fit_places *places)
{
    free(places->list);
    *places = (struct fit_places){0};
}

/* Trips that samples of the largest count had, some of them. */
static size_t find_trips(const struct search *search, int most, const struct fit_sample *trips[])
{
    size_t found = 0;
    for (size_t i = 0; i < search->n && found < TRIPS_MOST; i++) {
        bool new = search->samples[i].numprocs == most;
        for (size_t k = 0; k < found && new; k++)
            new = memcmp(trips[k]->index, search->samples[i].index, sizeof trips[k]->index) != 0;
        if (new)
            trips[found++] = &search->samples[i];
    }
    return found;
}

void beyond_make(struct search *search)
{
    struct fit_places own = {0};
    const struct fit_places *places = search->names->places;
    const struct fit_sample *trips[TRIPS_MOST];
    int counts[COUNTS_MOST], most = 0;
    size_t n_counts = 0;
    for (size_t i = 0; i < search->n; i++) {
        int numprocs = search->samples[i].numprocs;
        most = numprocs > most ? numprocs : most;
        if (n_counts < COUNTS_MOST && !has_count(n_counts, counts, numprocs))
            counts[n_counts++] = numprocs;
    }
    search->counts = n_counts < 3 ? (int)n_counts : 3;
    if (!places)
        fit_places_make(&own, n_counts, counts);
    places = places ? places : &own;
    size_t n_trips = find_trips(search, most, trips);
    size_t room = search->n + places->n * n_trips + 1;
    search->beyond = alloc_array(room, sizeof *search->beyond);
    search->place = alloc_zeroed(room, sizeof *search->place);
    search->cheaper = alloc_zeroed(room, sizeof *search->cheaper);
    memcpy(search->beyond, search->samples, search->n * sizeof *search->beyond);
    search->m = search->n;
    for (size_t k = 0; k < places->n * n_trips; k++) {
        const struct fit_place *place = &places->list[k / n_trips];
        if (search->names->inside && !search->names->inside[k / n_trips])
            continue;
        struct fit_sample *sample = &search->beyond[search->m];
        *sample = *trips[k % n_trips]; /* and its parameters */
        sample->procnum = place->procnum;
        sample->numprocs = place->numprocs;
        search->place[search->m] = k / n_trips;
        search->cheaper[search->m++] = place->cheaper;
    }
    fit_places_free(&own);
}
