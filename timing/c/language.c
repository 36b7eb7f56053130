#include "timing/language.h"

#include "common/alloc.h"
#include "directives/comment.h"
#include "timing/c/scope.h"
#include "timing/c/statements.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct c_code {
    const struct host_text *host;
    char *text;            /* the source prepared for statements_find */
    bool included;         /* the header is in the copy */
    bool scopes_read;
    struct host_scopes scopes; /* where an argument was asked for */
};

static void *c_open(const struct source *program, const struct host_text *host)
{
    (void)program;
    struct c_code *code = alloc_zeroed(1, sizeof *code);
    code->host = host;
    code->text = comment_blank(host->source);
    statements_prepare(code->text, host->source->length);
    return code;
}

static void c_close(void *context)
{
    struct c_code *code = context;
    if (code->scopes_read)
        host_scopes_free(&code->scopes);
    free(code->text);
    free(code);
}

static bool c_has_code(const void *context, size_t begin, size_t end)
{
    const struct c_code *code = context;
    while (begin < end && isspace((unsigned char)code->text[begin]))
        begin++;
    return begin < end;
}

static struct timed_block c_find(void *context, size_t begin, size_t end)
{
    const struct c_code *code = context;
    struct statements found = statements_find(code->text, begin, end);
    struct timed_block block = {found.begin, found.end, found.stop, found.reason, NULL, false};
    if (!statements_in_braces(code->text, found.begin)) {
        block.refused = "the code stands outside any function";
    } else if (!statements_may_start(code->text, found.begin)) {
        block.refused = "no statement starts here (the body of a loop without braces?)";
        block.refused_there = true;
    }
    return block;
}

/* ---- whether the argument means the same in the program ---- */

/* Why a name of the directive cannot stand in the program at that place; NULL: it can. */
static const char *name_problem(struct c_code *code, size_t at, struct token token, bool called)
{
    if (!code->scopes_read)
        host_scopes_read(&code->scopes, code->host);
    code->scopes_read = true;
    enum code_scope_meaning meaning = code_scope_find(&code->scopes, at, code->host->source->text + token.at, token.n);
    if (called)
        return meaning == SCOPE_FUNCTION ? NULL : "is no function that this file or its headers declare";
    switch (meaning) {
    case SCOPE_NUMBER: return NULL;
    case SCOPE_UNKNOWN: return "is not declared here";
    case SCOPE_FUNCTION: return "is a function here";
    case SCOPE_OTHER: return "is a pointer, an array or a structure here";
    case SCOPE_TYPE: return "is a type here";
    }
    return NULL;
}

/* sizeof(T): the arithmetic types are the same in both; MPI's datatypes are handles in C. The lexer is behind the word,
 * then behind the `)`. */
static const char *sizeof_problem(const struct c_code *code, struct lexer *lexer, struct token *type)
{
    static const char *const types[] = {"char", "short", "int", "long", "float", "double"};
    lexer_next(lexer);
    *type = lexer_next(lexer);
    lexer_next(lexer);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (type->n == strlen(types[i]) && memcmp(code->host->source->text + type->at, types[i], type->n) == 0)
            return NULL;
    return "has another size in C, where it is a handle";
}

static const char *c_argument_problem(void *context, const struct measured *measured, size_t at,
                                      struct token *refused)
{
    struct c_code *code = context;
    const struct source *source = code->host->source;
    struct lexer lexer = measured->argument;
    const char *problem = NULL;
    int depth = 0;
    while (!problem && measured_argument_next(&lexer, &depth, refused)) {
        struct lexer ahead = lexer;
        if (measured_token_is(source, *refused, "sizeof"))
            problem = sizeof_problem(code, &lexer, refused);
        else if (refused->kind == TOKEN_NAME)
            problem = name_problem(code, at, *refused, lexer_next(&ahead).kind == TOKEN_OPEN);
        else if (measured_is_integer_here_alone(source, *refused))
            problem = "is an integer in a directive and none in C";
    }
    return problem;
}

static size_t c_timed_by_hand(const struct host_text *host, const char *name, size_t length)
{
    for (size_t i = 0; i + 2 < host->n; i++) {
        if (!host_token_is(host, i, "PEVPM_TIME_BEGIN") && !host_token_is(host, i, "PEVPM_TIME_BEGIN_ARG"))
            continue;
        size_t begin = host->tokens[i + 2].at, end = i + 2;
        while (end + 1 < host->n && !host_token_is(host, end + 1, ",") && !host_token_is(host, end + 1, ")"))
            end++;
        size_t n = host->tokens[end].at + host->tokens[end].n - begin;
        if (n == length && memcmp(host->source->text + begin, name, n) == 0)
            return begin;
    }
    return SIZE_MAX;
}

/* ---- writing ---- */

/* The end of the line of the first #include that no condition holds; 0: none. */
static size_t first_include(const struct host_text *host)
{
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
            return host->source->line_start[source_line(host->source, host->tokens[i].at) + 1];
    }
    return 0;
}

/* Behind the first #include, so that what the source defines for system headers (_GNU_SOURCE) stands before them; once,
 * before the first block. */
static void write_include(struct c_code *code, struct timed_copy *copy, size_t before)
{
    if (code->included)
        return;
    size_t include = first_include(code->host);
    timed_copy_up_to(copy, include <= before ? include : 0);
    fputs("#include \"pevpm_time.h\"\n", copy->out);
    code->included = true;
}

static void c_write(void *code, struct timed_copy *copy, const struct measured *measured,
                    const struct timed_block *block)
{
    const char *name = copy->source->text + measured->name.at;
    int n = (int)measured->name.n;
    write_include(code, copy, block->begin);
    timed_copy_up_to(copy, block->begin);
    if (measured->text)
        fprintf(copy->out, "PEVPM_TIME_BEGIN_ARG(%.*s, %s);\n", n, name, measured->text);
    else
        fprintf(copy->out, "PEVPM_TIME_BEGIN(%.*s);\n", n, name);
    timed_copy_indent(copy, block->begin);
    timed_copy_up_to(copy, block->end);
    fputc('\n', copy->out);
    timed_copy_indent(copy, block->begin);
    fprintf(copy->out, "PEVPM_TIME_END(%.*s);", n, name);
}

const struct instrument_language language_c = {
    c_open, c_close, c_has_code, c_find, c_argument_problem, c_timed_by_hand, c_write,
};
