#include "directives/parse/parse_impl.h"

#include "common/suggest.h"
#include "common/units.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What people write who come from another language. X(what stands in the text, bytes of it before the token, advice) */
static const struct {
    const char *text;
    size_t before;
    const char *advice;
} foreign[] = {
    {"**", 1, "a power is written pow(a, b)"},
    {"^", 0, "a power is written pow(a, b)"},
    {"//", 1, "a comment cannot stand in a directive; a quotient is written a / b"},
    {"/*", 1, "a comment cannot stand in a directive"},
    {"/=", 1, "inequality is written `!=`"},
    {"<>", 1, "inequality is written `!=`"},
    {"<<", 1, "multiply by pow(2, n) instead of shifting"},
    {">>", 1, "divide by pow(2, n) instead of shifting"},
    {"=<", 1, "less or equal is written `<=`"},
    {"=>", 1, "greater or equal is written `>=`"},
    {"=", 0, "equality is written `==`"},
    {".and.", 0, "write `&&`"},
    {".or.", 0, "write `||`"},
    {".not.", 0, "write `!`"},
    {".eqv.", 0, "write `==`"},
    {".eq.", 0, "write `==`"},
    {".ne.", 0, "write `!=`"},
    {".lt.", 0, "write `<`"},
    {".le.", 0, "write `<=`"},
    {".gt.", 0, "write `>`"},
    {".ge.", 0, "write `>=`"},
    {"and ", 0, "write `&&`"},
    {"or ", 0, "write `||`"},
    {"|", 0, "write `||`"},
    {"\"", 0, "there are no strings in a directive"},
    {"\xE2\x80\x93", 0, "this is a dash: write `-`"},
    {"\xE2\x80\x94", 0, "this is a dash: write `-`"},
    {"\xE2\x88\x92", 0, "this is a typographic minus: write `-`"},
    {"\xC3\x97", 0, "write `*`"},
    {"\xE2\x89\xA0", 0, "write `!=`"},
    {"\xE2\x89\xA4", 0, "write `<=`"},
    {"\xE2\x89\xA5", 0, "write `>=`"},
    {"\xC2\xA0", 0, "this is a no-break space: write an ordinary one"},
};

/* A decimal comma, which ends a key or a time. */
static bool is_decimal(const struct parser *p, struct token token)
{
    return token.kind == TOKEN_NUMBER && p->last.kind == TOKEN_COMMA && p->last.at + 1 == token.at &&
           p->last.at > token.piece->begin && isdigit((unsigned char)p->text[p->last.at - 1]);
}

/* Behind a number: what people count bytes in. */
static bool is_unit_of_bytes(const struct parser *p, struct token token)
{
    static const char *const units[] = {"B", "byte", "bytes", "KB", "KiB", "MB", "MiB", "GB", "GiB"};
    for (size_t i = 0; i < sizeof units / sizeof *units && p->last.kind == TOKEN_NUMBER && token.kind == TOKEN_NAME; i++)
        if (parse_token_is(p, token, units[i]))
            return true;
    return false;
}

size_t parse_microsecond(const struct parser *p, struct token token)
{
    static const char *const spellings[] = {"\xC2\xB5s", "\xCE\xBCs", "\xB5s"}; /* micro sign, Greek letter, Latin 1 */
    const size_t room = token.piece->end - token.at;
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const size_t n = strlen(spellings[i]);
        if (n <= room && memcmp(p->text + token.at, spellings[i], n) == 0)
            return n;
    }
    return 0;
}

static bool is_unit_of_time(const struct parser *p, struct token token)
{
    return p->last.kind == TOKEN_NUMBER && (parse_microsecond(p, token) > 0 ||
                                            (token.kind == TOKEN_NAME && units_time_unit(p->text + token.at, token.n) > 0));
}

static const char *foreign_advice(const struct parser *p, struct token token)
{
    if (is_decimal(p, token))
        return "numbers have a decimal point, not a comma";
    if (is_unit_of_bytes(p, token))
        return "sizes are in bytes and say no unit, as in 8*1024";
    if (is_unit_of_time(p, token))
        return "a unit stands at the end of a Serial's time, and nowhere else";
    if (token.kind == TOKEN_NAME && token.joined)
        return p->text[token.at] == 'x' || p->text[token.at] == 'X' ? "numbers are decimal"
                                                                    : "a number has no suffix";
    if (p->last.n == 3 && p->last.at < token.at && parse_token_is(p, p->last, "not"))
        return "write `!`";
    size_t room = token.piece->end - token.at, before = token.at - token.piece->begin;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t n = strlen(foreign[i].text), back = foreign[i].before;
        if (back <= before && n <= room + back && strncasecmp(p->text + token.at - back, foreign[i].text, n) == 0)
            return foreign[i].advice;
    }
    return NULL;
}

static void report(struct parser *p, struct place at, const char *format, va_list arguments)
{
    if (p->panic || p->quiet)
        return;
    char *message = alloc_format_list(format, arguments);
    diag_error(p->diags, at, "%s", message);
    free(message);
}

void parse_error(struct parser *p, struct place at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(p, at, format, arguments);
    va_end(arguments);
    p->n_syntax += !p->quiet;
    p->panic = true;
}

