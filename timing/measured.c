#include "timing/measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool measured_token_is(const struct source *source, struct token token, const char *word)
{
    return token.kind == TOKEN_NAME && token.n == strlen(word) &&
           strncasecmp(source->text + token.at, word, token.n) == 0;
}

static struct lexer lexer_of(const struct source *source, const struct directives *directives, size_t i)
{
    const struct directive *d = &directives->list[i];
    struct lexer lexer;
    lexer_init(&lexer, source->text, &directives->pieces[d->first], d->n);
    return lexer;
}

bool measured_is_serial(const struct source *source, const struct directives *directives, size_t i)
{
    struct lexer lexer = lexer_of(source, directives, i);
    return measured_token_is(source, lexer_next(&lexer), "Serial");
}

/* The text of tokens up to the end of the directive, or to the `)` that closes what was open before them. The lexer
 * ends behind it. */
static char *take_text(const struct source *source, struct lexer *lexer, bool closes)
{
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
            fwrite(source->text + end, 1, token.at - end, out);
        fwrite(source->text + token.at, 1, token.n, out);
        end = token.at + token.n;
    }
    fclose(out);
    return text;
}

struct measured measured_read(const struct source *source, const struct directives *directives, size_t i)
{
    struct measured measured = {0};
    struct lexer lexer = lexer_of(source, directives, i);
    struct token token = lexer_next(&lexer);
    while (token.kind != TOKEN_END && !measured_token_is(source, token, "measured"))
        token = lexer_next(&lexer);
    if (token.kind == TOKEN_END || lexer_next(&lexer).kind != TOKEN_OPEN)
        return measured;
    measured.name = lexer_next(&lexer);
    measured.found = measured.name.kind == TOKEN_NAME;
    measured.name = lexer_extend_word(&lexer, measured.name);
    if (lexer_next(&lexer).kind != TOKEN_COMMA)
        return measured;
    measured.argument = lexer;
    measured.text = take_text(source, &lexer, true);
    do
        token = lexer_next(&lexer);
    while (token.kind != TOKEN_END && !measured_token_is(source, token, "code"));
    if (token.kind == TOKEN_END || lexer_next(&lexer).kind != TOKEN_ASSIGN)
        return measured;
    free(measured.text);
    measured.text = take_text(source, &lexer, false);
    measured.code = true;
    return measured;
}

void measured_free(struct measured *measured)
{
    free(measured->text);
    measured->text = NULL;
}

bool measured_argument_next(struct lexer *argument, int *depth, struct token *token)
{
    *token = lexer_next(argument);
    *depth += (token->kind == TOKEN_OPEN) - (token->kind == TOKEN_CLOSE || token->kind == TOKEN_END);
    return *depth >= 0;
}

bool measured_is_integer_here_alone(const struct source *source, struct token token)
{
    const char *text = source->text + token.at;
    return token.kind == TOKEN_NUMBER && token.value.kind == VALUE_INT &&
           (memchr(text, 'e', token.n) || memchr(text, 'E', token.n)) && !memchr(text, 'x', token.n);
}
