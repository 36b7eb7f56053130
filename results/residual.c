#include "results/residual.h"

#include "common/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_PRINT "off by %.6g s of %.6g s, %.6g s of it computation, %.6g s to be expected, %.6g s added by communication"
#define LINE_SCAN "off by %lf s of %lf s, %lf s of it computation, %lf s to be expected, %lf s added by communication"
#define LINE_NONE "no program"
/* The last is not in lines from before it. */
enum { LINE_NUMBERS_LEAST = 4, LINE_NUMBERS = 5 };

void residual_note(struct result *result, const char *what, double predicted, const struct model_error_point *point)
{
    result_heading(result, NOTE_JUDGED);
    result_note(result, 1, what, LINE_PRINT, point->error, predicted, point->computation, point->known,
                point->communication);
}

void residuals_none(struct result *result)
{
    result_heading(result, NOTE_JUDGED);
    result_note(result, 1, LINE_NONE, "as wrong as on other machines");
}

void residuals_forget(struct result *result)
{
    result_notes_drop(result, NOTE_JUDGED);
}

void residuals_merge(struct result *merged, const struct result *from)
{
    size_t first, end;
    result_notes_under(from, NOTE_JUDGED, &first, &end);
    for (size_t i = first; i < end; i++) {
        result_heading(merged, NOTE_JUDGED);
        result_note(merged, 1, from->notes[i].key, "%s", from->notes[i].value);
    }
}

static bool is_none(const struct result_note *line)
{
    return strcmp(line->key, LINE_NONE) == 0;
}

static bool line_read(const char *line, struct model_error_point *point)
{
    double error, all, computation, known, added = 0;
    int n = line ? sscanf(line, LINE_SCAN, &error, &all, &computation, &known, &added) : 0;
    if (n < LINE_NUMBERS_LEAST || !(all > 0) || !(computation >= 0) || !(known >= 0) || !(added >= 0))
        return false;
    if (n < LINE_NUMBERS && !(all >= computation))
        return false;
    *point = (struct model_error_point){error, n < LINE_NUMBERS ? all - computation : added, computation, known, all};
    return true;
}

size_t residuals_unread(const struct result *result)
{
    size_t first, end, n = 0;
    struct model_error_point unused;
    result_notes_under(result, NOTE_JUDGED, &first, &end);
    for (size_t i = first; i < end; i++)
        n += !is_none(&result->notes[i]) && !line_read(result->notes[i].value, &unused);
    return n;
}

bool residuals_model_error(const struct result *result, struct machine_model_error *error)
{
    size_t first, end, n = 0;
    bool none = false;
    result_notes_under(result, NOTE_JUDGED, &first, &end);
    struct model_error_point *points = alloc_array(end - first + 1, sizeof *points);
    for (size_t i = first; i < end; i++) {
        none |= is_none(&result->notes[i]);
        n += line_read(result->notes[i].value, &points[n]);
    }
    if (n >= MODEL_ERROR_RUNS_LEAST)
        *error = model_error_estimate(n, points, true);
    else if (none)
        *error = model_error_elsewhere();
    free(points);
    return none || n >= MODEL_ERROR_RUNS_LEAST;
}
