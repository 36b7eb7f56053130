#include "report/trace_impl.h"

#include "common/alloc.h"

#ifdef PEVPM_HAVE_OTF2

#include "common/outdir.h"
#include "report/profile.h"

#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that the library buffers for the one process that is written at a time, and for definitions. */
enum { EVENT_CHUNK = 1 << 20, DEFINITION_CHUNK = 4 << 20 };

struct archive {
    struct outdir dir;
    struct trace_about about;
    struct trace_record record;
    OTF2_ErrorCode failed;       /* the first failure that a call of the library has returned */
    OTF2_ErrorCode reason;       /* the first that it has met on the way to that, as a full disk */
};

/* What is written when the trace ends. A region is a (directive, loss) that occurs. */
struct writing {
    struct archive *archive;
    const struct program *program;
    OTF2_Archive *otf2;
    OTF2_GlobalDefWriter *defs;
    uint32_t *region_of;         /* [(n_sites + 1) * N_LOSSES] NOT_THERE: does not occur */
    uint32_t *comm_of;           /* [n_comms] NOT_THERE: no message */
    uint32_t n_strings;
    uint64_t *n_events;          /* [numprocs] */
    int64_t end;                 /* ns */
};
#define NOT_THERE UINT32_MAX

static void keep(struct archive *archive, OTF2_ErrorCode code)
{
    if (archive->failed == OTF2_SUCCESS)
        archive->failed = code;
}

/* The library would print: the caller of trace_commit does. */
static OTF2_ErrorCode keep_reason(void *data, const char *file, uint64_t line, const char *function,
                                  OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct archive *archive = data;
    if (archive->reason == OTF2_SUCCESS)
        archive->reason = code;
    (void)file;
    (void)line;
    (void)function;
    (void)format;
    (void)arguments;
    return code;
}

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data;
    (void)type;
    (void)location;
    (void)caller;
    (void)final;
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = before_flush};

static enum status archive_open(void **state, const char *path, const struct trace_about *about, struct diags *diags)
{
    struct outdir dir;
    enum status status = outdir_open(&dir, path, "traces.otf2", diags);
    if (status != STATUS_OK)
        return status;
    struct archive *archive = alloc_zeroed(1, sizeof *archive);
    archive->dir = dir;
    archive->failed = OTF2_SUCCESS;
    if (about)
        archive->about = *about;
    *state = archive;
    return STATUS_OK;
}

static void archive_span(void *state, const struct span *span)
{
    trace_record_span(&((struct archive *)state)->record, span);
}

static void archive_flight(void *state, const struct flight *flight)
{
    trace_record_flight(&((struct archive *)state)->record, flight);
}

static void archive_abandon(void *state)
{
    struct archive *archive = state;
    outdir_abandon(&archive->dir);
    trace_record_free(&archive->record);
    free(archive);
}

static size_t region_index(const struct writing *w, const struct span *span)
{
    int32_t site = span->site < 0 ? w->program->n_sites : span->site;
    return (size_t)site * N_LOSSES + (size_t)span->loss;
}

/* Numbers those that occur (are not NOT_THERE) in ascending order, as readers want them defined. */
static void number(size_t n, uint32_t numbers[])
{
    uint32_t next = 0;
    for (size_t i = 0; i < n; i++)
        if (numbers[i] != NOT_THERE)
            numbers[i] = next++;
}

/* What occurs; MPI_COMM_WORLD always does. */
static void scan(struct writing *w)
{
    const struct trace_record *record = &w->archive->record;
    size_t n_regions = ((size_t)w->program->n_sites + 1) * N_LOSSES, n_comms = (size_t)w->program->n_comms;
    memset(w->region_of, 0xff, n_regions * sizeof *w->region_of);
    memset(w->comm_of, 0xff, n_comms * sizeof *w->comm_of);
    for (size_t i = 0; i < record->n_spans; i++) {
        w->region_of[region_index(w, &record->spans[i])] = 0;
        int64_t to = trace_ns(record->spans[i].to);
        w->end = to > w->end ? to : w->end;
    }
    w->comm_of[0] = 0;
    for (size_t i = 0; i < record->n_flights; i++)
        w->comm_of[record->flights[i].comm] = 0;
    number(n_regions, w->region_of);
    number(n_comms, w->comm_of);
}

