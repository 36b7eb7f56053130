#include "results/merge.h"

#include "common/alloc.h"
#include "estimate/machine/ports_fit.h"
#include "results/busy.h"
#include "results/headers.h"
#include "results/residual.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- spread ---- */

static double spread_of(size_t n, const double values[])
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

double merge_ci95(size_t n, const double values[])
{
    assert(n >= 2);
    return gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * spread_of(n, values) / sqrt((double)n);
}

/* The median of the values that are no NaN; NaN where there are none. *ci95: 0 with fewer than two. Sorts. */
static double median_of(size_t n, double values[], double *ci95)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            values[found++] = values[i];
    *ci95 = found > 1 ? merge_ci95(found, values) : 0;
    return found > 0 ? ports_median(found, values) : NAN;
}

/* ---- one thing of all results ---- */

static void point_merge(size_t n, const struct result results[], struct point *point)
{
    double *medians = alloc_array(n, sizeof *medians);
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const struct point *other = result_find(&results[i], &point->key);
        if (!other)
            continue;
        histogram_merge(&point->transit, &other->transit);
        histogram_merge(&point->send_overhead, &other->send_overhead);
        histogram_merge(&point->receive_overhead, &other->receive_overhead);
        if (other->transit.count > 0)
            medians[found++] = (double)histogram_quantile(&other->transit, 0.5);
    }
    if (found > 1 && point->transit.count > 0)
        point->launch_sd = spread_of(found, medians) / (double)histogram_quantile(&point->transit, 0.5);
    free(medians);
}

/* Points of the same kind in each result: of a class's ports, a group's trunk, the bus. */
struct points {
    size_t n;
    const struct port_point *list;
};
typedef struct points points_of(const struct result *result, size_t part);

static struct points ports_of(const struct result *result, size_t class)
{
    if (class == 0)
        return (struct points){result->n_ports, result->ports};
    return (struct points){result->classes[class].n, result->classes[class].points};
}

static struct points trunk_of(const struct result *result, size_t group)
{
    return group < result->n_groups + result->n_outer
               ? (struct points){result->trunks[group].n, result->trunks[group].points}
               : (struct points){0, NULL};
}

static struct points bus_of(const struct result *result, size_t part)
{
    (void)part;
    return (struct points){result->bus.n, result->bus.points};
}

/* The least of n values, NaN where they are. How far it may be off is not known. */
static double least_of(size_t n, const double values[], double *ci95)
{
    double least = NAN;
    for (size_t i = 0; i < n; i++)
        least = fmin(least, values[i]);
    *ci95 = NAN;
    return least;
}

/* Medians over the launches; of reverse gaps the least: what TCP repeats needlessly while a port is behind, in some
 * launches and not in others, only adds to acknowledgements. */
static void port_merge(size_t n, const struct result results[], points_of *of, size_t part, struct port_point *port)
{
    double *values = alloc_array(n, sizeof *values);
    for (int gap = 0; gap < N_PORT_GAPS; gap++) {
        for (size_t i = 0; i < n; i++) {
            const struct points points = of(&results[i], part);
            values[i] = NAN;
            for (size_t k = 0; k < points.n; k++)
                if (points.list[k].bytes == port->bytes)
                    values[i] = points.list[k].gap[gap];
        }
        port->gap[gap] = gap >= PORT_REVERSE ? least_of(n, values, &port->ci95[gap])
                                             : median_of(n, values, &port->ci95[gap]);
    }
    free(values);
}

/* Classes are those that all launches saw; match_check has refused others. */
static void classes_merge(size_t n, const struct result results[], struct result *merged)
{
    double *values = alloc_array(n, sizeof *values);
    if (results[0].n_classes > 1)
        result_classes(merged, results[0].n_classes, results[0].class_of);
    for (size_t class = 1; class < merged->n_classes; class++) {
        struct class_ports *own = &merged->classes[class];
        for (size_t i = 0; i < n; i++) {
            values[i] = results[i].classes[class].credit;
            for (size_t k = 0; k < results[i].classes[class].n; k++)
                result_class_port(merged, class, results[i].classes[class].points[k].bytes);
        }
        own->credit = median_of(n, values, &own->credit_ci95);
        for (size_t k = 0; k < own->n; k++)
            port_merge(n, results, ports_of, class, &own->points[k]);
    }
    free(values);
}

