/* tested.h - tests that found their requests complete, put where the program waits for these elsewhere.
 *
 *     MPI_Testall(n, requests, &done, ...);
 *     ...                                       other messages are begun
 *     if (!done)
 *         MPI_Waitall(n, requests, ...);
 *
 * Whether the test or the wait completes the requests is a matter of microseconds. A recording has whichever it was, so
 * that one loop looks like two, and processes seem to differ. What a program must say is that it waits there at the
 * latest. */
#ifndef PEVPM_RECORD_TESTED_H
#define PEVPM_RECORD_TESTED_H

#include "record/recording.h"

/* In recordings of one program: each call of MPI_Test and its kind that completed requests for which the same function
 * has, in some process, waited later becomes that wait, behind the calls that have come between the beginning of such
 * requests and that wait somewhere. Recordings without such tests stay as they are; so does a process of more than 2
 * million calls, or in whose loops trip counts were put together: recording.n_tested counts these. */
void recordings_put_tests(size_t n, struct recording recordings[]);

#endif
