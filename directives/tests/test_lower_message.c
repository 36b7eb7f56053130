/* How messages and computations are lowered. */
#include "directives/tests/lowered.h"

/* ---- messages ---- */

static void every_operation_has_its_instruction(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Message type = MPI_Send & size = 1 & to = 1\n"
          "Message type = MPI_Rsend & size = 2 & to = 1 & tag = 77\n"
          "Message type = MPI_Bsend & size = 3 & to = 1\n"
          "Message type = MPI_Ssend & size = 4 & to = 1\n"
          "Message type = MPI_Isend & size = 5 & to = 1 & request = a\n"
          "Message type = MPI_Issend & size = 6 & to = 1 & request = b[2]\n"
          "Message type = MPI_Recv & from = 1\n"
          "Message type = MPI_Irecv & size = 8 & from = 1 & request = c\n"
          "Message type = MPI_Wait & request = a\n"
          "Message type = MPI_Waitall & request = (b[2], c)\n"
          "Message type = MPI_Waitall & request = b\n"
          "Message type = MPI_Waitall\n",
          2);
    static const enum instr_op expected[] = {
        INSTR_SEND, INSTR_SEND, INSTR_BSEND, INSTR_SSEND, INSTR_ISEND, INSTR_ISSEND, INSTR_RECV, INSTR_IRECV,
        INSTR_WAIT, INSTR_WAIT, INSTR_WAIT, INSTR_WAITALL, INSTR_END};
    const struct role *role = role_of(&l, 0);
    assert_int_equal(role->n_code, 13);
    for (int i = 0; i < 13; i++)
        assert_int_equal(role->code[i].op, expected[i]);
    assert_int_equal(role->code[1].tag, 77);
    assert_int_equal(role->code[1].bytes, 2);
    assert_string_equal(l.program->sites[role->code[1].site].what, "MPI_Rsend");
    assert_int_equal(role->code[4].n_requests, 1);
    assert_int_equal(role->code[0].n_requests, 0);
    assert_int_equal(role->code[4].first_request, role->code[8].first_request);
    const struct request_ref *both = &l.program->requests[role->code[9].first_request];
    assert_int_equal(role->code[9].n_requests, 2);
    assert_int_equal(both[0].index, 2);
    assert_false(both[0].whole);
    assert_int_equal(both[1].index, -1);
    assert_false(both[1].whole);
    const struct request_ref *whole = &l.program->requests[role->code[10].first_request];
    assert_true(whole->whole);
    assert_int_equal(whole->index, -1);
    assert_int_equal(whole->index_expr, -1);
    CAPTURE(printed, program_print(l.program, 0, false, out));
    assert_non_null(strstr(printed, "  MPI_Issend to 1, 6 bytes, tag 0, request b[2] t.pevpm:6\n"));
    assert_non_null(strstr(printed, "  MPI_Waitall (b[2], c)                         t.pevpm:10\n"));
    assert_non_null(strstr(printed, "  MPI_Waitall b[*]                              t.pevpm:11\n"));
    assert_non_null(strstr(printed, "  MPI_Waitall, all open requests                t.pevpm:12\n"));
    assert_non_null(strstr(printed, "  MPI_Recv from 1, tag 0                        t.pevpm:7\n"));
    free(printed);
    release(&l);
}

static void requests_may_be_computed(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Loop iterations = numprocs & var = i\n"
          "{\n"
          "Message type = MPI_Irecv & from = i & request = r[i*2]\n"
          "}\n"
          "Message type = MPI_Wait & request = r[procnum]\n",
          4);
    const struct request_ref *open = &l.program->requests[find_instr(&l, 3, INSTR_IRECV, 0)->first_request];
    struct value slots[2] = {value_int(0), value_int(3)}, index;
    assert_null(program_eval(l.program, open->index_expr, 3, slots, &index));
    assert_int_equal(index.i, 6);
    const struct request_ref *one = &l.program->requests[find_instr(&l, 3, INSTR_WAIT, 0)->first_request];
    assert_int_equal(one->index, 3);
    CAPTURE(printed, program_print(l.program, 3, false, out));
    assert_non_null(strstr(printed, "MPI_Irecv from i, tag 0, request r[i*2]"));
    free(printed);
    release(&l);
}

