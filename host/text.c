#include "host/text.h"

#include "common/alloc.h"
#include "common/numerals.h"
#include "directives/comment.h"
#include "host/type.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HOST_BYTES = 64 << 20 }; /* longer sources are data; tokens take up to 48 times as much */

/* Longest first. */
static const char *const marks[] = {"<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "/=", "=>",
                                    "&&",  "||",  "+=",  "-=", "*=", "%=", "&=", "|=", "^=", "++", "--", "->", "::"};

struct reader {
    struct host_text *host;
    size_t at, length;
    bool fixed;        /* Fortran's fixed form */
    bool continued;    /* Fortran: the statement goes on */
    bool preprocessor; /* in a line of C's preprocessor */
    bool line_starts;
};

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static struct host_token *add(struct reader *r, enum host_token_kind kind, size_t n)
{
    struct host_text *host = r->host;
    host->tokens = alloc_grow(host->tokens, host->n, &host->capacity, sizeof *host->tokens);
    struct host_token *token = &host->tokens[host->n++];
    *token = (struct host_token){.kind = kind, .at = r->at, .n = n};
    r->at += n;
    return token;
}

/* C 6.4.4 without digit separators and binary literals; Fortran 2018 6.1.2 and 7.4. What stands there is one token in
 * any case. */
static void read_number(struct reader *r)
{
    const char *text = r->host->text + r->at;
    size_t n = 0;
    while (r->at + n < r->length &&
           (in_name(text[n]) || text[n] == '.' ||
            (n > 0 && strchr("+-", text[n]) && text[n] != '\0' && strchr("eEdD", text[n - 1]) && text[1] != 'x')))
        n++;
    char word[64], *end;
    struct host_token *token = add(r, HOST_NUMBER, n);
    if (n >= sizeof word)
        return;
    memcpy(word, text, n);
    word[n] = '\0';
    errno = 0;
    long long whole = strtoll(word, &end, r->host->fortran ? 10 : 0);
    if (r->host->fortran ? *end == '\0' || *end == '_' : strspn(end, "uUlLzZ") == strlen(end)) {
        token->value = errno == 0 ? value_int(whole) : token->value;
        return;
    }
    for (char *c = word; r->host->fortran && *c; c++)
        *c = *c == 'd' ? 'e' : *c;
    double real = numerals_read(word, &end);
    bool ends = r->host->fortran ? *end == '\0' || *end == '_' : strspn(end, "fFlL") == strlen(end);
    if (ends && real <= 1e300)
        token->value = value_real(real);
}

static void read_mark(struct reader *r)
{
    const char *text = r->host->text + r->at;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t n = strlen(marks[i]);
        if (n <= r->length - r->at && memcmp(text, marks[i], n) == 0) {
            add(r, HOST_MARK, n);
            return;
        }
    }
    struct host_token *token = add(r, HOST_MARK, 1);
    if (*text == '#' && r->line_starts && !r->host->fortran)
        token->directive = r->preprocessor = true;
}

/* The insides are blank, so the next mark of the kind closes it. */
static void read_string(struct reader *r)
{
    const char *text = r->host->text + r->at;
    const char *close = memchr(text + 1, *text, r->length - r->at - 1);
    const char *feed = memchr(text, '\n', r->length - r->at);
    bool same_line = close && (!feed || close < feed || r->host->fortran);
    add(r, HOST_STRING, same_line ? (size_t)(close - text) + 1 : 1);
}

/* A line of fixed form: does the one that starts at r->at go on with the statement? Steps over what joins them. */
static bool fixed_continues(struct reader *r)
{
    const char *text = r->host->text + r->at;
    const char *feed = memchr(text, '\n', r->length - r->at);
    size_t n = feed ? (size_t)(feed - text) : r->length - r->at;
    if (n < 6 || memcmp(text, "     ", 5) != 0 || text[5] == ' ' || text[5] == '0')
        return false;
    r->at += 6;
    return true;
}

