#include "host/fortran/statement.h"

#include "common/alloc.h"
#include "directives/comment.h"
#include "host/fortran/classify.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What is open: a construct, or a program unit. */
struct frame {
    size_t statement;      /* that opens it */
    bool unit;
};

struct reader {
    struct fortran_text *text;
    const struct host_text *host;
    bool fixed;
    size_t n_frames, capacity;
    struct frame *frames;
    size_t unit, branch;   /* the innermost ones */
    size_t standing;       /* the next statement that stands in a unit, as far as that was looked for */
    size_t sentinel_line;  /* of the last directive in a comment */
    bool sentinel_continues;
};

size_t fortran_behind(const struct host_text *host, size_t i, size_t end)
{
    int depth = 0;
    for (; i < end; i++) {
        depth += host_token_is(host, i, "(") || host_token_is(host, i, "[");
        depth -= host_token_is(host, i, ")") || host_token_is(host, i, "]");
        if (depth <= 0)
            return depth == 0 && (host_token_is(host, i, ")") || host_token_is(host, i, "]")) ? i + 1 : i;
    }
    return end;
}

size_t fortran_step(const struct host_text *host, size_t i, size_t end)
{
    if (host_token_is(host, i, "(") || host_token_is(host, i, "["))
        return fortran_behind(host, i, end);
    if (host_token_is(host, i, "#"))
        while (i < end && host->tokens[i].kind != HOST_NEWLINE)
            i++;
    return i < end ? i + 1 : end;
}

size_t fortran_find_mark(const struct host_text *host, size_t i, size_t end, const char *mark)
{
    while (i < end && !host_token_is(host, i, mark))
        i = fortran_step(host, i, end);
    return i < end ? i : end;
}

static struct fortran_statement *add(struct fortran_text *text, size_t from, size_t to)
{
    text->list = alloc_grow(text->list, text->n, &text->capacity, sizeof *text->list);
    struct fortran_statement *s = &text->list[text->n++];
    *s = (struct fortran_statement){.from = from, .to = to, .name = FORTRAN_NONE, .outer = FORTRAN_NONE,
                                    .unit = FORTRAN_NONE};
    return s;
}

/* ---- directives in comments ---- */

/* How many bytes of a comment's text are a directive's mark, `$` or `dir$`; 0: it is a comment, or, `$ x = 1`, code that
 * only OpenMP compiles. */
static size_t sentinel_mark(const char *text, size_t n)
{
    size_t letters = 0;
    while (letters < n && isalpha((unsigned char)text[letters]))
        letters++;
    if (letters >= n || letters > 5 || text[letters] != '$')
        return 0;
    size_t word = letters + 1;
    while (letters > 0 && word < n && isblank((unsigned char)text[word]))
        word++;
    return word < n && isalpha((unsigned char)text[word]) ? letters + 1 : 0;
}

/* The last byte of a comment that is not blank. */
static char last_byte(const char *text, size_t n)
{
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    return n > 0 ? text[n - 1] : ' ';
}

/* Free form: goes on with the directive above, which ends in `&`. Fixed form: a mark in column 6. */
static bool sentinel_continues(const struct reader *r, const struct comment *comment, size_t line)
{
    const struct source *source = r->host->source;
    if (r->text->n == 0 || line != r->sentinel_line + 1)
        return false;
    size_t column_6 = source->line_start[line] + 5;
    return r->fixed ? column_6 < comment->end && !strchr(" 0", source->text[column_6]) : r->sentinel_continues;
}

static void take_comment(void *context, const struct comment *comment)
{
    struct reader *r = context;
    const struct source *source = r->host->source;
    const char *words = source->text + comment->begin;
    size_t n = comment->end - comment->begin, line = source_line(source, comment->outer_begin);
    if (comment->kind == COMMENT_STRING)
        return;
    for (size_t at = source->line_start[line]; at < comment->outer_begin; at++)
        if (!isblank((unsigned char)source->text[at]))
            return;
    size_t mark = sentinel_mark(words, n);
    if (mark == 0)
        return;
    size_t to = comment->end;
    while (to > comment->begin && isspace((unsigned char)source->text[to - 1]))
        to--;
    if (sentinel_continues(r, comment, line)) {
        r->text->list[r->text->n - 1].to = to;
    } else {
        struct fortran_statement *s = add(r->text, comment->outer_begin, to);
        s->kind = fortran_classify_sentinel(words + mark, n - mark);
        s->first = s->end = host_token_at(r->host, to);
    }
    r->sentinel_line = line;
    r->sentinel_continues = last_byte(words, n) == '&';
}

/* ---- statements ---- */

