#include "models/yaml_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct anchor {
    char *name;
    struct yaml_node *node;
    uint64_t weight; /* nodes it stands for, aliases expanded */
    bool open;       /* its node is not complete yet */
};

/* A list or map being read; its children so far are the last entries of builder.children. */
struct frame {
    struct yaml_node *node;
    size_t first_child;
    size_t anchor; /* of this node; SIZE_MAX: none */
    uint64_t weight;
};

struct builder {
    struct yaml_tree *tree;
    struct diags *diags;
    yaml_parser_t parser;
    struct frame frames[YAML_TREE_DEPTH];
    size_t depth;
    struct yaml_node **children;
    size_t n_children, children_capacity;
    struct anchor *anchors;
    size_t n_anchors, anchors_capacity;
    uint64_t aliased; /* nodes that all aliases so far stand for */
    const struct yaml_node **sorted; /* keys of a large map */
    size_t sorted_capacity;
    bool failed;
};

enum { POOL_BYTES = 60000 };

/* ---- places ---- */

/* Bytes of the line break at text[i] as libyaml counts lines, 0: none. */
static size_t break_length(const struct yaml_tree *tree, size_t i)
{
    const unsigned char *text = (const unsigned char *)tree->text + i;
    size_t left = tree->length - i;
    if (text[0] == '\r')
        return left > 1 && text[1] == '\n' ? 2 : 1;
    if (text[0] == '\n')
        return 1;
    if (left > 1 && text[0] == 0xC2 && text[1] == 0x85)
        return 2;
    return left > 2 && text[0] == 0xE2 && text[1] == 0x80 && (text[2] == 0xA8 || text[2] == 0xA9) ? 3 : 0;
}

static void lines_index(struct yaml_tree *tree)
{
    size_t capacity = 0;
    tree->line_start = alloc_grow(NULL, 0, &capacity, sizeof *tree->line_start);
    tree->line_start[tree->n_lines++] = 0;
    for (size_t i = 0; i < tree->length;) {
        size_t n = break_length(tree, i);
        i += n ? n : 1;
        if (n) {
            tree->line_start = alloc_grow(tree->line_start, tree->n_lines, &capacity, sizeof *tree->line_start);
            tree->line_start[tree->n_lines++] = i;
        }
    }
}

static struct place place_at(struct yaml_tree *tree, size_t line, size_t column, int width)
{
    if (!tree->line_start)
        lines_index(tree);
    struct place place = {.file = tree->name, .line = (int)line, .column = (int)column + 1, .width = width};
    if (line < 1 || line > tree->n_lines)
        return place;
    size_t start = tree->line_start[line - 1], end = start;
    while (end < tree->length && !break_length(tree, end))
        end++;
    place.text = tree->text + start;
    place.text_length = end - start;
    /* libyaml counts characters; a diagnostic wants bytes. */
    size_t byte = 0;
    while (byte < place.text_length && column > 0) {
        byte++;
        while (byte < place.text_length && ((unsigned char)place.text[byte] & 0xC0) == 0x80)
            byte++;
        column--;
    }
    place.column = (int)byte + 1;
    return place;
}

struct place yaml_tree_place(struct yaml_tree *tree, const struct yaml_node *node)
{
    return place_at(tree, node->line, node->column, node->width);
}

/* ---- nodes ---- */

static void build_error(struct builder *b, struct place place, const char *message)
{
    diag_error(b->diags, place, "%s", message);
    b->failed = true;
}

static struct place place_of_mark(struct builder *b, yaml_mark_t mark)
{
    return place_at(b->tree, mark.line + 1, mark.column, 1);
}

static const char *pool_text(struct yaml_tree *tree, const char *text, size_t n)
{
    if (n + 1 > tree->pool_left) {
        if (n + 1 > POOL_BYTES / 4)
            return arena_string_n(&tree->arena, text, n);
        tree->pool = arena_alloc(&tree->arena, POOL_BYTES, 1);
        tree->pool_left = POOL_BYTES;
    }
    char *copy = tree->pool;
    memcpy(copy, text, n);
    copy[n] = '\0';
    tree->pool += n + 1;
    tree->pool_left -= n + 1;
    return copy;
}

