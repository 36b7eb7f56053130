/* Deliveries made up here: those that the rules of matching allow pass, each kind that they forbid does not. */
#include "executor/verifier.h"

#include "engine/operand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ANY = OPERAND_ANY_PEER, ANY_TAG = OPERAND_ANY_TAG, UNKNOWN = -1 };

/* Process 2 of 3 receives. Messages: of process 0 tags 5, 6, 5; of process 1 tag 5; the sites are their lines. */
static const struct sent_message messages[] = {{100, 0, 5, 0, 2}, {20, 0, 6, 1, 2}, {30, 0, 5, 2, 2}, {100, 0, 5, 3, 2}};
static const size_t first[] = {0, 3, 4, 4};

struct scene {
    struct program program;
    struct site sites[8];
    struct verifier *verifier;
    struct diags diags;
};

static void scene_open(struct scene *scene)
{
    static const char *const whats[] = {"MPI_Send", "MPI_Ssend", "MPI_Isend", "MPI_Bsend",
                                        "MPI_Recv", "MPI_Irecv", "MPI_Probe", "MPI_Recv"};
    *scene = (struct scene){.diags = DIAGS_EMPTY};
    for (int i = 0; i < 8; i++)
        scene->sites[i] = (struct site){.at = {.file = "p", .line = i + 1}, .statement = i, .what = whats[i]};
    scene->program = (struct program){.numprocs = 3, .n_sites = 8, .sites = scene->sites};
    scene->verifier = verifier_create(&scene->program, 2);
}

static void receive(struct scene *scene, int32_t from, int32_t tag, int32_t site, int got_from, int64_t number)
{
    const struct sent_message *m = &messages[first[got_from] + (size_t)number];
    int64_t posted = verifier_post(scene->verifier, from, 0, tag, site);
    verifier_take(scene->verifier, posted, got_from, m->tag, m->bytes, number, NULL);
}

/* Judges, and compares all that is said, line by line without places, with `said`. */
static void expect(struct scene *scene, size_t n_errors, const char *said)
{
    char text[2000] = "";
    assert_int_equal(verifier_judge(scene->verifier, messages, first, &scene->diags), n_errors);
    for (size_t i = 0; i < scene->diags.n; i++) {
        strcat(text, diag_message(&scene->diags, i));
        strcat(text, "\n");
    }
    assert_string_equal(text, said);
    diags_free(&scene->diags);
    verifier_destroy(scene->verifier);
}

static void what_the_rules_allow_passes(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    int64_t late = verifier_post(s.verifier, 0, 0, 6, 5); /* tag 6 overtakes nothing: another tag */
    receive(&s, ANY, 5, 4, 1, 0);
    verifier_see(s.verifier, 0, 0, ANY_TAG, 6, 0, 5, 100);
    receive(&s, ANY, ANY_TAG, 4, 0, 0);
    receive(&s, 0, 5, 4, 0, 2);
    verifier_take(s.verifier, late, 0, 6, 20, UNKNOWN, NULL);
    expect(&s, 0, "");
}

static void a_message_does_not_overtake(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    receive(&s, 0, 5, 4, 0, 2);
    receive(&s, 0, 5, 7, 0, 0);
    expect(&s, 1,
           "MPI_Recv in process 2 (of 3) took a message of 30 bytes with tag 5 from process 0: another was sent before "
           "it, fits, and no receive before took that one\n"
           "this MPI_Isend sent it\n"
           "this MPI_Send sent what it should have been: 100 bytes with tag 5\n");
}

static void a_short_message_is_told_by_tag_and_length(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    int64_t posted = verifier_post(s.verifier, 0, 0, ANY_TAG, 4);
    verifier_take(s.verifier, posted, 0, 6, 20, UNKNOWN, NULL);
    expect(&s, 1,
           "MPI_Recv in process 2 (of 3) took a message of 20 bytes with tag 6 from process 0: another was sent before "
           "it, fits, and no receive before took that one\n"
           "this MPI_Send sent what it should have been: 100 bytes with tag 5\n");
}

static void a_probe_sees_what_a_receive_would_take(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    receive(&s, 0, 5, 4, 0, 0);
    verifier_see(s.verifier, 0, 0, 5, 6, 0, 5, 100);
    expect(&s, 1,
           "MPI_Probe in process 2 (of 3) saw a message of 100 bytes with tag 5 from process 0: another was sent before "
           "it, fits, and no receive before took that one\n"
           "this MPI_Isend sent what it should have been: 30 bytes with tag 5\n");
}

