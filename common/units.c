#include "common/units.h"

#include "common/numerals.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double units_time_unit(const char *name, size_t n)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {
#define X(unit, value) {#unit, value},
        TIME_UNIT_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == n && memcmp(units[i].name, name, n) == 0)
            return units[i].seconds;
    return 0;
}

/* So many digits and such a power of ten are exact in a double, so the quotient is rounded once, as strtod's number is
 * (Clinger, How to read floating point numbers accurately, PLDI 1990). */
double units_number(const char *text, char **end)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    enum { DIGITS_MOST = sizeof power / sizeof *power - 1 };
    const char *at = text;
    uint64_t digits = 0;
    size_t n = 0, decimals = 0;
    for (; isdigit((unsigned char)*at); at++, n++)
        digits = 10 * digits + (uint64_t)(*at - '0');
    if (n > 0 && *at == '.')
        for (at++; isdigit((unsigned char)*at); at++, n++, decimals++)
            digits = 10 * digits + (uint64_t)(*at - '0');
    const bool goes_on = *at == 'e' || *at == 'E' || *at == 'x' || *at == 'X';
    if (n == 0 || n > DIGITS_MOST || goes_on)
        return numerals_read(text, end);
    *end = (char *)at;
    return (double)digits / power[decimals];
}

bool units_parse_time(const char *text, double bare_unit, double *seconds)
{
    while (isspace((unsigned char)*text))
        text++;
    if (!isdigit((unsigned char)*text) && !strchr("+-.", *text))
        return false; /* strtod would take "inf", "nan" */
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return false;
    char *end;
    double number = units_number(text, &end);
    if (end == text || !isfinite(number))
        return false;
    while (isspace((unsigned char)*end))
        end++;
    size_t n = strlen(end);
    while (n > 0 && isspace((unsigned char)end[n - 1]))
        n--;
    double unit = n == 0 ? bare_unit : units_time_unit(end, n);
    if (unit == 0 || !isfinite(number * unit))
        return false;
    *seconds = number * unit;
    return true;
}

bool units_parse_bytes(const char *text, int64_t most, int64_t *bytes)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10), factor = 1;
    if (*end == 'k' || *end == 'K')
        factor = 1024;
    else if (*end == 'M' || *end == 'm')
        factor = 1024 * 1024;
    end += factor > 1;
    if (strncmp(end, "iB", 2) == 0 && factor > 1)
        end += 2;
    if (!isdigit((unsigned char)text[0]) || *end || errno || value > most / factor)
        return false;
    *bytes = value * factor;
    return true;
}

char *units_format_time(double seconds, char text[UNITS_TIME_BYTES])
{
    static const struct {
        double above, unit;
        const char *name;
    } scale[] = {{1.0, 1.0, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "us"}, {0, 1e-9, "ns"}};
    double size = fabs(seconds);
    size_t i = 0;
    while (i < 3 && size < scale[i].above * 0.99995)
        i++;
    if (size == 0 || !isfinite(size)) {
        snprintf(text, UNITS_TIME_BYTES, "%g s", seconds);
        return text;
    }
    double value = seconds / scale[i].unit;
    int decimals = fabs(value) >= 999.95 ? 0 : fabs(value) >= 99.995 ? 1 : fabs(value) >= 9.9995 ? 2 : 3;
    if (fabs(value) < 1e9)
        snprintf(text, UNITS_TIME_BYTES, "%.*f %s", decimals, value, scale[i].name);
    else
        snprintf(text, UNITS_TIME_BYTES, "%.4g %s", value, scale[i].name);
    return text;
}
