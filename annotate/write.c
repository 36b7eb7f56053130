#include "annotate/write.h"

#include "record/calls.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 110 };           /* of a line: a longer directive goes on in the next one */

struct writing {
    struct phrases *p;
    struct plan *plan;
    struct lines_added *lines;
    int file, last;             /* where the last line went: what follows never goes before it */
    int depth;                  /* blocks of directives around */
};

/* ---- lines ---- */

static int indent_of(const struct plan *plan, int file, int line)
{
    const struct source *source = plan->files[file].source;
    if (line < 1 || (size_t)line > source->n_lines)
        return 0;
    size_t begin = source->line_start[line - 1], end = source_line_end(source, (size_t)line - 1);
    size_t at = begin;
    while (at < end && (source->text[at] == ' ' || source->text[at] == '\t'))
        at++;
    return (int)(at - begin);
}

/* A comment cannot stand behind a line that goes on. */
static int free_line(const struct plan *plan, int file, int line)
{
    const struct source *source = plan->files[file].source;
    while (source->host == HOST_C && line > 1 && (size_t)line <= source->n_lines) {
        size_t end = source_line_end(source, (size_t)line - 2);
        if (end == 0 || source->text[end - 1] != '\\')
            break;
        line--;
    }
    return line;
}

/* like: the line whose indentation is taken. */
static void put_text(struct writing *w, int line, int like, const char *text)
{
    const struct source *source = w->plan->files[w->file].source;
    line = free_line(w->plan, w->file, line);
    w->last = line > w->last ? line : w->last;
    const bool fixed = source->host == HOST_FORTRAN_FIXED; /* whose comments begin in the first column */
    int indent = fixed ? 0 : indent_of(w->plan, w->file, like);
    const char *blanks = indent > 0 ? source->text + source->line_start[like - 1] : "",
               *leader = source->host == HOST_C ? "//" : "!";
    w->lines->list = alloc_grow(w->lines->list, w->lines->n, &w->lines->capacity, sizeof *w->lines->list);
    w->lines->list[w->lines->n++] = (struct line_added){
        .file = w->file, .line = w->last, .text = alloc_format("%.*s%s %s", indent, blanks, leader, text)};
}

/* The last ` & ` of a text that stands within `room` bytes, else the first; NULL: there is none. */
static char *find_key(char *text, size_t room)
{
    char *cut = NULL;
    for (char *next = strstr(text, " & "); next; next = strstr(next + 3, " & "))
        if (!cut || (size_t)(next - text) < room)
            cut = next;
    return cut;
}

/* The last `, ` within `room` bytes of those that the fewest brackets are around; NULL: there is none. */
static char *find_comma(char *text, size_t room)
{
    char *cut = NULL;
    int depth = 0, least = 0;
    for (char *at = text; *at && (size_t)(at - text) < room; at++) {
        depth += (*at == '(') - (*at == ')');
        if (at[0] == ',' && at[1] == ' ' && (!cut || depth <= least)) {
            cut = at;
            least = depth;
        }
    }
    return cut;
}

/* A directive, over as many lines as it takes: it is cut before ` & `, lists of neighbours behind a comma. */
static void put(struct writing *w, int line, int like, const char *form, ...) __attribute__((format(printf, 4, 5)));
static void put(struct writing *w, int line, int like, const char *form, ...)
{
    va_list arguments;
    va_start(arguments, form);
    char *text = alloc_format_list(form, arguments);
    va_end(arguments);
    size_t room = WIDTH - (size_t)indent_of(w->plan, w->file, like);
    const bool lists = strncmp(text, "Set near", 8) == 0;
    for (char *at = text, *cut; at; at = cut) {
        cut = strlen(at) <= room ? NULL : lists ? find_comma(at, room) : find_key(at, room);
        const bool listed = cut && *cut == ',';
        if (cut)
            cut[listed] = '\0';
        char *whole = alloc_format("PEVPM %s%s", at == text ? "" : "      & ", at);
        put_text(w, line, like, whole);
        free(whole);
        cut = cut ? cut + (listed ? 2 : 3) : NULL;
    }
    free(text);
}

/* ---- calls ---- */

static void put_holes(struct writing *w, int node, int line, int like)
{
    for (size_t i = 0; i < w->p->n_holes; i++) {
        const struct hole *hole = &w->p->holes[i];
        if (hole->node != node)
            continue;
        char *text = alloc_format("pevpm-annotate: %s", hole->comment);
        put_text(w, line, like, text);
        free(text);
        put(w, line, like, "Param %s = %" PRId64, hole->name, hole->value);
    }
}

