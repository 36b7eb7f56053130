/* collective_impl.h - one call of a collective operation, ready to be made again and again. */
#ifndef PEVPM_MEASURE_COLLECTIVE_IMPL_H
#define PEVPM_MEASURE_COLLECTIVE_IMPL_H

#include "measure/collective.h"

#include <stddef.h>

struct operands {
    MPI_Comm comm;
    int rank, size, bytes;
    void *send, *receive;          /* owned */
    int *counts, *offsets;         /* [size] owned: bytes per process, equal shares */
    int *n_reduced;                /* [size] owned: elements per process */
    MPI_Datatype reduced;          /* doubles where the size is a multiple of theirs, else bytes */
    MPI_Op combine;
};

/* STATUS_RANGE as collective_measure. */
enum status operands_init(struct operands *o, MPI_Comm comm, enum collective op, int64_t bytes, struct diags *diags);
void operands_free(struct operands *o);

/* Makes the call; an I-form is waited for. */
void collective_call(enum collective op, const struct operands *o);

#endif
