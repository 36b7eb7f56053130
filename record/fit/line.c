#include "record/fit/line.h"

#include "record/coefficient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool line_find(const struct search *search, const struct slope *slope, struct subset subset, struct line *line)
{
    const double *x = slope->value;
    size_t low = SIZE_MAX, high = SIZE_MAX;
    double seen[3];
    line->places = 0;
    for (size_t i = 0; i < search->n; i++) {
        if (!IN(subset, i))
            continue;
        if (search->samples[i].value <= FIT_SOURCE)
            return false;
        low = low == SIZE_MAX || x[i] < x[low] ? i : low;
        high = high == SIZE_MAX || x[i] > x[high] ? i : high;
        size_t k = 0;
        while (k < line->places && seen[k] != x[i])
            k++;
        if (k == line->places && line->places < 3)
            seen[line->places++] = x[i];
    }
    if (line->places < 2)
        return false;
    double v_low = (double)search->samples[low].value, v_high = (double)search->samples[high].value;
    double b = (v_high - v_low) / (x[high] - x[low]), a = v_high - b * x[high];
    line->high = high;
    line->b = fabs(b - round(b)) < 1e-6 * fabs(b) ? round(b) : b;
    line->a = fabs(a) < 1e-6 * fabs(v_high) ? 0 : fabs(a - round(a)) < 1e-6 * fabs(v_high) ? round(a) : a;
    return line->places == 3 || line->a == 0;
}

double line_at(const struct line *line, const struct slope *slope, size_t place)
{
    return line->a + line->b * slope->value[place];
}

bool line_fits(const struct search *search, const struct slope *slope, struct subset subset, struct line *line)
{
    bool whole = true;
    if (!line_find(search, slope, subset, line))
        return false;
    for (size_t i = 0; i < search->n; i++) {
        if (!IN(subset, i))
            continue;
        double y = line_at(line, slope, i);
        if (round(y) != (double)search->samples[i].value)
            return false;
        whole = whole && fabs(y - round(y)) < 1e-9 * (1 + fabs(y));
    }
    return whole || line->a == 0; /* two fractions: nothing that a program computes */
}

/* Whole numbers of what is whole, too: text without fractions says the same. In texts of parts `/` leaves a remainder out. */
static bool is_whole(const struct search *search, const struct slope *slope, const struct line *line)
{
    bool whole = slope->text[0] == '*' && (slope->part || !strpbrk(slope->text, "/.")) && line->a == floor(line->a) &&
                 line->b == floor(line->b) && fabs(line->a) < 1e15 && fabs(line->b) < 1e15;
    for (size_t i = 0; i < search->m && whole; i++)
        whole = slope->value[i] == floor(slope->value[i]);
    return whole;
}

/* a + b x as i+2, 3*i or 4*numprocs-1: x is the slope's text without its `*`, and of (i+1) the 1 is taken to a. */
static const char *whole_text(struct search *search, const struct slope *slope, const struct line *line)
{
    const char *x = slope->text + 1;
    double a = line->a;
    for (int i = 0; i < search->names->n_loops && a != 0; i++)
        if (strcmp(x, search_text(search, "(%s+1)", search->names->loop[i])) == 0) {
            x = search->names->loop[i];
            a += line->b;
            break;
        }
    const char *text = line->b == 1 ? x : search_text(search, "%s*%s", search_number(search, line->b), x);
    return a == 0 ? text : search_text(search, "%s%s%s", text, a > 0 ? "+" : "", search_number(search, a));
}

const char *line_text(struct search *search, const struct slope *slope, const struct line *line)
{
    if (is_whole(search, slope, line))
        return whole_text(search, slope, line);
    char *b = coefficient_real(line->b, 15);
    const char *text = line->a == 0 ? search_text(search, "round(%s%s)", b, slope->text)
                                    : search_text(search, "round(%s + %s%s)", search_number(search, line->a), b, slope->text);
    free(b);
    return text;
}

bool line_of_grid(const struct search *search, const struct slope *slope)
{
    return (search->names->grids & slope->grids) != 0;
}
