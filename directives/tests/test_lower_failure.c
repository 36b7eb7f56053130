/* What cannot be lowered, and what fails in the process that reaches it. */
#include "directives/tests/lowered.h"

/* ---- what cannot be lowered ---- */

static void assert_not_lowered(const char *text, enum status status, const char *expected)
{
    struct lowered l;
    struct lower_options options = options_for(4);
    lower_with(&l, text, &options);
    assert_int_equal(l.status, status);
    CAPTURE(printed, print_diags(&l.diags, out));
    assert_string_equal(printed, expected);
    free(printed);
    release(&l);
}

static void errors_of_lines_do_not_depend_on_being_reached(void **state)
{
    (void)state;
    assert_not_lowered("Loop iterations = 0\n"
                       "{\n"
                       "Serial on titan time = 7\n"
                       "Serial on cray time = 8\n"
                       "}\n"
                       "Serial time = 1\n"
                       "Procedure never()\n"
                       "{\n"
                       "Serial on kraken time = 8\n"
                       "}\n",
                       STATUS_NAME,
                       "t.pevpm:3:1: error: no Serial line for machine `perseus` (found: titan, cray); add one, or "
                       "one without `on`\n"
                       "    3 | Serial on titan time = 7\n"
                       "      | ^~~~~~~~~~~~~~~~~~~~~~~~\n"
                       "t.pevpm:9:1: error: no Serial line for machine `perseus` (found: kraken); add one, or one "
                       "without `on`\n"
                       "    9 | Serial on kraken time = 8\n"
                       "      | ^~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

static void parameters_are_computed_once(void **state)
{
    (void)state;
    assert_prints("Param b = a*numprocs\n"
                  "Param a = nodes + ppn\n"
                  "Serial time = b\n",
                  4, 0, "  compute 20.00 s                               t.pevpm:3\n");
    assert_not_lowered("Param a = 10/(numprocs - 4)\n"
                       "Param b = a + 1\n"
                       "Serial time = b\n",
                       STATUS_RANGE,
                       "t.pevpm:1:11: error: `a` cannot be computed: division by zero\n"
                       "    1 | Param a = 10/(numprocs - 4)\n"
                       "      |           ^~~~~~~~~~~~~~~~~\n"
                       "t.pevpm:2:11: error: `b` cannot be computed: it needs a parameter that cannot be computed, or "
                       "itself\n"
                       "    2 | Param b = a + 1\n"
                       "      |           ^\n");
}

static void calls_that_multiply_are_stopped(void **state)
{
    (void)state;
    struct lowered l;
    struct lower_options options = options_for(2);
    lower_with(&l,
               "Procedure twice(n)\n"
               "{\n"
               "Runon c1 = n > 0\n"
               "{\n"
               "Call twice(n - 1)\n"
               "Call twice(n - 1)\n"
               "}\n"
               "}\n"
               "Call twice(60)\n",
               &options);
    assert_int_equal(l.status, STATUS_RANGE);
    CAPTURE(printed, print_diags(&l.diags, out));
    assert_non_null(strstr(printed, "error: the program is too large for process 0 (of 2): its calls multiply to 0 "
                                    "instructions after 16777217 directives"));
    free(printed);
    release(&l);
}

/* ---- failures of a process ---- */

struct failing {
    const char *text;
    int process;
    enum status status;
    const char *report; /* the diagnostic, with the quoted line and caret where they matter */
};

static const struct failing failing[] = {
    {"Assert procnum*2 < 6 \"only 3 (100 %s of them)\"", 3, STATUS_RANGE,
     "t.pevpm:1:1: error: Assert: only 3 (100 %s of them), in process 3 (of 4)\n"
     "    1 | Assert procnum*2 < 6 \"only 3 (100 %s of them)\"\n"},
    {"Assert 2/(procnum - 1) > -9 \"x\"", 1, STATUS_RANGE,
     "t.pevpm:1:8: error: Assert: division by zero, in process 1 (of 4)\n"},
    {"Message type = MPI_Send & size = 8 & to = procnum + 1", 3, STATUS_RANGE,
     "t.pevpm:1:43: error: MPI_Send: process 4 is outside 0..3 (`to`), in process 3 (of 4)\n"
     "    1 | Message type = MPI_Send & size = 8 & to = procnum + 1\n"
     "      |                                           ^~~~~~~~~~~\n"},
    {"Message type = MPI_Recv & from = procnum - 1", 0, STATUS_RANGE,
     "t.pevpm:1:34: error: MPI_Recv: process -1 is outside 0..3 (`from`), in process 0 (of 4)\n"},
    {"Message type = MPI_Send & size = 8 & to = procnum*0.5", 1, STATUS_RANGE,
     "t.pevpm:1:43: error: MPI_Send: a process number that is not an integer: 0.5 (`to`), in process 1 (of 4)\n"},
    {"Message type = MPI_Send & size = 8 & to = 0 & from = 3", 2, STATUS_RANGE,
     "t.pevpm:1:54: error: MPI_Send: `from` is 3, but this directive is executed by process 2, in process 2 (of 4)\n"},
    {"Message type = MPI_Recv & from = 0 & to = MPI_PROC_NULL", 2, STATUS_RANGE,
     "t.pevpm:1:43: error: MPI_Recv: `to` is MPI_PROC_NULL, but this directive is executed by process 2, in process 2 "
     "(of 4)\n"},
    {"Message type = MPI_Send & size = 4 - 8*procnum & to = 0", 1, STATUS_RANGE,
     "t.pevpm:1:34: error: MPI_Send: a negative size: -4 bytes (`size`), in process 1 (of 4)\n"},
    {"Message type = MPI_Recv & size = 2.5 & from = 0", 1, STATUS_RANGE,
     "t.pevpm:1:34: error: MPI_Recv: a size that is not an integer: 2.5 bytes (`size`), in process 1 (of 4)\n"},
    {"Message type = MPI_Send & size = 8 & to = 0 & tag = -1", 1, STATUS_RANGE,
     "t.pevpm:1:53: error: MPI_Send: a negative tag: -1 (`tag`), in process 1 (of 4)\n"},
    {"Message type = MPI_Send & size = 8 & to = 0 & tag = 1.5", 1, STATUS_RANGE,
     "t.pevpm:1:53: error: MPI_Send: a tag that is not an integer: 1.5 (`tag`), in process 1 (of 4)\n"},
    {"Message type = MPI_Send & size = 8 & to = 0 & tag = 2147483648", 1, STATUS_RANGE,
     "t.pevpm:1:53: error: MPI_Send: a tag above 2147483647: 2147483648 (`tag`), in process 1 (of 4)\n"},
    {"Message type = MPI_Isend & size = 8 & to = 0 & request = r[0.5]", 1, STATUS_RANGE,
     "t.pevpm:1:60: error: MPI_Isend: an index that is not an integer: 0.5 (`request`), in process 1 (of 4)\n"},
    {"Message type = MPI_Isend & size = 8 & to = 0 & request = r[-2]", 1, STATUS_RANGE,
     "t.pevpm:1:60: error: MPI_Isend: a negative index: -2 (`request`), in process 1 (of 4)\n"},
    {"Message type = MPI_Send & size = 10/(procnum - 1) & to = 0", 1, STATUS_RANGE,
     "t.pevpm:1:34: error: MPI_Send: division by zero, in process 1 (of 4)\n"
     "    1 | Message type = MPI_Send & size = 10/(procnum - 1) & to = 0\n"
     "      |                                  ^~~~~~~~~~~~~~~~\n"},
    {"Message type = MPI_Send & size = 8 & to = (numprocs == 8 ? 1 : known_only_at(8, 16))", 1, STATUS_RANGE,
     "t.pevpm:1:64: error: MPI_Send: not known at this number of processes: record there too, and make the program again, in process 1 (of 4)\n"
     "    1 | Message type = MPI_Send & size = 8 & to = (numprocs == 8 ? 1 : known_only_at(8, 16))\n"
     "      |                                                                ^~~~~~~~~~~~~~~~~~~~\n"},
    {"Param n = 57\nMessage type = MPI_Send & size = (numprocs == 4 && n == 24 ? 8 : known_only_at(numprocs == 4 && n == 24)) & to = 0",
     1, STATUS_RANGE,
     "t.pevpm:2:66: error: MPI_Send: not known at this number of processes with these parameters: record there too, and make the "
     "program again, in process 1 (of 4)\n"
     "    2 | Message type = MPI_Send & size = (numprocs == 4 && n == 24 ? 8 : known_only_at(numprocs == 4 && n == 24)) & to = 0\n"
     "      |                                                                  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"},
    {"Loop iterations = numprocs*0.125\n{\n}", 0, STATUS_RANGE,
     "t.pevpm:1:19: error: Loop: a number of iterations that is not an integer: 0.5 (`iterations`), in process 0 (of "
     "4)\n"},
    {"Loop iterations = 2 & var = i & from = 0.25\n{\n}", 0, STATUS_RANGE,
     "t.pevpm:1:40: error: Loop: a first value that is not an integer: 0.25 (`from`), in process 0 (of 4)\n"},
    {"Loop while = numprocs > 3\n{\nSerial time = 1\n}", 0, STATUS_RANGE,
     "t.pevpm:1:14: error: Loop: this loop never ends, in process 0 (of 4)\n"},
    {"Runon c1 = log(procnum) > 3\n{\n}", 0, STATUS_RANGE,
     "t.pevpm:1:12: error: Runon: log of a number that is not positive, in process 0 (of 4)\n"},
    {"Set k = 9223372036854775807 + procnum", 1, STATUS_RANGE,
     "t.pevpm:1:9: error: Set: integer overflow, in process 1 (of 4)\n"},
    {"Runon c1 = procnum == 0\n{\nSet k = 1\n}\nSerial time = 2*k", 1, STATUS_RANGE,
     "t.pevpm:5:17: error: Serial: `k` is used before it is Set, in process 1 (of 4)\n"},
    {"Set late[0] = 1\nSerial time = 2*late[procnum+1]", 2, STATUS_RANGE,
     "t.pevpm:2:17: error: Serial: `late[3]` is used before it is Set, in process 2 (of 4)\n"},
    {"Message type = MPI_Send_init & to = 0 & size = 8 & request = r[0]\nMessage type = MPI_Start & request = r[2]", 1,
     STATUS_RANGE, "t.pevpm:2:38: error: MPI_Start: `r[2]` is started before it is made, in process 1 (of 4)\n"},
    {"Serial time = -1.5 ms", 2, STATUS_RANGE,
     "t.pevpm:1:15: error: Serial: a negative time: -1.500 ms, in process 2 (of 4)\n"},
    {"Serial time = normal(1, -2) us", 2, STATUS_RANGE,
     "t.pevpm:1:22: error: Serial: a negative standard deviation of normal: -2.000 us, in process 2 (of 4)\n"},
    {"Serial time = normal(-1, 2) us", 2, STATUS_RANGE,
     "t.pevpm:1:22: error: Serial: a negative mean of normal: -1.000 us, in process 2 (of 4)\n"},
    {"Serial time = lognormal(0, 2) us", 2, STATUS_RANGE,
     "t.pevpm:1:25: error: Serial: the mean of lognormal must be positive, not 0 s, in process 2 (of 4)\n"},
    {"Serial time = lognormal(1, -2) us", 2, STATUS_RANGE,
     "t.pevpm:1:25: error: Serial: a negative standard deviation of lognormal: -2.000 us, in process 2 (of 4)\n"},
    {"Serial time = uniform(3, 2) ms", 2, STATUS_RANGE,
     "t.pevpm:1:23: error: Serial: the bounds of uniform are the wrong way round: 3.000 ms, 2.000 ms, in process 2 "
     "(of 4)\n"},
    {"Serial time = uniform(-3, 2) ms", 2, STATUS_RANGE,
     "t.pevpm:1:23: error: Serial: a negative bound of uniform: -3.000 ms, in process 2 (of 4)\n"},
    {"Serial time = exponential(0 - procnum) ms", 2, STATUS_RANGE,
     "t.pevpm:1:27: error: Serial: the mean of exponential must be positive, not -2.000 ms, in process 2 (of 4)\n"},
    {"Serial time = gamma(0, 1)", 2, STATUS_RANGE,
     "t.pevpm:1:21: error: Serial: the shape of gamma must be positive, not 0, in process 2 (of 4)\n"},
    {"Serial time = gamma(1.5, -1)", 2, STATUS_RANGE,
     "t.pevpm:1:21: error: Serial: the scale of gamma must be positive, not -1.000 s, in process 2 (of 4)\n"},
    {"Procedure f(n)\n{\nCall g(n + 1)\n}\nProcedure g(n)\n{\nCall f(n)\n}\nCall f(0)", 2, STATUS_RANGE,
     "t.pevpm:7:1: error: Call: calls nest deeper than 64: f -> g -> f -> ..., in process 2 (of 4)\n"},
    {"Set to = MPI_ANY_SOURCE\nMessage type = MPI_Send & to = to & size = 8", 2, STATUS_RANGE,
     "t.pevpm:2:32: error: MPI_Send: a message needs one receiver, not a wildcard (`to`), in process 2 (of 4)\n"},
    {"Set t = MPI_ANY_TAG\nMessage type = MPI_Sendrecv & to = 0 & from = 1 & size = 8 & tag = t", 2, STATUS_RANGE,
     "t.pevpm:2:68: error: MPI_Sendrecv: a message that is sent needs one tag, not a wildcard (`tag`), in process 2 "
     "(of 4)\n"},
    {"Loop iterations = 2 & var = i\n{\nSet c = comm_split(i, 0)\n}", 2, STATUS_RANGE,
     "t.pevpm:3:20: error: Set: the color of a comm_split must be known before the run, and this depends on what "
     "happens in it, in process 2 (of 4)\n"},
    {"Message type = MPI_Recv & from = 0 & got_size = n\nSet c = comm_split(0, 1 + n)", 2, STATUS_RANGE,
     "t.pevpm:2:23: error: Set: the key of a comm_split must be known before the run, and this depends on what happens "
     "in it, in process 2 (of 4)\n"},
    {"Set c = comm_split(procnum / 2.0 + 0.5, 0)", 2, STATUS_RANGE,
     "t.pevpm:1:20: error: Set: a color that is not an integer: 1.5, in process 2 (of 4)\n"},
    {"Runon c1 = procnum != 1\n{\nSet c = comm_split(0, 0)\n}", 2, STATUS_RANGE,
     "t.pevpm:3:1: error: Set: all processes of a communicator must call comm_split, but process 1 does not get here, "
     "in process 2 (of 4)\n"},
    {"Runon c1 = 0\n{\nSet c = comm_split(procnum%2, 0)\n}\nMessage type = MPI_Recv & from = 0 & comm = c", 2,
     STATUS_RANGE, "t.pevpm:5:45: error: MPI_Recv: `c` is used before it is Set, in process 2 (of 4)\n"},
    {"Set c = comm_split(1 - procnum, 0)\nMessage type = MPI_Recv & from = 0 & comm = c", 2, STATUS_RANGE,
     "t.pevpm:2:45: error: MPI_Recv: this process is not a member of the communicator, in process 2 (of 4)\n"},
    {"Set c = comm_split(1 - procnum, 0)\nSerial time = 1 + procnum_in(c)", 2, STATUS_RANGE,
     "t.pevpm:2:19: error: Serial: this process is not a member of the communicator, in process 2 (of 4)\n"},
    {"Set c = comm_split(1 - procnum, 0)\nSet d = comm_split(0, 0, c)", 2, STATUS_RANGE,
     "t.pevpm:2:26: error: Set: this process is not a member of the communicator, in process 2 (of 4)\n"},
    {"Set c = comm_split(procnum%2, procnum)\nMessage type = MPI_Send & to = 2 & comm = c & size = 8", 2, STATUS_RANGE,
     "t.pevpm:2:32: error: MPI_Send: rank 2 is outside 0..1 of the communicator (`to`), in process 2 (of 4)\n"},
    {"Set c = comm_split(procnum%2, procnum)\nMessage type = MPI_Send & from = 2 & to = 0 & comm = c & size = 8", 2,
     STATUS_RANGE,
     "t.pevpm:2:34: error: MPI_Send: `from` is 2, but this directive is executed by process 2, whose rank in the "
     "communicator is 1, in process 2 (of 4)\n"},
    {"Message type = MPI_Recv & from = 0 & got_size = n\nRunon c1 = n > 8\n{\nSet c = comm_split(0, 0)\n}\n"
     "Collective type = MPI_Barrier & comm = c", 2, STATUS_RANGE,
     "t.pevpm:6:40: error: MPI_Barrier: which communicator this is cannot be known before the run, in process 2 "
     "(of 4)\n"},
    {"Message type = MPI_Irecv & from = 0 & request = r[1]\nMessage type = MPI_Wait & request = r & got_size = n", 2,
     STATUS_RANGE,
     "t.pevpm:2:37: error: MPI_Wait: the status of one request can be bound, and `request` names all of an array, in "
     "process 2 (of 4)\n"},
    {"Message type = MPI_Irecv & from = 0 & request = r\n"
     "Message type = MPI_Test & request = (r, r) & source = n & flag = f", 2, STATUS_RANGE,
     "t.pevpm:2:38: error: MPI_Test: the status of one request can be bound, and `request` names several, in process 2 "
     "(of 4)\n"},
    {"Collective type = MPI_Bcast & size = 8 & root = numprocs", 2, STATUS_RANGE,
     "t.pevpm:1:49: error: MPI_Bcast: process 4 is outside 0..3 (`root`), in process 2 (of 4)\n"},
    {"Set c = comm_split(procnum%2, 0)\nCollective type = MPI_Gather & size = 8 & root = -1 & comm = c", 2,
     STATUS_RANGE,
     "t.pevpm:2:50: error: MPI_Gather: rank -1 is outside 0..1 of the communicator (`root`), in process 2 (of 4)\n"},
    {"Collective type = MPI_Allreduce & size = 1.5", 2, STATUS_RANGE,
     "t.pevpm:1:42: error: MPI_Allreduce: a size that is not an integer: 1.5 bytes (`size`), in process 2 (of 4)\n"},
    {"Collective type = MPI_Alltoallv & size = 1 - procnum", 2, STATUS_RANGE,
     "t.pevpm:1:42: error: MPI_Alltoallv: a negative size: -1 bytes (`size`), in process 2 (of 4)\n"},
};

static void every_failure_has_its_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        struct lowered l;
        lower(&l, failing[i].text, 4);
        const struct failure *failure = &l.program->failures[find_instr(&l, failing[i].process, INSTR_FAIL, 0)->index];
        assert_int_equal(failure->status, failing[i].status);
        program_report(l.program, failure->site, failing[i].process, failure->text, &l.diags);
        CAPTURE(printed, print_diags(&l.diags, out));
        /* only as many lines as are expected */
        if (strlen(printed) > strlen(failing[i].report))
            printed[strlen(failing[i].report)] = '\0';
        assert_string_equal(printed, failing[i].report);
        free(printed);
        release(&l);
    }
}

