#include "survey/survey.h"

#include "clock/share.h"
#include "common/alloc.h"
#include "survey/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_TIMES = 3, GROUP_MOST = 4096 }; /* experiments: what a job that is killed may lose */
#define SAVE_MOST 6 /* s: what it may take to write the file */

void survey_init(struct survey *s, const struct job *job, bool every_process, const struct stopping *rule)
{
    bool takes_part = job->place >= 0 && (every_process || job->place % job->ppn == 0);
    *s = (struct survey){.job = job, .comm = MPI_COMM_NULL, .rule = *rule, .rank = -1,
                         .saved = clock_now(job->clock)};
    MPI_Comm_split(job->comm, takes_part ? 0 : MPI_UNDEFINED, job->place, &s->comm);
    if (!takes_part)
        return;
    MPI_Comm_rank(s->comm, &s->rank);
    MPI_Comm_size(s->comm, &s->nodes);
    s->passes = alloc_array((size_t)s->nodes, sizeof *s->passes);
    for (int i = 0; i < s->nodes; i++)
        s->passes[i] = 1;
    for (int i = 0; i < s->nodes; i++) /* connections are made now, by one pair at a time and not by all at once */
        for (int j = 0; j < i; j++)
            if (s->rank == i || s->rank == j) {
                int other = s->rank == i ? j : i;
                watch_set(job->watch, 3, "connecting");
                MPI_Sendrecv(NULL, 0, MPI_BYTE, other, 0, NULL, 0, MPI_BYTE, other, 0, s->comm, MPI_STATUS_IGNORE);
            }
    watch_set(job->watch, 0, NULL);
}

void survey_free(struct survey *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->all[i].t);
    for (size_t i = 0; i < s->n_kept; i++)
        free(s->kept[i].t);
    free(s->all);
    free(s->kept);
    free(s->passes);
    free(s->buffer);
    free((void *)s->trunks.behind); /* no longer constant */
    if (s->comm != MPI_COMM_NULL)
        MPI_Comm_free(&s->comm);
    *s = (struct survey){.comm = MPI_COMM_NULL};
}

/* Groups that a resource of scope group belongs to. */
static bool is_trunk(const struct machine *machine, size_t group)
{
    for (size_t r = 0; r < machine->n_resources; r++)
        for (size_t g = 0; g < machine->resources[r].n_groups; g++)
            if (machine->resources[r].groups[g] == group)
                return true;
    return false;
}

void survey_trunks(struct survey *s, const struct machine *machine)
{
    size_t nodes = (size_t)s->nodes, n = 0, groups = machine ? machine->n_groups : 0;
    for (size_t g = 0; g < groups; g++)
        n += is_trunk(machine, g);
    share_broadcast(s->comm, &n, (int)sizeof n, 0);
    bool *behind = alloc_zeroed(n * nodes + 1, sizeof *behind);
    for (size_t g = 0, t = 0; g < groups; g++)
        if (is_trunk(machine, g)) {
            for (int node = 0; node < s->nodes; node++)
                behind[t * nodes + (size_t)node] = node_set_has(&machine->groups[g].nodes, node);
            t++;
        }
    share_broadcast(s->comm, behind, (int)(n * nodes * sizeof *behind), 0);
    s->trunks = (struct trunks){n, behind};
}

size_t survey_add(struct survey *s, const struct experiment *experiment)
{
    for (size_t i = 0; i < s->n; i++)
        if (experiments_equal(&s->all[i].experiment, experiment))
            return i;
    s->all = alloc_grow(s->all, s->n, &s->capacity, sizeof *s->all);
    s->all[s->n] = (struct surveyed){.experiment = *experiment};
    return s->n++;
}

/* ---- of an earlier run ---- */

void survey_keep(struct survey *s, const struct experiment *experiment, size_t n, const double t[])
{
    struct surveyed one = {.experiment = *experiment, .n = n, .t = alloc_array(n + 1, sizeof *t)};
    memcpy(one.t, t, n * sizeof *t);
    s->kept = alloc_grow(s->kept, s->n_kept, &s->kept_capacity, sizeof *s->kept);
    s->kept[s->n_kept++] = one;
}

static bool is_averaged(const struct experiment *e)
{
    return e->kind == EXPERIMENT_to_two;
}

static bool is_enough(const struct survey *s, const struct surveyed *one)
{
    if (is_averaged(&one->experiment))
        return one->n >= SURVEY_PASS;
    struct samples samples = SAMPLES_EMPTY;
    for (size_t i = 0; i < one->n; i++)
        samples_add(&samples, llround(1e9 * one->t[i]));
    bool enough = one->n >= 2 && stopping_decide(&s->rule, &samples, 0) != STOP_go_on;
    samples_free(&samples);
    return enough;
}

