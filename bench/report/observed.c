#include "bench/report/observed.h"

#include "common/alloc.h"
#include "estimate/analytical/noted.h"

#include <stdlib.h>

/* Round trips from node 0 to 1 wait for the mean of the empty ones. */
struct reading {
    struct observed *observed;
    size_t n_trips, trips_capacity;
    struct trip {
        int64_t there, back;
        double t;
    } *trips;
    double empty; /* sum of the empty ones */
    size_t n_empty;
};

static void time_add(struct observed *o, enum observed_kind kind, int numprocs, double bytes, double t)
{
    o->all = alloc_grow(o->all, o->n, &o->capacity, sizeof *o->all);
    o->all[o->n++] = (struct observed_time){kind, numprocs, bytes, t};
}

static void experiment_take(void *reading, const struct experiment *e, size_t n, const double t[])
{
    struct reading *r = reading;
    if (e->kind != EXPERIMENT_round_trip || e->node[0] != 0 || e->node[1] != 1)
        return;
    for (size_t i = 0; i < n; i++) {
        r->trips = alloc_grow(r->trips, r->n_trips, &r->trips_capacity, sizeof *r->trips);
        r->trips[r->n_trips++] = (struct trip){e->there, e->back, t[i]};
        if (e->there == 0 && e->back == 0)
            r->empty += t[i], r->n_empty++;
    }
}

static void operation_take(void *reading, enum flat_kind kind, int numprocs, double bytes, size_t n, const double t[],
                           const bool follows[])
{
    struct reading *r = reading;
    (void)follows;
    for (size_t i = 0; i < n; i++)
        time_add(r->observed, kind == FLAT_scatter ? OBSERVED_scatter : OBSERVED_gather, numprocs, bytes, t[i]);
}

static void trips_take(struct reading *r)
{
    for (size_t i = 0; i < r->n_trips; i++) {
        const struct trip *trip = &r->trips[i];
        if (trip->there == trip->back)
            time_add(r->observed, OBSERVED_one_way, 2, (double)trip->there, trip->t / 2);
        else if (trip->back == 0 && r->n_empty > 0)
            time_add(r->observed, OBSERVED_one_way, 2, (double)trip->there, trip->t - r->empty / 2 / (double)r->n_empty);
    }
}

void observed_read(struct observed *observed, const struct machine *machine, const struct machine_source *source,
                   struct diags *diags)
{
    struct reading r = {.observed = observed};
    const struct noted_taker taker = {&r, experiment_take, operation_take};
    size_t n;
    const struct machine_note *lines = noted_lines(source, &n);
    for (size_t i = 0; i < n; i++)
        if (noted_read(&lines[i], (size_t)machine->nodes, &taker) == NOTED_wrong)
            diag_warning(diags, place_of_file(machine->path), "under `" NOTED_HEADING "` the line `%s` is not as pevpm-estimate "
                         "writes it: not drawn", lines[i].key);
    trips_take(&r);
    free(r.trips);
}

void observed_free(struct observed *observed)
{
    free(observed->all);
    *observed = (struct observed){0};
}
