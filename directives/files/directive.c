#include "directives/directive.h"

#include "common/alloc.h"
#include "directives/comment.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A person writes a few hundred bytes; the limit bounds what one line can make the parser allocate. */
static const size_t DIRECTIVE_BYTES = (size_t)1 << 20;

struct finder {
    struct directives *directives;
    const struct source *source;
    struct diags *diags;
    size_t n_errors;
    size_t line;          /* of the last comment: comments come in order */
    size_t bytes;         /* of the last directive */
    bool reported_length; /* of the last directive */
    bool reported_leader, reported_comment; /* of a stand-alone file: what each of its lines is likely to have is said once */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

struct place piece_place(const struct source *source, const struct piece *piece, size_t offset, size_t width)
{
    size_t most = piece->line_end > offset ? piece->line_end - offset : 1;
    return (struct place){
        .file = source->name,
        .line = piece->line,
        .column = (int)(offset - piece->line_begin) + 1,
        .width = (int)(width < 1 ? 1 : width < most ? width : most),
        .text = source->text + piece->line_begin,
        .text_length = piece->line_end - piece->line_begin,
    };
}

static void trim(const char *text, struct piece *piece)
{
    while (piece->begin < piece->end && is_blank(text[piece->begin]))
        piece->begin++;
    while (piece->end > piece->begin && is_blank(text[piece->end - 1]))
        piece->end--;
}

/* One `&` is a mark of continuation, two are an operator. */
static bool starts_with_and(const char *text, const struct piece *piece)
{
    return piece->begin < piece->end && text[piece->begin] == '&' &&
           !(piece->begin + 1 < piece->end && text[piece->begin + 1] == '&');
}

static bool ends_with_and(const char *text, const struct piece *piece)
{
    return piece->end > piece->begin && text[piece->end - 1] == '&' &&
           !(piece->end - 1 > piece->begin && text[piece->end - 2] == '&');
}

__attribute__((format(printf, 4, 5)))
static void fail(struct finder *f, const struct piece *piece, size_t width, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *message = alloc_format_list(format, arguments);
    va_end(arguments);
    f->n_errors++;
    diag_error(f->diags, piece_place(f->source, piece, piece->begin, width), "%s", message);
    free(message);
}

static void add_piece(struct finder *f, struct piece piece)
{
    struct directives *d = f->directives;
    f->bytes += piece.end - piece.begin;
    if (f->bytes > DIRECTIVE_BYTES) {
        if (!f->reported_length)
            fail(f, &piece, 1, "a directive of more than 1 MiB");
        f->reported_length = true;
        piece.end = piece.begin;
    }
    d->pieces = alloc_grow(d->pieces, d->n_pieces, &d->pieces_capacity, sizeof *d->pieces);
    d->pieces[d->n_pieces++] = piece;
    d->list[d->n - 1].n++;
}

/* The last directive has ended. One that is too long, which is said, is none: its text is not there to be read. */
static void end_directive(struct finder *f)
{
    if (f->reported_length)
        f->directives->n--;
    f->reported_length = false;
}

static void begin_directive(struct finder *f, struct piece piece)
{
    struct directives *d = f->directives;
    end_directive(f);
    d->list = alloc_grow(d->list, d->n, &d->capacity, sizeof *d->list);
    d->list[d->n++] = (struct directive){d->n_pieces, 0};
    f->bytes = 0;
    add_piece(f, piece);
}

/* A piece that goes on with the directive above it; its own `&` may be missing (a further line of a block comment). */
static void continue_directive(struct finder *f, struct piece piece)
{
    const char *text = f->source->text;
    struct piece *above = &f->directives->pieces[f->directives->n_pieces - 1];
    bool marked = starts_with_and(text, &piece);
    if (ends_with_and(text, above)) {
        above->end--;
        trim(text, above);
    }
    if (marked) {
        struct piece mark = piece;
        piece.begin++;
        trim(text, &piece);
        if (piece.begin == piece.end) {
            fail(f, &mark, 1, "nothing follows `&`: the rest of the directive belongs on this line");
            return;
        }
    }
    add_piece(f, piece);
}

/* A comment such as `pevpm Loop ...`: meant as a directive, and yet none. */
static void warn_of_case(struct finder *f, const struct piece *piece)
{
    static const char *const words[] = {"Loop",  "Runon", "Message",   "Collective", "Serial",
                                        "Param", "Set",   "Procedure", "Call",       "Assert"};
    const char *text = f->source->text + piece->begin;
    size_t room = piece->end - piece->begin, at = 5;
    if (room < 6 || strncasecmp(text, "PEVPM", 5) != 0 || is_word(text[5]))
        return;
    while (at < room && is_blank(text[at]))
        at++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (room - at >= n && strncasecmp(text + at, words[i], n) == 0 && (room - at == n || !is_word(text[at + n]))) {
            diag_warning(f->diags, piece_place(f->source, piece, piece->begin, 5),
                         "this comment is not a directive: the word is PEVPM, in capitals");
            return;
        }
    }
}

/* In a stand-alone file: a line as another language has it. Its comment's leader is left out, and so is the end of a block comment.
 * False: it is a comment and no directive. */
