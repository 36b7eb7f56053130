/* bursts.h - for tests of the searches for trunks: an invented network through which all nodes send a burst at once, frame by frame. */
#ifndef PEVPM_ESTIMATE_TESTS_BURSTS_H
#define PEVPM_ESTIMATE_TESTS_BURSTS_H

#include <math.h>
#include <stdlib.h>

/* Frames of a burst; bursts, and what they may go through. */
enum { FRAMES = 8, BURSTS_MOST = 256 };

struct frame {
    double time;
    int burst;
};

static int frame_compare(const void *a, const void *b)
{
    const struct frame *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : x->burst - y->burst;
}

/* All frames pass what burst i goes through, at[i], -1: nothing. rate: bursts/s of each. */
static void frames_pass(size_t n, struct frame frames[], const int at[], const double rate[])
{
    double idle[BURSTS_MOST] = {0};
    qsort(frames, n, sizeof *frames, frame_compare);
    for (size_t i = 0; i < n; i++) {
        const int what = at[frames[i].burst];
        if (what >= 0)
            frames[i].time = idle[what] = fmax(frames[i].time, idle[what]) + 1 / (rate[what] * FRAMES);
    }
}

#endif
