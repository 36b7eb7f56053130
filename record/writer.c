#include "record/writer.h"

#include "record/fit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MOST = 4000 };   /* of one value: beyond these the first ones count */
enum { TABLE_MOST = 400 };      /* entries of a table */
static const double SHORTEST = 1e-7; /* s: computations below are left out, a call of MPI takes more */
/* A formula for times that is further off than ROUGH is remarked on, where the computation is so much of all. */
static const double ROUGH = 0.05, REMARKABLE = 0.01;

static const struct {
    const char *name;
    enum operation_kind kind;
    const char *written;        /* in directives; NULL: not there */
} operations[] = {
#define X(name, kind) {#name, KIND_##kind, #name},
    OPERATION_LIST(X)
#undef X
};

/* Operations that directives do not have, with those that stand for them. X(name, stands in) */
#define STAND_IN_LIST(X)                       \
    X(MPI_Ibsend, MPI_Isend)                   \
    X(MPI_Irsend, MPI_Isend)                   \
    X(MPI_Sendrecv_replace, MPI_Sendrecv)      \
    X(MPI_Test, MPI_Wait)                      \
    X(MPI_Testall, MPI_Waitall)                \
    X(MPI_Testany, MPI_Waitany)                \
    X(MPI_Testsome, MPI_Waitsome)              \
    X(MPI_Iprobe, MPI_Probe)                   \
    X(MPI_Reduce_scatter_block, MPI_Reduce_scatter)

static const char *written_name(enum operation op)
{
#define X(name, stands) if (op == OPERATION_##name) return #stands;
    STAND_IN_LIST(X)
#undef X
    return operations[op].written;
}

/* A communicator of the program: what one call made, in each instance. */
struct made_comm {
    const struct template_node *node;
    int *number;                /* [n_instances] -1: not made there */
    bool world;                 /* has all processes in their order everywhere */
    char name[24];
};

struct writer {
    const struct template *template;
    struct writer_result *result;
    struct diags *diags;
    const char *const *where;
    FILE *out;
    bool processor;
    int depth, levels;          /* loops around; blocks around */
    bool begins;                /* the next call is the first one: what was computed before is none of the program */
    double work;                /* s, all computations of all processes */
    int n_comms;
    struct made_comm *comms;
    bool *indexed;              /* [sites] requests of this path have an index */
    struct arena memory;
    char table_name[96];        /* the name that a table's error shows */
    int n_params;
    const char **params;
    int64_t **param_values;
    enum status status;
};

static const char *const loop_names[FIT_LOOPS] = {"i", "j", "k", "l"};

static void remark(struct writer *writer, const char *form, ...) __attribute__((format(printf, 2, 3)));
static void remark(struct writer *writer, const char *form, ...)
{
    struct writer_result *result = writer->result;
    va_list arguments;
    va_start(arguments, form);
    result->remarks = alloc_grow(result->remarks, result->n, &result->capacity, sizeof *result->remarks);
    result->remarks[result->n++] = alloc_format_list(form, arguments);
    va_end(arguments);
}

void writer_result_free(struct writer_result *result)
{
    for (size_t i = 0; i < result->n; i++)
        free(result->remarks[i]);
    free(result->remarks);
    *result = (struct writer_result){0};
}

static void indent(const struct writer *writer)
{
    fprintf(writer->out, "%*s", 4 * writer->levels, "");
}

static const char *place_of(const struct writer *writer, int site)
{
    return writer->where && writer->where[site] ? writer->where[site] : "?";
}

static const struct recorded_process *process_of(const struct template *template, size_t instance)
{
    const struct template_instance *of = &template->instances[instance];
    return &template->recordings[of->recording].processes[of->rank];
}

static int ranks_of(const struct template *template, size_t instance)
{
    return template->recordings[template->instances[instance].recording].ranks;
}

/* ---- samples ---- */

struct samples {
    size_t n, capacity;
    struct fit_sample *list;
};

/* One value of each run of equal ones at either end. */
static void sample_series(struct samples *samples, const struct series *series, int level, int depth,
                          struct fit_sample *sample)
{
    if (level == depth) {
        sample->value = series->value;
        if (samples->n >= SAMPLES_MOST)
            return;
        samples->list = alloc_grow(samples->list, samples->n, &samples->capacity, sizeof *sample);
        samples->list[samples->n++] = *sample;
        return;
    }
    int64_t at = 0;
    for (size_t i = 0; i < series->n; at += series->runs[i++].count)
        for (int end = 0; end < 2 && (end == 0 || series->runs[i].count > 1); end++) {
            if (level < FIT_LOOPS)
                sample->index[level] = end == 0 ? at : at + series->runs[i].count - 1;
            sample_series(samples, series->runs[i].of, level + 1, depth, sample);
        }
}

/* Where the value of a field stands, and what it means. */
enum meaning { MEANS_NUMBER, MEANS_PEER, MEANS_TAG, MEANS_COMM };

