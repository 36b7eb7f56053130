/* What has to be known before planning: how long ports must rest, the eager limit, the sizes. */
#include "bench/find.h"

#include "bench/bursts.h"
#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/machine/limit.h"
#include "estimate/machine/ports_fit.h"

#include <math.h>
#include <stdlib.h>

/* ---- rest ---- */

static const double REST_FIRST = 0.25e-3, REST_SAFE = 10e-3, REST_MOST = 50e-3; /* s */
static const double REST_SPARE = 1.5;
static const double REST_DOMINATES = 5;        /* times a single byte's */
static const int64_t REST_SIZE_MOST = 64 << 10;
static const double REST_CHANGE =
    0.04; /* of the median; a rest that is too short by half changes it by several times that */
enum { REST_MESSAGES = 32, REST_STEPS = 16, REST_FIRST_LOOK = 8 };

/* Whether b is quicker than a as far as it matters, and as far as so many messages can tell. */
static bool is_quicker(const struct pilot *a, const struct pilot *b)
{
    return b->median < (1 - REST_CHANGE) * a->median && b->high < a->low;
}

/* The least rest after which the next two doublings make messages of this size no quicker, and half as much again.
 * (They may become slower: processors that sleep longer wake later. Ports only ever gain from a rest.) Every repetition
 * uses the same ports, and no time is allowed for a message beyond what it takes, so that the rest is the ports' own.
 */
static double rest_for(struct campaign *c, int64_t bytes)
{
    struct pilot pilots[REST_STEPS],
        first = campaign_pilot(c, PATTERN_pairs, bytes, REST_MOST, 50e-3, REST_FIRST_LOOK, 1);
    char key[60];
    int n = 0;
    for (double rest = REST_FIRST; !isnan(first.median) && rest <= REST_MOST; rest *= 2) {
        struct pilot pilot = campaign_pilot(c, PATTERN_pairs, bytes, rest, first.high, REST_MESSAGES, 1);
        if (isnan(pilot.median)) {
            n = 0; /* most came later than they should have: the rest is far too short */
            continue;
        }
        pilots[n++] = pilot;
        snprintf(key, sizeof key, "%lld bytes after %.3g ms", (long long)bytes, rest * 1e3);
        result_note(c->result, 1, key, "%.1f us (%.1f to %.1f)", pilot.median * 1e6, pilot.low * 1e6, pilot.high * 1e6);
        if (n >= 3 && !is_quicker(&pilots[n - 3], &pilots[n - 2]) && !is_quicker(&pilots[n - 3], &pilot))
            return REST_SPARE * rest / 4;
    }
    return REST_MOST;
}

/* A size whose time is the port's rather than the processors': at least some times that of a single byte. */
static int64_t rest_size(struct campaign *c)
{
    double byte = campaign_pilot(c, PATTERN_pairs, 1, REST_SAFE, 5e-3, REST_FIRST_LOOK, 1).median;
    int64_t bytes = 1024;
    for (; bytes < REST_SIZE_MOST; bytes *= 2) {
        double time = campaign_pilot(c, PATTERN_pairs, bytes, REST_SAFE, 20e-3, REST_FIRST_LOOK, 1).median;
        c->per_byte = fmax(0, time - byte) / (double)bytes;
        if (time >= REST_DOMINATES * byte)
            break;
    }
    return bytes;
}

int64_t campaign_find_rest(struct campaign *c)
{
    campaign_log(c, "looking how long ports must rest");
    campaign_say(c, "how long ports must rest");
    result_heading(c->result, "time after a rest");
    double rest = rest_for(c, rest_size(c));
    result_note(c->result, 0, NOTE_REST, "%lld", (long long)llround(rest * 1e9));
    return (int64_t)(rest * 1e9);
}

/* ---- eager limit ---- */

static const int64_t EAGER_MOST = 4 << 20;
static const int64_t EAGER_DELAY =
    20000000;                               /* ns that the receive is late: a hundred times a call that does not wait */
