/* What processes do, which of them share a role, and how loops, conditions and variables are lowered. */
#include "directives/tests/lowered.h"

#include <time.h>

/* ---- the paper's example ---- */

static const char jacobi[] =
    "Param xsize = 256\n"
    "Param iterations = 100000\n"
    "Loop iterations = iterations\n"
    "{\n"
    "Runon c1 = procnum%2 == 0 & c2 = procnum%2 != 0\n"
    "{\n"
    "Runon c1 = procnum != 0\n"
    "{\n"
    "Message type = MPI_Send & size = xsize*sizeof(float) & from = procnum & to = procnum-1\n"
    "}\n"
    "Message type = MPI_Send & size = xsize*sizeof(float) & from = procnum & to = procnum+1\n"
    "Message type = MPI_Recv & size = xsize*sizeof(float) & from = procnum+1 & to = procnum\n"
    "Runon c1 = procnum != 0\n"
    "{\n"
    "Message type = MPI_Recv & size = xsize*sizeof(float) & from = procnum-1 & to = procnum\n"
    "}\n"
    "}\n"
    "{\n"
    "Runon c1 = procnum != numprocs-1\n"
    "{\n"
    "Message type = MPI_Recv & size = xsize*sizeof(float) & from = procnum+1 & to = procnum\n"
    "}\n"
    "Message type = MPI_Recv & size = xsize*sizeof(float) & from = procnum-1 & to = procnum\n"
    "Message type = MPI_Send & size = xsize*sizeof(float) & from = procnum & to = procnum-1\n"
    "Runon c1 = procnum != numprocs-1\n"
    "{\n"
    "Message type = MPI_Send & size = xsize*sizeof(float) & from = procnum & to = procnum+1\n"
    "}\n"
    "}\n"
    "Serial on perseus time = 3.24/numprocs\n"
    "}\n";

static void jacobi_prints_as_it_reads(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, jacobi, 4);
    CAPTURE(first, program_print(l.program, 0, false, out));
    assert_string_equal(first, "process 0 of 4 (node 0)\n"
                               "  loop 100000 times\n"
                               "    MPI_Send to 1, 1024 bytes, tag 0            t.pevpm:11\n"
                               "    MPI_Recv from 1, 1024 bytes, tag 0          t.pevpm:12\n"
                               "    compute 810.0 us                            t.pevpm:30\n");
    free(first);
    CAPTURE(third, program_print(l.program, 3, false, out));
    assert_string_equal(third, "process 3 of 4 (node 3)\n"
                               "  loop 100000 times\n"
                               "    MPI_Recv from 2, 1024 bytes, tag 0          t.pevpm:23\n"
                               "    MPI_Send to 2, 1024 bytes, tag 0            t.pevpm:24\n"
                               "    compute 810.0 us                            t.pevpm:30\n");
    free(third);
    release(&l);
}

static void jacobi_has_four_roles(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, jacobi, 64);
    assert_int_equal(l.program->n_roles, 4); /* first, even, odd, last */
    assert_int_equal(l.program->role_of[2], l.program->role_of[62]);
    assert_int_equal(l.program->role_of[1], l.program->role_of[61]);
    assert_int_not_equal(l.program->role_of[0], l.program->role_of[2]);
    assert_int_not_equal(l.program->role_of[63], l.program->role_of[61]);
    const struct role *even = role_of(&l, 10);
    assert_int_equal(even->n_code, 8); /* LOOP, four messages, SERIAL, NEXT, END */
    assert_int_equal(even->n_peers, 2);
    assert_int_equal(even->n_slots, 1);
    assert_int_equal(even->initial[0].kind, VALUE_INT);
    assert_int_equal(peer_of(&l, 10, find_instr(&l, 10, INSTR_SEND, 0)), 9);
    assert_int_equal(peer_of(&l, 10, find_instr(&l, 10, INSTR_SEND, 1)), 11);
    const struct instr *loop = find_instr(&l, 10, INSTR_LOOP, 0), *next = find_instr(&l, 10, INSTR_NEXT, 0);
    assert_int_equal(loop->count, 100000);
    assert_int_equal(loop->target, 7);
    assert_int_equal(next->target, 1);
    assert_int_equal(next->slot, loop->slot);
    double seconds = find_instr(&l, 10, INSTR_SERIAL, 0)->seconds, expected = 3.24 / 64 * 1e-3;
    assert_memory_equal(&seconds, &expected, sizeof seconds);
    assert_int_equal(l.program->n_exprs, 0);
    assert_int_equal(l.program->n_failures, 0);
    release(&l);
}

