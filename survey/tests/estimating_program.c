/* Models estimated while a program runs: of all processes, twice, with a receive from anybody open meanwhile; of some, while the
 * others do something else; linear Gathers that escalate; and wishes that cannot be. Prints what test_estimating.sh compares. */
#include "survey/estimating.h"

#include "models/escalation.h"
#include "models/lmo_collective.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* While `told` linear Scatters and Gathers take what stands here, whatever they took: 1 ms and 1 us a byte, a Scatter of more than
 * 512 bytes twice that, and of 768 bytes and more every third Gather 300 ms. */
static struct {
    bool told, gathers;
    int bytes, n_large;
} flat;

static double flat_time(void)
{
    if (flat.gathers && flat.bytes >= 768 && flat.n_large++ % 3 == 0)
        return 0.3;
    return (!flat.gathers && flat.bytes > 512 ? 2 : 1) * (1e-3 + 1e-6 * flat.bytes);
}

static void share_note(bool gathers, int tag, int n)
{
    if (tag == 1) /* TAG_SHARE of survey/flat.c */
        flat.gathers = gathers, flat.bytes = n;
}

int MPI_Send(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    share_note(false, tag, n);
    return PMPI_Send(buffer, n, type, to, tag, comm);
}

int MPI_Recv(void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    share_note(true, tag, n);
    return PMPI_Recv(buffer, n, type, from, tag, comm, status);
}

/* That of operation_run there: is a process late, and when did the last one leave, ns. */
int MPI_Reduce(const void *own, void *all, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    int rank;
    const int code = PMPI_Reduce(own, all, n, type, op, root, comm);
    PMPI_Comm_rank(comm, &rank);
    if (flat.told && rank == root && n == 2 && type == MPI_INT64_T && op == MPI_MAX) {
        int64_t *result = all;
        result[0] = 0;
        result[1] = (int64_t)(1e9 * flat_time());
    }
    return code;
}

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

/* Of small shares among three: the formula and what is beyond it. */
static double linear_part(const struct machine_lmo *lmo, bool gather, double M)
{
    const double *beyond = gather ? lmo->gather[0] : lmo->scatter[0];
    return lmo_linear_time(lmo, gather, false, 3, 0, (const int[]){0, 1, 2}, M) + beyond[LMO_BEYOND_kappa] * M +
           beyond[LMO_BEYOND_offset];
}

static bool escalation_is_third(const struct machine_lmo *lmo)
{
    double p;
    return escalation_probabilities(lmo, 3, 960, &p) && fabs(p - 1. / 3) < 0.1;
}

/* What Scatters and Gathers do beyond the models of messages, and where. */
static void gathers_estimate(int rank)
{
    const struct estimating_wish wish = {.every_process = true, .many_to_one = true, .bytes = 512, .largest = 1024, .rest = -1,
                                         .budget = 25};
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine = NULL;
    flat.told = true;
    const enum status status = estimating_run(MPI_COMM_WORLD, &wish, &machine, &diags);
    flat.told = false;
    const struct machine_lmo *lmo = status == STATUS_OK ? machine->lmo : NULL;
    tell(rank, "many_to_one of all, which is of lmo", lmo && !machine->hockney && lmo->has_kappa);
    tell(rank, "the leap of a Scatter", lmo && lmo->scatter_S == 512);
    tell(rank, "the level of a Gather", lmo && lmo->n_levels == 1 && fabs(lmo->levels[0] - 0.3) < 1e-6 && !lmo->levels_added);
    tell(rank, "where it escalates", lmo && lmo->M1.n == 1 && lmo->M1.bytes[0] == 3 && lmo->M1.time[0] == 768 && lmo->M2 == 1024);
    tell(rank, "how often", lmo && lmo->probability && escalation_is_third(lmo));
    tell(rank, "that none does right after one that did", lmo && lmo->dependence < -0.3);
    tell(rank, "M1 by ratio", lmo && lmo->M1_by_ratio.n == 1 && lmo->M1_by_ratio.time[0] == 768);
    tell(rank, "its linear part", lmo && fabs(linear_part(lmo, true, 640) - 1.64e-3) < 1e-5);
    tell(rank, "that of a Scatter", lmo && fabs(linear_part(lmo, false, 512) - 1.512e-3) < 1e-5);
    tell(rank, "the same everywhere", is_same_everywhere(MPI_COMM_WORLD, lmo ? digest(machine) + lmo->levels[0] : 0));
    if (!lmo && rank == 0)
        diags_print(&diags, stderr);
    machine_destroy(machine);
    diags_free(&diags);
}

/* The budget ends before there is anything to say of Gathers: what was measured until then is not lost. */
static void little_time(int rank)
{
    const struct estimating_wish wish = {.every_process = true, .many_to_one = true, .budget = 1e-3, .rest = -1};
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine = NULL;
    const enum status status = estimating_run(MPI_COMM_WORLD, &wish, &machine, &diags);
    tell(rank, "a budget that does not suffice leaves lmo", status == STATUS_RANGE && machine && machine->lmo &&
                                                            !machine->lmo->has_kappa && diags.n_errors == (rank == 0));
    for (size_t i = 0; i < diags.n; i++)
        if (strncmp(diag_message(&diags, i), "many_to_one", strlen("many_to_one")) == 0)
            printf("    %s\n", diag_message(&diags, i));
    machine_destroy(machine);
    diags_free(&diags);
}

/* Both ways of Hockney's. */
static void line_estimate(int rank)
{
    const struct estimating_wish wish = {.every_process = true, .hockney = true, .regression = true};
    struct diags diags = DIAGS_EMPTY;
    struct machine *machine = NULL;
    const enum status status = estimating_run(MPI_COMM_WORLD, &wish, &machine, &diags);
    tell(rank, "hockney by regression", status == STATUS_OK && machine->hockney && !machine->lmo);
    machine_destroy(machine);
    diags_free(&diags);
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
    line_estimate(rank);
    gathers_estimate(rank);
    little_time(rank);
    wrong(rank, (struct estimating_wish){.hockney = true});
    wrong(rank, (struct estimating_wish){.every_process = true, .bytes = 1});
    wrong(rank, (struct estimating_wish){.every_process = true, .precision = 2});
    wrong(rank, (struct estimating_wish){.every_process = true, .repetitions = 5});
    wrong(rank, (struct estimating_wish){.every_process = true, .messages = -1});
    wrong(rank, (struct estimating_wish){.every_process = true, .many_to_one = true, .budget = -1});
    wrong(rank, (struct estimating_wish){.every_process = true, .many_to_one = true, .largest = 8});
    wrong(rank, (struct estimating_wish){.every_process = true, .many_to_one = true, .rest = 2});
    MPI_Finalize();
    return 0;
}