static void nothing_is_said_of_what_is_not_reached(void **state)
{
    (void)state;
    assert_prints("Runon c1 = procnum == 99\n"
                  "{\n"
                  "Message type = MPI_Send & size = -1 & to = 99\n"
                  "Collective type = MPI_Barrier\n"
                  "Set k = 1/0\n"
                  "}\n"
                  "Serial time = procnum == 0 ? 1 : 1/procnum\n",
                  1, 0, "  compute 1.000 s                               t.pevpm:7\n");
}

static void assert_fails(const char *text, int process, const char *expected)
{
    struct lowered l;
    lower(&l, text, 4);
    const struct instr *fail = find_instr(&l, process, INSTR_FAIL, 0);
    assert_string_equal(l.program->failures[fail->index].text, expected);
    release(&l);
}

static void indices_of_tables_are_looked_at(void **state)
{
    (void)state;
    assert_fails("Set t[3] = 1\nSerial time = t[2]\n", 0, "`t[2]` is used before it is Set");
    assert_fails("Set t[3] = 1\nSerial time = t[4]\n", 0, "`t[4]` is used before it is Set");
    assert_fails("Set t[3] = 1\nLoop iterations = 2 & from = t[0] & var = i\n{\n}\n", 0, "`t[0]` is used before it is Set");
    assert_fails("Set t[0] = 1\nCollective type = MPI_Alltoallv & size = t[partner]\n", 2,
                 "`t[1]` is used before it is Set, for partner 1");
    assert_fails("Set t[3] = 1\nSerial time = t[procnum-1]\n", 0,
                 "the index of a table is an integer from 0 on, below the number of its elements");
    assert_fails("Set t[procnum-1] = 1\n", 0, "the index of a table is an integer from 0 to 65534");
    assert_fails("Set t[0.5] = 1\n", 0, "the index of a table is an integer from 0 to 65534");
    assert_fails("Set t[65535] = 1\n", 0, "the index of a table is an integer from 0 to 65534");
    assert_fails("Message type = MPI_Recv & from = MPI_ANY_SOURCE & source = s\nSet t[s] = 1\n", 1,
                 "`t` has no elements yet: those that the run chooses from are Set before with indices that are known "
                 "before the run");
}

