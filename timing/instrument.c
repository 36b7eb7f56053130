#include "timing/instrument.h"

#include "common/alloc.h"
#include "directives/comment.h"
#include "directives/directive.h"
#include "directives/token.h"
#include "timing/scope.h"
#include "timing/statements.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct instrument {
    const struct source *program, *source;
    struct diags *diags;
    struct directives directives;
    char *code;            /* the source prepared for statements_find */
    struct host_text host; /* its tokens */
    size_t include;        /* where the header goes */
    FILE *out;
    size_t written;        /* bytes of the source that are in `out` */
    size_t measured, timed;
};

/* measured(NAME) or measured(NAME, EXPR) of a Serial directive. */
struct measured {
    bool found;
    struct token name;
    struct lexer argument;  /* where EXPR starts */
    char *text;             /* what is given to the timer: EXPR, or what `code` says. NULL: no argument */
    bool code;
};

static bool token_is(const struct instrument *in, struct token token, const char *word)
{
    return token.kind == TOKEN_NAME && token.n == strlen(word) &&
           strncasecmp(in->source->text + token.at, word, token.n) == 0;
}

static struct lexer lexer_of(const struct instrument *in, size_t directive)
{
    const struct directive *d = &in->directives.list[directive];
    struct lexer lexer;
    lexer_init(&lexer, in->source->text, &in->directives.pieces[d->first], d->n);
    return lexer;
}

static bool is_serial(const struct instrument *in, size_t directive)
{
    struct lexer lexer = lexer_of(in, directive);
    return token_is(in, lexer_next(&lexer), "Serial");
}

/* The text of tokens up to the end of the directive, or to the `)` that closes what was open before them. The lexer
 * ends behind it. */
static char *take_text(const struct instrument *in, struct lexer *lexer, bool closes)
{
    const char *source = in->source->text;
    char *text;
    size_t length, end = 0;
    int depth = 0;
    FILE *out = open_memstream(&text, &length);
    for (struct token token = lexer_next(lexer); token.kind != TOKEN_END; token = lexer_next(lexer)) {
        if (closes && token.kind == TOKEN_CLOSE && depth-- == 0)
            break;
        depth += token.kind == TOKEN_OPEN;
        if (end > 0 && token.first)
            fputc(' ', out);
        else if (end > 0)
            fwrite(source + end, 1, token.at - end, out);
        fwrite(source + token.at, 1, token.n, out);
        end = token.at + token.n;
    }
    fclose(out);
    return text;
}

static struct measured measured_of(const struct instrument *in, size_t directive)
{
    struct measured measured = {0};
    struct lexer lexer = lexer_of(in, directive);
    struct token token = lexer_next(&lexer);
    while (token.kind != TOKEN_END && !token_is(in, token, "measured"))
        token = lexer_next(&lexer);
    if (token.kind == TOKEN_END || lexer_next(&lexer).kind != TOKEN_OPEN)
        return measured;
    measured.name = lexer_next(&lexer);
    measured.found = measured.name.kind == TOKEN_NAME;
    measured.name = lexer_extend_word(&lexer, measured.name);
    if (lexer_next(&lexer).kind != TOKEN_COMMA)
        return measured;
    measured.argument = lexer;
    measured.text = take_text(in, &lexer, true);
    do
        token = lexer_next(&lexer);
    while (token.kind != TOKEN_END && !token_is(in, token, "code"));
    if (token.kind == TOKEN_END || lexer_next(&lexer).kind != TOKEN_ASSIGN)
        return measured;
    free(measured.text);
    measured.text = take_text(in, &lexer, false);
    measured.code = true;
    return measured;
}

static size_t begin_of(const struct instrument *in, size_t directive)
{
    return in->directives.pieces[in->directives.list[directive].first].begin;
}

static size_t end_of(const struct instrument *in, size_t directive)
{
    const struct directive *d = &in->directives.list[directive];
    return in->directives.pieces[d->first + d->n - 1].end;
}

static bool has_code(const struct instrument *in, size_t begin, size_t end)
{
    while (begin < end && isspace((unsigned char)in->code[begin]))
        begin++;
    return begin < end;
}

