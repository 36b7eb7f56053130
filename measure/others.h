/* others.h - how busy the machines of a job were with other work while the job measured.
 *
 * What others do on a machine makes times longer, and no time says why. So of each machine it is found how many of its
 * processors worked for others, from what Linux has counted since the machine started: the time that processors spent in
 * programs and in the kernel (`user`, `nice`, `system` of /proc/stat, proc(5)), less what the processes of this job have
 * used (getrusage(2)); and the time for which processors were taken from a virtual machine (`steal`). Interrupts are left
 * out: most of them are this job's own messages. Where a kernel counts an interrupt as time of the process that it
 * interrupts, as much of others' work is not seen.
 *
 * Several hosts of a job may be one machine: network namespaces, as those of validation/cluster, or containers that see
 * all of it in /proc/stat. Two processes are on the same machine where both have the same boot id and its kernel has
 * counted the same for both; a container with counts of its own is a machine of its own.
 *
 * Times in s; those of a machine are sums over its processors. */
#ifndef PEVPM_MEASURE_OTHERS_H
#define PEVPM_MEASURE_OTHERS_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>

struct job;

/* The share of a machine's processors from which on other work is a warning. One that did nothing else had 0.4 to 0.6 % in
 * stretches of 4 s, and while 16 hosts of validation/cluster measured on it 0.5 % at most. */
#define OTHERS_MOST 0.05
/* Over less than so many seconds nothing is said: Linux counts in steps of 10 ms. */
#define OTHERS_LEAST 0.5

/* ---- one machine ---- */

/* What a machine had counted when a process looked, and the process. */
struct others_look {
    char boot[40];      /* the boot id; empty: not known */
    int processors;     /* 0: the machine does not tell */
    double passed;      /* idle or not */
    double worked;
    double stolen;
    double own;         /* of this process, and of those that it has waited for */
};

/* From the text of /proc/stat, which counts in so many ticks per second. False: it does not tell, nor does one in which
 * nothing is counted; then processors are 0. boot and own are left alone. */
bool others_parse(struct others_look *look, const char *stat, double ticks);

/* Whether two processes that looked at about the same moment are on one machine. */
bool others_same(const struct others_look *a, const struct others_look *b);

/* A machine over some time. */
struct others_machine {
    char host[72];      /* the first one of the job that is on it */
    int hosts;          /* how many are */
    int processors;     /* 0: it does not tell */
    double passed;
    double worked;      /* by others; below 0 by what the counts are off where nobody does */
    double stolen;
};

/* Adds the time between two looks of a process on the machine, in which all processes of the job there used `own`. Where
 * one of them does not tell, processors are 0 from then on. */
void others_add(struct others_machine *machine, const struct others_look *before, const struct others_look *after,
                double own);

/* The share of its processors that others had, 0 to 1; NaN: not known, or of less than OTHERS_LEAST. */
double others_share(const struct others_machine *machine);

/* "2.1 % of 2 processors over 83.1 s", or "not known". */
enum { OTHERS_TEXT_BYTES = 80 };
char *others_text(const struct others_machine *machine, char text[OTHERS_TEXT_BYTES]);
/* Reads it again into processors, passed and worked. False: it is no such text, or not known. */
bool others_read(struct others_machine *machine, const char *text);

/* "h1", or "h1 and 15 more hosts". */
enum { OTHERS_NAME_BYTES = 112 };
char *others_name(const struct others_machine *machine, char name[OTHERS_NAME_BYTES]);

/* Warns that of processors `how_much` (others_text) were busy `where`, and on `more` machines OTHERS_MOST or more. */
void others_say(const char *where, const char *how_much, size_t more, struct place place, struct diags *diags);
/* Does so of the machine with the largest share where that is OTHERS_MOST or more. */
void others_warn(size_t n, const struct others_machine machines[], struct diags *diags);

/* ---- all machines of a job ---- */

struct others;

/* Collective over the job: from now on. */
struct others *others_create(const struct job *job);
void others_destroy(struct others *others);

/* Collective: looks at what has been since the last look. */
void others_gather(struct others *others);

/* On rank 0: `earlier` has been on machine k, too, before others_create; passed and worked are looked at. */
void others_earlier(struct others *others, size_t k, const struct others_machine *earlier);

/* On rank 0: the machines, in the order of their first ranks, from others_create to the last look; and between the last
 * two. [*n] */
const struct others_machine *others_all(const struct others *others, size_t *n);
const struct others_machine *others_last(const struct others *others, size_t *n);

#endif
