// SPDX-License-Identifier: MIT
/* The calls that the library makes, held to the moves that predictions take them for (collectives/carried.h): random
 * operations, each rank by itself. held CASES SEED, under mpirun, with PEVPM_COLL; says on rank 0 how many cases there
 * were and how many calls.
 *
 * The PMPI calls here are the library's, for a program's own symbols come first. Each is noted and passed on. Of pieces
 * that are on their way the one asked for first is waited for. */
#include "coll/place.h"
#include "collectives/carried.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- calls ---- */

enum { MOST = 20000 };
static struct noted {
    enum move_kind kind;
    int peer;
    long long bytes;
} noted[MOST];
static int n_noted;
static int waiting[MOST], n_waiting, first_waiting; /* peers of receives that are open, as they were posted */

static void note(enum move_kind kind, int peer, long long bytes)
{
    if (n_noted < MOST)
        noted[n_noted++] = (struct noted){kind, peer, bytes};
}

static long long bytes_of(int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (long long)count * size;
}

static long long bytes_come(MPI_Status *status)
{
    int n;
    PMPI_Get_count(status, MPI_BYTE, &n);
    return n;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int PMPI_Send(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    note(MOVE_SEND, to, bytes_of(count, type));
    return NEXT(PMPI_Send)(buf, count, type, to, tag, comm);
}

int PMPI_Recv(void *buf, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *ignored)
{
    MPI_Status status;
    (void)ignored;
    int result = NEXT(PMPI_Recv)(buf, count, type, from, tag, comm, &status);
    note(MOVE_RECV, from, bytes_come(&status));
    return result;
}

int PMPI_Mrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *ignored)
{
    MPI_Status status;
    (void)ignored;
    int result = NEXT(PMPI_Mrecv)(buf, count, type, message, &status);
    note(MOVE_RECV, status.MPI_SOURCE, bytes_come(&status));
    return result;
}

int PMPI_Irecv(void *buf, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    note(MOVE_IRECV, from, bytes_of(count, type));
    waiting[n_waiting++] = from; /* which is its place among the requests */
    return NEXT(PMPI_Irecv)(buf, count, type, from, tag, comm, request);
}

int PMPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
    (void)n;
    *index = MPI_UNDEFINED;
    if (first_waiting == n_waiting)
        return MPI_SUCCESS;
    *index = waiting[first_waiting++];
    note(MOVE_WAIT_RECEIVE, -1, 0);
    return PMPI_Wait(&requests[*index], status);
}

/* ---- moves ---- */

static int rank_world, cases, failures, calls;

static struct noted noted_of(const struct move *move)
{
    bool sends = move->kind == MOVE_SEND;
    return (struct noted){move->kind, sends ? move->to : move->from, sends ? move->bytes : move->receive_bytes};
}

static int moves_of(const struct schedule *s, struct noted list[])
{
    struct move move = {.kind = MOVE_SKIP};
    int n = 0;
    for (int64_t step = 0; move.kind != MOVE_END; step++) {
        schedule_move(s, step, &move);
        if (move.kind != MOVE_SKIP && move.kind != MOVE_END && n < MOST)
            list[n++] = noted_of(&move);
    }
    return n;
}

/* What the MPI library does itself is not seen: of its moves only the root's word is. */
static int expected(const struct coll_table *table, const struct coll_seats *seats, struct schedule s,
                    struct noted list[])
{
    struct carriage *carriage = carriage_may(table, s.op, s.size) ? carriage_make(table, seats, &s) : NULL;
    int n = 0;
    if (carriage) {
        s.algorithm = ALGORITHM_linear;
        carriage_apply(carriage, &s);
        n = moves_of(&s, list);
        if (!carriage->is_algorithm) {
            static struct noted own[MOST];
            s.carried = NULL;
            n -= moves_of(&s, own);
        }
    }
    carriage_free(carriage);
    return n;
}

static void compare(const struct coll_table *table, const struct coll_seats *seats, const struct schedule *s)
{
    static struct noted list[MOST];
    int n = expected(table, seats, *s, list), i = 0;
    while (i < n && i < n_noted && list[i].kind == noted[i].kind && list[i].peer == noted[i].peer &&
           list[i].bytes == noted[i].bytes)
        i++;
    calls += n_noted;
    if (i == n && i == n_noted)
        return;
    struct noted none = {MOVE_END, -1, 0}, a = i < n ? list[i] : none, b = i < n_noted ? noted[i] : none;
    if (failures++ < 5)
        fprintf(stderr, "rank %d, case %d, %s of %d, root %d: call %d is %d with %d, %lld bytes; predicted %d with %d, %lld bytes\n",
                rank_world, cases, collective_op_name(s->op), s->size, s->root, i, b.kind, b.peer, b.bytes, a.kind, a.peer,
                a.bytes);
}