/* What is known before the run folds; what a loop's variable chooses stands in slots, and processes share the code. */
static void tables_are_known_or_shared(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "Loop iterations = 3 & var = i\n{\nSet t[i] = (procnum+i)%numprocs\n}\n"
              "Message type = MPI_Send & size = 8*t[2] & to = t[1]\n"
              "Set c = comm_split(t[0]%2, 0)\nCollective type = MPI_Barrier & comm = c\n", 4);
    assert_int_equal(count_of(&l, 3, INSTR_SET) + count_of(&l, 3, INSTR_LOOP), 0);
    assert_int_equal(find_instr(&l, 3, INSTR_SEND, 0)->bytes, 8);
    assert_int_equal(l.program->n_comms, 3);
    release(&l);
    lower(&l, "Loop iterations = 3 & var = i\n{\nSet t[i] = procnum+i\n}\n"
              "Loop iterations = 3 & var = i\n{\nSerial time = t[i]\n}\n", 64);
    assert_int_equal(l.program->n_roles, 1);
    assert_int_equal(count_of(&l, 3, INSTR_SET), 3);
    release(&l);
}

static void an_assert_of_what_the_run_knows_is_a_branch(void **state)
{
    (void)state;
    assert_prints("Message type = MPI_Recv & from = MPI_ANY_SOURCE & source = s\n"
                  "Assert s == 1 && numprocs == 2 \"from 1\"\n"
                  "Assert numprocs == 2 \"never said\"\n"
                  "Serial time = 1\n",
                  2, 0,
                  "  MPI_Recv from MPI_ANY_SOURCE, tag 0, source = s  t.pevpm:1\n"
                  "  if !(s == 1 && numprocs == 2)\n"
                  "    error: from 1                               t.pevpm:2\n"
                  "  compute 1.000 s                               t.pevpm:4\n");
}