static void many_processes_lower_fast(void **state)
{
    (void)state;
    struct lowered l;
    clock_t start = clock();
    lower(&l, jacobi, 65536);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_true(seconds < 3); /* 0.05 s here; sanitizers and a busy machine take longer */
    assert_int_equal(l.program->n_roles, 4);
    assert_in_range(l.program->n_sites, 1, 20);
    release(&l);
}

static void an_odd_number_of_processes_fails_only_in_the_last(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, jacobi, 5);
    for (int process = 0; process < 4; process++)
        assert_int_equal(count_of(&l, process, INSTR_FAIL), 0);
    const struct failure *failure = &l.program->failures[find_instr(&l, 4, INSTR_FAIL, 0)->index];
    assert_string_equal(failure->text, "process 5 is outside 0..4 (`to`)");
    assert_int_equal(failure->status, STATUS_RANGE);
    assert_int_equal(failure->process, 4);
    assert_int_equal(l.program->sites[failure->site].at.line, 11);
    release(&l);
}

/* ---- sharing ---- */

static void a_ring_has_three_roles(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Message type = MPI_Isend & size = 8 & to = (procnum+1)%numprocs & request = r\n"
          "Message type = MPI_Recv & from = (procnum+numprocs-1)%numprocs\n"
          "Message type = MPI_Wait & request = r\n",
          1000);
    assert_int_equal(l.program->n_roles, 3);
    for (int process = 0; process < 1000; process++) {
        assert_int_equal(peer_of(&l, process, find_instr(&l, process, INSTR_ISEND, 0)), (process + 1) % 1000);
        assert_int_equal(peer_of(&l, process, find_instr(&l, process, INSTR_RECV, 0)), (process + 999) % 1000);
    }
    assert_int_equal(find_instr(&l, 0, INSTR_RECV, 0)->bytes == INT64_MAX, 1);
    release(&l);
}

static void peers_are_relative_only_where_they_come_from_procnum(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Runon c1 = procnum == 0 & else\n"
          "{\n"
          "Message type = MPI_Isend & size = 8 & to = numprocs - 1\n"
          "}\n"
          "{\n"
          "Set master = procnum > 0 ? 0 : 1\n"
          "Set left = procnum - 1\n"
          "Message type = MPI_Isend & size = 8 & to = master\n"
          "Message type = MPI_Isend & size = 8 & to = left\n"
          "}\n",
          100);
    assert_int_equal(l.program->n_roles, 2);
    assert_int_equal(peer_of(&l, 70, find_instr(&l, 70, INSTR_ISEND, 0)), 0);
    assert_int_equal(peer_of(&l, 70, find_instr(&l, 70, INSTR_ISEND, 1)), 69);
    assert_int_equal(count_of(&l, 70, INSTR_SET), 0);
    assert_int_equal(role_of(&l, 70)->n_slots, 0);
    release(&l);
}

