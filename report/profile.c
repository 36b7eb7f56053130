#include "report/profile.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void profile_init(struct profile *profile, int32_t n_processes, int32_t n_sites)
{
    assert(n_processes >= 1 && n_sites >= 0);
    size_t processes = (size_t)n_processes;
    *profile = (struct profile){.n_processes = n_processes, .n_sites = n_sites, .torn = -1};
    profile->by_site = alloc_zeroed((size_t)n_sites + 1, sizeof *profile->by_site);
    profile->by_process = alloc_zeroed(processes, sizeof *profile->by_process);
    profile->lost = alloc_zeroed((size_t)n_sites + 1, sizeof *profile->lost);
    profile->reached = alloc_zeroed(processes, sizeof *profile->reached);
    profile->covered = alloc_zeroed(processes, sizeof *profile->covered);
}

void profile_free(struct profile *profile)
{
    free(profile->by_site);
    free(profile->by_process);
    free(profile->lost);
    free(profile->reached);
    free(profile->covered);
    *profile = (struct profile){0};
}

static void replication_begin(struct profile *profile)
{
    size_t processes = (size_t)profile->n_processes;
    memset(profile->reached, 0, processes * sizeof *profile->reached);
    memset(profile->covered, 0, processes * sizeof *profile->covered);
    profile->torn = -1;
}

void profile_reset(struct profile *profile)
{
    memset(profile->by_site, 0, ((size_t)profile->n_sites + 1) * sizeof *profile->by_site);
    memset(profile->by_process, 0, (size_t)profile->n_processes * sizeof *profile->by_process);
    memset(profile->lost, 0, (size_t)profile->n_sites * sizeof *profile->lost);
    profile->replications = 0;
    profile->run_time = 0;
    replication_begin(profile);
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= PROFILE_TOLERANCE * fmax(fabs(a), fabs(b));
}

void profile_span(struct profile *profile, const struct span *span)
{
    assert(span->process >= 0 && span->process < profile->n_processes);
    assert(span->site >= -1 && span->site < profile->n_sites);
    double seconds = span->to - span->from;
    if (seconds < 0 || !is_near(span->from, profile->reached[span->process]))
        profile->torn = span->process;
    profile->reached[span->process] = span->to;
    profile->covered[span->process] += seconds;
    profile->by_process[span->process][span->loss] += seconds;
    profile->by_site[span->site < 0 ? profile->n_sites : span->site][span->loss] += seconds;
}

static void lost_add(struct profile_lost *sum, const struct profile_lost *part)
{
    uint64_t n = sum->n + part->n;
    if (sum->n == 0)
        *sum = *part;
    sum->n = n;
}

void profile_lost(struct profile *profile, const struct flight *flight)
{
    assert(flight->send_site >= 0 && flight->send_site < profile->n_sites);
    struct profile_lost one = {1, flight->from, flight->to, flight->tag};
    lost_add(&profile->lost[flight->send_site], &one);
}

int32_t profile_end(struct profile *profile, double run_time)
{
    int32_t wrong = profile->torn;
    for (int32_t p = 0; p < profile->n_processes && wrong < 0; p++)
        if (!is_near(profile->reached[p], run_time) || !is_near(profile->covered[p], run_time))
            wrong = p;
    profile->replications++;
    profile->run_time += run_time;
    replication_begin(profile);
    return wrong;
}

static void sums_add(size_t n, double sums[][N_LOSSES], double part[][N_LOSSES])
{
    for (size_t i = 0; i < n; i++)
        for (int loss = 0; loss < N_LOSSES; loss++)
            sums[i][loss] += part[i][loss];
}

void profile_add(struct profile *profile, const struct profile *part)
{
    assert(profile->n_processes == part->n_processes && profile->n_sites == part->n_sites);
    sums_add((size_t)profile->n_sites + 1, profile->by_site, part->by_site);
    sums_add((size_t)profile->n_processes, profile->by_process, part->by_process);
    for (int32_t site = 0; site < profile->n_sites; site++)
        lost_add(&profile->lost[site], &part->lost[site]);
    profile->replications += part->replications;
    profile->run_time += part->run_time;
}

double profile_mean(const struct profile *profile, double sum)
{
    return profile->replications ? sum / (double)profile->replications / profile->n_processes : 0;
}

double profile_run_time(const struct profile *profile)
{
    return profile->replications ? profile->run_time / (double)profile->replications : 0;
}

double profile_site_time(const struct profile *profile, int32_t site)
{
    double sum = 0;
    for (int loss = 0; loss < N_LOSSES; loss++)
        sum += profile->by_site[site][loss];
    return profile_mean(profile, sum);
}

double profile_loss_time(const struct profile *profile, enum loss loss)
{
    double sum = 0;
    for (int32_t site = 0; site <= profile->n_sites; site++)
        sum += profile->by_site[site][loss];
    return profile_mean(profile, sum);
}

const char *loss_heading(enum loss loss)
{
    static const char *const headings[] = {
#define X(name, heading) heading,
        LOSS_LIST(X)
#undef X
    };
    return headings[loss];
}

const char *loss_name(enum loss loss)
{
    static const char *const names[] = {
#define X(name, heading) #name,
        LOSS_LIST(X)
#undef X
    };
    return names[loss];
}
