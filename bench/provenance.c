#include "bench/provenance.h"

#include "common/alloc.h"
#include "measure/series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void note_command(struct result *result, int argc, char *const argv[])
{
    char *text = alloc_string("pevpm-bench");
    for (int i = 1; i < argc; i++) {
        char *longer = alloc_format("%s %s", text, argv[i]);
        free(text);
        text = longer;
    }
    result_note(result, 0, "command", "%s", text);
    free(text);
}

static void note_sockets(const struct job *job, struct result *result)
{
    result_note(result, 0, "sockets", "%s%s", job->sockets_told,
                job->sockets == 0 || result->has_socket_map ? "" : ", on which processes lie neither in turn nor one after the other: "
                                                                   "no socket_map");
}

const char *provenance_within_node(const struct job *job)
{
    return series_chains(job) ? WITHIN_NODE_CHAINED : WITHIN_NODE_COLD;
}

void provenance_describe(const struct job *job, const struct crew_member members[], int argc, char *const argv[],
                         struct result *result)
{
    int length = 0;
    char version[MPI_MAX_LIBRARY_VERSION_STRING], date[40];
    time_t now = time(NULL);
    struct tm parts;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    for (char *tab = version; (tab = strchr(tab, '\t')) != NULL;) /* MPICH has one */
        *tab = ' ';
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", localtime_r(&now, &parts));
    result_note(result, 0, "measured_by", "pevpm-bench %s", PEVPM_VERSION);
    result_note(result, 0, "date", "%s", date);
    result_note(result, 0, "mpi", "%s", version);
    result_note(result, 0, "kernel", "%s", members[0].kernel);
    result_note(result, 0, "job", "%d x %d processes", job->nodes, job->ppn);
    if (job->ppn > 1)
        note_sockets(job, result);
    struct clock_quality quality = clock_quality(job->clock);
    result_note(result, 0, "clock", "%s, read in %.0f ns, granularity %.0f ns", quality.source, quality.overhead_ns,
                quality.granularity_ns);
    if (job->ppn > 1)
        result_note(result, 0, NOTE_WITHIN_NODE, "%s", provenance_within_node(job));
    if (job->nodes > 1 && result->frame == 0)
        result_note(result, 0, "frame", "none: no TCP connection of rank 0 leads to another host, so messages are not in frames");
    if (result->bin > 0)
        result_note(result, 0, NOTE_BIN, "%lld", (long long)result->bin);
    note_command(result, argc, argv);
}

void provenance_hosts(const struct job *job, const struct crew_member members[], struct result *result)
{
    result_heading(result, NOTE_HOSTS);
    for (int place = 0; place < job->nodes * job->ppn; place++) {
        const struct crew_member *member = &members[place];
        char key[32], socket[32] = "";
        snprintf(key, sizeof key, "rank %d", job->rank_of[place]);
        if (job->sockets > 0)
            snprintf(socket, sizeof socket, ", socket %d", job->socket_of[place]);
        result_note(result, 1, key, "%s, %s, clock within %.1f us, surely within %.1f us%s", member->host,
                    member->clocksource, (double)member->bound_ns * 1e-3, (double)member->limit_ns * 1e-3, socket);
    }
}

static bool is_counter(const char *source)
{
    static const char *const counters[] = {"(tsc)", "(kvm-clock)", "(arch_sys_counter)", "(xen)", "(timebase)",
                                           "(tod)", "(hyperv_clocksource_tsc_page)", "(?)"};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (strstr(source, counters[i]))
            return true;
    return false;
}

void provenance_check_clocks(const struct job *job, const struct crew_member members[], struct diags *diags)
{
    for (int place = 1; place < job->nodes * job->ppn; place++)
        if (strcmp(members[place].clocksource, members[0].clocksource) != 0) {
            diag_warning(diags, place_of_file(NULL), "%s reads %s, %s reads %s: clocks of different kinds drift apart "
                         "unevenly", members[0].host, members[0].clocksource, members[place].host,
                         members[place].clocksource);
            break;
        }
    for (int place = 0; place < job->nodes * job->ppn; place++)
        if (!is_counter(members[place].clocksource)) {
            diag_warning(diags, place_of_file(NULL), "%s reads its time from %s, not from a counter of its processor: "
                         "slow and coarse; short times are less sure", members[place].host, members[place].clocksource);
            break;
        }
}
