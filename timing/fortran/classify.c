#include "timing/fortran/classify.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_name(const struct host_text *host, size_t i, size_t end)
{
    return i < end && host->tokens[i].kind == HOST_NAME;
}

static bool is(const struct host_text *host, size_t i, size_t end, const char *word)
{
    return i < end && host_token_is(host, i, word);
}

static bool is_number(const struct host_text *host, size_t i, size_t end)
{
    return i < end && host->tokens[i].kind == HOST_NUMBER;
}

/* The number that a word ends with behind a prefix: 10 of goto10; 0: another word. *rest: where the digits end. */
static long number_behind(const struct host_text *host, size_t i, size_t end, const char *prefix, const char **rest)
{
    size_t n = strlen(prefix);
    if (!is_name(host, i, end) || host->tokens[i].n <= n)
        return 0;
    const char *word = host->text + host->tokens[i].at;
    if (memcmp(word, prefix, n) != 0 || !isdigit((unsigned char)word[n]))
        return 0;
    char *after;
    long number = strtol(word + n, &after, 10);
    *rest = after;
    return number;
}

/* A comma on the statement's own level behind token i. */
static bool has_comma(const struct host_text *host, size_t i, size_t end)
{
    for (; i < end; i = host_token_is(host, i, "(") ? fortran_behind(host, i, end) : i + 1)
        if (host_token_is(host, i, ","))
            return true;
    return false;
}

/* NAME { "(" ... ")" | "[" ... "]" | "%" NAME } ( "=" | "=>" ) ... */
bool fortran_is_assignment(const struct host_text *host, size_t i, size_t end)
{
    if (!is_name(host, i++, end))
        return false;
    for (;;) {
        if (is(host, i, end, "(") || is(host, i, end, "["))
            i = fortran_behind(host, i, end);
        else if (is(host, i, end, "%") && is_name(host, i + 1, end))
            i += 2;
        else
            return is(host, i, end, "=") || is(host, i, end, "=>");
    }
}

/* "do" [ LABEL [ "," ] ] [ "while" ... | "concurrent" ... | NAME "=" ... ] */
static enum fortran_kind classify_do(const struct host_text *host, size_t i, size_t end, long *ends)
{
    if (is_number(host, i, end)) {
        *ends = host->tokens[i].value.kind == VALUE_INT ? (long)host->tokens[i].value.i : 0;
        i++;
    }
    i += is(host, i, end, ",");
    return is(host, i, end, "concurrent") ? FORTRAN_CONCURRENT : FORTRAN_DO;
}

/* The prefixes of a procedure, then "subroutine" NAME or "function" NAME "(". */
static bool begins_procedure(const struct host_text *host, size_t i, size_t end)
{
    static const char *const prefixes[] = {
        "integer", "real", "double", "doubleprecision", "precision", "complex", "logical", "character", "type", "class",
        "pure", "elemental", "impure", "recursive", "non_recursive", "simple", "module", "attributes"};
    while (i < end) {
        if (is(host, i, end, "subroutine"))
            return is_name(host, i + 1, end);
        if (is(host, i, end, "function"))
            return is_name(host, i + 1, end) && is(host, i + 2, end, "(");
        if (is(host, i, end, "(")) {
            i = fortran_behind(host, i, end);
        } else if (is(host, i, end, "*")) {
            i = is(host, i + 1, end, "(") ? fortran_behind(host, i + 1, end) : i + 2;
        } else {
            if (!HOST_TOKEN_IS_ANY(host, i, prefixes))
                return false;
            i++;
        }
    }
    return false;
}

/* "end" ..., in one word or two; *kind. */
static bool classify_end(const struct host_text *host, size_t i, size_t end, enum fortran_kind *kind)
{
    static const char *const constructs[] = {"do", "if", "where", "forall", "select", "associate", "block", "critical",
                                             "team", "type", "interface", "enum"};
    static const char *const units[] = {"program", "subroutine", "function", "module", "submodule", "procedure",
                                        "blockdata"};
    const struct host_token *token = &host->tokens[i];
    const char *word = host->text + token->at;
    size_t n = token->n;
    if (n < 3 || memcmp(word, "end", 3) != 0)
        return false;
    if (n == 3) {
        if (i + 1 >= end || (is(host, i + 1, end, "block") && is(host, i + 2, end, "data"))) {
            *kind = FORTRAN_END_UNIT;
            return true;
        }
        word = host->text + host->tokens[i + 1].at;
        n = host->tokens[i + 1].n;
    } else {
        word += 3;
        n -= 3;
    }
    for (size_t k = 0; k < sizeof constructs / sizeof *constructs; k++)
        if (n == strlen(constructs[k]) && memcmp(word, constructs[k], n) == 0) {
            *kind = FORTRAN_END;
            return true;
        }
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (n == strlen(units[k]) && memcmp(word, units[k], n) == 0) {
            *kind = FORTRAN_END_UNIT;
            return true;
        }
    return false;
}