/* At a line feed. */
static void end_line(struct reader *r)
{
    struct host_text *host = r->host;
    bool open = host->n > 0 && host->tokens[host->n - 1].kind != HOST_NEWLINE;
    bool spliced = r->at > 0 && host->text[r->at - 1] == '\\';
    r->at++;
    r->line_starts = true;
    if (host->fortran) {
        /* Blank lines, which comments leave, end nothing. */
        size_t next = r->at + strspn(host->text + r->at, " \t\r\f\v");
        if (next < r->length && host->text[next] == '\n')
            return;
        if (open && !r->continued && !(r->fixed && fixed_continues(r)))
            add(r, HOST_NEWLINE, 0);
    } else if (r->preprocessor && !spliced) {
        add(r, HOST_NEWLINE, 0);
        r->preprocessor = false;
    }
}

static void read_token(struct reader *r)
{
    const char *text = r->host->text;
    char c = text[r->at];
    bool fortran = r->host->fortran;
    if (c == '\n') {
        end_line(r);
        return;
    }
    if (isspace((unsigned char)c) || c == '\\' || c == '\0' || (fortran && c == '&')) {
        r->continued = r->continued || (c == '&' && !r->fixed);
        r->at++;
        return;
    }
    r->continued = false;
    if (isdigit((unsigned char)c) || (c == '.' && r->at + 1 < r->length && isdigit((unsigned char)text[r->at + 1]))) {
        read_number(r);
    } else if (in_name(c)) {
        size_t n = 1;
        while (r->at + n < r->length && in_name(text[r->at + n]))
            n++;
        add(r, HOST_NAME, n);
    } else if (c == '"' || c == '\'') {
        read_string(r);
    } else if (c == ';' && fortran) {
        add(r, HOST_NEWLINE, 1);
    } else {
        read_mark(r);
    }
    r->line_starts = false;
}

bool host_text_read(struct host_text *host, const struct source *source)
{
    bool fixed = source->host == HOST_FORTRAN_FIXED, fortran = fixed || source->host == HOST_FORTRAN_FREE;
    if ((source->host != HOST_C && !fortran) || source->length > HOST_BYTES)
        return false;
    const char *dot = strrchr(source->name, '.');
    *host = (struct host_text){.source = source, .fortran = fortran, .only_c = dot && strcmp(dot, ".c") == 0,
                               .text = comment_blank(source)};
    for (size_t i = 0; fortran && i < source->length; i++)
        host->text[i] = (char)tolower((unsigned char)host->text[i]);
    struct reader r = {.host = host, .length = source->length, .fixed = fixed, .line_starts = true};
    while (r.at < r.length)
        read_token(&r);
    return true;
}

void host_text_free(struct host_text *host)
{
    free(host->text);
    free(host->tokens);
    *host = (struct host_text){0};
}

size_t host_token_at(const struct host_text *host, size_t offset)
{
    size_t low = 0, high = host->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (host->tokens[middle].at < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool host_token_is(const struct host_text *host, size_t i, const char *word)
{
    if (i >= host->n || host->tokens[i].kind == HOST_STRING)
        return false;
    const struct host_token *token = &host->tokens[i];
    size_t n = strlen(word);
    if (token->n != n)
        return false;
    return (host->fortran ? strncasecmp(host->text + token->at, word, n)
                          : strncmp(host->text + token->at, word, n)) == 0;
}

bool host_token_is_any(const struct host_text *text, size_t i, size_t n, const char *const words[])
{
    for (size_t k = 0; k < n; k++)
        if (host_token_is(text, i, words[k]))
            return true;
    return false;
}

bool host_is_type_word(const struct host_text *host, size_t i)
{
    struct host_type type = {HOST_TYPE_NONE, 0, false, false};
    if (i >= host->n || host->tokens[i].kind != HOST_NAME)
        return false;
    return host_type_add(&type, host->text + host->tokens[i].at, host->tokens[i].n) ||
           host_token_is(host, i, "MPI_Comm") || host_token_is(host, i, "MPI_Datatype");
}
