#include "report/measurements.h"

#include "common/alloc.h"
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

/* A line that holds data. */
static bool line_parse(const struct line *line, struct measured_time *out)
{
    char *start = skip_space(line->text), *comma = strchr(start, ',');
    size_t n = comma ? (size_t)(comma - start) : strlen(start);
    if (!comma)
        return line_error(line, start, n, "expected `numprocs,seconds`: there is no comma");
    errno = 0;
    char *end;
    long numprocs = strtol(start, &end, 10);
    if (end == start || skip_space(end) != comma || errno != 0 || numprocs < 1 || numprocs > INT_MAX)
        return line_error(line, start, n, "expected a number of processes, at least 1");
    char *time = skip_space(comma + 1);
    if (strchr(time, ','))
        return line_error(line, strchr(time, ','), 1,
                          "expected two columns, numprocs and seconds: here a third begins");
    out->numprocs = (int)numprocs;
    if (!units_parse_time(time, 1.0, &out->seconds))
        return line_error(line, time, strlen(time), "expected a time in seconds, or with a unit (ns us ms s min)");
    if (!(out->seconds > 0))
        return line_error(line, time, strlen(time), "expected a time above zero");
    return true;
}

/* The first line where it starts with a letter: other columns, or these in another order, would be other times. */
static bool header_check(const struct line *line)
{
    static const char *const names[] = {"numprocs", "seconds"};
    char *at = skip_space(line->text);
    for (int i = 0; i < 2; i++) {
        size_t n = strcspn(at, ","), word = n;
        while (word > 0 && isspace((unsigned char)at[word - 1]))
            word--;
        if (word != strlen(names[i]) || strncmp(at, names[i], word) != 0 || (at[n] == ',') != (i == 0))
            return line_error(line, at, word, "expected the columns `numprocs,seconds`, in this order and no others");
        at = skip_space(at + n + (i == 0));
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
            good = header_check(&line) && good;
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
    if (!in) {
        diag_error(diags, place_of_file(path), "cannot open: %s", strerror(errno));
        return STATUS_IO;
    }
    enum status status = read_lines(measured, in, standard ? "<stdin>" : path, diags);
    if (!standard)
        fclose(in);
    return status;
}

double measurements_find(const struct measurements *measured, int numprocs)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < measured->n; i++)
        if (measured->times[i].numprocs == numprocs) {
            sum += measured->times[i].seconds;
            n++;
        }
    return n > 0 ? sum / (double)n : NAN;
}

void measurements_free(struct measurements *measured)
{
    free(measured->times);
    *measured = (struct measurements){0};
}