static struct yaml_node *node_make(struct builder *b, enum yaml_kind kind, const yaml_event_t *event)
{
    struct yaml_node *node = arena_alloc(&b->tree->arena, 1, sizeof *node);
    yaml_mark_t from = event->start_mark, to = event->end_mark;
    node->kind = (uint8_t)kind;
    node->line = (uint32_t)from.line + 1;
    node->column = (uint32_t)from.column;
    size_t width =
        to.line == from.line && to.column > from.column && kind == YAML_KIND_TEXT ? to.column - from.column : 1;
    node->width = width > UINT16_MAX ? UINT16_MAX : (uint16_t)width;
    return node;
}

static void child_add(struct builder *b, struct yaml_node *node, uint64_t weight)
{
    if (b->depth == 0) {
        b->tree->root = node;
        return;
    }
    struct frame *frame = &b->frames[b->depth - 1];
    bool is_key = frame->node->kind == YAML_KIND_MAP && (b->n_children - frame->first_child) % 2 == 0;
    if (is_key && node->kind != YAML_KIND_TEXT)
        build_error(b, yaml_tree_place(b->tree, node), "a key must be a word, not a list or a map");
    b->children = alloc_grow(b->children, b->n_children, &b->children_capacity, sizeof *b->children);
    b->children[b->n_children++] = node;
    frame->weight += weight;
}

/* The index of the new anchor, SIZE_MAX where the node has none. */
static size_t anchor_add(struct builder *b, const yaml_char_t *name, struct yaml_node *node, bool open)
{
    if (!name)
        return SIZE_MAX;
    if (b->n_anchors == YAML_TREE_ANCHORS) {
        build_error(b, yaml_tree_place(b->tree, node), "more than 1000 anchors (&name) in one file");
        return SIZE_MAX;
    }
    b->anchors = alloc_grow(b->anchors, b->n_anchors, &b->anchors_capacity, sizeof *b->anchors);
    b->anchors[b->n_anchors] =
        (struct anchor){.name = alloc_string((const char *)name), .node = node, .weight = 1, .open = open};
    return b->n_anchors++;
}

/* YAML's own tags change nothing but !!str, which makes a text of what looks like a number. */
static void tag_check(struct builder *b, const yaml_char_t *tag, struct yaml_node *node)
{
    static const char *const known[] = {"str", "int", "float", "bool", "null", "seq", "map"};
    static const char prefix[] = "tag:yaml.org,2002:";
    if (!tag || strcmp((const char *)tag, "!") == 0)
        return;
    size_t n = strlen(prefix);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp((const char *)tag, prefix, n) == 0 && strcmp((const char *)tag + n, known[i]) == 0)
            return;
    diag_error(b->diags, yaml_tree_place(b->tree, node), "the tag `%.60s` has no meaning here", (const char *)tag);
    b->failed = true;
}

static void text_add(struct builder *b, const yaml_event_t *event)
{
    struct yaml_node *node = node_make(b, YAML_KIND_TEXT, event);
    node->n = (uint32_t)event->data.scalar.length;
    node->text = pool_text(b->tree, (const char *)event->data.scalar.value, event->data.scalar.length);
    const char *tag = (const char *)event->data.scalar.tag;
    bool said_text = tag && (strcmp(tag, "!") == 0 || strcmp(tag, "tag:yaml.org,2002:str") == 0);
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !said_text;
    tag_check(b, event->data.scalar.tag, node);
    anchor_add(b, event->data.scalar.anchor, node, false);
    child_add(b, node, 1);
}

