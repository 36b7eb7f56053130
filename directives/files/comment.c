#include "directives/comment.h"

#include "common/alloc.h"

#include <ctype.h>
#include <string.h>

struct scanner {
    const char *text;
    size_t start, length; /* start: after a byte order mark, so that column 1 is the byte behind it */
    comment_sink *sink;
    void *context;
};

static char byte_at(const struct scanner *s, size_t at)
{
    return at < s->length ? s->text[at] : '\0';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Where the line that holds `at` ends: its line feed, or CR LF, apart. */
static size_t line_end(const struct scanner *s, size_t at)
{
    const char *feed = at < s->length ? memchr(s->text + at, '\n', s->length - at) : NULL;
    size_t end = feed ? (size_t)(feed - s->text) : s->length;
    return end > at && s->text[end - 1] == '\r' ? end - 1 : end;
}

static void emit(const struct scanner *s, enum comment_kind kind, size_t begin, size_t lead, size_t end,
                 size_t outer_end)
{
    struct comment comment = {kind, begin, begin + lead, end, outer_end};
    s->sink(s->context, &comment);
}

/* A comment with a leader of `lead` bytes that ends with its line. Returns where to go on. */
static size_t line_comment(const struct scanner *s, enum comment_kind kind, size_t begin, size_t lead)
{
    size_t end = line_end(s, begin + lead);
    emit(s, kind, begin, lead, end, end);
    return end;
}

/* C's `//`, which a backslash at the end of the line carries on (C11 5.1.1.2, phase 2). */
static size_t c_line_comment(const struct scanner *s, size_t begin)
{
    size_t end = line_end(s, begin + 2);
    while (end > begin + 2 && s->text[end - 1] == '\\' && end < s->length) {
        size_t next = end + (s->text[end] == '\r') + 1;
        end = next < s->length ? line_end(s, next) : s->length;
    }
    emit(s, COMMENT_LINE, begin, 2, end, end);
    return end;
}

static size_t c_block_comment(const struct scanner *s, size_t begin)
{
    const char *close = memmem(s->text + begin + 2, s->length - begin - 2, "*/", 2);
    size_t end = close ? (size_t)(close - s->text) : s->length;
    emit(s, close ? COMMENT_BLOCK : COMMENT_UNCLOSED, begin, 2, end, close ? end + 2 : end);
    return close ? end + 2 : end;
}

/* A literal between two marks of one byte on one line, with backslash escapes where `escapes`; a spliced line goes on.
 * An unclosed one ends with its line, as in every compiler that goes on after the error. */
static size_t quoted(const struct scanner *s, size_t begin, bool escapes)
{
    char mark = s->text[begin];
    size_t at = begin + 1;
    while (at < s->length && s->text[at] != mark && s->text[at] != '\n') {
        if (escapes && s->text[at] == '\\' && at + 1 < s->length)
            at += s->text[at + 1] == '\r' && byte_at(s, at + 2) == '\n' ? 2 : 1;
        at++;
    }
    at = at < s->length ? at : s->length;
    size_t after = byte_at(s, at) == mark && at < s->length ? at + 1 : at;
    emit(s, COMMENT_STRING, begin, 1, at, after);
    return after;
}

/* R"delimiter( ... )delimiter", at its first quote (C++17 [lex.string]). */
static size_t raw_string(const struct scanner *s, size_t begin)
{
    char close[20] = ")";
    size_t n = 0;
    while (n < 16 && begin + 1 + n < s->length && !strchr("()\\ \t\v\f\r\n\"", s->text[begin + 1 + n]))
        n++;
    if (byte_at(s, begin + 1 + n) != '(')
        return quoted(s, begin, true);
    memcpy(close + 1, s->text + begin + 1, n);
    close[n + 1] = '"';
    size_t inside = begin + n + 2;
    const char *found = memmem(s->text + inside, s->length - inside, close, n + 2);
    size_t end = found ? (size_t)(found - s->text) : s->length;
    emit(s, COMMENT_STRING, begin, n + 2, end, found ? end + n + 2 : end);
    return found ? end + n + 2 : end;
}

/* A word or number. A digit separator (1'000'000) opens no literal, and the prefix of a raw string does. */
static size_t c_word(const struct scanner *s, size_t begin)
{
    size_t at = begin;
    bool number = isdigit((unsigned char)s->text[begin]);
    while (at < s->length && (is_word(s->text[at]) ||
                              (number && s->text[at] == '\'' && at + 1 < s->length && is_word(s->text[at + 1]))))
        at++;
    if (byte_at(s, at) != '"' || s->text[at - 1] != 'R')
        return at;
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strlen(prefixes[i]) == at - begin && memcmp(s->text + begin, prefixes[i], at - begin) == 0)
            return raw_string(s, at);
    return at;
}

static void scan_c(const struct scanner *s)
{
    size_t at = s->start;
    while (at < s->length) {
        char c = s->text[at];
        if (c == '/' && byte_at(s, at + 1) == '/')
            at = c_line_comment(s, at);
        else if (c == '/' && byte_at(s, at + 1) == '*')
            at = c_block_comment(s, at);
        else if (c == '"' || c == '\'')
            at = quoted(s, at, true);
        else if (is_word(c))
            at = c_word(s, at);
        else
            at++;
    }
}

