/* Operands that are known, and those that are computed now. */
#include "directives/tests/lowered.h"

#include "engine/operand.h"

/* The operands of the nth instruction of a kind. */
static struct operands operands_of(const struct lowered *l, int process, enum instr_op op, int nth,
                                   const struct value slots[])
{
    struct operands operands = {-7, -7, -7, -7};
    struct problem problem = {.text = ""};
    if (!operand_message(l->program, role_of(l, process), find_instr(l, process, op, nth), process, slots, &operands,
                         &problem))
        fail_msg("%s", problem.text);
    return operands;
}

static void a_wildcard_is_a_peer_and_a_tag(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Message type = MPI_Recv & from = MPI_ANY_SOURCE & tag = MPI_ANY_TAG & got_size = n\n"
          "Message type = MPI_Recv & from = n == 8 ? MPI_ANY_SOURCE : n - 1 & tag = n == 8 ? MPI_ANY_TAG : n\n"
          "Message type = MPI_Irecv & from = n == 0 ? MPI_PROC_NULL : procnum & request = r\n"
          "Message type = MPI_Iprobe & from = n & flag = f\n",
          4);
    struct value slots[] = {value_int(8), value_int(0)};
    struct operands o = operands_of(&l, 2, INSTR_RECV, 0, slots);
    assert_int_equal(o.peer, OPERAND_ANY_PEER);
    assert_int_equal(o.tag, OPERAND_ANY_TAG);
    assert_int_equal(o.comm, 0);
    o = operands_of(&l, 2, INSTR_RECV, 1, slots);
    assert_int_equal(o.peer, OPERAND_ANY_PEER);
    assert_int_equal(o.tag, OPERAND_ANY_TAG);
    slots[0] = value_int(3);
    o = operands_of(&l, 2, INSTR_RECV, 1, slots);
    assert_int_equal(o.peer, 2);
    assert_int_equal(o.tag, 3);
    o = operands_of(&l, 2, INSTR_IPROBE, 0, slots);
    assert_int_equal(o.peer, 3);
    assert_int_equal(o.bytes, 0);
    slots[0] = value_int(0);
    assert_int_equal(operands_of(&l, 2, INSTR_IRECV, 0, slots).peer, OPERAND_NO_PEER);
    release(&l);
}

static void ranks_become_processes(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Set c = comm_split(procnum % 2, -procnum)\n"
          "Message type = MPI_Send & to = 0 & size = 24 & tag = 5 & comm = c\n"
          "Loop iterations = 3 & var = i\n"
          "{\n"
          "Message type = MPI_Recv & from = i & comm = c\n"
          "}\n",
          4);
    struct value slots[] = {value_int(1), value_int(1)};
    struct operands o = operands_of(&l, 1, INSTR_SEND, 0, slots);
    assert_int_equal(o.peer, 3);
    assert_int_equal(o.tag, 5);
    assert_int_equal(o.bytes, 24);
    assert_true(o.comm > 0 && o.comm < l.program->n_comms);
    assert_int_equal(operands_of(&l, 0, INSTR_SEND, 0, slots).peer, 2);
    assert_int_not_equal(operands_of(&l, 0, INSTR_SEND, 0, slots).comm, o.comm);
    assert_int_equal(operands_of(&l, 3, INSTR_RECV, 0, slots).peer, 1);
    assert_true(operand_context(o.comm, 5) != operand_context(0, 5));
    assert_int_equal((int32_t)operand_context(o.comm, OPERAND_ANY_TAG), OPERAND_ANY_TAG);
    slots[1] = value_int(2);
    struct problem problem;
    assert_false(operand_message(l.program, role_of(&l, 3), find_instr(&l, 3, INSTR_RECV, 0), 3, slots, &o, &problem));
    assert_int_equal(problem.status, STATUS_RANGE);
    assert_string_equal(problem.text, "rank 2 is outside 0..1 of the communicator (`from`)");
    release(&l);
}

static void collectives_have_roots_and_shares(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Set c = comm_split(procnum > 0, -procnum)\n"
          "Runon c1 = procnum > 0\n"
          "{\n"
          "Collective type = MPI_Gatherv & size = 10 * procnum & root = 1 & comm = c\n"
          "Loop iterations = 2 & var = i\n"
          "{\n"
          "Collective type = MPI_Scatterv & size = 10 * procnum + i & root = i & comm = c\n"
          "Collective type = MPI_Bcast & size = 5 - i & root = 0 & comm = c\n"
          "}\n"
          "Collective type = MPI_Scatterv & size = 10 * partner & root = 2 & comm = c\n"
          "}\n",
          4);
    struct value slots[] = {value_int(1), value_int(2)};
    const struct instr *gather = find_instr(&l, 3, INSTR_COLLECTIVE, 0);
    const struct instr *scatter = find_instr(&l, 3, INSTR_COLLECTIVE, 1);
    const struct instr *bcast = find_instr(&l, 3, INSTR_COLLECTIVE, 2);
    struct problem problem;
    int32_t root;
    int64_t bytes;
    assert_true(operand_collective(l.program, gather, 3, slots, &root, &bytes, &problem));
    assert_int_equal(root, 1);
    assert_int_equal(bytes, 30);
    assert_true(operand_share(l.program, gather, 2, -1, slots, &bytes, &problem)); /* rank 2 is process 1 */
    assert_int_equal(bytes, 10);
    assert_true(operand_collective(l.program, scatter, 3, slots, &root, &bytes, &problem));
    assert_int_equal(root, 2);
    assert_int_equal(bytes, 32);
    assert_true(operand_share(l.program, scatter, 1, -1, slots, &bytes, &problem));
    assert_int_equal(bytes, 22);
    const struct instr *over_partner = find_instr(&l, 3, INSTR_COLLECTIVE, 3);
    for (int32_t to = 0; to < 3; to++) { /* known beforehand: it is the root's size for each of them */
        assert_true(operand_share(l.program, over_partner, 2, to, slots, &bytes, &problem));
        assert_int_equal(bytes, 10 * to);
    }
    slots[1] = value_int(3);
    assert_false(operand_collective(l.program, scatter, 3, slots, &root, &bytes, &problem));
    assert_string_equal(problem.text, "rank 3 is outside 0..2 of the communicator (`root`)");
    assert_int_equal(problem.site, scatter->site);
    slots[1] = value_int(6);
    assert_false(operand_collective(l.program, bcast, 3, slots, &root, &bytes, &problem));
    assert_int_equal(problem.status, STATUS_RANGE);
    assert_string_equal(problem.text, "a negative size: -1 bytes (`size`)");
    release(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wildcard_is_a_peer_and_a_tag),
        cmocka_unit_test(ranks_become_processes),
        cmocka_unit_test(collectives_have_roots_and_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