static void sendrecv_is_three_instructions(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Message type = MPI_Sendrecv & size = 100 & tag = 5 & to = (procnum+1)%numprocs & from = "
          "(procnum+2)%numprocs\n"
          "Message type = MPI_Sendrecv & size = 100 & tag = 5 & recv_size = 30 & recv_tag = 6 & to = MPI_PROC_NULL & "
          "from = 0\n"
          "Message type = MPI_Sendrecv & size = 100 & to = MPI_PROC_NULL & from = MPI_PROC_NULL\n",
          3);
    const struct role *role = role_of(&l, 1);
    assert_int_equal(role->n_code, 6);
    assert_int_equal(role->code[0].op, INSTR_IRECV);
    assert_int_equal(role->code[1].op, INSTR_ISEND);
    assert_int_equal(role->code[2].op, INSTR_WAIT);
    assert_int_equal(peer_of(&l, 1, &role->code[0]), 0);
    assert_int_equal(peer_of(&l, 1, &role->code[1]), 2);
    assert_int_equal(role->code[0].bytes, 100);
    assert_int_equal(role->code[0].tag, 5);
    assert_int_equal(role->code[2].n_requests, 2);
    const struct request_ref *requests = &l.program->requests[role->code[2].first_request];
    assert_int_equal(requests[0].name, -2);
    assert_int_equal(requests[1].name, -1);
    assert_int_equal(role->code[0].site, role->code[2].site);
    assert_int_equal(role->code[3].op, INSTR_IRECV);
    assert_int_equal(role->code[3].bytes, 30);
    assert_int_equal(role->code[3].tag, 6);
    assert_int_equal(role->code[4].n_requests, 1);
    assert_int_equal(l.program->requests[role->code[4].first_request].name, -2);
    CAPTURE(printed, program_print(l.program, 1, false, out));
    assert_non_null(strstr(printed, "  MPI_Sendrecv from 0, 100 bytes, tag 5         t.pevpm:1\n"
                                    "  MPI_Sendrecv to 2, 100 bytes, tag 5           t.pevpm:1\n"
                                    "  MPI_Sendrecv waits                            t.pevpm:1\n"));
    free(printed);
    release(&l);
}

static void nothing_goes_to_proc_null(void **state)
{
    (void)state;
    assert_prints("Message type = MPI_Send & size = 8 & to = procnum > 0 ? procnum - 1 : MPI_PROC_NULL\n"
                  "Message type = MPI_Recv & from = procnum > 0 ? procnum - 1 : MPI_PROC_NULL & source = s & "
                  "got_tag = t & got_size = n\n"
                  "Runon c1 = s < 0 && t < 0\n"
                  "{\n"
                  "Serial time = n + 3\n"
                  "}\n",
                  2, 0, "  compute 3.000 s                               t.pevpm:5\n");
    assert_prints("Loop iterations = 2\n"
                  "{\n"
                  "Serial time = n us\n"
                  "Message type = MPI_Recv & from = MPI_PROC_NULL & got_size = n\n"
                  "}\n",
                  1, 0,
                  "  loop 2 times\n"
                  "    compute n us                                t.pevpm:3\n"
                  "    set n = 0                                   t.pevpm:4\n");
}

static void a_receive_binds_its_status(void **state)
{
    (void)state;
    struct lowered l;
    const char *text = "Message type = MPI_Recv & from = 1 & source = s & got_size = n\n"
                       "Message type = MPI_Isend & to = 1 & size = n\n";
    lower(&l, text, 2);
    const struct instr *received = find_instr(&l, 0, INSTR_RECV, 0);
    assert_int_equal(received->binds, 1);
    assert_int_equal(received->bind[0], 0);
    assert_int_equal(received->bind[1], -1);
    assert_int_equal(received->bind[2], 1);
    assert_int_equal(find_instr(&l, 0, INSTR_ISEND, 0)->dynamic, DYNAMIC_BYTES);
    assert_int_equal(role_of(&l, 0)->n_slots, 2);
    assert_int_equal(role_of(&l, 0)->initial[1].kind, VALUE_NONE);
    release(&l);
    assert_prints(text, 2, 0,
                  "  MPI_Recv from 1, tag 0, source = s, got_size = n  t.pevpm:1\n"
                  "  MPI_Isend to 1, n bytes, tag 0                t.pevpm:2\n");
}

