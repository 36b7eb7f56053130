#include "common/numerals.h"

#include <locale.h>
#include <stdlib.h>

/* Of the C library, and not allocated. */
static locale_t plain(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

double numerals_read(const char *text, char **end)
{
    return strtod_l(text, end, plain());
}

struct numerals numerals_plain(void)
{
    return (struct numerals){uselocale(plain())};
}

void numerals_restore(struct numerals numerals)
{
    uselocale(numerals.before);
}