/* The same of groups; the trunks of those launches that measured them. */
static void trunks_merge(size_t n, const struct result results[], struct result *merged)
{
    if (results[0].n_groups > 1)
        result_groups(merged, results[0].n_groups, results[0].group_of);
    if (results[0].n_outer > 0)
        result_outer_groups(merged, results[0].n_outer, results[0].above);
    for (size_t group = 0; group < merged->n_groups + merged->n_outer; group++) {
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < results[i].trunks[group].n; k++)
                result_trunk(merged, group, results[i].trunks[group].points[k].bytes);
        for (size_t k = 0; k < merged->trunks[group].n; k++)
            port_merge(n, results, trunk_of, group, &merged->trunks[group].points[k]);
    }
}

/* A bus is one where most launches found it. */
static void bus_merge(size_t n, const struct result results[], struct result *merged)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += results[i].bus.n > 0;
    if (2 * found <= n)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < results[i].bus.n; k++)
            result_bus(merged, results[i].bus.points[k].bytes);
    for (size_t k = 0; k < merged->bus.n; k++)
        port_merge(n, results, bus_of, 0, &merged->bus.points[k]);
}

static void rest_merge(size_t n, const struct result results[], struct rest_point *rest)
{
    double *delays = alloc_array(n, sizeof *delays), *wakes = alloc_array(n, sizeof *wakes);
    for (size_t i = 0; i < n; i++) {
        delays[i] = wakes[i] = NAN;
        for (size_t k = 0; k < results[i].n_rests; k++)
            if (results[i].rests[k].rest == rest->rest) {
                delays[i] = results[i].rests[k].delay;
                wakes[i] = results[i].rests[k].wake;
            }
    }
    rest->delay = median_of(n, delays, &rest->ci95);
    rest->wake = median_of(n, wakes, &rest->wake_ci95);
    free(delays);
    free(wakes);
}

static void collective_merge(size_t n, const struct result results[], struct collective_point *point)
{
    for (size_t i = 0; i < n; i++) {
        const struct collective_point *other =
            result_collective_find(&results[i], point->operation, point->numprocs, point->bytes);
        if (!other)
            continue;
        histogram_merge(&point->time, &other->time);
        histogram_merge(&point->root_time, &other->root_time);
    }
}

/* Of the median: a launch that saw another buffer measured other losses. */
static const double BUFFER_DIFFER = 0.25;

/* Each launch's connections have their own ways, so all count. */
static double mean_known(size_t n, const double values[])
{
    double sum = 0;
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i])) {
            sum += values[i];
            found++;
        }
    return found > 0 ? sum / (double)found : NAN;
}

