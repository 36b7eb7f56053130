#include "report/measurements.h"

#include "common/alloc.h"
#include "common/infile.h"
#include "common/units.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line of the file while it is read. */
struct line {
    const char *file;
    int number;
    size_t columns;  /* of the header; 0: none */
    char *text;
    struct diags *diags;
};

static bool line_error(const struct line *line, const char *at, size_t width, const char *what)
{
    struct place place = {.file = line->file, .line = line->number, .column = (int)(at - line->text) + 1,
                          .width = width > 0 ? (int)width : 1, .text = line->text, .text_length = strlen(line->text)};
    diag_error(line->diags, place, "%s", what);
    return false;
}

static char *skip_space(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* A whole number from `from` to its comma at `end`. */
static bool count_parse(const struct line *line, char *from, const char *end, const char *what, int *out)
{
    char *start = skip_space(from), *stop;
    errno = 0;
    long count = strtol(start, &stop, 10);
    if (stop == start || skip_space(stop) != end || errno != 0 || count < 1 || count > INT_MAX)
        return line_error(line, start, (size_t)(end > start ? end - start : 0), what);
    *out = (int)count;
    return true;
}

/* A line that holds data: numprocs,seconds or numprocs,nodes,ppn,seconds. */
static bool line_parse(const struct line *line, struct measured_time *out)
{
    enum { COLUMNS_MOST = 4 };
    char *at[COLUMNS_MOST] = {skip_space(line->text)}, *comma = strchr(at[0], ',');
    size_t n = 1;
    *out = (struct measured_time){.line = line->number};
    if (!comma)
        return line_error(line, at[0], strlen(at[0]), "expected `numprocs,seconds`: there is no comma");
    for (; comma && n < COLUMNS_MOST; comma = strchr(at[n++], ','))
        at[n] = comma + 1;
    if (n == 3 || comma)
        return line_error(line, comma ? comma : at[2] - 1, 1,
                          "expected the columns numprocs,seconds or numprocs,nodes,ppn,seconds");
    if (line->columns > 0 && n != line->columns)
        return line_error(line, at[0], strlen(at[0]), "expected the columns that the header names");
    if (!count_parse(line, at[0], at[1] - 1, "expected a number of processes, at least 1", &out->numprocs))
        return false;
    if (n == COLUMNS_MOST) {
        if (!count_parse(line, at[1], at[2] - 1, "expected a number of nodes, at least 1", &out->nodes) ||
            !count_parse(line, at[2], at[3] - 1, "expected a number of processes per node, at least 1", &out->ppn))
            return false;
        if ((long long)out->nodes * out->ppn != out->numprocs)
            return line_error(line, at[1], (size_t)(at[3] - 1 - at[1]), "nodes and ppn do not multiply to numprocs");
    }
    char *time = skip_space(at[n - 1]);
    if (!units_parse_time(time, 1.0, &out->seconds))
        return line_error(line, time, strlen(time), "expected a time in seconds, or with a unit (ns us ms s min)");
    if (!(out->seconds > 0))
        return line_error(line, time, strlen(time), "expected a time above zero");
    return true;
}

/* The first line where it starts with a letter: other columns, or these in another order, would be other times. */
static bool header_check(const struct line *line, size_t *columns)
{
    static const char *const names[] = {"numprocs", "seconds"}, *const placed[] = {"numprocs", "nodes", "ppn",
                                                                                   "seconds"};
    char *at = skip_space(line->text);
    size_t commas = 0;
    for (const char *c = at; *c; c++)
        commas += *c == ',';
    const char *const *expected = commas == 3 ? placed : names;
    *columns = commas == 3 ? 4 : 2;
    for (size_t i = 0; i < *columns; i++) {
        size_t n = strcspn(at, ","), word = n;
        while (word > 0 && isspace((unsigned char)at[word - 1]))
            word--;
        const bool goes_on = i + 1 < *columns;
        if (word != strlen(expected[i]) || strncmp(at, expected[i], word) != 0 || (at[n] == ',') != goes_on)
            return line_error(line, at, word, "expected the columns `numprocs,seconds` or "
                                              "`numprocs,nodes,ppn,seconds`, in this order and no others");
        at = skip_space(at + n + goes_on);
    }
    return true;
}

static enum status read_lines(struct measurements *measured, FILE *in, const char *name, struct diags *diags)
{
    struct line line = {.file = name, .diags = diags};
    size_t room = 0;
    ssize_t length;
    bool good = true, first = true;
    while ((length = getline(&line.text, &room, in)) >= 0) {
        line.number++;
        while (length > 0 && (line.text[length - 1] == '\n' || line.text[length - 1] == '\r'))
            line.text[--length] = '\0';
        if (line.number == 1 && strncmp(line.text, "\xef\xbb\xbf", 3) == 0) /* the mark of UTF-8: spreadsheets */
            memmove(line.text, line.text + 3, (size_t)length - 3 + 1);
        const char *start = skip_space(line.text);
        if (*start == '\0' || *start == '#')
            continue;
        bool header = first && isalpha((unsigned char)*start);
        first = false;
        struct measured_time time;
        if (header) {
            good = header_check(&line, &line.columns) && good;
            continue;
        }
        if (!line_parse(&line, &time)) {
            good = false;
            continue;
        }
        measured->times = alloc_grow(measured->times, measured->n, &measured->capacity, sizeof *measured->times);
        measured->times[measured->n++] = time;
    }
    free(line.text);
    if (ferror(in)) {
        diag_error(diags, place_of_file(name), "cannot read: %s", strerror(errno));
        return STATUS_IO;
    }
    if (good && measured->n == 0) {
        diag_error(diags, place_of_file(name), "no measured times: expected lines of `numprocs,seconds`");
        good = false;
    }
    return good ? STATUS_OK : STATUS_SCHEMA;
}

enum status measurements_read(struct measurements *measured, const char *path, struct diags *diags)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "r");
    if (!in)
        return infile_refuse(path, errno, diags);
    enum status status = read_lines(measured, in, standard ? "<stdin>" : path, diags);
    if (!standard)
        fclose(in);
    return status;
}