static void a_hypercube_in_a_loop_is_one_role(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Loop iterations = ilog2(numprocs) & var = d\n"
          "{\n"
          "Message type = MPI_Sendrecv & size = 1024*pow(2,d) & tag = d\n"
          "&  to = procnum/pow(2,d)%2 == 0 ? procnum + pow(2,d) : procnum - pow(2,d)\n"
          "&  from = procnum/pow(2,d)%2 == 0 ? procnum + pow(2,d) : procnum - pow(2,d)\n"
          "}\n",
          64);
    assert_int_equal(l.program->n_roles, 1);
    const struct instr *loop = find_instr(&l, 0, INSTR_LOOP, 0), *sent = find_instr(&l, 0, INSTR_ISEND, 0);
    assert_int_equal(loop->has_variable, 1);
    assert_int_equal(loop->from, -1);
    assert_int_equal(sent->dynamic, DYNAMIC_PEER | DYNAMIC_BYTES | DYNAMIC_TAG);
    struct value slots[2] = {{VALUE_INT, {.i = 0}}, {VALUE_INT, {.i = 0}}}, out;
    assert_int_equal(role_of(&l, 0)->n_slots, 2);
    for (int process = 0; process < 64; process++) {
        for (int d = 0; d < 6; d++) {
            slots[loop->slot + 1] = value_int(d);
            assert_null(program_eval(l.program, sent->peer, process, slots, &out));
            assert_int_equal(out.i, process ^ 1 << d);
            assert_null(program_eval(l.program, (int32_t)sent->bytes, process, slots, &out));
            assert_int_equal(out.i, 1024 << d);
        }
    }
    release(&l);
}

static void recursion_ends_where_folding_ends_it(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Procedure reduce(d, last)\n"
          "{\n"
          "Runon c1 = d < last & else\n"
          "{\n"
          "Runon c1 = procnum%(2*d) == 0 & c2 = procnum%(2*d) == d\n"
          "{\n"
          "Message type = MPI_Recv & from = procnum + d & tag = d\n"
          "}\n"
          "{\n"
          "Message type = MPI_Send & to = procnum - d & size = 8 & tag = d\n"
          "}\n"
          "Call reduce(2*d, last)\n"
          "}\n"
          "{\n"
          "Serial time = d ms\n"
          "}\n"
          "}\n"
          "Call reduce(1, numprocs)\n",
          16);
    assert_int_equal(count_of(&l, 0, INSTR_RECV), 4);
    assert_int_equal(count_of(&l, 0, INSTR_SEND), 0);
    assert_int_equal(count_of(&l, 12, INSTR_RECV), 2);
    assert_int_equal(peer_of(&l, 12, find_instr(&l, 12, INSTR_SEND, 0)), 8);
    assert_int_equal(l.program->n_roles, 5); /* one for each number of trailing zeros */
    double seconds = find_instr(&l, 5, INSTR_SERIAL, 0)->seconds, expected = 16 * 1e-3;
    assert_memory_equal(&seconds, &expected, sizeof seconds);
    release(&l);
}

/* ---- variables and control ---- */

static void known_variables_leave_no_trace(void **state)
{
    (void)state;
    assert_prints("Param k = 3\n"
                  "Set k = k + 4\n"
                  "Message type = MPI_Isend & size = k & to = 1\n"
                  "Set k = k*2.5\n"
                  "Message type = MPI_Isend & size = 2*k & to = 1\n",
                  2, 0,
                  "  MPI_Isend to 1, 7 bytes, tag 0                t.pevpm:3\n"
                  "  MPI_Isend to 1, 35 bytes, tag 0               t.pevpm:5\n");
}

static void variables_set_in_a_loop_are_set_before_it_too(void **state)
{
    (void)state;
    struct lowered l;
    const char *text = "Param other = 9\n"
                       "Set bytes = 8*(procnum + 1)\n"
                       "Set other = 2\n"
                       "Loop iterations = 10\n"
                       "{\n"
                       "Message type = MPI_Isend & size = bytes & to = procnum & tag = other\n"
                       "Set bytes = 2*bytes\n"
                       "Set other = 2\n"
                       "}\n"
                       "Message type = MPI_Isend & size = bytes & to = procnum & tag = other\n";
    assert_prints(text, 4, 3,
                  "  set bytes = 8*(procnum + 1)                   t.pevpm:2\n"
                  "  set other = 2                                 t.pevpm:3\n"
                  "  loop 10 times\n"
                  "    MPI_Isend to 3, bytes bytes, tag other      t.pevpm:6\n"
                  "    set bytes = 2*bytes                         t.pevpm:7\n"
                  "    set other = 2                               t.pevpm:8\n"
                  "  MPI_Isend to 3, bytes bytes, tag 2            t.pevpm:10\n");
    lower(&l, text, 4);
    assert_int_equal(l.program->n_roles, 1); /* though bytes is known, and different, at first */
    assert_int_equal(role_of(&l, 0)->n_slots, 3);
    assert_int_equal(role_of(&l, 0)->initial[0].kind, VALUE_NONE);
    assert_int_equal(role_of(&l, 0)->initial[1].kind, VALUE_INT); /* other: the Param's */
    assert_int_equal(role_of(&l, 0)->initial[1].i, 9);
    release(&l);
}

