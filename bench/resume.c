#include "bench/resume.h"

#include "bench/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Where in the file, and who is told. */
struct comparing {
    const char *path;
    struct diags *diags;
};

static enum status differ(const struct comparing *c, const char *what, const char *in_file, const char *here)
{
    diag_error(c->diags, place_of_file(c->path), "--resume: %s is %s in this file, %s in this job", what, in_file,
               here);
    return STATUS_SCHEMA;
}

static enum status hosts_check(const struct result *result, const struct job *job, const struct crew_member members[],
                               const struct comparing *c)
{
    for (int place = 0; place < job->nodes * job->ppn; place++) {
        char key[32], host[sizeof members->host];
        snprintf(key, sizeof key, "rank %d", job->rank_of[place]);
        const char *value = result_note_find(result, NOTE_HOSTS, key);
        if (!value)
            return differ(c, key, "not mentioned", members[place].host);
        snprintf(host, sizeof host, "%.*s", (int)strcspn(value, ","), value);
        if (strcmp(host, members[place].host) != 0) {
            char what[64];
            snprintf(what, sizeof what, "the host of %s", key);
            return differ(c, what, host, members[place].host);
        }
    }
    return STATUS_OK;
}

enum status resume_check(const struct result *result, const struct job *job, const struct crew_member members[],
                         const struct bench_options *options, struct diags *diags)
{
    const struct comparing c = {options->output, diags};
    char in_file[64], here[64];
    if (options->name && strcmp(options->name, result->name) != 0)
        return differ(&c, "the name", result->name, options->name);
    if (result->nodes != job->nodes || result->ppn != job->ppn) {
        snprintf(in_file, sizeof in_file, "%d x %d", result->nodes, result->ppn);
        snprintf(here, sizeof here, "%d x %d", job->nodes, job->ppn);
        return differ(&c, "the number of nodes x processes", in_file, here);
    }
    if (result->processors > 0 && result->processors < result->ppn && result->processors != job->processors) {
        snprintf(in_file, sizeof in_file, "%d", result->processors);
        snprintf(here, sizeof here, "%d", job->processors);
        return differ(&c, "processors_per_node", in_file, here);
    }
    if ((result->sockets > 1 || job->sockets > 1) && result->sockets != job->sockets) {
        snprintf(in_file, sizeof in_file, "%d", result->sockets);
        return differ(&c, "sockets_per_node", in_file, job->sockets_told);
    }
    if (options->bin > 0 && options->bin != result->bin) {
        snprintf(in_file, sizeof in_file, "%" PRId64 " ns", result->bin);
        snprintf(here, sizeof here, "%" PRId64 " ns", options->bin);
        return differ(&c, "the bins' width", result->bin > 0 ? in_file : "a part of the time", here);
    }
    if (result->launches > 1) {
        snprintf(in_file, sizeof in_file, "%d", result->launches);
        return differ(&c, "the number of launches", in_file, "1");
    }
    const char *within = result_within_node(result);
    if (within && strcmp(within, provenance_within_node(job)) != 0)
        return differ(&c, "how messages within a node are measured", within, provenance_within_node(job));
    return hosts_check(result, job, members, &c);
}
