#include "host/fortran/outline.h"

#include "host/scope.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Numbers, names and brackets looked at for one value, where a constant, whose declaration is looked for, counts more. */
enum { STEPS_MOST = 1000, CONSTANT_STEP = 10 };

struct reading {
    struct outline *outline;
    const struct source *source;
    struct host_text text;
    struct host_scopes scopes;
    const struct fortran_text *fortran; /* the statements */
    int *nodes;                /* [fortran->n]: of a statement that opens a construct, the node that what stands in it is in: its
                                * own, that of the arm that is open, or the one around; -1: none */
    int *units;                /* [fortran->n_units]: its function; -1: none */
};

/* The lines of a statement, and where what follows it stands. */
struct statement {
    size_t first, end;         /* tokens, without its label and name */
    int line, last_line;
};

/* ---- tokens ---- */

static bool is(const struct reading *r, size_t i, const char *word)
{
    return host_token_is(&r->text, i, word);
}

static bool is_name(const struct reading *r, size_t i)
{
    return i < r->text.n && r->text.tokens[i].kind == HOST_NAME;
}

static unsigned offset_of(const struct reading *r, size_t i)
{
    return i < r->text.n ? (unsigned)r->text.tokens[i].at : (unsigned)r->source->length;
}

/* The token that closes the bracket at i; the statement's end where none does. */
static size_t closing(const struct reading *r, size_t i, size_t end)
{
    const size_t behind = fortran_behind(&r->text, i, end);
    return behind > i && (is(r, behind - 1, ")") || is(r, behind - 1, "]")) ? behind - 1 : behind;
}

/* As it is written; blanks and lines joined. */
static const char *keep_text(const struct reading *r, size_t first, size_t end)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (size_t i = first; i < end; i++) {
        const struct host_token *token = &r->text.tokens[i];
        if (i > first && token[-1].at + token[-1].n < token->at)
            putc(' ', out);
        fwrite(r->source->text + token->at, 1, token->n, out);
    }
    fclose(out);
    const char *kept = arena_string_n(&r->outline->memory, text, length);
    free(text);
    return kept;
}

/* mpi_sendrecv is MPI_Sendrecv. */
static const char *keep_name(const struct reading *r, size_t i)
{
    const struct host_token *token = &r->text.tokens[i];
    char *name = alloc_format("%.*s", (int)token->n, r->text.text + token->at);
    if (token->n > 4 && memcmp(name, "mpi_", 4) == 0) {
        memcpy(name, "MPI_", 4);
        name[4] = (char)toupper((unsigned char)name[4]);
    }
    const char *kept = arena_string_n(&r->outline->memory, name, token->n);
    free(name);
    return kept;
}

/* ---- values ---- */

/* An expression. steps: that may still follow; below 0 nothing more is known. */
struct search {
    const struct reading *r;
    int steps;
};

static bool read_sum(struct search *s, size_t *at, size_t end, long long *value);

static bool read_constant(struct search *s, const struct host_variable *variable, long long *value)
{
    size_t at = variable->value.first;
    const size_t end = variable->value.end;
    s->steps -= CONSTANT_STEP;
    return variable->constant && !variable->array && s->steps >= 0 && at < end && read_sum(s, &at, end, value) && at == end;
}

/* The value that a constant is given. */
static bool constant_value(const struct reading *r, const struct host_variable *variable, long long *value)
{
    return read_constant(&(struct search){r, STEPS_MOST}, variable, value);
}

/* The constant that a name is at token i: of what can be seen there, else the only one of the file, which a `use` makes known. */
static const struct host_variable *constant_at(const struct reading *r, size_t i)
{
    const struct host_token *token = &r->text.tokens[i];
    const char *word = r->text.text + token->at;
    const struct host_variable *seen = host_variable_seen(&r->scopes, word, token->n, i), *only = NULL;
    for (size_t k = 0; !seen && k < r->scopes.n; k++) {
        const struct host_variable *other = &r->scopes.list[k];
        if (other->length != token->n || memcmp(other->text, word, token->n) != 0)
            continue;
        if (only)
            return NULL;
        only = other;
    }
    return seen ? seen : only;
}