/* comm: whose ranks the values are of; -1 MPI_COMM_WORLD. */
static void sample_instance(const struct writer *writer, struct samples *samples, size_t instance,
                            const struct series *series, enum meaning meaning, int comm)
{
    const struct template *template = writer->template;
    struct fit_sample sample = {.procnum = template->instances[instance].rank, .numprocs = ranks_of(template, instance),
                                .recording = template->instances[instance].recording};
    if (comm >= 0) {
        const struct recorded_comm *of = &process_of(template, instance)->comms[writer->comms[comm].number[instance]];
        sample.procnum = of->rank;
        sample.numprocs = of->size;
    }
    size_t first = samples->n;
    sample_series(samples, series, 0, writer->depth, &sample);
    for (size_t i = first; i < samples->n && meaning != MEANS_NUMBER; i++) {
        int64_t value = samples->list[i].value;
        if (meaning == MEANS_PEER && value < 0)
            samples->list[i].value = value == PEER_NULL ? FIT_NULL : value == PEER_ANY ? FIT_ANY : FIT_SOURCE;
        if (meaning == MEANS_TAG && value == TAG_ANY)
            samples->list[i].value = FIT_ANY;
    }
}

static int compare_samples(const void *a, const void *b)
{
    const struct fit_sample *x = a, *y = b;
    if (x->recording != y->recording)
        return x->recording < y->recording ? -1 : 1;
    if (x->procnum != y->procnum)
        return x->procnum < y->procnum ? -1 : 1;
    for (int i = 0; i < FIT_LOOPS; i++)
        if (x->index[i] != y->index[i])
            return x->index[i] < y->index[i] ? -1 : 1;
    return 0;
}

/* ---- tables, where there is no formula ---- */

static char *value_text(int64_t value, bool tag)
{
    return value == FIT_NULL ? alloc_string("MPI_PROC_NULL")
         : value == FIT_ANY ? alloc_string(tag ? "MPI_ANY_TAG" : "MPI_ANY_SOURCE")
         : value == FIT_SOURCE ? alloc_string("sender") : alloc_format("%" PRId64, value);
}

/* Of samples of one recording: what is asked first is the process, then the loops. `key` -1: the process. */
static char *table_part(const struct fit_names *names, size_t n, const struct fit_sample *samples, int key, bool tag)
{
    size_t same = 1;
    while (same < n && samples[same].value == samples[0].value)
        same++;
    if (same == n || key == names->n_loops)
        return value_text(samples[0].value, tag);
#define KEY(s) (key < 0 ? (s).procnum : (s).index[key])
    if (KEY(samples[0]) == KEY(samples[n - 1]))
        return table_part(names, n, samples, key + 1, tag);
    size_t middle = n / 2;
    while (middle > 0 && KEY(samples[middle - 1]) == KEY(samples[middle]))
        middle--;
    if (middle == 0)
        for (middle = n / 2; KEY(samples[middle - 1]) == KEY(samples[middle]); middle++)
            ;
    char *low = table_part(names, middle, samples, key, tag);
    char *high = table_part(names, n - middle, samples + middle, key, tag);
    char *text = alloc_format("(%s < %" PRId64 " ? %s : %s)", key < 0 ? names->procnum : names->loop[key],
                              (int64_t)KEY(samples[middle]), low, high);
#undef KEY
    free(low);
    free(high);
    return text;
}

/* All recordings; at another count, an error that shows table_name. NULL: too many entries. */
static const char *table(struct writer *writer, const struct fit_names *names, struct samples *samples, bool tag)
{
    size_t changes = 0;
    qsort(samples->list, samples->n, sizeof *samples->list, compare_samples);
    for (size_t i = 1; i < samples->n; i++)
        changes += samples->list[i].value != samples->list[i - 1].value;
    if (changes > TABLE_MOST)
        return NULL;
    char *text = alloc_format("1/%s", writer->table_name);
    for (size_t end = samples->n, first; end > 0; end = first) {
        for (first = end - 1; first > 0 && samples->list[first - 1].recording == samples->list[end - 1].recording;)
            first--;
        char *part = table_part(names, end - first, &samples->list[first], -1, tag), *longer = text;
        text = alloc_format("(numprocs == %d ? %s : %s)",
                            writer->template->recordings[samples->list[first].recording].ranks, part, longer);
        free(part);
        free(longer);
    }
    const char *kept = arena_string_n(&writer->memory, text, strlen(text));
    free(text);
    return kept;
}

static struct fit_names names_of(struct writer *writer, int comm, bool tag)
{
    struct fit_names names = {.procnum = "procnum", .numprocs = "numprocs", .source = "sender", .loop = loop_names,
                              .any = tag ? "MPI_ANY_TAG" : "MPI_ANY_SOURCE", .n_params = writer->n_params,
                              .param = writer->params, .values = (const int64_t *const *)writer->param_values,
                              .n_loops = writer->depth < FIT_LOOPS ? writer->depth : FIT_LOOPS};
    if (comm >= 0) {
        char *text = alloc_format("procnum_in(%s)", writer->comms[comm].name);
        names.procnum = arena_string_n(&writer->memory, text, strlen(text));
        free(text);
        text = alloc_format("numprocs_in(%s)", writer->comms[comm].name);
        names.numprocs = arena_string_n(&writer->memory, text, strlen(text));
        free(text);
    }
    return names;
}

