#include "common/progress.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BAR_COLUMNS = 30, LINE_COLUMNS = 79 };
static const double draw_interval = 0.1;   /* s: faster is only flicker */
static const double first_draw_after = 0.5; /* s: work that is soon done draws no bar */

struct progress_bar {
    FILE *out;
    double total, before, row;  /* weight of all rows, of the rows done, of this row */
    char *name;
    double start, drawn;        /* s */
    bool visible;
};

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct progress_bar *progress_create(FILE *out, double total)
{
    assert(total > 0);
    struct progress_bar *progress = alloc_zeroed(1, sizeof *progress);
    progress->out = out;
    progress->total = total;
    progress->start = clock_seconds();
    progress->name = alloc_string("");
    return progress;
}

void progress_destroy(struct progress_bar *progress)
{
    if (!progress)
        return;
    progress_clear(progress);
    free(progress->name);
    free(progress);
}

void progress_row(struct progress_bar *progress, const char *name, double weight)
{
    if (!progress)
        return;
    free(progress->name);
    progress->name = alloc_string(name);
    progress->before += progress->row;
    progress->row = weight;
}

/* "12 s", "2 min 5 s", "3 h 20 min". */
static void format_left(double seconds, size_t n, char text[n])
{
    long s = seconds < 3.6e8 ? (long)(seconds + 0.5) : 360000000L;
    if (s < 60)
        snprintf(text, n, "%ld s", s);
    else if (s < 3600)
        snprintf(text, n, "%ld min %ld s", s / 60, s % 60);
    else
        snprintf(text, n, "%ld h %ld min", s / 3600, s / 60 % 60);
}

char *progress_format(double done, double elapsed, const char *name, char text[PROGRESS_TEXT_BYTES])
{
    done = done < 0 ? 0 : done > 1 ? 1 : done;
    char bar[BAR_COLUMNS + 1], left[32] = "?";
    int filled = (int)(done * BAR_COLUMNS);
    for (int i = 0; i < BAR_COLUMNS; i++)
        bar[i] = i < filled ? '#' : '-';
    bar[BAR_COLUMNS] = '\0';
    if (done > 0)
        format_left(elapsed * (1 - done) / done, sizeof left, left);
    snprintf(text, PROGRESS_TEXT_BYTES, "[%s] %3.0f %%  about %s left  %.48s", bar, 100 * done, left, name);
    text[LINE_COLUMNS] = '\0';
    return text;
}

void progress_replications(struct progress_bar *progress, size_t done, size_t expected)
{
    if (!progress)
        return;
    double now = clock_seconds();
    if (now - progress->start < first_draw_after || now - progress->drawn < draw_interval)
        return;
    double part = expected > done ? (double)done / (double)expected : 1;
    char text[PROGRESS_TEXT_BYTES];
    progress_format((progress->before + part * progress->row) / progress->total, now - progress->start, progress->name,
                    text);
    fprintf(progress->out, "\r%-*s", LINE_COLUMNS, text);
    fflush(progress->out);
    progress->drawn = now;
    progress->visible = true;
}

void progress_clear(struct progress_bar *progress)
{
    if (!progress || !progress->visible)
        return;
    fprintf(progress->out, "\r%*s\r", LINE_COLUMNS, "");
    fflush(progress->out);
    progress->visible = false;
}
