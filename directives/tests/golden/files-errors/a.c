#include "same.h"
#define N 32
// PEVPM Param twice = 1
// PEVPM Procedure again
// PEVPM {
// PEVPM }
// PEVPM Message type = MPI_Send & size = N & to = 0
// PEVPM Call again
// PEVPM Call nowhere
