#include "models/machine_edit.h"

#include "common/alloc.h"
#include "models/machine/write_impl.h"
#include "models/yaml_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes [from, to) of the text. */
struct stretch {
    size_t from, to;
};

/* Where line `line` (from 1) starts; the length where there are fewer. */
static size_t line_at(const char *text, size_t length, size_t line)
{
    size_t at = 0;
    for (size_t i = 1; i < line && at < length; i++) {
        const char *feed = memchr(text + at, '\n', length - at);
        at = feed ? (size_t)(feed - text) + 1 : length;
    }
    return at;
}

/* Whether the line that ends at `end` is empty or a comment. */
static bool is_aside(const char *text, size_t from, size_t end, size_t *start)
{
    *start = end - 1;
    while (*start > from && text[*start - 1] != '\n')
        --*start;
    return text[*start] == '#' || text[*start] == '\n' || text[*start] == '\r';
}

/* The lines of a key at the top, without the comments that lead to the next one. Where there is none: nothing, at the
 * end. */
static struct stretch stretch_of(const struct yaml_tree *tree, const char *key)
{
    const struct yaml_node *root = tree->root;
    for (size_t i = 0; i < root->n; i++) {
        if (strcmp(root->items[2 * i]->text, key) != 0)
            continue;
        struct stretch found = {line_at(tree->text, tree->length, root->items[2 * i]->line), tree->length};
        if (i + 1 < root->n)
            found.to = line_at(tree->text, tree->length, root->items[2 * i + 2]->line);
        size_t own = line_at(tree->text, tree->length, root->items[2 * i]->line + 1), start;
        while (found.to > own && is_aside(tree->text, own, found.to, &start))
            found.to = start;
        return found;
    }
    return (struct stretch){tree->length, tree->length};
}

static char *splice(const struct yaml_tree *tree, const char *key, const char *section)
{
    struct stretch old = stretch_of(tree, key);
    char *edited = NULL;
    size_t length;
    FILE *out = open_memstream(&edited, &length);
    fwrite(tree->text, 1, old.from, out);
    if (old.from > 0 && tree->text[old.from - 1] != '\n')
        fputc('\n', out);
    fputs(section, out);
    fwrite(tree->text + old.to, 1, tree->length - old.to, out);
    fclose(out);
    return edited;
}

/* Whether each key of the top stands at the start of a line of its own. */
static bool is_in_lines(const struct yaml_tree *tree)
{
    const struct yaml_node *root = tree->root;
    return root->column == 0 && tree->text[line_at(tree->text, tree->length, root->line)] != '{';
}

static enum status edit(char **edited, const char *name, const char *text, size_t length, const char *key,
                        const char *section, struct diags *diags)
{
    struct yaml_tree tree;
    enum status status = yaml_tree_read(&tree, name, text, length, diags);
    if (status == STATUS_OK && !is_in_lines(&tree)) {
        diag_error(diags, place_of_file(name),
                   "the top level stands in braces or is indented: expected each key at the start of a line of its own");
        status = STATUS_SCHEMA;
    }
    if (status == STATUS_OK)
        *edited = splice(&tree, key, section);
    yaml_tree_free(&tree);
    return status;
}

enum status machine_edit_section(char **edited, const char *name, const char *text, size_t length, const char *key,
                                 const char *section, struct diags *diags)
{
    struct machine *machine = NULL;
    *edited = NULL;
    enum status status = machine_read_text(&machine, name, text, length, diags);
    machine_destroy(machine);
    if (status == STATUS_OK)
        status = edit(edited, name, text, length, key, section, diags);
    if (status == STATUS_OK) {
        char *edited_name = alloc_format("the machine file with %s", key);
        status = machine_read_text(&machine, edited_name, *edited, strlen(*edited), diags);
        free(edited_name);
        machine_destroy(machine);
    }
    if (status != STATUS_OK) {
        free(*edited);
        *edited = NULL;
    }
    return status;
}

/* A section that was written to a stream of memory, which is ended. */
static enum status edit_with(char **edited, const char *name, const char *text, size_t length, const char *key,
                             char *section, struct diags *diags)
{
    enum status status = machine_edit_section(edited, name, text, length, key, section, diags);
    free(section);
    return status;
}

enum status machine_edit_model_error(char **edited, const char *name, const char *text, size_t length,
                                     const struct machine_model_error *error, struct diags *diags)
{
    char *section = NULL;
    size_t section_length;
    FILE *out = open_memstream(&section, &section_length);
    write_model_error(out, error);
    fclose(out);
    return edit_with(edited, name, text, length, "model_error", section, diags);
}

enum status machine_edit_decisions(char **edited, const char *name, const char *text, size_t length,
                                   const struct coll_table *decisions, const char *told, struct diags *diags)
{
    char *section = NULL, *with = NULL;
    size_t section_length;
    FILE *out = open_memstream(&section, &section_length);
    write_decisions(out, decisions);
    fclose(out);
    if (told) {
        const int key = (int)strcspn(section, "\n");
        with = alloc_format("%.*s\n  # %s%s", key, section, told, section + key);
        free(section);
    }
    return edit_with(edited, name, text, length, "decisions", told ? with : section, diags);
}
