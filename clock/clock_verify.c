#include "clock/clock.h"

#include "clock/clock_impl.h"
#include "clock/share.h"
#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

enum { VERIFY_NS = 3000000 };

/* What a rank found when it talked with rank 0. */
struct finding {
    double error, bound;
};

/* Rank 0's side of all conversations, one after another. */
static void ask_all(const struct clock *clock, struct finding findings[])
{
    findings[0] = (struct finding){0, 0};
    for (int r = 1; r < clock->size; r++) {
        int core;
        cpu_set_t before = clock_stay(&core);
        MPI_Send(&core, sizeof core, MPI_BYTE, r, TAG_GO, clock->comm);
        clock_answer(clock, r);
        clock_restore(&before);
        share_receive(clock->comm, &findings[r], sizeof findings[r], r, TAG_DONE);
    }
}

static void be_asked(const struct clock *clock)
{
    int core;
    struct clock_trip *trips = alloc_array(MOST_TRIPS, sizeof *trips);
    share_receive(clock->comm, &core, sizeof core, 0, TAG_GO);
    cpu_set_t before = clock_leave(core);
    size_t n = clock_ask(clock, 0, VERIFY_NS, trips);
    clock_restore(&before);
    struct clock_match match = clock_fit(n, trips);
    struct finding finding = {(double)(clock_global(clock, match.local) - match.remote),
                              (double)clock_bound(clock, match.local) + ceil(CLOCK_ASYMMETRY * (double)match.half)};
    MPI_Send(&finding, sizeof finding, MPI_BYTE, 0, TAG_DONE, clock->comm);
    free(trips);
}

void clock_verify(struct clock *clock, double errors_ns[], double bounds_ns[])
{
    if (clock->rank != 0) {
        be_asked(clock);
        return;
    }
    struct finding *findings = alloc_array((size_t)clock->size, sizeof *findings);
    ask_all(clock, findings);
    for (int r = 0; r < clock->size; r++) {
        errors_ns[r] = findings[r].error;
        bounds_ns[r] = findings[r].bound;
    }
    free(findings);
}
