/* Collective operations. */
#include "directives/tests/lowered.h"

static const struct collective_ref *collective_of(const struct lowered *l, int process, int nth)
{
    return &l->program->collectives[find_instr(l, process, INSTR_COLLECTIVE, nth)->index];
}

static void every_operation_has_its_operands(void **state)
{
    (void)state;
    static const char *const text =
        "Collective type = MPI_Barrier\n"
        "Collective type = MPI_Bcast & size = 10 & root = 1 & algorithm = binomial\n"
        "Collective type = MPI_Scatter & size = 20 & root = 2\n"
        "Collective type = MPI_Allgather & size = 30\n"
        "Collective type = MPI_Reduce & size = 40 & root = 0\n"
        "Collective type = MPI_Alltoall & size = 50 * procnum\n"
        "Collective type = MPI_Iallreduce & size = 60 & request = r\n"
        "Collective type = MPI_Ibcast & size = 70 & root = 1 & request = a[2]\n"
        "Message type = MPI_Waitall & request = (r, a[2])\n";
    struct lowered l;
    lower(&l, text, 3);
    static const enum collective_op ops[] = {
        COLLECTIVE_MPI_Barrier, COLLECTIVE_MPI_Bcast,    COLLECTIVE_MPI_Scatter,    COLLECTIVE_MPI_Allgather,
        COLLECTIVE_MPI_Reduce,  COLLECTIVE_MPI_Alltoall, COLLECTIVE_MPI_Iallreduce, COLLECTIVE_MPI_Ibcast};
    for (int i = 0; i < 8; i++) {
        const struct collective_ref *ref = collective_of(&l, 2, i);
        assert_int_equal(ref->op, ops[i]);
        assert_int_equal(ref->bytes, i == 5 ? 100 : 10 * i);
        assert_int_equal(ref->root_expr, -1);
        assert_int_equal(ref->bytes_expr, -1);
        assert_null(ref->shares);
        assert_string_equal(l.program->sites[ref->site].what, collective_op_name(ops[i]));
        assert_int_equal(l.program->sites[ref->site].at.line, i + 1);
    }
    assert_int_equal(collective_of(&l, 2, 2)->root, 2);
    assert_string_equal(collective_of(&l, 2, 1)->algorithm, "binomial");
    assert_null(collective_of(&l, 2, 2)->algorithm);
    const struct instr *open = find_instr(&l, 2, INSTR_COLLECTIVE, 7);
    assert_int_equal(open->n_requests, 1);
    assert_int_equal(l.program->requests[open->first_request].index, 2);
    assert_int_equal(find_instr(&l, 2, INSTR_COLLECTIVE, 0)->n_requests, 0);
    assert_int_equal(find_instr(&l, 2, INSTR_WAIT, 0)->n_requests, 2);
    release(&l);
    assert_prints(text, 3, 2,
                  "  MPI_Barrier                                   t.pevpm:1\n"
                  "  MPI_Bcast, 10 bytes, root 1, algorithm binomial  t.pevpm:2\n"
                  "  MPI_Scatter, 20 bytes to each, sends 40 bytes, root 2  t.pevpm:3\n"
                  "  MPI_Allgather, 30 bytes to each, sends 60 and receives 60 bytes  t.pevpm:4\n"
                  "  MPI_Reduce, 40 bytes, root 0                  t.pevpm:5\n"
                  "  MPI_Alltoall, 100 bytes to each, sends 200 and receives 200 bytes  t.pevpm:6\n"
                  "  MPI_Iallreduce, 60 bytes, request r           t.pevpm:7\n"
                  "  MPI_Ibcast, 70 bytes, root 1, request a[2]    t.pevpm:8\n"
                  "  MPI_Waitall (r, a[2])                         t.pevpm:9\n");
}

static void processes_that_call_the_same_share_a_role(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Loop iterations = 1000\n"
          "{\n"
          "Collective type = MPI_Bcast & size = 1024 & root = 0\n"
          "Collective type = MPI_Allreduce & size = 8\n"
          "Collective type = MPI_Scatterv & size = procnum * 100 & root = 0\n"
          "}\n",
          64);
    assert_int_equal(l.program->n_roles, 1);
    assert_int_equal(l.program->n_collectives, 3);
    release(&l);
}

