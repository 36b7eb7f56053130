#include "models/yaml_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static enum status read_text(struct yaml_tree *tree, const char *text, struct diags *diags)
{
    return yaml_tree_read(tree, "t.yaml", text, strlen(text), diags);
}

static void shapes_and_places(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBF# comment\r\na: 1\r\nlist: [x, \"2 us\", {deep: ~}]\n"
                               "gr\xC3\xB6\xC3\x9F" /* an e would belong to the \x9F */
                               "e: 5\n";
    struct yaml_tree tree;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(read_text(&tree, text, &diags), STATUS_OK);
    const struct yaml_node *root = tree.root;
    assert_int_equal(root->kind, YAML_KIND_MAP);
    assert_int_equal(root->n, 3);
    assert_string_equal(root->items[0]->text, "a");
    assert_string_equal(root->items[1]->text, "1");
    assert_true(root->items[1]->plain);
    const struct yaml_node *list = root->items[3];
    assert_int_equal(list->kind, YAML_KIND_LIST);
    assert_int_equal(list->n, 3);
    assert_false(list->items[1]->plain);
    assert_string_equal(list->items[2]->items[0]->text, "deep");
    struct place place = yaml_tree_place(&tree, list->items[1]);
    assert_true(place.line == 3 && place.column == 11 && place.width == 6);
    assert_memory_equal(place.text, "list: [x", 8);
    assert_int_equal(place.text_length, 28);
    place = yaml_tree_place(&tree, root->items[5]); /* columns count bytes */
    assert_true(place.line == 4 && place.column == 10);
    assert_int_equal(diags.n, 0);
    yaml_tree_free(&tree);
    diags_free(&diags);
}

static void aliases_are_the_same_node(void **state)
{
    (void)state;
    struct yaml_tree tree;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(read_text(&tree, "a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x\n", &diags), STATUS_OK);
    assert_ptr_equal(tree.root->items[1], tree.root->items[3]);
    assert_ptr_equal(tree.root->items[5], tree.root->items[7]); /* the latest anchor of that name */
    yaml_tree_free(&tree);
    diags_free(&diags);
}

static void tags_make_texts(void **state)
{
    (void)state;
    struct yaml_tree tree;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(read_text(&tree, "[!!str 5, !!int 5, ! 5]", &diags), STATUS_OK);
    assert_false(tree.root->items[0]->plain);
    assert_true(tree.root->items[1]->plain);
    assert_false(tree.root->items[2]->plain);
    yaml_tree_free(&tree);
    diags_free(&diags);
}

static void nothing_is_an_empty_tree(void **state)
{
    (void)state;
    struct yaml_tree tree;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(read_text(&tree, "# nothing\n", &diags), STATUS_OK);
    assert_null(tree.root);
    yaml_tree_free(&tree);
    diags_free(&diags);
}

static void repeated_keys_let_the_rest_be_read(void **state)
{
    (void)state;
    struct yaml_tree tree;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(read_text(&tree, "a: 1\nb: {c: 1, c: 2, c: 3}\na: 2\n", &diags), STATUS_OK);
    assert_int_equal(tree.repeated_keys, 3);
    assert_int_equal(diags.n_errors, 3);
    assert_int_equal(tree.root->n, 3);
    yaml_tree_free(&tree);
    diags_free(&diags);
}

static void limits_hold(void **state)
{
    (void)state;
    struct yaml_tree tree;
    struct diags diags = DIAGS_EMPTY;
    char deep[2 * 65 + 1];
    memset(deep, '[', 64);
    memset(deep + 64, ']', 64);
    deep[128] = '\0';
    assert_int_equal(read_text(&tree, deep, &diags), STATUS_OK);
    yaml_tree_free(&tree);
    memset(deep, '[', 65);
    memset(deep + 65, ']', 65);
    deep[130] = '\0';
    assert_int_equal(read_text(&tree, deep, &diags), STATUS_SYNTAX);
    yaml_tree_free(&tree);
    /* A hundred thousand open brackets end as soon. */
    char *open = malloc(100001);
    memset(open, '[', 100000);
    open[100000] = '\0';
    assert_int_equal(read_text(&tree, open, &diags), STATUS_SYNTAX);
    yaml_tree_free(&tree);
    free(open);
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    for (int i = 0; i <= YAML_TREE_ANCHORS; i++)
        fprintf(stream, "- &a%d 1\n", i);
    fclose(stream);
    assert_int_equal(read_text(&tree, text, &diags), STATUS_SYNTAX);
    yaml_tree_free(&tree);
    free(text);
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_and_places),
        cmocka_unit_test(aliases_are_the_same_node),
        cmocka_unit_test(tags_make_texts),
        cmocka_unit_test(nothing_is_an_empty_tree),
        cmocka_unit_test(repeated_keys_let_the_rest_be_read),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
