#include "timing/instrument.h"

#include "common/alloc.h"
#include "directives/comment.h"
#include "directives/directive.h"
#include "directives/token.h"
#include "timing/statements.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct instrument {
    const struct source *source;
    struct diags *diags;
    struct directives directives;
    char *code;            /* the source prepared for statements_find */
    FILE *out;
    size_t written;        /* bytes of the source that are in `out` */
    size_t measured, timed;
};

/* measured(NAME) or measured(NAME, EXPR) of a Serial directive. */
struct measured {
    bool found;
    struct token name;
    size_t argument, argument_n; /* the text of EXPR; n = 0: none */
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
    token = lexer_next(&lexer);
    if (token.kind != TOKEN_COMMA)
        return measured;
    int depth = 0;
    for (token = lexer_next(&lexer); token.kind != TOKEN_END; token = lexer_next(&lexer)) {
        if (token.kind == TOKEN_CLOSE && depth-- == 0)
            return measured;
        depth += token.kind == TOKEN_OPEN;
        if (measured.argument_n == 0)
            measured.argument = token.at;
        measured.argument_n = token.at + token.n - measured.argument;
        if (token.first)
            measured.found = false; /* an argument over several lines is no C expression as it stands */
    }
    measured.found = false;
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

/* ---- writing ---- */

static void write_up_to(struct instrument *in, size_t at)
{
    fwrite(in->source->text + in->written, 1, at - in->written, in->out);
    in->written = at;
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
    write_up_to(in, found->begin);
    if (measured->argument_n > 0)
        fprintf(in->out, "PEVPM_TIME_BEGIN_ARG(%.*s, %.*s);\n", n, name, (int)measured->argument_n,
                text + measured->argument);
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
    in->measured++;
    if (found.begin == found.end) {
        diag_warning(in->diags, found.reason ? source_place(in->source, found.stop, 1) : place, "not timed: %s",
                     found.reason ? found.reason : "no whole statement stands between this and the next directive");
    } else if (!statements_in_braces(in->code, found.begin)) {
        diag_warning(in->diags, place, "not timed: the code stands outside any function");
    } else if (!statements_may_start(in->code, found.begin)) {
        diag_warning(in->diags, source_place(in->source, found.begin, 1),
                     "not timed: no statement starts here (the body of a loop without braces?)");
    } else {
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
        if (!measured.found)
            measured = measured_of(in, next);
        next++;
    }
    if (next < in->directives.n)
        end = begin_of(in, next);
    if (measured.found)
        time_row(in, &measured, end_of(in, next - 1), end);
    return next;
}

static enum status instrument_rows(struct instrument *in)
{
    const struct source *source = in->source;
    fputs("#include \"pevpm_time.h\"\n", in->out);
    for (size_t i = 0; i < in->directives.n;)
        i = is_serial(in, i) ? take_row(in, i) : i + 1;
    write_up_to(in, source->length);
    if (in->measured > 0)
        return STATUS_OK;
    diag_error(in->diags, place_of_file(source->name),
               "nothing to time: no Serial directive says measured(NAME), such as `Serial time = measured(update)`");
    return STATUS_SYNTAX;
}

enum status instrument_source(const struct source *source, char **text, struct diags *diags)
{
    struct instrument in = {.source = source, .diags = diags};
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
    in.out = open_memstream(text, &length);
    if (status == STATUS_OK)
        status = instrument_rows(&in);
    fclose(in.out);
    if (status != STATUS_OK) {
        free(*text);
        *text = NULL;
    }
    free(in.code);
    directives_free(&in.directives);
    return status;
}
