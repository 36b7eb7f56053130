#include "record/write/writer_impl.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* " & key = text", but not what is the default. */
static void write_key(const struct writer *writer, const char *key, const char *text, const char *usual)
{
    if (!usual || strcmp(text, usual) != 0)
        fprintf(writer->out, " & %s = %s", key, text);
}

static void write_request(struct writer *writer, const struct template_node *node)
{
    int path = writer->template->sites.sites[node->site].path,
        direction = writer->template->sites.sites[node->site].direction;
    fprintf(writer->out, " & request = r%d", path);
    if (direction >= 0)
        fprintf(writer->out, "[%d]", direction);
    else if (writer->indexed[path])
        fprintf(writer->out, "[%s]", writer_field(writer, node, FIELD_list, MEANS_NUMBER, -1, "number of a request"));
}

/* The size may follow the grids that the peer, which was asked for last, and the condition follow. */
static void write_size(struct writer *writer, const struct template_node *node)
{
    writer->grids = writer->taken | writer->condition;
    writer->n_laws = writer_laws_of(writer, node, &writer->laws);
    writer->sized = node;
    write_key(writer, "size", writer_field(writer, node, FIELD_bytes, MEANS_NUMBER, -1, "size"), NULL);
    writer->sized = NULL;
    free(writer->laws);
    writer->n_laws = 0;
    writer->grids = 0;
}

/* The neighbour in a direction. */
static const char *neighbour(struct writer *writer, int direction)
{
    writer->taken = GRID_BIT(writer->template->in.grid);
    writer->gridded++;
    return writer_keep(writer, direction_partner_text(&writer->template->in, direction, "procnum", "numprocs"));
}

static void write_side(struct writer *writer, const struct template_node *node, int comm, bool first, bool sends)
{
    int direction = writer->template->sites.sites[node->site].direction;
    const char *peer = direction >= 0 && comm < 0 ? neighbour(writer, direction)
                     : writer_field(writer, node, first ? FIELD_peer : FIELD_peer2, MEANS_PEER, comm, "partner");
    if (sends)
        write_size(writer, node);
    write_key(writer, sends ? "to" : "from", peer, NULL);
}

static int64_t largest(const struct series *series)
{
    int64_t most = series->n == 0 ? series->value : INT64_MIN;
    for (size_t i = 0; i < series->n; i++) {
        int64_t next = series->runs[i].of ? largest(series->runs[i].of) : INT64_MIN;
        most = next > most ? next : most;
    }
    return most;
}

/* Room for what comes, where some process has room for more or less than it sends. */
static void write_room(const struct writer *writer, const struct template_node *node)
{
    int64_t room = 0;
    bool differs = false;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k]) {
            const struct series *const *field = node->of[k]->field;
            int64_t here = largest(field[FIELD_bytes2]);
            room = here > room ? here : room;
            differs = differs || !series_equal(field[FIELD_bytes2], field[FIELD_bytes]);
        }
    if (differs)
        fprintf(writer->out, " & recv_size = %" PRId64, room);
}

/* `message` of a probe that takes one out, or of the receive of one: named by the probe's path. */
static void write_taken(struct writer *writer, const struct template_node *node, bool probes)
{
    const struct template *template = writer->template;
    const struct recorded_site *site = &template->sites.sites[node->site];
    int path = probes ? site->path : -1;
    bool one = true;
    for (size_t k = 0; k < template->n_instances && !probes; k++) {
        int64_t number;
        if (!node->of[k])
            continue;
        one = one && series_is_constant(node->of[k]->field[FIELD_tag2], &number);
        int here = one ? site_path(&template->sites, writer_process(template, k), (int)number) : -1;
        one = one && (path < 0 || path == here);
        path = here;
    }
    if (!one) {
        diag_error(writer->diags, place_of_file(NULL),
                   "%s at %s receives what several calls of MPI_Mprobe have taken out: directives cannot say that",
                   operation_name(site->op), writer_place(writer, node->site));
        writer->status = STATUS_NOT_YET;
    }
    fprintf(writer->out, " & message = m%d", path);
}

