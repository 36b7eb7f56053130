#include "timing/c/statements.h"

#include <ctype.h>
#include <string.h>

static size_t line_end(const char *code, size_t length, size_t at)
{
    while (at < length && code[at] != '\n')
        if (code[at] == '\\' && at + 1 < length)
            at += code[at + 1] == '\r' ? 3 : 2;
        else
            at++;
    return at < length ? at : length;
}

void statements_prepare(char *code, size_t length)
{
    bool line_starts = true;
    for (size_t at = 0; at < length; at++) {
        if (code[at] == '\n')
            line_starts = true;
        if (isspace((unsigned char)code[at]))
            continue;
        if (code[at] == '#' && line_starts) {
            size_t end = line_end(code, length, at), word = at + 1;
            while (word < end && isblank((unsigned char)code[word]))
                word++;
            bool pragma = end - word >= 6 && strncmp(code + word, "pragma", 6) == 0;
            bool condition = strncmp(code + word, "if", 2) == 0 || strncmp(code + word, "el", 2) == 0 ||
                             strncmp(code + word, "endif", 5) == 0;
            for (size_t i = at; i < end; i++)
                if (code[i] != '\n')
                    code[i] = ' ';
            if (pragma || condition)
                code[at] = pragma ? '#' : STATEMENTS_CONDITION;
            at = end - 1;
        }
        line_starts = false;
    }
}

/* ---- the scan ---- */

struct scan {
    const char *code;
    size_t at, end;
    int parentheses, braces, open_dos;
    bool in_loop;           /* a loop or switch has started inside: break and continue may be its own */
    size_t candidate;       /* behind a statement that `else` may still carry on; 0: none */
    struct statements found;
};

static bool word_is(const struct scan *scan, size_t at, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(scan->code + at, word, n) == 0;
}

static bool is_one_of(const struct scan *scan, size_t at, size_t n, const char *const words[], size_t n_words)
{
    for (size_t i = 0; i < n_words; i++)
        if (word_is(scan, at, n, words[i]))
            return true;
    return false;
}
#define IS_ONE_OF(scan, at, n, words) is_one_of(scan, at, n, words, sizeof(words) / sizeof *(words))

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* MPI calls that take no time to speak of. */
static bool calls_mpi(const struct scan *scan, size_t at, size_t n)
{
    static const char *const local[] = {"MPI_Wtime", "MPI_Comm_rank", "MPI_Comm_size"};
    size_t next = at + n;
    while (next < scan->end && isspace((unsigned char)scan->code[next]))
        next++;
    return n > 4 && memcmp(scan->code + at, "MPI_", 4) == 0 && next < scan->end && scan->code[next] == '(' &&
           !IS_ONE_OF(scan, at, n, local);
}

/* Why the code from a word on cannot be timed with what stands before it; NULL: it can. */
static const char *word_stops(struct scan *scan, size_t at, size_t n)
{
    static const char *const loops[] = {"for", "while", "do", "switch"};
    static const char *const leaves[] = {"return", "goto", "throw", "longjmp", "co_return"};
    static const char *const inner[] = {"break", "continue"};
    static const char *const labels[] = {"case", "default"};
    if (IS_ONE_OF(scan, at, n, loops))
        scan->in_loop = true;
    if (IS_ONE_OF(scan, at, n, leaves))
        return "this leaves the block";
    if (IS_ONE_OF(scan, at, n, inner) && !scan->in_loop)
        return "this leaves the block";
    if (IS_ONE_OF(scan, at, n, labels) && scan->braces == 0)
        return "this label is jumped to";
    return calls_mpi(scan, at, n) ? "an MPI call is no Serial time: is its directive missing?" : NULL;
}

static bool take_word(struct scan *scan)
{
    static const char *const goes_on[] = {"else", "catch"};
    size_t at = scan->at, n = 0;
    while (at + n < scan->end && is_word_byte(scan->code[at + n]))
        n++;
    if (scan->candidate && !IS_ONE_OF(scan, at, n, goes_on))
        scan->found.end = scan->candidate;
    scan->candidate = 0;
    scan->found.reason = word_stops(scan, at, n);
    if (scan->found.reason)
        return false;
    if (scan->parentheses == 0 && scan->braces == 0) {
        if (word_is(scan, at, n, "do"))
            scan->open_dos++;
        else if (word_is(scan, at, n, "while") && scan->open_dos > 0)
            scan->open_dos--;
    }
    scan->at += n;
    return true;
}

static bool take_mark(struct scan *scan)
{
    char c = scan->code[scan->at];
    if (scan->candidate)
        scan->found.end = scan->candidate;
    scan->candidate = 0;
    if (c == STATEMENTS_CONDITION) {
        scan->found.reason = "conditional compilation starts or ends";
        return false;
    }
    if (c == '}' && scan->braces == 0)
        return false;
    scan->parentheses += (c == '(' || c == '[') - (c == ')' || c == ']');
    scan->braces += (c == '{') - (c == '}');
    scan->at++;
    if ((c == ';' || c == '}') && scan->parentheses == 0 && scan->braces == 0 && scan->open_dos == 0)
        scan->candidate = scan->at;
    return true;
}

struct statements statements_find(const char *code, size_t begin, size_t end)
{
    while (begin < end && isspace((unsigned char)code[begin]))
        begin++;
    struct scan scan = {.code = code, .at = begin, .end = end, .found = {.begin = begin, .end = begin}};
    bool goes_on = true;
    while (goes_on) {
        while (scan.at < end && isspace((unsigned char)code[scan.at]))
            scan.at++;
        if (scan.at >= end)
            break;
        goes_on = is_word_byte(code[scan.at]) ? take_word(&scan) : take_mark(&scan);
    }
    if (scan.candidate)
        scan.found.end = scan.candidate;
    scan.found.stop = scan.at;
    return scan.found;
}

bool statements_may_start(const char *code, size_t at)
{
    while (at > 0 && isspace((unsigned char)code[at - 1]))
        at--;
    return at > 0 && strchr(";{}", code[at - 1]);
}

bool statements_in_braces(const char *code, size_t at)
{
    int depth = 0;
    for (size_t i = 0; i < at; i++)
        depth += (code[i] == '{') - (code[i] == '}');
    return depth > 0;
}