/* ---- whether the argument means the same in the program ---- */

static const char say_code[] = "say what the program calls the argument: `& code = ...` at the end of the directive";

static void refuse(struct instrument *in, struct token token, const char *why)
{
    diag_warning(in->diags, piece_place(in->source, token.piece, token.at, token.n), "not timed: `%.*s` %s; %s",
                 (int)token.n, in->source->text + token.at, why, say_code);
}

/* Why a name of the directive cannot stand in the program at that place; NULL: it can. */
static const char *name_problem(const struct instrument *in, const struct code_scope *scope, struct token token,
                                bool called)
{
    const char *name = in->source->text + token.at;
    enum code_scope_meaning meaning = code_scope_find(scope, name, token.n);
    if (called)
        return meaning == SCOPE_FUNCTION ? NULL : "is no function that this file or its headers declare";
    switch (meaning) {
    case SCOPE_NUMBER: return NULL;
    case SCOPE_UNKNOWN: return "is not declared here";
    case SCOPE_FUNCTION: return "is a function here";
    case SCOPE_OTHER: return "is a pointer, an array or a structure here";
    case SCOPE_NUMBER_TYPE:
    case SCOPE_OTHER_TYPE: return "is a type here";
    }
    return NULL;
}

/* sizeof(T): the arithmetic types are the same in both; MPI's datatypes are handles in C. The lexer is behind the word,
 * then behind the `)`. */
static bool sizeof_agrees(struct instrument *in, struct lexer *lexer)
{
    static const char *const types[] = {"char", "short", "int", "long", "float", "double"};
    lexer_next(lexer);
    struct token type = lexer_next(lexer);
    lexer_next(lexer);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (type.n == strlen(types[i]) && memcmp(in->source->text + type.at, types[i], type.n) == 0)
            return true;
    refuse(in, type, "has another size in C, where it is a handle");
    return false;
}

/* 1e5 is an integer in a directive, and divides as one. */
static bool is_integer_in_directives_alone(const struct instrument *in, struct token token)
{
    const char *text = in->source->text + token.at;
    return token.kind == TOKEN_NUMBER && token.value.kind == VALUE_INT &&
           (memchr(text, 'e', token.n) || memchr(text, 'E', token.n)) && !memchr(text, 'x', token.n);
}

/* A warning where the argument, as the directive has it, is no C expression at `at`, or another one. */
static bool argument_agrees(struct instrument *in, const struct measured *measured, size_t at)
{
    struct lexer lexer = measured->argument, ahead;
    struct code_scope scope;
    bool agrees = true;
    int depth = 0;
    code_scope_read(&scope, &in->host, at);
    for (struct token token = lexer_next(&lexer); agrees && depth >= 0; token = lexer_next(&lexer)) {
        const char *problem = NULL;
        ahead = lexer;
        depth += (token.kind == TOKEN_OPEN) - (token.kind == TOKEN_CLOSE || token.kind == TOKEN_END);
        if (token_is(in, token, "sizeof"))
            agrees = sizeof_agrees(in, &lexer);
        else if (token.kind == TOKEN_NAME)
            problem = name_problem(in, &scope, token, lexer_next(&ahead).kind == TOKEN_OPEN);
        else if (is_integer_in_directives_alone(in, token))
            problem = "is an integer in a directive and none in C";
        if (problem)
            refuse(in, token, problem);
        agrees = agrees && !problem;
    }
    code_scope_free(&scope);
    return agrees;
}

/* The line, from 1, in which a file itself times a block of that name; 0: none. */
static size_t timed_in(const struct host_text *host, const char *name, size_t length)
{
    for (size_t i = 0; i + 2 < host->n; i++) {
        if (!host_token_is(host, i, "PEVPM_TIME_BEGIN") && !host_token_is(host, i, "PEVPM_TIME_BEGIN_ARG"))
            continue;
        size_t begin = host->tokens[i + 2].at, end = i + 2;
        while (end + 1 < host->n && !host_token_is(host, end + 1, ",") && !host_token_is(host, end + 1, ")"))
            end++;
        size_t n = host->tokens[end].at + host->tokens[end].n - begin;
        if (n == length && memcmp(host->source->text + begin, name, n) == 0)
            return source_line(host->source, begin) + 1;
    }
    return 0;
}

