/* overflow_fit.h - how much a port's buffer holds, from bursts that meet at it.
 *
 * n senders reach one process at once. By the port rule the last message arrives (n - 1) gaps after it would have
 * arrived alone; that is how far behind the port is, its backlog. A port whose buffer is full drops frames, which TCP
 * sends again after a timeout: the burst then ends much later than the rule says. How far behind it was then follows
 * from the messages alone only while all of them is on its way; what a sender's window keeps back is not there, and
 * windows differ from connection to connection. What short messages wait behind others does not depend on windows. Pure
 * functions; units: seconds. */
#ifndef PEVPM_ESTIMATE_OVERFLOW_FIT_H
#define PEVPM_ESTIMATE_OVERFLOW_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the senders' hosts have counted. */
enum overflow_counted { OVERFLOW_not_counted, OVERFLOW_nothing_lost, OVERFLOW_something_lost };

struct overflow_burst {
    double backlog;  /* s */
    double late;     /* s that the last message came after what the port rule says; may be negative */
    enum overflow_counted counted;
};

/* How far behind a port is at most where so many senders at once bring it `frames` frames each, each of which it passes
 * in `frame` s: (senders - 1) of them in the time of one, or, of more than a window `first` of frames, with which a
 * connection begins, two for each that it has passed since then; so all are there when it has passed senders (frames -
 * first) / 2. */
double overflow_backlog(int senders, double frames, double first, double frame);

/* How far behind a trunk is at most through which n senders at once send, of whom each one's bytes keep its own port busy for port[i] s
 * and the trunk for `passes`: that is when one of them has sent all, what all have brought until then less what has passed. What ports
 * save up, `credit`, brings it sooner. 0: the trunk is never behind. */
double overflow_trunk_backlog(size_t n, const double port[], double passes, double credit);

/* Whether a burst lost something. Where nobody has counted: it was late by more than a quarter of its backlog, which no
 * error of a gap explains, and by more than `least`, which no busy processor does. */
bool overflow_happened(const struct overflow_burst *burst, double least);

/* Whether what it lost came by a timeout of TCP, of which the least is 0.2 s (RFC 6298 as Linux has it): so long no
 * machine stands still, as it may for what is less late. */
bool overflow_timed_out(const struct overflow_burst *burst);

/* What bursts at one backlog show, of which `lost` of n lost something: the port overflows there where two of them did,
 * and a fifth. Not half: a connection that has lost something sends with care for long after. Fewer than two show
 * nothing, but for a loss that was counted. */
enum overflow_seen { OVERFLOW_unsure, OVERFLOW_none, OVERFLOW_usual };
enum overflow_seen overflow_judge(size_t lost, size_t n, bool counted);
const char *overflow_seen_text(enum overflow_seen seen);

/* The buffer lies half way between the lowest backlog at which the port overflows and the next lower one at which it
 * does not. False where there is none of either: no buffer was seen to overflow. *buffer is then left alone. bursts is
 * sorted by backlog. */
bool overflow_fit(size_t n, struct overflow_burst bursts[], double least, double *buffer);

/* A short message that one process sent, after others, to a port that more than one kept full. */
struct overflow_probe {
    double sent, came; /* s */
    double counted;    /* s, not after it was sent: when its host was asked last what it had lost */
    int64_t lost;      /* ... and said */
};

/* The longest wait of them at the port, s, in the order in which they were sent: what it took beyond the quickest. A
 * port that holds all it can, and passes the short message that still finds room, makes it wait as long as its
 * buffer is. A host keeps short messages until one before has passed, and sends them as one: of those that came
 * together only the last counts, which waited for nothing else, and only if the next came as much later as these had
 * been collected: else something held them up, a frame that was full or one that was lost. None counts during whose
 * way, or as long before, its host counted a loss. 0: none counts. */
double overflow_wait(size_t n, const struct overflow_probe probes[]);

#endif