static void write_mrecv(struct writer *writer, const struct template_node *node, enum operation op)
{
    fprintf(writer->out, "Message type = %s", operation_facts(op)->said);
    write_taken(writer, node, false);
    if (operation_gives_request(op))
        write_request(writer, node);
}

static void write_message(struct writer *writer, const struct template_node *node, enum operation op, int comm)
{
    enum operation_kind kind = operation_kind(op);
    fprintf(writer->out, "Message type = %s", operation_facts(op)->said);
    write_side(writer, node, comm, true, operation_sends(op));
    if (kind == KIND_both)
        write_side(writer, node, comm, false, false);
    if (kind == KIND_both && op != OPERATION_MPI_Sendrecv_replace)
        write_room(writer, node);
    const char *tag = writer_field(writer, node, FIELD_tag, MEANS_TAG, -1, "tag");
    write_key(writer, "tag", tag, "0");
    if (kind == KIND_both)
        write_key(writer, "recv_tag", writer_field(writer, node, FIELD_tag2, MEANS_TAG, -1, "tag"), tag);
    if (comm >= 0)
        fprintf(writer->out, " & comm = %s", writer->comms[comm].name);
    if (operation_gives_request(op))
        write_request(writer, node);
    if (kind == KIND_mprobe)
        write_taken(writer, node, true);
    if ((kind == KIND_recv && !operation_gives_request(op)) || kind == KIND_probe || kind == KIND_mprobe)
        fputs(writer_has_wildcard(writer, node) ? " & source = sender" : "", writer->out);
}

static void write_remote(struct writer *writer, const struct template_node *node, enum operation op, int comm)
{
    enum operation_kind kind = operation_kind(op);
    fprintf(writer->out, "Message type = %s & window = %s", operation_facts(op)->said,
            writer_window_of(writer, node)->name);
    if (kind != KIND_fence) {
        const char *peer = writer_field(writer, node, FIELD_peer, MEANS_PEER, comm, "target");
        if (kind == KIND_remote)
            write_size(writer, node);
        write_key(writer, op == OPERATION_MPI_Get ? "from" : "to", peer, NULL);
    }
    if (op == OPERATION_MPI_Win_lock)
        write_key(writer, "exclusive", writer_field(writer, node, FIELD_tag, MEANS_NUMBER, -1, "kind"), "0");
    if (comm >= 0)
        fprintf(writer->out, " & comm = %s", writer->comms[comm].name);
}

/* The mean stands for sizes that differ from partner to partner. */
static void remark_uneven(struct writer *writer, const struct template_node *node, enum operation op)
{
    int64_t most = 0;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k]) {
            int64_t here = largest(node->of[k]->field[FIELD_bytes2]);
            bool uneven = here > 0 && !series_equal(node->of[k]->field[FIELD_bytes2], node->of[k]->field[FIELD_bytes]);
            most = uneven && here > most ? here : most;
        }
    if (most > 0)
        writer_remark(writer, "%s at %s does not send the same to all, up to %" PRId64 " bytes: the mean stands for it",
                      operation_name(op), writer_place(writer, node->site), most);
}

static void write_collective(struct writer *writer, const struct template_node *node, enum operation op, int comm)
{
    fprintf(writer->out, "Collective type = %s", operation_facts(op)->said);
    writer->sized = node;
    if (operation_kind(op) != KIND_barrier)
        write_key(writer, "size", writer_field(writer, node, FIELD_bytes, MEANS_NUMBER, -1, "size"), NULL);
    writer->sized = NULL;
    if (operation_kind(op) == KIND_rooted)
        write_key(writer, "root", writer_field(writer, node, FIELD_peer, MEANS_PEER, comm, "root"), NULL);
    if (comm >= 0)
        fprintf(writer->out, " & comm = %s%s", writer->comms[comm].name,
                operation_kind(op) == KIND_near ? WRITER_NEAR : "");
    if (operation_gives_request(op))
        write_request(writer, node);
    remark_uneven(writer, node, op);
}