static void a_computed_executing_side_is_checked_by_the_run(void **state)
{
    (void)state;
    struct lowered l;
    const char *text = "Loop iterations = 2 & var = i\n"
                       "{\n"
                       "Message type = MPI_Isend & from = i & to = 0 & size = 8\n"
                       "}\n";
    lower(&l, text, 2);
    const struct instr *branch = find_instr(&l, 1, INSTR_BRANCH, 0);
    struct value slots[2] = {value_int(1), value_int(1)}, out;
    assert_null(program_eval(l.program, (int32_t)branch->count, 1, slots, &out));
    assert_false(value_is_true(out)); /* goes on to the send */
    assert_null(program_eval(l.program, (int32_t)branch->count, 0, slots, &out));
    assert_true(value_is_true(out));  /* fails */
    assert_int_equal(branch->target, 3);
    release(&l);
    assert_prints(text, 2, 1,
                  "  loop 2 times, i from 0\n"
                  "    if i != procnum\n"
                  "      error: `from` is not the process that executes this directive  t.pevpm:3\n"
                  "    MPI_Isend to 0, 8 bytes, tag 0              t.pevpm:3\n");
}

/* ---- what time decides ---- */

static void wildcards_are_operands(void **state)
{
    (void)state;
    const char *text = "Set from = procnum == 0 ? MPI_ANY_SOURCE : 0\n"
                       "Message type = MPI_Recv & from = from & tag = procnum == 0 ? 5 : MPI_ANY_TAG\n"
                       "Message type = MPI_Irecv & from = MPI_ANY_SOURCE & tag = MPI_ANY_TAG & request = r\n"
                       "Message type = MPI_Sendrecv & size = 8 & to = 0 & from = MPI_ANY_SOURCE & "
                       "recv_tag = MPI_ANY_TAG\n";
    struct lowered l;
    lower(&l, text, 2);
    assert_true(l.program->time_decides);
    assert_int_equal(find_instr(&l, 0, INSTR_RECV, 0)->peer, INSTR_ANY_SOURCE);
    assert_int_equal(find_instr(&l, 0, INSTR_RECV, 0)->tag, 5);
    assert_int_equal(find_instr(&l, 0, INSTR_RECV, 0)->dynamic, 0);
    assert_int_equal(peer_of(&l, 1, find_instr(&l, 1, INSTR_RECV, 0)), 0);
    assert_int_equal(find_instr(&l, 1, INSTR_RECV, 0)->tag, INSTR_ANY_TAG);
    assert_int_equal(find_instr(&l, 1, INSTR_IRECV, 1)->peer, INSTR_ANY_SOURCE);
    assert_int_equal(find_instr(&l, 1, INSTR_ISEND, 0)->tag, 0);
    release(&l);
    assert_prints(text, 2, 0,
                  "  MPI_Recv from MPI_ANY_SOURCE, tag 5           t.pevpm:2\n"
                  "  MPI_Irecv from MPI_ANY_SOURCE, tag MPI_ANY_TAG, request r  t.pevpm:3\n"
                  "  MPI_Sendrecv from MPI_ANY_SOURCE, 8 bytes, tag MPI_ANY_TAG  t.pevpm:4\n"
                  "  MPI_Sendrecv to 0, 8 bytes, tag 0             t.pevpm:4\n"
                  "  MPI_Sendrecv waits                            t.pevpm:4\n");
}

