#include "bench/topology.h"

#include "bench/switches.h"
#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

/* What was found before must be what the file says. A file of before groups of groups has none, and what was measured of its trunks, and
 * kept of its transits, was so. */
static enum status groups_compare(const struct result *result, const struct switches_groups *groups,
                                  const struct bench_options *options, struct diags *diags)
{
    const bool none = groups->n == 1, none_known = result->n_groups < 2;
    const size_t nodes = (size_t)result->nodes, all = (size_t)(groups->n + groups->n_outer);
    const bool same = none == none_known && (none || ((int)result->n_groups == groups->n &&
                                                      memcmp(groups->group_of, result->group_of, nodes * sizeof *groups->group_of) == 0));
    if (same && (none || ((int)result->n_outer == groups->n_outer && memcmp(groups->above, result->above, all * sizeof *groups->above) == 0)))
        return STATUS_OK;
    if (same && !result_note_find(result, NOTE_OUTER_GROUPS, NULL))
        diag_error(diags, place_of_file(options->output),
                   "--resume: what this file has was measured when groups of groups of nodes were not known, and %s has some; go on without "
                   "--topology, or measure into another file", options->topology);
    else
        diag_error(diags, place_of_file(options->output), "--resume: this file has %s, %s others; measure into another file",
                   none_known ? "no groups of nodes" : !same ? "groups of nodes" : result->n_outer > 0 ? "groups of groups of nodes"
                                                                                                     : "no groups of groups of nodes",
                   options->topology);
    return STATUS_SCHEMA;
}

static void groups_set(struct result *result, const struct switches_groups *groups, const char *path)
{
    if (groups->n == 1) {
        result_note(result, 0, NOTE_GROUPS, "none (%s)", path);
        return;
    }
    result_groups(result, (size_t)groups->n, groups->group_of);
    result_note_groups(result, path);
    result_outer_groups(result, (size_t)groups->n_outer, groups->above);
    if (groups->n_outer > 0)
        result_note_outer_groups(result, path);
    else
        result_note(result, 0, NOTE_OUTER_GROUPS, "none (%s)", path);
}

enum status topology_take(struct result *result, const struct job *job, const struct crew_member members[],
                          const struct bench_options *options, struct diags *diags)
{
    struct switches switches;
    struct switches_groups groups = {0};
    if (!options->topology)
        return STATUS_OK;
    enum status status = switches_read(&switches, options->topology, diags);
    const char **hosts = alloc_array((size_t)job->nodes, sizeof *hosts);
    for (int node = 0; node < job->nodes; node++)
        hosts[node] = members[node * job->ppn].host;
    if (status == STATUS_OK)
        status = switches_groups(&switches, options->topology, job->nodes, hosts, &groups, diags);
    if (status == STATUS_OK && result_note_find(result, NOTE_GROUPS, NULL))
        status = groups_compare(result, &groups, options, diags);
    else if (status == STATUS_OK)
        groups_set(result, &groups, options->topology);
    free(hosts);
    switches_groups_free(&groups);
    switches_free(&switches);
    return status;
}
