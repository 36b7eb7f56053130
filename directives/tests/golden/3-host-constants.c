#include <mpi.h>
#define N 256
#define HALF (N / 2)   // half
#define LONG \
    (N * sizeof(double))
#define SQUARE(x) ((x) * (x))
#define HEX 0x100
#define FLAG
enum kind { A, B = 5, C };
static const unsigned long m = HALF * 2UL, k = m + 1;
double dt = 2, third = 1 / 3;
int truncated = 3.7;
float ratio = 10 / 4.0f;
int *pointer = 0, after = 12;
int i, j, procnum, ysize = 256 / numprocs + 2;
int array[3] = {1, 2, 3}, last = 13;
constexpr int braced{14};
int f(int argument, int other = 15) { int i = 0; for (int j = 0; j < 3; j++) { i = 1; } return i; }
// PEVPM Set x = N + HALF + LONG + HEX + A + B + C + m + k
// PEVPM Set y = dt / 3 + third + truncated + ratio + after + ysize + last + braced
// PEVPM Set ysize = ysize + 1