/* The same in any file of the program; which one is in *file. */
static size_t timed_by_hand(const struct instrument *in, const struct measured *measured, const struct source **file)
{
    const char *name = in->source->text + measured->name.at;
    size_t line = timed_in(&in->host, name, measured->name.n);
    *file = in->source;
    for (const struct source *other = in->program; other && line == 0; other = other->next) {
        struct host_text host;
        if (other == in->source || other->host != HOST_C || !host_text_read(&host, other))
            continue;
        line = timed_in(&host, name, measured->name.n);
        *file = other;
        host_text_free(&host);
    }
    return line;
}

/* ---- writing ---- */

static void write_up_to(struct instrument *in, size_t at)
{
    fwrite(in->source->text + in->written, 1, at - in->written, in->out);
    in->written = at;
}

/* Behind the first #include, so that what the source defines for system headers (_GNU_SOURCE) stands before them; once,
 * before the first block. */
static void write_include(struct instrument *in, size_t before)
{
    if (in->timed > 0)
        return;
    write_up_to(in, in->include <= before ? in->include : 0);
    fputs("#include \"pevpm_time.h\"\n", in->out);
}

/* The end of the line of the first #include that no condition holds; 0: none. */
static size_t first_include(const struct instrument *in)
{
    const struct host_text *host = &in->host;
    int conditions = 0;
    for (size_t i = 0; i + 1 < host->n; i++) {
        if (!host->tokens[i].directive)
            continue;
        const char *word = host->text + host->tokens[i + 1].at;
        if (strncmp(word, "if", 2) == 0)
            conditions++;
        else if (strncmp(word, "endif", 5) == 0)
            conditions--;
        else if (conditions == 0 && strncmp(word, "include", 7) == 0)
            return in->source->line_start[source_line(in->source, host->tokens[i].at) + 1];
    }
    return 0;
}

/* The blanks that the line of `at` starts with. */
static void write_indent(const struct instrument *in, size_t at)
{
    size_t start = in->source->line_start[source_line(in->source, at)], end = start;
    while (end < at && isblank((unsigned char)in->source->text[end]))
        end++;
    fwrite(in->source->text + start, 1, end - start, in->out);
}

static void write_block(struct instrument *in, const struct measured *measured, const struct statements *found)
{
    const char *text = in->source->text, *name = text + measured->name.at;
    int n = (int)measured->name.n;
    write_include(in, found->begin);
    write_up_to(in, found->begin);
    if (measured->text)
        fprintf(in->out, "PEVPM_TIME_BEGIN_ARG(%.*s, %s);\n", n, name, measured->text);
    else
        fprintf(in->out, "PEVPM_TIME_BEGIN(%.*s);\n", n, name);
    write_indent(in, found->begin);
    write_up_to(in, found->end);
    fputc('\n', in->out);
    write_indent(in, found->begin);
    fprintf(in->out, "PEVPM_TIME_END(%.*s);", n, name);
}

/* ---- one row of Serial directives ---- */

static void tell(struct instrument *in, const struct measured *measured, const struct statements *found)
{
    const struct source *source = in->source;
    struct place place = source_place(source, measured->name.at, measured->name.n);
    size_t first = source_line(source, found->begin) + 1, last = source_line(source, found->end - 1) + 1;
    if (first == last)
        diag_note(in->diags, place, "line %zu is timed", first);
    else
        diag_note(in->diags, place, "lines %zu to %zu are timed", first, last);
    if (found->reason)
        diag_warning(in->diags, source_place(source, found->stop, 1), "from here on nothing of this block is timed: %s",
                     found->reason);
}