/* A value of a call as text: a formula, or a table with a remark. what: "the size of MPI_Send". */
static const char *expression(struct writer *writer, struct samples *samples, int comm, bool tag, const char *what,
                              int site)
{
    struct fit_names names = names_of(writer, comm, tag);
    const char *text = fit_value(samples->n, samples->list, &names, &writer->memory);
    if (text)
        return text;
    writer->result->n_tables++;
    text = table(writer, &names, samples, tag);
    if (text) {
        remark(writer, "%s at %s follows no formula that was tried: it stays a table, valid at the recorded counts",
               what,
               place_of(writer, site));
        return text;
    }
    remark(writer, "%s at %s differs from call to call in a way that is neither a formula nor a short table", what,
           place_of(writer, site));
    diag_error(writer->diags, place_of_file(NULL),
               "%s at %s differs from call to call in a way that cannot be written: "
               "record fewer steps", what, place_of(writer, site));
    writer->status = STATUS_NOT_YET;
    return "0";
}

/* ---- communicators ---- */

static int comm_index(const struct writer *writer, size_t instance, int64_t number)
{
    for (int i = 0; i < writer->n_comms; i++)
        if (writer->comms[i].number[instance] == number)
            return i;
    return -1;
}

static bool is_world(const struct recorded_comm *comm, int ranks)
{
    bool world = comm->size == ranks;
    for (int i = 0; i < comm->size && world; i++)
        world = comm->members[i] == i;
    return world;
}

/* One for each call that makes a communicator, found in the order of the program. */
static void find_comms(struct writer *writer, size_t n, const struct template_node *nodes, int depth)
{
    const struct template *template = writer->template;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i].site < 0) {
            find_comms(writer, nodes[i].n, nodes[i].body, depth + 1);
            continue;
        }
        enum operation op = template->sites.sites[nodes[i].site].op;
        if (operations[op].kind != KIND_comm)
            continue;
        writer->comms = alloc_resize(writer->comms, (size_t)writer->n_comms + 1, sizeof *writer->comms);
        struct made_comm *made = &writer->comms[writer->n_comms];
        *made = (struct made_comm){.node = &nodes[i], .world = true};
        snprintf(made->name, sizeof made->name, "comm%d", ++writer->n_comms);
        made->number = alloc_array(template->n_instances, sizeof *made->number);
        for (size_t k = 0; k < template->n_instances; k++) {
            const struct series *peer = nodes[i].of[k] ? nodes[i].of[k]->field[FIELD_peer] : NULL;
            while (peer && peer->n > 0)
                peer = peer->runs[0].of;
            made->number[k] = peer ? (int)peer->value : -1;
            if (peer && !is_world(&process_of(template, k)->comms[peer->value], ranks_of(template, k)))
                made->world = false;
        }
    }
}

/* The one communicator of a call: index into comms, or -1 for MPI_COMM_WORLD. -2: it is not one. */
static int comm_of(const struct writer *writer, const struct template_node *node)
{
    int comm = -3;
    for (size_t k = 0; k < writer->template->n_instances; k++) {
        int64_t number;
        if (!node->of[k])
            continue;
        if (!series_is_constant(node->of[k]->field[FIELD_comm], &number))
            return -2;
        int here = number == 0 ? -1 : comm_index(writer, k, number);
        if (number != 0 && here < 0)
            return -2;
        here = here >= 0 && writer->comms[here].world ? -1 : here;
        if (comm != -3 && comm != here)
            return -2;
        comm = here;
    }
    return comm;
}

static void write_comm(struct writer *writer, const struct template_node *node)
{
    const struct template *template = writer->template;
    struct samples colors = {0}, keys = {0};
    int index = 0;
    while (writer->comms[index].node != node)
        index++;
    const struct made_comm *made = &writer->comms[index];
    if (made->world)
        return;
    for (size_t k = 0; k < template->n_instances; k++) {
        struct fit_sample sample = {.procnum = template->instances[k].rank, .numprocs = ranks_of(template, k),
                                    .recording = template->instances[k].recording};
        if (!node->of[k])
            continue;
        const struct recorded_comm *comm = &process_of(template, k)->comms[made->number[k]];
        sample.value = comm->rank < 0 ? -1 : comm->members[0]; /* the first member names the group */
        colors.list = alloc_grow(colors.list, colors.n, &colors.capacity, sizeof sample);
        colors.list[colors.n++] = sample;
        sample.value = comm->rank < 0 ? 0 : comm->rank;
        keys.list = alloc_grow(keys.list, keys.n, &keys.capacity, sizeof sample);
        keys.list[keys.n++] = sample;
    }
    int depth = writer->depth;
    writer->depth = 0; /* communicators do not depend on loops */
    const char *color = expression(writer, &colors, -1, false, "who is in a communicator", node->site);
    const char *key = expression(writer, &keys, -1, false, "the order of a communicator's ranks", node->site);
    writer->depth = depth;
    indent(writer);
    fprintf(writer->out, "Set %s = comm_split(%s, %s)\n", made->name, color, key);
    free(colors.list);
    free(keys.list);
}

/* ---- calls ---- */

static void sample_node(const struct writer *writer, struct samples *samples, const struct template_node *node,
                        enum field field, enum meaning meaning, int comm)
{
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k])
            sample_instance(writer, samples, k, node->of[k]->field[field], meaning, comm);
}