static void known_merge(size_t n, const struct result results[], struct result *merged)
{
    double *values = alloc_array(n, sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = results[i].known;
    merged->known = mean_known(n, values);
    for (size_t i = 0; i < n; i++)
        values[i] = results[i].known_after_rest;
    merged->known_after_rest = mean_known(n, values);
    for (int wait = 0; wait < EXCHANGE_WAITS; wait++) {
        for (size_t i = 0; i < n; i++)
            values[i] = results[i].waited[wait];
        merged->waited[wait] = mean_known(n, values);
        for (size_t i = 0; i < n; i++)
            values[i] = results[i].known_after_wait[wait];
        merged->known_after_wait[wait] = mean_known(n, values);
    }
    free(values);
}

/* Launches that differ were of different machines in this: it is not known of the one that they are taken for. */
static void congestion_merge(size_t n, const struct result results[], struct result *merged)
{
    merged->has_congestion = results[0].has_congestion;
    merged->congestion = results[0].congestion;
    for (size_t i = 1; i < n; i++)
        if (!results[i].has_congestion || results[i].congestion != merged->congestion)
            merged->has_congestion = false;
}

static void held_merge(size_t n, const struct result results[], struct result *merged)
{
    double *values = alloc_array(n, sizeof *values), unused;
    for (int point = 0; point < SOCKET_POINTS; point++) {
        for (size_t i = 0; i < n; i++)
            values[i] = results[i].held[point];
        merged->held[point] = median_of(n, values, &unused);
    }
    for (size_t i = 0; i < n; i++)
        values[i] = results[i].held_first;
    merged->held_first = median_of(n, values, &unused);
    socket_held_settle(merged->held_first, merged->held);
    free(values);
}

/* As most launches saw it: the median, or 0. values: [n] of the launches. */
static double buffer_median(size_t n, double values[])
{
    size_t found = 0;
    double unused;
    for (size_t i = 0; i < n; i++) {
        found += values[i] > 0;
        values[i] = values[i] > 0 ? values[i] : NAN;
    }
    return 2 * found > n ? median_of(n, values, &unused) : 0;
}

static bool is_of_median(double buffer, double median)
{
    return median > 0 && fabs(buffer - median) <= BUFFER_DIFFER * median;
}

static void buffers_merge(size_t n, const struct result results[], struct result *merged)
{
    double *values = alloc_array(n, sizeof *values);
    for (size_t i = 0; i < n; i++)
        values[i] = results[i].buffer;
    merged->buffer = buffer_median(n, values);
    for (size_t i = 0; i < n; i++)
        values[i] = results[i].trunk_buffer;
    merged->trunk_buffer = buffer_median(n, values);
    for (size_t i = 0; i < n; i++)
        if (is_of_median(results[i].buffer, merged->buffer) ||
            is_of_median(results[i].trunk_buffer, merged->trunk_buffer))
            histogram_merge(&merged->overflow, &results[i].overflow);
    result_port_losses_drop(merged);
    free(values);
}

/* Credit, the common gap, the rest before messages, whose a port is, and buffers: the latter two as most launches
 * saw them. */
static void port_numbers_merge(size_t n, const struct result results[], struct result *merged)
{
    double *values = alloc_array(n, sizeof *values), unused;
    size_t per_process = 0;
    for (size_t i = 0; i < n; i++)
        values[i] = results[i].n_ports > 0 ? results[i].credit : NAN;
    merged->credit = median_of(n, values, &merged->credit_ci95);
    merged->credit = isnan(merged->credit) ? 0 : merged->credit;
    for (size_t i = 0; i < n; i++)
        values[i] = results[i].n_ports > 0 ? results[i].common_gap : NAN;
    merged->common_gap = median_of(n, values, &merged->common_ci95);
    merged->common_gap = isnan(merged->common_gap) ? 0 : merged->common_gap;
    for (size_t i = 0; i < n; i++)
        values[i] = results[i].n_rests > 0 ? results[i].measured_after : NAN;
    merged->measured_after = median_of(n, values, &unused);
    merged->measured_after = isnan(merged->measured_after) ? 0 : merged->measured_after;
    merged->frame = results[0].frame;
    known_merge(n, results, merged);
    held_merge(n, results, merged);
    congestion_merge(n, results, merged);
    for (size_t i = 0; i < n; i++)
        per_process += results[i].ports_per_process;
    merged->ports_per_process = 2 * per_process > n;
    buffers_merge(n, results, merged);
    free(values);
}

static double message_of(const struct result *result) { return result->connect.message; }
static double call_of(const struct result *result) { return result->connect.call; }
static double late_of(const struct result *result) { return result->connect.late; }
static double shared_of(const struct result *result) { return result->connect.shared; }
static double listen_of(const struct result *result) { return result->connect.listen; }

/* Medians over the launches that have looked, and found something. */
static void connect_merge(size_t n, const struct result results[], struct result *merged)
{
    const struct {
        double *to;
        double (*of)(const struct result *result);
    } parts[] = {{&merged->connect.message, message_of}, {&merged->connect.call, call_of},
                 {&merged->connect.late, late_of}, {&merged->connect.shared, shared_of},
                 {&merged->connect.listen, listen_of}};
    double *values = alloc_array(n, sizeof *values), unused;
    for (size_t i = 0; i < n; i++)
        merged->has_connect |= results[i].has_connect;
    for (size_t part = 0; merged->has_connect && part < sizeof parts / sizeof *parts; part++) {
        for (size_t i = 0; i < n; i++)
            values[i] = results[i].has_connect ? parts[part].of(&results[i]) : NAN;
        *parts[part].to = median_of(n, values, &unused);
    }
    free(values);
}

/* ---- all ---- */

/* Those that several launches know must be the same. */
static enum status transports_merge(size_t n, const struct result results[], const char *const paths[],
                                    struct result *merged, struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < N_TRANSPORTS; k++) {
            const struct machine_transport *other = &results[i].transports[k];
            struct machine_transport *known = &merged->transports[k];
            const bool other_limit = other->has_eager_limit && known->has_eager_limit &&
                                     other->eager_limit != known->eager_limit,
                       other_way = other->has_rendezvous && known->has_rendezvous &&
                                   other->rendezvous != known->rendezvous,
                       other_unread = other->has_unread_limit && known->has_unread_limit &&
                                      other->unread_limit != known->unread_limit;
            if (other_limit || other_way || other_unread) {
                diag_error(diags, place_of_file(paths[i]),
                           "%s of `transports: %s` is not that of the files before: another MPI, or "
                           "otherwise set up", other_limit ? "the eager limit" : other_way ? "the rendezvous" : "the unread limit", transport_name((enum transport)k));
                status = STATUS_SCHEMA;
            }
            if (!known->has_eager_limit) {
                known->has_eager_limit = other->has_eager_limit;
                known->eager_limit = other->eager_limit;
            }
            if (!known->has_rendezvous) {
                known->has_rendezvous = other->has_rendezvous;
                known->rendezvous = other->rendezvous;
            }
            if (!known->has_unread_limit) {
                known->has_unread_limit = other->has_unread_limit;
                known->unread_limit = other->unread_limit;
            }
        }
    return status;
}

