#include "survey/survey.h"

#include "clock/share.h"
#include "common/alloc.h"
#include "estimate/analytical/at_once.h"
#include "survey/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_TIMES = 3, TAG_OVER, TAG_NEXT };
enum { GROUP_MOST = 4096 }; /* experiments: what a job that is killed may lose */
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
}

void survey_connect(const struct survey *s)
{
    for (int i = 0; i < s->nodes; i++)
        for (int j = 0; j < i; j++)
            if (s->rank == i || s->rank == j) {
                int other = s->rank == i ? j : i;
                watch_set(s->job->watch, 3, "connecting");
                MPI_Sendrecv(NULL, 0, MPI_BYTE, other, 0, NULL, 0, MPI_BYTE, other, 0, s->comm, MPI_STATUS_IGNORE);
            }
    watch_set(s->job->watch, 0, NULL);
}

void survey_free(struct survey *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->all[i].t);
    for (size_t i = 0; i < s->n_kept; i++)
        free(s->kept[i].t);
    free(s->all);
    intern_free(&s->places);
    free(s->kept);
    free(s->added);
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

/* Of what makes experiments equal: the third node only where there are three. */
static uint64_t experiment_hash(const struct experiment *e)
{
    const int64_t what[] = {(int64_t)e->kind, e->there, e->back, e->messages};
    return intern_hash(intern_hash(0, what, sizeof what), e->node, (size_t)experiment_nodes(e) * sizeof *e->node);
}

struct wanted {
    const struct survey *survey;
    const struct experiment *experiment;
};

static bool is_there(const void *context, int32_t place)
{
    const struct wanted *wanted = context;
    return experiments_equal(&wanted->survey->all[place].experiment, wanted->experiment);
}

