/* fuzz_tree.c - libFuzzer's entry: any bytes as a program. The first byte chooses the host language. The byte 0x1E, a
 * record separator, parts files: the second part is a header of the first file, the third one the second file, ...
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined ...
 *     ./fuzz_tree -dict=directives/tests/fuzz_tree.dict directives/tests/corpus */
#include "directives/tree.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct source *read_file(const char *text, size_t size)
{
    static const char *const names[] = {"x.c", "x.f90", "x.f", "x.py", "x.sh", "x.yaml", "x.pevpm", "x"};
    size_t which = size > 0 ? (uint8_t)*text % (sizeof names / sizeof *names) : 0;
    return source_from_text(names[which], text + (size > 0), size - (size > 0));
}

static struct source *read_program(const char *text, size_t size)
{
    struct source *first = NULL, **tail = &first, *file = NULL;
    for (size_t part = 0, at = 0; at <= size; part++) {
        const char *end = memchr(text + at, 0x1E, size - at);
        size_t n = end ? (size_t)(end - text) - at : size - at;
        struct source *read = read_file(text + at, n);
        if (part % 2 == 0) {
            *tail = file = read;
            tail = &read->next;
        } else {
            read->host = file->host;
            file->included = read;
        }
        at += n + 1;
    }
    return first;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct definition definitions[] = {{"n", {.kind = VALUE_INT, .i = 7}, NULL},
                                                    {"size", {.kind = VALUE_REAL, .r = 2.385}}};
    if (size < 1)
        return 0;
    struct diags diags = DIAGS_EMPTY;
    struct tree *tree = NULL;
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        abort();
    struct source *source = read_program((const char *)data, size);
    enum status status = tree_parse(&tree, source, 2, definitions, &diags);
    if ((status == STATUS_OK) != (tree != NULL) || (status == STATUS_OK) != (diags.n_errors == 0))
        abort(); /* an error without a diagnostic, or the other way round */
    diags_print(&diags, out);
    if (tree)
        tree_print(tree, out);
    fclose(out);
    tree_destroy(tree);
    source_destroy(source);
    diags_free(&diags);
    return 0;
}
