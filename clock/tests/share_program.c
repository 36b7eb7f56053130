/* Each rank has as many samples as its number, some none: rank 0 prints all of them, and from how many ranks they
 * came. */
#include "clock/share.h"

#include <stdbool.h>
#include <stdio.h>

/* From how many ranks receives were posted; the function stands before the library's. */
static struct {
    bool from[64];
    int n;
} heard;

int MPI_Irecv(void *buffer, int n, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
    heard.n += source >= 0 && !heard.from[source];
    if (source >= 0)
        heard.from[source] = true;
    return PMPI_Irecv(buffer, n, type, source, tag, comm, request);
}

int main(void)
{
    MPI_Init(NULL, NULL);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct samples own = SAMPLES_EMPTY, all = SAMPLES_EMPTY;
    for (int i = 0; i < rank; i++)
        samples_add(&own, 100 * rank + i);
    samples_add(&all, -1); /* what is there stays */
    share_samples(MPI_COMM_WORLD, &own, rank == 0 ? &all : NULL);
    for (size_t i = 0; i < all.n && rank == 0; i++)
        printf("%lld ", (long long)all.ns[i]);
    if (rank == 0)
        printf("from %d\n", heard.n);
    samples_free(&own);
    samples_free(&all);
    MPI_Finalize();
    return 0;
}