size_t survey_add(struct survey *s, const struct experiment *experiment)
{
    const uint64_t hash = experiment_hash(experiment);
    const int32_t there = intern_find(&s->places, hash, is_there, &(struct wanted){s, experiment});
    if (there >= 0)
        return (size_t)there;
    intern_add(&s->places, hash, (int32_t)s->n);
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

/* Takes over what is kept and enough of experiments from n_done on: known [n - n_done] out, how many passes there are
 * (of others than one-to-two experiments 1), 0: none. The same on all ranks. */
static void kept_take(struct survey *s, size_t known[])
{
    if (s->n_kept > 0)
        qsort(s->kept, s->n_kept, sizeof *s->kept, surveyed_compare);
    for (size_t i = s->n_done; s->n_kept > 0 && i < s->n; i++) {
        struct surveyed *one = bsearch(&s->all[i], s->kept, s->n_kept, sizeof *s->kept, surveyed_compare);
        if (!one || !is_enough(s, one))
            continue;
        known[i - s->n_done] = is_averaged(&one->experiment) ? one->n / SURVEY_PASS : 1;
        s->all[i].n = one->n;
        s->all[i].t = memcpy(alloc_array(one->n, sizeof *one->t), one->t, one->n * sizeof *one->t);
    }
    share_broadcast(s->comm, known, (int)((s->n - s->n_done) * sizeof *known), 0);
    for (size_t i = s->n_done; i < s->n; i++)
        s->all[i].passes = known[i - s->n_done];
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

/* The end of round r: who leads an experiment tells rank 0, and rank 0 all. A barrier of MPI takes several times as long where
 * processes sleep between looks. Then all begin to look again at one moment, so where one pair alone exchanges empty messages there
 * is a barrier. */
static void round_tell(const struct survey *s, size_t n, const struct experiment e[], const size_t round[], size_t r)
{
    for (size_t i = 0; i < n; i++) {
        const int lead = e[i].node[0];
        if (round[i] != r || lead == 0)
            continue;
        if (s->rank == lead)
            MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_OVER, s->comm);
        else if (s->rank == 0)
            share_receive(s->comm, NULL, 0, lead, TAG_OVER);
    }
    for (int other = 1; s->rank == 0 && other < s->nodes; other++)
        MPI_Send(NULL, 0, MPI_BYTE, other, TAG_NEXT, s->comm);
    if (s->rank != 0)
        share_receive(s->comm, NULL, 0, 0, TAG_NEXT);
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
    const bool *wanted; /* [s->n] no others; NULL: all */
    bool as_often;      /* those that are averaged as often as so far, not SURVEY_PASS times */
    bool compared;      /* where ranks share cores some alone, too (added_find) */
};

/* Experiments `number` [n] of the survey, which are of one kind and size, and where each one's times go. Returns how
 * many rounds they took. */
static size_t group_run(struct survey *s, size_t n, const size_t number[], struct way way, struct surveyed *const to[])
{
    struct experiment *e = alloc_array(n + 1, sizeof *e);
    size_t *round = alloc_array(n + 1, sizeof *round), rounds = n;
    struct samples *samples = alloc_zeroed(n + 1, sizeof *samples);
    for (size_t i = 0; i < n; i++) {
        e[i] = s->all[number[i]].experiment;
        round[i] = i;
    }
    if (!way.alone)
        rounds = experiment_rounds(n, e, (size_t)s->nodes, &s->trunks, round);
    for (size_t r = 0; r < rounds; r++) {
        for (size_t i = 0; i < n; i++) {
            int role = round[i] == r ? role_in(s, &e[i]) : -1;
            if (role >= 0)
                take_part(s, &e[i], role, SURVEY_PASS * (way.as_often ? s->all[number[i]].passes : 1), &samples[i]);
        }
        watch_set(s->job->watch, s->rule.time_cap + 2, "waiting for other experiments of the round");
        if (way.alone)
            share_barrier(s->comm);
        else
            round_tell(s, n, e, round, r);
        watch_set(s->job->watch, 0, NULL);
    }
    for (size_t i = 0; i < n; i++) {
        times_collect(s, &e[i], &samples[i], to[i]);
        samples_free(&samples[i]);
    }
    free(samples);
    free(round);
    free(e);
    return rounds;
}

static bool same_group(const struct experiment *a, const struct experiment *b)
{
    return a->kind == b->kind && a->there == b->there && a->back == b->back && a->messages == b->messages;
}

int survey_added_of(const struct survey *s, const struct experiment *e)
{
    for (size_t i = 0; i < s->n_added; i++)
        if (same_group(&s->added[i].like, e))
            return (int)i;
    return -1;
}

void survey_add_added(struct survey *s, const struct experiment *like, double seconds)
{
    int place = survey_added_of(s, like);
    if (place < 0) {
        s->added = alloc_grow(s->added, s->n_added, &s->added_capacity, sizeof *s->added);
        place = (int)s->n_added++;
    }
    s->added[place] = (struct survey_added){*like, seconds};
}

/* Carries out some of a group alone, which had others beside them, from all over their order: half as many as nodes,
 * where they are averaged and have fewer repetitions twice as many. */
static void added_find(struct survey *s, size_t n, const size_t number[])
{
    const struct experiment *like = &s->all[number[0]].experiment;
    size_t wanted = is_averaged(like) ? 2 * (size_t)s->nodes : ((size_t)s->nodes + 1) / 2, k = n < wanted ? n : wanted;
    size_t *some = alloc_array(k, sizeof *some);
    struct surveyed *alone = alloc_zeroed(k, sizeof *alone), **to = alloc_array(k, sizeof *to);
    struct repeats *beside = alloc_array(2 * k, sizeof *beside);
    for (size_t i = 0; i < k; i++) {
        some[i] = number[i * n / k];
        to[i] = &alone[i];
    }
    group_run(s, k, some, (struct way){.alone = true}, to);
    for (size_t i = 0; i < k; i++) {
        beside[i] = survey_repeats(s, some[i]);
        beside[k + i] = (struct repeats){alone[i].n, alone[i].t};
    }
    if (s->rank == 0) /* in whole ns, as a file has it */
        survey_add_added(s, like, 1e-9 * (double)llround(1e9 * at_once_adds(k, beside, beside + k)));
    for (size_t i = 0; i < k; i++)
        free(alone[i].t);
    free(beside);
    free(to);
    free(alone);
    free(some);
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
    size_t *number = alloc_array(s->n + 1, sizeof *number);
    struct surveyed **wanted = alloc_array(s->n + 1, sizeof *wanted);
    const bool shares = s->job->crowding > 1;
    for (size_t first = from, length; first < s->n; first += length) {
        int64_t since = clock_now(s->job->clock);
        struct way here = way;
        size_t n = 0;
        length = group_length(s, first);
        for (size_t i = first; i < first + length; i++)
            if (!way.wanted || way.wanted[i]) {
                number[n] = i;
                wanted[n++] = &to[i - from];
            }
        here.alone = way.alone || (shares && experiment_is_of_processors(&s->all[first].experiment));
        if (n > 0 && group_run(s, n, number, here, wanted) < n && shares && way.compared)
            added_find(s, n, number);
        for (size_t i = 0; i < n; i++)
            wanted[i]->seconds += 1e-9 * (double)(clock_now(s->job->clock) - since) / (double)n;
        groups_save(s);
    }
    free(wanted);
    free(number);
    return 1e-9 * (double)(clock_now(s->job->clock) - start);
}

double survey_run(struct survey *s)
{
    size_t *known = alloc_zeroed(s->n - s->n_done + 1, sizeof *known);
    bool *wanted = alloc_array(s->n + 1, sizeof *wanted);
    kept_take(s, known);
    for (size_t i = s->n_done; i < s->n; i++) {
        wanted[i] = known[i - s->n_done] == 0;
        s->all[i].passes += wanted[i];
    }
    double seconds = groups_run(s, s->n_done, (struct way){.wanted = wanted, .compared = true},
                                s->all + s->n_done);
    s->n_done = s->n;
    free(wanted);
    free(known);
    return seconds;
}

void survey_more(struct survey *s, const bool more[])
{
    groups_run(s, 0, (struct way){.wanted = more}, s->all);
    for (size_t i = 0; i < s->n; i++)
        s->all[i].passes += more[i];
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