static void loops_nest_with_their_variables(void **state)
{
    (void)state;
    assert_prints("Loop iterations = 3 & var = i\n"
                  "{\n"
                  "Loop iterations = i + 1 & var = j & from = 2*i\n"
                  "{\n"
                  "Serial time = i*j us\n"
                  "Loop iterations = 1 & var = once & from = 5\n"
                  "{\n"
                  "Serial time = once + 1\n"
                  "}\n"
                  "}\n"
                  "Loop iterations = 2 & from = 4 & var = j\n"
                  "{\n"
                  "Serial on perseus time = j\n"
                  "}\n"
                  "}\n",
                  2, 1,
                  "  loop 3 times, i from 0\n"
                  "    loop i + 1 times, j from 2*i\n"
                  "      compute i*j us                            t.pevpm:5\n"
                  "      compute 6.000 s                           t.pevpm:8\n"
                  "    loop 2 times, j from 4\n"
                  "      compute j ms                              t.pevpm:13\n");
}

static void loops_without_work_vanish(void **state)
{
    (void)state;
    assert_prints("Loop iterations = 0\n"
                  "{\n"
                  "Message type = MPI_Send & size = 1/0 & to = -7\n"
                  "}\n"
                  "Loop iterations = -3\n"
                  "{\n"
                  "Serial time = 1\n"
                  "}\n"
                  "Loop iterations = 1000000\n"
                  "{\n"
                  "Serial time = 0\n"
                  "}\n"
                  "Loop while = 0\n"
                  "{\n"
                  "Serial time = -1\n"
                  "}\n",
                  2, 0, "");
}

static void a_loop_forgets_what_procedures_assign(void **state)
{
    (void)state;
    assert_prints("Set k = 1\n"
                  "Set m = 1\n"
                  "Loop iterations = 4\n"
                  "{\n"
                  "Serial time = k ms\n"
                  "Serial time = m ms\n"
                  "Call outer()\n"
                  "}\n"
                  "Procedure outer()\n"
                  "{\n"
                  "Call inner()\n"
                  "}\n"
                  "Procedure inner()\n"
                  "{\n"
                  "Set k = k + 1\n"
                  "}\n",
                  1, 0,
                  "  set k = 1                                     t.pevpm:1\n"
                  "  loop 4 times\n"
                  "    compute k ms                                t.pevpm:5\n"
                  "    compute 1.000 ms                            t.pevpm:6\n"
                  "    set k = k + 1                               t.pevpm:15\n");
}

