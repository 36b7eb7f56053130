#include "record/fit/other.h"

#include "record/coefficient.h"
#include "record/fit/chance.h"
#include "record/fit/line.h"

#include <math.h>
#include <stdlib.h>

/* Where two formulas that give all samples differ: a count beyond the recorded ones, and a smaller one that would tell
 * them apart as well; false: nowhere that was looked at. */
static bool differ(const struct search *search, const int64_t a[], const int64_t b[], struct subset subset,
                   struct fit_other *other)
{
    int beyond = 0, cheaper = 0;
    for (size_t i = search->n; i < search->m; i++) {
        int numprocs = search->beyond[i].numprocs;
        if (!IN(subset, i) || a[i] == b[i])
            continue;
        if (search->cheaper[i])
            cheaper = cheaper == 0 || numprocs < cheaper ? numprocs : cheaper;
        else
            beyond = beyond == 0 || numprocs < beyond ? numprocs : beyond;
    }
    if (beyond == 0)
        return false;
    other->beyond = beyond;
    other->cheaper = cheaper;
    return true;
}

bool other_note(struct search *search, const char *text, const int64_t value[], struct found found, struct subset subset)
{
    if (!search->other || search->other->text || !differ(search, value, found.value, subset, search->other))
        return false;
    search->other->text = text;
    return true;
}

/* ---- beside the lists ---- */

/* Notes who has a place in the data, floor(f numprocs), of the possible f one of those that differ soonest. */
static void note_place(struct search *search, const struct piece *piece, bool part, double low, double high)
{
    static const double within[] = {0, 0.5, 0.875};
    struct fit_other soonest = {0}, here;
    const char *numprocs = search->names->numprocs, *told = part ? OTHER_IN_PART : "";
    int64_t *value = arena_alloc(search->memory, search->m, sizeof *value);
    for (int k = 0; k < 3; k++) {
        const double f = low + within[k] * (high - low);
        for (size_t i = 0; i < search->m; i++)
            value[i] = (int64_t)floor(f * search->beyond[i].numprocs + 1e-9);
        if (search_gives(search, value, piece->of) && differ(search, value, piece->value, piece->of, &here) &&
            (!soonest.text || here.beyond < soonest.beyond)) {
            soonest = here;
            soonest.text = search_text(search, "floor(%.4g*%s), who has that place in the data,%s", f, numprocs, told);
        }
    }
    if (!soonest.text)
        return;
    search->other->text = soonest.text;
    search->other->beyond = soonest.beyond;
    search->other->cheaper = soonest.cheaper;
}

/* The most that an element takes, bytes: more divides sizes by chance. */
enum { ELEMENT_MOST = 8 };

/* What all values of a piece are multiples of: 1, 2, 4 or 8. */
static int64_t element_of(const struct search *search, struct subset subset)
{
    int64_t element = ELEMENT_MOST;
    for (size_t i = 0; i < search->n; i++)
        while (IN(subset, i) && search->samples[i].value % element != 0)
            element /= 2;
    return element;
}

/* The least of the cheaper counts at which two formulas differ; 0: none. */
static int least_cheaper(const struct search *search, const int64_t a[], const int64_t b[], struct subset subset)
{
    int least = 0;
    for (size_t i = search->n; i < search->m; i++)
        if (search->cheaper[i] && IN(subset, i) && a[i] != b[i] && (least == 0 || search->beyond[i].numprocs < least))
            least = search->beyond[i].numprocs;
    return least;
}

/* A share without a remainder at the recorded counts: where others leave one, programs give whole elements, some processes one
 * more or the last one fewer. */
