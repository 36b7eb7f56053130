/* fuzz_tree.c - libFuzzer's entry: any bytes as a program. The first byte chooses the host language.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined ...
 *     ./fuzz_tree -dict=directives/tests/fuzz_tree.dict directives/tests/corpus */
#include "directives/tree.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"x.c", "x.f90", "x.f", "x.py", "x.sh", "x.yaml", "x.pevpm", "x"};
    static const struct definition definitions[] = {{"n", {.kind = VALUE_INT, .i = 7}},
                                                    {"size", {.kind = VALUE_REAL, .r = 2.385}}};
    if (size < 1)
        return 0;
    struct diags diags = DIAGS_EMPTY;
    struct tree *tree = NULL;
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        abort();
    const char *text = (const char *)data + 1;
    struct source *source = source_from_text(names[data[0] % (sizeof names / sizeof *names)], text, size - 1);
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
