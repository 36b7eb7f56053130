/* file.h - calls on files: how long each takes, apart from the waiting for others.
 *
 * SPDX-License-Identifier: MIT
 *
 * Around the library's call stand file_enter, or file_enter_open, and file_leave. A call of all processes of the file's
 * communicator begins when all have come: they wait for each other first, on a communicator that is made with the file for
 * this alone. So the call takes, from then on, until the last has left it, which all are told behind it. Each process takes part
 * in that as long as some process may record (recorder.meets), for others wait for it, whatever has become of its own recording
 * and whichever of its threads calls. What is kept says docs/recording.md, "Files". */
#ifndef PEVPM_RECORDER_FILE_H
#define PEVPM_RECORDER_FILE_H

#include "recorder/keep.h"

struct file_call {
    struct here here;
    enum operation op;
    bool nested;            /* within another call on a file: nothing is done */
    bool recorded;          /* recorder_enter has been called, so that it has to be left */
    bool known;             /* the file is; or the call needs none */
    MPI_Comm meets;         /* on which all meet who make it together; MPI_COMM_NULL: the process makes it for itself */
    int comm;               /* where they meet, the number of the file's communicator; else 0 */
    double began;           /* ns */
};

/* together: as FILE_LIST has it; of a file on MPI_COMM_SELF none is. */
void file_enter(struct file_call *call, struct here here, enum operation op, bool together, MPI_File file);
/* Of MPI_File_delete, which has none. */
void file_enter_delete(struct file_call *call, struct here here);
void file_enter_open(struct file_call *call, struct here here, MPI_Comm comm);

/* bytes: that it read or wrote. */
void file_leave(struct file_call *call, int64_t bytes);
/* Of what gives a request. */
void file_leave_started(struct file_call *call, int64_t bytes, MPI_Request request);
/* Of MPI_File_open; file: MPI_FILE_NULL where it failed. */
void file_leave_open(struct file_call *call, MPI_File file);
/* Of MPI_File_close; file: as it was before. */
void file_leave_close(struct file_call *call, MPI_File file);

#endif