static const char *field_text(struct writer *writer, const struct template_node *node, enum field field,
                              enum meaning meaning, int comm, const char *what)
{
    struct samples samples = {0};
    enum operation op = writer->template->sites.sites[node->site].op;
    char *subject = alloc_format("the %s of %s", what, operations[op].name);
    sample_node(writer, &samples, node, field, meaning, meaning == MEANS_PEER ? comm : -1);
    const char *text = expression(writer, &samples, meaning == MEANS_PEER ? comm : -1, meaning == MEANS_TAG, subject,
                                  node->site);
    free(subject);
    free(samples.list);
    return text;
}

/* " & key = text", but not what is the default. */
static void write_key(const struct writer *writer, const char *key, const char *text, const char *usual)
{
    if (!usual || strcmp(text, usual) != 0)
        fprintf(writer->out, " & %s = %s", key, text);
}

static void write_request(struct writer *writer, const struct template_node *node)
{
    int path = writer->template->sites.sites[node->site].path;
    fprintf(writer->out, " & request = r%d", path);
    if (writer->indexed[path])
        fprintf(writer->out, "[%s]", field_text(writer, node, FIELD_list, MEANS_NUMBER, -1, "number of a request"));
}

static void write_side(struct writer *writer, const struct template_node *node, int comm, bool first, bool sends)
{
    const char *peer = field_text(writer, node, first ? FIELD_peer : FIELD_peer2, MEANS_PEER, comm, "partner");
    if (sends)
        write_key(writer, "size", field_text(writer, node, FIELD_bytes, MEANS_NUMBER, -1, "size"), NULL);
    write_key(writer, sends ? "to" : "from", peer, NULL);
}

static void write_message(struct writer *writer, const struct template_node *node, enum operation op, int comm)
{
    enum operation_kind kind = operations[op].kind;
    bool sends = kind == KIND_send || kind == KIND_start || kind == KIND_both;
    fprintf(writer->out, "Message type = %s", written_name(op));
    write_side(writer, node, comm, true, sends);
    if (kind == KIND_both)
        write_side(writer, node, comm, false, false);
    const char *tag = field_text(writer, node, FIELD_tag, MEANS_TAG, -1, "tag");
    write_key(writer, "tag", tag, "0");
    if (kind == KIND_both)
        write_key(writer, "recv_tag", field_text(writer, node, FIELD_tag2, MEANS_TAG, -1, "tag"), tag);
    if (comm >= 0)
        fprintf(writer->out, " & comm = %s", writer->comms[comm].name);
    if (kind == KIND_start || kind == KIND_post)
        write_request(writer, node);
    if (kind == KIND_recv || kind == KIND_probe)
        for (size_t k = 0; k < writer->template->n_instances; k++) {
            const struct series *peer = node->of[k] ? node->of[k]->field[FIELD_peer] : NULL;
            while (peer && peer->n > 0)
                peer = peer->runs[0].of;
            if (peer && peer->value == PEER_ANY) {
                fputs(" & source = sender", writer->out);
                break;
            }
        }
}

static void write_collective(struct writer *writer, const struct template_node *node, enum operation op, int comm)
{
    fprintf(writer->out, "Collective type = %s", written_name(op));
    if (op != OPERATION_MPI_Barrier)
        write_key(writer, "size", field_text(writer, node, FIELD_bytes, MEANS_NUMBER, -1, "size"), NULL);
    if (operations[op].kind == KIND_rooted)
        write_key(writer, "root", field_text(writer, node, FIELD_peer, MEANS_PEER, comm, "root"), NULL);
    if (comm >= 0)
        fprintf(writer->out, " & comm = %s", writer->comms[comm].name);
    if (op == OPERATION_MPI_Iallreduce || op == OPERATION_MPI_Ibcast)
        write_request(writer, node);
}

/* ---- waits ---- */

/* The requests that a wait completes, over all instances: paths and, where it is one request, its ordinals. */
struct waited {
    bool all, lists;            /* some took all that were open; some named them */
    bool several;               /* a call that completes more than one, or none */
    int n;
    int *paths;                 /* [n] sites' path numbers */
};

static void wait_add(struct waited *waited, int path)
{
    for (int i = 0; i < waited->n; i++)
        if (waited->paths[i] == path)
            return;
    waited->paths = alloc_resize(waited->paths, (size_t)waited->n + 1, sizeof *waited->paths);
    waited->paths[waited->n++] = path;
}

static void wait_series(struct writer *writer, struct waited *waited, size_t instance, const struct series *series)
{
    const struct recorded_process *process = process_of(writer->template, instance);
    for (size_t i = 0; i < series->n; i++)
        wait_series(writer, waited, instance, series->runs[i].of);
    if (series->n > 0)
        return;
    if (series->value < 0 || series->value >= process->n_lists) {
        waited->all = true;
        return;
    }
    const struct recorded_list *list = &process->lists[series->value];
    waited->all |= list->all;
    waited->lists |= !list->all;
    waited->several |= list->all || list->n != 1 || list->pairs[0].ordinal < 0;
    for (int i = 0; i < list->n; i++)
        wait_add(waited, site_path(&writer->template->sites, process, list->pairs[i].path));
}