/* Those that have messages within a node have measured them in one way. */
static enum status within_node_merge(size_t n, const struct result results[], const char *const paths[],
                                     struct result *merged, struct diags *diags)
{
    const char *first = NULL, *first_path = NULL;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n; i++) {
        const char *own = result_within_node(&results[i]);
        if (!own)
            continue;
        if (!first) {
            first = own;
            first_path = paths[i];
            result_note(merged, 0, NOTE_WITHIN_NODE, "%s", own);
        } else if (strcmp(own, first) != 0) {
            diag_error(diags, place_of_file(paths[i]),
                       "messages within a node were measured %s, but %s in %s: leave out "
                       "one, or measure both again",
                       own, first, first_path);
            status = STATUS_SCHEMA;
        }
    }
    return status;
}

static bool same_classes(const struct result *a, const struct result *b)
{
    if (a->n_classes <= 1 || b->n_classes <= 1)
        return a->n_classes <= 1 && b->n_classes <= 1;
    return a->n_classes == b->n_classes &&
           memcmp(a->class_of, b->class_of, (size_t)a->nodes * sizeof *a->class_of) == 0;
}

static bool same_groups(const struct result *a, const struct result *b)
{
    const size_t all = a->n_groups + a->n_outer;
    return a->n_groups == b->n_groups && a->n_outer == b->n_outer &&
           (a->n_groups == 0 || (memcmp(a->group_of, b->group_of, (size_t)a->nodes * sizeof *a->group_of) == 0 &&
                                 memcmp(a->above, b->above, all * sizeof *a->above) == 0));
}

/* "0-3, 4-7", or that there are none, then groups of groups. The caller frees it. */
static char *groups_text(const struct result *result)
{
    char *text = alloc_string(result->n_groups > 1 ? "" : "none");
    for (size_t group = 0; group < result->n_groups + result->n_outer; group++) {
        const char *between = group == 0 ? "" : group == result->n_groups ? " and groups of these, " : ", ";
        char *own = result_group_text(result, (int)group), *longer = alloc_format("%s%s%s", text, between, own);
        free(own);
        free(text);
        text = longer;
    }
    return text;
}

static void groups_refuse(const struct result *first, const struct result *other, const char *first_path,
                          const char *path, struct diags *diags)
{
    char *found = groups_text(other), *expected = groups_text(first);
    diag_error(diags, place_of_file(path), "the groups of nodes that share a trunk are %s, but %s in %s: leave out the "
               "launch in which something disturbed them", found, expected, first_path);
    free(found);
    free(expected);
}

/* Fewer samples of one point may be alike by chance; pevpm-bench takes no fewer of a point that it has finished. */
static const int64_t SAMPLES_TELLING = 29;

/* Whether two files hold the samples of one launch: all of a point. */
static bool same_samples(const struct result *a, const struct result *b)
{
    for (size_t i = 0; i < a->n_points; i++) {
        const struct point *point = &a->points[i], *other = result_find(b, &point->key);
        if (other && point->transit.count >= SAMPLES_TELLING && histogram_same(&point->transit, &other->transit) &&
            histogram_same(&point->send_overhead, &other->send_overhead) &&
            histogram_same(&point->receive_overhead, &other->receive_overhead))
            return true;
    }
    for (size_t i = 0; i < a->n_collectives; i++) {
        const struct collective_point *point = &a->collectives[i];
        const struct collective_point *other =
            result_collective_find(b, point->operation, point->numprocs, point->bytes);
        if (other && point->time.count >= SAMPLES_TELLING && histogram_same(&point->time, &other->time))
            return true;
    }
    return false;
}

