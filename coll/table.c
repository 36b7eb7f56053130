// SPDX-License-Identifier: MIT
#include "coll/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool v, up;
} ops[] = {
#define X(name, v, up) {#name, v, up},
    COLL_OP_LIST(X)
#undef X
};

const char *coll_op_name(enum coll_op op) { return ops[op].name; }
bool coll_op_is_v(enum coll_op op) { return ops[op].v; }
bool coll_op_goes_up(enum coll_op op) { return ops[op].up; }

bool coll_op_parse(const char *name, size_t length, enum coll_op *op)
{
    for (int i = 0; i < N_COLL_OPS; i++)
        if (strlen(ops[i].name) == length && memcmp(ops[i].name, name, length) == 0) {
            *op = (enum coll_op)i;
            return true;
        }
    return false;
}

/* ---- words of a line ---- */

/* Where a line is read. `good` is false from the first thing on that cannot stand there. */
struct line {
    const char *at;
    bool good;
};

static bool take(struct line *l, const char *text)
{
    size_t length = strlen(text);
    if (!l->good || strncmp(l->at, text, length) != 0)
        return false;
    l->at += length;
    return true;
}

static void expect(struct line *l, const char *text)
{
    if (!take(l, text))
        l->good = false;
}

static int64_t number(struct line *l, int64_t least, int64_t most)
{
    int64_t value = 0;
    int digits = 0;
    for (; l->good && isdigit((unsigned char)*l->at); l->at++, digits++)
        if (digits < 18) /* more are beyond `most`, below */
            value = 10 * value + (*l->at - '0');
    if (digits == 0 || digits > 18 || value < least || value > most)
        l->good = false;
    return value;
}

/* Nothing more but blanks and a comment. */
static bool is_over(const char *at)
{
    const char *begin = at;
    while (*at == ' ' || *at == '\r')
        at++;
    return *at == '\n' || *at == 0 || (*at == '#' && at > begin);
}

static void numbers(struct line *l, int64_t n, int *values)
{
    expect(l, "[");
    for (int64_t i = 0; l->good && i < n; i++) {
        if (i > 0)
            expect(l, ", ");
        values[i] = (int)number(l, 0, INT32_MAX);
    }
    expect(l, "]");
}

/* ---- rows ---- */

static bool is_set_of(const int values[], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (values[i] == values[j])
                return false;
    return true;
}

enum { NUMPROCS_MOST = 1 << 16 };

static void mapping_read(struct line *l, struct coll_row *row)
{
    row->mapping = calloc((size_t)row->numprocs, sizeof *row->mapping);
    if (row->mapping)
        numbers(l, row->numprocs, row->mapping);
    l->good = l->good && row->mapping && is_set_of(row->mapping, row->numprocs);
}

/* Keys in the order in which they are written. */
static void row_read(struct line *l, struct coll_row *row)
{
    expect(l, "    - {operation: ");
    size_t length = strcspn(l->at, ",\n");
    if (l->good && coll_op_parse(l->at, length, &row->op))
        l->at += length;
    else
        l->good = false;
    expect(l, ", numprocs: ");
    row->numprocs = (int)number(l, 2, NUMPROCS_MOST);
    expect(l, ", bytes: [");
    row->from = number(l, 1, INT64_MAX);
    expect(l, ", ");
    row->to = number(l, row->from, INT64_MAX);
    expect(l, "], ");
    if (take(l, "piece: ")) {
        row->piece = number(l, 1, INT32_MAX);
        l->good = l->good && coll_op_goes_up(row->op);
    } else {
        expect(l, "tree: binomial");
        if (take(l, ", mapping: "))
            mapping_read(l, row);
    }
    expect(l, "}");
    l->good = l->good && is_over(l->at);
}

static bool row_add(struct coll_table *table, struct line *l)
{
    struct coll_row *more = realloc(table->rows, (table->n + 1) * sizeof *more);
    if (!more)
        return false;
    table->rows = more;
    table->rows[table->n] = (struct coll_row){0};
    row_read(l, &table->rows[table->n++]);
    return l->good;
}

/* ---- the section ---- */

static const char *next_line(const char *at)
{
    const char *feed = strchr(at, '\n');
    return feed ? feed + 1 : at + strlen(at);
}

static bool is_aside(const char *at)
{
    return is_over(at) || at[strspn(at, " ")] == '#';
}

const char *coll_section(const char *text, size_t *length)
{
    static const char key[] = "decisions:";
    const char *at = text;
    while (*at && strncmp(at, key, strlen(key)) != 0)
        at = next_line(at);
    if (!*at)
        return NULL;
    const char *end = next_line(at);
    while (*end && (*end == ' ' || is_aside(end)))
        end = next_line(end);
    *length = (size_t)(end - at);
    return at;
}

/* What a line is depends on how many that count stood before it. */
static bool line_read(struct coll_table *table, const char *at, int before)
{
    struct line l = {at, true};
    if (before == 0) {
        expect(&l, "decisions:");
    } else if (before == 1) {
        expect(&l, "  per: ");
        table->per_process = take(&l, "process");
        if (!table->per_process)
            expect(&l, "node");
    } else if (before == 2) {
        expect(&l, "  table:");
        if (take(&l, " []"))
            return is_over(l.at);
    } else {
        return row_add(table, &l);
    }
    return l.good && is_over(l.at);
}

enum coll_read coll_table_read(struct coll_table *table, const char *text, int *line)
{
    *table = (struct coll_table){0};
    size_t length;
    const char *section = coll_section(text, &length);
    if (!section)
        return COLL_NO_TABLE;
    *line = 1;
    for (const char *at = text; at < section; at = next_line(at))
        ++*line;
    int counted = 0;
    for (const char *at = section; at < section + length; at = next_line(at), ++*line)
        if (!is_aside(at) && !line_read(table, at, counted++))
            return COLL_MALFORMED;
    return counted >= 3 ? COLL_READ : COLL_MALFORMED;
}

void coll_table_free(struct coll_table *table)
{
    for (size_t i = 0; i < table->n; i++)
        free(table->rows[i].mapping);
    free(table->rows);
    *table = (struct coll_table){0};
}

bool coll_table_knows(const struct coll_table *table, enum coll_op op, int numprocs)
{
    for (size_t i = 0; i < table->n; i++)
        if (table->rows[i].op == op && table->rows[i].numprocs == numprocs)
            return true;
    return false;
}
