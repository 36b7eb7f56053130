#include "record/caveat.h"

#include "common/alloc.h"

#include <math.h>

/* A larger part of a run that processes waited for a processor is told: less is what a system that is idle otherwise
 * takes, 0.6 % at most in the runs of results/public that had processors to themselves. */
static const double SHARED = 0.02;
/* So is a larger part of computing that other threads did, where it is also this part of the run: the MPI library has
 * threads of its own, which take some ms while it starts. */
static const double ELSEWHERE = 0.05, ELSEWHERE_OF_RUN = 0.01;

char *caveat_unfinished(size_t n, const struct recording recordings[])
{
    for (size_t r = 0; r < n; r++)
        for (int rank = 0; rank < recordings[r].ranks; rank++) {
            const struct recorded_process *process = &recordings[r].processes[rank];
            const struct recorded_node *last = process->n > 0 ? &process->nodes[process->n - 1] : NULL;
            if (!last || last->loop || last->op != OPERATION_MPI_Finalize)
                return alloc_format("%s: process %d did not come to MPI_Finalize: what it would have done from there on is not "
                                    "known", recordings[r].name, rank);
        }
    return NULL;
}

/* Of computations, s: by either clock, by other threads, with what calls took, and what processes waited for a processor. */
struct spent {
    double wall, processor, threads, all, waited;
};

static void add_spent(struct spent *spent, size_t n, const struct recorded_node nodes[])
{
    for (size_t i = 0; i < n; i++) {
        const struct recorded_times *times = &nodes[i].times;
        if (nodes[i].loop) {
            add_spent(spent, nodes[i].n_body, nodes[i].body);
            continue;
        }
        spent->wall += times->wall;
        spent->processor += times->processor_n > 0 ? times->processor * (double)times->n / (double)times->processor_n
                                                   : times->wall;
        spent->all += times->wall + times->inside;
    }
}

/* While a process waits for its other threads, its processors are busy with these: they account for as much of its waiting
 * as they computed, and for nothing of other processes'. */
static struct spent spent_in(const struct recording *recording)
{
    struct spent all = {0};
    for (int rank = 0; rank < recording->ranks; rank++) {
        const struct recorded_process *process = &recording->processes[rank];
        struct spent own = {.threads = process->threads};
        add_spent(&own, process->n, process->nodes);
        const double longer = own.wall - own.processor;
        all.waited += longer - fmin(own.threads, fmax(longer, 0));
        all.wall += own.wall;
        all.processor += own.processor;
        all.threads += own.threads;
        all.all += own.all;
    }
    return all;
}

/* Where ranks are more than processors nobody asks why. */
char *caveat_shared(size_t n, const struct recording recordings[], bool processor)
{
    const struct recording *most = NULL;
    double part = 0;
    for (size_t r = 0; r < n; r++) {
        const struct spent spent = recording_crowded(&recordings[r]) ? (struct spent){0} : spent_in(&recordings[r]);
        if (spent.waited > part * spent.all) {
            part = spent.waited / spent.all;
            most = &recordings[r];
        }
    }
    if (part <= SHARED)
        return NULL;
    return alloc_format("%s: computing took %.0f %% of the run longer than the processor was busy with it: processes shared "
                        "processors, with each other or with something else; computing times %s", most->name, 100 * part,
                        processor ? "leave that out, and with `--time wall` they have it"
                                  : "have it, and with `--time processor` they leave it out");
}

char *caveat_threads(size_t n, const struct recording recordings[])
{
    const struct recording *most = NULL;
    struct spent worst = {0};
    for (size_t r = 0; r < n; r++) {
        const struct spent spent = spent_in(&recordings[r]);
        if (spent.threads > ELSEWHERE * spent.processor && spent.threads > ELSEWHERE_OF_RUN * spent.all &&
            (!most || spent.threads * worst.processor > worst.threads * spent.processor)) {
            worst = spent;
            most = &recordings[r];
        }
    }
    if (!most)
        return NULL;
    return alloc_format("%s: threads that do not call MPI were busy for %.3g s, those that do computed for %.3g s, and computing "
                        "times are of the latter alone: record where each thread has a processor, for times of the wall clock",
                        most->name, worst.threads, worst.processor);
}