static void shares_are_known_to_all(void **state)
{
    (void)state;
    static const char *const text =
        "Set c = comm_split(procnum % 2, -procnum)\n"
        "Set rows = procnum < 3 ? 5 : 4\n"
        "Collective type = MPI_Gatherv & size = 8 * rows & root = 0\n"
        "Collective type = MPI_Allgatherv & size = procnum & comm = c\n"
        "Collective type = MPI_Alltoallv & size = procnum_in(c) + 1 & comm = c\n";
    struct lowered l;
    lower(&l, text, 5);
    const struct collective_ref *gather = collective_of(&l, 0, 0);
    for (int32_t i = 0; i < 5; i++)
        assert_int_equal(gather->shares[i], i < 3 ? 40 : 32);
    assert_int_equal(gather->bytes, -1);
    assert_int_equal(gather->bytes_expr, -1);
    assert_ptr_equal(collective_of(&l, 4, 0), gather);
    const int64_t *even = collective_of(&l, 2, 1)->shares;
    assert_int_equal(even[0], 4);
    assert_int_equal(even[1], 2);
    assert_int_equal(even[2], 0);
    assert_ptr_equal(collective_of(&l, 4, 1)->shares, even);
    assert_int_equal(collective_of(&l, 1, 1)->shares[0], 3);
    assert_int_equal(collective_of(&l, 1, 2)->shares[1], 2);
    assert_int_equal(l.program->n_roles, 2);
    release(&l);
    assert_prints(text, 5, 4,
                  "  MPI_Gatherv, sends 32 bytes, root 0           t.pevpm:3\n"
                  "  MPI_Allgatherv, 4 bytes to each, sends 8 and receives 2 bytes, comm c (rank 0 of 3)  t.pevpm:4\n"
                  "  MPI_Alltoallv, 1 bytes to each, sends 2 and receives 5 bytes, comm c (rank 0 of 3)  t.pevpm:5\n");
}

static void shares_may_be_left_to_the_run(void **state)
{
    (void)state;
    static const char *const text = "Loop iterations = 2 & var = i\n"
                                    "{\n"
                                    "Collective type = MPI_Scatterv & size = i * procnum & root = i\n"
                                    "Collective type = MPI_Bcast & size = i & root = 0\n"
                                    "}\n";
    struct lowered l;
    lower(&l, text, 4);
    const struct collective_ref *scatter = collective_of(&l, 3, 0);
    assert_null(scatter->shares);
    assert_true(scatter->root_expr >= 0);
    struct value slots[2] = {value_int(0), value_int(5)}, out;
    assert_null(program_eval(l.program, scatter->bytes_expr, 2, slots, &out));
    assert_int_equal(out.i, 10);
    assert_true(collective_of(&l, 3, 1)->bytes_expr >= 0);
    assert_int_equal(l.program->n_roles, 1);
    release(&l);
    assert_prints(text, 4, 3,
                  "  loop 2 times, i from 0\n"
                  "    MPI_Scatterv, i*procnum bytes, root i       t.pevpm:3\n"
                  "    MPI_Bcast, i bytes, root 0                  t.pevpm:4\n");
}

/* Where one member never comes, or its size is not known, the others still have theirs. */
static void shares_need_all_members(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Runon c1 = procnum != 1\n"
          "{\n"
          "Collective type = MPI_Allgatherv & size = 8\n"
          "}\n"
          "Runon c1 = procnum == 0 & else\n"
          "{\n"
          "Message type = MPI_Recv & from = 1 & got_size = n\n"
          "}\n"
          "{\n"
          "Set n = 7\n"
          "}\n"
          "Collective type = MPI_Gatherv & size = n & root = 0\n",
          3);
    assert_null(collective_of(&l, 2, 0)->shares);
    assert_true(collective_of(&l, 2, 0)->bytes_expr >= 0);
    assert_null(collective_of(&l, 0, 1)->shares);
    assert_null(collective_of(&l, 2, 1)->shares);
    assert_true(collective_of(&l, 2, 1)->bytes_expr >= 0);
    release(&l);
}

