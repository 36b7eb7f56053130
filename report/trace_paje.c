#include "report/trace_impl.h"

#include "common/alloc.h"
#include "common/numerals.h"
#include "common/outfile.h"
#include "report/profile.h"

#include <stdlib.h>
#include <string.h>

struct paje {
    struct outfile file;
    struct trace_about about;
    struct trace_record record;
};

/* X(event, number, fields): the header. The events below have these fields in this order. */
#define EVENT_LIST(X)                                                                                              \
    X(DefineContainerType, 0, "Alias string\n% Type string\n% Name string")                                        \
    X(DefineStateType, 1, "Alias string\n% Type string\n% Name string")                                            \
    X(DefineLinkType, 2,                                                                                           \
      "Alias string\n% Type string\n% StartContainerType string\n% EndContainerType string\n% Name string")        \
    X(DefineEntityValue, 3, "Alias string\n% Type string\n% Name string\n% Color color")                           \
    X(CreateContainer, 4, "Time date\n% Alias string\n% Type string\n% Container string\n% Name string")           \
    X(DestroyContainer, 5, "Time date\n% Type string\n% Name string")                                              \
    X(SetState, 6, "Time date\n% Type string\n% Container string\n% Value string")                                 \
    X(StartLink, 7,                                                                                                \
      "Time date\n% Type string\n% Container string\n% Value string\n% StartContainer string\n% Key string\n"      \
      "% Bytes int\n% Tag int")                                                                                    \
    X(EndLink, 8,                                                                                                  \
      "Time date\n% Type string\n% Container string\n% Value string\n% EndContainer string\n% Key string")
enum paje_event {
#define X(name, number, fields) PAJE_##name = number,
    EVENT_LIST(X)
#undef X
};

static const char *const colours[] = {
    [LOSS_computation] = "0.30 0.69 0.31",   [LOSS_send_overhead] = "0.13 0.59 0.95",
    [LOSS_receive_overhead] = "0.01 0.66 0.96", [LOSS_transit] = "0.80 0.86 0.22",
    [LOSS_port_wait] = "1.00 0.60 0.00",     [LOSS_contention] = "1.00 0.34 0.13",
    [LOSS_late_sender] = "0.96 0.26 0.21",   [LOSS_late_receiver] = "0.91 0.12 0.39",
    [LOSS_collective_wait] = "0.61 0.15 0.69", [LOSS_end_imbalance] = "0.62 0.62 0.62",
};

/* A quoted text cannot hold quotes or line ends. */
static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fputc(*text == '"' || (unsigned char)*text < ' ' ? '\'' : *text, out);
    fputc('"', out);
}

static void write_time(FILE *out, enum paje_event event, double seconds)
{
    int64_t ns = trace_ns(seconds);
    fprintf(out, "%d %lld.%09lld ", (int)event, (long long)(ns / 1000000000), (long long)(ns % 1000000000));
}

static enum status paje_open(void **state, const char *path, const struct trace_about *about, struct diags *diags)
{
    struct outfile file;
    enum status status = outfile_open(&file, path, diags);
    if (status != STATUS_OK)
        return status;
    struct paje *paje = alloc_zeroed(1, sizeof *paje);
    paje->file = file;
    if (about)
        paje->about = *about;
    *state = paje;
    return STATUS_OK;
}

static void paje_span(void *state, const struct span *span)
{
    trace_record_span(&((struct paje *)state)->record, span);
}

static void paje_flight(void *state, const struct flight *flight)
{
    trace_record_flight(&((struct paje *)state)->record, flight);
}

static void write_header(FILE *out, const char *title)
{
    fprintf(out, "# pevpm %s: ", PEVPM_VERSION);
    for (; *title; title++)
        fputc((unsigned char)*title < ' ' ? '?' : *title, out);
    fputc('\n', out);
#define X(name, number, fields) fprintf(out, "%%EventDef Paje%s %d\n%% %s\n%%EndEventDef\n", #name, number, fields);
    EVENT_LIST(X)
#undef X
}

/* Types: M machine, N node, P process; states D directive and L loss; links F flight. Values: l<loss>, d<site>, d-1. */
static void write_types(FILE *out, const struct program *program)
{
    fprintf(out, "%d M 0 Machine\n%d N M Node\n%d P N Process\n", PAJE_DefineContainerType, PAJE_DefineContainerType,
            PAJE_DefineContainerType);
    fprintf(out, "%d L P Loss\n%d D P Directive\n%d F M P P Message\n", PAJE_DefineStateType, PAJE_DefineStateType,
            PAJE_DefineLinkType);
    for (int loss = 0; loss < N_LOSSES; loss++) {
        fprintf(out, "%d l%d L ", PAJE_DefineEntityValue, loss);
        write_text(out, loss_heading((enum loss)loss));
        fprintf(out, " \"%s\"\n", colours[loss]);
    }
    for (int32_t site = -1; site < program->n_sites; site++) {
        char *text = trace_site_text(program, site);
        fprintf(out, "%d d%d D ", PAJE_DefineEntityValue, site);
        write_text(out, text);
        /* neighbours in the source should not look alike: the hue goes round by the golden ratio */
        double hue = 0.6180339887498949 * (site + 1);
        hue -= (double)(int)hue;
        const struct numerals before = numerals_plain();
        fprintf(out, " \"%.2f %.2f %.2f\"\n", 0.25 + 0.75 * hue, 0.9 - 0.6 * hue, hue < 0.5 ? 0.3 + hue : 1.2 - hue);
        numerals_restore(before);
        free(text);
    }
}

