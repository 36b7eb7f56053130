#include "report/trace_impl.h"

#include "common/alloc.h"
#include "common/outfile.h"
#include "report/profile.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* Numbers in the file are from 1: viewers take process and thread 0 for the operating system's idle task. */
struct chrome {
    struct outfile file;
    const struct program *program;
    char **names;                /* [n_sites + 1] as json strings; the last is site -1 */
    uint64_t flights;
};

/* chrome://tracing's own names of colours: the useful is green, waits for others are loud. */
static const char *const colours[] = {
    [LOSS_computation] = "thread_state_running",
    [LOSS_send_overhead] = "rail_response",
    [LOSS_receive_overhead] = "rail_response",
    [LOSS_transit] = "thread_state_runnable",
    [LOSS_port_wait] = "bad",
    [LOSS_contention] = "terrible",
    [LOSS_late_sender] = "thread_state_iowait",
    [LOSS_late_receiver] = "thread_state_iowait",
    [LOSS_collective_wait] = "thread_state_unknown",
    [LOSS_end_imbalance] = "grey",
};

static char *json_string(const char *text)
{
    char *json;
    size_t length;
    FILE *out = open_memstream(&json, &length);
    report_json_text(out, text);
    fclose(out);
    return json;
}

/* Microseconds with three decimals, without a detour over a double. */
static void write_time(FILE *out, const char *name, int64_t ns)
{
    fprintf(out, ", \"%s\": %lld.%03d", name, (long long)(ns / 1000), (int)(ns % 1000));
}

static void write_track(struct chrome *chrome, int32_t process)
{
    fprintf(chrome->file.stream, ", \"pid\": %d, \"tid\": %d", program_node(chrome->program, process) + 1, process + 1);
}

static void write_metadata(struct chrome *chrome)
{
    FILE *out = chrome->file.stream;
    const struct program *program = chrome->program;
    for (int node = 0; node < program->nodes; node++)
        fprintf(out, "%s\n{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"tid\": 0, "
                     "\"args\": {\"name\": \"node %d\"}},\n{\"ph\": \"M\", \"name\": \"process_sort_index\", "
                     "\"pid\": %d, \"tid\": 0, \"args\": {\"sort_index\": %d}}",
                node > 0 ? "," : "", node + 1, node, node + 1, node);
    for (int process = 0; process < program->numprocs; process++) {
        fprintf(out, ",\n{\"ph\": \"M\", \"name\": \"thread_name\"");
        write_track(chrome, process);
        fprintf(out, ", \"args\": {\"name\": \"process %d\"}},\n{\"ph\": \"M\", \"name\": \"thread_sort_index\"",
                process);
        write_track(chrome, process);
        fprintf(out, ", \"args\": {\"sort_index\": %d}}", process);
    }
}

static enum status chrome_open(void **state, const char *path, const struct trace_about *about, struct diags *diags)
{
    struct outfile file;
    enum status status = outfile_open(&file, path, diags);
    if (status != STATUS_OK)
        return status;
    struct chrome *chrome = alloc_zeroed(1, sizeof *chrome);
    chrome->file = file;
    *state = chrome;
    if (!about)
        return STATUS_OK;
    chrome->program = about->program;
    size_t n = (size_t)about->program->n_sites + 1;
    chrome->names = alloc_array(n, sizeof *chrome->names);
    for (size_t i = 0; i < n; i++) {
        char *text = trace_site_text(about->program, i + 1 < n ? (int32_t)i : -1);
        chrome->names[i] = json_string(text);
        free(text);
    }
    fprintf(file.stream, "{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"creator\": \"pevpm %s\", \"title\": ",
            PEVPM_VERSION);
    report_json_text(file.stream, about->title);
    fprintf(file.stream, "},\n\"traceEvents\": [");
    write_metadata(chrome);
    return STATUS_OK;
}

static void chrome_span(void *state, const struct span *span)
{
    struct chrome *chrome = state;
    FILE *out = chrome->file.stream;
    int64_t from = trace_ns(span->from), to = trace_ns(span->to);
    if (to <= from)
        return;
    int32_t name = span->site < 0 ? chrome->program->n_sites : span->site;
    fprintf(out, ",\n{\"ph\": \"X\", \"name\": %s, \"cat\": \"%s\"", chrome->names[name], loss_name(span->loss));
    write_track(chrome, span->process);
    write_time(out, "ts", from);
    write_time(out, "dur", to - from);
    fprintf(out, ", \"cname\": \"%s\", \"args\": {\"loss\": \"%s\"}}", colours[span->loss], loss_heading(span->loss));
}

/* An end binds to the slice that contains its time, so it is put into the last nanosecond of the receiving call. */
static void chrome_flight(void *state, const struct flight *flight)
{
    struct chrome *chrome = state;
    FILE *out = chrome->file.stream;
    int64_t sent = trace_ns(flight->sent), received = trace_ns(flight->received) - 1;
    unsigned long long id = ++chrome->flights;
    fprintf(out, ",\n{\"ph\": \"s\", \"name\": \"message\", \"cat\": \"message\", \"id\": %llu", id);
    write_track(chrome, flight->from);
    write_time(out, "ts", sent);
    fprintf(out, ", \"args\": {\"bytes\": %lld, \"tag\": %d, \"to\": %d}}", (long long)flight->bytes, flight->tag,
            flight->to);
    fprintf(out, ",\n{\"ph\": \"f\", \"bp\": \"e\", \"name\": \"message\", \"cat\": \"message\", \"id\": %llu", id);
    write_track(chrome, flight->to);
    write_time(out, "ts", received > sent ? received : sent);
    fprintf(out, ", \"args\": {\"bytes\": %lld, \"tag\": %d, \"from\": %d}}", (long long)flight->bytes, flight->tag,
            flight->from);
}

static void chrome_free(struct chrome *chrome)
{
    for (int32_t i = 0; chrome->names && i <= chrome->program->n_sites; i++)
        free(chrome->names[i]);
    free(chrome->names);
    free(chrome);
}

static enum status chrome_commit(void *state, struct diags *diags)
{
    struct chrome *chrome = state;
    fprintf(chrome->file.stream, "\n]}\n");
    enum status status = outfile_commit(&chrome->file, diags);
    chrome_free(chrome);
    return status;
}

static void chrome_abandon(void *state)
{
    struct chrome *chrome = state;
    outfile_abandon(&chrome->file);
    chrome_free(chrome);
}

const struct trace_form trace_chrome = {".json", chrome_open, chrome_span,
                                        chrome_flight, chrome_commit, chrome_abandon};
