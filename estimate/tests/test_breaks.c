/* Breaks, RSS and BIC are those of R's strucchange (strucchange/README.md). */
#include "estimate/analytical/breaks.h"

#include "common/alloc.h"

#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINE_BYTES = 400 };

static void line_read(FILE *in, char line[LINE_BYTES])
{
    assert_non_null(fgets(line, LINE_BYTES, in));
}

static void assert_close(const char *path, const char *what, size_t m, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s: %s with %zu breaks is %.17g, R says %.17g", path, what, m, found, expected);
}

/* One line of R's table: m, RSS, BIC, breaks. */
static void assert_row(const char *path, const char *line, const struct breaks *breaks)
{
    char *at;
    assert_int_equal(strtoul(line, &at, 10), breaks->m);
    assert_close(path, "RSS", breaks->m, breaks->rss, strtod(at, &at));
    assert_close(path, "BIC", breaks->m, breaks->bic, strtod(at, &at));
    for (size_t k = 0; k < breaks->m; k++) {
        size_t expected = strtoul(at, &at, 10);
        if (breaks->last[k] + 1 != expected)
            fail_msg("%s: break %zu of %zu stands at %zu, R says %zu", path, k + 1, breaks->m, breaks->last[k] + 1,
                     expected);
    }
}

static void file_check(const char *path)
{
    size_t n, least, most, chosen;
    char line[LINE_BYTES], (*rows)[LINE_BYTES];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    line_read(in, line);
    assert_int_equal(sscanf(line, "points %zu least %zu most %zu chosen %zu", &n, &least, &most, &chosen), 4);
    rows = alloc_array(most + 1, sizeof *rows);
    for (size_t m = 0; m <= most; m++)
        line_read(in, rows[m]);
    double *x = alloc_array(n, sizeof *x), *y = alloc_array(n, sizeof *y);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(fscanf(in, "%lf %lf", &x[i], &y[i]), 2);
    fclose(in);
    struct breaks_found found;
    breaks_find(n, x, y, least, most, &found);
    assert_int_equal(found.n, most + 1);
    assert_int_equal(found.chosen, chosen);
    for (size_t m = 0; m <= most; m++)
        assert_row(path, rows[m], &found.by_m[m]);
    breaks_free(&found);
    free(x);
    free(y);
    free(rows);
}

static void breaks_are_those_of_strucchange(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob("estimate/tests/strucchange/*.txt", 0, NULL, &files), 0);
    assert_int_equal(files.gl_pathc, 21);
    for (size_t i = 0; i < files.gl_pathc; i++)
        file_check(files.gl_pathv[i]);
    globfree(&files);
}

/* No more than there is room for; none at all in the smallest series that may be asked for one. */
static void room_for_breaks(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5, 6, 7}, y[] = {1, 2.1, 2.9, 9, 8.1, 7.2, 6};
    struct breaks_found found;
    breaks_find(7, x, y, 3, 9, &found);
    assert_int_equal(found.n, 2);
    assert_int_equal(found.by_m[1].last[0], 2);
    breaks_free(&found);
    breaks_find(7, x, y, 3, 0, &found);
    assert_int_equal(found.n, 1);
    breaks_free(&found);
    assert_int_equal(breaks_least(60), 9);
    assert_int_equal(breaks_least(10), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaks_are_those_of_strucchange),
        cmocka_unit_test(room_for_breaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
