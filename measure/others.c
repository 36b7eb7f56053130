#include "measure/others.h"

#include "clock/share.h"
#include "common/alloc.h"
#include "measure/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

/* s by which two processes of a job may look after one another. */
static const double LOOKS_APART = 1;

/* ---- one machine ---- */

/* Fields of a line of /proc/stat, as proc(5) has them. Guests are in `user` and `nice`. */
enum { STAT_user, STAT_nice, STAT_system, STAT_idle, STAT_iowait, STAT_irq, STAT_softirq, STAT_steal, N_STAT };

bool others_parse(struct others_look *look, const char *stat, double ticks)
{
    double t[N_STAT] = {0};
    look->processors = 0;
    look->passed = look->worked = look->stolen = 0;
    /* Old kernels have fewer fields, but the first four. */
    if (!(ticks > 0) || sscanf(stat, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6],
                               &t[7]) <= STAT_idle)
        return false;
    for (int i = 0; i < N_STAT; i++)
        look->passed += t[i] / ticks;
    look->worked = (t[STAT_user] + t[STAT_nice] + t[STAT_system]) / ticks;
    look->stolen = t[STAT_steal] / ticks;
    for (const char *line = strchr(stat, '\n'); line && look->passed > 0; line = strchr(line + 1, '\n'))
        look->processors += strncmp(line, "\ncpu", 4) == 0 && line[4] >= '0' && line[4] <= '9';
    return look->processors > 0;
}

bool others_same(const struct others_look *a, const struct others_look *b)
{
    return a->boot[0] && strcmp(a->boot, b->boot) == 0 && a->processors > 0 && a->processors == b->processors &&
           fabs(a->passed - b->passed) <= LOOKS_APART * a->processors &&
           fabs(a->worked - b->worked) <= LOOKS_APART * a->processors;
}

void others_add(struct others_machine *machine, const struct others_look *before, const struct others_look *after,
                double own)
{
    const bool tells = before->boot[0] && before->processors > 0 && after->processors > 0 && after->passed >= before->passed;
    const bool first = machine->passed == 0;
    machine->processors = tells && (first || machine->processors > 0) ? after->processors : 0;
    machine->passed += after->passed - before->passed;
    machine->worked += after->worked - before->worked - own;
    machine->stolen += after->stolen - before->stolen;
}

double others_share(const struct others_machine *machine)
{
    if (machine->processors == 0 || machine->passed < OTHERS_LEAST * machine->processors)
        return NAN;
    return fmin(1, (fmax(0, machine->worked) + fmax(0, machine->stolen)) / machine->passed);
}

char *others_text(const struct others_machine *machine, char text[OTHERS_TEXT_BYTES])
{
    const double share = others_share(machine);
    if (isnan(share))
        snprintf(text, OTHERS_TEXT_BYTES, "not known");
    else
        snprintf(text, OTHERS_TEXT_BYTES, "%.1f %% of %d processors over %.1f s", 100 * share, machine->processors,
                 machine->passed / machine->processors);
    return text;
}

bool others_read(struct others_machine *machine, const char *text)
{
    double percent, seconds;
    int processors, end = 0;
    if (sscanf(text, "%lf %% of %d processors over %lf s%n", &percent, &processors, &seconds, &end) != 3 || end == 0 ||
        text[end] || processors < 1 || !(percent >= 0 && percent <= 100) || !(seconds >= 0))
        return false;
    machine->processors = processors;
    machine->passed = seconds * processors;
    machine->worked = 0.01 * percent * machine->passed;
    machine->stolen = 0;
    return true;
}

char *others_name(const struct others_machine *machine, char name[OTHERS_NAME_BYTES])
{
    if (machine->hosts > 1)
        snprintf(name, OTHERS_NAME_BYTES, "%s and %d more host%s", machine->host, machine->hosts - 1,
                 machine->hosts > 2 ? "s" : "");
    else
        snprintf(name, OTHERS_NAME_BYTES, "%s", machine->host);
    return name;
}

void others_say(const char *where, const char *how_much, size_t more, struct place place, struct diags *diags)
{
    char also[64] = "";
    if (more > 0)
        snprintf(also, sizeof also, ", and on %zu more", more);
    diag_warning(diags, place, "processors were busy with other work than this job: %s on %s%s; times may be longer than on "
                 "idle machines", how_much, where, also);
}

void others_warn(size_t n, const struct others_machine machines[], struct diags *diags)
{
    char name[OTHERS_NAME_BYTES], text[OTHERS_TEXT_BYTES];
    const struct others_machine *worst = NULL;
    size_t n_busy = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(others_share(&machines[i]) >= OTHERS_MOST))
            continue;
        n_busy++;
        if (!worst || others_share(&machines[i]) > others_share(worst))
            worst = &machines[i];
    }
    if (worst)
        others_say(others_name(worst, name), others_text(worst, text), n_busy - 1, place_of_file(NULL), diags);
}

/* ---- all machines of a job ---- */

/* What a rank tells. */
struct telling {
    char host[72];
    struct others_look look;
};

struct others {
    const struct job *job;
    /* The rest is rank 0's. */
    struct telling *before, *after; /* [job->size] */
    int *machine_of;                /* [job->size] */
    size_t n;
    struct others_machine *all, *last; /* [n] */
};

