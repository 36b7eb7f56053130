// SPDX-License-Identifier: MIT
/* Random collective operations through MPI_ and through PMPI_ calls: all that they leave in memory must be the same.
 * With the library before MPI the first ones are its own. same CASES SEED; says on rank 0 how many cases there were. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The same numbers in all processes that begin with the same seed. */
struct dice {
    unsigned long long state;
};
static int roll(struct dice *d, int sides)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return (int)((d->state >> 33) % (unsigned)sides);
}

static int failures, cases;
static int rank_world;
static void fail(const char *what)
{
    if (failures++ < 5)
        fprintf(stderr, "rank %d, case %d: %s differs\n", rank_world, cases, what);
}

/* ---- types of the same signature: BLOCK ints ---- */

enum { BLOCK = 6, N_TYPES = 6 };
static MPI_Datatype types[N_TYPES];

static void types_make(void)
{
    int backwards[BLOCK] = {10, 8, 6, 4, 2, 0}, inside[BLOCK] = {5, 4, 3, 2, 1, 0};
    MPI_Type_contiguous(BLOCK, MPI_INT, &types[0]);
    MPI_Type_vector(BLOCK / 2, 2, 3, MPI_INT, &types[1]);
    MPI_Type_create_indexed_block(BLOCK, 1, backwards, MPI_INT, &types[2]);
    MPI_Type_create_indexed_block(BLOCK, 1, inside, MPI_INT, &types[3]); /* no holes, another order */
    MPI_Type_create_resized(types[1], -8, 48, &types[4]);
    for (int i = 0; i < N_TYPES - 1; i++)
        MPI_Type_commit(&types[i]);
}

/* BLOCK * blocks ints, as one of the types; the last one is MPI_INT itself. */
struct form {
    MPI_Datatype type;
    int times; /* items of the type for one block */
};
static struct form form_of(int which)
{
    return which == N_TYPES - 1 ? (struct form){MPI_INT, BLOCK} : (struct form){types[which], 1};
}

/* ---- buffers: the same twice, with room before and behind ---- */

enum { MARGIN = 64 };
struct memory {
    size_t bytes;
    char *theirs, *ours;
};
static struct memory memory_make(struct form form, size_t blocks, int fill)
{
    MPI_Aint low, extent;
    MPI_Type_get_extent(form.type, &low, &extent);
    struct memory m = {.bytes = blocks * (size_t)form.times * (size_t)extent + 2 * MARGIN};
    m.theirs = malloc(m.bytes);
    m.ours = malloc(m.bytes);
    for (size_t i = 0; i < m.bytes; i++)
        m.theirs[i] = (char)((i * 31 + (size_t)fill * 17 + i / 97) & 127);
    memcpy(m.ours, m.theirs, m.bytes);
    return m;
}
static void memory_end(struct memory *m, const char *what)
{
    if (memcmp(m->theirs, m->ours, m->bytes) != 0)
        fail(what);
    free(m->theirs);
    free(m->ours);
}
static void *at(char *memory) { return memory + MARGIN; }

/* ---- one case ---- */

struct coll_place {
    MPI_Comm comm;
    int size, rank;
};

static void bcast_case(struct dice *d, struct dice *own, struct coll_place p, int root)
{
    int blocks = roll(d, 3) == 0 ? roll(d, 3) : roll(d, 400);
    struct form form = form_of(roll(own, N_TYPES));
    struct memory m = memory_make(form, (size_t)blocks + 1, p.rank);
    PMPI_Bcast(at(m.theirs), blocks * form.times, form.type, root, p.comm);
    MPI_Bcast(at(m.ours), blocks * form.times, form.type, root, p.comm);
    memory_end(&m, "MPI_Bcast");
}

static void regular_case(struct dice *d, struct dice *own, struct coll_place p, int root, int gather)
{
    int blocks = roll(d, 3) == 0 ? roll(d, 4) : roll(d, 150), in_place = roll(d, 3) == 0 && p.rank == root;
    struct form one = form_of(roll(own, N_TYPES)), all = form_of(roll(own, N_TYPES));
    struct memory mine = memory_make(one, (size_t)blocks + 1, p.rank);
    struct memory whole = memory_make(all, (size_t)blocks * (size_t)p.size + 1, p.rank + 50);
    int n_one = blocks * one.times, n_all = blocks * all.times;
    if (gather) {
        PMPI_Gather(in_place ? MPI_IN_PLACE : at(mine.theirs), n_one, one.type, at(whole.theirs), n_all, all.type, root,
                    p.comm);
        MPI_Gather(in_place ? MPI_IN_PLACE : at(mine.ours), n_one, one.type, at(whole.ours), n_all, all.type, root,
                   p.comm);
    } else {
        PMPI_Scatter(at(whole.theirs), n_all, all.type, in_place ? MPI_IN_PLACE : at(mine.theirs), n_one, one.type,
                     root, p.comm);
        MPI_Scatter(at(whole.ours), n_all, all.type, in_place ? MPI_IN_PLACE : at(mine.ours), n_one, one.type, root,
                    p.comm);
    }
    memory_end(&mine, gather ? "MPI_Gather, what is sent" : "MPI_Scatter");
    memory_end(&whole, gather ? "MPI_Gather" : "MPI_Scatter, what is sent");
}

