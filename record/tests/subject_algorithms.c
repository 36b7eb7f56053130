/* subject_algorithms.c - subjects that are parallel algorithms by hand: who is whose partner or root, and whose share is how large. */
#include "subject.h"

#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

/* A sort: how much goes to whom follows the data. */
static void buckets(int steps)
{
    static char out[65536], in[131072];
    int counts[64], from[64], came[64], at[64];
    for (int step = 0; step < steps; step++) {
        for (int p = 0; p < size; p++)
            counts[p] = (24000 + (rank * 37 + p * 91 + step * 53) % 29 * 40) / size / size;
        MPI_Alltoall(counts, 1, MPI_INT, came, 1, MPI_INT, MPI_COMM_WORLD);
        for (int p = 0; p < size; p++) {
            from[p] = p == 0 ? 0 : from[p - 1] + counts[p - 1];
            at[p] = p == 0 ? 0 : at[p - 1] + came[p - 1];
        }
        MPI_Alltoallv(out, counts, from, MPI_CHAR, in, came, at, MPI_CHAR, MPI_COMM_WORLD);
    }
}

/* Of two processes none does both, and the compiler puts the first call behind the second. */
static void pipeline(void)
{
    int rank, size;
    char text[8] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (__builtin_expect(rank > 0, 0))
        MPI_Recv(text, 8, MPI_BYTE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (__builtin_expect(rank < size - 1, 1))
        MPI_Send(text, 8, MPI_BYTE, rank + 1, 1, MPI_COMM_WORLD);
}

/* Process 0 takes what anybody has, to the end: who is done early must not be taken for one who asks. */
static void farm(void)
{
    char text[64] = {0};
    MPI_Status status;
    for (int i = 0; i < 5 * (size - 1) && rank == 0; i++) {
        MPI_Recv(text, 8, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(text, 64, MPI_CHAR, status.MPI_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(text, 64, MPI_CHAR, status.MPI_SOURCE, 3, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 5 && rank > 0; i++) {
        MPI_Send(text, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        MPI_Send(text, 64, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(text, 64, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* What process 0 does follows from who sent what it takes of anybody; all are done in any order. They send a tenth of a second
 * after each other, so that runs have the order of their ranks. */
static void chosen(void)
{
    char text[8] = {0};
    MPI_Status status;
    usleep(100000 * (unsigned)rank);
    for (int i = 1; i < size && rank == 0; i++) {
        MPI_Recv(text, 8, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 1)
            MPI_Send(text, 8, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
        else
            MPI_Recv(text, 8, MPI_CHAR, status.MPI_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank > 0)
        MPI_Send(text, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(text, 8, MPI_CHAR, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank > 1)
        MPI_Send(text, 8, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
}

/* Sums of all before, twice as far away in each trip: who sends and who receives depends on both the process and the trip. Some
 * do neither, and each only waits in the last. */
static void scan(void)
{
    char text[8] = {0};
    for (int distance = 1; distance < size; distance *= 2) {
        if (rank + distance < size)
            MPI_Send(text, 8, MPI_CHAR, rank + distance, 4, MPI_COMM_WORLD);
        if (rank >= distance)
            MPI_Recv(text, 8, MPI_CHAR, rank - distance, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int distance = 1; distance < size; distance *= 2) {
        if ((rank + 1) % distance == 0) {
            if (rank / distance % 2 == 0)
                MPI_Send(text, 4, MPI_CHAR, rank + distance, 5, MPI_COMM_WORLD);
            else
                MPI_Recv(text, 4, MPI_CHAR, rank - distance, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* A message to the middle, which 2 and 4 processes do not tell from others. */
static void middle(void)
{
    char text[8] = {0};
    if (rank == 0)
        MPI_Send(text, 8, MPI_CHAR, size / 2, 6, MPI_COMM_WORLD);
    if (rank == size / 2)
        MPI_Recv(text, 8, MPI_CHAR, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Who has the largest value is the root, and how often a loop goes round until it is found follows the data, too. The last one
 * writes. */
static void largest(void)
{
    char text[300] = {0}, all[8];
    MPI_Reduce(text, all, 8, MPI_CHAR, MPI_MAX, size - 1, MPI_COMM_WORLD);
    MPI_Bcast(text, 8, MPI_CHAR, 2 * size / 5, MPI_COMM_WORLD);
    for (int i = 0; i < (size < 16 ? 4 + size / 2 : 9); i++)
        MPI_Allreduce(MPI_IN_PLACE, text, 4, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
    if (size >= 8)
        MPI_Bcast(text, 300 / size, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* Messages of anybody to anybody, of any size and tag, as chance has it: the same chance for all. */
static void chance(int rounds)
{
    static char bytes[1000];
    unsigned random = 7;
    for (int i = 0; i < rounds; i++) {
        unsigned drawn[4];
        for (int k = 0; k < 4; k++)
            drawn[k] = (random = random * 1103515245U + 12345U) / 65536;
        int from = (int)(drawn[0] % (unsigned)size), to = (int)(drawn[1] % (unsigned)size);
        if (from == to)
            continue;
        if (rank == from)
            MPI_Send(bytes, (int)(drawn[2] % 1000), MPI_CHAR, to, (int)(drawn[3] % 7), MPI_COMM_WORLD);
        if (rank == to)
            MPI_Recv(bytes, (int)(drawn[2] % 1000), MPI_CHAR, from, (int)(drawn[3] % 7), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* 1003 doubles and 62 rows that no count divides: the first have one more, the last has the remainder, from bounds, a share
 * for each worker. */
static void blocks(void)
{
    enum { N = 1003, ROWS = 62, WIDTH = 15 };
    static double all[N], mine[N], rows[ROWS * WIDTH];
    int *count = malloc(sizeof *count * (size_t)size), *from = malloc(sizeof *from * (size_t)size);
    for (int p = 0, at = 0; p < size; at += count[p++]) {
        count[p] = N / size + (p < N % size);
        from[p] = at;
    }
    MPI_Scatterv(all, count, from, MPI_DOUBLE, mine, count[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int p = 0; p < size; p++) {
        count[p] = N / size + (p == size - 1 ? N % size : 0);
        from[p] = p * (N / size);
    }
    MPI_Gatherv(mine, count[rank], MPI_DOUBLE, all, count, from, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int step = 0; step < size - 1; step++) {
        const int here = (rank - step + size) % size, next = (here - 1 + size) % size;
        MPI_Sendrecv(mine, (here + 1) * N / size - here * N / size, MPI_DOUBLE, (rank + 1) % size, 1, all,
                     (next + 1) * N / size - next * N / size, MPI_DOUBLE, (rank - 1 + size) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int to = 1; to < size && rank == 0; to++)
        MPI_Send(rows, (ROWS / (size - 1) + (to <= ROWS % (size - 1))) * WIDTH, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);
    if (rank > 0)
        MPI_Recv(rows, ROWS * WIDTH, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(count);
    free(from);
}

/* Rows that are broadcast by those who have them; sent to all others by who has them; collected in rounds of anybody's, whose number is the
 * tag; and from each worker in turn. */
static void row_owners(void)
{
    enum { N = 30, EVEN = 48, ROUNDS = 5 };
    char text[8] = {0};
    for (int row = 0; row < N; row++) {
        int owner = 0;
        for (int end = 0; row >= (end += N / size + (owner < N % size));)
            owner++;
        MPI_Bcast(text, 8, MPI_CHAR, owner, MPI_COMM_WORLD);
    }
    for (int row = 0; row < EVEN; row++) {
        const int owner = row / (EVEN / size) < size ? row / (EVEN / size) : size - 1;
        for (int to = 0; to < size && rank == owner; to++)
            if (to != rank)
                MPI_Send(text, 8, MPI_CHAR, to, 1, MPI_COMM_WORLD);
        if (rank != owner)
            MPI_Recv(text, 8, MPI_CHAR, owner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int n = 1; n < size; n++)
            if (rank == 0)
                MPI_Recv(text, 8, MPI_CHAR, MPI_ANY_SOURCE, 10 + round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else if (rank == n)
                MPI_Send(text, 8, MPI_CHAR, 0, 10 + round, MPI_COMM_WORLD);
    for (int from = 1; from < size; from++)
        if (rank == 0)
            MPI_Recv(text, 8, MPI_CHAR, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (rank == from)
            MPI_Send(text, 8, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
}

/* Rows that go once around, from whoever has them to the one before: whose end no formula says. */
static void around(void)
{
    char text[8] = {0};
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int row = 0; row < 48; row++)
        if (row % size == rank) {
            MPI_Send(text, 8, MPI_CHAR, next, 7, MPI_COMM_WORLD);
        } else {
            MPI_Recv(text, 8, MPI_CHAR, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if ((row + 1) % size != rank)
                MPI_Send(text, 8, MPI_CHAR, next, 7, MPI_COMM_WORLD);
        }
}

/* An odd-even sort's exchanges, in which the first or the last has no partner and does nothing, and a share for each. */
static void odd_even(void)
{
    enum { N = 4096 };
    static int mine[N], theirs[N];
    for (int phase = 0; phase < size; phase++) {
        const int partner = (phase + rank) % 2 == 0 ? rank + 1 : rank - 1;
        if (phase % 2 == 0 && partner < size)
            MPI_Sendrecv(mine, N / size, MPI_INT, partner, 0, theirs, N / size, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (phase % 2 == 1 && partner >= 0 && partner < size)
            MPI_Sendrecv(mine, N / size, MPI_INT, partner, 0, theirs, N / size, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Fox's algorithm: in each stage the next diagonal is broadcast along the rows, by a call of those who have it and one of the others. */
static void diagonals(void)
{
    char text[8] = {0};
    int side = 1;
    while ((side + 1) * (side + 1) <= size)
        side++;
    const int row = rank / side, column = rank % side;
    MPI_Comm along;
    MPI_Comm_split(MPI_COMM_WORLD, row, column, &along);
    for (int step = 0; step < 5; step++)
        for (int stage = 0; stage < side; stage++) {
            const int root = (row + stage) % side;
            if (root == column)
                MPI_Bcast(text, 8, MPI_CHAR, root, along);
            else
                MPI_Bcast(text, 8, MPI_CHAR, root, along);
        }
    MPI_Comm_free(&along);
}

/* Binomial trees by hand: a scatter by lowest bits, of 60 doubles for each process; what goes to all by highest, and comes from all
 * by lowest bits. */
static void trees(int steps)
{
    static double data[60 * 64];
    int distance = 1;
    while (distance < size && rank % (2 * distance) == 0)
        distance *= 2;
    if (rank > 0)
        MPI_Recv(data, 60 * 64, MPI_DOUBLE, rank - distance, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (distance /= 2; distance > 0; distance /= 2)
        if (rank + distance < size) {
            const int left = size - rank - distance;
            MPI_Send(data, 60 * (left < distance ? left : distance), MPI_DOUBLE, rank + distance, 1, MPI_COMM_WORLD);
        }
    for (int i = 0; i < steps; i++) {
        for (int k = 1; k < size; k *= 2)
            if (rank >= k && rank < 2 * k)
                MPI_Recv(data, 40, MPI_DOUBLE, rank - k, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else if (rank < k && rank + k < size)
                MPI_Send(data, 40, MPI_DOUBLE, rank + k, 2, MPI_COMM_WORLD);
        int k = 1;
        for (; k < size && rank % (2 * k) == 0; k *= 2)
            if (rank + k < size)
                MPI_Recv(data, 1, MPI_DOUBLE, rank + k, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank > 0)
            MPI_Send(data, 1, MPI_DOUBLE, rank - k, 3, MPI_COMM_WORLD);
    }
}

/* An iteration that ends when the largest change is small, which takes longer the larger the problem is, or after 40 steps. */
static void limited(int n)
{
    double change = 1, most;
    for (int i = 0; i < 40 && change > 1e-3; i++) {
        change *= 1 - 40.0 / n / n;
        MPI_Allreduce(&change, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        change = most;
    }
}

const struct subject subjects_of_algorithms[] = {
    {.name = "farm", .alone = farm},
    {.name = "around", .alone = around},
    {.name = "odd-even", .alone = odd_even},
    {.name = "diagonals", .alone = diagonals},
    {.name = "rows", .alone = row_owners},
    {.name = "chosen", .alone = chosen},
    {.name = "scan", .alone = scan},
    {.name = "largest", .alone = largest},
    {.name = "middle", .alone = middle},
    {.name = "pipeline", .alone = pipeline},
    {.name = "buckets", .counted = buckets, .usual = 4},
    {.name = "chance", .counted = chance, .usual = 10},
    {.name = "blocks", .alone = blocks},
    {.name = "trees", .counted = trees, .usual = 5},
    {.name = "limited", .counted = limited, .usual = 20},
    {.name = NULL},
};
