#include "annotate/fortran.h"

#include "directives/host/call.h"
#include "directives/host/scope.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Numbers, names and brackets looked at for one value, where a constant, whose declaration is looked for, counts more. */
enum { STEPS_MOST = 1000, CONSTANT_STEP = 10 };

/* What an `end` closes. */
struct block {
    enum block_kind { BLOCK_UNIT, BLOCK_DO, BLOCK_IF, BLOCK_SELECT, BLOCK_OTHER } kind;
    int node;                  /* of a unit its function, of a loop; of a branch the arm that is open; -1: none */
    int parent;                /* the node around */
    unsigned group;            /* of the arms of a branch */
    size_t word;               /* of another block, the token that `end` repeats: interface, type */
    long long label;           /* of a loop that ends at a statement with a label; -1 */
};

struct reading {
    struct outline *outline;
    const struct source *source;
    struct host_text text;
    struct host_scopes scopes;
    size_t n_blocks, blocks_capacity;
    struct block *blocks;
    int parent;                /* the node that statements are in; -1 */
    int interfaces;            /* around: what is declared there is not defined */
};

/* Tokens of a statement, without its label and its name. */
struct statement {
    size_t first, end;
    int line, last_line;
    long long label;           /* -1: none */
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

static int line_at(const struct reading *r, size_t offset)
{
    size_t low = 0, high = r->source->n_lines;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (r->source->line_start[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return (int)low + 1;
}

static unsigned offset_of(const struct reading *r, size_t i)
{
    return i < r->text.n ? (unsigned)r->text.tokens[i].at : (unsigned)r->source->length;
}

/* The token that closes the bracket at i; the statement's end where none does. */
static size_t closing(const struct reading *r, size_t i, size_t end)
{
    int depth = 0;
    for (; i < end; i++) {
        depth += is(r, i, "(") || is(r, i, "[") ? 1 : is(r, i, ")") || is(r, i, "]") ? -1 : 0;
        if (depth <= 0)
            return i;
    }
    return end;
}

/* The first of these marks from i on that no bracket is around; the end where there is none. */
static size_t find_mark(const struct reading *r, size_t i, size_t end, const char *mark)
{
    for (; i < end && !is(r, i, mark); i++)
        if (is(r, i, "(") || is(r, i, "["))
            i = closing(r, i, end);
    return i < end ? i : end;
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

/* The `=` behind the name of a constant, where it is declared or in `parameter (NAME = ...)`; the text's end where there is none. */
static size_t find_definition(const struct reading *r, const struct host_variable *variable)
{
    if (is(r, variable->token + 1, "="))
        return variable->token + 1;
    for (size_t i = variable->first; i < variable->end && i < r->text.n; i++) {
        const size_t close = is(r, i, "parameter") && is(r, i + 1, "(") ? closing(r, i + 1, r->text.n) : i;
        for (; i < close; i++)
            if (host_tokens_same(&r->text, i, variable->token) && is(r, i + 1, "="))
                return i + 1;
    }
    return r->text.n;
}

static bool read_constant(struct search *s, const struct host_variable *variable, long long *value)
{
    const struct reading *r = s->r;
    s->steps -= CONSTANT_STEP;
    size_t at = variable->constant && s->steps >= 0 ? find_definition(r, variable) : r->text.n, end = at;
    if (at == r->text.n)
        return false;
    while (end < r->text.n && r->text.tokens[end].kind != HOST_NEWLINE)
        end++;
    const size_t comma = find_mark(r, at, end, ",");
    at++;
    return read_sum(s, &at, comma, value) && (at == comma || is(r, at, ")"));
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

static struct block *open_block(struct reading *r, enum block_kind kind, size_t word)
{
    r->blocks = alloc_grow(r->blocks, r->n_blocks, &r->blocks_capacity, sizeof *r->blocks);
    r->blocks[r->n_blocks] = (struct block){.kind = kind, .node = -1, .parent = r->parent, .word = word, .label = -1};
    return &r->blocks[r->n_blocks++];
}

static struct block *innermost(const struct reading *r)
{
    return r->n_blocks > 0 ? &r->blocks[r->n_blocks - 1] : NULL;
}

/* s: the statement that ends it. */
static void close_arm(struct reading *r, struct block *block, const struct statement *s)
{
    struct outline_node *arm = block->node >= 0 ? &r->outline->nodes[block->node] : NULL;
    if (arm) {
        arm->close_line = s->line;
        arm->last_line = s->line - 1 > arm->line ? s->line - 1 : arm->line;
    }
    block->node = -1;
    r->parent = block->parent;
}

static void open_arm(struct reading *r, struct block *block, const struct statement *s)
{
    r->parent = block->node = add(r, &(struct outline_node){
        .kind = OUTLINE_ARM, .parent = block->parent, .order = offset_of(r, s->end), .group = block->group,
        .line = s->last_line + 1, .last_line = s->last_line + 1, .open_line = s->last_line + 1,
        .close_line = s->last_line + 1});
}

static void close_block(struct reading *r, const struct statement *s)
{
    struct block *block = &r->blocks[--r->n_blocks];
    if (block->kind == BLOCK_IF || block->kind == BLOCK_SELECT) {
        close_arm(r, block, s);
    } else if (block->node >= 0) {
        r->outline->nodes[block->node].last_line = s->last_line;
        r->outline->nodes[block->node].close_line = s->last_line + 1;
    }
    r->interfaces -= block->kind == BLOCK_OTHER && is(r, block->word, "interface");
    r->parent = block->parent;
}

/* Those within, too; nothing where no such block is open in this unit. word: of another block. */
static void close_to(struct reading *r, enum block_kind kind, const char *word, const struct statement *s)
{
    size_t at = r->n_blocks;
    while (at > 0 && !(r->blocks[at - 1].kind == kind && (kind != BLOCK_OTHER || is(r, r->blocks[at - 1].word, word))))
        if (r->blocks[--at].kind == BLOCK_UNIT)
            return;
    while (at > 0 && r->n_blocks >= at)
        close_block(r, s);
}

/* ---- calls ---- */

static void add_arguments(const struct reading *r, struct outline_node *node, size_t open, size_t close)
{
    int n = 0;
    for (size_t at = open + 1; at < close; at = find_mark(r, at, close, ",") + 1)
        n++;
    node->n_arguments = n;
    node->arguments = n > 0 ? arena_alloc(&r->outline->memory, (size_t)n, sizeof *node->arguments) : NULL;
    n = 0;
    for (size_t at = open + 1; at < close; n++) {
        const size_t comma = find_mark(r, at, close, ",");
        node->arguments[n] = argument_of(r, at, comma);
        at = comma + 1;
    }
}

/* The call whose name is token i, with or without arguments. */
static void add_call(struct reading *r, size_t i, const struct statement *s)
{
    const bool listed = i + 1 < s->end && is(r, i + 1, "(");
    const size_t close = listed ? closing(r, i + 1, s->end) : i;
    struct outline_node node = {.kind = OUTLINE_CALL, .order = offset_of(r, close), .line = s->line, .last_line = s->last_line,
                                .open_line = s->line, .close_line = s->last_line + 1, .name = keep_name(r, i),
                                .parent = r->parent};
    if (outline_goes_round(node.name))
        node.parent = add(r, &(struct outline_node){
            .kind = OUTLINE_LOOP, .parent = r->parent, .order = offset_of(r, i), .line = s->line, .last_line = s->last_line,
            .open_line = s->line, .close_line = s->last_line + 1});
    if (listed)
        add_arguments(r, &node, i + 1, close);
    add(r, &node);
}

/* What is called by tokens first ... end - 1: after `call`, and wherever a name has arguments. */
static void add_calls(struct reading *r, size_t first, size_t end, const struct statement *s)
{
    if (find_mark(r, first, end, "::") < end)
        return; /* a declaration */
    size_t called = end;
    if (is(r, first, "call") && is_name(r, first + 1)) {
        called = first + 1;
        while (is(r, called + 1, "%") && is_name(r, called + 2))
            called += 2;
        add_call(r, called, s);
    }
    for (size_t i = first; i < end; i++)
        if (i != called && is_name(r, i) && i + 1 < end && is(r, i + 1, "("))
            add_call(r, i, s);
}

/* ---- statements ---- */

static void begin_unit(struct reading *r, const char *name, const struct statement *s)
{
    struct block *block = open_block(r, BLOCK_UNIT, s->first);
    if (name && r->interfaces == 0)
        block->node = add(r, &(struct outline_node){
            .kind = OUTLINE_FUNCTION, .parent = -1, .order = offset_of(r, s->first), .line = s->line, .last_line = s->last_line,
            .open_line = s->line, .close_line = s->last_line + 1, .name = name});
    r->parent = block->node;
}

/* The token `subroutine` or `function` of a statement that begins one; its end where it does not. */
static size_t find_procedure(const struct reading *r, const struct statement *s)
{
    for (size_t i = s->first; i < s->end && !is(r, i, "=") && !is(r, i, "::"); i++) {
        if (is(r, i, "("))
            i = closing(r, i, s->end);
        else if ((is(r, i, "subroutine") || is(r, i, "function")) && is_name(r, i + 1) &&
                 (is(r, i, "subroutine") || is(r, i + 2, "(")))
            return i;
    }
    return s->end;
}

/* Does a unit begin? */
static bool take_unit(struct reading *r, const struct statement *s)
{
    const size_t first = s->first, procedure = find_procedure(r, s);
    if (procedure < s->end)
        begin_unit(r, keep_name(r, procedure + 1), s);
    else if (is(r, first, "program") && is_name(r, first + 1) && first + 2 == s->end)
        begin_unit(r, keep_name(r, first + 1), s);
    else if (is(r, first, "module") && is(r, first + 1, "procedure")) {
        if (r->interfaces == 0)
            begin_unit(r, keep_name(r, first + 2), s);
    } else if ((is(r, first, "module") && is_name(r, first + 1) && first + 2 == s->end) ||
               (is(r, first, "submodule") && is(r, first + 1, "(")) || (is(r, first, "block") && is(r, first + 1, "data")))
        begin_unit(r, NULL, s);
    else
        return false;
    return true;
}

/* Another block that has an end: what is declared in it, or executed as if it were not there. */
static bool take_other(struct reading *r, const struct statement *s)
{
    static const char *const alone[] = {"block", "critical"};
    const size_t first = s->first + is(r, s->first, "abstract");
    const bool declares_type = is(r, first, "type") && !is(r, first + 1, "(") && !is(r, first + 1, "=") &&
                               !is(r, first + 1, "%") && !is(r, first + 1, "is");
    const bool opens = is(r, first, "interface") || declares_type || (is(r, first, "enum") && is(r, first + 1, ",")) ||
                       (is(r, first, "associate") && is(r, first + 1, "(")) ||
                       (HOST_TOKEN_IS_ANY(&r->text, first, alone) && first + 1 == s->end);
    if (!opens)
        return false;
    open_block(r, BLOCK_OTHER, first);
    r->interfaces += is(r, first, "interface");
    return true;
}

/* What an `end` statement ends; NULL: it is none. */
static const char *ended(const struct reading *r, const struct statement *s)
{
    static const char *const words[] = {"do", "if", "select", "program", "subroutine", "function", "module", "submodule",
                                        "procedure", "interface", "type", "enum", "block", "associate", "critical", "where",
                                        "forall", "team"};
    const size_t first = s->first;
    if (is(r, first, "end") && first + 1 == s->end)
        return "program";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *joined = alloc_format("end%s", words[i]);
        const bool found = (is(r, first, "end") && is(r, first + 1, words[i])) ||
                           (is(r, first, joined) && !is(r, first + 1, "=") && !is(r, first + 1, "("));
        free(joined);
        if (found)
            return words[i];
    }
    return NULL;
}

static bool take_end(struct reading *r, const struct statement *s)
{
    static const char *const others[] = {"interface", "type", "enum", "block", "associate", "critical"};
    const char *word = ended(r, s);
    if (!word)
        return false;
    if (strcmp(word, "block") == 0 && is(r, s->first + 2, "data"))
        word = "program";
    if (strcmp(word, "where") == 0 || strcmp(word, "forall") == 0 || strcmp(word, "team") == 0)
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(word, others[i]) == 0) {
            close_to(r, BLOCK_OTHER, word, s);
            return true;
        }
    close_to(r, strcmp(word, "do") == 0 ? BLOCK_DO : strcmp(word, "if") == 0 ? BLOCK_IF
                : strcmp(word, "select") == 0 ? BLOCK_SELECT : BLOCK_UNIT, NULL, s);
    return true;
}

/* The counter and the limit of `i = A, LIMIT`, tokens first ... end - 1. */
static void read_head(const struct reading *r, size_t first, size_t end, struct outline_node *node)
{
    const size_t from = first + 2, comma = find_mark(r, from, end, ","), to = comma + 1,
                 step = find_mark(r, to < end ? to : end, end, ",");
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

static bool take_do(struct reading *r, const struct statement *s)
{
    size_t at = s->first + 1;
    const bool joined = is(r, s->first, "dowhile") && is(r, at, "(");
    if (!joined && (!is(r, s->first, "do") || is(r, at, "=") || is(r, at, "(") || is(r, at, "%")))
        return false;
    const bool labelled = at < s->end && r->text.tokens[at].kind == HOST_NUMBER;
    const long long label = labelled && r->text.tokens[at].value.kind == VALUE_INT ? r->text.tokens[at].value.i : -1;
    at += labelled;
    at += at < s->end && is(r, at, ",");
    struct outline_node node = {.kind = OUTLINE_LOOP, .parent = r->parent, .order = offset_of(r, s->first), .line = s->line,
                                .last_line = s->last_line, .open_line = s->line, .close_line = s->last_line + 1};
    const bool checks = joined || (at < s->end && is(r, at, "while") && is(r, at + 1, "("));
    const size_t concurrent = is(r, at, "concurrent") && is(r, at + 1, "("); /* it is no call */
    if (!checks)
        add_calls(r, at + concurrent, s->end, s);
    read_head(r, at, s->end, &node);
    struct block *block = open_block(r, BLOCK_DO, s->first);
    block->label = label;
    r->parent = block->node = add(r, &node);
    if (checks)
        add_calls(r, at + 1, s->end, s);
    return true;
}

static bool take_if(struct reading *r, const struct statement *s)
{
    if (!is(r, s->first, "if") || !is(r, s->first + 1, "("))
        return false;
    const size_t close = closing(r, s->first + 1, s->end), action = close + 1;
    if (is(r, action, "=") || is(r, action, "%"))
        return false;
    add_calls(r, s->first + 1, close, s);
    if (is(r, action, "then") && action + 1 == s->end) {
        struct block *block = open_block(r, BLOCK_IF, s->first);
        block->group = offset_of(r, s->first);
        open_arm(r, block, s);
    } else if (action < s->end && is_name(r, action)) {
        const int around = r->parent;
        r->parent = add(r, &(struct outline_node){
            .kind = OUTLINE_ARM, .parent = around, .order = offset_of(r, action), .group = offset_of(r, s->first),
            .line = s->line, .last_line = s->last_line, .open_line = s->line, .close_line = s->last_line + 1});
        add_calls(r, action, s->end, s);
        r->parent = around;
    }
    return true;
}

/* else if (...) then, else; case, type is ... */
static bool take_arm(struct reading *r, const struct statement *s)
{
    static const char *const selects[] = {"case", "type", "class", "rank"}, *const kinds[] = {"(", "default", "is"};
    struct block *block = innermost(r);
    const bool chooses = is(r, s->first, "else") || is(r, s->first, "elseif"),
               selected = HOST_TOKEN_IS_ANY(&r->text, s->first, selects) && HOST_TOKEN_IS_ANY(&r->text, s->first + 1, kinds);
    if (!block || !((chooses && block->kind == BLOCK_IF) || (selected && block->kind == BLOCK_SELECT)) ||
        is(r, s->first + 1, "where"))
        return false;
    close_arm(r, block, s);
    if (chooses)
        add_calls(r, find_mark(r, s->first, s->end, "("), s->end, s); /* `if` is no call */
    open_arm(r, block, s);
    return true;
}

static bool take_select(struct reading *r, const struct statement *s)
{
    static const char *const joined[] = {"selectcase", "selecttype", "selectrank"}, *const kinds[] = {"case", "type", "rank"};
    const bool apart = is(r, s->first, "select") && HOST_TOKEN_IS_ANY(&r->text, s->first + 1, kinds);
    if (!apart && !(HOST_TOKEN_IS_ANY(&r->text, s->first, joined) && is(r, s->first + 1, "(")))
        return false;
    add_calls(r, s->first + 1 + apart, s->end, s);
    open_block(r, BLOCK_SELECT, s->first)->group = offset_of(r, s->first);
    return true;
}

/* Is it anything but what is executed there and then? */
static bool take_statement(struct reading *r, const struct statement *s)
{
    return take_end(r, s) || take_unit(r, s) || take_arm(r, s) || take_other(r, s) || take_do(r, s) || take_if(r, s) ||
           take_select(r, s);
}

/* A program without a `program` begins where its first statement does. */
static void begin_program(struct reading *r, const struct statement *s)
{
    static const char *const before[] = {"use", "implicit", "contains"};
    if (r->n_blocks == 0 && !HOST_TOKEN_IS_ANY(&r->text, s->first, before) && find_procedure(r, s) == s->end &&
        !is(r, s->first, "program") && !is(r, s->first, "module") && !is(r, s->first, "submodule") && !is(r, s->first, "block"))
        begin_unit(r, "MAIN__", s);
}

static void read_statement(struct reading *r, size_t first, size_t end)
{
    const struct host_token *last = &r->text.tokens[end - 1];
    struct statement s = {.first = first, .end = end, .line = line_at(r, r->text.tokens[first].at),
                          .last_line = line_at(r, last->at + last->n - (last->n > 0)), .label = -1};
    if (is(r, first, "#"))
        return; /* a line of the preprocessor */
    if (r->text.tokens[first].kind == HOST_NUMBER && first + 1 < end) {
        s.label = r->text.tokens[first].value.kind == VALUE_INT ? r->text.tokens[first].value.i : -1;
        s.first++;
    }
    if (is_name(r, s.first) && s.first + 2 < end && is(r, s.first + 1, ":"))
        s.first += 2; /* a block's name */
    begin_program(r, &s);
    if (!take_statement(r, &s) && !is(r, s.first, "contains"))
        add_calls(r, s.first, s.end, &s);
    while (s.label >= 0 && r->n_blocks > 0 && innermost(r)->kind == BLOCK_DO && innermost(r)->label == s.label)
        close_block(r, &s);
}

static void read_all(struct reading *r)
{
    size_t first = 0, last = 0;
    for (size_t i = 0; i <= r->text.n; i++) {
        if (i < r->text.n && r->text.tokens[i].kind != HOST_NEWLINE)
            continue;
        if (i > first) {
            read_statement(r, first, i);
            last = first;
        }
        first = i + 1;
    }
    const int line = r->text.n > 0 ? line_at(r, r->text.tokens[last].at) : 1;
    const struct statement end = {.first = last, .end = last, .line = line, .last_line = line, .label = -1};
    while (r->n_blocks > 0)
        close_block(r, &end);
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
    struct reading r = {.outline = outline, .source = source, .parent = -1};
    *outline = (struct outline){.memory = ARENA_EMPTY};
    *facts = NULL;
    if (source->host == HOST_C || !host_text_read(&r.text, source))
        return false;
    host_scopes_read(&r.scopes, &r.text);
    read_all(&r);
    *facts = constants_of(&r);
    host_scopes_free(&r.scopes);
    host_text_free(&r.text);
    free(r.blocks);
    return true;
}