static void alias_add(struct builder *b, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    size_t i = b->n_anchors;
    while (i > 0 && strcmp(b->anchors[i - 1].name, name) != 0)
        i--;
    if (i == 0 || b->anchors[i - 1].open || b->depth == 0) {
        struct place place = place_of_mark(b, event->start_mark);
        if (i == 0)
            diag_error(b->diags, place, "the alias `*%.60s` names no anchor above it", name);
        else
            diag_error(b->diags, place, "the alias `*%.60s` stands inside the node it names", name);
        b->failed = true;
        return;
    }
    const struct anchor *anchor = &b->anchors[i - 1];
    child_add(b, anchor->node, anchor->weight);
    b->aliased += anchor->weight;
    if (b->aliased > YAML_TREE_ALIASED)
        build_error(b, place_of_mark(b, event->start_mark), "the aliases up to here stand for more than 1000000 nodes");
}

static void frame_open(struct builder *b, enum yaml_kind kind, const yaml_event_t *event, const yaml_char_t *anchor,
                       const yaml_char_t *tag)
{
    if (b->depth == YAML_TREE_DEPTH) {
        build_error(b, place_of_mark(b, event->start_mark), "nested deeper than 64 levels");
        return;
    }
    struct yaml_node *node = node_make(b, kind, event);
    tag_check(b, tag, node);
    b->frames[b->depth] = (struct frame){.node = node, .first_child = b->n_children, .weight = 1};
    b->frames[b->depth++].anchor = anchor_add(b, anchor, node, true);
}

/* ---- keys given twice ---- */

static int compare_keys(const struct yaml_node *a, const struct yaml_node *b)
{
    size_t n = a->n < b->n ? a->n : b->n;
    int order = memcmp(a->text, b->text, n);
    return order ? order : (a->n > b->n) - (a->n < b->n);
}

static int compare_sorted(const void *a, const void *b)
{
    const struct yaml_node *x = *(const struct yaml_node *const *)a, *y = *(const struct yaml_node *const *)b;
    int order = compare_keys(x, y);
    if (order)
        return order;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

static void keys_check(struct builder *b, const struct yaml_node *map)
{
    size_t capacity = b->sorted_capacity;
    if (capacity < map->n) {
        b->sorted = alloc_resize(b->sorted, map->n, sizeof *b->sorted);
        b->sorted_capacity = map->n;
    }
    for (size_t i = 0; i < map->n; i++) {
        if (map->items[2 * i]->kind != YAML_KIND_TEXT)
            return;
        b->sorted[i] = map->items[2 * i];
    }
    qsort(b->sorted, map->n, sizeof *b->sorted, compare_sorted);
    for (size_t i = 1; i < map->n; i++)
        if (compare_keys(b->sorted[i - 1], b->sorted[i]) == 0) {
            diag_error(b->diags, yaml_tree_place(b->tree, b->sorted[i]),
                       "the key `%.60s` is given twice, the first time in line %u", b->sorted[i]->text,
                       b->sorted[i - 1]->line);
            b->tree->repeated_keys++;
        }
}

static void frame_close(struct builder *b)
{
    struct frame frame = b->frames[--b->depth];
    struct yaml_node *node = frame.node;
    size_t n = b->n_children - frame.first_child;
    node->n = (uint32_t)(node->kind == YAML_KIND_MAP ? n / 2 : n);
    node->items = arena_alloc(&b->tree->arena, n, sizeof *node->items);
    if (n > 0)
        memcpy(node->items, b->children + frame.first_child, n * sizeof *node->items);
    b->n_children = frame.first_child;
    if (node->kind == YAML_KIND_MAP && n > 2)
        keys_check(b, node);
    if (frame.anchor != SIZE_MAX) {
        b->anchors[frame.anchor].weight = frame.weight;
        b->anchors[frame.anchor].open = false;
    }
    child_add(b, node, frame.weight);
}

/* ---- reading ---- */

/* Whether a colon on the line has something right behind it, from the place on. */
static bool colon_is_tight(struct place place)
{
    for (size_t i = (size_t)place.column; place.text && i < place.text_length; i++)
        if (place.text[i - 1] == ':')
            return place.text[i] != ' ' && place.text[i] != '\t' && place.text[i] != '\r';
    return false;
}

static void parse_error(struct builder *b)
{
    const yaml_parser_t *p = &b->parser;
    const char *problem = p->problem ? p->problem : "cannot be read";
    struct place place = place_of_mark(b, p->problem_mark);
    bool tab = place.text && (size_t)place.column <= place.text_length && place.text[place.column - 1] == '\t';
    if (p->error == YAML_MEMORY_ERROR || p->error == YAML_READER_ERROR) {
        size_t line = 1, byte = 0;
        for (; byte < p->problem_offset && byte < b->tree->length; byte++)
            line += b->tree->text[byte] == '\n';
        diag_error(b->diags, place_of_file(b->tree->name), "not UTF-8 text: %s at byte %zu (line %zu)", problem,
                   p->problem_offset, line);
    } else if (tab && p->error == YAML_SCANNER_ERROR) {
        diag_error(b->diags, place, "not YAML: a tab; YAML indents with spaces only");
    } else if (p->context && p->error == YAML_SCANNER_ERROR && colon_is_tight(place_of_mark(b, p->context_mark))) {
        diag_error(b->diags, place_of_mark(b, p->context_mark), "not YAML, which wants a space behind the colon");
    } else if (p->context && p->context_mark.line != p->problem_mark.line) {
        diag_error(b->diags, place, "not YAML: %s %s that begins in line %zu", problem,
                   p->context, p->context_mark.line + 1);
    } else {
        diag_error(b->diags, place, "not YAML: %s%s%s", problem, p->context ? " " : "",
                   p->context ? p->context : "");
    }
    b->failed = true;
}

/* Returns false at the end of the stream. */
static bool event_take(struct builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->tree->root)
            build_error(b, place_of_mark(b, event->start_mark), "a second document; a machine file holds one");
        break;
    case YAML_SCALAR_EVENT:
        text_add(b, event);
        break;
    case YAML_ALIAS_EVENT:
        alias_add(b, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
        frame_open(b, YAML_KIND_LIST, event, event->data.sequence_start.anchor, event->data.sequence_start.tag);
        break;
    case YAML_MAPPING_START_EVENT:
        frame_open(b, YAML_KIND_MAP, event, event->data.mapping_start.anchor, event->data.mapping_start.tag);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        frame_close(b);
        break;
    case YAML_STREAM_END_EVENT:
        return false;
    default:
        break;
    }
    return true;
}

