/* gnuplot.h - runs gnuplot on a script, in a process of its own; the picture appears whole or not at all. */
#ifndef PEVPM_COMMON_GNUPLOT_H
#define PEVPM_COMMON_GNUPLOT_H

#include "common/diag.h"
#include "common/status.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether a file's ending is one that can be drawn: .svg, .png or .pdf. */
bool gnuplot_can_draw(const char *path);

/* The `set terminal` line for that ending. width and height: in the 100ths of an inch that svg takes for pixels. */
void gnuplot_write_terminal(FILE *out, const char *path, int width, int height);

/* `text` as gnuplot's single-quoted string: no character of it means anything; control characters become blanks. */
void gnuplot_write_quoted(FILE *out, const char *text);

/* Draws into `path` what `write` has written as script to `out`. Script and messages go through files without names and
 * only the picture through a pipe, so neither side waits for the other; signals that the caller holds back still reach
 * gnuplot. STATUS_IO: there is no gnuplot, gnuplot fails (its own words are quoted), or a file cannot be written. */
enum status gnuplot_draw(const char *path, void (*write)(FILE *out, const void *what), const void *what,
                         struct diags *diags);

#endif