static void note_remainder(struct search *search, const struct piece *piece, bool part)
{
    const int64_t element = element_of(search, piece->of);
    int64_t *other = arena_alloc(search->memory, search->m, sizeof *other);
    struct line line = {0};
    if (!search->names->number || (piece->kind != PIECE_LINE && piece->kind != PIECE_LAW) ||
        (piece->kind == PIECE_LINE && !line_find(search, &search->slopes[piece->at], piece->of, &line)))
        return;
    for (size_t i = 0; i < search->m; i++) {
        const double size = i < search->n || piece->kind == PIECE_LAW ? (double)piece->value[i]
                                                                      : line_at(&line, &search->slopes[piece->at], i);
        const double elements = size / (double)element, down = floor(elements + 1e-9);
        const bool left = elements - down > 1e-9 && fabs(size) < 9e15;
        other[i] = !left ? piece->value[i] : (int64_t)down * element != piece->value[i] ? (int64_t)down * element
                                                                                        : ((int64_t)down + 1) * element;
    }
    struct found found = {.value = piece->value};
    const char *in_part = part ? OTHER_IN_PART : "";
    const char *text = element > 1 ? search_text(search, "%s in multiples of %d, down or up,%s", piece->text, (int)element, in_part)
                                   : search_text(search, "%s rounded down or up%s", piece->text, in_part);
    const int uneven = least_cheaper(search, other, piece->value, piece->of);
    const bool told = other_note(search, text, other, found, piece->of);
    if (!told && uneven > 0)
        search->other->uneven = uneven;
}

/* Has each recording one value, which other counts have, too: a number, or what parameters say? */
static bool follows_recording(const struct search *search, const int64_t value[])
{
    int last = 0;
    for (size_t i = 0; i < search->n; i++)
        last = search->samples[i].recording > last ? search->samples[i].recording : last;
    size_t *first = alloc_zeroed((size_t)last + 1, sizeof *first); /* 1 + where a recording's value is; 0: it has none so far */
    bool follows = true;
    for (size_t i = 0; i < search->m && follows; i++) { /* places beyond have recordings that samples have */
        size_t *of = &first[search->beyond[i].recording];
        *of = *of == 0 ? i + 1 : *of;
        follows = value[i] == value[*of - 1];
    }
    free(first);
    return follows;
}

/* A size that is the same at all counts, as an extent of the call's grid has been, which is another one beyond: it may be a share
 * of that. Whole elements only, so that a single number is none. factor, text: the size is so much times what the text says. */
static void note_extent(struct search *search, struct found found, double factor, const char *text)
{
    const struct subset all = {0};
    const double element = (double)element_of(search, all);
    int64_t *other = arena_alloc(search->memory, search->m, sizeof *other);
    if (search->n_parts == 0)
        search_make_parts(search);
    for (size_t k = 0; k < search->n_parts && factor > 0; k++) {
        const struct candidate *part = &search->parts[k];
        const double extent = (double)part->value[0];
        bool may = (part->grids & search->names->grids) != 0;
        for (size_t i = 0; i < search->m && may; i++) {
            const double share = (double)found.value[i] * extent / (double)part->value[i];
            may = fabs(share) < 9e15 && fmod(share, element) == 0 && (i >= search->n || part->value[i] == part->value[0]);
            other[i] = may ? (int64_t)share : 0;
        }
        if (!may)
            continue;
        char *whole = coefficient_real(factor * extent, 16);
        const char *share = search_text(search, "round(%s%s/%s)", whole, text, part->text);
        free(whole);
        if (other_note(search, share, other, found, all))
            return;
    }
}

/* Such a size, if it is one. */
static void note_extents(struct search *search, struct found found)
{
    const struct piece *piece = found.pieces;
    struct line line;
    if (piece->next || !search->names->grids || !search->names->number)
        return;
    if (piece->kind == PIECE_CONSTANT)
        note_extent(search, found, (double)search->samples[0].value, "");
    else if (piece->kind == PIECE_LINE && follows_recording(search, piece->value) &&
             line_find(search, &search->slopes[piece->at], piece->of, &line) && line.a == 0)
        note_extent(search, found, line.b, search->slopes[piece->at].text);
}

void other_note_beside(struct search *search, struct found found)
{
    struct fit_other *other = search->other;
    double low, high;
    other->unconfirmed = chance_unconfirmed(search, found.text, found.pieces, found.tests);
    other->alone = other->unconfirmed && !found.pieces->next && found.pieces->kind == PIECE_CONSTANT;
    for (const struct piece *piece = found.pieces; piece && !other->text; piece = piece->next)
        if (chance_is_place(search, piece, &low, &high))
            note_place(search, piece, found.pieces->next != NULL, low, high);
    for (const struct piece *piece = found.pieces; piece; piece = piece->next)
        note_remainder(search, piece, found.pieces->next != NULL);
    note_extents(search, found);
}
