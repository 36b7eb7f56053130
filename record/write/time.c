#include "record/write/writer_impl.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double writer_mean_time(const struct writer *writer, const struct shape *shape)
{
    const struct recorded_times *times = &shape->times;
    if (writer->processor && times->processor_n > 0)
        return times->processor / (double)times->processor_n;
    return times->wall / (double)times->n;
}

bool writer_computes(const struct writer *writer, const struct template_node *node, size_t k, int recording, int only)
{
    const struct template_instance *instance = &writer->template->instances[k];
    return node->of[k] && instance->recording == recording && (only < 0 || (instance->rank == 0) == only);
}

double writer_mean_of_recording(const struct writer *writer, const struct template_node *node, int recording, int only)
{
    double sum = 0;
    int n = 0;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (writer_computes(writer, node, k, recording, only)) {
            sum += writer_mean_time(writer, node->of[k]);
            n++;
        }
    return n > 0 ? sum / n : -1;
}

/* Means over the processes of each recording; those for which `first` is what rank == 0 is. */
static void sample_times(const struct writer *writer, const struct template_node *node, struct samples *samples,
                         int only)
{
    const struct template *template = writer->template;
    for (size_t r = 0; r < template->n_recordings; r++) {
        const double mean = writer_mean_of_recording(writer, node, (int)r, only);
        if (mean < 0)
            continue;
        struct fit_sample sample = fit_time_sample(template->recordings[r].ranks, (int)r, mean);
        samples_add(samples, &sample);
    }
}

static double longest(const struct samples *samples)
{
    double most = 0;
    for (size_t i = 0; i < samples->n; i++)
        most = (double)samples->list[i].value > most ? (double)samples->list[i].value : most;
    return most * 1e-12;
}

/* What all processes of all recordings computed before this call, s. */
double writer_work(const struct writer *writer, const struct template_node *node)
{
    double work = 0;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k] && node->site >= 0)
            work += writer_mean_time(writer, node->of[k]) * (double)node->of[k]->times.n;
    for (size_t i = 0; i < node->n; i++)
        work += writer_work(writer, &node->body[i]);
    return work;
}

/* Yours to free. */
static char *subject_of(const struct writer *writer, const struct template_node *node)
{
    const enum operation op = writer->template->sites.sites[node->site].op;
    return alloc_format("%s %s", operation_kind(op) == KIND_file ? "the time of" : "the computation before", operation_name(op));
}

/* Where it is more than a little of all. */
static void note_unconfirmed(struct writer *writer, const struct samples *samples, const struct fit_names *names,
                             const struct template_node *node, const char *text)
{
    if (writer->n_counts == 1 || fit_time_confirmed(samples->n, samples->list, names, text) ||
        writer_work(writer, node) <= FIT_REMARKABLE * writer->work)
        return;
    char *what = subject_of(writer, node);
    writer_say_of(writer, &writer->times, what, node->site);
    free(what);
}

static const char *file_time_text(struct writer *writer, const struct samples *samples, const struct template_node *node)
{
    const struct fit_names names = writer_names(writer, -1, MEANS_NUMBER);
    const char *formula;
    double factor;
    const char *text = fit_time_in_file(samples->n, samples->list, &formula, &factor, &writer->memory);
    note_unconfirmed(writer, samples, &names, node, formula);
    if (text == formula || writer_work(writer, node) <= FIT_REMARKABLE * writer->work)
        return text;
    char *what = subject_of(writer, node);
    writer_remark(writer, "%s at %s is what was recorded at these counts, and %s us at others, which is that within a factor of %.1f",
                  what, writer_place(writer, node->site), formula, factor);
    free(what);
    return text;
}

static const char *time_text(struct writer *writer, const struct samples *samples, const struct template_node *node)
{
    if (operation_kind(writer->template->sites.sites[node->site].op) == KIND_file && writer->n_params == 0)
        return file_time_text(writer, samples, node);
    struct fit_names names = writer_names(writer, -1, MEANS_NUMBER);
    double error;
    const char *text = fit_time(samples->n, samples->list, &names, &error, &writer->memory);
    if (error > FIT_ROUGH && writer_work(writer, node) > FIT_REMARKABLE * writer->work) {
        char *what = subject_of(writer, node);
        writer_remark(writer, "%s at %s follows its formula (%s us) within %.0f %% only", what, writer_place(writer, node->site), text,
                      100 * error);
        free(what);
    }
    note_unconfirmed(writer, samples, &names, node, text);
    return text;
}

static const char *time_by_rank(struct writer *writer, const struct samples *first, const struct samples *others,
                                const struct template_node *node)
{
    const char *of_first = time_text(writer, first, node), *of_others = time_text(writer, others, node);
    return writer_keep(writer, alloc_format("(procnum == 0 ? %s : %s)", of_first, of_others));
}

static void computation_write(struct writer *writer, const char *text, double spread)
{
    writer_indent(writer);
    if (spread > 0)
        fprintf(writer->out, "Serial time = lognormal(%s, %.2g*(%s)) us\n", text, spread, text);
    else
        fprintf(writer->out, "Serial time = %s us\n", text);
}

void writer_write_computation(struct writer *writer, const struct template_node *node)
{
    struct samples all = {0}, first = {0}, others = {0};
    if (writer->begins) {
        writer->begins = false;
        return;
    }
    sample_times(writer, node, &all, -1);
    sample_times(writer, node, &first, 1);
    sample_times(writer, node, &others, 0);
    const bool apart = fit_times_differ(first.n, first.list, others.n, others.list);
    const double most = apart ? fmax(longest(&first), longest(&others)) : longest(&all);
    if (most >= FIT_SHORTEST) {
        const char *text = apart ? time_by_rank(writer, &first, &others, node) : time_text(writer, &all, node);
        const double spread = writer_spread(writer, node, apart);
        computation_write(writer, text, spread * most < FIT_SHORTEST ? 0 : spread);
    }
    free(all.list);
    free(first.list);
    free(others.list);
}