/* That the files are launches, each another one: how much launches differ is the spread of what files say. */
static enum status launches_check(size_t n, const struct result results[], const char *const paths[],
                                  struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n; i++) {
        if (results[i].launches > 1)
            diag_warning(diags, place_of_file(paths[i]), "holds %d launches, which count as one here, so launches seem to "
                         "differ less than they do: merge all launches at once", results[i].launches);
        for (size_t k = 0; k < i; k++) {
            if (!same_samples(&results[i], &results[k]))
                continue;
            diag_error(diags, place_of_file(paths[i]), "holds the same samples as %s: they are of one launch, so leave out "
                       "one of the two", paths[k]);
            status = STATUS_SCHEMA;
            break;
        }
    }
    return status;
}

static int sockets_of(const struct result *result)
{
    return result->sockets > 1 ? result->sockets : 1;
}

static enum status match_check(const struct result *first, const struct result *other, const char *first_path,
                               const char *path, struct diags *diags)
{
    if (strcmp(other->name, first->name) != 0)
        diag_warning(diags, place_of_file(path), "this machine is called %s, the one in %s %s", other->name, first_path,
                     first->name);
    if (other->nodes != first->nodes || other->ppn != first->ppn)
        diag_error(diags, place_of_file(path),
                   "%d x %d processes, but %d x %d in %s: launches of one job have the same", other->nodes, other->ppn,
                   first->nodes, first->ppn, first_path);
    else if (other->processors != first->processors && other->processors > 0 && first->processors > 0)
        diag_error(diags, place_of_file(path), "processes of a node do not share as many processors as in %s (processors_per_node): launches "
                   "of one job do", first_path);
    else if (sockets_of(other) != sockets_of(first))
        diag_error(diags, place_of_file(path), "%d sockets per node, but %d in %s: another node, or processes that are bound otherwise",
                   sockets_of(other), sockets_of(first), first_path);
    else if (other->has_socket_map != first->has_socket_map || other->socket_map != first->socket_map)
        diag_error(diags, place_of_file(path), "processes lie otherwise on the sockets of a node than in %s: launches of one job lie "
                   "alike", first_path);
    else if (other->eager_limit != first->eager_limit)
        diag_error(diags, place_of_file(path), "the eager limit is not that of %s: another MPI, or otherwise set up",
                   first_path);
    else if (!same_classes(first, other))
        diag_error(diags, place_of_file(path),
                   "other nodes differ from one another than in %s: leave out the launch in which something disturbed "
                   "them", first_path);
    else if (!same_groups(first, other))
        groups_refuse(first, other, first_path, path, diags);
    else if (other->bin != first->bin)
        diag_error(diags, place_of_file(path), "bins of another width than in %s", first_path);
    else
        return STATUS_OK;
    return STATUS_SCHEMA;
}

/* A note, or a heading with all under it. */
static void note_copy(const struct result *from, const char *key, struct result *to)
{
    size_t first, end;
    const char *value = result_note_find(from, key, NULL);
    if (value)
        result_note(to, 0, key, "%s", value);
    result_notes_under(from, key, &first, &end);
    if (first < end)
        result_heading(to, key);
    for (size_t i = first; i < end; i++)
        result_note(to, 1, from->notes[i].key, "%s", from->notes[i].value);
}

/* What stood apart in one launch only may be gone with the median; which launch it was stands before it. */
static void apart_merge(size_t n, const struct result results[], const char *const paths[], struct result *merged)
{
    for (size_t i = 0; i < n; i++) {
        size_t first, end;
        result_notes_under(&results[i], NOTE_APART, &first, &end);
        for (size_t k = first; k < end; k++) {
            char *key = alloc_format("%s, %s", paths[i], results[i].notes[k].key);
            result_heading(merged, NOTE_APART);
            result_note(merged, 1, key, "%s", results[i].notes[k].value);
            free(key);
        }
    }
}