/* The series of list numbers as one of ordinals. */
static const struct series *ordinals(struct writer *writer, const struct recorded_process *process,
                                     const struct series *series)
{
    struct series *copy = arena_alloc(&writer->memory, 1, sizeof *copy);
    copy->n = series->n;
    if (series->n == 0) {
        copy->value = process->lists[series->value].pairs[0].ordinal;
        return copy;
    }
    copy->runs = arena_alloc(&writer->memory, series->n, sizeof *copy->runs);
    for (size_t i = 0; i < series->n; i++)
        copy->runs[i] = (struct series_run){series->runs[i].count, ordinals(writer, process, series->runs[i].of)};
    return copy;
}

static void write_one_request(struct writer *writer, const struct template_node *node, int path)
{
    struct samples samples = {0};
    fprintf(writer->out, " & request = r%d", path);
    if (!writer->indexed[path])
        return;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k])
            sample_instance(writer, &samples, k,
                            ordinals(writer, process_of(writer->template, k), node->of[k]->field[FIELD_list]),
                            MEANS_NUMBER, -1);
    fprintf(writer->out, "[%s]", expression(writer, &samples, -1, false, "the request of a wait", node->site));
    free(samples.list);
}

static void write_wait(struct writer *writer, const struct template_node *node, enum operation op)
{
    struct waited waited = {0};
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k])
            wait_series(writer, &waited, k, node->of[k]->field[FIELD_list]);
    const char *name = written_name(op);
    if (strcmp(name, "MPI_Wait") == 0 && (waited.several || waited.n != 1))
        name = "MPI_Waitall";
    if (waited.lists && waited.n == 0) { /* nothing but null requests */
        fputs("# waits for nothing\n", writer->out);
        free(waited.paths);
        return;
    }
    fprintf(writer->out, "Message type = %s", name);
    if (!waited.several && waited.n == 1 && !waited.all) {
        write_one_request(writer, node, waited.paths[0]);
    } else if (!waited.all || strcmp(name, "MPI_Waitall") != 0) {
        for (int i = 0; i < waited.n; i++)
            fprintf(writer->out, "%sr%d", i == 0 ? " & request = (" : ", ", waited.paths[i]);
        fputs(waited.n > 0 ? ")" : "", writer->out);
    }
    putc('\n', writer->out);
    free(waited.paths);
}

/* Which paths have more than one request open at a time. */
static void find_indexed(struct writer *writer, size_t n, const struct template_node *nodes)
{
    for (size_t i = 0; i < n; i++) {
        const struct template_node *node = &nodes[i];
        find_indexed(writer, node->n, node->body);
        if (node->site < 0)
            continue;
        enum operation_kind kind = operations[writer->template->sites.sites[node->site].op].kind;
        if (kind != KIND_start && kind != KIND_post)
            continue;
        struct samples samples = {0};
        struct fit_sample sample = {0};
        for (size_t k = 0; k < writer->template->n_instances; k++) {
            if (!node->of[k])
                continue;
            int depth = 0;
            for (const struct series *at = node->of[k]->field[FIELD_list]; at->n > 0; at = at->runs[0].of)
                depth++;
            sample_series(&samples, node->of[k]->field[FIELD_list], 0, depth, &sample);
        }
        for (size_t k = 0; k < samples.n; k++)
            if (samples.list[k].value > 0)
                writer->indexed[writer->template->sites.sites[node->site].path] = true;
        free(samples.list);
    }
}

/* ---- computations ---- */

static double mean_time(const struct writer *writer, const struct shape *shape)
{
    const struct recorded_times *times = &shape->times;
    if (writer->processor && times->processor_n > 0)
        return times->processor / (double)times->processor_n;
    return times->wall / (double)times->n;
}

/* Means over the processes of each recording; those for which `first` is what rank == 0 is. */
static void sample_times(const struct writer *writer, const struct template_node *node, struct samples *samples,
                         int only)
{
    const struct template *template = writer->template;
    for (size_t r = 0; r < template->n_recordings; r++) {
        double sum = 0;
        int n = 0;
        for (size_t k = 0; k < template->n_instances; k++)
            if (node->of[k] && template->instances[k].recording == (int)r &&
                (only < 0 || (template->instances[k].rank == 0) == only)) {
                sum += mean_time(writer, node->of[k]);
                n++;
            }
        if (n == 0)
            continue;
        double mean = sum / n * 1e12;
        struct fit_sample sample = {.numprocs = template->recordings[r].ranks, .recording = (int)r,
                                    .value = mean < 1 ? 1 : (int64_t)mean};
        samples->list = alloc_grow(samples->list, samples->n, &samples->capacity, sizeof sample);
        samples->list[samples->n++] = sample;
    }
}

static double longest(const struct samples *samples)
{
    double most = 0;
    for (size_t i = 0; i < samples->n; i++)
        most = (double)samples->list[i].value > most ? (double)samples->list[i].value : most;
    return most * 1e-12;
}

/* Does process 0 always compute longer, or always shorter, than the others do on average? */
static bool first_differs(const struct samples *first, const struct samples *others)
{
    int longer = 0, shorter = 0;
    if (first->n == 0 || first->n != others->n)
        return false;
    for (size_t i = 0; i < first->n; i++) {
        double ratio = (double)first->list[i].value / (double)others->list[i].value;
        longer += ratio > 1.5;
        shorter += ratio < 1 / 1.5;
    }
    return longer == (int)first->n || shorter == (int)first->n;
}