/* Known before the run, a start is the nonblocking operation; else the run finds what was made. */
static void a_start_is_what_was_made(void **state)
{
    (void)state;
    static const char known[] = "Loop iterations = 2 & var = i\n{\n"
                                "Message type = MPI_Recv_init & from = 1-procnum & tag = i & request = r[i]\n}\n"
                                "Message type = MPI_Ssend_init & to = 1-procnum & size = 8 & request = s\n"
                                "Message type = MPI_Startall & request = (r, s)\n"
                                "Message type = MPI_Waitall & request = (r, s)\n";
    assert_prints(known, 2, 0,
                  "  MPI_Startall from 1, tag 0, request r[0]      t.pevpm:6\n"
                  "  MPI_Startall from 1, tag 1, request r[1]      t.pevpm:6\n"
                  "  MPI_Startall to 1, 8 bytes, tag 0, request s  t.pevpm:6\n"
                  "  MPI_Waitall (r[*], s)                         t.pevpm:7\n");
    struct lowered l;
    lower(&l, known, 2);
    assert_int_equal(count_of(&l, 0, INSTR_IRECV), 2);
    assert_int_equal(count_of(&l, 0, INSTR_ISSEND), 1);
    assert_int_equal(l.program->n_roles, 2); /* 1 - procnum is no peer at a distance */
    assert_false(l.program->time_decides);
    release(&l);
    static const char found[] = "Message type = MPI_Send_init & to = 1 & size = 8 & request = r[0]\n"
                                "Message type = MPI_Bsend_init & to = 1 & size = 9 & tag = 3 & request = r[1]\n"
                                "Loop iterations = 2 & var = i\n{\n"
                                "Message type = MPI_Start & request = r[i]\n}\n";
    assert_prints(found, 2, 0,
                  "  MPI_Send_init keeps 1                         t.pevpm:1\n"
                  "  MPI_Send_init keeps 8                         t.pevpm:1\n"
                  "  MPI_Send_init keeps 0                         t.pevpm:1\n"
                  "  MPI_Bsend_init keeps 1                        t.pevpm:2\n"
                  "  MPI_Bsend_init keeps 9                        t.pevpm:2\n"
                  "  MPI_Bsend_init keeps 3                        t.pevpm:2\n"
                  "  MPI_Bsend_init keeps 1                        t.pevpm:2\n"
                  "  loop 2 times, i from 0\n"
                  "    if made[i] is the one of line 1\n"
                  "      MPI_Start to peer[i], size[i] bytes, tag 0, request r[i]  t.pevpm:5\n"
                  "    otherwise\n"
                  "      if made[i] is the one of line 2\n"
                  "        MPI_Start to peer[i], size[i] bytes, tag tag[i]  t.pevpm:5\n"
                  "      otherwise\n"
                  "        error: `r` is started after it was freed  t.pevpm:5\n");
}