static void a_communicator_keeps_to_itself(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    int64_t posted = verifier_post(s.verifier, 0, 1, 5, 4);
    verifier_take(s.verifier, posted, 0, 5, 100, 0, NULL);
    expect(&s, 1,
           "MPI_Recv in process 2 (of 3) took a message of 100 bytes with tag 5 from process 0: no message of that sender "
           "is left that fits\n"
           "this MPI_Send sent it\n");
}

static void a_receive_gets_the_sender_that_it_names(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    receive(&s, 0, 5, 4, 1, 0);
    expect(&s, 1,
           "MPI_Recv in process 2 (of 3) took a message of 100 bytes with tag 5 from process 1: it names another sender\n"
           "this MPI_Bsend sent it\n");
}

static void the_receive_that_was_posted_first_is_served(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    verifier_post(s.verifier, 1, 0, 5, 5);
    receive(&s, ANY, 5, 4, 1, 0);
    expect(&s, 1,
           "MPI_Recv in process 2 (of 3) took a message of 100 bytes with tag 5 from process 1: a receive that was posted "
           "before fits it and got nothing\n"
           "this MPI_Bsend sent it\n"
           "this receive, which is still open\n");
}

static void a_message_that_nobody_sent_is_not_taken(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s);
    receive(&s, 1, 5, 4, 1, 0);
    int64_t posted = verifier_post(s.verifier, 1, 0, 5, 7);
    verifier_take(s.verifier, posted, 1, 5, 100, UNKNOWN, NULL);
    expect(&s, 1,
           "MPI_Recv in process 2 (of 3) took a message of 100 bytes with tag 5 from process 1: no message of that sender "
           "is left that fits\n");
}

static void senders_number_their_messages(void **state)
{
    (void)state;
    struct scene s;
    size_t n;
    scene_open(&s);
    assert_int_equal(verifier_send(s.verifier, &(struct sent_message){.to = 1}), 0);
    assert_int_equal(verifier_send(s.verifier, &(struct sent_message){.to = 0}), 0);
    assert_int_equal(verifier_send(s.verifier, &(struct sent_message){.to = 1, .bytes = 7}), 1);
    assert_int_equal(verifier_sent(s.verifier, &n)[2].bytes, 7);
    assert_int_equal(n, 3);
    verifier_reset(s.verifier);
    assert_int_equal(verifier_send(s.verifier, &(struct sent_message){.to = 1}), 0);
    verifier_destroy(s.verifier);
}

static void a_stamp_tells_what_a_message_is(void **state)
{
    (void)state;
    char memory[100];
    int64_t number;
    const struct stamp stamp = {.from = 1, .site = 3, .replication = 4, .number = 17, .bytes = sizeof memory};
    stamp_write(memory, &stamp);
    assert_null(stamp_read(memory, sizeof memory, 4, 1, &number));
    assert_int_equal(number, 17);
    assert_string_equal(stamp_read(memory, sizeof memory, 5, 1, &number), "it is of another run");
    assert_string_equal(stamp_read(memory, sizeof memory, 4, 2, &number),
                        "its status names another sender than it does itself");
    assert_string_equal(stamp_read(memory, sizeof memory - 1, 4, 1, &number),
                        "it is not as long as when it was sent");
    memory[99] = (char)(memory[99] + 1);
    assert_string_equal(stamp_read(memory, sizeof memory, 4, 1, &number), "its contents are not what was sent");
    memory[0] = (char)(memory[0] + 1);
    assert_string_equal(stamp_read(memory, sizeof memory, 4, 1, &number), "it does not begin as messages do");
    assert_int_equal(number, -1);
    assert_null(stamp_read(memory, STAMP_BYTES - 1, 4, 1, &number)); /* too short to tell */
    assert_int_equal(number, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_rules_allow_passes),
        cmocka_unit_test(a_message_does_not_overtake),
        cmocka_unit_test(a_short_message_is_told_by_tag_and_length),
        cmocka_unit_test(a_probe_sees_what_a_receive_would_take),
        cmocka_unit_test(a_communicator_keeps_to_itself),
        cmocka_unit_test(a_receive_gets_the_sender_that_it_names),
        cmocka_unit_test(the_receive_that_was_posted_first_is_served),
        cmocka_unit_test(a_message_that_nobody_sent_is_not_taken),
        cmocka_unit_test(senders_number_their_messages),
        cmocka_unit_test(a_stamp_tells_what_a_message_is),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
