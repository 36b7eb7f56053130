#include "host/change.h"

#include "common/alloc.h"

static bool is_name(const struct host_text *text, size_t i)
{
    return i < text->n && text->tokens[i].kind == HOST_NAME;
}

const char *host_change_text(enum host_change change)
{
    static const char *const texts[] = {
#define X(name, text) text,
        HOST_CHANGE_LIST(X)
#undef X
    };
    return texts[change];
}

/* ---- C ---- */

/* Does the `)` at token i close a cast? Then an `&` behind it is that of an address. */
static bool closes_cast(const struct host_functions *f, size_t i)
{
    const struct host_text *text = f->text;
    size_t open = f->match[i];
    if (open >= i || host_token_is(text, i - 1, "("))
        return false;
    if (host_token_is(text, i - 1, "*"))
        return true;
    for (size_t k = open + 1; k < i; k++)
        if (!host_is_type_word(text, k))
            return false;
    return true;
}

/* Is the `&` at token i that of an address? */
static bool is_address(const struct host_functions *f, size_t i)
{
    const struct host_text *text = f->text;
    if (i == 0)
        return true;
    const struct host_token *before = &text->tokens[i - 1];
    bool operand = before->kind == HOST_NUMBER || (before->kind == HOST_NAME && !host_is_keyword(text, i - 1)) ||
                   (host_token_is(text, i - 1, ")") && !closes_cast(f, i - 1)) || host_token_is(text, i - 1, "]");
    return !operand;
}

/* "stream >> a >> b", as a statement or a condition; `i`: the last `>>`. Elsewhere it shifts. */
static bool is_extraction(const struct host_text *text, size_t i)
{
    static const char *const ends[] = {";", "{", "}", ")"};
    bool condition = false;
    while (i > 0 && (is_name(text, i - 1) || host_token_is(text, i - 1, ">>") || host_token_is(text, i - 1, "::") ||
                     host_token_is(text, i - 1, ".") || host_token_is(text, i - 1, "->")))
        i--;
    while (i > 0 && (host_token_is(text, i - 1, "(") || host_token_is(text, i - 1, "!"))) {
        condition = true;
        i--;
    }
    if (condition)
        return i > 0 && (host_token_is(text, i - 1, "if") || host_token_is(text, i - 1, "while"));
    return i > 0 && HOST_TOKEN_IS_ANY(text, i - 1, ends);
}

/* "type & NAME = " before token i, without const: another name for it. */
static bool is_bound(const struct host_text *text, size_t i)
{
    if (i < 4 || !host_token_is(text, i - 1, "=") || !is_name(text, i - 2) || !host_token_is(text, i - 3, "&"))
        return false;
    if (!is_name(text, i - 4) || host_is_keyword(text, i - 4) || !host_token_is(text, i + 1, ";"))
        return false;
    for (size_t k = i - 3; k > 0 && (is_name(text, k - 1) || host_token_is(text, k - 1, "::")); k--)
        if (host_token_is(text, k - 1, "const"))
            return false;
    return true;
}