static const int64_t EAGER_DELAY_COLD =
    120000000; /* ... on connections that have carried nothing yet, while nobody knows how slow the network is */
static const double PROBE_SPARE = 2; /* times what a guess at the time per byte says a message takes: the guess is low, since
                                      * ports that have rested pass the first bytes at once */
static const int64_t EAGER_CLEAR = 1000000; /* ns before the receive: no error of the clocks */
enum { EAGER_PROBES = 5 }; /* most of them count: a busy processor makes an eager call late, or lets a message through
                            * before the receiver begins to be late */

/* Where and how the limit is looked for. */
struct probing {
    struct campaign *c;
    struct shape pair;
    int groups;    /* that send at once */
    int64_t delay; /* ns, at least */
    int probes;    /* of each size, where one is tried alone */
    bool computes; /* the receivers are not in MPI before they receive */
};

/* A connection holds little of its first messages, so that the network must take most of one before the call
 * returns. */
static int64_t probe_delay(const struct probing *p, int64_t bytes)
{
    return (int64_t)fmax((double)p->delay, PROBE_SPARE * 1e9 * p->c->per_byte * (double)bytes);
}

/* limit_try: each group sends one of n sizes. */
static void sizes_try(const struct probing *p, int64_t low, int64_t high, int n, bool waits[])
{
    const struct probes probes = {.pair = p->pair, .n = n, .low = low, .high = high, .delay = probe_delay(p, high),
                                  .what = p->computes ? PROBE_receiver_computes : PROBE_receive_late};
    struct samples all;
    samples_init(&all);
    crew_probes(p->c->crew, &probes, &all);
    for (size_t i = 0; i + 1 < all.n; i += 2)
        waits[all.ns[i]] = all.ns[i + 1] <= EAGER_CLEAR;
    samples_free(&all);
}

/* Most of at least so many probes of one size. */
static bool send_waits(const struct probing *p, int64_t bytes, int probes)
{
    const int n = p->groups < probes ? p->groups : probes;
    bool waits[LIMIT_AT_ONCE];
    int waited = 0, early = 0;
    while (2 * waited < probes && 2 * early < probes) {
        sizes_try(p, bytes, bytes, n, waits);
        for (int i = 0; i < n; i++)
            *(waits[i] ? &waited : &early) += 1;
    }
    return waited > early;
}

static void probes_try(void *context, int64_t low, int64_t high, int n, bool waits[])
{
    const struct probing *p = context;
    if (low < high && p->groups > 1)
        sizes_try(p, low, high, n, waits);
    else
        waits[0] = send_waits(p, limit_size(low, high, 0, 1), high == 0 ? EAGER_PROBES : p->probes);
}

static struct probing probing_of(struct campaign *c, struct shape pair, int64_t delay)
{
    const int groups = shape_groups(&pair);
    return (struct probing){c, pair, groups < LIMIT_AT_ONCE ? groups : LIMIT_AT_ONCE, delay, 1, false};
}

static bool is_limit(const struct probing *p, int64_t limit)
{
    return limit < EAGER_MOST && !send_waits(p, limit, EAGER_PROBES) && send_waits(p, limit + 1, EAGER_PROBES);
}

/* INT64_MAX: there is none, or everything waits: then the limit cannot be told from a synchronous network. */
static int64_t eager_search(struct probing *p)
{
    const int64_t limit = limit_search(EAGER_MOST, p->groups, probes_try, p);
    return limit == LIMIT_NOTHING ? INT64_MAX : limit;
}

/* All pairs at once, each with a size, and one probe for each size do while all goes well; both sides of what is found
 * are looked at more closely. Else one pair alone. */
static int64_t eager_find(struct campaign *c, struct shape pair)
{
    struct probing p = probing_of(c, pair, EAGER_DELAY);
    const int64_t limit = eager_search(&p);
    if (is_limit(&p, limit))
        return limit;
    p.groups = 1;
    p.probes = EAGER_PROBES;
    return eager_search(&p);
}