/* What each has for each other one, and what a root has for each. */
static void sizes_may_differ_for_each_partner(void **state)
{
    (void)state;
    static const char *const text =
        "Set c = comm_split(procnum % 2, -procnum)\n"
        "Collective type = MPI_Alltoallv & size = partner == procnum ? 0 : 65184 + 148*(partner > procnum)\n"
        "Collective type = MPI_Scatterv & size = 100*partner + procnum & root = 2\n"
        "Collective type = MPI_Alltoallv & size = 10*procnum + partner & comm = c\n"
        "Collective type = MPI_Reduce_scatter & size = 8*procnum\n";
    struct lowered l;
    lower(&l, text, 5);
    const struct collective_ref *all = collective_of(&l, 3, 0);
    assert_ptr_equal(collective_of(&l, 0, 0), all);
    assert_int_equal(all->bytes, -1);
    assert_int_equal(all->bytes_expr, -1);
    assert_null(all->shares);
    for (int i = 0; i < 25; i++)
        assert_int_equal(all->pairs[i], i / 5 == i % 5 ? 0 : i % 5 > i / 5 ? 65332 : 65184);
    for (int32_t i = 0; i < 5; i++)
        assert_int_equal(collective_of(&l, 4, 1)->shares[i], 100 * i + 2);
    assert_null(collective_of(&l, 4, 1)->pairs);
    assert_int_equal(collective_of(&l, 3, 2)->pairs[1], 31); /* ranks 0, 1 are processes 3, 1 */
    assert_int_equal(collective_of(&l, 3, 2)->pairs[2], 10);
    assert_int_equal(collective_of(&l, 3, 3)->shares[4], 32);
    release(&l);
    assert_prints(text, 5, 2,
                  "  MPI_Alltoallv, 65184 to 65332 bytes to each, sends 261032 and receives 261032 bytes  t.pevpm:2\n"
                  "  MPI_Scatterv, 2 to 402 bytes to each, sends 808 bytes, root 2  t.pevpm:3\n"
                  "  MPI_Alltoallv, 20 to 22 bytes to each, sends 42 and receives 42 bytes, comm c (rank 1 of 3)  "
                  "t.pevpm:4\n"
                  "  MPI_Reduce_scatter, 16 bytes of 80            t.pevpm:5\n");
}

static void sizes_over_partner_may_be_left_to_the_run(void **state)
{
    (void)state;
    static const char *const text = "Loop iterations = 2 & var = i\n"
                                    "{\n"
                                    "Collective type = MPI_Alltoallv & size = i*100 + 10*procnum + partner\n"
                                    "Collective type = MPI_Scatterv & size = 7*partner & root = i\n"
                                    "}\n";
    struct lowered l;
    lower(&l, text, 4);
    const struct collective_ref *all = collective_of(&l, 3, 0), *scatter = collective_of(&l, 3, 1);
    assert_null(all->pairs);
    assert_null(scatter->shares);
    struct value slots[2] = {value_int(0), value_int(5)}, out;
    assert_null(program_eval_partner(l.program, all->bytes_expr, 2, 3, slots, &out));
    assert_int_equal(out.i, 523);
    assert_null(program_eval_partner(l.program, scatter->bytes_expr, 2, 3, slots, &out));
    assert_int_equal(out.i, 21);
    assert_int_equal(l.program->n_roles, 1);
    release(&l);
    assert_prints(text, 4, 3,
                  "  loop 2 times, i from 0\n"
                  "    MPI_Alltoallv, i*100 + 10*procnum + partner bytes to each  t.pevpm:3\n"
                  "    MPI_Scatterv, 7*partner bytes, root i       t.pevpm:4\n");
}

static void a_size_for_a_partner_may_be_wrong(void **state)
{
    (void)state;
    assert_prints("Collective type = MPI_Alltoallv & size = 8*(2 - partner)\n", 4, 1,
                  "  error: a negative size: -8 bytes (`size`), for partner 3  t.pevpm:1\n");
    assert_prints("Collective type = MPI_Scatterv & size = 8/(1 - partner) & root = 2\n", 4, 2,
                  "  error: division by zero, for partner 1        t.pevpm:1\n");
    assert_prints("Collective type = MPI_Scatterv & size = 8/(1 - partner) & root = 2\n", 4, 1,
                  "  MPI_Scatterv, 8/(1 - partner) bytes, root 2   t.pevpm:1\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_has_its_operands),
        cmocka_unit_test(processes_that_call_the_same_share_a_role),
        cmocka_unit_test(shares_are_known_to_all),
        cmocka_unit_test(shares_may_be_left_to_the_run),
        cmocka_unit_test(shares_need_all_members),
        cmocka_unit_test(sizes_may_differ_for_each_partner),
        cmocka_unit_test(sizes_over_partner_may_be_left_to_the_run),
        cmocka_unit_test(a_size_for_a_partner_may_be_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