static void add_key(FILE *out, const char *key, const char *text, const char *usual)
{
    if (text && (!usual || strcmp(text, usual) != 0))
        fprintf(out, " & %s = %s", key, text);
}

static void add_comm(FILE *out, const struct plan_node *node)
{
    if (node->comm >= 0)
        fprintf(out, " & comm = %s%d", operation_kind((enum operation)node->op) == KIND_near ? "near" : "comm", node->comm);
}

static void add_request(const struct writing *w, FILE *out, int node)
{
    const struct node_phrases *says = &w->p->of[node];
    fprintf(out, " & request = r%d", node);
    if (says->indexed)
        fprintf(out, "[%s]", says->field[PLAN_request]);
}

static void add_message(const struct writing *w, FILE *out, int at)
{
    const struct plan_node *node = &w->plan->nodes[at];
    enum operation op = (enum operation)node->op;
    const struct node_phrases *says = &w->p->of[at];
    enum operation_kind kind = operation_kind(op);
    bool sends = operation_sends(op), starts = operation_gives_request(op);
    fprintf(out, "Message type = %s", operation_facts(op)->said);
    if (kind == KIND_mprobe || kind == KIND_mrecv)
        fprintf(out, " & message = message%d", kind == KIND_mprobe ? at : node->taken);
    add_key(out, "size", sends ? says->field[PLAN_bytes] : NULL, NULL);
    add_key(out, sends ? "to" : "from", says->field[PLAN_peer], NULL);
    add_key(out, "from", kind == KIND_both ? says->field[PLAN_peer2] : NULL, NULL);
    add_key(out, "tag", says->field[PLAN_tag], "0");
    if (kind == KIND_both)
        add_key(out, "recv_tag", says->field[PLAN_tag2], says->field[PLAN_tag]);
    if (op == OPERATION_MPI_Sendrecv && node->most_other > 0)
        fprintf(out, " & recv_size = %" PRId64, node->most_other);
    if (starts)
        add_request(w, out, at);
    if (node->any_source && !starts)
        fputs(" & source = sender", out);
}

static void add_collective(const struct writing *w, FILE *out, int at)
{
    const struct plan_node *node = &w->plan->nodes[at];
    enum operation op = (enum operation)node->op;
    const struct node_phrases *says = &w->p->of[at];
    fprintf(out, "Collective type = %s", operation_facts(op)->said);
    add_key(out, "size", operation_kind(op) == KIND_barrier ? NULL : says->field[PLAN_bytes], NULL);
    if (operation_kind(op) == KIND_rooted)
        add_key(out, "root", says->field[PLAN_peer], NULL);
    add_comm(out, node);
    if (operation_gives_request(op))
        add_request(w, out, at);
}

static void add_remote(const struct writing *w, FILE *out, int at)
{
    const struct plan_node *node = &w->plan->nodes[at];
    enum operation op = (enum operation)node->op;
    const struct node_phrases *says = &w->p->of[at];
    fprintf(out, "Message type = %s & window = window%d", operation_facts(op)->said, node->window);
    add_key(out, "size", says->field[PLAN_bytes], NULL);
    add_key(out, op == OPERATION_MPI_Get ? "from" : "to", says->field[PLAN_peer], NULL);
    add_key(out, "exclusive", says->field[PLAN_tag], "0");
    add_comm(out, node);
}

/* False: it waits for nothing. */
static bool add_wait(const struct writing *w, FILE *out, int at)
{
    const struct plan_node *node = &w->plan->nodes[at];
    enum operation op = (enum operation)node->op;
    const char *name = operation_facts(op)->said;
    if (strcmp(name, "MPI_Wait") == 0 && (node->waits_several || node->n_waited != 1))
        name = "MPI_Waitall";
    if (node->waits_lists && !node->waits_all && node->n_waited == 0)
        return false;
    fprintf(out, "Message type = %s", name);
    if (!node->waits_several && node->n_waited == 1 && !node->waits_all) {
        fprintf(out, " & request = r%d", node->waited[0]);
        if (w->p->of[node->waited[0]].indexed && w->p->of[at].field[PLAN_request])
            fprintf(out, "[%s]", w->p->of[at].field[PLAN_request]);
        if (w->plan->nodes[node->waited[0]].any_source)
            fputs(" & source = sender", out);
    } else if (!node->waits_all || strcmp(name, "MPI_Waitall") != 0) {
        for (int i = 0; i < node->n_waited; i++)
            fprintf(out, "%sr%d", i == 0 ? " & request = (" : ", ", node->waited[i]);
        fputs(node->n_waited > 0 ? ")" : "", out);
    }
    return true;
}

