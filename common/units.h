/* units.h - times and sizes with units.
 *
 * In memory every time is in seconds and every size in bytes. Only text carries other units. */
#ifndef PEVPM_COMMON_UNITS_H
#define PEVPM_COMMON_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, seconds) */
#define TIME_UNIT_LIST(X) \
    X(ns, 1e-9)           \
    X(us, 1e-6)           \
    X(ms, 1e-3)           \
    X(s, 1.0)             \
    X(min, 60.0)

/* strtod's number and end, in a third of its time where the text begins with up to 15 digits that may hold a point, as
 * nearly all numbers of a machine file do. */
double units_number(const char *text, char **end);

/* Seconds in the unit named by the first n bytes of `name` ("ns us ms s min"); 0 when there is no such unit. */
double units_time_unit(const char *name, size_t n);

/* Reads a whole string such as "98.5 us", "3e-6", "1min" (a bare number is in `bare_unit` seconds).
 * Returns false, leaving *seconds alone, when it is anything else; infinities and NaN are refused. */
bool units_parse_time(const char *text, double bare_unit, double *seconds);

/* Reads a whole string such as "65536", "64k", "64KiB", "8M" (k = 1024 bytes, M = 1024 k) of at most `most` bytes.
 * Returns false, leaving *bytes alone, when it is anything else. */
bool units_parse_bytes(const char *text, int64_t most, int64_t *bytes);

/* Formats seconds for people with 4 significant digits and the unit that suits: "98.50 us", "1.200 s", "0 s".
 * Writes at most 24 bytes to `text` and returns it. */
#define UNITS_TIME_BYTES 24
char *units_format_time(double seconds, char text[UNITS_TIME_BYTES]);

#endif
