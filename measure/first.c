/* Nothing here but point-to-point messages between rank 0 and another, and between the two of a pair: a collective
 * operation would connect others. */
#include "measure/first.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ORDER_TAG = 1, DONE_TAG, FIRST_TAG };
enum { LATER = 5 };      /* times that the same is done over the connection there is */
enum { PAIRS_MOST = 24 }; /* of each kind */
static const int64_t LATE_NS = 4000000;  /* that a late receiver computes: longer than the order to its partner takes */
static const int64_t APART_NS = 1000000; /* from the order to the process that waits to that of its partner */

enum job_kind { FIRST_END, FIRST_PING, FIRST_PONG, FIRST_POST, FIRST_LATE, FIRST_ALL };

/* What a process is to do. */
struct order {
    int kind, partner;    /* enum job_kind; FIRST_ALL: how many the processes are */
};

/* What it took, ns: the first time and in the median of the later ones. */
struct done {
    int64_t first, later;
};

struct crowd {
    MPI_Comm comm;
    int n, *rank;         /* of each node but rank 0's, its lowest rank */
    int at_once;          /* of these, the first so many exchange at once */
};

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void rest(int64_t ns)
{
    const struct timespec t = {.tv_nsec = ns};
    nanosleep(&t, NULL);
}

static void send_to(MPI_Comm comm, int to)
{
    MPI_Send(NULL, 0, MPI_BYTE, to, FIRST_TAG, comm);
}

static void receive_from(MPI_Comm comm, int from)
{
    MPI_Recv(NULL, 0, MPI_BYTE, from, FIRST_TAG, comm, MPI_STATUS_IGNORE);
}

/* ---- what a process does once ---- */

static int64_t ping(MPI_Comm comm, int partner)
{
    const int64_t begun = now();
    send_to(comm, partner);
    receive_from(comm, partner);
    return now() - begun;
}

static int64_t pong(MPI_Comm comm, int partner)
{
    receive_from(comm, partner);
    send_to(comm, partner);
    return 0;
}

/* How long the call lasts; both are ready for another when it is over. */
static int64_t post(MPI_Comm comm, int partner)
{
    MPI_Request request;
    const int64_t begun = now();
    MPI_Isend(NULL, 0, MPI_BYTE, partner, FIRST_TAG, comm, &request);
    const int64_t called = now();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    receive_from(comm, partner);
    return called - begun;
}

static int64_t late(MPI_Comm comm, int partner)
{
    rest(LATE_NS);
    const int64_t begun = now();
    receive_from(comm, partner);
    const int64_t received = now();
    send_to(comm, partner);
    return received - begun;
}