static void unknown_conditions_branch(void **state)
{
    (void)state;
    const char *text = "Loop iterations = 6 & var = i\n"
                       "{\n"
                       "Set k = 0\n"
                       "Runon c1 = procnum == 5 & c2 = i%3 == 0 & c3 = i%3 == procnum & else\n"
                       "{\n"
                       "Serial time = 1/0\n"
                       "}\n"
                       "{\n"
                       "Serial time = 1 ms\n"
                       "Set k = 1\n"
                       "}\n"
                       "{\n"
                       "Serial time = 2 ms\n"
                       "}\n"
                       "{\n"
                       "Serial time = 3 ms\n"
                       "}\n"
                       "Serial time = k us\n"
                       "}\n";
    assert_prints(text, 2, 1,
                  "  loop 6 times, i from 0\n"
                  "    set k = 0                                   t.pevpm:3\n"
                  "    if i%3 == 0\n"
                  "      compute 1.000 ms                          t.pevpm:9\n"
                  "      set k = 1                                 t.pevpm:10\n"
                  "    otherwise\n"
                  "      if i%3 == procnum\n"
                  "        compute 2.000 ms                        t.pevpm:13\n"
                  "      otherwise\n"
                  "        compute 3.000 ms                        t.pevpm:16\n"
                  "    compute k us                                t.pevpm:18\n");
    struct lowered l;
    lower(&l, text, 2);
    assert_int_equal(l.program->n_roles, 1); /* procnum stays in the condition */
    const struct role *role = role_of(&l, 0);
    /* LOOP SET BRANCH SERIAL SET JUMP BRANCH SERIAL JUMP SERIAL SERIAL NEXT END */
    assert_int_equal(role->n_code, 13);
    assert_int_equal(role->code[2].target, 6);
    assert_int_equal(role->code[5].target, 10);
    assert_int_equal(role->code[6].target, 9);
    assert_int_equal(role->code[8].target, 10);
    release(&l);
}

static void a_condition_known_behind_an_unknown_one_ends_the_chain(void **state)
{
    (void)state;
    assert_prints("Loop iterations = 6 & var = i\n"
                  "{\n"
                  "Runon c1 = i == 2 & c2 = 1 & c3 = 1/0\n"
                  "{\n"
                  "}\n"
                  "{\n"
                  "Serial time = 2 ms\n"
                  "}\n"
                  "{\n"
                  "}\n"
                  "}\n",
                  1, 0,
                  "  loop 6 times, i from 0\n"
                  "    if i == 2\n"
                  "    otherwise\n"
                  "      compute 2.000 ms                          t.pevpm:7\n");
}

static void while_loops_test_at_the_top(void **state)
{
    (void)state;
    const char *text = "Set k = numprocs\n"
                       "Loop while = k > 1\n"
                       "{\n"
                       "Serial time = k ms\n"
                       "Set k = k/2\n"
                       "}\n"
                       "Serial time = k us\n";
    assert_prints(text, 8, 1,
                  "  set k = numprocs                              t.pevpm:1\n"
                  "  loop while k > 1\n"
                  "    compute k ms                                t.pevpm:4\n"
                  "    set k = k/2                                 t.pevpm:5\n"
                  "  compute k us                                  t.pevpm:7\n");
    assert_prints(text, 1, 0, "  compute 1.000 us                              t.pevpm:7\n");
}

static void arguments_are_bound_by_value(void **state)
{
    (void)state;
    assert_prints("Procedure work(n, t)\n"
                  "{\n"
                  "Set k = 100\n"
                  "Serial time = n*t us\n"
                  "Runon c1 = n > 50\n"
                  "{\n"
                  "Call work(t, n)\n"
                  "}\n"
                  "}\n"
                  "Set k = 60\n"
                  "Call work(k, 7)\n"
                  "Loop iterations = 2 & var = i\n"
                  "{\n"
                  "Call work(3, i + 1)\n"
                  "}\n",
                  1, 0,
                  "  compute 420.0 us                              t.pevpm:4\n"
                  "  compute 420.0 us                              t.pevpm:4\n"
                  "  loop 2 times, i from 0\n"
                  "    set t = i + 1                               t.pevpm:14\n"
                  "    compute n*t us                              t.pevpm:4\n");
}

/* ---- what the run asks ---- */

