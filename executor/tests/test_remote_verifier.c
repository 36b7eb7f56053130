/* Puts and gets carried out here, by copying: what lands where it should passes, what does not is told. */
#include "executor/remote_verifier.h"

#include "executor/verifier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PROCESSES = 3, LONGEST = 100, WINDOW = 4, OTHER_WINDOW = 5, PUT = 0, GET = 1 };

struct scene {
    struct program program;
    struct site sites[2];
    unsigned char *memory[PROCESSES];
    struct remote_verifier *verifiers[PROCESSES];
};

static void scene_open(struct scene *s)
{
    static const char *const whats[] = {"MPI_Put", "MPI_Get"};
    *s = (struct scene){0};
    for (int i = 0; i < 2; i++)
        s->sites[i] = (struct site){.at = {.file = "p", .line = i + 1}, .statement = i, .what = whats[i]};
    s->program = (struct program){.numprocs = PROCESSES, .n_sites = 2, .sites = s->sites};
    for (int p = 0; p < PROCESSES; p++) {
        s->memory[p] = calloc(1, (size_t)remote_memory_bytes(PROCESSES, LONGEST));
        s->verifiers[p] = remote_verifier_create(&s->program, p, LONGEST, s->memory[p]);
        remote_verifier_reset(s->verifiers[p], 7);
    }
}

static void scene_close(struct scene *s)
{
    for (int p = 0; p < PROCESSES; p++) {
        remote_verifier_destroy(s->verifiers[p]);
        free(s->memory[p]);
    }
}

/* Returns where it has landed. */
static unsigned char *put(struct scene *s, int from, int to, int64_t bytes)
{
    int64_t offset;
    const void *memory = remote_verifier_put(s->verifiers[from], WINDOW, to, bytes, PUT, &offset);
    assert_true(offset >= 0 && offset + bytes <= remote_memory_bytes(PROCESSES, LONGEST));
    return memcpy(s->memory[to] + offset, memory, (size_t)bytes);
}

/* Returns what has come. */
static unsigned char *get(struct scene *s, int from, int at, int64_t bytes)
{
    int64_t offset;
    void *memory = remote_verifier_get(s->verifiers[from], WINDOW, at, bytes, GET, &offset);
    return memcpy(memory, s->memory[at] + offset, (size_t)bytes);
}

/* Ends all accesses and judges: what each process says, line by line. */
static void expect(struct scene *s, const char *const said[PROCESSES])
{
    struct remote_put puts[PROCESSES * REMOTE_PLACES];
    for (int p = 0; p < PROCESSES; p++)
        remote_verifier_end(s->verifiers[p], WINDOW, REMOTE_ALL);
    for (int p = 0; p < PROCESSES; p++) {
        struct diags diags = DIAGS_EMPTY;
        char text[1000] = "";
        for (int from = 0; from < PROCESSES; from++)
            memcpy(&puts[from * REMOTE_PLACES], remote_verifier_puts(s->verifiers[from]) + p * REMOTE_PLACES,
                   REMOTE_PLACES * sizeof *puts);
        const size_t n_errors = remote_verifier_judge(s->verifiers[p], puts, &diags);
        assert_int_equal(n_errors, diags.n);
        for (size_t i = 0; i < diags.n; i++) {
            strcat(text, diag_message(&diags, i));
            strcat(text, "\n");
        }
        assert_string_equal(text, said[p]);
        diags_free(&diags);
    }
}

static const char *const nothing[PROCESSES] = {"", "", ""};

static void what_lands_where_it_should_passes(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    for (int i = 0; i < 3 * REMOTE_PLACES; i++) {
        put(&s, 0, 1, 1 + 4 * i);
        remote_verifier_end(s.verifiers[0], WINDOW, 1);
    }
    put(&s, 2, 1, LONGEST);
    put(&s, 1, 1, 0);
    get(&s, 0, 2, LONGEST);
    get(&s, 0, 0, 3);
    expect(&s, nothing);
    remote_verifier_reset(s.verifiers[0], 8);
    expect(&s, nothing);
    scene_close(&s);
}

static void what_does_not_is_told(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    put(&s, 0, 1, 60)[59] ^= 1;
    const int64_t short_one = 8;
    unsigned char *landed = put(&s, 2, 1, short_one); /* a byte too far */
    memmove(landed + 1, landed, (size_t)short_one);
    get(&s, 1, 0, 50)[20] ^= 1;
    get(&s, 1, 2, 50);
    expect(&s, (const char *const[]){
        "",
        "MPI_Get in process 1 (of 3) got 50 bytes from process 0 that are not what is there\n"
        "MPI_Put in process 0 (of 3) put 60 bytes to process 1 that are not where they should be\n"
        "MPI_Put in process 2 (of 3) put 8 bytes to process 1 that are not where they should be\n",
        ""});
    scene_close(&s);
}

/* What a run before has left is not what this one puts. */
static void a_put_that_never_lands_is_told(void **state)
{
    (void)state;
    struct scene s;
    int64_t offset;
    scene_open(&s);
    put(&s, 0, 2, 30);
    expect(&s, nothing);
    for (int p = 0; p < PROCESSES; p++)
        remote_verifier_reset(s.verifiers[p], 8);
    remote_verifier_put(s.verifiers[0], WINDOW, 2, 30, PUT, &offset);
    expect(&s, (const char *const[]){
        "", "", "MPI_Put in process 0 (of 3) put 30 bytes to process 2 that are not where they should be\n"});
    scene_close(&s);
}

/* Of two puts in one place that were under way together either may stay; once they are over, the next one is known. */
static void puts_that_overlap_are_not_looked_at(void **state)
{
    (void)state;
    struct scene s;
    int64_t offset;
    scene_open(&s);
    for (int i = 0; i <= REMOTE_PLACES; i++)
        put(&s, 0, 1, 20)[0] ^= i == REMOTE_PLACES;
    remote_verifier_end(s.verifiers[0], OTHER_WINDOW, 1); /* not theirs */
    remote_verifier_put(s.verifiers[0], WINDOW, 1, 20, PUT, &offset);
    expect(&s, nothing);
    for (int i = 0; i < REMOTE_PLACES; i++)
        put(&s, 0, 1, 20)[0] ^= i == 2;
    expect(&s, (const char *const[]){
        "", "MPI_Put in process 0 (of 3) put 20 bytes to process 1 that are not where they should be\n", ""});
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lands_where_it_should_passes),
        cmocka_unit_test(what_does_not_is_told),
        cmocka_unit_test(a_put_that_never_lands_is_told),
        cmocka_unit_test(puts_that_overlap_are_not_looked_at),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
