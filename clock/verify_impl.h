/* verify_impl.h - what the files of the verification share: one measures messages, one the rest, one prints. */
#ifndef PEVPM_CLOCK_VERIFY_IMPL_H
#define PEVPM_CLOCK_VERIFY_IMPL_H

#include "clock/clock_impl.h"
#include "clock/verify.h"
#include "estimate/histogram.h"
#include "estimate/samples.h"

/* Messages there and back between pairs, judged on the global clock. */
struct verify_messages {
    int64_t n;               /* one-way messages */
    int64_t n_backwards;     /* received before they were sent */
    int64_t n_unequal;       /* round trips whose two ways do not add up */
    int64_t shortest;        /* ns, one way; negative where time ran backwards */
    int64_t largest_gap;     /* ns, |there + back - round trip| less what the clocks' rates explain */
    struct histogram one_way;
};

/* One block: pairs of ranks `distance` apart talk for time_ns. Between two synchronisations; the stamps are kept ... */
struct verify_talk;
struct verify_talk *verify_talk(const struct clock *clock, int distance, int64_t time_ns);
/* ... and judged after the second one. Frees the talk. */
void verify_talk_judge(const struct clock *clock, struct verify_talk *talk, struct verify_messages *messages);

/* Errors of one rank's global clock: |error| in samples, its bound and limit at the same times. */
struct verify_errors {
    struct samples error, bound;
    int64_t limit;           /* ns, the largest */
    int64_t n_outside;       /* errors beyond their bound */
    int64_t n_beyond;        /* ... beyond their limit */
};

/* The null pattern: nothing but a common start. */
struct verify_starts {
    struct samples lateness; /* ns after the common start, all ranks */
    struct samples spread;   /* last less first, per start; on rank 0 */
    int64_t n_missed;        /* heard of too late */
};

/* All that is printed, complete on rank 0. bound: the median, as each moment has its own; n_outside compares each
 * error with the bound of its moment. */
struct verify_rank {
    int64_t median, p99, most, bound, limit, n_outside, n_beyond;
    struct clock_error injected;
};
struct verify_report {
    double duration;         /* s */
    int64_t n_blocks;
    bool is_truth;           /* errors against the true clock, else against round trips from rank 0 */
    struct verify_rank *ranks; /* [size] */
    int64_t n_errors;        /* looked at on all ranks but 0 */
    int64_t p99, most;       /* of them */
    int64_t bound;           /* median of all bounds */
    int64_t accuracy;        /* what is demanded: 5 us or a tenth of the median one-way time */
    struct verify_messages messages;
    struct verify_starts starts;
    bool passed;
};
void verify_report_print(const struct clock *clock, const struct verify_report *report, FILE *out);

#endif
