/* How much hosts hold of what is sent when a send is over, and take at once: blocking sends behind one another. */
#include "bench/find.h"

#include "bench/gaps.h"
#include "common/alloc.h"
#include "estimate/machine/socket_fit.h"
#include "measure/tcp.h"
#include "measure/sends.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_LEAST = 1024, BYTES_MOST = 64 << 10 };

static const double BUDGET_PART = 0.015; /* of the time left, that the sends may take */

/* Messages that need no permission: others wait for the receiver, not for their host. */
static int64_t sends_bytes(const struct campaign *c)
{
    return c->result->eager_limit < BYTES_MOST ? c->result->eager_limit : BYTES_MOST;
}

/* What two processes sent each other, as sends_run gives it: how many pieces the host of one took at once, and the
 * sends of the other; returns how many of the samples are theirs. */
static size_t sends_read(const int64_t *ns, double bytes, double *taken, struct socket_sample samples[], size_t *found)
{
    *taken = (double)*ns++;
    const size_t n = (size_t)ns[0];
    double *times = alloc_array(3 * n + 1, sizeof *times);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            times[k * n + i] = 1e-9 * (double)(ns[1 + 3 * i + k] - ns[1]);
    *found += socket_samples(n, bytes, times, times + n, times + 2 * n, samples + *found);
    free(times);
    return 2 + 3 * n;
}

static void sends_note(struct campaign *c, size_t found)
{
    result_heading(c->result, NOTE_SENDS);
    if (!isnan(c->result->held_first))
        result_note(c->result, 1, "at first", "%.0f bytes are taken at once of a process that then computes",
                    c->result->held_first);
    for (int i = 0; i < SOCKET_POINTS; i++) {
        char key[40];
        if (isnan(c->result->held[i]))
            continue;
        snprintf(key, sizeof key, "%lld bytes", (long long)socket_given(i));
        result_note(c->result, 1, key, "%.0f are held when the send is over", c->result->held[i]);
    }
    if (found == 0)
        result_note(c->result, 1, "all", "no send of %lld bytes waited", (long long)sends_bytes(c));
}

static void congestion_find(struct campaign *c)
{
    static const char *const known[] = {
#define X(name) #name,
        CONGESTION_LIST(X)
#undef X
    };
    char name[TCP_CONGESTION_BYTES];
    tcp_congestion(name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0) {
            c->result->has_congestion = true;
            c->result->congestion = (enum congestion)i;
        }
    if (name[0] != '\0' && !c->result->has_congestion)
        result_note(c->result, 0, "congestion", "%s, which predictions take for %s", name, known[CONGESTION_cubic]);
}

/* By now long messages have passed, which go over all interfaces. */
static void interfaces_check(struct campaign *c)
{
    const int interfaces = tcp_interfaces();
    if (interfaces < 2)
        return;
    result_note(c->result, 0, "interfaces", "%d, over which connections lead; `resources` describe each node by one port", interfaces);
    diag_warning(c->diags, place_of_file(NULL),
                 "connections lead over %d network interfaces, and `resources` describe each node by one port: where messages are spread over "
                 "them, what long ones that are sent at once do to one another is wrong, until `rails: %d` stands there "
                 "(docs/machine-file.md, rails)",
                 interfaces, interfaces);
}

void campaign_find_sends(struct campaign *c)
{
    const int nodes = c->crew->job->nodes;
    const int64_t bytes = sends_bytes(c), most = socket_given(SOCKET_POINTS - 1);
    if (!c->options->ports || nodes < 2 || bytes < BYTES_LEAST || !(campaign_gap_guess(c, bytes) > 0))
        return;
    const double drains = (double)most / (double)bytes * campaign_gap_guess(c, bytes);
    struct samples all;
    campaign_log(c, "looking how much hosts hold when sends are over");
    campaign_say(c, "sends behind one another");
    samples_init(&all);
    crew_sends(c->crew, nodes / 2, bytes, most, fmin(drains, BUDGET_PART * campaign_left(c)), drains, &all);
    struct socket_sample *samples = alloc_array(all.n + 1, sizeof *samples);
    double *taken = alloc_array(all.n + 1, sizeof *taken);
    size_t found = 0, n_pairs = 0;
    for (size_t at = 0; at < all.n;)
        at += sends_read(all.ns + at, (double)bytes, &taken[n_pairs++], samples, &found);
    c->result->held_first = socket_first(n_pairs, taken, SENDS_PIECES, (double)(2 * bytes / SENDS_PIECES));
    socket_fit(found, samples, c->result->held_first, c->result->held);
    sends_note(c, found);
    congestion_find(c);
    interfaces_check(c);
    free(taken);
    free(samples);
    samples_free(&all);
}
