/* trace_impl.h - what trace.c offers to the writers of single forms, and they to it. Contract: trace.h. */
#ifndef PEVPM_REPORT_TRACE_IMPL_H
#define PEVPM_REPORT_TRACE_IMPL_H

#include "report/trace.h"

#include <stddef.h>

/* A form. open makes its own state; commit and abandon end it. about may be NULL for open followed by abandon. */
struct trace_form {
    const char *extension;       /* NULL: a folder */
    enum status (*open)(void **state, const char *path, const struct trace_about *about, struct diags *diags);
    void (*span)(void *state, const struct span *span);
    void (*flight)(void *state, const struct flight *flight);
    enum status (*commit)(void *state, struct diags *diags);
    void (*abandon)(void *state);
};
extern const struct trace_form trace_chrome, trace_paje, trace_otf2;

/* Spans with a length and flights, as told. Zero-initialise. */
struct trace_record {
    size_t n_spans, spans_capacity, n_flights, flights_capacity;
    struct span *spans;
    struct flight *flights;
};
void trace_record_span(struct trace_record *record, const struct span *span);
void trace_record_flight(struct trace_record *record, const struct flight *flight);
void trace_record_free(struct trace_record *record);

/* Nanoseconds, rounded. */
int64_t trace_ns(double seconds);

/* "MPI_Recv jacobi.c:31"; of site -1 "ended". Allocated. */
char *trace_site_text(const struct program *program, int32_t site);

#endif