/* Items of one process's own order: its spans, and what is sent and received, by counting sort. */
struct slices {
    size_t *start;               /* [numprocs + 1] */
    size_t *item;
};

static int32_t span_process(const struct trace_record *record, size_t i)
{
    return record->spans[i].process;
}

/* Flight i leaves its sender as item i and reaches its receiver as item n_flights + i. */
static int32_t flight_process(const struct trace_record *record, size_t i)
{
    return i < record->n_flights ? record->flights[i].from : record->flights[i - record->n_flights].to;
}

static struct slices slices_make(const struct trace_record *record, size_t n, int numprocs,
                                 int32_t (*process_of)(const struct trace_record *record, size_t i))
{
    struct slices slices = {alloc_zeroed((size_t)numprocs + 1, sizeof *slices.start),
                            alloc_array(n, sizeof *slices.item)};
    size_t *next = alloc_array((size_t)numprocs + 1, sizeof *next);
    for (size_t i = 0; i < n; i++)
        slices.start[process_of(record, i) + 1]++;
    for (int p = 0; p < numprocs; p++)
        slices.start[p + 1] += slices.start[p];
    memcpy(next, slices.start, ((size_t)numprocs + 1) * sizeof *next);
    for (size_t i = 0; i < n; i++)
        slices.item[next[process_of(record, i)]++] = i;
    free(next);
    return slices;
}

static void slices_free(struct slices *slices)
{
    free(slices->start);
    free(slices->item);
}

/* A message as one of its processes sees it. */
struct mark {
    int64_t time;
    bool sent;
    size_t flight;
};

/* What is received at a moment belongs to the call that returns then, what is sent to the call that begins. */
static int by_time(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->sent != y->sent)
        return x->sent ? 1 : -1;
    return x->flight < y->flight ? -1 : x->flight > y->flight;
}

static void write_mark(struct writing *w, OTF2_EvtWriter *events, const struct mark *mark)
{
    const struct flight *flight = &w->archive->record.flights[mark->flight];
    OTF2_CommRef comm = w->comm_of[flight->comm];
    int32_t other = program_comm_rank(w->program, flight->comm, mark->sent ? flight->to : flight->from);
    OTF2_TimeStamp time = (OTF2_TimeStamp)mark->time;
    uint32_t tag = flight->tag < 0 ? OTF2_UNDEFINED_UINT32 : (uint32_t)flight->tag;
    uint64_t bytes = (uint64_t)flight->bytes;
    if (mark->sent)
        keep(w->archive, OTF2_EvtWriter_MpiSend(events, NULL, time, (uint32_t)other, comm, tag, bytes));
    else
        keep(w->archive, OTF2_EvtWriter_MpiRecv(events, NULL, time, (uint32_t)other, comm, tag, bytes));
}

/* One process's spans with its messages between their begin and end. */
static void write_process(struct writing *w, OTF2_EvtWriter *events, size_t n_spans, const size_t spans[],
                          size_t n_marks, const struct mark marks[])
{
    struct archive *archive = w->archive;
    size_t next = 0;
    for (size_t i = 0; i < n_spans; i++) {
        const struct span *span = &archive->record.spans[spans[i]];
        int64_t from = trace_ns(span->from), to = trace_ns(span->to);
        uint32_t region = w->region_of[region_index(w, span)];
        for (; next < n_marks && marks[next].time < from; next++)
            write_mark(w, events, &marks[next]);
        keep(archive, OTF2_EvtWriter_Enter(events, NULL, (OTF2_TimeStamp)from, region));
        for (; next < n_marks && (marks[next].time < to || (marks[next].time == to && !marks[next].sent)); next++)
            write_mark(w, events, &marks[next]);
        keep(archive, OTF2_EvtWriter_Leave(events, NULL, (OTF2_TimeStamp)to, region));
    }
    for (; next < n_marks; next++)
        write_mark(w, events, &marks[next]);
}