static bool read_factor(struct search *s, size_t *at, size_t end, long long *value)
{
    const struct reading *r = s->r;
    const size_t i = *at;
    if (i >= end || --s->steps < 0)
        return false;
    if (is(r, i, "(")) {
        *at = i + 1;
        const bool closed = read_sum(s, at, end, value) && *at < end && is(r, *at, ")");
        ++*at;
        return closed;
    }
    *at = i + 1;
    if (r->text.tokens[i].kind == HOST_NUMBER && r->text.tokens[i].value.kind == VALUE_INT) {
        *value = r->text.tokens[i].value.i;
        return true;
    }
    const struct host_variable *constant = is_name(r, i) && !is(r, i + 1, "(") ? constant_at(r, i) : NULL;
    return constant && read_constant(s, constant, value);
}

/* False: that is no number, or too large for one. */
static bool divide(long long *value, long long by)
{
    if (by == 0 || (by == -1 && *value == LLONG_MIN))
        return false;
    *value /= by;
    return true;
}

/* FACTOR [ "**" POWER ]; a number to a power below 0 is left out. */
static bool read_power(struct search *s, size_t *at, size_t end, long long *value)
{
    long long exponent = 0, power = 1;
    bool known = read_factor(s, at, end, value);
    if (!known || *at >= end || !is(s->r, *at, "**"))
        return known;
    ++*at;
    known = read_power(s, at, end, &exponent) && exponent >= 0;
    for (; known && exponent > 0 && s->steps >= 0; exponent--, s->steps--)
        known = !__builtin_mul_overflow(power, *value, &power);
    *value = power;
    return known && exponent == 0;
}

static bool read_product(struct search *s, size_t *at, size_t end, long long *value)
{
    const struct reading *r = s->r;
    bool known = read_power(s, at, end, value);
    while (known && *at < end && (is(r, *at, "*") || is(r, *at, "/"))) {
        const bool times = is(r, *at, "*");
        long long other = 0;
        ++*at;
        known = read_power(s, at, end, &other) &&
                (times ? !__builtin_mul_overflow(*value, other, value) : divide(value, other));
    }
    return known;
}

/* Whole numbers, + - * / ** and brackets. */
static bool read_sum(struct search *s, size_t *at, size_t end, long long *value)
{
    const struct reading *r = s->r;
    bool minus = is(r, *at, "-");
    *at += minus || is(r, *at, "+");
    bool known = read_product(s, at, end, value) && !(minus && __builtin_sub_overflow(0LL, *value, value));
    while (known && *at < end && (is(r, *at, "+") || is(r, *at, "-"))) {
        minus = is(r, *at, "-");
        long long other = 0;
        ++*at;
        known = read_product(s, at, end, &other);
        if (known)
            known = minus ? !__builtin_sub_overflow(*value, other, value) : !__builtin_add_overflow(*value, other, value);
    }
    return known;
}

/* The value of an expression that ends at `end`. */
static bool expression_value(const struct reading *r, size_t first, size_t end, long long *value)
{
    return read_sum(&(struct search){r, STEPS_MOST}, &first, end, value) && first == end;
}

static struct outline_argument argument_of(const struct reading *r, size_t first, size_t end)
{
    struct outline_argument argument = {.text = keep_text(r, first, end)};
    argument.known = expression_value(r, first, end, &argument.value);
    return argument;
}

/* ---- nodes and blocks ---- */

static int add(struct reading *r, const struct outline_node *node)
{
    struct outline *outline = r->outline;
    outline->nodes = alloc_grow(outline->nodes, outline->n, &outline->capacity, sizeof *outline->nodes);
    outline->nodes[outline->n] = *node;
    return (int)outline->n++;
}

/* What statement i stands in. */
static int node_around(const struct reading *r, size_t i)
{
    const struct fortran_statement *s = &r->fortran->list[i];
    return s->outer != FORTRAN_NONE ? r->nodes[s->outer] : s->unit != FORTRAN_NONE ? r->units[s->unit] : -1;
}

static struct statement lines_of(const struct reading *r, const struct fortran_statement *s)
{
    return (struct statement){.first = s->first, .end = s->end, .line = (int)source_line(r->source, s->from) + 1,
                              .last_line = (int)source_line(r->source, s->to - (s->to > s->from)) + 1};
}

