#include "report/report_profile.h"

#include "common/alloc.h"
#include "common/units.h"

#include <math.h>
#include <stdlib.h>

/* Senders shown without -v; and the probability below which a dependence is called one. */
enum { SENDERS_SHOWN = 8 };
#define CHANCE_MOST 0.01

static void write_dependence(FILE *out, const struct races *races, const struct race_site *site)
{
    double explained, chance;
    int32_t starters = 0, starter = 0;
    for (int32_t p = 0; p < races->n_processes; p++)
        if (site->senders[p].first > 0) {
            starters++;
            starter = p;
        }
    if (starters == 1)
        fprintf(out, "  process %d was always first\n", starter);
    else if (!races_dependence(races, site, &explained, &chance))
        fprintf(out, "  run time against who is first: cannot be told from %llu replication%s\n",
                (unsigned long long)races->replications, races->replications == 1 ? "" : "s");
    else if (chance < CHANCE_MOST)
        fprintf(out,
                "  run time depends on who is first: that explains %.0f %% of its variance (by chance: p = %.1g)\n",
                100 * explained, chance);
    else
        fprintf(out, "  run time does not depend on who is first, as far as %llu replications tell (p = %.2f)\n",
                (unsigned long long)races->replications, chance);
}

static void write_sender(FILE *out, const struct races *races, const struct race_site *site, int32_t process)
{
    const struct race_sender *sender = &site->senders[process];
    double n = (double)races->replications, mean = races->shift + races->time / n;
    char share[REPORT_SHARE_BYTES], time[UNITS_TIME_BYTES];
    fprintf(out, "%9d  %11.1f  %7s", process, (double)sender->taken / n,
            report_share((double)sender->taken / (double)site->taken, share));
    fprintf(out, "  %7s", sender->first ? report_share((double)sender->first / n, share) : "never");
    double first = races_first_time(races, sender), correlation = races_correlation(races, sender);
    if (isnan(first))
        fprintf(out, "  %20s", "-");
    else
        fprintf(out, "  %10s %+7.2f %%", units_format_time(first, time), 100 * (first / mean - 1));
    if (isnan(correlation))
        fprintf(out, "  %11s\n", "-");
    else
        fprintf(out, "  %11.2f\n", correlation);
}

static void write_site(FILE *out, const struct profile_report *report, const struct race_site *site, int32_t order[])
{
    const struct races *races = report->races;
    double n = (double)races->replications;
    char share[REPORT_SHARE_BYTES];
    char *place = report_site_text(report->program, report->profile, site->site);
    fprintf(out, "\n%s took %.4g message%s a run by wildcard, ", place, (double)site->taken / n,
            site->taken == races->replications ? "" : "s");
    free(place);
    if (site->n_orders == 1)
        fprintf(out, "from the same senders in the same order each time\n");
    else
        fprintf(out, "in %zu different orders of senders in %llu replications\n", site->n_orders,
                (unsigned long long)races->replications);
    if (site->contested == 0)
        fprintf(out, "  it took what came first: never were two there already\n");
    else
        fprintf(out, "  %s of the times several were there already (at most %d)\n",
                report_share((double)site->contested / (double)site->taken, share), site->candidates_most);
    int32_t senders = races_order(races, site, order);
    if (senders > 1)
        write_dependence(out, races, site);
    fprintf(out, "%9s  %11s  %7s  %7s  %20s  %11s\n", "sender", "taken a run", "share", "first", "run time when first",
            "correlation");
    int32_t shown = report->verbose || senders <= SENDERS_SHOWN ? senders : SENDERS_SHOWN;
    for (int32_t i = 0; i < shown; i++)
        write_sender(out, races, site, order[i]);
    if (shown < senders)
        fprintf(out, "  %d more senders (-v shows them)\n", senders - shown);
}

void report_races(FILE *out, const struct profile_report *report)
{
    const struct races *races = report->races;
    if (!races || races->n == 0 || races->replications == 0)
        return;
    int32_t *order = alloc_array((size_t)races->n_processes, sizeof *order);
    for (int32_t i = 0; i < races->n; i++)
        write_site(out, report, &races->sites[i], order);
    free(order);
}
