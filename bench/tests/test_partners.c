/* Whom nodes stream to, in clusters of a few nodes: class and group of each is a digit. */
#include "bench/partners.h"

#include "common/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fake {
    struct job job;
    struct crew crew;
    struct campaign c;
};

static int *digits_read(const char *text, size_t *kinds)
{
    int *values = alloc_array(strlen(text), sizeof *values), most = 0;
    for (size_t i = 0; text[i]; i++) {
        values[i] = text[i] - '0';
        most = values[i] > most ? values[i] : most;
    }
    *kinds = (size_t)most + 1;
    return values;
}

static void fake_init(struct fake *f, const char *class_of, const char *group_of)
{
    memset(f, 0, sizeof *f);
    f->job.nodes = (int)strlen(class_of);
    f->job.ppn = 1;
    f->crew.job = &f->job;
    f->c.crew = &f->crew;
    f->c.class_of = digits_read(class_of, &f->c.n_classes);
    f->c.group_of = digits_read(group_of, &f->c.n_groups);
}

static void fake_free(struct fake *f)
{
    free(f->c.class_of);
    free(f->c.group_of);
}

/* "node-other" of each pair, rounds between bars; behind it what may limit the stream: t a trunk, s a slower node. The other one
 * of a pair that is in parentheses is lent. */
static void partners_write(const struct partners *p, char text[256])
{
    char *at = text;
    for (size_t i = 0; i < p->n; i++) {
        const struct partner_pair *pair = &p->pairs[i];
        at += sprintf(at, "%s", i == 0 ? "" : pair->round != p->pairs[i - 1].round ? " | " : " ");
        at += sprintf(at, pair->lent ? "%d-(%d)" : "%d-%d", pair->node, pair->other);
        at += sprintf(at, "%s%s", pair->crosses ? "t" : "", pair->slower ? "s" : "");
    }
    *at = 0;
}

static void ports_are_told_behind_their_switch(void **state)
{
    (void)state;
    static const struct {
        const char *what, *class_of, *group_of;
        size_t class;
        int rounds;
        const char *pairs;
    } cases[] = {
        {"one switch", "000000", "000000", 0, 1, "0-1 2-3 4-5"},
        {"one switch, an odd number", "00000", "00000", 0, 2, "0-1 2-3 | 4-(0)"},
        {"one switch, one slow node", "00010", "00000", 1, 1, "3-(0)"},
        {"one switch, one quick node", "11011", "00000", 0, 1, "2-(0)s"},
        {"odd9, the quick ones", "001001001", "010101010", 0, 2, "0-4 1-3 | 6-(0) 7-(1)"},
        {"odd9, the slow ones", "001001001", "010101010", 1, 2, "2-8 | 5-(1)"},
        {"tree", "00000000", "00001111", 0, 1, "0-1 2-3 4-5 6-7"},
        {"tree10", "0000000000", "0000011111", 0, 2, "0-1 2-3 5-6 7-8 | 4-(0) 9-(5)"},
        {"mix8x2, the quick ones", "00110022", "00001111", 0, 1, "0-1 4-5"},
        {"mix8x2, the slowest", "00110022", "00001111", 2, 1, "6-7"},
        {"all6x2, of which three are not told", "000011", "000123", 0, 3, "0-1 | 2-(0) | 3-(0)t"},
        {"... the slow ones", "000011", "000123", 1, 2, "4-(5)t | 5-(4)t"},
        {"a quick one among slow ones", "0011", "0111", 0, 2, "0-(1)t | 1-(0)t"},
        {"... and the only one that is quick", "1011", "0011", 0, 1, "1-(0)s"},
        {"nobody knows which", "0000", "0123", 0, 1, "0-1t 2-3t"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        char text[256];
        fake_init(&f, cases[i].class_of, cases[i].group_of);
        struct partners p = partners_find(&f.c, cases[i].class);
        partners_write(&p, text);
        if (strcmp(text, cases[i].pairs) != 0 || p.rounds != cases[i].rounds)
            fail_msg("%s: %s, %d rounds", cases[i].what, text, p.rounds);
        partners_free(&p);
        fake_free(&f);
    }
}

/* Streams across trunks take turns, so not all of a large cluster have theirs. */
static void few_stream_across_a_trunk(void **state)
{
    (void)state;
    struct fake f;
    fake_init(&f, "0000000000000000", "0000000000000000");
    for (int node = 2; node < 16; node++)
        f.c.group_of[node] = node - 1;
    f.c.n_groups = 15;
    struct partners p = partners_find(&f.c, 0);
    assert_int_equal(p.rounds, 1 + PARTNERS_ACROSS_MOST);
    assert_int_equal(p.n, 1 + PARTNERS_ACROSS_MOST);
    partners_free(&p);
    fake_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ports_are_told_behind_their_switch),
                                       cmocka_unit_test(few_stream_across_a_trunk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