/* Statements of more than their first word. */
static bool classify_phrase(const struct host_text *host, size_t i, size_t end, enum fortran_kind *kind)
{
    bool ends = i + 1 == end, parenthesis = is(host, i + 1, end, "(");
    size_t behind = parenthesis ? fortran_behind(host, i + 1, end) : i + 1;
    if (host_token_is(host, i, "if"))
        *kind = parenthesis && is(host, behind, end, "then") && behind + 1 == end ? FORTRAN_CONSTRUCT : FORTRAN_EXECUTES;
    else if (host_token_is(host, i, "where") || host_token_is(host, i, "forall"))
        *kind = parenthesis && behind == end ? FORTRAN_MASK : FORTRAN_EXECUTES;
    else if (host_token_is(host, i, "block") && ends)
        *kind = FORTRAN_BLOCK;
    else if (host_token_is(host, i, "critical") && (ends || parenthesis))
        *kind = FORTRAN_CONSTRUCT;
    else if (host_token_is(host, i, "change") && is(host, i + 1, end, "team"))
        *kind = FORTRAN_CONSTRUCT;
    else if (host_token_is(host, i, "abstract") && is(host, i + 1, end, "interface"))
        *kind = FORTRAN_DEFINITION;
    else if (host_token_is(host, i, "type"))
        *kind = is(host, i + 1, end, "is") && is(host, i + 2, end, "(") ? FORTRAN_PART
                : parenthesis                                           ? FORTRAN_DECLARES
                                                                        : FORTRAN_DEFINITION;
    else if (host_token_is(host, i, "class"))
        *kind = parenthesis ? FORTRAN_DECLARES : FORTRAN_PART;
    else if (host_token_is(host, i, "rank") && (parenthesis || is(host, i + 1, end, "default")))
        *kind = FORTRAN_PART;
    else if (host_token_is(host, i, "block") && is(host, i + 1, end, "data"))
        *kind = FORTRAN_UNIT;
    else if (host_token_is(host, i, "module"))
        *kind = is(host, i + 1, end, "procedure") ? FORTRAN_SEPARATE : FORTRAN_UNIT;
    else if (host_token_is(host, i, "contains") && ends)
        *kind = FORTRAN_CONTAINS;
    else if (host_token_is(host, i, "entry") && is_name(host, i + 1, end))
        *kind = FORTRAN_ENTRY;
    else if (host_token_is(host, i, "include") && i + 1 < end && host->tokens[i + 1].kind == HOST_STRING)
        *kind = FORTRAN_INCLUDE;
    else
        return false;
    return true;
}

/* Statements that their first word tells. */
static enum fortran_kind classify_word(const struct host_text *host, size_t i)
{
    static const char *const constructs[] = {"select", "selectcase", "associate", "changeteam"};
    static const char *const parts[] = {"else", "elseif", "elsewhere", "case"};
    static const char *const definitions[] = {"interface", "enum"};
    static const char *const units[] = {"program", "submodule", "blockdata"};
    static const char *const declarations[] = {
        "integer",     "real",       "double",    "doubleprecision", "complex",   "logical",  "character", "byte",
        "implicit",    "parameter",  "dimension", "common",          "save",      "external", "intrinsic", "equivalence",
        "namelist",    "allocatable", "pointer",  "target",          "optional",  "intent",   "volatile",  "asynchronous",
        "contiguous",  "protected",  "private",   "public",          "sequence",  "procedure", "generic",  "final",
        "import",      "use",        "enumerator", "bind",           "value",     "codimension", "static", "automatic"};
    if (HOST_TOKEN_IS_ANY(host, i, constructs))
        return FORTRAN_CONSTRUCT;
    if (HOST_TOKEN_IS_ANY(host, i, parts))
        return FORTRAN_PART;
    if (HOST_TOKEN_IS_ANY(host, i, definitions))
        return FORTRAN_DEFINITION;
    if (HOST_TOKEN_IS_ANY(host, i, units))
        return FORTRAN_UNIT;
    if (host_token_is(host, i, "data"))
        return FORTRAN_DATA;
    return HOST_TOKEN_IS_ANY(host, i, declarations) ? FORTRAN_DECLARES : FORTRAN_EXECUTES;
}