/* What differs from launch to launch and is not averaged is that of the first. */
static void notes_merge(size_t n, const struct result results[], const char *const paths[], struct result *merged)
{
    static const char *const common[] = {"measured_by", "mpi", "kernel", "job", NOTE_BIN};
    for (size_t k = 0; k < sizeof common / sizeof *common; k++) {
        const char *value = result_note_find(&results[0], common[k], NULL);
        if (value)
            result_note(merged, 0, common[k], "%s", value);
    }
    note_copy(&results[0], NOTE_NODES, merged);
    note_copy(&results[0], NOTE_GROUPS, merged);
    note_copy(&results[0], NOTE_OUTER_GROUPS, merged);
    note_copy(&results[0], NOTE_GROUPS_UNTOLD, merged);
    note_copy(&results[0], NOTE_RATES, merged);
    apart_merge(n, results, paths, merged);
    busy_merge(merged, n, results);
    result_heading(merged, "merged");
    for (size_t i = 0; i < n; i++) {
        const char *date = result_note_find(&results[i], "date", NULL);
        result_note(merged, 1, paths[i], "%s", date ? date : "undated");
    }
    for (size_t i = 0; i < n; i++)
        residuals_merge(merged, &results[i]);
}

enum status merge_results(size_t n, const struct result results[], const char *const paths[], struct result *merged,
                          struct diags *diags)
{
    const struct result *first = &results[0];
    enum status status = STATUS_OK;
    result_init(merged);
    merged->name = alloc_string(first->name);
    merged->nodes = first->nodes;
    merged->ppn = first->ppn;
    merged->processors = first->processors;
    merged->sockets = first->sockets;
    merged->has_socket_map = first->has_socket_map;
    merged->socket_map = first->socket_map;
    merged->bin = first->bin;
    merged->eager_limit = first->eager_limit;
    result_histogram_init(merged, &merged->overflow);
    merged->launches = 0;
    status = launches_check(n, results, paths, diags);
    for (size_t i = 0; i < n; i++) {
        enum status next = match_check(first, &results[i], paths[0], paths[i], diags);
        status = status != STATUS_OK ? status : next;
        merged->launches += results[i].launches;
        if (merged->processors == 0) /* older versions did not say */
            merged->processors = results[i].processors;
    }
    const enum status transports = transports_merge(n, results, paths, merged, diags);
    status = status != STATUS_OK ? status : transports;
    connect_merge(n, results, merged);
    const enum status within = within_node_merge(n, results, paths, merged, diags);
    status = status != STATUS_OK ? status : within;
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < results[i].n_points; k++)
            result_point(merged, &results[i].points[k].key);
        for (size_t k = 0; k < results[i].n_ports; k++)
            result_port(merged, results[i].ports[k].bytes);
        for (size_t k = 0; k < results[i].n_rests; k++)
            result_rest(merged, results[i].rests[k].rest);
        for (size_t k = 0; k < results[i].n_collectives; k++)
            result_collective(merged, results[i].collectives[k].operation, results[i].collectives[k].numprocs,
                              results[i].collectives[k].bytes);
    }
    for (size_t k = 0; k < merged->n_points; k++)
        point_merge(n, results, &merged->points[k]);
    for (size_t k = 0; k < merged->n_ports; k++)
        port_merge(n, results, ports_of, 0, &merged->ports[k]);
    for (size_t k = 0; k < merged->n_rests; k++)
        rest_merge(n, results, &merged->rests[k]);
    for (size_t k = 0; k < merged->n_collectives; k++)
        collective_merge(n, results, &merged->collectives[k]);
    classes_merge(n, results, merged);
    trunks_merge(n, results, merged);
    bus_merge(n, results, merged);
    port_numbers_merge(n, results, merged);
    headers_count(merged);
    notes_merge(n, results, paths, merged);
    return STATUS_OK;
}

enum status merge_files(size_t n, const char *const paths[], const char *output, struct diags *diags)
{
    struct result *results = alloc_zeroed(n, sizeof *results), merged = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n; i++) {
        enum status next = result_read(&results[i], paths[i], diags);
        status = status != STATUS_OK ? status : next;
        if (next == STATUS_OK)
            busy_warn(&results[i], place_of_file(paths[i]), diags);
    }
    if (status == STATUS_OK)
        status = merge_results(n, results, paths, &merged, diags);
    if (status == STATUS_OK)
        status = result_write(&merged, output, diags);
    result_free(&merged);
    for (size_t i = 0; i < n; i++)
        result_free(&results[i]);
    free(results);
    return status;
}
