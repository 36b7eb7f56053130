#include "record/clone.h"

#include "common/alloc.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Processes that each call MPI_Barrier on one path or two: the offsets of f()'s calls, 0: none. */
struct process {
    unsigned first, second;
};

static void make_recording(struct recording *recording, int ranks, const struct process processes[])
{
    char *text = NULL;
    size_t length;
    struct diags diags = DIAGS_EMPTY;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "pevpm-recording 1\nranks %d\n", ranks);
    for (int i = 0; i < ranks; i++) {
        const unsigned offsets[] = {processes[i].first, processes[i].second};
        fprintf(out, "rank %d %d\nhost a\nprocessors 1\nclocks 20 300\npolls 0\nalike 0\nmodule 0 ab /app\n", i, ranks);
        for (int k = 0; k < 2 && offsets[k] > 0; k++)
            fprintf(out, "path %d 0:10 0:%x 0:900\n", k, offsets[k]);
        for (int k = 0; k < 2 && offsets[k] > 0; k++)
            fprintf(out, "MPI_Barrier %d 0 -1 0 0 0 0 0 -1 n 1 wall 9 9 9 cpu 0 0 in 9 size 0 0 0\n", k);
        fprintf(out, "done %d\n", i);
    }
    fprintf(out, "end %d\n", ranks);
    fclose(out);
    assert_int_equal(recording_read_text(recording, "clones.rec", text, length, &diags), STATUS_OK);
    free(text);
    diags_free(&diags);
}

/* g() is called at one line of f() from addresses below 300, and at another from those above; main() is called by what
 * has no line. Returns how many were joined. */
static size_t join(struct recording *recording)
{
    struct site_table paths;
    struct resolved_path lines[8];
    struct resolved_frame frames[8][3];
    clone_paths(&paths, 1, recording);
    assert_true(paths.n <= 8);
    for (int i = 0; i < paths.n; i++) {
        frames[i][0] = (struct resolved_frame){.file = "a.c", .function = "g", .line = 3};
        frames[i][1] = (struct resolved_frame){.file = "a.c", .function = "f",
                                                .line = paths.sites[i].frames[1].offset < 0x300 ? 7 : 8};
        frames[i][2] = (struct resolved_frame){.function = ""};
        lines[i] = (struct resolved_path){3, frames[i]};
    }
    size_t joined = clone_join(&paths, lines, 1, recording);
    site_table_free(&paths);
    return joined;
}

static unsigned offset_of(const struct recording *recording, int rank, int path)
{
    return (unsigned)recording->processes[rank].paths[path].frames[1].offset;
}

static void copies_become_one(void **state)
{
    (void)state;
    const struct process processes[] = {{0x100, 0}, {0x200, 0}, {0x400, 0}};
    struct recording recording;
    make_recording(&recording, 3, processes);
    assert_int_equal(join(&recording), 1);
    assert_int_equal(offset_of(&recording, 0, 0), 0x100);
    assert_int_equal(offset_of(&recording, 1, 0), 0x100);
    assert_int_equal(offset_of(&recording, 2, 0), 0x400); /* another line */
    recording_free(&recording);
}

/* As of a loop that was unrolled: they follow each other. A third copy is joined with the one that nobody did beside
 * it. */
static void calls_of_one_process_stay_two(void **state)
{
    (void)state;
    const struct process both[] = {{0x100, 0x200}, {0x200, 0}};
    const struct process third[] = {{0x100, 0x200}, {0x200, 0x250}};
    struct recording recording;
    make_recording(&recording, 2, both);
    assert_int_equal(join(&recording), 0);
    assert_int_equal(offset_of(&recording, 0, 1), 0x200);
    recording_free(&recording);
    make_recording(&recording, 2, third);
    assert_int_equal(join(&recording), 1);
    assert_int_equal(offset_of(&recording, 1, 0), 0x200);
    assert_int_equal(offset_of(&recording, 1, 1), 0x100);
    recording_free(&recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_become_one),
                                       cmocka_unit_test(calls_of_one_process_stay_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