/* A file of the kernel's; the caller frees it. Empty: it is not there. */
static char *text_of(const char *path)
{
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    const bool got = file && getdelim(&text, &capacity, '\0', file) > 0;
    if (file)
        fclose(file);
    if (got)
        return text;
    free(text);
    return alloc_string("");
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static double own_used(void)
{
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    double sum = 0;
    for (size_t i = 0; i < sizeof whose / sizeof *whose; i++) {
        struct rusage usage;
        if (getrusage(whose[i], &usage) == 0)
            sum += seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    }
    return sum;
}

static void look_now(struct others_look *look)
{
    char *boot = text_of("/proc/sys/kernel/random/boot_id"), *stat = text_of("/proc/stat");
    snprintf(look->boot, sizeof look->boot, "%.*s", (int)strcspn(boot, "\n"), boot);
    others_parse(look, stat, (double)sysconf(_SC_CLK_TCK));
    look->own = own_used();
    free(boot);
    free(stat);
}

/* All look at about the same moment. */
static void tell(const struct others *others, struct telling all[])
{
    const struct job *job = others->job;
    struct telling mine = {.host = ""};
    struct utsname name;
    if (uname(&name) == 0)
        snprintf(mine.host, sizeof mine.host, "%s", name.nodename);
    watch_set(job->watch, 0.5, "looking at what else machines do");
    share_barrier(job->comm);
    look_now(&mine.look);
    MPI_Gather(&mine, (int)sizeof mine, MPI_BYTE, all, (int)sizeof mine, MPI_BYTE, 0, job->comm);
    watch_set(job->watch, 0, NULL);
}

/* Which ranks are on the same machines; a rank whose machine does not tell is on that of its host. */
static void machines_find(struct others *others)
{
    const int size = others->job->size;
    others->machine_of = alloc_array((size_t)size, sizeof *others->machine_of);
    for (int rank = 0; rank < size; rank++) {
        const struct telling *own = &others->before[rank];
        int first = 0;
        while (first < rank && !others_same(&others->before[first].look, &own->look) &&
               (own->look.processors > 0 || strcmp(others->before[first].host, own->host) != 0))
            first++;
        others->machine_of[rank] = first == rank ? (int)others->n++ : others->machine_of[first];
    }
    others->all = alloc_zeroed(others->n, sizeof *others->all);
    others->last = alloc_zeroed(others->n, sizeof *others->last);
}

/* Their hosts. Ranks of a host follow one another, or come in turns: so each is compared with all before it. */
static void hosts_count(struct others *others)
{
    for (int rank = 0; rank < others->job->size; rank++) {
        const char *host = others->before[rank].host;
        struct others_machine *machine = &others->all[others->machine_of[rank]];
        int earlier = 0;
        while (earlier < rank && (others->machine_of[earlier] != others->machine_of[rank] ||
                                  strcmp(others->before[earlier].host, host) != 0))
            earlier++;
        if (machine->hosts == 0)
            snprintf(machine->host, sizeof machine->host, "%s", host);
        machine->hosts += earlier == rank;
    }
}

struct others *others_create(const struct job *job)
{
    struct others *others = alloc_zeroed(1, sizeof *others);
    others->job = job;
    if (job->rank == 0) {
        others->before = alloc_array((size_t)job->size, sizeof *others->before);
        others->after = alloc_array((size_t)job->size, sizeof *others->after);
    }
    tell(others, others->before);
    if (job->rank == 0) {
        machines_find(others);
        hosts_count(others);
        memcpy(others->last, others->all, others->n * sizeof *others->all);
    }
    return others;
}

void others_destroy(struct others *others)
{
    if (!others)
        return;
    free(others->before);
    free(others->after);
    free(others->machine_of);
    free(others->all);
    free(others->last);
    free(others);
}

/* A machine's counts are those that its first rank has seen. */
static void machine_add(const struct others *others, size_t k)
{
    struct others_machine *last = &others->last[k];
    int first = others->job->size;
    double own = 0;
    for (int rank = others->job->size - 1; rank >= 0; rank--)
        if (others->machine_of[rank] == (int)k) {
            own += others->after[rank].look.own - others->before[rank].look.own;
            first = rank;
        }
    last->passed = last->worked = last->stolen = 0;
    others_add(last, &others->before[first].look, &others->after[first].look, own);
    others_add(&others->all[k], &others->before[first].look, &others->after[first].look, own);
}

void others_gather(struct others *others)
{
    tell(others, others->after);
    if (others->job->rank != 0)
        return;
    for (size_t k = 0; k < others->n; k++)
        machine_add(others, k);
    memcpy(others->before, others->after, (size_t)others->job->size * sizeof *others->before);
}

void others_earlier(struct others *others, size_t k, const struct others_machine *earlier)
{
    others->all[k].processors = earlier->processors;
    others->all[k].passed += earlier->passed;
    others->all[k].worked += earlier->worked;
}

const struct others_machine *others_all(const struct others *others, size_t *n)
{
    *n = others->n;
    return others->all;
}

const struct others_machine *others_last(const struct others *others, size_t *n)
{
    *n = others->n;
    return others->last;
}