static void dynamic_operands_are_checked_in_the_same_words(void **state)
{
    (void)state;
    struct lowered l;
    char text[PROGRAM_TEXT_BYTES];
    int32_t peer = -7, tag = -7;
    int64_t i = -7;
    double seconds = -7;
    lower(&l, "Serial time = 1\n", 4);
    assert_int_equal(program_check_peer(l.program, 0, INSTR_SEND, value_int(3), &peer, text), STATUS_OK);
    assert_int_equal(peer, 3);
    const struct value null = value_int(PROGRAM_PROC_NULL);
    assert_int_equal(program_check_peer(l.program, 0, INSTR_RECV, null, &peer, text), STATUS_OK);
    assert_int_equal(peer, -1);
    assert_int_equal(program_check_peer(l.program, 0, INSTR_IRECV, value_int(4), &peer, text), STATUS_RANGE);
    assert_string_equal(text, "process 4 is outside 0..3 (`from`)");
    const struct value wildcard = value_int(PROGRAM_WILDCARD);
    assert_int_equal(program_check_peer(l.program, 0, INSTR_IRECV, wildcard, &peer, text), STATUS_OK);
    assert_int_equal(peer, INSTR_ANY_SOURCE);
    assert_int_equal(program_check_peer(l.program, 0, INSTR_PROBE, wildcard, &peer, text), STATUS_OK);
    assert_int_equal(program_check_peer(l.program, 0, INSTR_SSEND, wildcard, &peer, text), STATUS_RANGE);
    assert_string_equal(text, "a message needs one receiver, not a wildcard (`to`)");
    assert_int_equal(program_check_peer(l.program, 0, INSTR_ISEND, value_real(2.0), &peer, text), STATUS_OK);
    assert_int_equal(peer, 2);
    assert_int_equal(program_check_bytes(value_int(0), &i, text), STATUS_OK);
    assert_int_equal(i, 0);
    assert_int_equal(program_check_bytes(value_int(-9), &i, text), STATUS_RANGE);
    assert_string_equal(text, "a negative size: -9 bytes (`size`)");
    assert_int_equal(program_check_tag(INSTR_IPROBE, value_int(2385), &tag, text), STATUS_OK);
    assert_int_equal(tag, 2385);
    assert_int_equal(program_check_tag(INSTR_IPROBE, value_int(PROGRAM_PROC_NULL), &tag, text), STATUS_RANGE);
    assert_string_equal(text, "a negative tag: MPI_PROC_NULL (`tag`)");
    assert_int_equal(program_check_tag(INSTR_RECV, wildcard, &tag, text), STATUS_OK);
    assert_int_equal(tag, INSTR_ANY_TAG);
    assert_int_equal(program_check_tag(INSTR_ISEND, wildcard, &tag, text), STATUS_RANGE);
    assert_string_equal(text, "a message that is sent needs one tag, not a wildcard (`tag`)");
    int32_t root = -7;
    assert_int_equal(program_check_root(l.program, 0, value_int(3), &root, text), STATUS_OK);
    assert_int_equal(root, 3);
    assert_int_equal(program_check_root(l.program, 0, value_int(4), &root, text), STATUS_RANGE);
    assert_string_equal(text, "process 4 is outside 0..3 (`root`)");
    assert_int_equal(program_check_count(value_int(-3), &i, text), STATUS_OK);
    assert_int_equal(i, 0);
    assert_int_equal(program_check_count(value_real(1e5), &i, text), STATUS_OK);
    assert_int_equal(i, 100000);
    assert_int_equal(program_check_first(value_int(-3), &i, text), STATUS_OK);
    assert_int_equal(i, -3);
    assert_int_equal(program_check_seconds(value_real(2.385), &seconds, text), STATUS_OK);
    assert_true(seconds > 2.38 && seconds < 2.39);
    assert_int_equal(program_check_seconds(value_int(-1), &seconds, text), STATUS_RANGE);
    assert_string_equal(text, "a negative time: -1.000 s");
    release(&l);
}

static void a_problem_of_the_run_has_its_own_place(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Loop iterations = 3 & var = i\n"
          "{\n"
          "Message type = MPI_Isend & size = 6/i & to = procnum\n"
          "}\n",
          2);
    const struct instr *instr = find_instr(&l, 1, INSTR_ISEND, 0);
    struct value slots[2] = {value_int(3), value_int(0)}, value;
    const char *problem = program_eval(l.program, (int32_t)instr->bytes, 1, slots, &value);
    assert_string_equal(problem, "division by zero");
    program_report(l.program, program_expr_site(l.program, (int32_t)instr->bytes), 1, problem, &l.diags);
    CAPTURE(printed, print_diags(&l.diags, out));
    assert_string_equal(printed, "t.pevpm:3:35: error: MPI_Isend: division by zero, in process 1 (of 2)\n"
                                 "    3 | Message type = MPI_Isend & size = 6/i & to = procnum\n"
                                 "      |                                   ^~~\n");
    free(printed);
    release(&l);
}