void parse_complain(struct parser *p, struct place at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(p, at, format, arguments);
    va_end(arguments);
    p->n_syntax += !p->quiet;
}

void parse_name_error(struct parser *p, struct place at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(p, at, format, arguments);
    va_end(arguments);
    p->n_name += !p->quiet;
}

void parse_note(struct parser *p, struct place at, const char *format, ...)
{
    if (p->panic || p->quiet || p->diags->n_dropped > 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    char *message = alloc_format_list(format, arguments);
    va_end(arguments);
    diag_note(p->diags, at, "%s", message);
    free(message);
}

struct place parse_place(const struct parser *p, struct token token)
{
    if (p->quiet) /* the piece of a host constant may go on over several lines */
        return source_place(p->source, token.at, token.n);
    return piece_place(p->source, token.piece, token.at, token.n);
}

struct place parse_place_from(const struct parser *p, struct token token)
{
    size_t end = p->last.piece == token.piece && p->last.at >= token.at ? p->last.at + p->last.n : token.piece->end;
    if (p->quiet)
        return source_place(p->source, token.at, end - token.at);
    return piece_place(p->source, token.piece, token.at, end - token.at);
}

void parse_unexpected(struct parser *p, const char *expected)
{
    char found[TOKEN_TEXT_BYTES];
    if (p->panic || p->quiet) {
        p->panic = true;
        return;
    }
    struct place at = parse_place(p, p->token);
    if (p->token.kind == TOKEN_BAD && p->token.problem) {
        parse_error(p, at, "%s", p->token.problem);
        return;
    }
    const char *advice = p->token.kind == TOKEN_END ? NULL : foreign_advice(p, p->token);
    parse_error(p, at, "expected %s, found %s%s%s", expected, token_text(p->text, p->token, found), advice ? ": " : "",
                advice ? advice : "");
}

void parse_advance(struct parser *p)
{
    p->last = p->token;
    p->token = lexer_next(&p->lexer);
}

bool parse_accept(struct parser *p, enum token_kind kind)
{
    if (p->token.kind != kind)
        return false;
    parse_advance(p);
    return true;
}

bool parse_expect(struct parser *p, enum token_kind kind, const char *what)
{
    if (parse_accept(p, kind))
        return true;
    parse_unexpected(p, what);
    return false;
}

struct token parse_peek(const struct parser *p)
{
    struct lexer ahead = p->lexer;
    return lexer_next(&ahead);
}

bool parse_token_is(const struct parser *p, struct token token, const char *word)
{
    return token.kind == TOKEN_NAME && token.n == strlen(word) && strncasecmp(p->text + token.at, word, token.n) == 0;
}

struct name *parse_intern(struct parser *p, struct token token)
{
    return names_get(&p->names, p->text + token.at, token.n);
}

char *parse_hint_text(char hint[HINT_BYTES], const char *suggestion)
{
    if (suggestion)
        snprintf(hint, HINT_BYTES, ", did you mean `%.60s`?", suggestion);
    else
        hint[0] = '\0';
    return hint;
}

char *parse_hint(char hint[HINT_BYTES], const struct parser *p, struct token token, const char *const candidates[],
                 size_t n)
{
    bool useful = !p->quiet && !p->panic && p->diags->n_dropped == 0;
    return parse_hint_text(hint, useful ? suggest_name(p->text + token.at, token.n, candidates, n) : NULL);
}

bool parse_reserved_symbol(const char *name, enum symbol_kind *symbol)
{
    static const struct {
        const char *name;
        enum symbol_kind symbol;
    } words[] = {
        {"procnum", SYMBOL_PROCNUM},
        {"numprocs", SYMBOL_NUMPROCS},
        {"nodes", SYMBOL_NODES},
        {"ppn", SYMBOL_PPN},
        {"node", SYMBOL_NODE},
        {"MPI_ANY_SOURCE", SYMBOL_WILDCARD},
        {"MPI_ANY_TAG", SYMBOL_WILDCARD},
        {"MPI_PROC_NULL", SYMBOL_PROC_NULL},
        {"MPI_COMM_WORLD", SYMBOL_COMM_WORLD},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(name, words[i].name) == 0) {
            *symbol = words[i].symbol;
            return true;
        }
    }
    return false;
}

bool parse_may_declare(struct parser *p, struct token token)
{
    static const char *const words[] = {"procnum", "numprocs", "nodes", "ppn", "node"};
    const char *functions[FUNCTION_NAMES_MOST];
    size_t n_functions = parse_function_names(functions, false);
    const char *text = p->text + token.at;
    bool reserved = token.n > 4 && memcmp(text, "MPI_", 4) == 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        reserved = reserved || (strlen(words[i]) == token.n && memcmp(text, words[i], token.n) == 0);
    for (size_t i = 0; i < n_functions; i++)
        reserved = reserved || (strlen(functions[i]) == token.n && memcmp(text, functions[i], token.n) == 0);
    if (reserved)
        parse_name_error(p, parse_place(p, token), "`%.*s` is a word of the directive language: choose another name",
                         (int)token.n, text);
    return !reserved;
}
