#include "record/fit/fit_terms.h"

#include "record/fit/beyond.h"
#include "record/fit/neighbour.h"
#include "record/fit/part.h"
#include "record/fit/turn.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *search_text(struct search *search, const char *form, ...)
{
    va_list arguments;
    va_start(arguments, form);
    char *text = alloc_format_list(form, arguments);
    va_end(arguments);
    const char *kept = arena_string_n(search->memory, text, strlen(text));
    free(text);
    return kept;
}

const char *search_number(struct search *search, double x)
{
    return fabs(x) < 9e15 && x == floor(x) ? search_text(search, "%.0f", x) : search_text(search, "%.15g", x);
}

bool search_gives(const struct search *search, const int64_t value[], struct subset subset)
{
    for (size_t i = 0; i < search->n; i++)
        if (IN(subset, i) && value[i] != search->samples[i].value)
            return false;
    return true;
}

void search_begin(struct search *search, size_t n, const struct fit_sample samples[],
                  const struct fit_names *names, struct arena *memory)
{
    *search = (struct search){.n = n, .samples = samples, .names = names, .memory = memory};
    beyond_make(search);
    search->work = alloc_array(search->m + 1, sizeof *search->work);
}

void search_make_parts(struct search *search)
{
    periods_seek(search);
    parts_make(search);
    laws_make(search);
    if (search->names->in_line && !search->names->number && direction_is_across(search->names->direction))
        across_add(search);
    if (search->names->in_line && !search->names->number)
        lines_add(search, true);
}

void search_end(struct search *search)
{
    free(search->parts);
    free(search->wholes);
    free(search->tests);
    free(search->laws);
    free(search->slopes);
    free(search->places);
    free(search->quantities);
    free(search->group);
    free(search->work);
    free(search->beyond);
    free(search->place);
    free(search->cheaper);
}
