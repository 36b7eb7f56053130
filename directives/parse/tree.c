#include "directives/tree.h"

#include "directives/parse/host_constant_impl.h"
#include "directives/parse/parse_impl.h"

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
    host_modules_free(p);
    for (size_t i = 0; i < p->n_units; i++) {
        host_constants_free(&p->units[i]);
        directives_free(&p->units[i].directives);
        names_free(&p->units[i].names);
    }
    free(p->units);
    free(p->defined);
    free(p->params);
    names_free(&p->names);
}

void parse_enter(struct parser *p, struct unit *unit)
{
    p->unit = unit;
    p->source = unit->source;
    p->text = unit->source->text;
}

void parse_enter_place(struct parser *p, struct place at)
{
    for (size_t i = 0; i < p->n_units && at.file != p->unit->source->name; i++)
        if (p->units[i].source->name == at.file)
            parse_enter(p, &p->units[i]);
}

static void add_units(struct parser *p, const struct source *first)
{
    for (const struct source *file = first; file; file = file->next)
        p->n_units++;
    p->units = alloc_zeroed(p->n_units, sizeof *p->units);
    for (size_t i = 0; i < p->n_units; i++, first = first->next) {
        p->units[i].source = first;
        names_init(&p->units[i].names, &p->tree->memory);
    }
    parse_enter(p, p->units);
}

/* A program begins in one file; what the others do stands in procedures. */
static void join_block(struct parser *p, const struct block *block)
{
    struct block *program = &p->tree->program;
    if (!block->first)
        return;
    if (!program->first) {
        *program = *block;
        return;
    }
    parse_complain(p, block->first->at,
                   "directives outside of procedures in a second file: the program can begin in one only");
    parse_note(p, program->first->at, "it begins here; what the other file does belongs into a Procedure");
}

/* A program of procedures alone would take no time, and say nothing of why. */
static void check_begun(struct parser *p)
{
    const struct procedure *procedure = p->tree->procedures;
    if (!p->tree->program.first && procedure && p->n_syntax == 0)
        parse_complain(p, procedure->at, "all directives stand in procedures: the program begins nowhere; is the file "
                                         "missing that calls them?");
}

static enum status report_empty(struct parser *p, const struct source *source)
{
    const char *example = example_of(source->host);
    if (source->next)
        diag_error(p->diags, place_of_file(source_program(source)),
                   "no PEVPM directive in %zu files; one looks like this: %s", p->n_units, example);
    else
        diag_error(p->diags, place_of_file(source->name),
                   "no PEVPM directive in this file, read as %s; one looks like this: %s", host_text(source->host),
                   example);
    return STATUS_SYNTAX;
}

static enum status read_directives(struct parser *p, const struct source *source)
{
    size_t n = 0;
    add_units(p, source);
    for (size_t i = 0; i < p->n_units; i++) {
        p->n_syntax += directives_find(&p->units[i].directives, p->units[i].source, p->diags);
        n += p->units[i].directives.n;
    }
    if (n == 0 && p->n_syntax == 0)
        return report_empty(p, source);
    for (size_t i = 0; i < p->n_units; i++) {
        struct block block = {NULL};
        parse_enter(p, &p->units[i]);
        parse_file(p, &block);
        join_block(p, &block);
    }
    check_begun(p);
    check_names(p);
    return p->n_syntax > 0 ? STATUS_SYNTAX : p->n_name > 0 ? STATUS_NAME : STATUS_OK;
}

enum status tree_parse(struct tree **tree, const struct source *source, size_t n, const struct definition definitions[],
                       struct diags *diags)
{
    struct tree *made = alloc_zeroed(1, sizeof *made);
    struct parser parser = {.tree = made, .diags = diags};
    parser.hints_left = HINTS_MOST;
    parser.n_definitions = n;
    parser.definitions = definitions;
    made->source = source;
    names_init(&parser.names, &made->memory);
    enum status status = read_directives(&parser, source);
    parser_free(&parser);
    if (status == STATUS_OK)
        *tree = made;
    else
        tree_destroy(made);
    return status;
}

const struct block *stmt_block(const struct stmt *stmt, int i)
{
    switch (stmt->kind) {
    case STMT_LOOP: return i == 0 ? &stmt->loop.body : NULL;
    case STMT_WHILE: return i == 0 ? &stmt->while_.body : NULL;
    case STMT_REGION: return i == 0 ? &stmt->region.body : NULL;
    case STMT_RUNON: return i < stmt->runon.n + stmt->runon.has_else ? &stmt->runon.blocks[i] : NULL;
    default: return NULL;
    }
}

const char *definition_text(const struct definition *definition, char text[VALUE_TEXT_BYTES])
{
    return definition->text ? definition->text : value_format(definition->value, text);
}

void kept_elements_make(struct expr of[N_KEPT], struct place at, const struct request_name *name, struct expr **index)
{
    static const char *const names[] = {
#define X(name) #name,
        KEPT_LIST(X)
#undef X
    };
    for (int k = 0; k < N_KEPT; k++)
        of[k] = (struct expr){.kind = EXPR_ELEMENT, .at = at, .name = names[k], .index = name->kept + k,
                              .depth = index[0]->depth + 1, .n = 1, .a = index};
}

void tree_destroy(struct tree *tree)
{
    if (!tree)
        return;
    source_destroy(tree->given);
    arena_free(&tree->memory);
    free(tree->variables);
    free(tree->parameters);
    free(tree->requests);
    free(tree->regions);
    free(tree->windows);
    free(tree);
}