/* ---- one case ---- */

static unsigned long long dice;
static int roll(int sides)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice >> 33) % (unsigned)sides);
}

static void operate(const struct schedule *s, int counts[], int displs[], char *one, char *all, MPI_Comm comm)
{
    int n = (int)s->bytes;
    switch (s->op) {
    case COLLECTIVE_MPI_Bcast: MPI_Bcast(all, n, MPI_BYTE, s->root, comm); break;
    case COLLECTIVE_MPI_Scatter: MPI_Scatter(all, n, MPI_BYTE, one, n, MPI_BYTE, s->root, comm); break;
    case COLLECTIVE_MPI_Gather: MPI_Gather(one, n, MPI_BYTE, all, n, MPI_BYTE, s->root, comm); break;
    case COLLECTIVE_MPI_Scatterv:
        MPI_Scatterv(all, counts, displs, MPI_BYTE, one, counts[s->rank], MPI_BYTE, s->root, comm);
        break;
    default: MPI_Gatherv(one, counts[s->rank], MPI_BYTE, all, counts, displs, MPI_BYTE, s->root, comm); break;
    }
}

static void one_case(const struct coll_table *table, struct coll_seats *seats, MPI_Comm comm)
{
    static const enum collective_op ops[] = {COLLECTIVE_MPI_Bcast, COLLECTIVE_MPI_Scatter, COLLECTIVE_MPI_Scatterv,
                                             COLLECTIVE_MPI_Gather, COLLECTIVE_MPI_Gatherv};
    static char one[4000], all[32000];
    struct schedule s = {.op = ops[roll(5)], .size = seats->size};
    int counts[8], displs[8], most = roll(3) == 0 ? 4000 : 400;
    int64_t sums[9] = {0};
    bool v = s.op == COLLECTIVE_MPI_Scatterv || s.op == COLLECTIVE_MPI_Gatherv;
    MPI_Comm_rank(comm, &s.rank);
    s.root = roll(s.size);
    s.bytes = roll(6) == 0 ? 0 : roll(most);
    for (int i = 0; i < s.size; i++) {
        counts[i] = roll(6) == 0 ? 0 : roll(most);
        displs[i] = (int)sums[i];
        sums[i + 1] = sums[i] + counts[i];
    }
    s.sums = v ? sums : NULL;
    n_noted = n_waiting = first_waiting = 0;
    operate(&s, counts, displs, one, all, comm);
    compare(table, seats, &s);
}

int main(int argc, char *argv[])
{
    char text[1 << 16] = "";
    struct coll_table table;
    int line, node[8], rank_on[8], world;
    FILE *file = fopen(getenv("PEVPM_COLL"), "r");
    if (argc != 3 || !file || fread(text, 1, sizeof text - 1, file) == 0 ||
        coll_table_read(&table, text, &line) != COLL_READ)
        return 2;
    fclose(file);
    dice = strtoull(argv[2], NULL, 10);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_world);
    void *place;
    int known = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, coll.keyval, &place, &known);
    if (!known) { /* no operation of the program's is to make it */
        fprintf(stderr, "nothing is known of MPI_COMM_WORLD after MPI_Init\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (; cases < atoi(argv[1]); cases++) {
        int out = roll(3) == 0 ? roll(world) : -1, key = roll(2),
            n = 0; /* one rank may be left out, the others turned round */
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, rank_world == out, key ? -rank_world : rank_world, &comm);
        for (int i = 0; i < world; i++) {
            int at = key ? world - 1 - i : i;
            if (at != out)
                node[n++] = at;
        }
        struct coll_seats seats = {.size = n, .nodes = world, .node = node, .rank_on = rank_on};
        coll_seats_find(&seats);
        unsigned long long before = dice;
        if (rank_world != out)
            for (int i = 0; i < 4; i++)
                one_case(&table, &seats, comm);
        dice = before + 1;
        MPI_Comm_free(&comm);
    }
    int all[2], own[2] = {failures, calls};
    MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank_world == 0)
        printf("%d cases, %d calls, %d differences\n", 4 * cases, all[1], all[0]);
    coll_table_free(&table);
    MPI_Finalize();
    return failures > 0;
}