static void exchange_all(const struct crowd *crowd, int n)
{
    int self, used = 0;
    MPI_Request *requests = alloc_array(2 * (size_t)n, sizeof *requests);
    MPI_Comm_rank(crowd->comm, &self);
    for (int i = 0; i < n; i++)
        if (crowd->rank[i] != self)
            MPI_Irecv(NULL, 0, MPI_BYTE, crowd->rank[i], FIRST_TAG, crowd->comm, &requests[used++]);
    for (int i = 0; i < n; i++)
        if (crowd->rank[i] != self)
            MPI_Isend(NULL, 0, MPI_BYTE, crowd->rank[i], FIRST_TAG, crowd->comm, &requests[used++]);
    for (int i = 0; i < used; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    free(requests);
}

/* ---- orders ---- */

static struct done repeated(int64_t once(MPI_Comm comm, int partner), MPI_Comm comm, int partner)
{
    struct done done = {.first = once(comm, partner)};
    struct samples later = SAMPLES_EMPTY;
    for (int i = 0; i < LATER; i++)
        samples_add(&later, once(comm, partner));
    samples_sort(&later);
    done.later = (int64_t)samples_median(&later);
    samples_free(&later);
    return done;
}

static struct done order_carry_out(const struct crowd *crowd, const struct order *order)
{
    switch ((enum job_kind)order->kind) {
    case FIRST_PING:
        return repeated(ping, crowd->comm, order->partner);
    case FIRST_PONG:
        return repeated(pong, crowd->comm, order->partner);
    case FIRST_POST:
        return repeated(post, crowd->comm, order->partner);
    case FIRST_LATE:
        return repeated(late, crowd->comm, order->partner);
    case FIRST_ALL:
        exchange_all(crowd, order->partner);
        break;
    case FIRST_END:
        break;
    }
    return (struct done){0, 0};
}

static void order_give(MPI_Comm comm, int to, enum job_kind kind, int partner)
{
    const struct order order = {(int)kind, partner};
    MPI_Send(&order, 2, MPI_INT, to, ORDER_TAG, comm);
}

static struct done order_await(MPI_Comm comm, int from)
{
    struct done done;
    MPI_Recv(&done, 2, MPI_INT64_T, from, DONE_TAG, comm, MPI_STATUS_IGNORE);
    return done;
}

static void follow(struct crowd *crowd)
{
    for (struct order order;;) {
        MPI_Recv(&order, 2, MPI_INT, 0, ORDER_TAG, crowd->comm, MPI_STATUS_IGNORE);
        if (order.kind == FIRST_END)
            return;
        const struct done done = order_carry_out(crowd, &order);
        MPI_Send(&done, 2, MPI_INT64_T, 0, DONE_TAG, crowd->comm);
    }
}

/* ---- rank 0 ---- */

/* The one that waits gets its order first. */
static void pair_run(const struct crowd *crowd, int a, int b, enum job_kind of_a, enum job_kind of_b,
                     struct done *from_a, struct done *from_b)
{
    order_give(crowd->comm, crowd->rank[b], of_b, crowd->rank[a]);
    rest(APART_NS);
    order_give(crowd->comm, crowd->rank[a], of_a, crowd->rank[b]);
    *from_a = order_await(crowd->comm, crowd->rank[a]);
    *from_b = order_await(crowd->comm, crowd->rank[b]);
}

static void message_take(const struct crowd *crowd, int a, int b, struct connect_samples *samples)
{
    struct done there, back;
    pair_run(crowd, a, b, FIRST_PING, FIRST_PONG, &there, &back);
    samples_add(&samples->messages, there.first - there.later);
    samples_add(&samples->trips, there.later);
}

static void late_take(const struct crowd *crowd, int a, int b, struct connect_samples *samples)
{
    struct done sent, received;
    pair_run(crowd, a, b, FIRST_POST, FIRST_LATE, &sent, &received);
    samples_add(&samples->calls, sent.first - sent.later);
    samples_add(&samples->late, received.first);
}

/* Pairs that are not both among those that exchange at once, of the two kinds in turn. */
static void pairs_take(const struct crowd *crowd, struct connect_samples *samples)
{
    int n = 0;
    for (int apart = 1; apart < crowd->n; apart++)
        for (int a = 0; a + apart < crowd->n && n < 2 * PAIRS_MOST; a++) {
            const int b = a + apart;
            if (b < crowd->at_once)
                continue;
            if (n++ % 2 == 0)
                message_take(crowd, a, b, samples);
            else
                late_take(crowd, a, b, samples);
        }
}

/* From the first order to the last answer. */
static int64_t all_run(const struct crowd *crowd)
{
    const int64_t begun = now();
    for (int i = 0; i < crowd->at_once; i++)
        order_give(crowd->comm, crowd->rank[i], FIRST_ALL, crowd->at_once);
    for (int i = 0; i < crowd->at_once; i++)
        order_await(crowd->comm, crowd->rank[i]);
    return now() - begun;
}

static void at_once_take(const struct crowd *crowd, struct connect_samples *samples)
{
    if (crowd->at_once < 3)
        return;
    const int64_t first = all_run(crowd);
    struct samples later = SAMPLES_EMPTY;
    for (int i = 0; i < LATER; i++)
        samples_add(&later, all_run(crowd));
    samples_sort(&later);
    samples->at_once = first - (int64_t)samples_median(&later);
    samples->made_at_once = crowd->at_once * (crowd->at_once - 1) / 2;
    samples->each = crowd->at_once - 1;
    samples_free(&later);
}

typedef char name[MPI_MAX_PROCESSOR_NAME];

/* Their first messages of all: each sends the name of its host, so often as the first time is compared with later
 * ones. */
static void names_take(MPI_Comm comm, int size, name names[], struct connect_samples *samples)
{
    for (int rank = 1; rank < size; rank++) {
        struct samples later = SAMPLES_EMPTY;
        int64_t first = 0;
        for (int i = 0; i <= LATER; i++) {
            const int64_t begun = now();
            MPI_Send(NULL, 0, MPI_BYTE, rank, FIRST_TAG, comm);
            MPI_Recv(names[rank], sizeof names[rank], MPI_CHAR, rank, FIRST_TAG, comm, MPI_STATUS_IGNORE);
            const int64_t took = now() - begun;
            if (i == 0)
                first = took;
            else
                samples_add(&later, took);
        }
        samples_sort(&later);
        if (strcmp(names[rank], names[0]) != 0)
            samples_add(&samples->listens, first - (int64_t)samples_median(&later));
        samples_free(&later);
    }
}

static void names_give(MPI_Comm comm, const name own)
{
    for (int i = 0; i <= LATER; i++) {
        receive_from(comm, 0);
        MPI_Send(own, (int)strlen(own) + 1, MPI_CHAR, 0, FIRST_TAG, comm);
    }
}

static bool is_first_of_node(int rank, name names[])
{
    for (int i = 0; i < rank; i++)
        if (strcmp(names[i], names[rank]) == 0)
            return false;
    return true;
}

/* Two thirds exchange at once: of few processes enough pairs are left, of many most are connected at once. */
static void crowd_find(struct crowd *crowd, int size, name names[])
{
    for (int rank = 1; rank < size; rank++)
        if (is_first_of_node(rank, names))
            crowd->rank[crowd->n++] = rank;
    crowd->at_once = (2 * crowd->n + 2) / 3;
}

static void lead(struct crowd *crowd, int size, const name own, struct connect_samples *samples)
{
    name *names = alloc_zeroed((size_t)size, sizeof *names);
    memcpy(names[0], own, sizeof names[0]);
    names_take(crowd->comm, size, names, samples);
    crowd_find(crowd, size, names);
    for (int rank = 1; rank < size; rank++) {
        MPI_Send(&crowd->n, 1, MPI_INT, rank, ORDER_TAG, crowd->comm);
        MPI_Send(crowd->rank, crowd->n, MPI_INT, rank, ORDER_TAG, crowd->comm);
    }
    if (crowd->n >= 3) {
        pairs_take(crowd, samples);
        at_once_take(crowd, samples);
    }
    for (int rank = 1; rank < size; rank++)
        order_give(crowd->comm, rank, FIRST_END, 0);
    free(names);
}

void first_run(MPI_Comm comm, struct connect_samples *samples)
{
    int self, size, length;
    name own = "";
    MPI_Comm_rank(comm, &self);
    MPI_Comm_size(comm, &size);
    MPI_Get_processor_name(own, &length);
    struct crowd crowd = {.comm = comm, .rank = alloc_zeroed((size_t)size, sizeof *crowd.rank)};
    if (self == 0) {
        lead(&crowd, size, own, samples);
    } else {
        names_give(comm, own);
        MPI_Recv(&crowd.n, 1, MPI_INT, 0, ORDER_TAG, comm, MPI_STATUS_IGNORE);
        MPI_Recv(crowd.rank, crowd.n, MPI_INT, 0, ORDER_TAG, comm, MPI_STATUS_IGNORE);
        follow(&crowd);
    }
    free(crowd.rank);
}
