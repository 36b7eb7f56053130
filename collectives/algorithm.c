#include "collectives/schedule.h"
#include "common/suggest.h"

#include <stdio.h>
#include <string.h>

static const char *const names[N_ALGORITHMS] = {
#define X(name) #name,
    ALGORITHM_LIST(X)
#undef X
};

const char *algorithm_name(enum algorithm algorithm)
{
    return names[algorithm];
}

/* "a, b or c": the algorithms of op, or those of them that take segments. */
static void names_list(enum collective_op op, bool with_segments, size_t size, char text[])
{
    enum algorithm last = N_ALGORITHMS;
    size_t n = 0;
    text[0] = '\0';
    for (int a = 0; a < N_ALGORITHMS; a++)
        if (schedule_exists(op, (enum algorithm)a) && (!with_segments || schedule_segments(op, (enum algorithm)a)))
            last = (enum algorithm)a;
    for (int a = 0; a <= (int)last && a < N_ALGORITHMS; a++) {
        if (!schedule_exists(op, (enum algorithm)a) || (with_segments && !schedule_segments(op, (enum algorithm)a)))
            continue;
        const char *before = n == 0 ? "" : a == (int)last ? " or " : ", ";
        n += (size_t)snprintf(text + n, size - n, "%s%s", before, names[a]);
    }
}

/* The algorithm named by n bytes; N_ALGORITHMS: none. */
static enum algorithm name_find(const char *text, size_t n)
{
    if (n == 4 && memcmp(text, "flat", n) == 0)
        return ALGORITHM_linear;
    for (int a = 0; a < N_ALGORITHMS; a++)
        if (strlen(names[a]) == n && memcmp(names[a], text, n) == 0)
            return (enum algorithm)a;
    return N_ALGORITHMS;
}

/* "8192", "8K", "1M"; 0: anything else, or more than 2^40 bytes. */
static int64_t segment_read(const char *text)
{
    const int64_t most = (int64_t)1 << 40;
    int64_t bytes = 0;
    size_t n = strspn(text, "0123456789");
    if (n == 0 || n > 13)
        return 0;
    for (size_t i = 0; i < n; i++)
        bytes = bytes * 10 + (text[i] - '0');
    int64_t unit = text[n] == 'K' || text[n] == 'k' ? 1024 : text[n] == 'M' || text[n] == 'm' ? 1024 * 1024 : 1;
    if (text[n + (unit > 1)] != '\0' || bytes > most / unit)
        return 0;
    return bytes * unit;
}

static void name_unknown(const char *text, size_t n, enum collective_op op, struct place place, struct diags *diags)
{
    char list[1024];
    const char *of_op[N_ALGORITHMS];
    for (int a = 0; a < N_ALGORITHMS; a++)
        of_op[a] = schedule_exists(op, (enum algorithm)a) ? names[a] : NULL;
    const char *near = suggest_name(text, n, of_op, N_ALGORITHMS);
    if (!near)
        near = suggest_name(text, n, names, N_ALGORITHMS);
    names_list(op, false, sizeof list, list);
    if (near)
        diag_error(diags, place, "unknown algorithm `%.*s`, did you mean `%s`? %s has %s", (int)n, text, near,
                   collective_op_name(op), list);
    else
        diag_error(diags, place, "unknown algorithm `%.*s`: %s has %s", (int)n, text, collective_op_name(op), list);
}

enum status algorithm_parse(const char *text, enum collective_op op, struct place place, enum algorithm *algorithm,
                            int64_t *segment, struct diags *diags)
{
    char list[1024];
    const char *slash = strchr(text, '/');
    size_t n = slash ? (size_t)(slash - text) : strlen(text);
    enum algorithm found = name_find(text, n);
    if (found == N_ALGORITHMS) {
        name_unknown(text, n < 200 ? n : 200, op, place, diags);
        return STATUS_NAME;
    }
    if (!schedule_exists(op, found)) {
        names_list(op, false, sizeof list, list);
        diag_error(diags, place, "%s has no algorithm `%s`, it has %s", collective_op_name(op), names[found], list);
        return STATUS_NAME;
    }
    int64_t bytes = slash ? segment_read(slash + 1) : 0;
    if (slash && !schedule_segments(op, found)) {
        names_list(op, true, sizeof list, list);
        diag_error(diags, place, "`%s` of %s has no segments%s%s", names[found], collective_op_name(op),
                   list[0] ? "; those with are " : "", list);
        return STATUS_RANGE;
    }
    if (slash && bytes == 0) {
        diag_error(diags, place, "expected the bytes of a segment after `/`, such as `%s/8K`, found `%.40s`",
                   names[found], slash + 1);
        return STATUS_RANGE;
    }
    *algorithm = found;
    *segment = bytes;
    return STATUS_OK;
}
