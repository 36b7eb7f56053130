#include "report/trace.h"

#include "common/alloc.h"
#include "report/trace_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct trace {
    const struct trace_form *form;
    void *state;
};

static const struct trace_form *form_of(const char *path)
{
    static const struct trace_form *const forms[] = {&trace_chrome, &trace_paje};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof forms / sizeof *forms; i++)
        if (strcmp(dot, forms[i]->extension) == 0)
            return forms[i];
    return &trace_otf2;
}

enum status trace_open(struct trace **trace, const char *path, const struct trace_about *about, struct diags *diags)
{
    void *state;
    const struct trace_form *form = form_of(path);
    enum status status = form->open(&state, path, about, diags);
    if (status != STATUS_OK)
        return status;
    *trace = alloc_zeroed(1, sizeof **trace);
    **trace = (struct trace){form, state};
    return STATUS_OK;
}

enum status trace_try(const char *path, struct diags *diags)
{
    void *state;
    const struct trace_form *form = form_of(path);
    enum status status = form->open(&state, path, NULL, diags);
    if (status == STATUS_OK)
        form->abandon(state);
    return status;
}

struct ledger trace_ledger(struct trace *trace)
{
    return (struct ledger){.context = trace->state, .span = trace->form->span, .flight = trace->form->flight};
}

enum status trace_commit(struct trace *trace, struct diags *diags)
{
    enum status status = trace->form->commit(trace->state, diags);
    free(trace);
    return status;
}

void trace_abandon(struct trace *trace)
{
    if (!trace)
        return;
    trace->form->abandon(trace->state);
    free(trace);
}

void trace_record_span(struct trace_record *record, const struct span *span)
{
    if (trace_ns(span->to) <= trace_ns(span->from))
        return;
    record->spans = alloc_grow(record->spans, record->n_spans, &record->spans_capacity, sizeof *record->spans);
    record->spans[record->n_spans++] = *span;
}

void trace_record_flight(struct trace_record *record, const struct flight *flight)
{
    record->flights =
        alloc_grow(record->flights, record->n_flights, &record->flights_capacity, sizeof *record->flights);
    record->flights[record->n_flights++] = *flight;
}

void trace_record_free(struct trace_record *record)
{
    free(record->spans);
    free(record->flights);
    *record = (struct trace_record){0};
}

int64_t trace_ns(double seconds)
{
    return llround(seconds * 1e9);
}

char *trace_site_text(const struct program *program, int32_t site)
{
    if (site < 0)
        return alloc_string("ended");
    const struct site *at = &program->sites[site];
    if (!at->at.file) /* nobody wrote it: what an MPI_Start must know of its request's init */
        return alloc_string(at->what);
    return alloc_format("%s %s:%d", at->what, source_short_name(program->tree->source, at->at.file), at->at.line);
}