static void what_follows_a_failure_is_dropped(void **state)
{
    (void)state;
    assert_prints("Loop iterations = 3 & var = i\n"
                  "{\n"
                  "Runon c1 = i == 1 & else\n"
                  "{\n"
                  "Serial time = -1\n"
                  "Serial time = 1\n"
                  "}\n"
                  "{\n"
                  "Serial time = 2\n"
                  "}\n"
                  "Serial time = 3\n"
                  "}\n"
                  "Serial time = 1/0\n"
                  "Serial time = 4\n",
                  1, 0,
                  "  loop 3 times, i from 0\n"
                  "    if i == 1\n"
                  "      error: a negative time: -1.000 s          t.pevpm:5\n"
                  "    compute 2.000 s                             t.pevpm:9\n"
                  "    compute 3.000 s                             t.pevpm:11\n"
                  "  error: division by zero                       t.pevpm:13\n");
    assert_prints("Set k = 0\n"
                  "Loop iterations = 2\n"
                  "{\n"
                  "Loop while = k\n"
                  "{\n"
                  "Serial time = 1\n"
                  "}\n"
                  "Set k = k + 1\n"
                  "}\n",
                  1, 0,
                  "  set k = 0                                     t.pevpm:1\n"
                  "  loop 2 times\n"
                  "    if k\n"
                  "      error: this loop never ends               t.pevpm:4\n"
                  "    set k = k + 1                               t.pevpm:8\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_lines_do_not_depend_on_being_reached),
        cmocka_unit_test(parameters_are_computed_once),
        cmocka_unit_test(calls_that_multiply_are_stopped),
        cmocka_unit_test(every_failure_has_its_text),
        cmocka_unit_test(nothing_is_said_of_what_is_not_reached),
        cmocka_unit_test(what_follows_a_failure_is_dropped),
        cmocka_unit_test(indices_of_tables_are_looked_at),
        cmocka_unit_test(tables_are_known_or_shared),
        cmocka_unit_test(an_assert_of_what_the_run_knows_is_a_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
