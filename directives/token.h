/* token.h - the words, numbers and marks of one directive.
 *
 * A lexer is a small value: a copy of it looks ahead. It runs over the pieces of a directive (or over a range of the
 * host source for a constant) and never fails: what is no token is TOKEN_BAD. */
#ifndef PEVPM_DIRECTIVES_TOKEN_H
#define PEVPM_DIRECTIVES_TOKEN_H

#include "common/diag.h"
#include "directives/directive.h"
#include "directives/value.h"

#include <stdbool.h>
#include <stddef.h>

/* Marks. X(name, text); a mark stands before its own first byte. */
#define MARK_LIST(X)   \
    X(OR, "||")        \
    X(AND, "&&")       \
    X(EQ, "==")        \
    X(NE, "!=")        \
    X(LE, "<=")        \
    X(GE, ">=")        \
    X(LT, "<")         \
    X(GT, ">")         \
    X(ADD, "+")        \
    X(SUB, "-")        \
    X(MUL, "*")        \
    X(DIV, "/")        \
    X(MOD, "%")        \
    X(NOT, "!")        \
    X(ASSIGN, "=")     \
    X(SEPARATOR, "&")  \
    X(COMMA, ",")      \
    X(QUESTION, "?")   \
    X(COLON, ":")      \
    X(OPEN, "(")       \
    X(CLOSE, ")")      \
    X(BRACKET, "[")    \
    X(UNBRACKET, "]")  \
    X(BRACE, "{")      \
    X(UNBRACE, "}")
enum token_kind {
#define X(name, text) TOKEN_##name,
    MARK_LIST(X)
#undef X
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_BAD,
    TOKEN_END, /* of the directive */
};

struct token {
    enum token_kind kind;
    size_t at, n;              /* offset into the text, bytes */
    const struct piece *piece;
    bool first;                /* of a further piece: a line continuation stands before it */
    bool joined;               /* to the number before it, as `us` in 98.5us */
    struct value value;        /* TOKEN_NUMBER */
    const char *problem;       /* TOKEN_BAD: what is wrong with the number, NULL: it is no number */
};

struct lexer {
    const char *text;
    const struct piece *piece, *last;
    size_t at;
    bool first, after_number;
};

/* pieces [n], n >= 1, borrowed. */
void lexer_init(struct lexer *lexer, const char *text, const struct piece pieces[], size_t n);

struct token lexer_next(struct lexer *lexer);

/* A word such as a machine's name, which may hold - . + / too: `token` extended to its end. */
struct token lexer_extend_word(struct lexer *lexer, struct token token);

/* "`size`", "byte 0x07", "the end of the directive": for diagnostics. */
#define TOKEN_TEXT_BYTES 64
char *token_text(const char *source, struct token token, char text[TOKEN_TEXT_BYTES]);

#endif