/* What all processes of all recordings computed before this call, s. */
static double work_of(const struct writer *writer, const struct template_node *node)
{
    double work = 0;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k] && node->site >= 0)
            work += mean_time(writer, node->of[k]) * (double)node->of[k]->times.n;
    for (size_t i = 0; i < node->n; i++)
        work += work_of(writer, &node->body[i]);
    return work;
}

static const char *time_text(struct writer *writer, const struct samples *samples, const struct template_node *node)
{
    int site = node->site;
    struct fit_names names = names_of(writer, -1, false);
    double error;
    const char *text = fit_time(samples->n, samples->list, &names, &error, &writer->memory);
    if (error > ROUGH && work_of(writer, node) > REMARKABLE * writer->work)
        remark(writer, "the computation before %s at %s follows its formula (%s us) within %.0f %% only",
               operations[writer->template->sites.sites[site].op].name, place_of(writer, site), text, 100 * error);
    return text;
}

static void write_computation(struct writer *writer, const struct template_node *node)
{
    struct samples all = {0}, first = {0}, others = {0};
    if (writer->begins) {
        writer->begins = false;
        return;
    }
    sample_times(writer, node, &all, -1);
    sample_times(writer, node, &first, 1);
    sample_times(writer, node, &others, 0);
    bool two = first_differs(&first, &others) && (longest(&first) >= SHORTEST || longest(&others) >= SHORTEST);
    if (two) {
        indent(writer);
        fprintf(writer->out, "Serial time = (procnum == 0 ? %s : ", time_text(writer, &first, node));
        fprintf(writer->out, "%s) us\n", time_text(writer, &others, node));
    } else if (longest(&all) >= SHORTEST) {
        indent(writer);
        fprintf(writer->out, "Serial time = %s us\n", time_text(writer, &all, node));
    }
    free(all.list);
    free(first.list);
    free(others.list);
}

static void write_call(struct writer *writer, const struct template_node *node)
{
    const struct recorded_site *site = &writer->template->sites.sites[node->site];
    enum operation op = site->op;
    write_computation(writer, node);
    if (operations[op].kind == KIND_other)
        return;
    if (operations[op].kind == KIND_comm) {
        write_comm(writer, node);
        return;
    }
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k] && node->of[k]->varies) {
            remark(writer, "the size of %s at %s follows the data, from %.0f to %.0f bytes: its mean stands for it",
                   operations[op].name, place_of(writer, node->site), node->of[k]->bytes_least,
                   node->of[k]->bytes_most);
            break;
        }
    int comm = operations[op].kind == KIND_wait ? -1 : comm_of(writer, node);
    if (comm == -2 || op == OPERATION_MPI_Ibarrier) {
        diag_error(writer->diags, place_of_file(NULL), "%s at %s %s", operations[op].name, place_of(writer, node->site),
                   comm == -2
                       ? "is called with several communicators, or with one of unknown origin: directives cannot "
                   "say that" : "has no directive");
        writer->status = STATUS_NOT_YET;
        return;
    }
    if (writer->where && writer->where[node->site]) {
        indent(writer);
        fprintf(writer->out, "# %s\n", writer->where[node->site]);
    }
    writer->result->n_calls++;
    indent(writer);
    if (operations[op].kind == KIND_wait) {
        write_wait(writer, node, op);
        return;
    }
    if (operations[op].kind == KIND_rootless || operations[op].kind == KIND_rooted)
        write_collective(writer, node, op, comm);
    else
        write_message(writer, node, op, comm);
    putc('\n', writer->out);
}

/* ---- loops and conditions ---- */

static void write_list(struct writer *writer, size_t n, const struct template_node *nodes, const unsigned char *inside);

/* Trips of a loop; instances that are inside but have no part in it went round 0 times. */
static void sample_trips(const struct writer *writer, const struct template_node *node, const unsigned char *inside,
                         struct samples *samples)
{
    const struct template *template = writer->template;
    for (size_t k = 0; k < template->n_instances; k++) {
        if (node->of[k]) {
            sample_instance(writer, samples, k, node->of[k]->trips, MEANS_NUMBER, -1);
        } else if (inside[k]) {
            struct fit_sample sample = {.procnum = template->instances[k].rank, .numprocs = ranks_of(template, k),
                                        .recording = template->instances[k].recording};
            samples->list = alloc_grow(samples->list, samples->n, &samples->capacity, sizeof sample);
            samples->list[samples->n++] = sample;
        }
    }
}

static unsigned char *presence(const struct writer *writer, const struct template_node *node)
{
    unsigned char *here = alloc_array(writer->template->n_instances, 1);
    for (size_t k = 0; k < writer->template->n_instances; k++)
        here[k] = node->of[k] != NULL;
    return here;
}

static void write_loop(struct writer *writer, const struct template_node *node, const char *trips)
{
    char *body = NULL;
    size_t length;
    FILE *out = writer->out;
    unsigned char *here = presence(writer, node);
    writer->out = open_memstream(&body, &length);
    writer->depth++;
    writer->levels++;
    write_list(writer, node->n, node->body, here);
    writer->depth--;
    writer->levels--;
    fclose(writer->out);
    writer->out = out;
    indent(writer);
    fprintf(out, "Loop iterations = %s", trips);
    if (writer->depth < FIT_LOOPS)
        fprintf(out, " & var = %s", loop_names[writer->depth]);
    putc('\n', out);
    indent(writer);
    fputs("{\n", out);
    fputs(body, out);
    indent(writer);
    fputs("}\n", out);
    free(body);
    free(here);
}

