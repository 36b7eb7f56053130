/* What --print=RANK says: values where they are known, and what is known of others. */
#include "directives/tests/lowered.h"

static void assert_values(const char *text, int numprocs, int process, const char *expected)
{
    struct lowered l;
    lower(&l, text, numprocs);
    CAPTURE(printed, program_print(l.program, process, true, out));
    const char *lines = strchr(printed, '\n') + 1; /* behind the heading */
    assert_string_equal(lines, expected);
    free(printed);
    release(&l);
}

static void what_is_set_in_a_loop_has_a_value(void **state)
{
    (void)state;
    assert_values("Loop iterations = 3 & var = i\n"
                  "{\n"
                  "Set length = i < 0 ? 5 : 1000/numprocs\n"
                  "Set peer = i < 0 ? 5 : procnum + 1\n"
                  "Message type = MPI_Sendrecv & size = 8*length & to = peer & from = peer\n"
                  "Serial time = 0.5*length ms\n"
                  "}\n",
                  5, 2,
                  "  loop 3 times, i from 0\n"
                  "    set length = 200                            t.pevpm:3\n"
                  "    set peer = 3                                t.pevpm:4\n"
                  "    MPI_Sendrecv from 3, 1600 bytes, tag 0      t.pevpm:5\n"
                  "    MPI_Sendrecv to 3, 1600 bytes, tag 0        t.pevpm:5\n"
                  "    MPI_Sendrecv waits                          t.pevpm:5\n"
                  "    compute 100.0 ms                            t.pevpm:6\n");
}

static void what_changes_has_its_first_values(void **state)
{
    (void)state;
    assert_values("Loop iterations = 3 & var = i & from = 1\n"
                  "{\n"
                  "Set bit = i == 1 ? 1 : bit*2\n"
                  "Message type = MPI_Isend & size = 8 & to = (procnum + bit)%numprocs & tag = i/2 & request = r[i]\n"
                  "}\n"
                  "Loop iterations = bit & var = k\n"
                  "{\n"
                  "Serial time = k ms\n"
                  "}\n"
                  "Message type = MPI_Waitall\n",
                  8, 7,
                  "  loop 3 times, i from 1\n"
                  "    set bit = i == 1 ? 1 : bit*2 (1, 2, 4)      t.pevpm:3\n"
                  "    MPI_Isend to (procnum + bit)%numprocs (0, 1, 3), 8 bytes, tag i/2 (0, 1), request r[i (1, 2, 3)]"
                  "  t.pevpm:4\n"
                  "  loop 4 times, k from 0\n"
                  "    compute k ms (0 s, 1.000 ms, 2.000 ms, ...) t.pevpm:8\n"
                  "  MPI_Waitall, all open requests                t.pevpm:10\n");
}

/* A bound variable, and what is set where it decides, are not known; nor is a value that is known only once. */
static void what_a_message_tells_is_not_known(void **state)
{
    (void)state;
    assert_values("Set length = 5\n"
                  "Loop iterations = 2 & var = i\n"
                  "{\n"
                  "Collective type = MPI_Bcast & size = 8*length & root = 0\n"
                  "Message type = MPI_Recv & from = MPI_ANY_SOURCE & source = who & got_size = got\n"
                  "Message type = MPI_Send & size = got + 1 & to = who\n"
                  "Runon c1 = got > 3 & else\n"
                  "{\n"
                  "Set length = 4*i\n"
                  "}\n"
                  "{\n"
                  "Message type = MPI_Send & size = i & to = 0\n"
                  "}\n"
                  "Loop iterations = got\n"
                  "{\n"
                  "Serial time = i\n"
                  "}\n"
                  "Serial time = i + 1\n"
                  "}\n",
                  4, 0,
                  "  set length = 5                                t.pevpm:1\n"
                  "  loop 2 times, i from 0\n"
                  "    MPI_Bcast, 8*length (40, ...) bytes, root 0 t.pevpm:4\n"
                  "    MPI_Recv from MPI_ANY_SOURCE, tag 0, source = who, got_size = got  t.pevpm:5\n"
                  "    MPI_Send to who, got + 1 bytes, tag 0       t.pevpm:6\n"
                  "    if got > 3\n"
                  "      set length = 4*i                          t.pevpm:9\n"
                  "    otherwise\n"
                  "      MPI_Send to 0, i bytes, tag 0             t.pevpm:12\n"
                  "    loop got times\n"
                  "      compute i s                               t.pevpm:16\n"
                  "    compute (i + 1) s (1.000 s, 2.000 s)        t.pevpm:18\n");
}

static void a_long_run_is_broken_off(void **state)
{
    (void)state;
    assert_values("Loop iterations = 2 & var = i\n"
                  "{\n"
                  "Collective type = MPI_Bcast & size = 8*(i + 1) & root = 0\n"
                  "}\n"
                  "Loop iterations = 100000000 & var = j\n"
                  "{\n"
                  "Set n = 6\n"
                  "Collective type = MPI_Bcast & size = n & root = 0\n"
                  "}\n"
                  "Loop iterations = 2 & var = k\n"
                  "{\n"
                  "Serial time = k\n"
                  "}\n",
                  2, 0,
                  "  loop 2 times, i from 0\n"
                  "    MPI_Bcast, 8*(i + 1) (8, 16) bytes, root 0  t.pevpm:3\n"
                  "  loop 100000000 times, j from 0\n"
                  "    MPI_Bcast, 6 bytes, root 0                  t.pevpm:8\n"
                  "  loop 2 times, k from 0\n"
                  "    compute k s                                 t.pevpm:12\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_in_a_loop_has_a_value),
        cmocka_unit_test(what_changes_has_its_first_values),
        cmocka_unit_test(what_a_message_tells_is_not_known),
        cmocka_unit_test(a_long_run_is_broken_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