/* The arm of construct k that is open, if one is, ends before a statement. */
static void close_arm(struct reading *r, size_t k, const struct statement *s)
{
    const int around = node_around(r, k);
    struct outline_node *arm = r->nodes[k] != around ? &r->outline->nodes[r->nodes[k]] : NULL;
    if (arm) {
        arm->close_line = s->line;
        arm->last_line = s->line - 1 > arm->line ? s->line - 1 : arm->line;
    }
    r->nodes[k] = around;
}

/* One of construct k begins behind a statement. */
static void open_arm(struct reading *r, size_t k, const struct statement *s)
{
    r->nodes[k] = add(r, &(struct outline_node){
        .kind = OUTLINE_ARM, .parent = node_around(r, k), .order = offset_of(r, s->end),
        .group = offset_of(r, r->fortran->list[k].first), .line = s->last_line + 1, .last_line = s->last_line + 1,
        .open_line = s->last_line + 1, .close_line = s->last_line + 1});
}

static bool is_branch(const struct fortran_statement *s)
{
    return s->kind == FORTRAN_IF || s->kind == FORTRAN_SELECT;
}

/* Construct k ends with a statement. */
static void close_construct(struct reading *r, size_t k, const struct statement *s)
{
    if (is_branch(&r->fortran->list[k])) {
        close_arm(r, k, s);
    } else if (r->nodes[k] != node_around(r, k)) {
        r->outline->nodes[r->nodes[k]].last_line = s->last_line;
        r->outline->nodes[r->nodes[k]].close_line = s->last_line + 1;
    }
}

static void close_unit(struct reading *r, size_t unit, const struct statement *s)
{
    if (r->units[unit] >= 0) {
        r->outline->nodes[r->units[unit]].last_line = s->last_line;
        r->outline->nodes[r->units[unit]].close_line = s->last_line + 1;
    }
}

/* Those around statement i that end with it, and those within them. */
static void close_constructs(struct reading *r, size_t i, const struct statement *s)
{
    const struct fortran_statement *list = r->fortran->list;
    size_t outermost = FORTRAN_NONE;
    if (list[i].kind != FORTRAN_END && list[i].kind != FORTRAN_END_UNIT && list[i].label == 0)
        return;
    for (size_t k = list[i].outer, open = 0; k != FORTRAN_NONE && open < FORTRAN_UNCLOSED_MOST; k = list[k].outer) {
        const bool closed = list[k].last == i || list[i].kind == FORTRAN_END_UNIT;
        if (!closed && outermost != FORTRAN_NONE)
            break;
        outermost = closed ? k : outermost;
        open += !closed;
    }
    for (size_t k = list[i].outer; outermost != FORTRAN_NONE && k != list[outermost].outer; k = list[k].outer)
        close_construct(r, k, s);
}

/* ---- calls ---- */

static void add_arguments(const struct reading *r, struct outline_node *node, size_t open, size_t close)
{
    int n = 0;
    for (size_t at = open + 1; at < close; at = fortran_find_mark(&r->text, at, close, ",") + 1)
        n++;
    node->n_arguments = n;
    node->arguments = n > 0 ? arena_alloc(&r->outline->memory, (size_t)n, sizeof *node->arguments) : NULL;
    n = 0;
    for (size_t at = open + 1; at < close; n++) {
        const size_t comma = fortran_find_mark(&r->text, at, close, ",");
        node->arguments[n] = argument_of(r, at, comma);
        at = comma + 1;
    }
}

/* The call whose name is token i, with or without arguments, in node `parent`. */
static void add_call(struct reading *r, size_t i, const struct statement *s, int parent)
{
    const bool listed = i + 1 < s->end && is(r, i + 1, "(");
    const size_t close = listed ? closing(r, i + 1, s->end) : i;
    struct outline_node node = {.kind = OUTLINE_CALL, .order = offset_of(r, close), .line = s->line, .last_line = s->last_line,
                                .open_line = s->line, .close_line = s->last_line + 1, .name = keep_name(r, i),
                                .parent = parent};
    if (outline_goes_round(node.name))
        node.parent = add(r, &(struct outline_node){
            .kind = OUTLINE_LOOP, .parent = parent, .order = offset_of(r, i), .line = s->line, .last_line = s->last_line,
            .open_line = s->line, .close_line = s->last_line + 1});
    if (listed)
        add_arguments(r, &node, i + 1, close);
    add(r, &node);
}