/* What making a communicator takes. */
static void put_agreement(struct writing *w, int at, int line)
{
    const struct plan_node *node = &w->plan->nodes[at];
    const enum message_op op = (enum message_op)calls_agreement((enum operation)node->op);
    const bool in_group = op == MESSAGE_MPI_Comm_create_group; /* which agrees within what it makes */
    const char *name = message_op_name(op);
    if (in_group && node->world)
        put(w, line, line, "Message type = %s & comm = MPI_COMM_WORLD", name);
    else if (in_group || node->comm >= 0)
        put(w, line, line, "Message type = %s & comm = comm%d", name, in_group ? at : node->comm);
    else
        put(w, line, line, "Message type = %s", name);
}

/* Does a directive name the communicator that a call makes? */
static bool is_named(const struct plan *plan, int at)
{
    for (size_t i = 0; i < plan->n_nodes; i++)
        if (plan->nodes[i].comm == at)
            return true;
    return plan->nodes[at].op == OPERATION_MPI_Comm_create_group;
}

/* All of a communicator are in it as long as the first, who has its time. */
static void put_file(struct writing *w, int at, int line)
{
    const struct plan_node *node = &w->plan->nodes[at];
    const char *time = w->p->of[at].time;
    if (!time)
        return;
    put_text(w, line, line, "pevpm-annotate: the time in the file is that of the recorded runs, whatever the machine file");
    if (node->together && node->comm < 0)
        put(w, line, line, "Runon c1 = procnum == 0");
    else if (node->together)
        put(w, line, line, "Runon c1 = procnum_in(comm%d) == 0", node->comm);
    if (node->together)
        put(w, line, line, "{");
    put(w, line, line, "Serial time = %s us", time);
    if (node->together)
        put(w, line, line, "}");
}

static void put_mpi(struct writing *w, int at, int line)
{
    const struct plan_node *node = &w->plan->nodes[at];
    enum operation op = (enum operation)node->op;
    const struct node_phrases *says = &w->p->of[at];
    enum operation_kind kind = operation_kind(op);
    char *text = NULL;
    size_t length;
    if (kind == KIND_file) {
        put_file(w, at, line);
        return;
    }
    bool any = kind != KIND_other && kind != KIND_window && (kind != KIND_comm || (!node->world && is_named(w->plan, at)));
    if (says->time)
        put(w, line, line, "Serial time = %s us", says->time);
    FILE *out = open_memstream(&text, &length);
    if (kind == KIND_comm && any)
        fprintf(out, "Set comm%d = comm_split(%s, %s)", at, says->field[PLAN_color], says->field[PLAN_key]);
    else if (kind == KIND_wait)
        any = add_wait(w, out, at);
    else if (operation_is_collective(op))
        add_collective(w, out, at);
    else if (operation_is_remote(op))
        add_remote(w, out, at);
    else if (any)
        add_message(w, out, at);
    fclose(out);
    if (any)
        put(w, line, line, "%s", text);
    free(text);
    if (says->near && node->world)
        put(w, line, line, "Set near%d = dist_graph_create_adjacent(%s)", at, says->near);
    else if (says->near)
        put(w, line, line, "Set near%d = dist_graph_create_adjacent(%s, comm%d)", at, says->near, at);
    if (calls_agreement(op) >= 0 && node->comm != -2)
        put_agreement(w, at, line);
}

/* ---- blocks ---- */

static void put_node(struct writing *w, int at);

static void put_children(struct writing *w, size_t n, const int *children)
{
    for (size_t i = 0; i < n; i++)
        put_node(w, children[i]);
}

/* What an argument is where the call stands. */
static char *passed(struct writing *w, const struct plan_node *call, int what)
{
    for (int i = call->parent; i >= 0; i = w->plan->nodes[i].parent)
        if (i == what)
            return alloc_string(w->p->of[what].trips ? w->p->of[what].variable : "0");
    const struct arguments *own = &w->p->arguments[call->function];
    for (size_t i = 0; i < own->n; i++)
        if (own->of[i] == what)
            return alloc_format("%s%s", phrases_argument(w->p, what),
                                what == plan_depth_of(w->plan, call->callee) ? "+1" : "");
    return alloc_format("%d", what == -1 - call->callee ? call->ordinal : 0);
}

static void put_call(struct writing *w, int at, int line)
{
    const struct plan_node *node = &w->plan->nodes[at];
    const struct arguments *arguments = &w->p->arguments[node->callee];
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "Call %s", w->plan->functions[node->callee].name);
    for (size_t i = 0; i < arguments->n; i++) {
        char *value = passed(w, node, arguments->of[i]);
        fprintf(out, "%s%s", i == 0 ? "(" : ", ", value);
        free(value);
    }
    fputs(arguments->n > 0 ? ")" : "", out);
    fclose(out);
    put(w, line, line, "%s", text);
    free(text);
}

