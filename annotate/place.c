#include "annotate/place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LOST_MOST = 3 };         /* functions of which no frame was left, between two of which there is one */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int place_file(const struct plan *plan, const char *path)
{
    char own[PATH_MAX], other[PATH_MAX];
    int found = -1;
    if (!path)
        return -1;
    const char *whole = realpath(path, other) ? other : path;
    for (size_t i = 0; i < plan->n_files; i++) {
        const char *name = plan->files[i].source->name;
        if (!plan->files[i].read || strcmp(base_name(name), base_name(path)) != 0)
            continue;
        if (realpath(name, own) && strcmp(own, whole) == 0)
            return (int)i;
        found = found < 0 ? (int)i : found;
    }
    return found;
}

static bool is_call_on(const struct outline *outline, int node, int function, int first, int last)
{
    const struct outline_node *call = &outline->nodes[node];
    int around = call->kind == OUTLINE_CALL && call->name ? call->parent : -1;
    while (around >= 0 && outline->nodes[around].kind != OUTLINE_FUNCTION)
        around = outline->nodes[around].parent;
    return around >= 0 && around == function && call->line <= last && call->last_line >= first;
}

static bool calls_itself(const struct plan *plan, const struct place_found *place)
{
    const struct outline *outline = &plan->files[place->file].outline;
    for (size_t i = 0; i < outline->n; i++)
        if (is_call_on(outline, (int)i, place->function, place->line, place->line) &&
            strcmp(outline->nodes[i].name, place->name) == 0)
            return true;
    return false;
}

bool place_is_called(const char *function, const char *name)
{
    const size_t n = strcspn(function, "<");
    return strncmp(function, name, n) == 0 && (name[n] == '\0' || name[n] == '<');
}

int place_line_of_call(const struct outline *outline, int function, const char *name, int from)
{
    for (size_t i = 0; i < outline->n; i++)
        if (is_call_on(outline, (int)i, function, from, INT_MAX) && strcmp(outline->nodes[i].name, name) == 0)
            return outline->nodes[i].line;
    return 0;
}

/* Is it on a line that belongs to both functions, as the first or the last of the inner one? */
static bool is_on_both(const struct outline_node *inner, const struct outline_node *outer, int line)
{
    return (line == inner->line || line == inner->last_line) && line >= outer->line && line <= outer->last_line;
}

/* The function of a frame; the line, or 0 where it is another function's. Compilers leave the line of a loop around on
 * code that they put in line; the function they say is right. In Fortran `main` is theirs, and calls the program. */
static int function_of(const struct plan_file *file, const struct resolved_frame *frame, int *line)
{
    const struct outline *outline = &file->outline;
    const int at = outline_function_at(outline, frame->line);
    int found = -1, n = 0;
    *line = file->source->host != HOST_C && strcmp(frame->function, "main") == 0 ? 0 : frame->line;
    if (at < 0 || place_is_called(outline->nodes[at].name, frame->function))
        return at;
    for (size_t i = 0; i < outline->n; i++)
        if (outline->nodes[i].kind == OUTLINE_FUNCTION && place_is_called(outline->nodes[i].name, frame->function)) {
            found = (int)i;
            n++;
        }
    if (n != 1)
        return at;
    if (!is_on_both(&outline->nodes[at], &outline->nodes[found], frame->line))
        *line = 0;
    return found;
}

/* gfortran leaves the line of the procedure's heading on some calls: they stand behind the line of the code before. */
static void leave_heading(const struct plan_file *file, const struct resolved_frame *frame, struct place_found *place)
{
    if (file->source->host == HOST_C || place->line != file->outline.nodes[place->function].line)
        return;
    place->line = 0;
    place->behind = frame->before;
}

/* The functions of the program that a call stands in, the outermost first; none where there are too many. Compilers put
 * the beginning of a function in line and leave the rest a function, so that one call has two frames: the inner one says
 * where in it. */
static int places_of(const struct plan *plan, const struct resolved_path *path, struct place_found places[PLACES_MOST])
{
    int n = 0;
    for (int k = path->n - 1; k >= 0; k--) {
        const struct resolved_frame *frame = &path->frames[k];
        int file = place_file(plan, frame->file);
        int line = 0, function = file < 0 ? -1 : function_of(&plan->files[file], frame, &line);
        if (function < 0)
            continue;
        if (n > 0 && places[n - 1].file == file && places[n - 1].function == function &&
            !calls_itself(plan, &places[n - 1]))
            n--;
        if (n == PLACES_MOST)
            return 0;
        places[n] = (struct place_found){.file = file, .function = function, .line = line,
                                         .name = plan->files[file].outline.nodes[function].name};
        leave_heading(&plan->files[file], frame, &places[n++]);
    }
    return n;
}