static const char *trips_text(struct writer *writer, const struct template_node *node, const unsigned char *inside)
{
    struct samples samples = {0};
    sample_trips(writer, node, inside, &samples);
    char *subject = alloc_format("how often the loop around %s goes round",
                                 operations[writer->template->sites.sites[node->body[0].site >= 0 ? node->body[0].site
                                                                                              : 0].op].name);
    int site = node->body[0].site >= 0 ? node->body[0].site : 0;
    const char *text = expression(writer, &samples, -1, false, subject, site);
    free(subject);
    free(samples.list);
    return text;
}

/* Does a formula say the trips of all, with 0 where the loop was not met? */
static bool trips_cover(struct writer *writer, const struct template_node *node, const unsigned char *inside)
{
    struct samples samples = {0};
    if (writer->depth > 0) /* series within loops have no zeros to compare with */
        return false;
    sample_trips(writer, node, inside, &samples);
    struct fit_names names = names_of(writer, -1, false);
    bool covered = fit_value(samples.n, samples.list, &names, &writer->memory) != NULL;
    free(samples.list);
    return covered;
}

static void write_node(struct writer *writer, const struct template_node *node, const unsigned char *inside)
{
    if (node->site >= 0)
        write_call(writer, node);
    else
        write_loop(writer, node, trips_text(writer, node, inside));
}

static const char *condition_text(struct writer *writer, const struct template_node *node, const unsigned char *inside)
{
    const struct template *template = writer->template;
    struct samples samples = {0};
    for (size_t k = 0; k < template->n_instances; k++) {
        struct fit_sample sample = {.procnum = template->instances[k].rank, .numprocs = ranks_of(template, k),
                                    .recording = template->instances[k].recording, .value = node->of[k] != NULL};
        if (!inside[k])
            continue;
        samples.list = alloc_grow(samples.list, samples.n, &samples.capacity, sizeof sample);
        samples.list[samples.n++] = sample;
    }
    struct fit_names names = names_of(writer, -1, false);
    names.n_loops = 0;
    const char *text = fit_condition(samples.n, samples.list, &names, &writer->memory);
    if (!text) {
        const struct template_node *first = node;
        while (first->site < 0)
            first = first->body;
        writer->result->n_tables++;
        remark(writer,
               "which processes come to %s at %s follows no condition that was tried: it stays a table, valid at "
               "the recorded counts", operations[template->sites.sites[first->site].op].name,
               place_of(writer, first->site));
        text = table(writer, &names, &samples, false);
    }
    free(samples.list);
    return text ? text : "1";
}

static bool same_instances(const struct writer *writer, const struct template_node *a, const struct template_node *b)
{
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if ((a->of[k] != NULL) != (b->of[k] != NULL))
            return false;
    return true;
}

static bool all_inside(const struct writer *writer, const struct template_node *node, const unsigned char *inside)
{
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (inside[k] && !node->of[k])
            return false;
    return true;
}

/* inside [n_instances]: those that come here. */
static void write_list(struct writer *writer, size_t n, const struct template_node *nodes, const unsigned char *inside)
{
    for (size_t i = 0, end; i < n; i = end) {
        end = i + 1;
        if (all_inside(writer, &nodes[i], inside) ||
            (nodes[i].site < 0 && trips_cover(writer, &nodes[i], inside))) {
            write_node(writer, &nodes[i], inside);
            continue;
        }
        while (end < n && same_instances(writer, &nodes[i], &nodes[end]))
            end++;
        const char *condition = condition_text(writer, &nodes[i], inside);
        unsigned char *here = presence(writer, &nodes[i]);
        indent(writer);
        fprintf(writer->out, "Runon c1 = %s\n", condition);
        indent(writer);
        fputs("{\n", writer->out);
        writer->levels++;
        for (size_t k = i; k < end; k++)
            write_node(writer, &nodes[k], here);
        writer->levels--;
        indent(writer);
        fputs("}\n", writer->out);
        free(here);
    }
}

/* ---- all of it ---- */

/* Parameters that every recording has. */
static void find_params(struct writer *writer)
{
    const struct template *template = writer->template;
    const struct recording *first = &template->recordings[0];
    for (int i = 0; i < first->n_params; i++) {
        int64_t *values = alloc_zeroed(template->n_recordings, sizeof *values);
        size_t found = 0;
        for (size_t r = 0; r < template->n_recordings; r++)
            for (int k = 0; k < template->recordings[r].n_params; k++)
                if (strcmp(template->recordings[r].params[k].name, first->params[i].name) == 0) {
                    values[r] = template->recordings[r].params[k].value;
                    found++;
                }
        if (found != template->n_recordings) {
            free(values);
            continue;
        }
        writer->params = alloc_resize(writer->params, (size_t)writer->n_params + 1, sizeof *writer->params);
        writer->param_values = alloc_resize(writer->param_values, (size_t)writer->n_params + 1, sizeof values);
        writer->params[writer->n_params] = first->params[i].name;
        writer->param_values[writer->n_params++] = values;
    }
}

