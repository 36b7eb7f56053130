#include "models/machine_edit.h"

#include "common/alloc.h"
#include "common/numerals.h"
#include "models/machine/whole.h"
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

/* Whether the line that ends at `end` is empty or a comment with no more blanks before it than `margin`. */
static bool is_aside(const char *text, size_t from, size_t end, size_t margin, size_t *start)
{
    *start = end - 1;
    while (*start > from && text[*start - 1] != '\n')
        --*start;
    size_t at = *start;
    while (at - *start < margin && text[at] == ' ')
        at++;
    return text[at] == '#' || text[at] == '\n' || text[at] == '\r';
}

/* The lines of a key of a map whose own end before `end`, without the comments that lead to the next key. Where there
 * is none: nothing, at the end. */
static struct stretch stretch_in(const struct yaml_tree *tree, const struct yaml_node *map, size_t end, const char *key)
{
    for (size_t i = 0; i < map->n; i++) {
        if (strcmp(map->items[2 * i]->text, key) != 0)
            continue;
        struct stretch found = {line_at(tree->text, tree->length, map->items[2 * i]->line), end};
        if (i + 1 < map->n)
            found.to = line_at(tree->text, tree->length, map->items[2 * i + 2]->line);
        size_t own = line_at(tree->text, tree->length, map->items[2 * i]->line + 1), start;
        while (found.to > own && is_aside(tree->text, own, found.to, map->column, &start))
            found.to = start;
        return found;
    }
    return (struct stretch){end, end};
}

static struct stretch stretch_of(const struct yaml_tree *tree, const char *key)
{
    return stretch_in(tree, tree->root, whole_end(tree->text, tree->length), key);
}

static char *replace(const struct yaml_tree *tree, struct stretch old, const char *section)
{
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
        *edited = replace(&tree, stretch_of(&tree, key), section);
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
    const struct numerals before = numerals_plain();
    write_model_error(out, error);
    numerals_restore(before);
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

/* ---- an entry of a section ---- */

/* The value of a key of the top; NULL: there is none, or nothing in it. */
static const struct yaml_node *value_of(const struct yaml_tree *tree, const char *key)
{
    for (size_t i = 0; i < tree->root->n; i++) {
        const struct yaml_node *value = tree->root->items[2 * i + 1];
        bool nothing = value->n == 0 ||
                       (value->kind == YAML_KIND_TEXT && value->plain && strcmp(value->text, "~") == 0);
        if (strcmp(tree->root->items[2 * i]->text, key) == 0)
            return nothing ? NULL : value;
    }
    return NULL;
}

/* Does each entry stand on lines of its own, two blanks from the margin? */
static bool is_in_entries(const struct yaml_tree *tree, const struct yaml_node *value)
{
    return value->kind == YAML_KIND_MAP && value->column == 2 &&
           strncmp(tree->text + line_at(tree->text, tree->length, value->line), "  {", 3) != 0;
}

bool machine_edit_entry(char **edited, const char *text, size_t length, const char *section, const char *key,
                        const char *lines)
{
    struct yaml_tree tree;
    struct diags diags = DIAGS_EMPTY;
    bool can = yaml_tree_read(&tree, "", text, length, &diags) == STATUS_OK && is_in_lines(&tree);
    const struct yaml_node *value = can ? value_of(&tree, section) : NULL;
    *edited = NULL;
    if (can && !value) {
        char *whole = alloc_format("%s:\n%s", section, lines);
        *edited = replace(&tree, stretch_of(&tree, section), whole);
        free(whole);
    } else if (can && is_in_entries(&tree, value)) {
        *edited = replace(&tree, stretch_in(&tree, value, stretch_of(&tree, section).to, key), lines);
    }
    yaml_tree_free(&tree);
    diags_free(&diags);
    return *edited;
}

char *machine_edit_lines(const char *text, size_t length, const char *section, const char *key)
{
    struct yaml_tree tree;
    struct diags diags = DIAGS_EMPTY;
    char *lines = NULL;
    if (yaml_tree_read(&tree, "", text, length, &diags) == STATUS_OK && is_in_lines(&tree)) {
        const struct yaml_node *value = value_of(&tree, section);
        if (value && is_in_entries(&tree, value)) {
            struct stretch found = stretch_in(&tree, value, stretch_of(&tree, section).to, key);
            if (found.to > found.from)
                lines = alloc_format("%.*s", (int)(found.to - found.from), text + found.from);
        }
    }
    yaml_tree_free(&tree);
    diags_free(&diags);
    return lines;
}