int64_t campaign_find_eager(struct campaign *c)
{
    campaign_log(c, "looking for the eager limit");
    campaign_say(c, "eager limit");
    return eager_find(c, campaign_pair(c));
}

int64_t campaign_check_eager(struct campaign *c, int64_t limit)
{
    campaign_say(c, "eager limit");
    const struct probing p = probing_of(c, campaign_pair(c), EAGER_DELAY_COLD);
    return is_limit(&p, limit) ? limit : campaign_find_eager(c);
}

/* Between the sockets of a node, where these are told apart. */
static void node_limit_find(struct campaign *c)
{
    struct machine_transport *node = &c->result->transports[TRANSPORT_node];
    const bool known = c->crew->job->nodes == 1 && !campaign_has_local(c, TRANSPORT_node);
    campaign_log(c, "looking for the eager limit within a node");
    campaign_say(c, "eager limit within a node");
    const int64_t limit = known ? c->result->eager_limit : eager_find(c, campaign_local_shape(c, TRANSPORT_node, 2));
    node->has_eager_limit = limit != INT64_MAX || c->result->eager_limit != INT64_MAX;
    node->eager_limit = limit;
}

/* It probably is that of the node. */
static void socket_limit_find(struct campaign *c)
{
    struct machine_transport *socket = &c->result->transports[TRANSPORT_socket];
    const int64_t node = campaign_limit_of(c, TRANSPORT_node);
    const struct shape pair = campaign_local_shape(c, TRANSPORT_socket, 2);
    campaign_log(c, "looking for the eager limit within a socket");
    campaign_say(c, "eager limit within a socket");
    const struct probing p = probing_of(c, pair, EAGER_DELAY);
    const int64_t limit = is_limit(&p, node) ? node : eager_find(c, pair);
    socket->has_eager_limit = limit != INT64_MAX || node != INT64_MAX;
    socket->eager_limit = limit;
}

void campaign_find_node_limit(struct campaign *c)
{
    if (c->crew->job->ppn >= 2 && !c->result->transports[TRANSPORT_node].has_eager_limit)
        node_limit_find(c);
    if (campaign_has_local(c, TRANSPORT_socket) && campaign_has_local(c, TRANSPORT_node) &&
        !c->result->transports[TRANSPORT_socket].has_eager_limit)
        socket_limit_find(c);
}

/* ---- what becomes of larger messages ---- */

/* Somewhat more than twice the limit: no protocol of the library's is about sizes just above it. */
static const int64_t GET_MORE = 4096;
/* A receive that was over in the first part of its sender's computation did not wait for that. */
static const double GET_BEFORE = 0.5;
/* A busy processor makes a receive late, and hardly ever one early: so where not all are early more probes are made, of which
 * one in so many is enough. */
enum { GET_PROBES = 3 * EAGER_PROBES, GETS_ONE_OF = 8 };

/* How often of n probes the receive was over long before its sender waited. */
static int gets_count(const struct probing *p, int64_t bytes, int n)
{
    const struct probes probes = {.pair = p->pair, .n = n, .low = bytes, .high = bytes, .delay = probe_delay(p, bytes),
                                  .what = PROBE_sender_computes};
    struct samples all;
    int gets = 0;
    samples_init(&all);
    crew_probes(p->c->crew, &probes, &all);
    for (size_t i = 0; i + 1 < all.n; i += 2)
        gets += (double)all.ns[i + 1] >= (1 - GET_BEFORE) * (double)probes.delay;
    samples_free(&all);
    return gets;
}