static void write_head(struct writer *writer)
{
    const struct template *template = writer->template;
    size_t at = (size_t)snprintf(writer->table_name, sizeof writer->table_name, "known_only_at");
    fprintf(writer->out, "# Written by pevpm-record from recordings of");
    for (size_t r = 0; r < template->n_recordings; r++) {
        int ranks = template->recordings[r].ranks;
        bool again = r > 0 && template->recordings[r - 1].ranks == ranks;
        fprintf(writer->out, "%s %s (%d processes)", r == 0 ? "" : ",", template->recordings[r].name, ranks);
        if (!again && at < sizeof writer->table_name - 12)
            at += (size_t)snprintf(writer->table_name + at, sizeof writer->table_name - at, "_%d", ranks);
    }
    fprintf(writer->out, ".\n# Computing times are %s.\n", writer->processor
            ? "what the processor was busy" : "of the wall clock");
    for (int i = 0; i < writer->n_params; i++)
        fprintf(writer->out, "Param %s = %" PRId64 "\n", writer->params[i],
                writer->param_values[i][template->n_recordings - 1]);
}

static bool use_processor(const struct template *template, enum writer_clock clock)
{
    bool crowded = false;
    for (size_t r = 0; r < template->n_recordings; r++)
        crowded = crowded || recording_crowded(&template->recordings[r]);
    return clock == CLOCK_PROCESSOR || (clock == CLOCK_AUTO && crowded);
}

/* Is a call at this place? "cg.f:583", or a symbol and offset, stands before a comma or alone. */
static bool is_at(const struct writer *writer, const struct template_node *node, const char *place)
{
    size_t n = strlen(place);
    const char *where = node->site >= 0 ? place_of(writer, node->site) : "";
    return strncmp(where, place, n) == 0 && (where[n] == '\0' || where[n] == ',');
}

static enum status refuse_place(struct writer *writer, const char *place)
{
    diag_error(writer->diags, place_of_file(NULL),
               "--part: there is no call at `%s` outside of all loops; the first ones "
               "there are:", place);
    int shown = 0;
    for (size_t i = 0; i < writer->template->n && shown < 12; i++) {
        const struct template_node *node = &writer->template->nodes[i];
        if (node->site >= 0 && ++shown)
            diag_note(writer->diags, place_of_file(NULL), "%s: %s", place_of(writer, node->site),
                      operations[writer->template->sites.sites[node->site].op].name);
    }
    return STATUS_NAME;
}

/* The nodes of the outermost level that are to be written: [*first, *end). */
static enum status find_part(struct writer *writer, const struct writer_request *request, size_t *first, size_t *end)
{
    const struct template *template = writer->template;
    *first = 0;
    *end = template->n;
    if (!request->first)
        return STATUS_OK;
    while (*first < template->n && !is_at(writer, &template->nodes[*first], request->first))
        ++*first;
    if (*first == template->n)
        return refuse_place(writer, request->first);
    while (*end > *first && !is_at(writer, &template->nodes[*end - 1], request->last))
        --*end;
    return *end > *first ? STATUS_OK : refuse_place(writer, request->last);
}

static enum status write_body(struct writer *writer, const struct writer_request *request)
{
    char *body = NULL;
    size_t length, first, end;
    enum status status = find_part(writer, request, &first, &end);
    if (status != STATUS_OK)
        return status;
    FILE *out = writer->out;
    unsigned char *all = alloc_array(writer->template->n_instances, 1);
    memset(all, 1, writer->template->n_instances);
    write_head(writer);
    writer->out = open_memstream(&body, &length);
    for (size_t i = 0; i < writer->template->n; i++)
        writer->work += work_of(writer, &writer->template->nodes[i]);
    find_comms(writer, writer->template->n, writer->template->nodes, 0);
    find_indexed(writer, writer->template->n, writer->template->nodes);
    writer->begins = request->first != NULL;
    write_list(writer, end - first, writer->template->nodes + first, all);
    fclose(writer->out);
    writer->out = out;
    for (size_t i = 0; i < writer->result->n; i++)
        fprintf(out, "# Note: %s.\n", writer->result->remarks[i]);
    if (strstr(body, writer->table_name))
        fprintf(out, "Param %s = 0\n", writer->table_name);
    fputs(body, out);
    free(body);
    free(all);
    return STATUS_OK;
}

enum status writer_write(const struct template *template, const struct writer_request *request,
                         const char *const where[], FILE *out, struct writer_result *result, struct diags *diags)
{
    struct writer writer = {.template = template, .result = result, .diags = diags, .where = where, .out = out,
                            .processor = use_processor(template, request->clock), .memory = ARENA_EMPTY};
    *result = (struct writer_result){.processor = writer.processor};
    writer.indexed = alloc_zeroed((size_t)template->sites.n + 1, sizeof *writer.indexed);
    find_params(&writer);
    enum status status = write_body(&writer, request);
    for (int i = 0; i < writer.n_comms; i++)
        free(writer.comms[i].number);
    for (int i = 0; i < writer.n_params; i++)
        free(writer.param_values[i]);
    free(writer.comms);
    free(writer.params);
    free(writer.param_values);
    free(writer.indexed);
    arena_free(&writer.memory);
    return status != STATUS_OK ? status : writer.status;
}