/* What is called by tokens first ... end - 1: after `call`, and wherever a name has arguments. */
static void add_calls(struct reading *r, size_t first, size_t end, const struct statement *s, int parent)
{
    size_t called = end;
    if (is(r, first, "call") && is_name(r, first + 1)) {
        called = first + 1;
        while (is(r, called + 1, "%") && is_name(r, called + 2))
            called += 2;
        add_call(r, called, s, parent);
    }
    for (size_t i = first; i < end; i++)
        if (i != called && is_name(r, i) && i + 1 < end && is(r, i + 1, "("))
            add_call(r, i, s, parent);
}

/* ---- statements ---- */

/* The unit that statement i begins. */
static void take_unit(struct reading *r, size_t i, const struct statement *s)
{
    const size_t u = r->fortran->list[i].unit;
    const struct fortran_unit *unit = u != FORTRAN_NONE ? &r->fortran->units[u] : NULL;
    if (!unit || unit->first != i)
        return;
    const bool executes = unit->procedure && !unit->interface && (unit->headless || unit->name != FORTRAN_NONE);
    r->units[u] = !executes ? -1 : add(r, &(struct outline_node){
        .kind = OUTLINE_FUNCTION, .parent = -1, .order = offset_of(r, s->first), .line = s->line, .last_line = s->last_line,
        .open_line = s->line, .close_line = s->last_line + 1,
        .name = unit->headless ? "MAIN__" : keep_name(r, unit->name)});
}

/* The counter and the limit of `i = A, LIMIT`, tokens first ... end - 1. */
static void read_head(const struct reading *r, size_t first, size_t end, struct outline_node *node)
{
    const size_t from = first + 2, comma = fortran_find_mark(&r->text, from, end, ","), to = comma + 1,
                 step = fortran_find_mark(&r->text, to < end ? to : end, end, ",");
    node->head = first < end ? keep_text(r, first, end) : NULL;
    if (!is_name(r, first) || !is(r, first + 1, "=") || comma == end)
        return;
    node->name = keep_name(r, first);
    long long start = 0;
    if (expression_value(r, from, comma, &start) && start > -1000 && start < 1000 &&
        (step == end || (step + 2 == end && is(r, step + 1, "1")))) {
        node->limit = argument_of(r, to, step);
        node->beyond = 1 - (int)start;
    }
}

static void take_do(struct reading *r, size_t i, const struct statement *s)
{
    const int around = node_around(r, i);
    size_t at = s->first + 1;
    at += at < s->end && r->text.tokens[at].kind == HOST_NUMBER;
    at += at < s->end && is(r, at, ",");
    struct outline_node node = {.kind = OUTLINE_LOOP, .parent = around, .order = offset_of(r, s->first), .line = s->line,
                                .last_line = s->last_line, .open_line = s->line, .close_line = s->last_line + 1};
    const bool checks = is(r, s->first, "dowhile") || (is(r, at, "while") && is(r, at + 1, "("));
    const size_t concurrent = r->fortran->list[i].kind == FORTRAN_CONCURRENT; /* it is no call */
    if (!checks)
        add_calls(r, at + concurrent, s->end, s, around);
    read_head(r, at, s->end, &node);
    r->nodes[i] = add(r, &node);
    if (checks)
        add_calls(r, at + 1, s->end, s, r->nodes[i]);
}

/* if (...) action */
static void take_action(struct reading *r, size_t i, const struct statement *s)
{
    const int around = node_around(r, i);
    const bool conditional = is(r, s->first, "if") && is(r, s->first + 1, "(");
    if (is(r, s->first, "#"))
        return; /* a line of the preprocessor */
    const size_t close = conditional ? closing(r, s->first + 1, s->end) : s->first, action = close + 1;
    if (!conditional || is(r, action, "=") || is(r, action, "%")) {
        add_calls(r, s->first, s->end, s, around);
        return;
    }
    add_calls(r, s->first + 1, close, s, around);
    if (action >= s->end || !is_name(r, action))
        return;
    const int arm = add(r, &(struct outline_node){
        .kind = OUTLINE_ARM, .parent = around, .order = offset_of(r, action), .group = offset_of(r, s->first),
        .line = s->line, .last_line = s->last_line, .open_line = s->line, .close_line = s->last_line + 1});
    add_calls(r, action, s->end, s, arm);
}