/* A line of the preprocessor, which is a statement where it hides or brings in others. */
static void take_line(struct reader *r, size_t first, size_t end)
{
    const struct host_token *last = &r->host->tokens[end - 1];
    const char *word = first + 1 < end ? r->host->text + r->host->tokens[first + 1].at : "";
    bool include = strncmp(word, "include", 7) == 0, condition = strncmp(word, "if", 2) == 0 ||
                   strncmp(word, "el", 2) == 0 || strncmp(word, "endif", 5) == 0;
    if (!include && !condition)
        return;
    struct fortran_statement *s = add(r->text, r->host->tokens[first].at, last->at + last->n);
    s->kind = include ? FORTRAN_INCLUDE : FORTRAN_CONDITION;
    s->first = first;
    s->end = end;
}

/* [ LABEL ] [ NAME ":" ] words; end: behind the last token. line: the `#` of the first line of the preprocessor in it;
 * `end` where there is none. What stands before it says which unit it begins; of anything else it leaves no whole. */
static void take_statement(struct reader *r, size_t first, size_t line, size_t end)
{
    const struct host_text *host = r->host;
    const struct host_token *last = &host->tokens[end - 1];
    struct fortran_statement *s = add(r->text, host->tokens[first].at, last->at + last->n);
    if (host->tokens[first].kind == HOST_NUMBER && first + 1 < line) {
        s->label = host->tokens[first].value.kind == VALUE_INT ? (long)host->tokens[first].value.i : -1;
        first++;
    }
    if (first + 2 < line && host->tokens[first].kind == HOST_NAME && host_token_is(host, first + 1, ":")) {
        s->name = first;
        first += 2;
    }
    s->first = first;
    s->end = end;
    fortran_classify(host, s, line);
    if (line < end && s->kind == FORTRAN_EXECUTES)
        s->kind = FORTRAN_CONDITION;
}

/* The end of the line, or of the part up to a `;`, that token i is in. */
static size_t line_end(const struct host_text *host, size_t i)
{
    while (i < host->n && host->tokens[i].kind != HOST_NEWLINE)
        i++;
    return i;
}

static size_t find_mark(const struct host_text *host, size_t i, size_t end)
{
    while (i < end && !host_token_is(host, i, "#"))
        i++;
    return i;
}

