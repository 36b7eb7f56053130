/* yaml_tree.h - a YAML document as a tree that knows where everything stood.
 *
 * libyaml's events made into nodes. Refused with their place: anything libyaml cannot read, bytes that are not UTF-8
 * text, a second document, keys that are lists or maps, tags other than YAML's own, nesting deeper than
 * YAML_TREE_DEPTH, more than YAML_TREE_ANCHORS anchors, an alias inside the node it names, and aliases that together
 * stand for more than YAML_TREE_ALIASED nodes ("alias bombs": a few lines that would expand to billions of nodes). A
 * key given twice in one map is an error too, but one that lets the rest be read. */
#ifndef PEVPM_MODELS_YAML_TREE_H
#define PEVPM_MODELS_YAML_TREE_H

#include "common/alloc.h"
#include "common/diag.h"
#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    YAML_TREE_DEPTH = 64,        /* a machine file needs 10 */
    YAML_TREE_ANCHORS = 1000,    /* looked up one by one */
    YAML_TREE_ALIASED = 1000000, /* nodes; a second of work for a reader that visits each */
};

enum yaml_kind { YAML_KIND_TEXT, YAML_KIND_LIST, YAML_KIND_MAP };

/* 24 bytes and one allocation each: a large machine file has millions. A node may stand in several places (aliases). */
struct yaml_node {
    uint8_t kind;    /* enum yaml_kind */
    bool plain;      /* a text without quotes or !!str: it may mean a number, a boolean or nothing */
    uint16_t width;  /* bytes to underline, >= 1 */
    uint32_t line;   /* from 1 */
    uint32_t column; /* characters before it in the line */
    uint32_t n;      /* bytes of the text, items of the list, pairs of the map */
    union {
        const char *text;         /* [n], terminated; may hold zero bytes (from "\0") */
        struct yaml_node **items; /* list: [n]; map: [2 n], key (always a text), value, key, value ... */
    };
};

struct yaml_tree {
    struct yaml_node *root; /* NULL: an empty document */
    const char *name, *text;/* borrowed */
    size_t length;
    size_t repeated_keys;
    struct arena arena;
    char *pool;             /* where the next text goes, with pool_left bytes to come */
    size_t pool_left;
    size_t n_lines;         /* index of line starts, made when the first place is asked for */
    size_t *line_start;
};

/* Reads one document. `name` stands for the file in diagnostics; name and text [length] are borrowed and must outlive
 * the tree. STATUS_SYNTAX with one error: there is no tree to work on. STATUS_OK may come with errors in `diags` about
 * keys given twice (tree->repeated_keys of them; readers see the last). The caller ends the tree with yaml_tree_free in
 * either case. */
enum status yaml_tree_read(struct yaml_tree *tree, const char *name, const char *text, size_t length,
                           struct diags *diags);

void yaml_tree_free(struct yaml_tree *tree);

/* Where a node stands, for a diagnostic. */
struct place yaml_tree_place(struct yaml_tree *tree, const struct yaml_node *node);

#endif