/* What a start may find wrong, and where that is said. */
static void a_start_needs_what_was_made(void **state)
{
    (void)state;
    static const struct {
        const char *text, *problem;
    } cases[] = {
        {"Message type = MPI_Start & request = r\nMessage type = MPI_Send_init & to = 0 & size = 8 & request = r\n",
         "`r` is started before it is made"},
        {"Message type = MPI_Startall & request = r\nMessage type = MPI_Send_init & to = 0 & size = 8 & request = r[1]\n",
         "no element of `r` is made before"},
        {"Message type = MPI_Send_init & to = 0 & size = 8 & request = r\nMessage type = MPI_Request_free & request = r\n"
         "Message type = MPI_Start & request = r\n", "`r` is started after it was freed"},
        {"Message type = MPI_Send_init & to = 0 & size = 8 & request = r[3]\nMessage type = MPI_Request_free & request = r[3]\n"
         "Message type = MPI_Start & request = r[3]\n", "`r[3]` is started after it was freed"},
        {"Message type = MPI_Send_init & to = 2 & size = 8 & request = r\n", "process 2 is outside 0..1 (`to`)"},
        {"Message type = MPI_Recv_init & from = 0 & size = 0-8 & request = r\n", "a negative size: -8 bytes (`size`)"},
        {"Message type = MPI_Recv_init & from = 0 & request = r[70000]\n",
         "the index of a persistent request is an integer from 0 to 65534"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lowered l;
        lower(&l, cases[i].text, 2);
        const struct role *role = role_of(&l, 0);
        const struct instr *fail = &role->code[role->n_code - 2];
        assert_int_equal(fail->op, INSTR_FAIL);
        assert_string_equal(l.program->failures[fail->index].text, cases[i].problem);
        release(&l);
    }
}

static void waits_and_tests_have_their_instructions(void **state)
{
    (void)state;
    const char *text = "Message type = MPI_Irecv & from = 1 & request = a\n"
                       "Message type = MPI_Irecv & from = 1 & request = b[3]\n"
                       "Message type = MPI_Waitany & request = (a, b[3]) & index = i & source = s\n"
                       "Message type = MPI_Waitsome & request = b\n"
                       "Message type = MPI_Test & request = a & flag = f & got_size = n\n"
                       "Message type = MPI_Testall & request = (a, b) & flag = f\n"
                       "Message type = MPI_Testany & request = (a, b) & flag = f & index = i & got_tag = t\n"
                       "Message type = MPI_Wait & request = a & source = s & got_tag = t\n"
                       "Message type = MPI_Probe & from = MPI_ANY_SOURCE & source = s & got_size = n\n"
                       "Message type = MPI_Iprobe & from = 1 & tag = 6 & flag = f\n";
    struct lowered l;
    lower(&l, text, 2);
    static const enum instr_op expected[] = {INSTR_IRECV,   INSTR_IRECV, INSTR_WAITANY, INSTR_WAITSOME, INSTR_TEST,
                                             INSTR_TESTALL, INSTR_TESTANY, INSTR_WAIT, INSTR_PROBE, INSTR_IPROBE,
                                             INSTR_END};
    static const int n_requests[] = {1, 1, 2, 1, 1, 2, 2, 1, 0, 0, 0};
    const struct role *role = role_of(&l, 0);
    assert_int_equal(role->n_code, 11);
    for (int i = 0; i < 11; i++) {
        assert_int_equal(role->code[i].op, expected[i]);
        assert_int_equal(role->code[i].n_requests, n_requests[i]);
    }
    const struct instr *any = &role->code[2], *test = &role->code[4], *probe = &role->code[9];
    assert_int_equal(any->binds, 1);
    assert_true(any->bind[BIND_index] >= 0);
    assert_true(any->bind[BIND_source] >= 0 && any->bind[BIND_source] != any->bind[BIND_index]);
    assert_int_equal(any->bind[BIND_flag], -1);
    assert_true(test->bind[BIND_flag] >= 0 && test->bind[BIND_got_size] >= 0);
    assert_int_equal(test->bind[BIND_flag], probe->bind[BIND_flag]);
    assert_int_equal(role->code[3].binds, 0);
    assert_int_equal(probe->tag, 6);
    assert_int_equal(probe->bytes, 0);
    assert_int_equal(peer_of(&l, 0, probe), 1);
    assert_int_equal(role->n_slots, 5);
    release(&l);
    assert_prints(text, 2, 0,
                  "  MPI_Irecv from 1, tag 0, request a            t.pevpm:1\n"
                  "  MPI_Irecv from 1, tag 0, request b[3]         t.pevpm:2\n"
                  "  MPI_Waitany (a, b[3]), source = s, index = i  t.pevpm:3\n"
                  "  MPI_Waitsome b[*]                             t.pevpm:4\n"
                  "  MPI_Test a, got_size = n, flag = f            t.pevpm:5\n"
                  "  MPI_Testall (a, b[*]), flag = f               t.pevpm:6\n"
                  "  MPI_Testany (a, b[*]), got_tag = t, flag = f, index = i  t.pevpm:7\n"
                  "  MPI_Wait a, source = s, got_tag = t           t.pevpm:8\n"
                  "  MPI_Probe from MPI_ANY_SOURCE, tag 0, source = s, got_size = n  t.pevpm:9\n"
                  "  MPI_Iprobe from 1, tag 6, flag = f            t.pevpm:10\n");
}

static void a_sendrecv_binds_at_its_wait(void **state)
{
    (void)state;
    struct lowered l;
    const char *text = "Message type = MPI_Sendrecv & size = 8 & to = 1 & from = procnum == 0 ? MPI_ANY_SOURCE : "
                       "MPI_PROC_NULL & source = s\n"
                       "Message type = MPI_Isend & size = 8 & to = s\n";
    lower(&l, text, 2);
    const struct instr *wait = find_instr(&l, 0, INSTR_WAIT, 0);
    assert_int_equal(wait->binds, 1);
    assert_int_equal(wait->bind[BIND_source], 0);
    assert_int_equal(find_instr(&l, 0, INSTR_IRECV, 0)->binds, 0);
    assert_int_equal(find_instr(&l, 0, INSTR_ISEND, 1)->dynamic, DYNAMIC_PEER);
    assert_int_equal(find_instr(&l, 1, INSTR_WAIT, 0)->binds, 0);
    assert_int_equal(count_of(&l, 1, INSTR_ISEND), 1); /* the other goes to MPI_PROC_NULL */
    release(&l);
    assert_prints(text, 2, 0,
                  "  MPI_Sendrecv from MPI_ANY_SOURCE, 8 bytes, tag 0  t.pevpm:1\n"
                  "  MPI_Sendrecv to 1, 8 bytes, tag 0             t.pevpm:1\n"
                  "  MPI_Sendrecv waits, source = s                t.pevpm:1\n"
                  "  MPI_Isend to s, 8 bytes, tag 0                t.pevpm:2\n");
}

/* A polling loop: its condition is what the probe binds. A task farm's master: it answers whom it heard from. */
static void control_flow_may_depend_on_what_is_bound(void **state)
{
    (void)state;
    assert_prints("Set f = 0\n"
                  "Loop while = !f\n"
                  "{\n"
                  "Message type = MPI_Iprobe & from = MPI_ANY_SOURCE & flag = f & source = s\n"
                  "Serial time = 1 us\n"
                  "}\n"
                  "Message type = MPI_Recv & from = s & got_size = n\n"
                  "Runon c1 = n > 8\n"
                  "{\n"
                  "Message type = MPI_Send & to = s & size = n\n"
                  "}\n"
                  "Message type = MPI_Iprobe & from = MPI_PROC_NULL & flag = f\n"
                  "Message type = MPI_Probe & from = MPI_PROC_NULL & source = s\n",
                  2, 0,
                  "  set f = 0                                     t.pevpm:1\n"
                  "  loop while !f\n"
                  "    MPI_Iprobe from MPI_ANY_SOURCE, tag 0, source = s, flag = f  t.pevpm:4\n"
                  "    compute 1.000 us                            t.pevpm:5\n"
                  "  MPI_Recv from s, tag 0, got_size = n          t.pevpm:7\n"
                  "  if n > 8\n"
                  "    MPI_Send to s, n bytes, tag 0               t.pevpm:10\n"
                  "  set f = 1                                     t.pevpm:12\n"
                  "  set s = MPI_PROC_NULL                         t.pevpm:13\n");
}

static void time_decides_where_the_run_may_see_a_wildcard(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool time_decides;
    } programs[] = {
        {"Message type = MPI_Recv & from = 1 & got_tag = t\nMessage type = MPI_Recv & from = 1 & tag = t\n", false},
        {"Message type = MPI_Recv & from = 1 & source = s\nMessage type = MPI_Recv & from = s\n", false},
        {"Message type = MPI_Recv & from = MPI_ANY_SOURCE\n", true},
        {"Message type = MPI_Irecv & from = 1 & tag = MPI_ANY_TAG & request = r\n", true},
        {"Message type = MPI_Recv & from = 1 & got_size = n\n"
         "Message type = MPI_Recv & from = n > 2 ? MPI_ANY_SOURCE : 1\n", true},
        {"Message type = MPI_Recv & from = 1 & got_size = n\n"
         "Message type = MPI_Send & to = n > 2 ? MPI_PROC_NULL : 1 & size = 8\n", false},
        {"Message type = MPI_Recv & from = 1 & got_size = n\n"
         "Set x = n > 2 ? MPI_ANY_SOURCE : 1\n"
         "Message type = MPI_Recv & from = x\n", true},
        {"Message type = MPI_Recv & from = 1 & got_size = n\n"
         "Set x = n > 2 ? MPI_ANY_SOURCE : 1\n"
         "Message type = MPI_Recv & from = 1\n", false},
        {"Procedure p(x)\n{\nMessage type = MPI_Recv & from = x\n}\n"
         "Message type = MPI_Recv & from = 1 & got_size = n\n"
         "Call p(n > 2 ? MPI_ANY_SOURCE : 1)\n", true},
        {"Message type = MPI_Recv & from = 1 & got_size = n\n"
         "Message type = MPI_Recv & from = n > 2 ? MPI_PROC_NULL : 1 & got_tag = t\n"
         "Message type = MPI_Recv & from = 1 & tag = t\n", true},
        {"Message type = MPI_Iprobe & from = 1 & flag = f\n", true},
        {"Message type = MPI_Irecv & from = 1 & request = r\nMessage type = MPI_Waitsome & request = r\n", true},
        {"Message type = MPI_Irecv & from = 1 & request = r\nMessage type = MPI_Wait & request = r\n", false},
        {"Message type = MPI_Irecv & from = 1 & request = r\nMessage type = MPI_Wait & request = r & got_size = n\n",
         true},
        {"Runon c1 = numprocs > 2\n{\nMessage type = MPI_Recv & from = MPI_ANY_SOURCE\n}\n", false},
        {"Collective type = MPI_Barrier\n", false},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct lowered l;
        lower(&l, programs[i].text, 2);
        if (l.program->time_decides != programs[i].time_decides)
            fail_msg("%s", programs[i].text);
        release(&l);
    }
}

