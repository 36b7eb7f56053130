/* words.h - for tests of command lines: words as main has them. */
#ifndef PEVPM_CLI_TESTS_WORDS_H
#define PEVPM_CLI_TESTS_WORDS_H

#include "common/tests/said.h"

enum { WORDS_MOST = 20 };

/* The program's name, then at most WORDS_MOST words, which stay the caller's. Returns argc. */
static inline int words_argv(char *argv[WORDS_MOST + 2], const char *program, size_t n, const char *const words[])
{
    assert_in_range(n, 0, WORDS_MOST);
    argv[0] = (char *)program;
    for (size_t i = 0; i < n; i++)
        argv[i + 1] = (char *)words[i];
    argv[n + 1] = NULL;
    return (int)n + 1;
}

/* parse(parsed, n, words), a test's own, on literals. */
#define PARSE(parsed, ...)                                     \
    do {                                                       \
        const char *const words_[] = {__VA_ARGS__};            \
        parse(parsed, sizeof words_ / sizeof *words_, words_); \
    } while (0)

#endif
