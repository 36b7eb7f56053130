#include "host/outline.h"

#include <stdlib.h>
#include <string.h>

static int node_add(struct outline *outline, const struct outline_node *node)
{
    outline->nodes = alloc_grow(outline->nodes, outline->n, &outline->capacity, sizeof *outline->nodes);
    outline->nodes[outline->n] = *node;
    return (int)outline->n++;
}

bool outline_goes_round(const char *name)
{
    return name && (strcmp(name, "MPI_Win_unlock_all") == 0 || strcmp(name, "MPI_Win_flush_all") == 0);
}

static int function_of(const struct outline *outline, int node)
{
    while (node >= 0 && outline->nodes[node].kind != OUTLINE_FUNCTION)
        node = outline->nodes[node].parent;
    return node;
}

int outline_function_at(const struct outline *outline, int line)
{
    int found = -1;
    for (size_t i = 0; i < outline->n; i++) {
        const struct outline_node *node = &outline->nodes[i];
        if (node->kind == OUTLINE_FUNCTION && node->line <= line && line <= node->last_line)
            found = (int)i; /* inner ones come later */
    }
    return found;
}

/* The innermost loop or arm of a function around a line, else the function. */
static int block_at(const struct outline *outline, int function, int line)
{
    int found = function;
    for (size_t i = 0; i < outline->n; i++) {
        const struct outline_node *node = &outline->nodes[i];
        if ((node->kind == OUTLINE_LOOP || node->kind == OUTLINE_ARM) && node->line <= line &&
            line <= node->last_line && function_of(outline, (int)i) == function)
            found = (int)i;
    }
    return found;
}

int outline_call_at(struct outline *outline, int function, int line, const char *name)
{
    int found = -1;
    for (size_t i = 0; i < outline->n; i++) {
        const struct outline_node *node = &outline->nodes[i];
        if (node->kind != OUTLINE_CALL || node->line > line || node->last_line < line ||
            function_of(outline, (int)i) != function)
            continue;
        if (name && node->name && strcmp(name, node->name) == 0)
            return (int)i;
        if (found < 0 || node->last_line - node->line < outline->nodes[found].last_line - outline->nodes[found].line)
            found = (int)i;
    }
    if (found >= 0)
        return found;
    return node_add(outline, &(struct outline_node){
        .kind = OUTLINE_CALL, .parent = block_at(outline, function, line), .order = (unsigned)line, .line = line,
        .last_line = line, .open_line = line, .close_line = line + 1, .name = name});
}

void outline_free(struct outline *outline)
{
    free(outline->nodes);
    arena_free(&outline->memory);
    *outline = (struct outline){0};
}