static void neighbours_may_be_kept_in_variables(void **state)
{
    (void)state;
    const char *text = "Set left = procnum == 0 ? MPI_PROC_NULL : procnum - 1\n"
                       "Message type = MPI_Isend & to = left & size = 8\n"
                       "Runon c1 = left != MPI_PROC_NULL\n"
                       "{\n"
                       "Serial time = 1 ms\n"
                       "}\n";
    assert_prints(text, 5, 0, "");
    assert_prints(text, 5, 4,
                  "  MPI_Isend to 3, 8 bytes, tag 0                t.pevpm:2\n"
                  "  compute 1.000 ms                              t.pevpm:5\n");
    struct lowered l;
    lower(&l, text, 5);
    assert_int_equal(l.program->n_roles, 2);
    release(&l);
}

/* ---- computation ---- */

static void serial_lines_choose_their_machine(void **state)
{
    (void)state;
    const char *text = "Serial on titan time = 7\n"
                       "Serial on perseus time = 3.25\n"
                       "Serial time = 9\n"
                       "Loop iterations = 2\n"
                       "{\n"
                       "Serial on perseus time = 4 us\n"
                       "}\n";
    assert_prints(text, 1, 0,
                  "  compute 3.250 ms                              t.pevpm:2\n"
                  "  loop 2 times\n"
                  "    compute 4.000 us                            t.pevpm:6\n");
    struct lowered l;
    struct lower_options options = options_for(1);
    options.machine = "cray";
    lower_with(&l, "Serial on titan time = 7\nSerial time = 9\n", &options);
    assert_int_equal(l.status, STATUS_OK);
    assert_true(find_instr(&l, 0, INSTR_SERIAL, 0)->seconds > 8.99);
    assert_int_equal(l.program->sites[find_instr(&l, 0, INSTR_SERIAL, 0)->site].at.line, 2);
    release(&l);
}

