/* recorder.h - what a process that is recorded knows: calls so far, call paths, communicators, open requests, clocks.
 *
 * SPDX-License-Identifier: MIT
 *
 * Each wrapper of an MPI call does
 *
 *     if (!recorder_enter())            not recorded: within another call, or before MPI_Init
 *         return PMPI_X(...);
 *     result = PMPI_X(...);
 *     recorder_called();
 *     ... what the call was, into a struct fold_call
 *     recorder_leave(&call);
 *
 * Between leave and enter the program computes. All the recorder's own work lies between called and leave, and is in no
 * time; what reading the clocks takes is measured at the start and subtracted.
 *
 * Processor time is that of the calling thread. Reading it is a call of the system, so it is read only around
 * computations that are expected to take longer than 20 such readings, from what followed the same call before. A
 * shorter one that the system did not interrupt takes as much processor time as wall time.
 *
 * The thread that called MPI_Init is recorded. A call from another one ends the recording with a sentence.
 *
 * recorder.c has the clocks and what is done around each call, comm.c communicators and windows, outstanding.c open requests,
 * request.c what calls make of them, and messages, write.c the text of a recording and save.c its files. */
#ifndef PEVPM_RECORDER_RECORDER_H
#define PEVPM_RECORDER_RECORDER_H

#include "recorder/callpath.h"
#include "recorder/fold.h"
#include "recorder/operation.h"
#include "recorder/outstanding.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The calling wrapper's caller: macros, for they must stand in the wrapper itself. */
#define RECORDER_HERE __builtin_return_address(0), __builtin_frame_address(0)

enum { RECORDER_CHAINS = 1024 }; /* 4 KB */

/* A communicator or window that was freed leaves its number to the next one that comes from the same call path and has
 * the same members and neighbours: so a step of a program that makes, uses and frees one is like the step before. */
struct recorder_comm {
    MPI_Comm handle;        /* MPI_COMM_NULL: freed, of a window, or this process is no member */
    int number;             /* 0: MPI_COMM_WORLD; then in the order in which this process got them */
    bool window;
    int next;               /* of vacant ones: the next of its chain, 0: none */
    uint32_t hash;          /* of what the next one must have */
    int32_t path;           /* of the call that made it; -1: none that is recorded */
    int parent;             /* number of the one that it was made from, the first of this number */
    int rank, size;
    int *members;           /* [size] ranks in MPI_COMM_WORLD */
    int n_sources, n_destinations;
    int *near;              /* [n_sources + n_destinations] neighbours in a grid or graph, in MPI's order: ranks of it,
                             * PEER_NULL; NULL: it is none */
};

/* A window stands among the communicators, with the members of the one that it was made on. */
struct recorder_window {
    MPI_Win handle;
    int comm;               /* its number there */
    bool all;               /* within MPI_Win_lock_all */
    bool *locked;           /* [size] by this process */
};

/* A message that a probe has taken out, and that no receive has taken yet. */
struct recorder_message {
    MPI_Message handle;
    int32_t path;           /* of the probe */
    int comm, peer, tag;    /* what the probe asked for */
};

struct recorder {
    bool on;
    const char *stopped;    /* why the recording ended before the program; NULL: it did not */
    long process;           /* that called MPI_Init: a child of it records nothing */
    int depth;              /* of wrappers within wrappers */
    int rank, size;
    bool meets;             /* every process has begun to record, and none has come to MPI_Finalize */
    MPI_Comm own;           /* of all processes, for what recorders tell each other: a wildcard of the program on
                             * MPI_COMM_WORLD must not take that */
    struct fold fold;
    struct callpaths paths;
    struct recorder_comm *comms;      /* [n_comms] */
    int n_comms, comms_capacity, last_comm;
    int vacant[RECORDER_CHAINS];      /* by hash: numbers that may come again, ascending; 0: none */
    struct outstanding outstanding;
    int n_cancelled, n_in_file; /* of its requests */
    struct recorder_window *windows;   /* [n_windows] */
    int n_windows, windows_capacity;
    struct recorder_message *messages; /* [n_messages] */
    int n_messages, messages_capacity;
    struct outstanding_sets sets;
    int source;             /* of the last message that a wildcard received: a rank in MPI_COMM_WORLD; -1: none */
    int since_source;       /* calls since then */
    bool source_waited;     /* it was a wait that learnt the source */
    /* clocks, ns */
    double wall_cost, processor_cost, long_computation;
    double entered, called, left, processor_left, checkpoint, checkpoint_pause;
    double processor_entered;
    double threads_before;  /* what other threads had computed when recording began */
    double threads;         /* and what they have since then */
    double unkept;          /* ns in calls that are not kept, since the last one that is */
    bool kept;              /* a call of this wrapper, and with it the computation before it */
    double *follows;        /* [follows_capacity] what was computed after the last call of each path */
    int32_t follows_capacity, last_path;
    uint64_t polls;         /* tests and probes without success: they are counted, not kept */
    char *output;
};