static void processes_map_to_nodes(void **state)
{
    (void)state;
    struct lowered l;
    struct lower_options options = options_for(6);
    options.nodes = 3;
    options.ppn = 2;
    const char *text = "Message type = MPI_Isend & size = 8 & to = node*2\n";
    lower_with(&l, text, &options);
    assert_int_equal(program_node(l.program, 5), 2);
    assert_int_equal(program_node(l.program, 1), 0);
    assert_int_equal(l.program->n_roles, 2); /* to itself, to the process before */
    release(&l);
    options.cyclic = true;
    lower_with(&l, text, &options);
    assert_int_equal(program_node(l.program, 5), 2);
    assert_int_equal(program_node(l.program, 1), 1);
    assert_int_equal(peer_of(&l, 4, find_instr(&l, 4, INSTR_ISEND, 0)), 2);
    release(&l);
}

/* In turn or one socket after the other, through all nodes; of a node's processes, wherever the others are. */
static void processes_map_to_sockets(void **state)
{
    (void)state;
    static const struct {
        bool cyclic;
        int sockets, fill, expected[8];
    } cases[] = {{false, 1, 0, {-1, -1, -1, -1, -1, -1, -1, -1}}, {false, 2, 0, {0, 1, 0, 1, 2, 3, 2, 3}},
                 {false, 2, 2, {0, 0, 1, 1, 2, 2, 3, 3}},         {false, 2, 8, {0, 0, 0, 0, 2, 2, 2, 2}},
                 {false, 2, 1, {0, 1, 0, 1, 2, 3, 2, 3}},         {true, 2, 0, {0, 2, 1, 3, 0, 2, 1, 3}},
                 {true, 2, 2, {0, 2, 0, 2, 1, 3, 1, 3}},          {true, 3, 0, {0, 3, 1, 4, 2, 5, 0, 3}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lowered l;
        struct lower_options options = options_for(8);
        options.nodes = 2;
        options.ppn = 4;
        options.cyclic = cases[i].cyclic;
        options.sockets = cases[i].sockets;
        options.socket_fill = cases[i].fill;
        lower_with(&l, "Serial time = 1\n", &options);
        for (int process = 0; process < 8; process++)
            assert_int_equal(program_socket(l.program, process), cases[i].expected[process]);
        release(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobi_prints_as_it_reads),
        cmocka_unit_test(jacobi_has_four_roles),
        cmocka_unit_test(many_processes_lower_fast),
        cmocka_unit_test(an_odd_number_of_processes_fails_only_in_the_last),
        cmocka_unit_test(a_ring_has_three_roles),
        cmocka_unit_test(peers_are_relative_only_where_they_come_from_procnum),
        cmocka_unit_test(a_hypercube_in_a_loop_is_one_role),
        cmocka_unit_test(recursion_ends_where_folding_ends_it),
        cmocka_unit_test(known_variables_leave_no_trace),
        cmocka_unit_test(variables_set_in_a_loop_are_set_before_it_too),
        cmocka_unit_test(loops_nest_with_their_variables),
        cmocka_unit_test(loops_without_work_vanish),
        cmocka_unit_test(a_loop_forgets_what_procedures_assign),
        cmocka_unit_test(unknown_conditions_branch),
        cmocka_unit_test(a_condition_known_behind_an_unknown_one_ends_the_chain),
        cmocka_unit_test(while_loops_test_at_the_top),
        cmocka_unit_test(arguments_are_bound_by_value),
        cmocka_unit_test(dynamic_operands_are_checked_in_the_same_words),
        cmocka_unit_test(a_problem_of_the_run_has_its_own_place),
        cmocka_unit_test(processes_map_to_nodes), cmocka_unit_test(processes_map_to_sockets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
