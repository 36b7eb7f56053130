#include "host/fortran/classify.h"

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

/* "end" [ WORD ... ], in one word or two. */
static bool classify_end(const struct host_text *host, struct fortran_statement *s, size_t end)
{
    static const struct {
        const char *word;
        enum fortran_kind kind, closes;
    } ends[] = {
        {"do", FORTRAN_END, FORTRAN_DO},
        {"if", FORTRAN_END, FORTRAN_IF},
        {"select", FORTRAN_END, FORTRAN_SELECT},
        {"where", FORTRAN_END, FORTRAN_MASK},
        {"forall", FORTRAN_END, FORTRAN_MASK},
        {"associate", FORTRAN_END, FORTRAN_CONSTRUCT},
        {"critical", FORTRAN_END, FORTRAN_CONSTRUCT},
        {"team", FORTRAN_END, FORTRAN_CONSTRUCT},
        {"block", FORTRAN_END, FORTRAN_BLOCK},
        {"type", FORTRAN_END, FORTRAN_DEFINITION},
        {"interface", FORTRAN_END, FORTRAN_DEFINITION},
        {"enum", FORTRAN_END, FORTRAN_DEFINITION},
        {"program", FORTRAN_END_UNIT, FORTRAN_UNIT},
        {"subroutine", FORTRAN_END_UNIT, FORTRAN_UNIT},
        {"function", FORTRAN_END_UNIT, FORTRAN_UNIT},
        {"module", FORTRAN_END_UNIT, FORTRAN_UNIT},
        {"submodule", FORTRAN_END_UNIT, FORTRAN_UNIT},
        {"procedure", FORTRAN_END_UNIT, FORTRAN_UNIT},
        {"blockdata", FORTRAN_END_UNIT, FORTRAN_UNIT},
    };
    size_t i = s->first;
    const char *word = host->text + host->tokens[i].at;
    size_t n = host->tokens[i].n;
    if (n < 3 || memcmp(word, "end", 3) != 0)
        return false;
    if (n == 3 && (i + 1 >= end || (is(host, i + 1, end, "block") && is(host, i + 2, end, "data")))) {
        s->kind = FORTRAN_END_UNIT;
        return true;
    }
    word = n == 3 ? host->text + host->tokens[i + 1].at : word + 3;
    n = n == 3 ? host->tokens[i + 1].n : n - 3;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (n == strlen(ends[k].word) && memcmp(word, ends[k].word, n) == 0) {
            s->kind = ends[k].kind;
            s->closes = ends[k].closes;
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
        *kind = parenthesis && is(host, behind, end, "then") && behind + 1 == end ? FORTRAN_IF : FORTRAN_EXECUTES;
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
    static const char *const selects[] = {"select", "selectcase", "selecttype", "selectrank"};
    static const char *const constructs[] = {"associate", "changeteam"};
    static const char *const parts[] = {"else", "elseif", "elsewhere", "case"};
    static const char *const definitions[] = {"interface", "enum"};
    static const char *const units[] = {"program", "submodule", "blockdata"};
    static const char *const declarations[] = {
        "integer",     "real",       "double",    "doubleprecision", "complex",   "logical",  "character", "byte",
        "implicit",    "parameter",  "dimension", "common",          "save",      "external", "intrinsic", "equivalence",
        "namelist",    "allocatable", "pointer",  "target",          "optional",  "intent",   "volatile",  "asynchronous",
        "contiguous",  "protected",  "private",   "public",          "sequence",  "procedure", "generic",  "final",
        "import",      "use",        "enumerator", "bind",           "value",     "codimension", "static", "automatic"};
    if (HOST_TOKEN_IS_ANY(host, i, selects))
        return FORTRAN_SELECT;
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

/* Of a loop; false: it is none. */
static bool classify_loop(const struct host_text *host, struct fortran_statement *s, size_t end)
{
    size_t i = s->first;
    const char *rest;
    bool fixed = host->source->host == HOST_FORTRAN_FIXED, assignment = fortran_is_assignment(host, i, end);
    s->kind = FORTRAN_DO;
    if (!assignment && (host_token_is(host, i, "do") || host_token_is(host, i, "dowhile"))) {
        s->kind = classify_do(host, i + 1, end, &s->ends);
        return true;
    }
    long label = number_behind(host, i, end, "do", &rest);
    bool loop = assignment ? fixed && fortran_find_mark(host, i, end, ",") < end /* do10i = 1, n; do10 while; do10 i = 1, n */
                           : is(host, i + 1, end, "while") || fortran_is_assignment(host, i + 1, end);
    if (label == 0 || !loop)
        return false;
    s->ends = label;
    return true;
}

void fortran_classify(const struct host_text *host, struct fortran_statement *s, size_t end)
{
    size_t i = s->first;
    if (classify_loop(host, s, end))
        return;
    if (fortran_is_assignment(host, i, end))
        s->kind = FORTRAN_EXECUTES;
    else if (begins_procedure(host, i, end))
        s->kind = FORTRAN_UNIT;
    else if (host_token_is(host, i, "format") && s->label != 0)
        s->kind = FORTRAN_FORMAT;
    else if (!classify_end(host, s, end) && !classify_phrase(host, i, end, &s->kind))
        s->kind = classify_word(host, i);
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