/* The process's one recorder, for wrappers have no argument to hand it in. */
extern struct recorder recorder;

/* Begins to record behind MPI_Init; the rank and the output's name come from MPI and from PEVPM_RECORD_OUTPUT. */
void recorder_start(void);
/* Writes the recording, in MPI_Finalize before MPI ends. */
void recorder_finish(void);
/* Writes what this process has to its own file: it is about to be ended. */
void recorder_save(void);

/* Ends the recording with a sentence; the first one stays. The call that comes here may still be kept. */
void recorder_stop(const char *why);

bool recorder_enter(void);
void recorder_called(void);
/* Keeps the call, and the computation before it. */
void recorder_leave(const struct fold_call *call);
/* Keeps one more call of the same wrapper, before recorder_leave; the computation is before the first one. */
void recorder_also(const struct fold_call *call);
/* The same of calls whose times are not those of the clock around the wrapper: file.h. */
void recorder_also_took(const struct fold_call *call, const struct fold_sample *sample);
void recorder_leave_took(const struct fold_call *call, const struct fold_sample *sample);
/* Keeps two: what was computed is before the first, and what the call took before the second. */
void recorder_leave_both(const struct fold_call *first, const struct fold_call *second);
/* Brings recorder.threads up to now; asked by another thread than the recorded one it stays what was last known. */
void recorder_threads(void);
/* The wall clock, ns. */
double recorder_clock(void);
/* Leaves a wrapper whose call is not kept, a test without success: its time is that of the next call that is, for who
 * tests in vain waits. */
void recorder_leave_poll(void);
/* Leaves a wrapper whose call is not kept; its time is that of the next one. */
void recorder_leave_silent(void);

/* The path of the call that is being recorded. caller, frame: RECORDER_HERE of the wrapper. */
int32_t recorder_path(void *caller, void *frame);

/* The number of a communicator, of which some wrapper saw it made; of one that a call from `path` made of `parent`.
 * MPI_COMM_SELF is made from the world. */
int recorder_comm(MPI_Comm comm);
int recorder_comm_new(MPI_Comm comm, int parent, int32_t path);
/* One that was freed, or whose handle comes again: then it was freed where no wrapper saw it. Nothing where it is not
 * known, nor where the recording has ended. */
void recorder_comm_freed(MPI_Comm comm);
/* A window that some wrapper saw made, valid until the next one is made or freed; its number among the
 * communicators. */
struct recorder_window *recorder_window(MPI_Win handle);
int recorder_window_new(MPI_Win handle, int parent, int32_t path);
void recorder_window_freed(MPI_Win handle); /* as recorder_comm_freed */
/* A peer as a recording has it: PEER_NULL, PEER_ANY or a rank; where that is who sent the last message received by a
 * wildcard, PEER_SOURCE. */
int recorder_peer(int peer, int comm, bool sends);
/* A wildcard has received from `source`, a rank of comm. waited: in a wait. */
void recorder_source(int source, int comm, bool waited);

/* A receive names a process: what it is recorded as. Right behind a wildcard, the one that this has found. Behind a
 * wait the program has kept whom the wildcard received from, so that what it sends from now on answers nobody. */
int recorder_named_source(int peer, int comm);

/* A request came into being, by a call from `path`; by one that only makes it; is complete, and gone unless it is persistent;
 * the set that a call completes. */
struct recorder_request *recorder_request_new(MPI_Request handle, int32_t path);
struct recorder_request *recorder_request_made(MPI_Request handle);
/* The same of what reads or writes a file. */
void recorder_request_in_file(MPI_Request handle);
/* The start of a persistent one. */
void recorder_request_activate(struct recorder_request *request, int32_t path);
struct recorder_request *recorder_request_find(MPI_Request handle);
struct recorder_request *recorder_request_find_receive(MPI_Request handle);
void recorder_request_end(MPI_Request handle);
void recorder_request_cancelled(struct recorder_request *request);
int32_t recorder_list(int n, const MPI_Request handles[]);

/* A probe from `path` has taken a message out; a receive takes it: false if no probe that was recorded has found it. */
void recorder_message_new(struct recorder_message message);
bool recorder_message_take(MPI_Message handle, struct recorder_message *message);

/* Writes the section of this process (docs/recording.md). */
void recorder_write(const struct recorder *own, FILE *out);

#endif
