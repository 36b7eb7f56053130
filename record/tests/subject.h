/* subject.h - what the files of the program that test_record.sh records share. A subject is one line of the table of its file:
 *
 *     subject.c             a process and its calls: threads, forks, what a call costs
 *     subject_calls.c       kinds of calls
 *     subject_files.c       files
 *     subject_comms.c       communicators
 *     subject_grid.c        neighbours in grids
 *     subject_algorithms.c  algorithms by hand
 *
 * All are compiled at once: mpicc -g -O1 -pthread -o subject subject*.c. */
#ifndef PEVPM_RECORD_TESTS_SUBJECT_H
#define PEVPM_RECORD_TESTS_SUBJECT_H

#include <stddef.h>

extern int rank, size; /* in MPI_COMM_WORLD */

/* What the first argument names: alone, or with a number, `usual` where there is none, or with a text as second one. */
struct subject {
    const char *name; /* NULL: the table ends */
    void (*alone)(void);
    void (*counted)(int number);
    int usual;
    void (*told)(const char *text);
};

extern const struct subject subjects_of_calls[], subjects_of_files[], subjects_of_comms[], subjects_of_grid[], subjects_of_algorithms[];

/* So many messages to the next process. */
void ring(int steps);

#endif
