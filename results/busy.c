#include "results/busy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Between a machine and the part; in no name of a host. */
#define BEFORE_PART ", "

static bool is_of_part(const char *key)
{
    return strstr(key, BEFORE_PART) != NULL;
}

/* NaN: the line does not tell. */
static double share_of(const char *text)
{
    struct others_machine machine = {.hosts = 1};
    return text && others_read(&machine, text) ? machine.worked / machine.passed : NAN;
}

void busy_note(struct result *result, const struct others *others, const char *part)
{
    char name[OTHERS_NAME_BYTES], text[OTHERS_TEXT_BYTES], key[OTHERS_NAME_BYTES + 80];
    size_t n;
    const struct others_machine *all = others_all(others, &n), *last = others_last(others, &n);
    result_heading(result, NOTE_BUSY);
    for (size_t k = 0; k < n; k++)
        result_note(result, 1, others_name(&all[k], name), "%s", others_text(&all[k], text));
    for (size_t k = 0; k < n; k++) {
        if (!(others_share(&last[k]) >= OTHERS_MOST))
            continue;
        snprintf(key, sizeof key, "%s" BEFORE_PART "%s", others_name(&last[k], name), part);
        result_note(result, 1, key, "%s", others_text(&last[k], text));
    }
}

void busy_resume(const struct result *result, struct others *others)
{
    char name[OTHERS_NAME_BYTES];
    size_t n;
    const struct others_machine *all = others_all(others, &n);
    for (size_t k = 0; k < n; k++) {
        struct others_machine earlier = all[k];
        const char *text = result_note_find(result, NOTE_BUSY, others_name(&all[k], name));
        if (text && others_read(&earlier, text))
            others_earlier(others, k, &earlier);
    }
}

void busy_merge(struct result *merged, size_t n, const struct result results[])
{
    for (size_t i = 0; i < n; i++) {
        size_t first, end;
        result_notes_under(&results[i], NOTE_BUSY, &first, &end);
        for (size_t k = first; k < end; k++) {
            const struct result_note *note = &results[i].notes[k];
            const char *there = result_note_find(merged, NOTE_BUSY, note->key);
            if (is_of_part(note->key) || (there && !(share_of(note->value) > fmax(share_of(there), -1))))
                continue;
            result_heading(merged, NOTE_BUSY);
            result_note(merged, 1, note->key, "%s", note->value);
        }
    }
}

/* The busiest line of machines or of parts, and how many are busy; false: none is. */
static bool busiest(const struct result *result, bool of_parts, size_t *worst, size_t *n_busy)
{
    size_t first, end;
    const double most_idle = OTHERS_MOST - 1e-9; /* what is written has been rounded */
    double most = 0;
    *n_busy = 0;
    result_notes_under(result, NOTE_BUSY, &first, &end);
    for (size_t k = first; k < end; k++) {
        const double share = share_of(result->notes[k].value);
        if (is_of_part(result->notes[k].key) != of_parts || !(share >= most_idle))
            continue;
        ++*n_busy;
        if (*n_busy == 1 || share > most) {
            most = share;
            *worst = k;
        }
    }
    return *n_busy > 0;
}

void busy_warn(const struct result *result, struct place place, struct diags *diags)
{
    size_t worst = 0, n_busy;
    if (busiest(result, false, &worst, &n_busy) || busiest(result, true, &worst, &n_busy))
        others_say(result->notes[worst].key, result->notes[worst].value, n_busy - 1, place, diags);
}