/* "# app.c:33, in save: MPI_File_write_all, 8000 bytes", of those that name some. */
static void write_file_comment(const struct writer *writer, const struct template_node *node, enum operation op)
{
    double least = INFINITY, most = 0;
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k]) {
            least = fmin(least, node->of[k]->bytes_least);
            most = fmax(most, node->of[k]->bytes_most);
        }
    writer_indent(writer);
    fprintf(writer->out, "# %s: %s", writer_place(writer, node->site), operation_name(op));
    if (most > 0)
        fprintf(writer->out, ", %s%.0f bytes", least < most ? "up to " : "", most);
    putc('\n', writer->out);
}

/* The condition that a process is the first of those who are in a file together, who has the time of all, since the others
 * wait for it; NULL: it is a call of each for itself. */
static const char *first_in_file(struct writer *writer, const struct template_node *node)
{
    int64_t whose = PEER_NULL;
    for (size_t k = 0; k < writer->template->n_instances && whose == PEER_NULL; k++)
        if (node->of[k] && !series_is_constant(node->of[k]->field[FIELD_peer], &whose))
            whose = PEER_NULL;
    const int comm = whose == PEER_NULL ? -2 : writer_comm_of(writer, node);
    return comm == -2 ? NULL
         : comm == -1 ? "procnum == 0" : writer_keep(writer, alloc_format("procnum_in(%s) == 0", writer->comms[comm].name));
}

static void write_file(struct writer *writer, const struct template_node *node, enum operation op)
{
    FILE *out = writer->out;
    char *time = NULL;
    size_t length;
    const char *first = first_in_file(writer, node);
    write_file_comment(writer, node, op);
    writer->out = open_memstream(&time, &length);
    writer->levels += first != NULL;
    writer_write_computation(writer, node);
    writer->levels -= first != NULL;
    fclose(writer->out);
    writer->out = out;
    if (first && length > 0) {
        writer_indent(writer);
        fprintf(out, "Runon c1 = %s\n", first);
        writer_indent(writer);
        fputs("{\n", out);
    }
    fputs(time, out);
    if (first && length > 0) {
        writer_indent(writer);
        fputs("}\n", out);
    }
    free(time);
}

void writer_write_call(struct writer *writer, const struct template_node *node)
{
    const struct recorded_site *site = &writer->template->sites.sites[node->site];
    enum operation op = site->op;
    if (operation_kind(op) == KIND_file) {
        writer->result->n_calls++;
        write_file(writer, node, op);
        return;
    }
    writer_write_computation(writer, node);
    if (operation_kind(op) == KIND_other || operation_kind(op) == KIND_window)
        return;
    if (operation_kind(op) == KIND_comm) {
        writer_write_comm(writer, node);
        return;
    }
    for (size_t k = 0; k < writer->template->n_instances; k++)
        if (node->of[k] && node->of[k]->varies) {
            writer_remark(writer,
                          "the size of %s at %s follows the data, from %.0f to %.0f bytes: its mean stands for it",
                          operation_name(op), writer_place(writer, node->site), node->of[k]->bytes_least,
                          node->of[k]->bytes_most);
            break;
        }
    int comm = operation_kind(op) == KIND_wait ? -1 : writer_comm_of(writer, node);
    if (comm == -2 || (operation_is_remote(op) && !writer_window_of(writer, node))) {
        diag_error(writer->diags, place_of_file(NULL),
                   "%s at %s is called with several %s, or with one of unknown origin: directives cannot say "
                   "that", operation_name(op), writer_place(writer, node->site),
                   operation_is_remote(op) ? "windows" : "communicators");
        writer->status = STATUS_NOT_YET;
        return;
    }
    if (writer->where && writer->where[node->site] && op != OPERATION_file_part) { /* which file_meet has said */
        writer_indent(writer);
        fprintf(writer->out, "# %s\n", writer->where[node->site]);
    }
    writer->result->n_calls++;
    writer_indent(writer);
    if (operation_kind(op) == KIND_wait) {
        writer_write_wait(writer, node, op);
        return;
    }
    if (operation_kind(op) == KIND_mrecv)
        write_mrecv(writer, node, op);
    else if (operation_is_remote(op))
        write_remote(writer, node, op, comm);
    else if (operation_is_collective(op))
        write_collective(writer, node, op, comm);
    else
        write_message(writer, node, op, comm);
    putc('\n', writer->out);
}