static void write_containers(FILE *out, const struct program *program)
{
    write_time(out, PAJE_CreateContainer, 0);
    fprintf(out, "m M 0 \"machine\"\n");
    for (int node = 0; node < program->nodes; node++) {
        write_time(out, PAJE_CreateContainer, 0);
        fprintf(out, "n%d N m \"node %d\"\n", node, node);
    }
    for (int process = 0; process < program->numprocs; process++) {
        write_time(out, PAJE_CreateContainer, 0);
        fprintf(out, "p%d P n%d \"process %d\"\n", process, program_node(program, process), process);
    }
}

/* One line of the body. At equal times a process first gets its state, then messages start, then they end. */
struct mark {
    double time;
    enum { MARK_SPAN, MARK_SENT, MARK_RECEIVED } kind;
    size_t number;               /* of the span or flight */
};

static int by_time(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static struct mark *marks_sort(const struct trace_record *record, size_t *n_marks)
{
    size_t n = 0;
    struct mark *marks = alloc_array(record->n_spans + 2 * record->n_flights, sizeof *marks);
    for (size_t i = 0; i < record->n_spans; i++)
        marks[n++] = (struct mark){record->spans[i].from, MARK_SPAN, i};
    for (size_t i = 0; i < record->n_flights; i++) {
        marks[n++] = (struct mark){record->flights[i].sent, MARK_SENT, i};
        marks[n++] = (struct mark){record->flights[i].received, MARK_RECEIVED, i};
    }
    qsort(marks, n, sizeof *marks, by_time);
    *n_marks = n;
    return marks;
}

static void write_state(FILE *out, const struct span *span, int32_t *directive)
{
    write_time(out, PAJE_SetState, span->from);
    fprintf(out, "L p%d l%d\n", span->process, (int)span->loss);
    if (directive[span->process] == span->site)
        return;
    directive[span->process] = span->site;
    write_time(out, PAJE_SetState, span->from);
    fprintf(out, "D p%d d%d\n", span->process, span->site);
}

static void write_body(FILE *out, const struct trace_record *record, const struct program *program)
{
    size_t n;
    struct mark *marks = marks_sort(record, &n);
    int32_t *directive = alloc_array((size_t)program->numprocs, sizeof *directive);
    for (int process = 0; process < program->numprocs; process++)
        directive[process] = INT32_MIN;
    for (size_t i = 0; i < n; i++) {
        if (marks[i].kind == MARK_SPAN) {
            write_state(out, &record->spans[marks[i].number], directive);
            continue;
        }
        const struct flight *flight = &record->flights[marks[i].number];
        bool starts = marks[i].kind == MARK_SENT;
        write_time(out, starts ? PAJE_StartLink : PAJE_EndLink, marks[i].time);
        fprintf(out, "F m message p%d k%zu", starts ? flight->from : flight->to, marks[i].number);
        if (starts)
            fprintf(out, " %lld %d", (long long)flight->bytes, flight->tag);
        fputc('\n', out);
    }
    free(directive);
    free(marks);
}

/* Everything ends when the last process does. */
static void write_end(FILE *out, const struct trace_record *record, const struct program *program)
{
    double end = 0;
    for (size_t i = 0; i < record->n_spans; i++)
        end = record->spans[i].to > end ? record->spans[i].to : end;
    for (int process = 0; process < program->numprocs; process++) {
        write_time(out, PAJE_DestroyContainer, end);
        fprintf(out, "P p%d\n", process);
    }
    for (int node = 0; node < program->nodes; node++) {
        write_time(out, PAJE_DestroyContainer, end);
        fprintf(out, "N n%d\n", node);
    }
    write_time(out, PAJE_DestroyContainer, end);
    fprintf(out, "M m\n");
}

static void paje_free(struct paje *paje)
{
    trace_record_free(&paje->record);
    free(paje);
}

static enum status paje_commit(void *state, struct diags *diags)
{
    struct paje *paje = state;
    FILE *out = paje->file.stream;
    write_header(out, paje->about.title);
    write_types(out, paje->about.program);
    write_containers(out, paje->about.program);
    write_body(out, &paje->record, paje->about.program);
    write_end(out, &paje->record, paje->about.program);
    enum status status = outfile_commit(&paje->file, diags);
    paje_free(paje);
    return status;
}

static void paje_abandon(void *state)
{
    struct paje *paje = state;
    outfile_abandon(&paje->file);
    paje_free(paje);
}

const struct trace_form trace_paje = {".paje", paje_open, paje_span, paje_flight, paje_commit, paje_abandon};
