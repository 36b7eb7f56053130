/* First messages between the processes of this job; with an argument K as if each K of them were a node. Printed: how
 * many of each kind were measured, and what they say that making a connection takes, us. */
#include "measure/first.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0: as it is. */
static int processes_per_node;

/* It stands before the library's. */
int MPI_Get_processor_name(char *name, int *length)
{
    int rank;
    if (processes_per_node == 0)
        return PMPI_Get_processor_name(name, length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node %d", rank / processes_per_node);
    return MPI_SUCCESS;
}

int main(int argc, char *argv[])
{
    struct connect_samples samples = CONNECT_SAMPLES_EMPTY;
    struct machine_connect connect;
    int rank;
    MPI_Init(&argc, &argv);
    processes_per_node = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    first_run(MPI_COMM_WORLD, &samples);
    if (rank == 0) {
        printf("%zu listen, %zu pairs, %zu late, %d at once, each %d\n", samples.listens.n, samples.messages.n,
               samples.late.n, samples.made_at_once, samples.each);
        if (connect_fit(&samples, &connect))
            printf("message %.0f call %.0f late %.0f shared %.0f listen %.0f\n", 1e6 * connect.message,
                   1e6 * connect.call, 1e6 * connect.late, 1e6 * connect.shared, 1e6 * connect.listen);
    }
    connect_samples_free(&samples);
    MPI_Finalize();
    return 0;
}
