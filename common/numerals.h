/* numerals.h - numbers in texts as C writes them, with a point, whatever locale the program has chosen.
 *
 * libpevpm may be in a program that has called setlocale: strtod then reads 0 in "0.5" where a comma is written, and
 * printf writes "0,5" into files. */
#ifndef PEVPM_COMMON_NUMERALS_H
#define PEVPM_COMMON_NUMERALS_H

/* strtod, in the locale "C". */
double numerals_read(const char *text, char **end);

/* From here to numerals_restore the calling thread has the locale "C". In pairs, one within another as well. */
struct numerals {
    void *before; /* its locale_t, which plain C11 does not know */
};
struct numerals numerals_plain(void);
void numerals_restore(struct numerals numerals);

#endif
