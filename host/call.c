#include "host/call.h"

#include <string.h>
#include <strings.h>

/* What a bracket does to the depth. */
static int bracket(const struct host_text *host, size_t i)
{
    const struct host_token *token = &host->tokens[i];
    if (token->kind != HOST_MARK || token->n != 1)
        return 0;
    char c = host->text[token->at];
    return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

bool host_call_read(const struct host_text *host, size_t i, struct host_call *call)
{
    if (i + 1 >= host->n || host->tokens[i].kind != HOST_NAME || host->tokens[i].n < 5 ||
        strncasecmp(host->text + host->tokens[i].at, "mpi_", 4) != 0 || !host_token_is(host, i + 1, "("))
        return false;
    *call = (struct host_call){.name = i};
    int depth = 0;
    size_t first = i + 2;
    for (size_t at = first; at < host->n && host->tokens[at].kind != HOST_NEWLINE; at++) {
        int change = bracket(host, at);
        bool closes = change < 0 && depth == 0;
        if (closes || (depth == 0 && host_token_is(host, at, ","))) {
            bool none = closes && call->n == 0 && at == first;
            if (call->n < HOST_ARGUMENTS_MOST && !none)
                call->arguments[call->n] = (struct host_range){first, at};
            call->n += call->n <= HOST_ARGUMENTS_MOST && !none;
            first = at + 1;
        }
        if (closes) {
            call->end = at + 1;
            return host_token_is(host, at, ")");
        }
        depth += change;
    }
    return false;
}

size_t host_block_end(const struct host_functions *functions, size_t begin, size_t end)
{
    const struct host_text *host = functions->text;
    int braces = 0;
    if (functions->fortran)
        return fortran_procedure_end(functions->fortran, begin, end);
    for (size_t i = host_token_at(host, begin); i < host->n && host->tokens[i].at < end; i++) {
        braces += host_token_is(host, i, "{") - host_token_is(host, i, "}");
        if (braces < 0)
            return host->tokens[i].at;
    }
    return end;
}

size_t host_calls_find(const struct host_functions *functions, size_t begin, size_t end, size_t most,
                       struct host_call calls[])
{
    const struct host_text *host = functions->text;
    size_t n = 0, block_end = host_block_end(functions, begin, end);
    for (size_t i = host_token_at(host, begin); i < host->n && host->tokens[i].at < block_end && n < most; i++)
        n += host_call_read(host, i, &calls[n]);
    return n;
}