static void events_read(struct builder *b)
{
    bool more = true;
    while (more && !b->failed) {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event)) {
            parse_error(b);
            return;
        }
        more = event_take(b, &event);
        yaml_event_delete(&event);
    }
}

enum status yaml_tree_read(struct yaml_tree *tree, const char *name, const char *text, size_t length,
                           struct diags *diags)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    *tree = (struct yaml_tree){.name = name, .text = text, .length = length};
    const char *zero = length ? memchr(text, 0, length) : NULL;
    if (zero) {
        diag_error(diags, place_of_file(name), "not a text file: a zero byte at offset %zu", (size_t)(zero - text));
        return STATUS_SYNTAX;
    }
    struct builder *b = alloc_zeroed(1, sizeof *b);
    b->tree = tree;
    b->diags = diags;
    if (yaml_parser_initialize(&b->parser)) {
        yaml_parser_set_encoding(&b->parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&b->parser, (const unsigned char *)text, length);
        events_read(b);
        yaml_parser_delete(&b->parser);
    } else {
        diag_error(diags, place_of_file(name), "the YAML reader cannot start: out of memory");
        b->failed = true;
    }
    bool failed = b->failed;
    for (size_t i = 0; i < b->n_anchors; i++)
        free(b->anchors[i].name);
    free(b->anchors);
    free(b->children);
    free(b->sorted);
    free(b);
    return failed ? STATUS_SYNTAX : STATUS_OK;
}

void yaml_tree_free(struct yaml_tree *tree)
{
    arena_free(&tree->arena);
    free(tree->line_start);
    memset(tree, 0, sizeof *tree);
}