static void adjacent_serials_stay_apart(void **state)
{
    (void)state;
    assert_prints("Serial time = 1 ms\n"
                  "Serial time = 2 ms\n",
                  1, 0,
                  "  compute 1.000 ms                              t.pevpm:1\n"
                  "  compute 2.000 ms                              t.pevpm:2\n");
}

static void distributions_become_samples(void **state)
{
    (void)state;
    struct lowered l;
    const char *text = "Serial time = normal(8, 0.5) us\n"
                       "Serial time = lognormal(2.385, 1) ms\n"
                       "Serial time = uniform(1, 2) min\n"
                       "Serial time = gamma(3.5, 2) ms\n"
                       "Serial time = measured(stencil)\n"
                       "Serial time = measured(exchange, 10*numprocs)\n"
                       "Loop iterations = 2 & var = i\n"
                       "{\n"
                       "Serial on perseus time = exponential(2.5)\n"
                       "Set k = i\n"
                       "Serial time = gamma(i + 1, 2 + i) ms\n"
                       "Serial time = measured(exchange, i)\n"
                       "}\n";
    assert_prints(text, 4, 0,
                  "  compute normal(8.000 us, 500.0 ns)            t.pevpm:1\n"
                  "  compute lognormal(2.385 ms, 1.000 ms)         t.pevpm:2\n"
                  "  compute uniform(60.00 s, 120.0 s)             t.pevpm:3\n"
                  "  compute gamma(3.5, 2.000 ms)                  t.pevpm:4\n"
                  "  compute measured(stencil)                     t.pevpm:5\n"
                  "  compute measured(exchange, 40)                t.pevpm:6\n"
                  "  loop 2 times, i from 0\n"
                  "    compute exponential(2.500 ms)               t.pevpm:9\n"
                  "    set k = i                                   t.pevpm:10\n"
                  "    compute gamma(i + 1, (2 + i) ms)            t.pevpm:11\n"
                  "    compute measured(exchange, i)               t.pevpm:12\n");
    lower(&l, text, 4);
    assert_int_equal(l.program->n_serials, 9);
    const struct serial_ref *drawn = &l.program->serials[find_instr(&l, 3, INSTR_SAMPLE, 7)->index];
    assert_true(drawn->dynamic[0] && drawn->dynamic[1]);
    struct value slots[3] = {value_int(-1), value_int(0), value_int(4)}, out; /* k, the loop, i */
    assert_null(program_eval(l.program, drawn->expr[1], 3, slots, &out));
    double expected = 6 * 1e-3, got = value_as_real(out);
    assert_memory_equal(&got, &expected, sizeof got);
    assert_null(program_eval(l.program, drawn->expr[0], 3, slots, &out));
    assert_int_equal(out.i, 5);
    release(&l);
}

