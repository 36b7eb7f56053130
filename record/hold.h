/* hold.h - a directive program held against recordings, call by call.
 *
 * The program is walked for each process of each recording, as pevpm-sim would, and gives a list of messages, one-sided
 * and collective operations: who with, the root, among whom, how many bytes, in which order. The recording gives the same of what ran. A program
 * that describes a part of the run (its main loop, say) is looked for as a whole in what ran; calls before and
 * behind are counted, and so are collective operations of a kind that it never says (a barrier for a timer). A tag
 * that the program does not say is 0, as everywhere, and MPI_ANY_TAG is only what ran with it; of a tag that only the run knows
 * nothing is asked. A call with a request is waited for behind the same call as in the run; where a test, MPI_Waitany or
 * MPI_Waitsome took it, on either side, nothing is asked of that. Times are not compared. Messages to MPI_PROC_NULL are
 * none. At most 2 million calls of a process are compared; that there were more is noted. */
#ifndef PEVPM_RECORD_HOLD_H
#define PEVPM_RECORD_HOLD_H

#include "directives/source.h"
#include "record/recording.h"
#include "record/times.h"

#include <stdio.h>

struct hold_request {
    const char *program, *cflags; /* a file, folder or compile_commands.json; its compiler's flags, NULL: not known */
    const struct source *source; /* the program, where it has been read; then `program` is what it is called. Borrowed */
    bool sizes;                 /* bytes are compared too */
    bool whole;                 /* the program describes the whole run: a call that no directive says is a difference */
    bool *cut;                  /* out: a process did more than is compared; NULL: the note is enough */
    struct times *times;        /* takes what was computed for its measured(...); NULL: nobody wants that */
};

/* Prints a line for each recording, and where calls are that no directive says. The recordings' sizes (-D) are given to
 * the program.
 *   STATUS_DIFFERENT  something else ran: an error names the directive, the process, and both calls; or more, and the whole
 *                     was asked for: an error says how many calls, and where the first is
 *   others            of reading and lowering the program; NOT_YET where the program depends on what its run decides */
enum status hold_program(const struct hold_request *request, size_t n, const struct recording recordings[], FILE *out,
                         struct diags *diags);

/* Rehearses the program (sim/rehearsal.h) at the recorded counts where its run decides what happens: who sends what
 * MPI_ANY_SOURCE receives, and which request MPI_Waitany finds, may be another one, and an order that the program has from one
 * run may come to no end with others. One of eight runs that does not end is enough. Where a recording has more than 2
 * million calls that is not tried, and a note says so.
 *   STATUS_DEADLOCK, STATUS_RANGE, ... as rehearse: an error says at which count */
enum status hold_rehearse(const struct source *source, size_t n, const struct recording recordings[], struct diags *diags);

/* Rehearses it at the next count that was not recorded: twice the largest, or what fit_places_make says. What it does wrong there,
 * as "comes to no end: ...", malloced; NULL: nothing, or nobody knows, and *numprocs is 0: the last recording has more than 2
 * million calls.
 * tables: there are some, which other counts refuse; then coming to no end alone is wrong. */
char *hold_rehearse_beyond(const struct source *source, size_t n, const struct recording recordings[], bool tables,
                           int *numprocs);

#endif
