#include "record/write/writer_impl.h"

#include "record/caveat.h"
#include "record/proof.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void writer_remark(struct writer *writer, const char *form, ...) __attribute__((format(printf, 2, 3)));
void writer_remark(struct writer *writer, const char *form, ...)
{
    struct writer_result *result = writer->result;
    va_list arguments;
    va_start(arguments, form);
    char *text = alloc_format_list(form, arguments);
    va_end(arguments);
    for (size_t i = 0; i < result->n; i++)
        if (strcmp(result->remarks[i], text) == 0) {
            result->times[i]++;
            free(text);
            return;
        }
    size_t capacity = result->capacity;
    result->remarks = alloc_grow(result->remarks, result->n, &result->capacity, sizeof *result->remarks);
    result->times = alloc_grow(result->times, result->n, &capacity, sizeof *result->times);
    result->times[result->n] = 1;
    result->remarks[result->n++] = text;
}

bool writer_gives_up(const struct writer *writer)
{
    return writer->result->n_tables > writer->tables_most;
}

/* Of how many places each remark is said. */
static void tell_times(struct writer_result *result)
{
    for (size_t i = 0; i < result->n; i++)
        if (result->times[i] > 1) {
            char *text = alloc_format("%s (so at %zu places of this program)", result->remarks[i], result->times[i]);
            free(result->remarks[i]);
            result->remarks[i] = text;
            result->times[i] = 1;
        }
}

/* Why there are so many tables. */
static void remark_chance(struct writer *writer)
{
    if (writer_gives_up(writer))
        writer_remark(writer, "%zu values and conditions follow no formula: what this program calls, or in which order, follows "
                      "its data, the moments at which messages come or a rule that was not tried; behind the first %d of "
                      "them only what is the same everywhere was looked for, and other counts than those recorded cannot be predicted",
                      writer->result->n_tables, (int)writer->tables_most);
}

void writer_result_free(struct writer_result *result)
{
    for (size_t i = 0; i < result->n; i++)
        free(result->remarks[i]);
    free(result->remarks);
    free(result->times);
    *result = (struct writer_result){0};
}

const char *writer_keep(struct writer *writer, char *text)
{
    const char *kept = arena_string_n(&writer->memory, text, strlen(text));
    free(text);
    return kept;
}

void writer_indent(const struct writer *writer)
{
    fprintf(writer->out, "%*s", 4 * writer->levels, "");
}

const char *writer_place(const struct writer *writer, int site)
{
    return writer->where && writer->where[site] ? writer->where[site] : "?";
}

const struct recorded_process *writer_process(const struct template *template, size_t instance)
{
    const struct template_instance *of = &template->instances[instance];
    return &template->recordings[of->recording].processes[of->rank];
}

int writer_ranks(const struct template *template, size_t instance)
{
    return template->recordings[template->instances[instance].recording].ranks;
}

/* ---- loops and conditions ---- */

static void write_list(struct writer *writer, size_t n, const struct template_node *nodes, const unsigned char *inside);

