/* Models estimated while a program runs: of all processes, twice, with a receive from anybody open meanwhile; of some, while the
 * others do something else; and wishes that cannot be. Prints what test_estimating.sh compares. */
#include "survey/estimating.h"

#include <stdio.h>

static void tell(int rank, const char *what, bool good)
{
    int one = good, all;
    MPI_Reduce(&one, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %s\n", what, all ? "yes" : "no");
}

/* A number for what the models say, the same for the same. */
static double digest(const struct machine *m)
{
    double sum = m->hockney ? m->hockney->alpha + 1e6 * m->hockney->beta : 0;
    for (size_t i = 0; m->lmo && i < (size_t)m->nodes; i++)
        sum += (double)(i + 1) * (m->lmo->C[i] + 1e6 * m->lmo->t[i]);
    return sum;
}

static bool is_same_everywhere(MPI_Comm comm, double number)
{
    double least, most;
    MPI_Allreduce(&number, &least, 1, MPI_DOUBLE, MPI_MIN, comm);
    MPI_Allreduce(&number, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
    return least == most && number > 0;
}

static void all_estimate(int rank, int size)
{
    struct estimating_wish wish = {.every_process = true, .bytes = 2048};
    int heard = -1;
    MPI_Request any;
    MPI_Irecv(&heard, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any);
    for (int i = 0; i < 2; i++) {
        struct diags diags = DIAGS_EMPTY;
        struct machine *machine = NULL;
        const enum status status = estimating_run(MPI_COMM_WORLD, &wish, &machine, &diags);
        const bool good = status == STATUS_OK && machine && machine->nodes == size && machine->hockney && machine->lmo;
        tell(rank, "hockney and lmo of all", good);
        tell(rank, "the same everywhere", is_same_everywhere(MPI_COMM_WORLD, good ? digest(machine) : 0));
        tell(rank, "only rank 0 is told anything", rank == 0 || diags.n == 0);
        machine_destroy(machine);
        diags_free(&diags);
    }
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
    MPI_Wait(&any, MPI_STATUS_IGNORE);
    tell(rank, "an open receive from anybody gets the program's own message", heard == (rank + size - 1) % size);
}

static void some_estimate(int rank)
{
    const struct estimating_wish wish = {.every_process = true, .loggp = true};
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine = NULL;
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, -rank, &comm);
    bool good = true;
    if (comm != MPI_COMM_NULL) {
        good = estimating_run(comm, &wish, &machine, &diags) == STATUS_OK && machine->nodes == 2 && machine->loggp && !machine->lmo;
        MPI_Comm_free(&comm);
    }
    tell(rank, "loggp of two, in another order", good);
    machine_destroy(machine);
    diags_free(&diags);
}

static void wrong(int rank, struct estimating_wish wish)
{
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine = NULL;
    const enum status status = estimating_run(MPI_COMM_WORLD, &wish, &machine, &diags);
    tell(rank, "refused everywhere, said once", status == STATUS_USAGE && !machine && diags.n_errors == (rank == 0));
    if (rank == 0)
        printf("    %s\n", diag_message(&diags, 0));
    diags_free(&diags);
}

int main(int argc, char *argv[])
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all_estimate(rank, size);
    some_estimate(rank);
    wrong(rank, (struct estimating_wish){.hockney = true});
    wrong(rank, (struct estimating_wish){.every_process = true, .bytes = 1});
    wrong(rank, (struct estimating_wish){.every_process = true, .precision = 2});
    wrong(rank, (struct estimating_wish){.every_process = true, .repetitions = 5});
    wrong(rank, (struct estimating_wish){.every_process = true, .messages = -1});
    MPI_Finalize();
    return 0;
}