static bool take_foreign_line(struct finder *f, struct piece *piece)
{
    static const struct {
        const char *text, *of;
    } leaders[] = {{"//", "C and C++"}, {"/*", "C and C++"}, {"!", "Fortran"}};
    const char *text = f->source->text;
    for (size_t i = 0; i < sizeof leaders / sizeof *leaders; i++) {
        const size_t n = strlen(leaders[i].text);
        if (piece->end - piece->begin < n || memcmp(text + piece->begin, leaders[i].text, n) != 0)
            continue;
        struct piece line = *piece;
        piece->begin += n;
        trim(text, piece);
        const bool directive = piece->end - piece->begin >= 5 && memcmp(text + piece->begin, "PEVPM", 5) == 0;
        if (directive && !f->reported_leader)
            fail(f, &line, piece->begin + 5 - line.begin,
                 "`%s PEVPM` is for directives in %s sources: in a stand-alone file (.pevpm) each line is a directive, so "
                 "leave `%s` out on all lines, or name the file as those sources are named", leaders[i].text, leaders[i].of,
                 leaders[i].text);
        if (!directive && !f->reported_comment)
            fail(f, &line, n, "a comment starts with `#` in a stand-alone file (.pevpm), on all lines");
        f->reported_leader = f->reported_leader || directive;
        f->reported_comment = f->reported_comment || !directive;
        if (piece->end - piece->begin >= 2 && memcmp(text + piece->end - 2, "*/", 2) == 0) {
            piece->end -= 2;
            trim(text, piece);
        }
        return directive;
    }
    return true;
}

/* True where the piece is a directive: its begin then stands behind the word PEVPM. */
static bool take_word(struct finder *f, struct piece *piece)
{
    const char *text = f->source->text;
    if (f->source->host == HOST_STANDALONE && !take_foreign_line(f, piece))
        return false;
    size_t room = piece->end - piece->begin;
    bool word = room >= 5 && memcmp(text + piece->begin, "PEVPM", 5) == 0 &&
                (room == 5 || !is_word(text[piece->begin + 5]));
    if (word) {
        size_t at = piece->begin;
        piece->begin += 5;
        trim(text, piece);
        if (piece->begin == piece->end) { /* so that the caret of an empty directive has something to stand under */
            piece->begin = piece->end = at + 5;
        }
        return true;
    }
    if (f->source->host == HOST_STANDALONE)
        return room > 0;
    warn_of_case(f, piece);
    return false;
}

static struct piece piece_of_line(const struct finder *f, size_t line, size_t begin, size_t end)
{
    size_t line_begin = f->source->line_start[line], line_end = source_line_end(f->source, line);
    struct piece piece = {begin > line_begin ? begin : line_begin, end < line_end ? end : line_end, line_begin,
                          line_end, (int)line + 1};
    if (piece.end < piece.begin)
        piece.end = piece.begin;
    trim(f->source->text, &piece);
    return piece;
}

/* The splice of a `//` comment is no part of the directive. */
static void drop_backslash(const struct finder *f, const struct comment *comment, struct piece *piece)
{
    bool more = comment->end > piece->line_end;
    if (comment->kind == COMMENT_LINE && more && piece->end > piece->begin && f->source->text[piece->end - 1] == '\\') {
        piece->end--;
        trim(f->source->text, piece);
    }
}

/* The lines of a comment after the one where its directive starts. */
static void add_further_lines(struct finder *f, const struct comment *comment, size_t line)
{
    const struct source *source = f->source;
    const char *text = source->text;
    for (; line < source->n_lines && source->line_start[line] < comment->end; line++) {
        struct piece piece = piece_of_line(f, line, comment->begin, comment->end);
        if (comment->kind != COMMENT_LINE && piece.begin < piece.end && text[piece.begin] == '*') {
            piece.begin++;
            trim(text, &piece);
            if (piece.begin < piece.end && text[piece.begin] == '-')
                fail(f, &piece, 1,
                     "a `*` at the start of a line of a comment is decoration: end the line above with it");
        }
        drop_backslash(f, comment, &piece);
        if (piece.begin < piece.end)
            continue_directive(f, piece);
    }
}

static void see_comment(void *context, const struct comment *comment)
{
    struct finder *f = context;
    const struct source *source = f->source;
    if (comment->kind == COMMENT_STRING || comment->kind == COMMENT_PLAIN)
        return;
    while (f->line + 1 < source->n_lines && source->line_start[f->line + 1] <= comment->begin)
        f->line++;
    size_t line = f->line;
    struct piece piece = piece_of_line(f, line, comment->begin, comment->end);
    while (piece.begin == piece.end && comment->kind != COMMENT_LINE && line + 1 < source->n_lines &&
           source->line_start[line + 1] < comment->end)
        piece = piece_of_line(f, ++line, comment->begin, comment->end);
    drop_backslash(f, comment, &piece);
    if (!take_word(f, &piece))
        return;
    if (comment->kind == COMMENT_UNCLOSED)
        fail(f, &piece, 1, "this comment is never closed: expected `*/`");
    bool continues = starts_with_and(source->text, &piece);
    if (!continues)
        begin_directive(f, piece);
    else if (f->directives->n > 0)
        continue_directive(f, piece);
    else
        fail(f, &piece, 1, "there is no directive above that `&` could continue");
    if (f->directives->n > 0 && comment->kind != COMMENT_UNCLOSED)
        add_further_lines(f, comment, line + 1);
}

size_t directives_find(struct directives *directives, const struct source *source, struct diags *diags)
{
    struct finder finder = {.directives = directives, .source = source, .diags = diags};
    memset(directives, 0, sizeof *directives);
    comment_scan(source, see_comment, &finder);
    end_directive(&finder);
    return finder.n_errors;
}

void directives_free(struct directives *directives)
{
    free(directives->list);
    free(directives->pieces);
    memset(directives, 0, sizeof *directives);
}
