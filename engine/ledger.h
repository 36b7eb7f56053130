/* ledger.h - what the processes of one replication spent their time on, as the time-ordered engine tells it.
 *
 * A span is an interval of one process's run time with one reason; a process's spans follow one another without gap or
 * overlap from 0 to the moment it ends, and LOSS_end_imbalance fills the rest up to the run time. So the spans of a
 * process add up to the run time. Of a wait for a message from r (the call) to t (its return), in this order, each cut
 * to what is left:
 *     late_sender       max(0, min(the message's send call, t) - r)
 *     receive_overhead  the call's own duration
 *     transit           up to the smallest transit of a message of that size at level 1
 *     port_wait         what ports added
 *     contention        the rest
 * A rendezvous sender's wait for its receiver is late_receiver. Inside a collective the same spans are told with the
 * collective's site; where the collective is costed as a whole, waiting for others is collective_wait, the rest is
 * transit. Units: seconds. */
#ifndef PEVPM_ENGINE_LEDGER_H
#define PEVPM_ENGINE_LEDGER_H

#include <stdint.h>

/* X(name, heading) */
#define LOSS_LIST(X)                              \
    X(computation, "computation")                 \
    X(send_overhead, "send overhead")             \
    X(receive_overhead, "receive overhead")       \
    X(transit, "transit")                         \
    X(port_wait, "port wait")                     \
    X(contention, "contention")                   \
    X(late_sender, "late sender")                 \
    X(late_receiver, "late receiver")             \
    X(collective_wait, "collective wait")         \
    X(end_imbalance, "end imbalance")
enum loss {
#define X(name, heading) LOSS_##name,
    LOSS_LIST(X)
#undef X
    N_LOSSES
};

struct span {
    int32_t process;
    int32_t site;          /* of program->sites; -1: end imbalance */
    enum loss loss;
    double from, to;
};

/* A message that was received. */
struct flight {
    int32_t from, to;      /* processes */
    int32_t send_site, receive_site;
    int32_t tag, comm;     /* tag -1: within a collective */
    int64_t bytes;
    double sent, arrived, received; /* the send call; the arrival; the return of the receive (or wait) that took it */
};

/* A wildcard receive or probe that took a message. */
struct choice {
    int32_t process, site;
    int32_t source;        /* a process */
    int32_t candidates;    /* messages that fitted at that moment, at least 1 */
};

/* What is told, in order of each process's own time. Functions may be NULL. */
struct ledger {
    void *context;
    void (*span)(void *context, const struct span *span);
    void (*flight)(void *context, const struct flight *flight);
    void (*choice)(void *context, const struct choice *choice);
    void (*lost)(void *context, const struct flight *flight); /* at the end, each message that no receive took: no
                                                               * receive_site, arrived, received */
};

#endif
