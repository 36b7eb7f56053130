#include "bench/topology.h"

#include "bench/switches.h"
#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

/* What was found before must be what the file says. */
static enum status groups_compare(const struct result *result, size_t n, const int group_of[],
                                  const struct bench_options *options, struct diags *diags)
{
    const size_t known = result->n_groups > 0 ? result->n_groups : 1;
    const bool same = known == n &&
                      (n == 1 || memcmp(group_of, result->group_of, (size_t)result->nodes * sizeof *group_of) == 0);
    if (same)
        return STATUS_OK;
    diag_error(diags, place_of_file(options->output),
               "--resume: this file has %s, %s others; measure into another file",
               known > 1 ? "groups of nodes" : "no groups of nodes", options->topology);
    return STATUS_SCHEMA;
}

static void groups_set(struct result *result, size_t n, const int group_of[], const char *path)
{
    if (n == 1) {
        result_note(result, 0, NOTE_GROUPS, "none (%s)", path);
        return;
    }
    result_groups(result, n, group_of);
    result_note_groups(result, path);
}

enum status topology_take(struct result *result, const struct job *job, const struct crew_member members[],
                          const struct bench_options *options, struct diags *diags)
{
    struct switches switches;
    if (!options->topology)
        return STATUS_OK;
    enum status status = switches_read(&switches, options->topology, diags);
    const char **hosts = alloc_array((size_t)job->nodes, sizeof *hosts);
    int *group_of = alloc_array((size_t)job->nodes, sizeof *group_of);
    for (int node = 0; node < job->nodes; node++)
        hosts[node] = members[node * job->ppn].host;
    size_t n = 0;
    if (status == STATUS_OK) {
        n = switches_groups(&switches, options->topology, job->nodes, hosts, group_of, diags);
        status = n > 0 ? STATUS_OK : STATUS_NAME;
    }
    if (status == STATUS_OK && switches_are_deep(&switches, job->nodes, hosts) && !options->quiet)
        diag_warning(diags, place_of_file(options->topology),
                     "the switches of this job are not all joined by one other: "
                     "trunks between those above are not told from the groups' own");
    n = n == (size_t)job->nodes ? 1 : n;
    if (status == STATUS_OK && result_note_find(result, NOTE_GROUPS, NULL))
        status = groups_compare(result, n, group_of, options, diags);
    else if (status == STATUS_OK)
        groups_set(result, n, group_of, options->topology);
    free(hosts);
    free(group_of);
    switches_free(&switches);
    return status;
}
