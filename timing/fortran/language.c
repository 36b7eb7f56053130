#include "timing/language.h"

#include "common/alloc.h"
#include "timing/fortran/block.h"
#include "timing/fortran/scope.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct fortran_code {
    const struct host_text *host;
    struct fortran_text text;
    struct fortran_files files;
    bool fixed;
    size_t used;           /* the unit that has `use pevpm_time` last */
};

static void *fortran_open(const struct source *program, const struct host_text *host)
{
    struct fortran_code *code = alloc_zeroed(1, sizeof *code);
    code->host = host;
    code->files.program = program;
    code->fixed = host->source->host == HOST_FORTRAN_FIXED;
    code->used = FORTRAN_NONE;
    fortran_text_read(&code->text, host);
    return code;
}

static void fortran_close(void *context)
{
    struct fortran_code *code = context;
    fortran_text_free(&code->text);
    fortran_files_free(&code->files);
    free(code);
}

static bool fortran_has_code(const void *context, size_t begin, size_t end)
{
    const struct fortran_code *code = context;
    size_t i = fortran_statement_at(&code->text, begin);
    return i < code->text.n && code->text.list[i].from < end;
}

static struct timed_block fortran_find(void *context, size_t begin, size_t end)
{
    struct fortran_code *code = context;
    return fortran_block_find(&code->files, &code->text, begin, end);
}

/* ---- whether the argument means the same in the program ---- */

static const char *name_problem(struct fortran_code *code, size_t at, struct token token, bool called)
{
    static const char *const same[] = {"min", "max", "abs"}; /* as the directives know them */
    const struct source *source = code->host->source;
    enum fortran_meaning meaning = fortran_scope_find(&code->files, &code->text,
                                                      fortran_statement_at(&code->text, at), source->text + token.at,
                                                      token.n);
    for (size_t i = 0; i < sizeof same / sizeof *same && meaning == FORTRAN_UNKNOWN && called; i++)
        if (measured_token_is(source, token, same[i]))
            return NULL;
    if (called)
        return meaning == FORTRAN_FUNCTION ? NULL : "is no function that is declared here";
    switch (meaning) {
    case FORTRAN_NUMBER: return NULL;
    case FORTRAN_UNKNOWN: return "is not declared here";
    case FORTRAN_FUNCTION: return "is a function here";
    case FORTRAN_OTHER:
    case FORTRAN_ARRAY: return "is an array, a structure or no number here";
    }
    return NULL;
}

static const char *number_problem(const struct source *source, struct token token)
{
    if (measured_is_integer_here_alone(source, token))
        return "is an integer in a directive and none in Fortran";
    if (token.value.kind == VALUE_REAL)
        return "has another precision in Fortran";
    return token.value.kind != VALUE_INT || token.value.i > INT32_MAX ? "is no default integer in Fortran" : NULL;
}

/* Marks that mean the same in both; Fortran has no sign behind an operator. */
static bool mark_agrees(enum token_kind kind, enum token_kind before)
{
    static const enum token_kind same[] = {TOKEN_ADD, TOKEN_SUB, TOKEN_MUL, TOKEN_DIV, TOKEN_OPEN, TOKEN_CLOSE,
                                           TOKEN_COMMA};
    bool sign = kind == TOKEN_ADD || kind == TOKEN_SUB;
    if (sign && (before == TOKEN_ADD || before == TOKEN_SUB || before == TOKEN_MUL || before == TOKEN_DIV))
        return false;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (kind == same[i])
            return true;
    return false;
}

static const char *fortran_argument_problem(void *context, const struct measured *measured, size_t at,
                                            struct token *refused)
{
    struct fortran_code *code = context;
    const struct source *source = code->host->source;
    struct lexer lexer = measured->argument;
    const char *problem = NULL;
    enum token_kind before = TOKEN_OPEN;
    int depth = 0;
    while (!problem && measured_argument_next(&lexer, &depth, refused)) {
        struct lexer ahead = lexer;
        if (measured_token_is(source, *refused, "sizeof"))
            problem = "is no function of Fortran";
        else if (refused->kind == TOKEN_NAME)
            problem = name_problem(code, at, *refused, lexer_next(&ahead).kind == TOKEN_OPEN);
        else if (refused->kind == TOKEN_NUMBER)
            problem = number_problem(source, *refused);
        else if (!mark_agrees(refused->kind, before))
            problem = "does not mean this in Fortran";
        before = refused->kind;
    }
    return problem;
}

/* call pevpm_time_begin('NAME' ...) */
static size_t fortran_timed_by_hand(const struct host_text *host, const char *name, size_t length)
{
    for (size_t i = 0; i + 2 < host->n; i++) {
        const struct host_token *string = &host->tokens[i + 2];
        if (host_token_is(host, i, "pevpm_time_begin") && host_token_is(host, i + 1, "(") &&
            string->kind == HOST_STRING && string->n == length + 2 &&
            memcmp(host->source->text + string->at + 1, name, length) == 0)
            return string->at;
    }
    return SIZE_MAX;
}