/* Of the instructions that a fence or an unlock is made of one is shown. */
static void a_fence_and_an_unlock_are_one_line(void **state)
{
    (void)state;
    static const char program[] =
        "Message type = MPI_Win_fence & window = w\n"
        "Message type = MPI_Put & window = w & to = 0 & size = 8*procnum\n"
        "Message type = MPI_Win_fence & window = w\n"
        "Set half = comm_split(procnum%2, 0)\n"
        "Message type = MPI_Win_lock & window = v & comm = half & to = 0 & exclusive = procnum > 0\n"
        "Message type = MPI_Get & window = v & comm = half & from = 0 & size = 64\n"
        "Message type = MPI_Win_flush & window = v & comm = half & to = 0\n"
        "Message type = MPI_Win_unlock & window = v & comm = half & to = 0\n";
    struct lowered l;
    lower(&l, program, 4);
    assert_true(l.program->time_decides);
    CAPTURE(printed, program_print(l.program, 2, false, out));
    assert_string_equal(printed, "process 2 of 4 (node 2)\n"
                                 "  MPI_Win_fence, window w                       t.pevpm:1\n"
                                 "  MPI_Put to 0, 16 bytes, window w              t.pevpm:2\n"
                                 "  MPI_Win_fence, window w                       t.pevpm:3\n"
                                 "  MPI_Win_lock to 0, exclusive 1, window v, comm half (rank 1 of 2)  t.pevpm:5\n"
                                 "  MPI_Get from 0, 64 bytes, window v, comm half (rank 1 of 2)  t.pevpm:6\n"
                                 "  MPI_Win_flush to 0, window v, comm half (rank 1 of 2)  t.pevpm:7\n"
                                 "  MPI_Win_unlock to 0, window v, comm half (rank 1 of 2)  t.pevpm:8\n");
    free(printed);
    release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_has_its_instruction),
        cmocka_unit_test(requests_may_be_computed),
        cmocka_unit_test(sendrecv_is_three_instructions),
        cmocka_unit_test(nothing_goes_to_proc_null),
        cmocka_unit_test(a_receive_binds_its_status),
        cmocka_unit_test(a_computed_executing_side_is_checked_by_the_run),
        cmocka_unit_test(wildcards_are_operands),
        cmocka_unit_test(a_start_is_what_was_made),
        cmocka_unit_test(a_start_needs_what_was_made),
        cmocka_unit_test(waits_and_tests_have_their_instructions),
        cmocka_unit_test(a_sendrecv_binds_at_its_wait),
        cmocka_unit_test(control_flow_may_depend_on_what_is_bound),
        cmocka_unit_test(time_decides_where_the_run_may_see_a_wildcard),
        cmocka_unit_test(neighbours_may_be_kept_in_variables),
        cmocka_unit_test(serial_lines_choose_their_machine),
        cmocka_unit_test(a_fence_and_an_unlock_are_one_line),
        cmocka_unit_test(adjacent_serials_stay_apart),
        cmocka_unit_test(distributions_become_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