/* Trips of a loop; instances that are inside but have no part in it went round 0 times. */
static void sample_trips(const struct writer *writer, const struct template_node *node, const unsigned char *inside,
                         struct samples *samples)
{
    const struct template *template = writer->template;
    unsigned dense = 0;
    for (size_t k = 0; k < template->n_instances; k++)
        dense |= node->of[k] ? samples_levels(node->of[k]->trips, 0) : 0;
    for (size_t k = 0; k < template->n_instances; k++) {
        if (node->of[k]) {
            samples_add_instance(writer, samples, k, node->of[k]->trips, MEANS_NUMBER, -1, dense);
        } else if (inside[k]) {
            struct fit_sample sample = {.procnum = template->instances[k].rank, .world = template->instances[k].rank,
                                        .numprocs = writer_ranks(template, k),
                                        .recording = template->instances[k].recording};
            samples_add(samples, &sample);
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

/* Does a formula depend on the trips of the loops around? */
static bool knows_trips(const struct writer *writer, const char *text)
{
    for (int loop = 0; loop < writer->depth && loop < FIT_LOOPS; loop++)
        if (proof_names(text, writer_loops[loop]))
            return true;
    return false;
}

/* Which processes of other counts go round a loop at all: [places.n], yours to free; NULL: as many as come to it, or nobody knows.
 * Of whom the number of trips says nothing may go round. */
static unsigned char *who_goes_round(struct writer *writer, const char *trips)
{
    if (knows_trips(writer, trips))
        return NULL;
    const struct fit_names names = writer_names(writer, -1, MEANS_NUMBER);
    unsigned char *round = alloc_zeroed(writer->places.n + 1, 1);
    char *none = alloc_format("(%s) <= 0", trips);
    size_t n = 0;
    for (size_t i = 0; i < writer->places.n; i++) {
        const struct fit_place *place = &writer->places.list[i];
        const struct fit_sample at = {.procnum = place->procnum, .world = place->procnum, .numprocs = place->numprocs, .value = 1};
        round[i] = (!writer->inside || writer->inside[i]) && !proof_holds(none, true, 1, &at, &names);
        n += round[i];
    }
    free(none);
    if (n > 0)
        return round;
    free(round);
    return NULL;
}

static void write_loop(struct writer *writer, const struct template_node *node, const char *trips)
{
    char *body = NULL;
    size_t length;
    FILE *out = writer->out;
    unsigned char *here = presence(writer, node), *outside = writer->inside, *round = who_goes_round(writer, trips);
    writer->inside = round ? round : outside;
    writer->out = open_memstream(&body, &length);
    if (writer->depth < FIT_LOOPS)
        writer->trips[writer->depth] = fit_has_last(trips) ? trips : NULL;
    writer->depth++;
    writer->levels++;
    write_list(writer, node->n, node->body, here);
    writer->inside = outside;
    free(round);
    writer->depth--;
    writer->levels--;
    fclose(writer->out);
    writer->out = out;
    writer_indent(writer);
    fprintf(out, "Loop iterations = %s", trips);
    if (writer->depth < FIT_LOOPS)
        fprintf(out, " & var = %s", writer_loops[writer->depth]);
    putc('\n', out);
    writer_indent(writer);
    fputs("{\n", out);
    fputs(body, out);
    writer_indent(writer);
    fputs("}\n", out);
    free(body);
    free(here);
}

/* The call that a loop begins with. */
static int first_site(const struct template_node *node)
{
    while (node->site < 0)
        node = node->body;
    return node->site;
}

/* Is there a collective operation in it whose result all processes may leave the loop for? */
static bool has_result(const struct writer *writer, const struct template_node *node)
{
    if (node->site >= 0) {
        const enum operation_kind kind = operation_kind(writer->template->sites.sites[node->site].op);
        return kind == KIND_rootless || kind == KIND_rooted;
    }
    for (size_t i = 0; i < node->n; i++)
        if (has_result(writer, &node->body[i]))
            return true;
    return false;
}

/* Were there runs with different parameters? */
static bool has_sizes(const struct writer *writer)
{
    for (int i = 0; i < writer->n_params; i++)
        for (size_t r = 1; r < writer->template->n_recordings; r++)
            if (writer->param_values[i][r] != writer->param_values[i][0])
                return true;
    return false;
}

static const char *trips_text(struct writer *writer, const struct template_node *node, const unsigned char *inside)
{
    struct samples samples = {0};
    sample_trips(writer, node, inside, &samples);
    const int site = first_site(node);
    char *subject = alloc_format("how often the loop around %s goes round",
                                 operation_name(writer->template->sites.sites[site].op));
    const char *text = writer_expression(writer, &samples, -1, MEANS_NUMBER, subject, site);
    if (text[strspn(text, "0123456789")] == '\0' && has_sizes(writer) && has_result(writer, node))
        writer_say_of(writer, &writer->limits, subject, site);
    free(subject);
    free(samples.list);
    return text;
}

/* Do processes that meet a loop go round it as often in each trip of the loops around? */
static bool trips_are_same(const struct writer *writer, const struct template_node *node)
{
    int64_t trips;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k] && !series_is_constant(node->of[k]->trips, &trips))
            return false;
    return true;
}

/* Does a formula say the trips of all, with 0 where the loop was not met? Within loops one without a condition: another says no
 * more than the condition of who comes here. */
static bool trips_cover(struct writer *writer, const struct template_node *node, const unsigned char *inside)
{
    struct samples samples = {0};
    struct fit_other other;
    if (writer->depth > 0 && !trips_are_same(writer, node)) /* there are no zeros to compare with */
        return false;
    sample_trips(writer, node, inside, &samples);
    struct fit_names names = writer_names(writer, -1, MEANS_NUMBER);
    writer_leave_loops(writer, &samples, &names);
    const char *text = writer_fit(writer, &samples, &names, &other);
    free(samples.list);
    return text && (writer->depth == 0 || !strchr(text, '?'));
}

static void write_node(struct writer *writer, const struct template_node *node, const unsigned char *inside)
{
    if (node->site >= 0)
        writer_write_call(writer, node);
    else
        write_loop(writer, node, trips_text(writer, node, inside));
}

/* The direction of a call, or of a loop over nothing else; DIRECTION_NONE. */
static int direction_of_node(const struct writer *writer, const struct template_node *node)
{
    return node->site >= 0 ? writer->template->sites.sites[node->site].direction : DIRECTION_NONE;
}

/* That a process has the neighbour whom a call is about, if those that come here are they; NULL: they are not. */
static const char *neighbour_condition(struct writer *writer, const struct template_node *node,
                                       const unsigned char *inside, unsigned char come[])
{
    const struct template *template = writer->template;
    int direction = direction_of_node(writer, node);
    if (direction == DIRECTION_NONE)
        return NULL;
    for (size_t k = 0; k < template->n_instances; k++)
        if (inside[k] && direction_exists(&template->in, direction, template->instances[k].rank,
                                          writer_ranks(template, k)) != (node->of[k] != NULL))
            return NULL;
    for (size_t i = 0; i < writer->places.n; i++)
        come[i] = direction_exists(&template->in, direction, writer->places.list[i].procnum,
                                   writer->places.list[i].numprocs);
    writer->taken = GRID_BIT(template->in.grid);
    writer->gridded++;
    return writer_keep(writer, direction_exists_text(&template->in, direction, "procnum", "numprocs"));
}

/* ---- trips that do not come to a node ---- */

/* In which trips of the loops around an instance came to a node: 1 there, 0 where the innermost loop went on without it. */
static const struct series *came(struct writer *writer, const struct series *series, int depth)
{
    const struct series *all = NULL;
    if (!series || depth == 0)
        return series ? series_constant(&writer->memory, 1) : NULL;
    for (size_t i = 0; i < series->n; i++) {
        const struct series *of = depth == 1 && !series->runs[i].of ? series_constant(&writer->memory, 0)
                                : came(writer, series->runs[i].of, depth - 1);
        const struct series *part = series_repeat(&writer->memory, of, series->runs[i].count);
        all = all ? series_join(&writer->memory, all, part) : part;
    }
    return all;
}

static const struct series *came_to(struct writer *writer, const struct template_node *node, size_t k)
{
    const struct shape *shape = node->of[k];
    return came(writer, shape->site >= 0 ? shape->field[FIELD_peer] : shape->trips, writer->depth);
}

/* Do some trips of an instance that comes to a node leave it out? */
static bool leaves_out(struct writer *writer, const struct template_node *node, size_t k)
{
    int64_t always;
    return node->of[k] && writer->depth > 0 && !series_is_constant(came_to(writer, node, k), &always);
}

static bool is_ragged(struct writer *writer, const struct template_node *node)
{
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (leaves_out(writer, node, k))
            return true;
    return false;
}

/* Which trips come to a node. An instance that never does has as many trips as another node of its body says. */
static void sample_trips_of(struct writer *writer, const struct template_node *node, const unsigned char *inside,
                            struct samples *samples)
{
    const struct template *template = writer->template;
    for (size_t k = 0; k < template->n_instances; k++) {
        const struct template_node *beside = node;
        for (size_t i = 0; i < writer->beside.n && !beside->of[k]; i++)
            beside = &writer->beside.nodes[i];
        if (!inside[k] || !beside->of[k])
            continue;
        const struct series *series = came_to(writer, beside, k);
        series = beside == node ? series : series_like(&writer->memory, series, writer->depth, 0);
        samples_add_instance(writer, samples, k, series, MEANS_NUMBER, -1, ~0U);
    }
}

/* come [places.n]: out, which processes of other counts do. */
static const char *condition_text(struct writer *writer, const struct template_node *node, const unsigned char *inside,
                                  unsigned char come[])
{
    const struct template *template = writer->template;
    struct samples samples = {0};
    const char *neighbour = neighbour_condition(writer, node, inside, come);
    if (neighbour)
        return neighbour;
    struct fit_names names = writer_names(writer, -1, MEANS_NUMBER);
    const bool ragged = is_ragged(writer, node);
    if (ragged) {
        sample_trips_of(writer, node, inside, &samples);
        writer_leave_loops(writer, &samples, &names);
    } else {
        names.n_loops = 0;
    }
    for (size_t k = 0; k < template->n_instances && !ragged; k++) {
        struct fit_sample sample = {.procnum = template->instances[k].rank, .world = template->instances[k].rank,
                                    .numprocs = writer_ranks(template, k),
                                    .recording = template->instances[k].recording, .value = node->of[k] != NULL};
        if (!inside[k])
            continue;
        samples_add(&samples, &sample);
    }
    names.sign = writer_side_of(writer, node);
    names.direction = writer_way_of(writer, node);
    names.in_line = names.direction != DIRECTION_NONE;
    struct fit_other other;
    const struct template_node *first = node;
    while (first->site < 0)
        first = first->body;
    const char *text = fit_condition(samples.n, samples.list, &names, &other, come, &writer->memory);
    if (text) {
        char *what = alloc_format("which processes come to %s", operation_name(template->sites.sites[first->site].op));
        writer_note_formula(writer, text, &other, what, first->site);
        free(what);
    } else {
        bool everywhere = false;
        text = writer_table(writer, &names, &samples, NULL, false, &everywhere);
        writer->result->n_tables += !everywhere;
        writer->taken = 0;
        writer_remark(writer, "which processes come to %s at %s follows no condition that was tried%s",
                      operation_name(template->sites.sites[first->site].op), writer_place(writer, first->site),
                      everywhere ? ", but is the same at all recorded counts: that stands for others, too"
                                 : ": it stays a table, valid at the recorded counts");
    }
    free(samples.list);
    return text ? text : "1";
}

/* And in the same trips. */
static bool same_instances(struct writer *writer, const struct template_node *a, const struct template_node *b)
{
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if ((a->of[k] != NULL) != (b->of[k] != NULL) ||
            (a->of[k] && writer->depth > 0 && !series_equal(came_to(writer, a, k), came_to(writer, b, k))))
            return false;
    return true;
}

static bool all_inside(struct writer *writer, const struct template_node *node, const unsigned char *inside)
{
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (inside[k] && (!node->of[k] || leaves_out(writer, node, k)))
            return false;
    return true;
}

/* inside [n_instances]: those that come here. */
static void write_list(struct writer *writer, size_t n, const struct template_node *nodes, const unsigned char *inside)
{
    struct writer_beside around_list = writer->beside;
    for (size_t i = 0, end; i < n; i = end) {
        end = i + 1;
        writer->beside = (struct writer_beside){n, i, nodes};
        int direction = direction_of_node(writer, &nodes[i]);
        if ((direction == DIRECTION_NONE && all_inside(writer, &nodes[i], inside)) ||
            (nodes[i].site < 0 && trips_cover(writer, &nodes[i], inside))) {
            write_node(writer, &nodes[i], inside);
            continue;
        }
        while (end < n && direction == direction_of_node(writer, &nodes[end]) &&
               same_instances(writer, &nodes[i], &nodes[end]))
            end++;
        unsigned char *come = alloc_zeroed(writer->places.n + 1, 1), *outside = writer->inside;
        const char *condition = condition_text(writer, &nodes[i], inside, come);
        unsigned char *here = presence(writer, &nodes[i]);
        const unsigned decisive = writer->decisive;
        if (is_ragged(writer, &nodes[i]) && writer->depth <= FIT_LOOPS)
            writer->decisive |= 1U << (writer->depth - 1);
        writer_indent(writer);
        fprintf(writer->out, "Runon c1 = %s\n", condition);
        writer_indent(writer);
        fputs("{\n", writer->out);
        writer->levels++;
        unsigned around = writer->condition;
        writer->condition = writer->taken;
        writer->inside = come;
        for (size_t k = i; k < end; k++) {
            writer->beside.at = k;
            write_node(writer, &nodes[k], here);
        }
        writer->condition = around;
        writer->decisive = decisive;
        writer->inside = outside;
        free(come);
        writer->levels--;
        writer_indent(writer);
        fputs("}\n", writer->out);
        free(here);
    }
    writer->beside = around_list;
}

/* ---- all of it ---- */

static void write_head(struct writer *writer)
{
    const struct template *template = writer->template;
    fprintf(writer->out, "# Written by pevpm-record from recordings of");
    for (size_t r = 0; r < template->n_recordings; r++) {
        int ranks = template->recordings[r].ranks;
        fprintf(writer->out, "%s %s (%d processes)", r == 0 ? "" : ",", template->recordings[r].name, ranks);
    }
    fprintf(writer->out, ".\n# Computing times are %s.\n",
            writer->processor ? "what the processor was busy" : "of the wall clock");
    for (int i = 0; i < writer->n_params; i++)
        fprintf(writer->out, "Param %s = %" PRId64 "\n", writer->params[i],
                writer->param_values[i][template->n_recordings - 1]);
}

bool writer_use_processor(size_t n, const struct recording recordings[], enum writer_clock clock)
{
    bool crowded = false;
    for (size_t r = 0; r < n; r++)
        crowded = crowded || recording_crowded(&recordings[r]);
    return clock == CLOCK_PROCESSOR || (clock == CLOCK_AUTO && crowded);
}

/* Is a call at this place? "cg.f:583", or a symbol and offset, stands before a comma or alone. */
static bool is_at(const struct writer *writer, const struct template_node *node, const char *place)
{
    size_t n = strlen(place);
    const char *where = node->site >= 0 ? writer_place(writer, node->site) : "";
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
            diag_note(writer->diags, place_of_file(NULL), "%s: %s", writer_place(writer, node->site),
                      operation_name(writer->template->sites.sites[node->site].op));
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

/* Which grid a program with directions is written for: the recorded counts alone tell. */
static void remark_grid(struct writer *writer)
{
    const struct direction_grid *in = &writer->template->in;
    char *extents = NULL;
    for (int axis = 0; axis < grid_dimensions(in->grid); axis++) {
        char *extent = grid_text(in->grid, "numprocs", axis), *before = extents;
        extents = before ? alloc_format("%s by %s", before, extent) : alloc_string(extent);
        free(before);
        free(extent);
    }
    writer_remark(writer, "calls that go through neighbours, leaving out those that do not exist, are written in the directions of "
                  "a grid of %s processes, those along the %s axis next in number: record at another count to tell whether "
                  "it is this grid", extents, in->last_first ? "last" : "first");
    free(extents);
}

/* Tests that chance has put where they are. */
static void remark_tested(struct writer *writer)
{
    for (size_t i = 0; i < writer->template->n_recordings; i++) {
        const struct recording *recording = &writer->template->recordings[i];
        if (recording->n_tested > 0)
            writer_remark(writer, "%s: in %d of %d processes tests that found their messages come stay tests, since calls are "
                          "too many to put them where the program waits for these elsewhere: which of the two it came "
                          "to is chance; record a shorter run",
                          recording->name, recording->n_tested, recording->ranks);
    }
}

/* What a compiler may have put in another order than the source has it. */
static void remark_order(struct writer *writer)
{
    const struct template *template = writer->template;
    if (template->n_by_address == 0)
        return;
    const char *first = writer_place(writer, template->by_address[0]), *second = writer_place(writer, template->by_address[1]);
    char *pair = strcmp(first, second) == 0 ? alloc_format("one way to %s before another", first)
                                            : alloc_format("%s before %s", first, second);
    writer_remark(writer, "lines of the source are not known, so where no process came to two calls that of the lower address is "
                  "first, which need not be so in the source, as %s (%zu in all); a program with debugging information (-g), at its "
                  "place, tells", pair, template->n_by_address);
    free(pair);
}

/* The node of a list that was in files for longest, and how many there are. */
static void find_files(const struct writer *writer, size_t n, const struct template_node *nodes, const struct template_node **most,
                       size_t *found)
{
    for (size_t i = 0; i < n; i++) {
        const struct template_node *node = &nodes[i];
        find_files(writer, node->n, node->body, most, found);
        if (node->site < 0 || operation_kind(writer->template->sites.sites[node->site].op) != KIND_file)
            continue;
        ++*found;
        if (!*most || writer_work(writer, node) > writer_work(writer, *most))
            *most = node;
    }
}

static void remark_files(struct writer *writer)
{
    const struct template_node *most = NULL;
    size_t found = 0;
    find_files(writer, writer->template->n, writer->template->nodes, &most, &found);
    if (!most)
        return;
    writer_remark(writer, "time in files (of %zu call%s, most of it of %s at %s) is that of the recorded runs, and at other counts what "
                  "its formula says: it does not follow the machine file, which knows no file system, and how far more processes "
                  "slow each other down there no run has shown", found, found == 1 ? "" : "s",
                  operation_name(writer->template->sites.sites[most->site].op), writer_place(writer, most->site));
}

/* Takes the text. */
static void remark_text(struct writer *writer, char *text)
{
    if (text)
        writer_remark(writer, "%s", text);
    free(text);
}

static void remark_caveats(struct writer *writer)
{
    const size_t n = writer->template->n_recordings;
    const struct recording *recordings = writer->template->recordings;
    remark_text(writer, caveat_unfinished(n, recordings));
    remark_text(writer, caveat_shared(n, recordings, writer->processor));
    remark_text(writer, writer->processor ? caveat_threads(n, recordings) : NULL);
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
        writer->work += writer_work(writer, &writer->template->nodes[i]);
    writer_find_comms(writer, writer->template->n, writer->template->nodes);
    writer_find_indexed(writer, writer->template->n, writer->template->nodes);
    writer_find_left(writer);
    writer_find_faces(writer, writer->template->n, writer->template->nodes);
    writer_find_lines(writer, writer->template->n, writer->template->nodes);
    writer_write_first(writer);
    writer->begins = request->first != NULL;
    write_list(writer, end - first, first > 0 ? writer->template->nodes + first : writer->template->nodes, all);
    fclose(writer->out);
    writer->out = out;
    writer_remark_doubts(writer);
    remark_chance(writer);
    tell_times(writer->result);
    remark_tested(writer);
    remark_order(writer);
    remark_files(writer);
    remark_caveats(writer);
    if (writer->template->directed)
        remark_grid(writer);
    for (size_t i = 0; i < writer->result->n; i++)
        fprintf(out, "# Note: %s.\n", writer->result->remarks[i]);
    fputs(body, out);
    free(body);
    free(all);
    return STATUS_OK;
}

/* One way to write the program: text and remarks. */
struct version {
    enum grid prefers;
    enum status status;
    char *text;
    size_t length, gridded, foreign, divided; /* as writer's */
    struct writer_result result;
};

static void version_free(struct version *version)
{
    free(version->text);
    writer_result_free(&version->result);
}

static void make_places(struct writer *writer)
{
    size_t n = writer->template->n_recordings;
    int *counts = alloc_array(n, sizeof *counts);
    for (size_t r = 0; r < n; r++)
        counts[r] = writer->template->recordings[r].ranks;
    fit_places_make(&writer->places, n, counts);
    writer->counts = counts;
    for (size_t r = 0; r < n; r++) {
        bool new = true;
        for (size_t k = 0; k < r && new; k++)
            new = counts[k] != counts[r];
        writer->n_counts += new;
    }
}

static void version_write(struct version *version, const struct template *template,
                          const struct writer_request *request, const char *const where[], enum grid prefers,
                          struct diags *diags)
{
    *version = (struct version){.prefers = prefers};
    struct writer writer = {.template = template, .result = &version->result, .diags = diags, .where = where,
                            .out = open_memstream(&version->text, &version->length), .memory = ARENA_EMPTY,
                            .prefers = prefers, .means = request->means, .senders = request->senders,
                            .tables_most = request->tables_most > 0 ? request->tables_most : WRITER_TABLES_MOST};
    writer.processor = writer_use_processor(template->n_recordings, template->recordings, request->clock);
    version->result.processor = writer.processor;
    writer.indexed = alloc_zeroed((size_t)template->sites.n + 1, sizeof *writer.indexed);
    writer.directed = alloc_zeroed((size_t)template->sites.n + 1, sizeof *writer.directed);
    writer.wildcard = alloc_zeroed((size_t)template->sites.n + 1, sizeof *writer.wildcard);
    make_places(&writer);
    writer.n_params = recordings_params(template->n_recordings, template->recordings, &writer.params,
                                        &writer.param_values);
    enum status status = write_body(&writer, request);
    fclose(writer.out);
    version->status = status != STATUS_OK ? status : writer.status;
    version->gridded = writer.gridded;
    version->foreign = writer.foreign;
    version->divided = writer.divided;
    writer_free_faces(&writer);
    writer_free_memo(&writer);
    for (int i = 0; i < writer.n_comms; i++)
        free(writer.comms[i].number);
    free(writer.comms);
    recordings_params_free(writer.n_params, writer.params, writer.param_values);
    free(writer.indexed);
    free(writer.left);
    free(writer.directed);
    free(writer.wildcard);
    fit_places_free(&writer.places);
    free(writer.counts);
    arena_free(&writer.memory);
}

/* Is a version with a less usual grid better? Fewer tables, then fewer formulas with another grid: one or two of many
 * also follow some grid by chance. A ring whose processes speak to the second next is no grid. */
static bool is_better(const struct version *a, const struct version *b)
{
    if (a->result.n_tables != b->result.n_tables)
        return a->result.n_tables < b->result.n_tables;
    return a->divided > 0 && a->foreign < b->foreign && b->foreign - a->foreign > b->gridded / 4;
}

/* A program has one grid, as a rule: of the ways to write it the one in which the least stays a table, and fewest
 * formulas need another grid. */
enum status writer_write(const struct template *template, const struct writer_request *request,
                         const char *const where[], FILE *out, struct writer_result *result, struct diags *diags)
{
    struct version best, next;
    struct diags unused = DIAGS_EMPTY;
    const enum grid first = template->directed ? template->in.grid : request->one_grid ? request->grid : GRID_2;
    version_write(&best, template, request, where, first, &unused);
    const bool again = !template->directed && !request->one_grid && best.result.n_tables <= WRITER_TABLES_MOST;
    for (enum grid g = GRID_2 + 1; g < GRIDS && again && (best.foreign > 0 || best.result.n_tables > 0); g++) {
        version_write(&next, template, request, where, g, &unused);
        bool better = is_better(&next, &best);
        struct version worse = better ? best : next;
        best = better ? next : best;
        version_free(&worse);
    }
    enum grid prefers = best.prefers;
    if (best.status != STATUS_OK) { /* once more, for what it says */
        version_free(&best);
        version_write(&best, template, request, where, prefers, diags);
    }
    fwrite(best.text, 1, best.length, out);
    *result = best.result;
    best.result = (struct writer_result){0};
    enum status status = best.status;
    version_free(&best);
    diags_free(&unused);
    return status;
}