enum fortran_kind fortran_classify(const struct host_text *host, size_t i, size_t end, bool labelled, bool fixed,
                                   long *ends)
{
    enum fortran_kind kind;
    const char *rest;
    *ends = 0;
    if (fortran_is_assignment(host, i, end)) {
        long label = fixed && has_comma(host, i, end) ? number_behind(host, i, end, "do", &rest) : 0;
        if (label == 0)
            return FORTRAN_EXECUTES;
        *ends = label; /* do10i = 1, n */
        return FORTRAN_DO;
    }
    if (host_token_is(host, i, "do") || host_token_is(host, i, "dowhile"))
        return classify_do(host, i + 1, end, ends);
    if ((*ends = number_behind(host, i, end, "do", &rest)) != 0 && is(host, i + 1, end, "while")) /* do10 while */
        return FORTRAN_DO;
    if (*ends != 0 && fortran_is_assignment(host, i + 1, end)) /* do10 i = 1, n */
        return FORTRAN_DO;
    *ends = 0;
    if (begins_procedure(host, i, end))
        return FORTRAN_UNIT;
    if (host_token_is(host, i, "format") && labelled)
        return FORTRAN_FORMAT;
    return classify_end(host, i, end, &kind) || classify_phrase(host, i, end, &kind) ? kind : classify_word(host, i);
}

/* ---- directives in comments ---- */

/* The next word of a text, which moves behind it. */
static size_t next_word(const char **text, size_t *n, const char **word)
{
    while (*n > 0 && !isalpha((unsigned char)**text)) {
        (*text)++;
        (*n)--;
    }
    size_t length = 0;
    while (length < *n && (isalnum((unsigned char)(*text)[length]) || (*text)[length] == '_'))
        length++;
    *word = *text;
    *text += length;
    *n -= length;
    return length;
}

static bool word_in(const char *word, size_t n, size_t n_words, const char *const words[])
{
    for (size_t i = 0; i < n_words; i++)
        if (strlen(words[i]) == n && strncasecmp(words[i], word, n) == 0)
            return true;
    return false;
}
#define WORD_IN(word, n, words) word_in(word, n, sizeof(words) / sizeof *(words), words)

/* What a directive of OpenMP or OpenACC belongs to, by its words up to a clause: "parallel do" of
 * "parallel do private(i)". */
static enum fortran_kind classify_words(const char *text, size_t n)
{
    static const char *const loops[] = {"do", "simd", "distribute", "loop", "taskloop", "paralleldo"};
    static const char *const regions[] = {
        "parallel", "sections", "parallelsections", "single", "master", "masked", "critical", "task", "taskgroup",
        "workshare", "parallelworkshare", "target", "teams", "scope", "kernels", "data", "serial", "host_data",
        "ordered"};
    static const char *const alone[] = {"barrier", "taskwait", "taskyield", "flush", "cancel", "cancellation", "wait",
                                        "update", "enter", "exit", "error", "depobj", "interop", "init", "shutdown", "set"};
    static const char *const declarations[] = {"threadprivate", "declare", "requires", "routine"};
    const char *word;
    for (enum fortran_kind kind = FORTRAN_PREFIX;; kind = FORTRAN_REGION) {
        size_t length = n > 0 && *text == '(' ? 0 : next_word(&text, &n, &word);
        if (length == 0)
            return kind;
        if (WORD_IN(word, length, alone))
            return FORTRAN_EXECUTES;
        if (WORD_IN(word, length, declarations))
            return FORTRAN_DECLARES;
        if (WORD_IN(word, length, loops))
            return FORTRAN_PREFIX;
        if (!WORD_IN(word, length, regions))
            return kind;
    }
}

enum fortran_kind fortran_classify_sentinel(const char *text, size_t n)
{
    static const char *const languages[] = {"omp", "acc"};
    const char *word, *rest;
    size_t length = next_word(&text, &n, &word), left;
    if (!WORD_IN(word, length, languages))
        return FORTRAN_PREFIX;
    rest = text;
    left = n;
    length = next_word(&rest, &left, &word);
    if (length == 7 && strncasecmp(word, "section", 7) == 0)
        return FORTRAN_PART;
    if (length < 3 || strncasecmp(word, "end", 3) != 0)
        return classify_words(text, n);
    n -= (size_t)(word + 3 - text); /* endparallel too */
    text = word + 3;
    return classify_words(text, n) == FORTRAN_REGION ? FORTRAN_END_REGION : FORTRAN_END_PREFIX;
}