/* else if (...) then, else; case, type is ... */
static void take_part(struct reading *r, size_t i, const struct statement *s)
{
    const size_t k = r->fortran->list[i].outer;
    if (k == FORTRAN_NONE || !is_branch(&r->fortran->list[k]))
        return;
    close_arm(r, k, s);
    if (r->fortran->list[k].kind == FORTRAN_IF)
        add_calls(r, fortran_find_mark(&r->text, s->first, s->end, "("), s->end, s, r->nodes[k]); /* `if` is no call */
    open_arm(r, k, s);
}

static void take_statement(struct reading *r, size_t i)
{
    const struct fortran_statement *statement = &r->fortran->list[i];
    const struct statement s = lines_of(r, statement);
    take_unit(r, i, &s);
    r->nodes[i] = node_around(r, i);
    switch (s.first < s.end ? statement->kind : FORTRAN_FORMAT) { /* what compilers are told calls nothing */
    case FORTRAN_EXECUTES: case FORTRAN_CONDITION: take_action(r, i, &s); break;
    case FORTRAN_DO: case FORTRAN_CONCURRENT: take_do(r, i, &s); break;
    case FORTRAN_IF: case FORTRAN_SELECT: case FORTRAN_MASK: case FORTRAN_CONSTRUCT:
        add_calls(r, fortran_find_mark(&r->text, s.first, s.end, "("), s.end, &s, r->nodes[i]);
        if (statement->kind == FORTRAN_IF)
            open_arm(r, i, &s);
        break;
    case FORTRAN_PART: take_part(r, i, &s); break;
    default: break;
    }
    close_constructs(r, i, &s);
    if (statement->kind == FORTRAN_END_UNIT && statement->unit != FORTRAN_NONE)
        close_unit(r, statement->unit, &s);
}

/* What is still open where the text ends. */
static void close_all(struct reading *r)
{
    const struct fortran_text *fortran = r->fortran;
    if (fortran->n == 0)
        return;
    const int line = (int)source_line(r->source, fortran->list[fortran->n - 1].from) + 1;
    const struct statement end = {.line = line, .last_line = line};
    for (size_t i = fortran->n; i-- > 0;) {
        const size_t unit = fortran->list[i].unit;
        if (fortran->list[i].last == FORTRAN_NONE && (unit == FORTRAN_NONE || fortran->units[unit].last == FORTRAN_NONE))
            close_construct(r, i, &end);
    }
    for (size_t u = 0; u < fortran->n_units; u++)
        if (fortran->units[u].last == FORTRAN_NONE)
            close_unit(r, u, &end);
}

/* Constants of one name with two values are none. */
static char *constants_of(const struct reading *r)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (size_t i = 0; i < r->scopes.n; i++) {
        const struct host_variable *constant = &r->scopes.list[i];
        long long value, other;
        bool one = constant_value(r, constant, &value);
        for (size_t k = 0; k < r->scopes.n && one; k++) {
            const struct host_variable *same = &r->scopes.list[k];
            one = same->length != constant->length || memcmp(same->text, constant->text, same->length) != 0 ||
                  (constant_value(r, same, &other) && other == value);
        }
        if (one)
            fprintf(out, "constant\t%.*s\t%lld\n", (int)constant->length, constant->text, value);
    }
    fclose(out);
    return text;
}

bool fortran_outline(struct outline *outline, char **facts, const struct source *source)
{
    struct reading r = {.outline = outline, .source = source};
    *outline = (struct outline){.memory = ARENA_EMPTY};
    *facts = NULL;
    if (source->host == HOST_C || !host_text_read(&r.text, source))
        return false;
    host_scopes_read(&r.scopes, &r.text);
    r.fortran = &r.scopes.fortran;
    r.nodes = alloc_array(r.fortran->n, sizeof *r.nodes);
    r.units = alloc_array(r.fortran->n_units, sizeof *r.units);
    for (size_t i = 0; i < r.fortran->n; i++)
        take_statement(&r, i);
    close_all(&r);
    *facts = constants_of(&r);
    host_scopes_free(&r.scopes);
    host_text_free(&r.text);
    free(r.nodes);
    free(r.units);
    return true;
}