/* A statement goes on behind lines of the preprocessor that stand in it. */
static void take_statements(struct reader *r)
{
    const struct host_text *host = r->host;
    for (size_t i = 0, end; i < host->n; i = end + 1) {
        end = line_end(host, i);
        size_t line = find_mark(host, i, end), mark = line;
        while (line > i && mark < end && end + 1 < host->n) {
            mark = end + 1;
            end = line_end(host, end + 1);
            mark = find_mark(host, mark, end);
        }
        if (end > i && line == i)
            take_line(r, i, end);
        else if (end > i)
            take_statement(r, i, line, end);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct fortran_statement *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* ---- nesting ---- */

static void push(struct reader *r, size_t statement, bool unit)
{
    r->frames = alloc_grow(r->frames, r->n_frames, &r->capacity, sizeof *r->frames);
    r->frames[r->n_frames++] = (struct frame){statement, unit};
}

static struct frame *top(struct reader *r)
{
    return r->n_frames > 0 ? &r->frames[r->n_frames - 1] : NULL;
}

static bool top_is(struct reader *r, enum fortran_kind kind)
{
    const struct frame *frame = top(r);
    return frame && !frame->unit && r->text->list[frame->statement].kind == kind;
}

/* Whether a word is among those of a statement; what parentheses hold, as of a type, does not count. */
static bool has_word(const struct host_text *host, const struct fortran_statement *s, const char *word)
{
    return fortran_find_mark(host, s->first, s->end, word) < s->end;
}

/* The name that a unit's first statement gives it. */
static size_t unit_name(const struct host_text *host, const struct fortran_statement *s)
{
    static const char *const before[] = {"program", "module", "subroutine", "function", "procedure"};
    size_t name = FORTRAN_NONE;
    for (size_t i = s->first; i + 1 < s->end; i++)
        if (HOST_TOKEN_IS_ANY(host, i, before) && host->tokens[i + 1].kind == HOST_NAME)
            name = i + 1;
    return name;
}

static void open_unit(struct reader *r, size_t i, bool headless)
{
    struct fortran_text *text = r->text;
    const struct fortran_statement *s = &text->list[i];
    bool interface = top_is(r, FORTRAN_DEFINITION), procedure = true, pure = false;
    size_t name = FORTRAN_NONE;
    if (!headless) {
        static const char *const others[] = {"module", "submodule", "block", "blockdata"};
        bool named = has_word(r->host, s, "subroutine") || has_word(r->host, s, "function") ||
                     s->kind == FORTRAN_SEPARATE;
        procedure = named || !HOST_TOKEN_IS_ANY(r->host, s->first, others);
        pure = (has_word(r->host, s, "pure") || has_word(r->host, s, "elemental")) && !has_word(r->host, s, "impure");
        name = unit_name(r->host, s);
    }
    text->units = alloc_grow(text->units, text->n_units, &text->units_capacity, sizeof *text->units);
    text->units[text->n_units] = (struct fortran_unit){
        .first = i, .headless = headless, .procedure = procedure, .interface = interface, .pure = pure,
        .contains = FORTRAN_NONE, .last = FORTRAN_NONE, .outer = r->unit, .name = name};
    r->unit = text->n_units++;
    push(r, i, true);
}

static void close_unit(struct reader *r, size_t i)
{
    while (r->n_frames > 0 && !top(r)->unit)
        r->n_frames--;
    if (r->n_frames == 0)
        return;
    r->n_frames--;
    r->text->units[r->unit].last = i;
    r->unit = r->text->units[r->unit].outer;
}

static bool is_closed_by(const struct fortran_statement *construct, const struct fortran_statement *end)
{
    return end->kind == FORTRAN_END_REGION ? construct->kind == FORTRAN_REGION
                                           : construct->kind == end->closes ||
                                                 (construct->kind == FORTRAN_CONCURRENT && end->closes == FORTRAN_DO);
}

/* The innermost one that statement i closes, of this unit. */
static void close_construct(struct reader *r, size_t i)
{
    struct fortran_statement *list = r->text->list;
    size_t at = r->n_frames, least = at > FORTRAN_UNCLOSED_MOST ? at - FORTRAN_UNCLOSED_MOST : 0;
    while (at > least && !r->frames[at - 1].unit && !is_closed_by(&list[r->frames[at - 1].statement], &list[i]))
        at--;
    if (at == least || r->frames[at - 1].unit || (list[i].kind == FORTRAN_END_REGION && at < r->n_frames))
        return;
    list[r->frames[at - 1].statement].last = i;
    r->n_frames = at - 1;
}

/* The loops that end with a label, several with one. */
static void close_labelled(struct reader *r, size_t i)
{
    struct fortran_statement *list = r->text->list;
    while (top_is(r, FORTRAN_DO) || top_is(r, FORTRAN_CONCURRENT)) {
        struct fortran_statement *loop = &list[top(r)->statement];
        if (loop->ends == 0 || loop->ends != list[i].label)
            return;
        loop->last = i;
        r->n_frames--;
    }
}

static size_t branch_new(struct fortran_text *text, size_t outer)
{
    text->branches = alloc_grow(text->branches, text->n_branches, &text->branches_capacity, sizeof *text->branches);
    text->branches[text->n_branches] = outer;
    return text->n_branches++;
}

/* #if opens a branch, #else closes one and opens another, #endif closes one; they may stand in a statement. */
static void take_conditions(struct reader *r, const struct fortran_statement *s)
{
    struct fortran_text *text = r->text;
    for (size_t i = s->first; i + 1 < s->end; i++) {
        const char *word = r->host->text + r->host->tokens[i + 1].at;
        if (!host_token_is(r->host, i, "#"))
            continue;
        if (strncmp(word, "if", 2) == 0)
            r->branch = branch_new(text, r->branch);
        else if (strncmp(word, "el", 2) == 0)
            r->branch = branch_new(text, text->branches[r->branch]);
        else if (strncmp(word, "endif", 5) == 0)
            r->branch = text->branches[r->branch];
    }
}

static bool stands_in_unit(enum fortran_kind kind)
{
    return kind < FORTRAN_CONDITION && kind != FORTRAN_REGION && kind != FORTRAN_END_REGION && kind != FORTRAN_INCLUDE;
}

/* Does a main program that no statement begins start with statement i? A compiler's directive does as what it is of. */
static bool begins_headless(struct reader *r, size_t i)
{
    const struct fortran_text *text = r->text;
    if (text->list[i].kind == FORTRAN_PREFIX || text->list[i].kind == FORTRAN_REGION) {
        r->standing = r->standing > i ? r->standing : i;
        while (r->standing < text->n && !stands_in_unit(text->list[r->standing].kind))
            r->standing++;
        i = r->standing;
    }
    return i < text->n && stands_in_unit(text->list[i].kind) && text->list[i].kind != FORTRAN_UNIT &&
           text->list[i].kind != FORTRAN_SEPARATE;
}

static void nest(struct reader *r, size_t i)
{
    struct fortran_statement *s = &r->text->list[i];
    bool begins = s->kind == FORTRAN_UNIT || (s->kind == FORTRAN_SEPARATE && !top_is(r, FORTRAN_DEFINITION));
    take_conditions(r, s);
    if (begins)
        open_unit(r, i, false);
    else if (r->unit == FORTRAN_NONE && begins_headless(r, i))
        open_unit(r, i, true);
    s->last = i;
    s->unit = r->unit;
    s->branch = r->branch;
    s->outer = r->n_frames > 0 && !top(r)->unit ? top(r)->statement : FORTRAN_NONE;
    switch (s->kind) {
    case FORTRAN_DO: case FORTRAN_CONCURRENT: case FORTRAN_IF: case FORTRAN_SELECT: case FORTRAN_MASK:
    case FORTRAN_CONSTRUCT: case FORTRAN_BLOCK: case FORTRAN_DEFINITION: case FORTRAN_REGION:
        s->last = FORTRAN_NONE;
        push(r, i, false);
        break;
    case FORTRAN_END:
    case FORTRAN_END_REGION: close_construct(r, i); break;
    case FORTRAN_END_UNIT: close_unit(r, i); break;
    case FORTRAN_CONTAINS:
        if (r->unit != FORTRAN_NONE && !top_is(r, FORTRAN_DEFINITION))
            r->text->units[r->unit].contains = i;
        break;
    default: break;
    }
    if (s->label != 0)
        close_labelled(r, i);
}

void fortran_text_read(struct fortran_text *text, const struct host_text *host)
{
    *text = (struct fortran_text){.host = host};
    struct reader r = {.text = text, .host = host, .fixed = host->source->host == HOST_FORTRAN_FIXED,
                       .unit = FORTRAN_NONE};
    comment_scan(host->source, take_comment, &r);
    take_statements(&r);
    if (text->n > 0)
        qsort(text->list, text->n, sizeof *text->list, by_place);
    branch_new(text, 0);
    for (size_t i = 0; i < text->n; i++)
        nest(&r, i);
    free(r.frames);
}

void fortran_text_free(struct fortran_text *text)
{
    free(text->list);
    free(text->units);
    free(text->branches);
    *text = (struct fortran_text){0};
}

size_t fortran_statement_at(const struct fortran_text *text, size_t offset)
{
    size_t low = 0, high = text->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (text->list[middle].from < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t fortran_unit_begin(const struct fortran_text *text, size_t unit)
{
    return text->list[text->units[unit].first].first;
}

size_t fortran_unit_end(const struct fortran_text *text, size_t unit)
{
    size_t last = text->units[unit].last;
    return last == FORTRAN_NONE ? text->host->n : text->list[last].first;
}

size_t fortran_unit_named(const struct fortran_text *text, size_t unit)
{
    while (unit != FORTRAN_NONE && text->units[unit].headless)
        unit = text->units[unit].outer;
    return unit;
}

size_t fortran_unit_around(const struct fortran_text *text, size_t unit)
{
    return fortran_unit_named(text, text->units[unit].outer);
}

size_t fortran_unit_at(const struct fortran_text *text, size_t i)
{
    size_t low = 0, high = text->n_units;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fortran_unit_begin(text, middle) <= i)
            low = middle + 1;
        else
            high = middle;
    }
    size_t unit = fortran_unit_named(text, low > 0 ? low - 1 : FORTRAN_NONE);
    while (unit != FORTRAN_NONE && fortran_unit_end(text, unit) < i)
        unit = fortran_unit_around(text, unit);
    return unit;
}

size_t fortran_procedure_end(const struct fortran_text *text, size_t begin, size_t end)
{
    for (size_t i = fortran_statement_at(text, begin); i < text->n && text->list[i].from < end; i++)
        if (text->list[i].kind == FORTRAN_END_UNIT || text->list[i].kind == FORTRAN_CONTAINS)
            return text->list[i].from;
    return end;
}

size_t fortran_action(const struct fortran_text *text, const struct fortran_statement *s)
{
    static const char *const conditions[] = {"if", "where"};
    size_t i = s->first;
    while (s->kind == FORTRAN_EXECUTES && i + 1 < s->end && HOST_TOKEN_IS_ANY(text->host, i, conditions) &&
           host_token_is(text->host, i + 1, "("))
        i = fortran_behind(text->host, i + 1, s->end);
    return i;
}

bool fortran_branch_in(const struct fortran_text *text, size_t inner, size_t outer)
{
    while (inner != outer && inner != 0)
        inner = text->branches[inner];
    return inner == outer;
}