static int surveyed_compare(const void *a, const void *b)
{
    return experiments_compare(&((const struct surveyed *)a)->experiment, &((const struct surveyed *)b)->experiment);
}

/* Takes over what is kept and enough of experiments from n_done on: known [n - n_done] out, the same on all ranks. */
static void kept_take(struct survey *s, bool known[])
{
    size_t *passes = alloc_array((size_t)s->nodes, sizeof *passes);
    memcpy(passes, s->passes, (size_t)s->nodes * sizeof *passes);
    if (s->n_kept > 0)
        qsort(s->kept, s->n_kept, sizeof *s->kept, surveyed_compare);
    for (size_t i = s->n_done; s->n_kept > 0 && i < s->n; i++) {
        struct surveyed *one = bsearch(&s->all[i], s->kept, s->n_kept, sizeof *s->kept, surveyed_compare);
        if (!one || !is_enough(s, one))
            continue;
        known[i - s->n_done] = true;
        s->all[i].n = one->n;
        s->all[i].t = memcpy(alloc_array(one->n, sizeof *one->t), one->t, one->n * sizeof *one->t);
        size_t *of = &passes[one->experiment.node[0]];
        if (is_averaged(&one->experiment) && one->n / SURVEY_PASS > *of)
            *of = one->n / SURVEY_PASS;
    }
    share_broadcast(s->comm, known, (int)((s->n - s->n_done) * sizeof *known), 0);
    share_broadcast(s->comm, passes, (int)((size_t)s->nodes * sizeof *passes), 0);
    memcpy(s->passes, passes, (size_t)s->nodes * sizeof *passes);
    free(passes);
}

void survey_save(struct survey *s)
{
    if (!s->save || 1e-9 * (double)(clock_now(s->job->clock) - s->saved) < SURVEY_SAVE)
        return;
    s->save(s->save_context);
    s->saved = clock_now(s->job->clock);
}

/* Between two groups: the others wait until rank 0 has saved them. */
static void groups_save(struct survey *s)
{
    char nothing = 0;
    watch_set(s->job->watch, SAVE_MOST, "waiting until the file is written");
    if (s->rank == 0)
        survey_save(s);
    share_broadcast(s->comm, &nothing, 1, 0);
    watch_set(s->job->watch, 0, NULL);
}

/* ---- experiments ---- */

static void buffer_for(struct survey *s, const struct experiment *e)
{
    int64_t most = e->there > e->back ? e->there : e->back;
    if (s->buffer && most <= s->buffer_bytes)
        return;
    s->buffer_bytes = most > 4096 ? most : 4096;
    s->buffer = alloc_resize(s->buffer, (size_t)s->buffer_bytes, 1);
    memset(s->buffer, 0, (size_t)s->buffer_bytes); /* its pages are there before times are taken */
}

static int role_in(const struct survey *s, const struct experiment *e)
{
    for (int k = 0; k < experiment_nodes(e); k++)
        if (e->node[k] == s->rank)
            return k;
    return -1;
}

/* This process's part of the experiment; its times where it leads. averaged: how often those that are averaged. */
static void take_part(struct survey *s, const struct experiment *e, int role, size_t averaged, struct samples *samples)
{
    buffer_for(s, e);
    struct stopping rule = s->rule;
    if (is_averaged(e))
        rule.minimum = rule.maximum = averaged;
    struct trial trial = {s->job, s->comm, s->buffer, &rule};
    if (role == 0)
        trial_lead(&trial, e, samples);
    else
        trial_follow(&trial, e);
}

/* Waits for the others of a round, which may take as long as an experiment. */
static void round_end(const struct survey *s)
{
    watch_set(s->job->watch, s->rule.time_cap + 2, "waiting for other experiments of the round");
    share_barrier(s->comm);
    watch_set(s->job->watch, 0, NULL);
}

/* Experiment i's times come to rank 0, in seconds, behind those that it has. */
static void times_collect(struct survey *s, const struct experiment *e, struct samples *samples, struct surveyed *to)
{
    int n = (int)samples->n;
    watch_set(s->job->watch, 1, "collecting times");
    if (s->rank == e->node[0] && s->rank != 0) {
        MPI_Send(&n, 1, MPI_INT, 0, TAG_TIMES, s->comm);
        MPI_Send(samples->ns, n, MPI_INT64_T, 0, TAG_TIMES, s->comm);
    } else if (s->rank == 0) {
        if (e->node[0] != 0) {
            MPI_Recv(&n, 1, MPI_INT, e->node[0], TAG_TIMES, s->comm, MPI_STATUS_IGNORE);
            samples_append(samples, (size_t)n, NULL);
            MPI_Recv(samples->ns, n, MPI_INT64_T, e->node[0], TAG_TIMES, s->comm, MPI_STATUS_IGNORE);
        }
        samples->n = (size_t)n;
        to->t = alloc_resize(to->t, to->n + (size_t)n, sizeof *to->t);
        for (int i = 0; i < n; i++)
            to->t[to->n++] = 1e-9 * (double)samples->ns[i];
    }
    watch_set(s->job->watch, 0, NULL);
}