static void time_row(struct instrument *in, const struct measured *measured, size_t begin, size_t end)
{
    struct place place = source_place(in->source, measured->name.at, measured->name.n);
    struct statements found = statements_find(in->code, begin, end);
    const struct source *file;
    size_t by_hand = timed_by_hand(in, measured, &file);
    in->measured++;
    if (by_hand > 0 && file != in->source) {
        diag_note(in->diags, place, "timed by hand in line %zu of %s: nothing is added", by_hand, file->name);
    } else if (by_hand > 0) {
        diag_note(in->diags, place, "timed by hand in line %zu: nothing is added", by_hand);
    } else if (found.begin == found.end) {
        diag_warning(in->diags, found.reason ? source_place(in->source, found.stop, 1) : place, "not timed: %s",
                     found.reason ? found.reason : "no whole statement stands between this and the next directive");
    } else if (!statements_in_braces(in->code, found.begin)) {
        diag_warning(in->diags, place, "not timed: the code stands outside any function");
    } else if (!statements_may_start(in->code, found.begin)) {
        diag_warning(in->diags, source_place(in->source, found.begin, 1),
                     "not timed: no statement starts here (the body of a loop without braces?)");
    } else if (!measured->text || measured->code || argument_agrees(in, measured, found.begin)) {
        write_block(in, measured, &found);
        tell(in, measured, &found);
        in->timed++;
    }
}

/* The row that starts with a Serial directive; returns the directive behind it. */
static size_t take_row(struct instrument *in, size_t first)
{
    struct measured measured = measured_of(in, first);
    size_t next = first + 1, end = in->source->length;
    while (next < in->directives.n && is_serial(in, next) && !has_code(in, end_of(in, next - 1), begin_of(in, next))) {
        if (!measured.found) {
            free(measured.text);
            measured = measured_of(in, next);
        }
        next++;
    }
    if (next < in->directives.n)
        end = begin_of(in, next);
    if (measured.found)
        time_row(in, &measured, end_of(in, next - 1), end);
    free(measured.text);
    return next;
}

static enum status instrument_rows(struct instrument *in)
{
    const struct source *source = in->source;
    for (size_t i = 0; i < in->directives.n;)
        i = is_serial(in, i) ? take_row(in, i) : i + 1;
    write_up_to(in, source->length);
    if (in->measured > 0)
        return STATUS_OK;
    diag_error(in->diags, place_of_file(source->name),
               "nothing to time: no Serial directive says measured(NAME), such as `Serial time = measured(update)`");
    return STATUS_SYNTAX;
}

bool instrument_is_wanted(const struct source *source)
{
    struct diags unsaid = DIAGS_EMPTY;
    struct instrument in = {.source = source, .diags = &unsaid};
    bool wanted = false;
    (void)directives_find(&in.directives, source, &unsaid);
    for (size_t i = 0; i < in.directives.n && !wanted; i++) {
        if (!is_serial(&in, i))
            continue;
        struct measured measured = measured_of(&in, i);
        wanted = measured.found;
        free(measured.text);
    }
    directives_free(&in.directives);
    diags_free(&unsaid);
    return wanted;
}

enum status instrument_source(const struct source *program, const struct source *source, char **text,
                              struct diags *diags)
{
    struct instrument in = {.program = program, .source = source, .diags = diags};
    size_t length;
    *text = NULL;
    if (source->host != HOST_C) {
        diag_error(diags, place_of_file(source->name),
                   "this is %s: only C and C++ can be instrumented; for Fortran see pevpm_time.F90",
                   host_text(source->host));
        return STATUS_SYNTAX;
    }
    enum status status = directives_find(&in.directives, source, diags) > 0 ? STATUS_SYNTAX : STATUS_OK;
    in.code = comment_blank(source);
    statements_prepare(in.code, source->length);
    if (!host_text_read(&in.host, source)) {
        diag_error(diags, place_of_file(source->name), "too long to be a program");
        status = STATUS_SYNTAX;
    }
    in.include = first_include(&in);
    in.out = open_memstream(text, &length);
    if (status == STATUS_OK)
        status = instrument_rows(&in);
    fclose(in.out);
    if (status != STATUS_OK) {
        free(*text);
        *text = NULL;
    }
    free(in.code);
    host_text_free(&in.host);
    directives_free(&in.directives);
    return status;
}