static void put_node(struct writing *w, int at)
{
    const struct plan_node *node = &w->plan->nodes[at];
    const struct node_phrases *says = &w->p->of[at];
    const struct outline_node *stands = plan_outline(w->plan, node);
    int open = stands->open_line, close = stands->kind == OUTLINE_CALL ? open : stands->close_line;
    bool loops = stands->kind == OUTLINE_LOOP && says->trips;
    put_holes(w, at, open, open);
    if (says->condition) {
        put(w, open, open, "Runon c1 = %s", says->condition);
        put(w, open, open, "{");
    }
    if (loops) {
        put(w, open, open, "Loop iterations = %s%s%s", says->trips, says->counted ? " & var = " : "",
            says->counted ? says->variable : "");
        put(w, open, open, "{");
    }
    put_children(w, node->n, node->children);
    if (node->callee >= 0)
        put_call(w, at, open);
    if (node->op >= 0)
        put_mpi(w, at, open);
    if (loops)
        put(w, close, open, "}");
    if (says->condition)
        put(w, close, open, "}");
}

static void put_params(struct writing *w, int line)
{
    for (int i = 0; i < w->p->n_params; i++)
        put(w, line, line, "Param %s = %" PRId64, w->p->params[i],
            w->p->values[i][w->plan->n_recordings - 1]);
}

static void put_function(struct writing *w, int function)
{
    const struct plan_function *f = &w->plan->functions[function];
    const struct outline_node *stands = &w->plan->files[f->file].outline.nodes[f->outline];
    const struct arguments *arguments = &w->p->arguments[function];
    const size_t first = w->lines->n;
    w->file = f->file;
    w->last = 0;
    if (function == w->plan->begin) {
        put_params(w, stands->open_line);
        put_children(w, f->n, f->children);
        return;
    }
    char *text = alloc_string(f->name);
    for (size_t i = 0; i < arguments->n; i++) {
        char *longer = alloc_format("%s%s%s", text, i == 0 ? "(" : ", ", phrases_argument(w->p, arguments->of[i]));
        free(text);
        text = longer;
    }
    put(w, stands->open_line, stands->open_line, "Procedure %s%s", text, arguments->n > 0 ? ")" : "");
    put(w, stands->open_line, stands->open_line, "{");
    put_children(w, f->n, f->children);
    put(w, stands->close_line, stands->open_line, "}");
    for (size_t i = first; i < w->lines->n; i++)
        w->lines->list[i].ends = w->lines->list[i].line == w->last && w->last > stands->open_line;
    free(text);
}

/* What ends a function within another comes before all that stands around it. */
static bool comes_before(const struct line_added *a, const struct line_added *b)
{
    return a->file != b->file ? a->file < b->file : a->line != b->line ? a->line < b->line : a->ends && !b->ends;
}

void lines_make(struct lines_added *lines, struct phrases *phrases)
{
    struct writing w = {.p = phrases, .plan = phrases->plan, .lines = lines};
    *lines = (struct lines_added){0};
    for (size_t f = 0; f < phrases->plan->n_files; f++)
        for (size_t i = 0; i < phrases->plan->files[f].outline.n; i++)
            for (size_t k = 0; k < phrases->plan->n_functions; k++)
                if (phrases->plan->functions[k].file == (int)f && phrases->plan->functions[k].outline == (int)i)
                    put_function(&w, (int)k);
    for (size_t i = 1; i < lines->n; i++) /* few are out of order: functions */
        for (size_t k = i; k > 0 && comes_before(&lines->list[k], &lines->list[k - 1]); k--) {
            struct line_added other = lines->list[k];
            lines->list[k] = lines->list[k - 1];
            lines->list[k - 1] = other;
        }
}

void lines_free(struct lines_added *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        free(lines->list[i].text);
    free(lines->list);
}

void lines_write(const struct lines_added *lines, const struct plan *plan, int file, FILE *out)
{
    const struct source *source = plan->files[file].source;
    size_t at = 0;
    for (size_t i = 0; i < lines->n; i++) {
        if (lines->list[i].file != file)
            continue;
        size_t line = (size_t)lines->list[i].line - 1;
        size_t begin = line < source->n_lines ? source->line_start[line] : source->length;
        fwrite(source->text + at, 1, begin - at, out);
        at = begin;
        fprintf(out, "%s\n", lines->list[i].text);
    }
    fwrite(source->text + at, 1, source->length - at, out);
}
