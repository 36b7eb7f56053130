/* executor_impl.h - one process that executes its program, shared by the executor's files:
 *
 *     executor.c             creation, the walk, control instructions and computation
 *     executor_message.c     sends, receives, probes; what a receive has brought
 *     executor_wait.c        waits and tests
 *     executor_collective.c  collectives
 *     executor_remote.c      one-sided operations
 *     executor_settle.c      what a run leaves behind; the verifier's exchange */
#ifndef PEVPM_EXECUTOR_EXECUTOR_IMPL_H
#define PEVPM_EXECUTOR_EXECUTOR_IMPL_H

#include "engine/computation.h"
#include "engine/region.h"
#include "executor/buffer.h"
#include "executor/executor.h"
#include "executor/remote_verifier.h"
#include "executor/requests.h"
#include "executor/verifier.h"

/* What a probe took out, until it is received. */
struct held_message {
    MPI_Message handle;             /* MPI_MESSAGE_NULL: received */
    int64_t posted;                 /* the verifier's number of the receive that it stands for */
    int32_t comm;
};

struct executor {
    struct executor_setup setup;
    const struct program *program;
    const struct role *role;
    int process, tag_most;
    int64_t receive_bytes;          /* what a receive offers room for: the longest message there can be */
    MPI_Comm *comms;                /* [n_comms]; MPI_COMM_NULL: not used, or without this process */
    MPI_Win *windows;               /* [n_windows][n_comms]; MPI_WIN_NULL: likewise */
    void *memory;                   /* [window_bytes] of all of them; NULL: there is none */
    int64_t window_bytes;
    bool *ready, *accumulates;      /* [n_sites] its SEND is an MPI_Rsend; its REMOTE_PUT an MPI_Accumulate */
    void *bsend;                    /* attached; NULL: the process has no Bsend */
    int *counts, *offsets, *receive_counts, *receive_offsets; /* [numprocs], of a collective */
    MPI_Datatype *types;            /* [numprocs, or the most neighbours] MPI_BYTE */
    struct price_book book;
    struct computations computations;
    struct work work;
    struct buffer send, receive;
    struct verifier *verifier;      /* NULL without `verify` */
    struct remote_verifier *remote_verifier; /* likewise, and without windows */
    struct region_clock *regions;   /* [n_regions of the tree], of one run */
    double *spent;                  /* [n_sites] s; NULL without `profile` */
    volatile int32_t where;         /* see executor_where; another thread reads it */

    /* of one run */
    uint32_t replication;
    struct computing computing;
    int32_t pc;
    struct value *slots;
    size_t slots_bytes;
    struct requests requests;
    struct held_message *held;      /* [n_held] by the value of their slots */
    size_t n_held, held_capacity;
    int64_t n_sent, n_received;
    enum status status;
    struct diags *diags;
};

/* Ends the run of this process; the first failure counts. Returns false. */
bool executor_fail(struct executor *x, const struct problem *problem);

/* ---- executor_message.c; each returns whether the process goes on ---- */

/* One instruction each, blocking or not; what it opens waits under its name. */
bool executor_send(struct executor *x, const struct instr *instr);
bool executor_receive(struct executor *x, const struct instr *instr);
bool executor_probe(struct executor *x, const struct instr *instr);

/* Receives what probes took out and nobody has received. */
void executor_release_messages(struct executor *x);

/* The ISEND, IRECV or both, and the WAIT, of an MPI_Sendrecv: x->pc goes behind them. */
bool executor_sendrecv(struct executor *x, const struct instr *instr);

/* What an instruction binds: NULL binds what a receive from MPI_PROC_NULL gives; a value of one key. */
void executor_bind_status(struct executor *x, const struct instr *instr, const MPI_Status *status);
void executor_bind(struct executor *x, const struct instr *instr, enum bind_key key, int64_t value);

/* A posted receive is complete: its message is looked at. */
bool executor_take(struct executor *x, const struct open_call *call, const MPI_Status *status);

/* Gives back what a completed call has of its own. */
void call_release(struct open_call *call);

/* The name and element under which a call may be waited for. */
bool call_name(struct executor *x, const struct instr *instr, struct open_call *call);

/* False, with the problem, where an MPI call cannot take so many bytes. */
bool bytes_check(struct executor *x, const struct instr *instr, int64_t bytes);

/* ---- executor_wait.c ---- */

/* WAIT, WAITALL, WAITANY, WAITSOME; the TESTs, which go on either way. What is complete is taken and its name free
 * again. */
bool executor_wait(struct executor *x, const struct instr *instr);
bool executor_test(struct executor *x, const struct instr *instr);

/* ---- executor_remote.c ---- */

/* Collective. unknown: how much an access is taken to be of which only the run knows it, bytes. False, with the failure
 * of x's, where the library does not make a window. */
bool executor_windows_create(struct executor *x, int64_t unknown);
void executor_windows_free(struct executor *x);

/* REMOTE_PUT, REMOTE_GET, LOCK, UNLOCK, FLUSH; a DELIVER with the three behind it, which are one MPI_Win_fence: x->pc
 * goes behind them. */
bool executor_remote(struct executor *x, const struct instr *instr);
bool executor_fence(struct executor *x, const struct instr *instr);

/* Collective, after a run, with `verify`: STATUS_OK, or STATUS_UNMATCHED where something was put or got wrongly. */
enum status executor_verify_windows(struct executor *x, struct diags *diags);

/* ---- executor_collective.c ---- */

/* Makes the call with buffers of its own; an I-form opens a request. Returns whether the process goes on. */
bool executor_collective(struct executor *x, const struct instr *instr);

/* Makes both buffers as large as a collective needs them whose operands are known. */
void collective_prepare(struct executor *x, const struct instr *instr);

#endif