/* How experiments are carried out. */
struct way {
    bool alone;         /* one at a time */
    const bool *led_by; /* [nodes] of those that are averaged, what these lead, and no others; NULL: all of all kinds */
    const bool *known;  /* [n - from] not to be carried out; NULL: none */
    bool as_often;      /* those that are averaged as often as so far, not SURVEY_PASS times */
};

static bool is_wanted(const struct way *way, const struct experiment *e)
{
    return !way->led_by || (is_averaged(e) && way->led_by[e->node[0]]);
}

/* Experiments e [n], which are of one kind and size, and where each one's times go. */
static void group_run(struct survey *s, size_t n, const struct experiment e[], struct way way, struct surveyed *const to[])
{
    size_t *round = alloc_array(n + 1, sizeof *round), rounds = n;
    struct samples *samples = alloc_zeroed(n + 1, sizeof *samples);
    const bool alone = way.alone || (s->job->crowding > 1 && experiment_is_of_processors(&e[0]));
    if (!alone)
        rounds = experiment_rounds(n, e, (size_t)s->nodes, &s->trunks, round);
    for (size_t r = 0; r < rounds; r++) {
        for (size_t i = 0; i < n; i++) {
            int role = (alone ? i : round[i]) == r ? role_in(s, &e[i]) : -1;
            if (role >= 0)
                take_part(s, &e[i], role, SURVEY_PASS * (way.as_often ? s->passes[e[i].node[0]] : 1), &samples[i]);
        }
        round_end(s);
    }
    for (size_t i = 0; i < n; i++) {
        times_collect(s, &e[i], &samples[i], to[i]);
        samples_free(&samples[i]);
    }
    free(samples);
    free(round);
}

static bool same_group(const struct experiment *a, const struct experiment *b)
{
    return a->kind == b->kind && a->there == b->there && a->back == b->back && a->messages == b->messages;
}

/* How many from `first` on are of its kind and size. */
static size_t group_length(const struct survey *s, size_t first)
{
    size_t n = 1;
    while (n < GROUP_MOST && first + n < s->n && same_group(&s->all[first].experiment, &s->all[first + n].experiment))
        n++;
    return n;
}

/* From experiment `from` on, into to [s->n - from]. */
static double groups_run(struct survey *s, size_t from, struct way way, struct surveyed to[])
{
    int64_t start = clock_now(s->job->clock);
    struct experiment *e = alloc_array(s->n + 1, sizeof *e);
    struct surveyed **wanted = alloc_array(s->n + 1, sizeof *wanted);
    for (size_t first = from, length; first < s->n; first += length) {
        int64_t since = clock_now(s->job->clock);
        size_t n = 0;
        length = group_length(s, first);
        for (size_t i = first; i < first + length; i++)
            if (is_wanted(&way, &s->all[i].experiment) && !(way.known && way.known[i - from])) {
                e[n] = s->all[i].experiment;
                wanted[n++] = &to[i - from];
            }
        if (n > 0)
            group_run(s, n, e, way, wanted);
        for (size_t i = 0; i < n; i++)
            wanted[i]->seconds += 1e-9 * (double)(clock_now(s->job->clock) - since) / (double)n;
        groups_save(s);
    }
    free(wanted);
    free(e);
    return 1e-9 * (double)(clock_now(s->job->clock) - start);
}

double survey_run(struct survey *s, bool alone)
{
    bool *known = alloc_zeroed(s->n - s->n_done + 1, sizeof *known);
    kept_take(s, known);
    double seconds = groups_run(s, s->n_done, (struct way){.alone = alone, .known = known}, s->all + s->n_done);
    s->n_done = s->n;
    free(known);
    return seconds;
}

void survey_more(struct survey *s, const bool led_by[])
{
    groups_run(s, 0, (struct way){.led_by = led_by}, s->all);
    for (int i = 0; i < s->nodes; i++)
        s->passes[i] += led_by[i];
}

double survey_repeat_alone(struct survey *s, struct surveyed again[])
{
    for (size_t i = 0; i < s->n; i++)
        again[i] = (struct surveyed){.experiment = s->all[i].experiment};
    return groups_run(s, 0, (struct way){.alone = true, .as_often = true}, again);
}

struct repeats survey_repeats(const struct survey *s, size_t number)
{
    return (struct repeats){s->all[number].n, s->all[number].t};
}