static void write_events(struct writing *w)
{
    struct archive *archive = w->archive;
    const struct trace_record *record = &archive->record;
    int numprocs = w->program->numprocs;
    struct slices spans = slices_make(record, record->n_spans, numprocs, span_process);
    struct slices flights = slices_make(record, 2 * record->n_flights, numprocs, flight_process);
    struct mark *marks = alloc_array(2 * record->n_flights, sizeof *marks);
    keep(archive, OTF2_Archive_OpenEvtFiles(w->otf2));
    for (int p = 0; p < numprocs && archive->failed == OTF2_SUCCESS; p++) {
        size_t first = flights.start[p], n_marks = flights.start[p + 1] - first;
        for (size_t i = 0; i < n_marks; i++) {
            size_t item = flights.item[first + i];
            bool sent = item < record->n_flights;
            size_t flight = sent ? item : item - record->n_flights;
            marks[i] = (struct mark){trace_ns(sent ? record->flights[flight].sent : record->flights[flight].received),
                                     sent, flight};
        }
        qsort(marks, n_marks, sizeof *marks, by_time);
        OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(w->otf2, (OTF2_LocationRef)p);
        if (!events) {
            keep(archive, OTF2_ERROR_INVALID);
            break;
        }
        write_process(w, events, spans.start[p + 1] - spans.start[p], spans.item + spans.start[p], n_marks, marks);
        keep(archive, OTF2_EvtWriter_GetNumberOfEvents(events, &w->n_events[p]));
        keep(archive, OTF2_Archive_CloseEvtWriter(w->otf2, events));
    }
    keep(archive, OTF2_Archive_CloseEvtFiles(w->otf2));
    free(marks);
    slices_free(&flights);
    slices_free(&spans);
}

/* Readers want a file of definitions for each process, though it holds none. */
static void write_local_definitions(struct writing *w)
{
    struct archive *archive = w->archive;
    keep(archive, OTF2_Archive_OpenDefFiles(w->otf2));
    for (int p = 0; p < w->program->numprocs && archive->failed == OTF2_SUCCESS; p++) {
        OTF2_DefWriter *defs = OTF2_Archive_GetDefWriter(w->otf2, (OTF2_LocationRef)p);
        keep(archive, defs ? OTF2_Archive_CloseDefWriter(w->otf2, defs) : OTF2_ERROR_INVALID);
    }
    keep(archive, OTF2_Archive_CloseDefFiles(w->otf2));
}

static OTF2_StringRef write_string(struct writing *w, const char *text)
{
    keep(w->archive, OTF2_GlobalDefWriter_WriteString(w->defs, w->n_strings, text));
    return w->n_strings++;
}

/* "node 3" */
static OTF2_StringRef write_numbered(struct writing *w, const char *word, int number)
{
    char text[48];
    snprintf(text, sizeof text, "%s %d", word, number);
    return write_string(w, text);
}

