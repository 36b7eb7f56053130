#include "directives/token.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *text;
    size_t n;
} marks[] = {
#define X(name, text) {text, sizeof text - 1},
    MARK_LIST(X)
#undef X
};

static bool starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

void lexer_init(struct lexer *lexer, const char *text, const struct piece pieces[], size_t n)
{
    *lexer = (struct lexer){.text = text, .piece = pieces, .last = pieces + n - 1, .at = pieces->begin};
}

static void skip_blanks(struct lexer *lexer)
{
    for (;;) {
        while (lexer->at < lexer->piece->end && isspace((unsigned char)lexer->text[lexer->at])) {
            lexer->at++;
            lexer->after_number = false;
        }
        if (lexer->at < lexer->piece->end || lexer->piece == lexer->last)
            return;
        lexer->piece++;
        lexer->at = lexer->piece->begin;
        lexer->first = true;
        lexer->after_number = false;
    }
}

/* A whole character of UTF-8, so that a diagnostic does not quote a part of one. */
static size_t character_length(const char *text, size_t room)
{
    size_t n = 1;
    while ((unsigned char)text[0] >= 0xC0 && n < room && n < 4 && ((unsigned char)text[n] & 0xC0) == 0x80)
        n++;
    return n;
}

static void read_mark(struct token *token, const char *text, size_t room)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (marks[i].n <= room && memcmp(text, marks[i].text, marks[i].n) == 0) {
            token->kind = (enum token_kind)i;
            token->n = marks[i].n;
            return;
        }
    }
    token->kind = TOKEN_BAD;
    token->n = character_length(text, room);
}

static void read_number(struct token *token, const char *text, size_t room)
{
    token->n = value_parse(text, room, &token->value, &token->problem);
    token->kind = token->n > 0 ? TOKEN_NUMBER : TOKEN_BAD;
    if (token->n == 0)
        while (token->n < room && (isdigit((unsigned char)text[token->n]) || text[token->n] == '.'))
            token->n++;
}

struct token lexer_next(struct lexer *lexer)
{
    skip_blanks(lexer);
    struct token token = {.kind = TOKEN_END, .at = lexer->at, .piece = lexer->piece, .first = lexer->first};
    token.joined = lexer->after_number;
    const char *text = lexer->text + lexer->at;
    size_t room = lexer->piece->end - lexer->at;
    if (room == 0)
        return token;
    if (starts_name(*text)) {
        token.kind = TOKEN_NAME;
        while (token.n < room && in_name(text[token.n]))
            token.n++;
    } else if (isdigit((unsigned char)*text) || (*text == '.' && room > 1 && isdigit((unsigned char)text[1]))) {
        read_number(&token, text, room);
    } else {
        read_mark(&token, text, room);
    }
    lexer->at += token.n;
    lexer->first = false;
    lexer->after_number = token.kind == TOKEN_NUMBER;
    return token;
}

struct token lexer_extend_word(struct lexer *lexer, struct token token)
{
    while (lexer->piece == token.piece && lexer->at < token.piece->end &&
           (in_name(lexer->text[lexer->at]) || strchr("-.+/", lexer->text[lexer->at])) &&
           lexer->text[lexer->at] != '\0')
        lexer->at++;
    token.n = lexer->at - token.at;
    lexer->after_number = false;
    return token;
}

char *token_text(const char *source, struct token token, char text[TOKEN_TEXT_BYTES])
{
    enum { SHOWN = 40 };
    const char *from = source + token.at;
    if (token.kind == TOKEN_END)
        snprintf(text, TOKEN_TEXT_BYTES, "the end of the directive");
    else if (token.kind == TOKEN_BAD && token.n == 1 && !isgraph((unsigned char)*from))
        snprintf(text, TOKEN_TEXT_BYTES, "byte 0x%02X", (unsigned char)*from);
    else
        snprintf(text, TOKEN_TEXT_BYTES, "`%.*s%s`", token.n > SHOWN ? SHOWN : (int)token.n, from,
                 token.n > SHOWN ? "..." : "");
    return text;
}