static void rendezvous_find(struct campaign *c, enum transport transport, const char *where, const char *note)
{
    struct machine_transport *of = &c->result->transports[transport];
    const int64_t limit = campaign_limit_of(c, transport);
    if (of->has_rendezvous || limit == INT64_MAX)
        return;
    campaign_log(c, "looking whether receivers get long messages within a %s themselves", where);
    campaign_say(c, "long messages within a %s", where);
    const struct probing p = probing_of(c, campaign_local_shape(c, transport, 2), EAGER_DELAY);
    int gets = 0, probes = 0;
    while (probes < EAGER_PROBES || (probes < GET_PROBES && gets < probes)) {
        const int left = (probes < EAGER_PROBES ? EAGER_PROBES : GET_PROBES) - probes, n = p.groups < left ? p.groups : left;
        gets += gets_count(&p, 2 * limit + GET_MORE, n);
        probes += n;
    }
    of->has_rendezvous = true;
    of->rendezvous = GETS_ONE_OF * gets > probes ? RENDEZVOUS_get : RENDEZVOUS_permit;
    result_note(c->result, 0, note, "%d of %d were there long before their sender had computed", gets, probes);
}

void campaign_find_node_rendezvous(struct campaign *c)
{
    if (c->crew->job->ppn >= 2)
        rendezvous_find(c, TRANSPORT_node, "node", NOTE_NODE_RENDEZVOUS);
    if (campaign_has_local(c, TRANSPORT_socket) && campaign_has_local(c, TRANSPORT_node))
        rendezvous_find(c, TRANSPORT_socket, "socket", NOTE_SOCKET_RENDEZVOUS);
}

/* ---- eager messages that nobody reads ---- */

/* The library may call a send over only when the receiver has given back what the message was in, though it waits for no receive. */
static void unread_find(struct campaign *c, enum transport transport, const char *where, const char *note)
{
    struct machine_transport *of = &c->result->transports[transport];
    const int64_t eager = campaign_limit_of(c, transport), most = eager < EAGER_MOST ? eager : EAGER_MOST;
    if (of->has_unread_limit || result_note_find(c->result, note, NULL))
        return;
    campaign_log(c, "looking whether sends within a %s wait for receivers that compute", where);
    campaign_say(c, "receivers within a %s that compute", where);
    struct probing p = probing_of(c, campaign_local_shape(c, transport, 2), EAGER_DELAY);
    p.computes = true;
    p.probes = EAGER_PROBES;
    if (!send_waits(&p, most, EAGER_PROBES)) {
        of->has_unread_limit = transport == TRANSPORT_socket && c->result->transports[TRANSPORT_node].has_unread_limit;
        of->unread_limit = eager; /* else it would have that of the node */
        result_note(c->result, 0, note, "no send of up to %lld bytes waits until its receiver is in MPI", (long long)most);
        return;
    }
    p.computes = false;
    if (eager == INT64_MAX && send_waits(&p, 0, EAGER_PROBES)) { /* all wait for receives, so for receivers as well */
        result_note(c->result, 0, note, "not to be told: even an empty send waits for its receive");
        return;
    }
    p.computes = true;
    p.groups = 1;
    const int64_t limit = limit_search(most, 1, probes_try, &p);
    of->has_unread_limit = limit != LIMIT_NOTHING;
    of->unread_limit = limit < most ? limit : most;
    if (limit == LIMIT_NOTHING)
        result_note(c->result, 0, note, "even an empty send waits until its receiver is in MPI, which no key says");
    else
        result_note(c->result, 0, note, "a send of more than %lld bytes waits until its receiver is in MPI", (long long)of->unread_limit);
}

void campaign_find_unread(struct campaign *c)
{
    if (c->crew->job->ppn >= 2)
        unread_find(c, TRANSPORT_node, "node", NOTE_NODE_UNREAD);
    if (campaign_has_local(c, TRANSPORT_socket) && campaign_has_local(c, TRANSPORT_node))
        unread_find(c, TRANSPORT_socket, "socket", NOTE_SOCKET_UNREAD);
}

/* ---- sizes ---- */

enum { PILOT_MESSAGES = 6, PILOT_LONG = 4, PILOT_AT_ONCE = 2, COPIES_LOOKS = 3, BEND_DEPTH = 2, BEND_MOST = 6 };
static const double COPIES_DIFFER = 0.02; /* of the time alone */
static const double COPIES_UNSURE = 0.1;  /* ... where so few messages cannot tell */
static const double COPIES_WORTH = 5e-3;  /* s: shorter messages cost little alone */