/* Where a whole file is of something else the table has empty columns, and nobody knows why. */
static void warn_unmatched(const struct measurements *measured, const char *path, size_t n,
                           const struct placement placements[], struct diags *diags)
{
    const struct measured_time *first = &measured->times[0];
    for (size_t k = 0; k < n; k++)
        if (!isnan(measurements_find(measured, &placements[k])))
            return;
    if (n == 0 || measured->n == 0)
        return;
    char at[48] = "";
    if (first->nodes > 0)
        snprintf(at, sizeof at, " as %dx%d", first->nodes, first->ppn);
    diag_warning(diags, place_of_file(path), "nothing that is measured here is predicted: the first line is of %d "
                 "process%s%s, the first prediction of %d as %dx%d", first->numprocs, first->numprocs == 1 ? "" : "es", at,
                 placements[0].numprocs, placements[0].nodes, placements[0].ppn);
}

enum status measurements_check(const struct measurements *measured, const char *path, size_t n,
                               const struct placement placements[], struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < measured->n; i++) {
        const struct measured_time *time = &measured->times[i];
        const struct placement *first = NULL, *other = NULL;
        for (size_t k = 0; k < n && time->nodes == 0; k++) {
            const struct placement *at = &placements[k];
            if (at->numprocs != time->numprocs)
                continue;
            first = first ? first : at;
            other = !other && at->nodes != first->nodes ? at : other;
        }
        if (!other)
            continue;
        struct place place = place_of_file(path);
        place.line = time->line;
        place.column = 1;
        diag_error(diags, place, "%d processes are predicted as %dx%d and as %dx%d: which was measured? Lines of "
                   "numprocs,nodes,ppn,seconds tell", time->numprocs, first->nodes, first->ppn, other->nodes,
                   other->ppn);
        status = STATUS_SCHEMA;
    }
    if (status == STATUS_OK)
        warn_unmatched(measured, path, n, placements, diags);
    return status;
}

static double mean_of(const struct measurements *measured, int numprocs, int nodes, int ppn)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < measured->n; i++) {
        const struct measured_time *time = &measured->times[i];
        if (time->numprocs == numprocs && time->nodes == nodes && time->ppn == ppn) {
            sum += time->seconds;
            n++;
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}

double measurements_find(const struct measurements *measured, const struct placement *at)
{
    double there = mean_of(measured, at->numprocs, at->nodes, at->ppn);
    return isnan(there) ? mean_of(measured, at->numprocs, 0, 0) : there;
}

void measurements_free(struct measurements *measured)
{
    free(measured->times);
    *measured = (struct measurements){0};
}