/* Node 0 of the tree is the machine, 1 ... its nodes. */
static void write_system(struct writing *w)
{
    struct archive *archive = w->archive;
    OTF2_StringRef machine = write_string(w, archive->about.title), machine_class = write_string(w, "machine");
    OTF2_StringRef node_class = write_string(w, "node");
    keep(archive, OTF2_GlobalDefWriter_WriteSystemTreeNode(w->defs, 0, machine, machine_class,
                                                           OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (int node = 0; node < w->program->nodes; node++)
        keep(archive, OTF2_GlobalDefWriter_WriteSystemTreeNode(w->defs, (OTF2_SystemTreeNodeRef)node + 1,
                                                               write_numbered(w, "node", node), node_class, 0));
    for (int p = 0; p < w->program->numprocs; p++) {
        OTF2_StringRef name = write_numbered(w, "process", p);
        keep(archive, OTF2_GlobalDefWriter_WriteLocationGroup(
                          w->defs, (OTF2_LocationGroupRef)p, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                          (OTF2_SystemTreeNodeRef)program_node(w->program, p) + 1, OTF2_UNDEFINED_LOCATION_GROUP));
        keep(archive, OTF2_GlobalDefWriter_WriteLocation(w->defs, (OTF2_LocationRef)p, name,
                                                         OTF2_LOCATION_TYPE_CPU_THREAD, w->n_events[p],
                                                         (OTF2_LocationGroupRef)p));
    }
}

static OTF2_RegionRole role_of(enum loss loss)
{
    switch (loss) {
    case LOSS_computation: return OTF2_REGION_ROLE_FUNCTION;
    case LOSS_collective_wait: return OTF2_REGION_ROLE_COLL_OTHER;
    case LOSS_end_imbalance: return OTF2_REGION_ROLE_ARTIFICIAL;
    default: return OTF2_REGION_ROLE_POINT2POINT;
    }
}

static void write_region(struct writing *w, int32_t site, enum loss loss, OTF2_StringRef empty)
{
    uint32_t region = w->region_of[(size_t)site * N_LOSSES + (size_t)loss];
    bool ended = site == w->program->n_sites;
    char *place = trace_site_text(w->program, ended ? -1 : site);
    char *text = alloc_format("%s (%s)", place, loss_heading(loss));
    OTF2_StringRef name = write_string(w, text), reason = write_string(w, loss_heading(loss));
    OTF2_StringRef file = ended ? empty : write_string(w, w->program->sites[site].at.file);
    uint32_t line = ended ? 0 : (uint32_t)w->program->sites[site].at.line;
    OTF2_RegionRole role = role_of(loss);
    bool is_message = role == OTF2_REGION_ROLE_POINT2POINT || role == OTF2_REGION_ROLE_COLL_OTHER;
    keep(w->archive, OTF2_GlobalDefWriter_WriteRegion(w->defs, region, name, name, reason, role,
                                                      is_message ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                                      OTF2_REGION_FLAG_NONE, file, line, line));
    free(text);
    free(place);
}

/* Group 0 lists the processes; each communicator has a group of its members among them. */
static void write_comms(struct writing *w, OTF2_StringRef empty)
{
    struct archive *archive = w->archive;
    uint32_t n = (uint32_t)w->program->numprocs;
    uint64_t *members = alloc_array(n, sizeof *members);
    for (uint32_t p = 0; p < n; p++)
        members[p] = p;
    keep(archive, OTF2_GlobalDefWriter_WriteGroup(w->defs, 0, empty, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                                  OTF2_GROUP_FLAG_NONE, n, members));
    for (int32_t c = 0; c < w->program->n_comms; c++) {
        uint32_t comm = w->comm_of[c];
        const struct comm *of = &w->program->comms[c];
        if (comm == NOT_THERE)
            continue;
        uint32_t size = c == 0 ? n : (uint32_t)of->n;
        for (uint32_t rank = 0; rank < size; rank++)
            members[rank] = (uint64_t)program_comm_process(w->program, c, (int32_t)rank);
        OTF2_StringRef name = c == 0 ? write_string(w, "MPI_COMM_WORLD") : write_numbered(w, "communicator", c);
        keep(archive, OTF2_GlobalDefWriter_WriteGroup(w->defs, comm + 1, name, OTF2_GROUP_TYPE_COMM_GROUP,
                                                      OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, size, members));
        keep(archive, OTF2_GlobalDefWriter_WriteComm(w->defs, comm, name, comm + 1, OTF2_UNDEFINED_COMM,
                                                     OTF2_COMM_FLAG_NONE));
    }
    free(members);
}

static void write_definitions(struct writing *w)
{
    struct archive *archive = w->archive;
    w->defs = OTF2_Archive_GetGlobalDefWriter(w->otf2);
    if (!w->defs) {
        keep(archive, OTF2_ERROR_INVALID);
        return;
    }
    keep(archive, OTF2_GlobalDefWriter_WriteClockProperties(w->defs, 1000000000, 0, (uint64_t)w->end,
                                                            OTF2_UNDEFINED_TIMESTAMP));
    OTF2_StringRef empty = write_string(w, "");
    keep(archive, OTF2_GlobalDefWriter_WriteParadigm(w->defs, OTF2_PARADIGM_MPI, write_string(w, "MPI"),
                                                     OTF2_PARADIGM_CLASS_PROCESS));
    write_system(w);
    for (int32_t site = 0; site <= w->program->n_sites; site++)
        for (int loss = 0; loss < N_LOSSES; loss++)
            if (w->region_of[(size_t)site * N_LOSSES + (size_t)loss] != NOT_THERE)
                write_region(w, site, (enum loss)loss, empty);
    write_comms(w, empty);
}

static void write_archive(struct writing *w)
{
    struct archive *archive = w->archive;
    w->otf2 = OTF2_Archive_Open(archive->dir.temporary, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK, DEFINITION_CHUNK,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!w->otf2) {
        keep(archive, OTF2_ERROR_INVALID);
        return;
    }
    keep(archive, OTF2_Archive_SetFlushCallbacks(w->otf2, &flush_callbacks, NULL));
    keep(archive, OTF2_Archive_SetSerialCollectiveCallbacks(w->otf2));
    keep(archive, OTF2_Archive_SetCreator(w->otf2, "pevpm " PEVPM_VERSION));
    keep(archive, OTF2_Archive_SetDescription(w->otf2, archive->about.title));
    if (archive->failed == OTF2_SUCCESS)
        write_events(w);
    if (archive->failed == OTF2_SUCCESS)
        write_local_definitions(w);
    if (archive->failed == OTF2_SUCCESS)
        write_definitions(w);
    keep(archive, OTF2_Archive_Close(w->otf2));
}

static enum status archive_commit(void *state, struct diags *diags)
{
    struct archive *archive = state;
    const struct program *program = archive->about.program;
    size_t n_regions = ((size_t)program->n_sites + 1) * N_LOSSES, n_comms = (size_t)program->n_comms;
    struct writing writing = {.archive = archive, .program = program,
                              .region_of = alloc_array(n_regions, sizeof *writing.region_of),
                              .comm_of = alloc_array(n_comms, sizeof *writing.comm_of),
                              .n_events = alloc_zeroed((size_t)program->numprocs, sizeof *writing.n_events)};
    scan(&writing);
    OTF2_ErrorCallback said = OTF2_Error_RegisterCallback(keep_reason, archive);
    write_archive(&writing);
    OTF2_Error_RegisterCallback(said, NULL);
    free(writing.n_events);
    free(writing.comm_of);
    free(writing.region_of);
    enum status status = STATUS_OK;
    if (archive->failed != OTF2_SUCCESS) {
        OTF2_ErrorCode why = archive->reason != OTF2_SUCCESS ? archive->reason : archive->failed;
        diag_error(diags, place_of_file(archive->dir.path), "cannot write the OTF2 archive: %s",
                   OTF2_Error_GetDescription(why));
        status = STATUS_IO;
    } else {
        status = outdir_commit(&archive->dir, diags);
    }
    archive_abandon(archive);
    return status;
}

#else

static enum status archive_open(void **state, const char *path, const struct trace_about *about, struct diags *diags)
{
    (void)state;
    (void)about;
    diag_error(diags, place_of_file(path), "an OTF2 archive cannot be written: pevpm-sim was built without libotf2 "
                                           "(version 3 or later); a name that ends in .json or .paje gives another "
                                           "form");
    return STATUS_NOT_YET;
}

static void archive_span(void *state, const struct span *span)
{
    (void)state;
    (void)span;
}

static void archive_flight(void *state, const struct flight *flight)
{
    (void)state;
    (void)flight;
}

static enum status archive_commit(void *state, struct diags *diags)
{
    (void)state;
    (void)diags;
    return STATUS_OK;
}

static void archive_abandon(void *state)
{
    (void)state;
}

#endif

const struct trace_form trace_otf2 = {NULL, archive_open, archive_span,
                                      archive_flight, archive_commit, archive_abandon};
