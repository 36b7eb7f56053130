#include "directives/tree.h"

#include "directives/host_constant_impl.h"
#include "directives/parse_impl.h"

#include <stdlib.h>
#include <string.h>

/* One directive as the host writes it, for a file that has none. */
static const char *example_of(enum host host)
{
    switch (host) {
    case HOST_C: return "// PEVPM Serial time = 3.24 ms";
    case HOST_FORTRAN_FREE: return "! PEVPM Serial time = 3.24 ms";
    case HOST_FORTRAN_FIXED: return "C PEVPM Serial time = 3.24 ms";
    case HOST_PYTHON:
    case HOST_SHELL:
    case HOST_YAML: return "# PEVPM Serial time = 3.24 ms";
    case HOST_STANDALONE: return "Serial time = 3.24 ms";
    }
    return "";
}

static void parser_free(struct parser *p)
{
    free(p->params);
    directives_free(&p->directives);
    names_free(&p->names);
    host_constants_free(p);
}

static enum status read_directives(struct parser *p)
{
    p->n_syntax = directives_find(&p->directives, p->source, p->diags);
    if (p->directives.n == 0 && p->n_syntax == 0) {
        diag_error(p->diags, place_of_file(p->source->name),
                   "no PEVPM directive in this file, read as %s; one looks like this: %s", host_text(p->source->host),
                   example_of(p->source->host));
        return STATUS_SYNTAX;
    }
    parse_program(p);
    check_names(p);
    return p->n_syntax > 0 ? STATUS_SYNTAX : p->n_name > 0 ? STATUS_NAME : STATUS_OK;
}

enum status tree_parse(struct tree **tree, const struct source *source, size_t n, const struct definition definitions[],
                       struct diags *diags)
{
    struct tree *made = alloc_zeroed(1, sizeof *made);
    struct parser parser = {.tree = made, .source = source, .diags = diags, .text = source->text};
    parser.hints_left = HINTS_MOST;
    parser.n_definitions = n;
    parser.definitions = definitions;
    made->source = source;
    names_init(&parser.names, &made->memory);
    enum status status = read_directives(&parser);
    parser_free(&parser);
    if (status == STATUS_OK)
        *tree = made;
    else
        tree_destroy(made);
    return status;
}

void tree_destroy(struct tree *tree)
{
    if (!tree)
        return;
    arena_free(&tree->memory);
    free(tree->variables);
    free(tree->parameters);
    free(tree->requests);
    free(tree);
}