/* A character context goes on over a line that ends with `&` (Fortran 2018, 6.3.2.4). */
static size_t fortran_string(const struct scanner *s, size_t begin, bool free_form)
{
    char mark = s->text[begin], last = mark;
    size_t at = begin + 1;
    for (; at < s->length && s->text[at] != mark; at++) {
        if (s->text[at] == '\n' && !(free_form && last == '&'))
            break;
        if (!isspace((unsigned char)s->text[at]))
            last = s->text[at];
    }
    size_t after = byte_at(s, at) == mark && at < s->length ? at + 1 : at;
    emit(s, COMMENT_STRING, begin, 1, at, after);
    return after;
}

/* A comment of the preprocessor, which is no Fortran and so no directive; to the end of its line at most. */
static size_t preprocessor_comment(const struct scanner *s, size_t begin)
{
    size_t end = line_end(s, begin);
    const char *close = end > begin + 2 ? memmem(s->text + begin + 2, end - begin - 2, "*/", 2) : NULL;
    size_t after = close ? (size_t)(close - s->text) + 2 : end;
    emit(s, COMMENT_PLAIN, begin, 2, close ? after - 2 : end, after);
    return after;
}

static void scan_fortran(const struct scanner *s, bool free_form)
{
    bool first = true; /* in the first column */
    bool preprocessor = false; /* in a line of the preprocessor */
    size_t column_1 = s->start;
    for (size_t at = s->start; at < s->length;) {
        char c = s->text[at];
        bool continues = !free_form && at == column_1 + 5; /* any mark in column 6 */
        preprocessor = first ? c == '#' : preprocessor;
        if (c == '\n') {
            column_1 = ++at;
            first = true;
            continue;
        }
        if (!free_form && first && strchr("Cc*!", c) && c != '\0')
            at = line_comment(s, COMMENT_LINE, at, 1);
        else if (preprocessor && c == '/' && byte_at(s, at + 1) == '*')
            at = preprocessor_comment(s, at);
        else if (c == '!' && !continues)
            at = line_comment(s, free_form ? COMMENT_LINE : COMMENT_PLAIN, at, 1);
        else if (c == '\'' || c == '"')
            at = fortran_string(s, at, free_form);
        else
            at++;
        first = false;
    }
}

static size_t python_string(const struct scanner *s, size_t begin)
{
    char mark = s->text[begin];
    if (byte_at(s, begin + 1) != mark || byte_at(s, begin + 2) != mark)
        return quoted(s, begin, true);
    size_t at = begin + 3;
    while (at < s->length && !(s->text[at] == mark && byte_at(s, at + 1) == mark && byte_at(s, at + 2) == mark))
        at += s->text[at] == '\\' && at + 1 < s->length ? 2 : 1;
    bool closed = at < s->length;
    emit(s, COMMENT_STRING, begin, 3, at, closed ? at + 3 : at);
    return closed ? at + 3 : at;
}

static void scan_python(const struct scanner *s)
{
    size_t at = s->start;
    while (at < s->length) {
        char c = s->text[at];
        if (c == '#')
            at = line_comment(s, COMMENT_LINE, at, 1);
        else if (c == '"' || c == '\'')
            at = python_string(s, at);
        else
            at++;
    }
}

/* A `#` starts a comment at the start of a word. Quotes are followed inside one line only, so that a stray apostrophe
 * in a here-document or a plain scalar cannot hide the directives below it. */
static void scan_words(const struct scanner *s, bool shell)
{
    char before = '\n';
    for (size_t at = s->start; at < s->length;) {
        char c = s->text[at];
        bool starts = before == '\0' || isspace((unsigned char)before) || strchr(shell ? ";(&|" : ",[{", before);
        if (c == '#' && starts) {
            at = line_comment(s, COMMENT_LINE, at, 1);
        } else if ((c == '"' || c == '\'') && (shell || starts)) {
            at = quoted(s, at, c == '"');
        } else if (shell && c == '\\' && at + 1 < s->length) {
            at += 2;
        } else {
            at++;
        }
        before = at > 0 ? s->text[at - 1] : '\n';
    }
}

static void scan_standalone(const struct scanner *s)
{
    size_t at = s->start;
    while (at < s->length) {
        size_t end = line_end(s, at);
        const char *hash = memchr(s->text + at, '#', end - at);
        size_t text_end = hash ? (size_t)(hash - s->text) : end;
        emit(s, COMMENT_LINE, at, 0, text_end, end);
        const char *feed = memchr(s->text + end, '\n', s->length - end);
        at = feed ? (size_t)(feed - s->text) + 1 : s->length;
    }
}

void comment_scan(const struct source *source, comment_sink *sink, void *context)
{
    struct scanner s = {source->text, source->line_start[0], source->length, sink, context};
    switch (source->host) {
    case HOST_C: scan_c(&s); break;
    case HOST_FORTRAN_FREE: scan_fortran(&s, true); break;
    case HOST_FORTRAN_FIXED: scan_fortran(&s, false); break;
    case HOST_PYTHON: scan_python(&s); break;
    case HOST_SHELL: scan_words(&s, true); break;
    case HOST_YAML: scan_words(&s, false); break;
    case HOST_STANDALONE: scan_standalone(&s); break;
    }
}

static void blank_out(void *context, const struct comment *comment)
{
    char *text = context;
    bool string = comment->kind == COMMENT_STRING;
    size_t begin = string ? comment->begin : comment->outer_begin, end = string ? comment->end : comment->outer_end;
    for (size_t i = begin; i < end; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

char *comment_blank(const struct source *source)
{
    char *text = alloc_array(source->length + 1, 1);
    memcpy(text, source->text, source->length + 1);
    comment_scan(source, blank_out, text);
    return text;
}