/* A network that is shared makes several messages slower by large parts, not by a few percent. */
static bool are_same(const struct pilot *alone, const struct pilot *together)
{
    double differ = fabs(together->median - alone->median) / alone->median;
    return differ <= COPIES_DIFFER ||
           (differ <= COPIES_UNSURE && together->low <= alone->high && alone->low <= together->high);
}

/* Notes what is known of a size, for campaign_resume too. */
static void size_note(struct campaign *c, const struct size_info *size)
{
    char key[40];
    snprintf(key, sizeof key, "%lld bytes", (long long)size->bytes);
    result_heading(c->result, NOTE_FIRST_LOOK);
    result_note(c->result, 1, key, "%.1f us%s", size->one_way * 1e6, size->copies ? SIZE_COPIES : "");
}

double campaign_size_line(const struct campaign *c, size_t i)
{
    const struct size_info *last = &c->sizes[i > 0 ? i - 1 : 0], *before = last;
    while (before > c->sizes && 2 * before->bytes > last->bytes)
        before--;
    if (!last->copies || !before->copies || before == last)
        return NAN;
    const double slope = (last->one_way - before->one_way) / (double)(last->bytes - before->bytes);
    return last->one_way + slope * (double)(c->sizes[i].bytes - last->bytes);
}

/* Of a long message where groups did not disturb one another at shorter ones: all groups at once, and done where their
 * time lies on the line through these. */
static bool size_pilot_at_once(struct campaign *c, size_t i)
{
    struct size_info *size = &c->sizes[i];
    const double line = campaign_size_line(c, i);
    if (!(line > PILOT_LONG_TIME))
        return false;
    const struct shape pair = campaign_pair(c);
    const struct pilot together = campaign_pilot(c, PATTERN_pingpong, size->bytes, (double)c->rest * 1e-9, 1.1 * line,
                                                 PILOT_AT_ONCE, shape_groups(&pair));
    if (!(fabs(together.median - line) <= FIND_BEND * line))
        return false;
    size->one_way = together.median;
    size->copies = size->on_line = true;
    return true;
}

/* Time of the size alone, and whether copies agree with it. `guess`: s. */
static void size_pilot_alone(struct campaign *c, size_t i, double guess)
{
    struct size_info *size = &c->sizes[i];
    struct shape pair = campaign_pair(c);
    int groups = shape_groups(&pair);
    int n = guess > PILOT_LONG_TIME ? PILOT_LONG : PILOT_MESSAGES;
    double rest = (double)c->rest * 1e-9;
    struct pilot alone = campaign_pilot(c, PATTERN_pingpong, size->bytes, rest, guess, n, 1);
    for (int again = 0; again < 4 && isnan(alone.median); again++) {
        guess = fmax(guess, 4 * alone.seen);
        alone = campaign_pilot(c, PATTERN_pingpong, size->bytes, rest, guess, PILOT_MESSAGES, 1);
    }
    size->one_way = isnan(alone.median) ? alone.seen : alone.median;
    for (int look = 0; groups > 1 && alone.median >= COPIES_WORTH && look < COPIES_LOOKS && !size->copies; look++) {
        struct pilot together = campaign_pilot(c, PATTERN_pingpong, size->bytes, rest, 1.1 * alone.median,
                                               PILOT_MESSAGES / 2, groups);
        size->copies = are_same(&alone, &together);
    }
}

static void size_pilot(struct campaign *c, size_t i, double guess)
{
    campaign_say(c, "first look at %lld bytes", (long long)c->sizes[i].bytes);
    if (!size_pilot_at_once(c, i))
        size_pilot_alone(c, i, guess);
    size_note(c, &c->sizes[i]);
}

