/* Are these the sources that were compiled, and all of them? (plan_impl.h) */
#include "annotate/plan_impl.h"

#include "annotate/place.h"

#include <string.h>

/* Is the function of a frame where it was when the program was compiled? */
static enum status check_frame(const struct plan *plan, const struct resolved_frame *frame, struct diags *diags)
{
    const int file = frame->declared_in ? place_file(plan, frame->declared_in) : -1;
    const struct outline_node *other = NULL;
    for (size_t i = 0; file >= 0 && i < plan->files[file].outline.n; i++) {
        const struct outline_node *node = &plan->files[file].outline.nodes[i];
        if (node->kind != OUTLINE_FUNCTION || !place_is_called(node->name, frame->function))
            continue;
        if (node->line <= frame->declared && frame->declared <= node->last_line)
            return STATUS_OK;
        other = node;
    }
    if (!other)
        return STATUS_OK;
    diag_error(diags, place_of_file(plan->files[file].source->name),
               "the recorded program was compiled from another version of this file: %s stood in line %d, and stands in lines %d "
               "to %d; compile it again and record that", frame->function, frame->declared, other->line, other->last_line);
    return STATUS_NOT_YET;
}

enum status plan_check_versions(const struct plan *plan, struct diags *diags)
{
    for (int i = 0; i < plan->sites.n; i++)
        for (int k = 0; k < plan->paths[i].n; k++) {
            enum status status = check_frame(plan, &plan->paths[i].frames[k], diags);
            if (status != STATUS_OK)
                return status;
        }
    return STATUS_OK;
}

/* A call that stands in other lines of its function alone: a warning, for a compiler may say a line of the statement that
 * the source does not begin or end with. */
static bool check_line(const struct plan *plan, int site, struct diags *diags)
{
    const char *op = operation_name(plan->sites.sites[site].op);
    const struct plan_node *node = plan->node_of[site] < 0 ? NULL : &plan->nodes[plan->node_of[site]];
    const struct outline_node *call = node ? plan_outline(plan, node) : NULL;
    if (!call || (call->name && strcmp(call->name, op) == 0))
        return true;
    const struct plan_file *file = &plan->files[node->file];
    const int now = place_line_of_call(&file->outline, plan->functions[node->function].outline, op, 0);
    if (now > 0)
        diag_warning(diags, place_of_file(file->source->name),
                     "%s was called in line %d and stands in line %d: if the file was changed since the program was compiled, "
                     "compile it again and record that", op, call->line, now);
    return now == 0;
}

void plan_check_lines(const struct plan *plan, struct diags *diags)
{
    for (int i = 0; i < plan->sites.n && check_line(plan, i, diags); i++)
        continue;
}

/* ---- where the program begins ---- */

/* The outermost place of a call path that has a line. */
static const struct resolved_frame *outermost(const struct resolved_path *path)
{
    for (int k = path->n - 1; k >= 0; k--)
        if (path->frames[k].file)
            return &path->frames[k];
    return NULL;
}

static enum status say_two_beginnings(const struct plan *plan, const struct resolved_frame *outer, int other,
                                      struct diags *diags)
{
    const struct plan_function *first = &plan->functions[plan->begin], *second = &plan->functions[other];
    diag_error(diags, place_of_file(outer ? outer->file : NULL),
               "recorded calls are reached from here (line %d, %s), but this is in none of the files that were named and "
               "could be read: of those %s and %s are called from outside, and nobody knows in which order",
               outer ? outer->line : 0, outer ? outer->function : "",
               plan->files[first->file].outline.nodes[first->outline].name,
               plan->files[second->file].outline.nodes[second->outline].name);
    return STATUS_NOT_YET;
}

static enum status say_no_beginning(const struct plan *plan, struct diags *diags)
{
    const struct resolved_frame *any = NULL;
    for (int i = 0; i < plan->sites.n && !any; i++)
        any = outermost(&plan->paths[i]);
    if (any)
        diag_error(diags, place_of_file(NULL),
                   "no recorded call stands in a file of the program: they are reached from %s:%d, in %s, which is not among "
                   "the files", any->file, any->line, any->function);
    else
        diag_error(diags, place_of_file(NULL),
                   "no recorded call has a line of a source: compile the program with -g, and record that");
    return STATUS_NOT_YET;
}

enum status plan_find_begin(struct plan *plan, struct diags *diags)
{
    for (int i = 0; i < plan->sites.n; i++) {
        if (plan->chains[i].n == 0)
            continue;
        const int function = plan->nodes[plan->chains[i].nodes[0]].function;
        if (plan->begin >= 0 && function != plan->begin)
            return say_two_beginnings(plan, outermost(&plan->paths[i]), function, diags);
        plan->begin = function;
    }
    return plan->begin < 0 ? say_no_beginning(plan, diags) : STATUS_OK;
}
