#include "estimate/analytical/breaks.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COEFFICIENTS = 2 }; /* of a line */

/* The dynamic programme. Points are numbered from 0; segment(i, j) holds both ends. */
struct search {
    size_t n, least, most;
    double *segment; /* [n][n] RSS */
    double *best;    /* [most][n]: RSS of points 0 .. i in m + 1 segments, the last of which ends at i */
    size_t *before;  /* [most][n]: where the one before ends; m = 0: not used */
};

static double *cell(const struct search *s, double *table, size_t row, size_t column)
{
    return &table[row * s->n + column];
}

/* RSS of all segments that start at i: squared recursive residuals added up, as there is nothing to cancel in them. A
 * recursive residual is what the line of the points before misses by, over the root of its variance. */
static void segments_from(struct search *s, size_t i, const double x[], const double y[])
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, rss = 0;
    for (size_t j = i; j < s->n; j++) {
        double k = (double)(j - i), dx = x[j] - mean_x, dy = y[j] - mean_y;
        if (j - i >= COEFFICIENTS) {
            double residual = dy - xy / xx * dx;
            rss += residual * residual / (1 + 1 / k + dx * dx / xx);
        }
        *cell(s, s->segment, i, j) = rss;
        mean_x += dx / (k + 1);
        mean_y += dy / (k + 1);
        xx += dx * (x[j] - mean_x);
        xy += dx * (y[j] - mean_y);
    }
}

/* Of the places of the break before i, the first of the best. */
static void best_before(struct search *s, size_t m, size_t i)
{
    double best = INFINITY;
    for (size_t j = m * s->least - 1; j + s->least <= i; j++) {
        double rss = *cell(s, s->best, m - 1, j) + *cell(s, s->segment, j + 1, i);
        if (rss < best) {
            best = rss;
            s->before[m * s->n + i] = j;
        }
    }
    *cell(s, s->best, m, i) = best;
}

static void search_run(struct search *s)
{
    for (size_t i = s->least - 1; s->most > 0 && i + s->least < s->n; i++)
        *cell(s, s->best, 0, i) = *cell(s, s->segment, 0, i);
    for (size_t m = 1; m < s->most; m++)
        for (size_t i = (m + 1) * s->least - 1; i + s->least < s->n; i++)
            best_before(s, m, i);
}

/* The best partition with m breaks, and its RSS. */
static void partition_take(const struct search *s, struct breaks *breaks)
{
    size_t m = breaks->m;
    breaks->rss = m == 0 ? *cell(s, s->segment, 0, s->n - 1) : INFINITY;
    for (size_t i = m * s->least - 1; m > 0 && i + s->least < s->n; i++) {
        double rss = *cell(s, s->best, m - 1, i) + *cell(s, s->segment, i + 1, s->n - 1);
        if (rss < breaks->rss) {
            breaks->rss = rss;
            breaks->last[m - 1] = i;
        }
    }
    for (size_t k = m; k-- > 1;)
        breaks->last[k - 1] = s->before[k * s->n + breaks->last[k]];
    double n = (double)s->n;
    breaks->bic = n * (log(breaks->rss) + 1 - log(n) + log(2 * M_PI)) +
                  (COEFFICIENTS + 1) * (double)(m + 1) * log(n);
}

void breaks_find(size_t n, const double x[], const double y[], size_t least, size_t most, struct breaks_found *found)
{
    assert(least > COEFFICIENTS && 2 * least <= n);
    size_t room = n / least - 1;
    struct search s = {.n = n, .least = least, .most = most < room ? most : room};
    s.segment = alloc_zeroed(n * n, sizeof *s.segment);
    s.best = alloc_zeroed(s.most * n, sizeof *s.best);
    s.before = alloc_zeroed(s.most * n, sizeof *s.before);
    for (size_t i = 0; i < n; i++)
        segments_from(&s, i, x, y);
    search_run(&s);
    *found = (struct breaks_found){.n = s.most + 1, .by_m = alloc_zeroed(s.most + 1, sizeof *found->by_m)};
    for (size_t m = 0; m <= s.most; m++) {
        struct breaks *breaks = &found->by_m[m];
        *breaks = (struct breaks){.m = m, .last = alloc_zeroed(m, sizeof *breaks->last)};
        partition_take(&s, breaks);
        if (breaks->bic < found->by_m[found->chosen].bic)
            found->chosen = m;
    }
    free(s.segment);
    free(s.best);
    free(s.before);
}

void breaks_free(struct breaks_found *found)
{
    for (size_t m = 0; m < found->n; m++)
        free(found->by_m[m].last);
    free(found->by_m);
    *found = (struct breaks_found){0};
}

size_t breaks_least(size_t n)
{
    size_t least = n * 15 / 100;
    return least > COEFFICIENTS ? least : COEFFICIENTS + 1;
}