/* Shares in any order, with gaps between them. */
static void irregular_case(struct dice *d, struct dice *own, struct coll_place p, int root, int gather)
{
    int in_place = roll(d, 3) == 0 && p.rank == root, most = roll(d, 2) == 0 ? 4 : 150, end = 0;
    int blocks[16], counts[16], displs[16], first = roll(d, p.size);
    struct form one = form_of(roll(own, N_TYPES)), all = form_of(roll(own, N_TYPES));
    for (int k = 0; k < p.size; k++) {
        int i = (first + k) % p.size;
        blocks[i] = roll(d, most);
        counts[i] = blocks[i] * all.times;
        displs[i] = end * all.times;
        end += blocks[i] + roll(d, 3);
    }
    struct memory mine = memory_make(one, (size_t)blocks[p.rank] + 1, p.rank);
    struct memory whole = memory_make(all, (size_t)end + 1, p.rank + 50);
    int n_one = blocks[p.rank] * one.times;
    const int *c = p.rank == root ? counts : NULL, *s = p.rank == root ? displs : NULL; /* of no meaning elsewhere */
    if (gather) {
        PMPI_Gatherv(in_place ? MPI_IN_PLACE : at(mine.theirs), n_one, one.type, at(whole.theirs), c, s, all.type, root,
                     p.comm);
        MPI_Gatherv(in_place ? MPI_IN_PLACE : at(mine.ours), n_one, one.type, at(whole.ours), c, s, all.type, root,
                    p.comm);
    } else {
        PMPI_Scatterv(at(whole.theirs), c, s, all.type, in_place ? MPI_IN_PLACE : at(mine.theirs), n_one, one.type,
                      root, p.comm);
        MPI_Scatterv(at(whole.ours), c, s, all.type, in_place ? MPI_IN_PLACE : at(mine.ours), n_one, one.type, root,
                     p.comm);
    }
    memory_end(&mine, gather ? "MPI_Gatherv, what is sent" : "MPI_Scatterv");
    memory_end(&whole, gather ? "MPI_Gatherv" : "MPI_Scatterv, what is sent");
}

/* The lower ranks send to, or gather from, those of the other group. */
static void between_case(struct dice *d, MPI_Comm between, int in_low)
{
    int rank, others, blocks = roll(d, 100);
    MPI_Comm_rank(between, &rank);
    MPI_Comm_remote_size(between, &others);
    struct form form = form_of(0);
    struct memory m = memory_make(form, (size_t)blocks + 1, rank + 10 * in_low);
    struct memory whole = memory_make(form, (size_t)(blocks * others) + 1, rank);
    int root = in_low ? rank == 0 ? MPI_ROOT : MPI_PROC_NULL : 0;
    PMPI_Bcast(at(m.theirs), blocks, form.type, root, between);
    MPI_Bcast(at(m.ours), blocks, form.type, root, between);
    PMPI_Gather(at(m.theirs), blocks, form.type, at(whole.theirs), blocks, form.type, root, between);
    MPI_Gather(at(m.ours), blocks, form.type, at(whole.ours), blocks, form.type, root, between);
    memory_end(&m, "MPI_Bcast between groups");
    memory_end(&whole, "MPI_Gather between groups");
}

static void any_case(struct dice *d, struct dice *own, struct coll_place p)
{
    int root = roll(d, p.size), what = roll(d, 5), listens = roll(d, 4) == 0, cancelled, heard;
    MPI_Request request;
    MPI_Status status;
    if (listens) /* nothing of an operation comes here */
        MPI_Irecv(&heard, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, p.comm, &request);
    if (what == 0)
        bcast_case(d, own, p, root);
    else if (what < 3)
        regular_case(d, own, p, root, what == 1);
    else
        irregular_case(d, own, p, root, what == 3);
    if (listens) {
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (!cancelled)
            fail("what a receive from anybody gets");
    }
}

static struct coll_place place_of(MPI_Comm comm)
{
    struct coll_place p = {.comm = comm};
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_size(comm, &p.size);
        MPI_Comm_rank(comm, &p.rank);
    }
    return p;
}

int main(int argc, char *argv[])
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_world);
    int n = atoi(argv[1]);
    struct dice d = {strtoull(argv[2], NULL, 10)}, own = {d.state + 1000u * (unsigned)(rank_world + 1)};
    MPI_Comm backwards, but_one, half, between;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_world, &backwards);
    MPI_Comm_split(MPI_COMM_WORLD, rank_world == 1 ? MPI_UNDEFINED : 0, rank_world, &but_one);
    MPI_Comm_split(MPI_COMM_WORLD, rank_world < 2, rank_world, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank_world < 2 ? 2 : 0, 7, &between);
    types_make();
    for (; cases < n; cases++) {
        const MPI_Comm comms[] = {MPI_COMM_WORLD, backwards, but_one, half};
        struct coll_place p = place_of(comms[roll(&d, 4)]);
        struct dice shared = {d.state};
        if (roll(&d, 12) == 0)
            between_case(&shared, between, rank_world < 2);
        else if (p.comm != MPI_COMM_NULL)
            any_case(&shared, &own, p);
        if (cases % 25 == 24) { /* what the library knows of a communicator ends with it */
            MPI_Comm_free(&backwards);
            MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_world, &backwards);
        }
    }
    int all;
    PMPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank_world == 0)
        printf("%d cases, %d differences\n", cases, all);
    for (int i = 0; i < N_TYPES - 1; i++)
        MPI_Type_free(&types[i]);
    MPI_Comm_free(&backwards);
    if (but_one != MPI_COMM_NULL)
        MPI_Comm_free(&but_one);
    MPI_Comm_free(&half);
    MPI_Comm_free(&between);
    MPI_Finalize();
    return failures > 0;
}