/* ---- writing ---- */

/* The blanks that the line of `at` starts with; fixed form has six at least. Allocated. */
static char *indent_of(const struct fortran_code *code, size_t at)
{
    const struct source *source = code->host->source;
    size_t start = source->line_start[source_line(source, at)], n = 0;
    while (start + n < at && isblank((unsigned char)source->text[start + n]))
        n++;
    bool tab = memchr(source->text + start, '\t', n);
    return code->fixed && n < 6 && !tab ? alloc_string("      ") : alloc_string_n(source->text + start, n);
}

/* A statement on lines of its own; a long one goes on in further lines, in the middle of a word too. */
static void write_statement(const struct fortran_code *code, FILE *out, const char *indent, const char *text)
{
    size_t width = code->fixed ? 72 : 131, indented = strlen(indent), n = strlen(text); /* one byte is left for `&` */
    bool deep = indented + 20 > width; /* which leaves no room to read by */
    size_t room = width - (deep ? 6 : indented);
    fputs(deep ? "      " : indent, out);
    while (n > room) {
        fwrite(text, 1, room, out);
        fputs(code->fixed ? "\n     &" : "&\n    &", out);
        text += room;
        n -= room;
        room = width - 6;
    }
    fprintf(out, "%s", text);
}

/* Nothing but blanks and comments from a byte to the end of its line. */
static bool line_is_over(const struct fortran_code *code, size_t at)
{
    const struct source *source = code->host->source;
    size_t end = source_line_end(source, source_line(source, at));
    while (at < end && isspace((unsigned char)code->host->text[at]))
        at++;
    return at >= end;
}

/* A statement behind what ends at `at`: on the next line, or, where another statement follows, before that. */
static void write_behind(const struct fortran_code *code, struct timed_copy *copy, size_t at, const char *indent,
                         const char *text)
{
    const struct source *source = code->host->source;
    size_t line = source_line(source, at - 1), next = source->line_start[line + 1];
    bool over = line_is_over(code, at);
    timed_copy_up_to(copy, over ? next : at);
    if (!over || source->text[next - 1] != '\n')
        fputc('\n', copy->out);
    write_statement(code, copy->out, indent, text);
    if (over)
        fputc('\n', copy->out);
}

static void write_before(const struct fortran_code *code, struct timed_copy *copy, size_t at, const char *indent,
                         const char *text)
{
    const struct source *source = code->host->source;
    timed_copy_up_to(copy, source->line_start[source_line(source, at)]);
    write_statement(code, copy->out, indent, text);
    fputc('\n', copy->out);
}

/* As far in as the next statement of the unit. */
static char *use_indent(const struct fortran_code *code, size_t first)
{
    const struct fortran_text *text = &code->text;
    const struct fortran_statement *s = &text->list[first], *next = first + 1 < text->n ? s + 1 : s;
    if (text->units[s->unit].headless)
        return indent_of(code, s->from);
    bool shown = next->unit == s->unit && next->label == 0 && next->kind < FORTRAN_CONDITION &&
                 next->kind != FORTRAN_INCLUDE && line_is_over(code, s->to);
    if (shown)
        return indent_of(code, next->from);
    char *indent = indent_of(code, s->from), *deeper = alloc_format("%s    ", indent);
    free(indent);
    return deeper;
}

static void write_use(struct fortran_code *code, struct timed_copy *copy, size_t statement)
{
    static const char use[] = "use pevpm_time, only: pevpm_time_begin, pevpm_time_end";
    const struct fortran_text *text = &code->text;
    size_t unit = text->list[statement].unit, first = text->units[unit].first;
    if (unit == code->used)
        return;
    code->used = unit;
    char *indent = use_indent(code, first);
    if (text->units[unit].headless)
        write_before(code, copy, text->list[first].from, indent, use);
    else
        write_behind(code, copy, text->list[first].to, indent, use);
    free(indent);
}

static void fortran_write(void *context, struct timed_copy *copy, const struct measured *measured,
                          const struct timed_block *block)
{
    struct fortran_code *code = context;
    const char *name = copy->source->text + measured->name.at;
    int n = (int)measured->name.n;
    char *indent = indent_of(code, block->begin);
    char *begin = measured->text ? alloc_format("call pevpm_time_begin('%.*s', dble(%s))", n, name, measured->text)
                                 : alloc_format("call pevpm_time_begin('%.*s')", n, name);
    char *end = alloc_format("call pevpm_time_end('%.*s')", n, name);
    write_use(code, copy, fortran_statement_at(&code->text, block->begin));
    write_before(code, copy, block->begin, indent, begin);
    write_behind(code, copy, block->end, indent, end);
    free(indent);
    free(begin);
    free(end);
}

const struct instrument_language language_fortran = {
    fortran_open, fortran_close, fortran_has_code, fortran_find, fortran_argument_problem, fortran_timed_by_hand,
    fortran_write,
};