enum host_change host_change_plain(const struct host_functions *f, size_t i)
{
    static const char *const members[] = {".", "->"}, *const steps[] = {"++", "--"};
    static const char *const changes[] = {"++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    const struct host_text *text = f->text;
    if (!is_name(text, i) || (i > 0 && HOST_TOKEN_IS_ANY(text, i - 1, members)))
        return HOST_UNCHANGED;
    size_t low = i, high = i; /* with the parentheses around it */
    while (low > 0 && host_token_is(text, low - 1, "(") && host_token_is(text, high + 1, ")") &&
           !(low > 1 && ((is_name(text, low - 2) && !host_is_keyword(text, low - 2)) ||
                         host_token_is(text, low - 2, ")") || host_token_is(text, low - 2, "]")))) {
        low--;
        high++;
    }
    if (HOST_TOKEN_IS_ANY(text, high + 1, changes) || (low > 0 && HOST_TOKEN_IS_ANY(text, low - 1, steps)))
        return HOST_COUNTED;
    if (host_token_is(text, high + 1, "="))
        return HOST_ASSIGNED;
    if (low > 0 && host_token_is(text, low - 1, "&") && is_address(f, low - 1))
        return HOST_ADDRESS;
    if (low > 0 && host_token_is(text, low - 1, ">>") && is_extraction(text, low - 1))
        return HOST_READ;
    return is_bound(text, i) ? HOST_REFERENCE : HOST_UNCHANGED;
}

/* Does any function, or macro, of this name take its argument number `k` by reference? */
static bool takes_reference(const struct host_functions *f, size_t name, size_t k)
{
    static const char *const known[] = {"swap", "ref", "tie"}; /* of C++'s library */
    const struct host_function *list;
    size_t n = host_functions_named(f, name, &list);
    for (size_t i = 0; i < n; i++)
        if (k < list[i].n && f->parameters[list[i].first + k].by_reference)
            return true;
    return host_token_is(f->text, name - 1, "::") && HOST_TOKEN_IS_ANY(f->text, name, known);
}

/* The arguments of the call whose `(` is token `open`. */
static void read_arguments(const struct host_functions *f, size_t open, uint8_t changes[])
{
    struct host_range argument;
    size_t k = 0, close = f->match[open];
    for (size_t at = open + 1; close < f->text->n && host_argument_next(f, &at, close, &argument); k++) {
        bool bare = argument.end == argument.first + 1 && is_name(f->text, argument.first);
        if (bare && takes_reference(f, open - 1, k))
            changes[argument.first] = HOST_REFERENCE;
    }
}

static void read_c(const struct host_functions *f, uint8_t changes[])
{
    const struct host_function *list;
    for (size_t i = 0; i < f->text->n; i++) {
        enum host_change change = host_change_plain(f, i);
        if (change != HOST_UNCHANGED)
            changes[i] = (uint8_t)change;
        bool call = i > 0 && host_token_is(f->text, i, "(") && is_name(f->text, i - 1);
        if (call && (host_functions_named(f, i - 1, &list) > 0 || (i > 1 && host_token_is(f->text, i - 2, "::"))))
            read_arguments(f, i, changes);
    }
}

/* ---- Fortran ---- */

/* "call" NAME "(" ... ")": arguments that are a name by itself. */
static void read_call(const struct host_functions *f, size_t name, uint8_t changes[])
{
    static const char *const messages[] = {
        "mpi_send",   "mpi_bsend",     "mpi_ssend",    "mpi_rsend",   "mpi_isend",     "mpi_issend",   "mpi_recv",
        "mpi_irecv",  "mpi_bcast",     "mpi_ibcast",   "mpi_reduce",  "mpi_allreduce", "mpi_gather",   "mpi_gatherv",
        "mpi_scatter", "mpi_scatterv", "mpi_allgather", "mpi_alltoall", "mpi_sendrecv"};
    const struct host_text *text = f->text;
    struct host_range argument;
    bool message = HOST_TOKEN_IS_ANY(text, name, messages);
    size_t k = 0, close = host_token_is(text, name + 1, "(") ? f->match[name + 1] : text->n;
    for (size_t at = name + 2; close < text->n && host_argument_next(f, &at, close, &argument); k++)
        if (argument.end == argument.first + 1 && is_name(text, argument.first) && !(message && k > 0))
            changes[argument.first] = HOST_REFERENCE;
}

/* NAME "=" anywhere in [i, end). */
static void read_counters(const struct host_text *text, size_t i, size_t end, uint8_t changes[])
{
    for (; i < end; i++)
        if (is_name(text, i) && host_token_is(text, i + 1, "="))
            changes[i] = HOST_LOOP;
}

static void change_names(const struct host_text *text, size_t i, size_t end, enum host_change change,
                         uint8_t changes[])
{
    for (; i < end; i++)
        if (is_name(text, i))
            changes[i] = (uint8_t)change;
}

static void read_statement(const struct host_functions *f, const struct fortran_statement *s, uint8_t changes[])
{
    static const char *const inputs[] = {"read", "inquire", "open"};
    static const char *const shared[] = {"namelist", "common", "equivalence"};
    const struct host_text *text = f->text;
    size_t i = fortran_action(f->fortran, s), end = s->end;
    bool uses = s->kind == FORTRAN_DECLARES && host_token_is(text, i, "use"); /* "own => its" points to nothing */
    if (i >= end || !is_name(text, i) || uses)
        return;
    if (host_token_is(text, i + 1, "=")) {
        changes[i] = HOST_ASSIGNED;
    } else if (s->kind == FORTRAN_DO || s->kind == FORTRAN_CONCURRENT || host_token_is(text, s->first, "forall")) {
        read_counters(text, i, end, changes);
    } else if (HOST_TOKEN_IS_ANY(text, i, inputs)) {
        change_names(text, i + 1, end, HOST_READ, changes);
    } else if (HOST_TOKEN_IS_ANY(text, i, shared)) {
        change_names(text, i + 1, end, HOST_SHARED, changes);
    } else if (host_token_is(text, i, "call") && is_name(text, i + 1)) {
        read_call(f, i + 1, changes);
    }
    for (size_t k = i; k + 1 < end; k++)
        if (host_token_is(text, k, "=>") && is_name(text, k + 1))
            changes[k + 1] = HOST_ADDRESS;
}

uint8_t *host_changes_read(const struct host_functions *f)
{
    const struct host_text *text = f->text;
    uint8_t *changes = alloc_zeroed(text->n, sizeof *changes);
    if (!f->fortran)
        read_c(f, changes);
    for (size_t i = 0; f->fortran && i < f->fortran->n; i++)
        read_statement(f, &f->fortran->list[i], changes);
    return changes;
}
