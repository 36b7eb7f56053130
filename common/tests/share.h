/* share.h - for tests: how many of very many cases are tried. All of them, unless the environment says otherwise:
 * PEVPM_TEST_SHARE=4 is one in four, as `make test` under CI asks of the compiler that comes after the first one; of the
 * sanitizers it asks one in eight (Makefile, check-others). A memory fault or an undefined shift in code that every case
 * passes is found by a few of them, too; which numbers come out has been tested by then. */
#ifndef PEVPM_COMMON_TESTS_SHARE_H
#define PEVPM_COMMON_TESTS_SHARE_H

#include <stdbool.h>
#include <stdlib.h>

/* One case in so many, at least 1. */
static inline int share_one_in(void)
{
    const char *text = getenv("PEVPM_TEST_SHARE");
    int one_in = text ? atoi(text) : 1;
    return one_in > 1 ? one_in : 1;
}

/* Whether case number `number` is tried. */
static inline bool share_takes(int number)
{
    return number % share_one_in() == 0;
}

/* What must be counted at least in the cases that are tried, where it is `least` in all. */
static inline int share_least(int least)
{
    return least / share_one_in();
}

#endif
