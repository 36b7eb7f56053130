/* said.h - for tests: what diagnostics say, as users read it. */
#ifndef PEVPM_COMMON_TESTS_SAID_H
#define PEVPM_COMMON_TESTS_SAID_H

#include "common/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All of it; the caller frees. */
static inline char *said_by(const struct diags *diags)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    diags_print(diags, out);
    fclose(out);
    return text;
}

/* That and nothing else is said. */
static inline void assert_says(const struct diags *diags, const char *expected)
{
    char *text = said_by(diags);
    assert_string_equal(text, expected);
    free(text);
}

static inline void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no\n%s\nin\n%s", part, text);
}

/* That is part of what is said. */
static inline void assert_tells(const struct diags *diags, const char *part)
{
    char *text = said_by(diags);
    assert_has(text, part);
    free(text);
}

#endif
