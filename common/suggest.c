#include "common/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Names of directives, keys and parameters are short; longer ones are not worth a guess. */
enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance (Damerau-Levenshtein with neighbouring swaps), letter case ignored. */
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = row[i % 3], *above = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            now[j] = least(least(above[j] + 1, now[j - 1] + 1), above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && tolower((unsigned char)a[i - 2]) == y)
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

/* Whether the one is the other in another order: letters that have changed places are likelier than one that is wrong. */
static bool are_letters_of(const char *a, size_t n, const char *b, size_t m)
{
    int counts[256] = {0};
    for (size_t i = 0; i < n; i++)
        counts[tolower((unsigned char)a[i])]++;
    for (size_t j = 0; j < m; j++)
        counts[tolower((unsigned char)b[j])]--;
    for (size_t c = 0; c < 256; c++)
        if (counts[c] != 0)
            return false;
    return true;
}

const char *suggest_name(const char *name, size_t n, const char *const candidates[], size_t count)
{
    const char *best = NULL;
    size_t best_distance = 4;
    if (n == 0 || n > LONGEST)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (!candidates[i])
            continue;
        size_t m = strlen(candidates[i]);
        if (m == 0 || m > LONGEST)
            continue;
        size_t longer = n > m ? n : m;
        size_t allowed = longer / 3 < 1 ? 1 : longer / 3;
        size_t distance = edit_distance(name, n, candidates[i], m);
        const bool nearer = distance < best_distance || (distance == best_distance && best && are_letters_of(name, n, candidates[i], m) &&
                                                         !are_letters_of(name, n, best, strlen(best)));
        if (distance <= allowed && distance < longer && nearer) {
            best = candidates[i];
            best_distance = distance;
        }
    }
    return best;
}