/* ---- functions that left no frame ---- */

/* Functions called by their names somewhere in a function, one within the other, the last of which calls `target`. */
struct lost {
    int n, ways;                /* ways: how many there are */
    struct place_found way[LOST_MOST], found[LOST_MOST];
    int n_found;
};

static void find_ways(const struct plan *plan, struct lost *lost, int file, int function, int first, int last,
                      const char *target);

/* Through a function that is called `name`: of this file where there is one, else of any. */
static void find_ways_through(const struct plan *plan, struct lost *lost, int file, const char *name,
                              const char *target)
{
    for (int other = 0; other < 2; other++)
        for (size_t f = 0; f < plan->n_files; f++) {
            const struct outline *outline = &plan->files[f].outline;
            bool any = false;
            for (size_t i = 0; plan->files[f].read && other == ((int)f != file) && i < outline->n; i++) {
                const struct outline_node *function = &outline->nodes[i];
                if (function->kind != OUTLINE_FUNCTION || strcmp(function->name, name) != 0 || lost->n == LOST_MOST)
                    continue;
                any = true;
                lost->way[lost->n++] = (struct place_found){.file = (int)f, .function = (int)i, .name = function->name};
                find_ways(plan, lost, (int)f, (int)i, function->line, function->last_line, target);
                lost->n--;
            }
            if (any && !other)
                return;
        }
}

static void find_ways(const struct plan *plan, struct lost *lost, int file, int function, int first, int last,
                      const char *target)
{
    const struct outline *outline = &plan->files[file].outline;
    for (size_t i = 0; i < outline->n; i++) {
        const struct outline_node *call = &outline->nodes[i];
        if (!is_call_on(outline, (int)i, function, first, last))
            continue;
        if (strcmp(call->name, target) == 0) {
            if (lost->n > 0)
                lost->way[lost->n - 1].line = call->line;
            lost->ways++;
            lost->n_found = lost->n;
            memcpy(lost->found, lost->way, sizeof lost->way);
        } else {
            if (lost->n > 0)
                lost->way[lost->n - 1].line = call->line;
            find_ways_through(plan, lost, file, call->name, target);
        }
    }
}

/* A call that ends a function leaves no frame of the function (compilers make a jump of it). Where what is called on a
 * place's line is not what the next frame says, and there is one way only by which functions of the program lead
 * there, these are put in between. Returns how many places there are then. */
static int restore_lost(const struct plan *plan, int n, struct place_found places[PLACES_MOST], const char *op)
{
    for (int i = 0; i < n; i++) {
        const char *target = i + 1 < n ? places[i + 1].name : op;
        struct lost lost = {0};
        find_ways(plan, &lost, places[i].file, places[i].function, places[i].line, places[i].line, target);
        bool again = false; /* one that is there has not lost its frame */
        for (int k = 0; k < lost.n_found; k++)
            for (int of = 0; of < n; of++)
                again |= places[of].file == lost.found[k].file && places[of].function == lost.found[k].function;
        if (lost.ways != 1 || lost.n_found == 0 || again || n + lost.n_found > PLACES_MOST)
            continue;
        memmove(&places[i + 1 + lost.n_found], &places[i + 1], (size_t)(n - i - 1) * sizeof *places);
        memcpy(&places[i + 1], lost.found, (size_t)lost.n_found * sizeof *places);
        n += lost.n_found;
        i += lost.n_found;
    }
    return n;
}

/* ---- all places ---- */

/* Where no compiler says in which line of its function a call stands, and no call there has its name: at the end. */
static void find_line(const struct plan *plan, struct place_found *place, const char *target)
{
    const struct outline *outline = &plan->files[place->file].outline;
    if (place->line == 0)
        place->line = place_line_of_call(outline, place->function, target, place->behind);
    if (place->line == 0)
        place->line = place_line_of_call(outline, place->function, target, 0);
    if (place->line == 0)
        place->line = outline->nodes[place->function].last_line;
}

int places_find(const struct plan *plan, int site, struct place_found places[PLACES_MOST])
{
    const char *op = operation_name(plan->sites.sites[site].op);
    const int n = places_of(plan, &plan->paths[site], places);
    for (int i = 0; i < n; i++)
        find_line(plan, &places[i], i + 1 < n ? places[i + 1].name : op);
    return restore_lost(plan, n, places, op);
}