static double guess_after(const struct campaign *c, size_t i)
{
    if (i == 0)
        return 5e-3;
    const struct size_info *last = &c->sizes[i - 1];
    double ratio = (double)(c->sizes[i].bytes + 1000) / (double)(last->bytes + 1000);
    return 1.5 * last->one_way * ratio + 1e-3;
}

/* Looks between neighbours where the curve may bend; a middle that lies off the line becomes a size. */
static void sizes_refine(struct campaign *c)
{
    const struct shape pair = campaign_pair(c);
    int added = 0;
    for (int depth = 0; depth < BEND_DEPTH; depth++)
        for (size_t i = c->n_sizes - 1; i > 0 && added < BEND_MOST; i--) {
            struct size_info low = c->sizes[i - 1], high = c->sizes[i];
            int64_t middle = (low.bytes + high.bytes) / 2;
            bool across = low.bytes <= c->result->eager_limit && high.bytes > c->result->eager_limit;
            bool looked = high.on_line || (depth > 0 && !low.is_new && !high.is_new);
            if (looked || across || high.bytes - low.bytes < 64 || high.one_way - low.one_way < FIND_BEND * low.one_way)
                continue;
            double line = (low.one_way + high.one_way) / 2;
            struct pilot pilot = campaign_pilot(c, PATTERN_pingpong, middle, (double)c->rest * 1e-9,
                                                1.2 * high.one_way, low.copies ? PILOT_AT_ONCE : PILOT_MESSAGES,
                                                low.copies ? shape_groups(&pair) : 1);
            bool on_line = line >= pilot.low && line <= pilot.high;
            if (isnan(pilot.median) || on_line || fabs(pilot.median - line) <= FIND_BEND * pilot.median)
                continue;
            struct size_info *size = campaign_size_add(c, middle);
            size->one_way = pilot.median;
            size->copies = low.copies;
            size->is_new = true;
            size_note(c, size);
            added++;
        }
}

const int64_t *campaign_sizes_asked(const struct campaign *c, size_t *n)
{
    static const int64_t usual[] = {0, 1, 64, 256, 1 << 10, 2 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10,
                                    64 << 10, 128 << 10}; /* a line goes on beyond */
    const bool given = c->options->n_sizes > 0;
    *n = given ? c->options->n_sizes : sizeof usual / sizeof *usual;
    return given ? c->options->sizes : usual;
}

/* Both sides of an eager limit that lies among them. */
static void limit_sizes_add(struct campaign *c, int64_t limit)
{
    size_t n;
    const int64_t *list = campaign_sizes_asked(c, &n);
    if (limit != INT64_MAX && list[0] < limit && list[n - 1] > limit)
        campaign_size_add(c, limit);
    if (limit != INT64_MAX && list[n - 1] >= limit + limit / 2) /* else the list's last stands for the sizes above */
        campaign_size_add(c, limit + 1);
}

/* Within a node, or else a socket, where sends of more are another matter. */
static int64_t unread_limit(const struct campaign *c)
{
    const struct machine_transport *node = &c->result->transports[TRANSPORT_node], *socket = &c->result->transports[TRANSPORT_socket];
    return node->has_unread_limit ? node->unread_limit : socket->has_unread_limit ? socket->unread_limit : INT64_MAX;
}

void campaign_find_sizes(struct campaign *c)
{
    int64_t limit = c->result->eager_limit;
    bool given = c->options->n_sizes > 0;
    size_t n;
    const int64_t *list = campaign_sizes_asked(c, &n);
    campaign_log(c, "looking at sizes");
    for (size_t i = 0; i < n; i++) /* what the sizes at the limit tell need not be measured beside it */
        if (given || llabs(list[i] - limit) > limit / 16)
            campaign_size_add(c, list[i]);
    limit_sizes_add(c, limit);
    limit_sizes_add(c, campaign_limit(c, 1));
    limit_sizes_add(c, unread_limit(c));
    for (size_t i = 0; i < c->n_sizes; i++)
        size_pilot(c, i, guess_after(c, i));
    campaign_log(c, "looking for bends");
    if (!given)
        sizes_refine(c);
}
