#include "models/machine/source_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void machine_source_free(struct machine_source *source)
{
    free(source->forms);
    free(source->notes);
    free(source->fitted);
    arena_free(&source->arena);
    *source = (struct machine_source)MACHINE_SOURCE_EMPTY;
}

struct machine_form *machine_source_form(const struct machine_source *source, const struct distribution *of)
{
    for (size_t i = 0; i < source->n_forms; i++)
        if (source->forms[i].of == of)
            return &source->forms[i];
    return NULL;
}

static const double *numbers_keep(struct machine_source *source, const double *numbers, size_t n)
{
    double *kept = arena_alloc(&source->arena, n, sizeof *kept);
    memcpy(kept, numbers, n * sizeof *kept);
    return kept;
}

void machine_source_add(struct machine_source *source, const struct machine_form *form)
{
    struct machine_form kept = *form;
    if (form->kind == FORM_HISTOGRAM) {
        kept.edges = numbers_keep(source, form->edges, form->n + 1);
        kept.counts = numbers_keep(source, form->counts, form->n);
    }
    source->forms = alloc_grow(source->forms, source->n_forms, &source->forms_capacity, sizeof *source->forms);
    source->forms[source->n_forms++] = kept;
}

void machine_source_add_fitted(struct machine_source *source, const struct machine_fitted *fitted)
{
    source->fitted = alloc_grow(source->fitted, source->n_fitted, &source->fitted_capacity, sizeof *source->fitted);
    source->fitted[source->n_fitted++] = *fitted;
}

struct machine_write_options machine_source_options(const struct machine_source *source)
{
    return (struct machine_write_options){.n_forms = source->n_forms, .n_notes = source->n_notes,
                                          .n_fitted = source->n_fitted, .forms = source->forms, .notes = source->notes,
                                          .fitted = source->fitted};
}

/* value NULL: a heading. */
static void note_keep(struct machine_source *source, int depth, const char *key, const char *value)
{
    struct machine_note note = {.depth = depth, .key = arena_string_n(&source->arena, key, strlen(key))};
    if (value)
        note.value = arena_string_n(&source->arena, value, strlen(value));
    source->notes = alloc_grow(source->notes, source->n_notes, &source->notes_capacity, sizeof *source->notes);
    source->notes[source->n_notes++] = note;
}

/* Depth is bounded by YAML_TREE_DEPTH. */
static void node_keep(struct machine_source *source, int depth, const char *key, const struct yaml_node *node)
{
    char number[24];
    if (node->kind == YAML_KIND_TEXT || node->n == 0) {
        note_keep(source, depth, key, node->kind == YAML_KIND_TEXT ? node->text : "");
        return;
    }
    note_keep(source, depth, key, NULL);
    for (size_t i = 0; i < node->n; i++) {
        snprintf(number, sizeof number, "%zu", i + 1);
        if (node->kind == YAML_KIND_MAP)
            node_keep(source, depth + 1, node->items[2 * i]->text, node->items[2 * i + 1]);
        else
            node_keep(source, depth + 1, number, node->items[i]);
    }
}

void machine_source_keep_notes(struct machine_source *source, const struct yaml_node *node)
{
    if (node->kind != YAML_KIND_MAP) {
        node_keep(source, 0, "text", node);
        return;
    }
    for (size_t i = 0; i < node->n; i++)
        node_keep(source, 0, node->items[2 * i]->text, node->items[2 * i + 1]);
}
