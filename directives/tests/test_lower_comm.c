/* Communicators and what is said on them. */
#include "directives/lower/agreement.h"
#include "directives/tests/lowered.h"

#include <time.h>

static void assert_members(const struct lowered *l, int32_t comm, int32_t n, const int32_t members[])
{
    assert_int_equal(l->program->comms[comm].n, n);
    for (int32_t rank = 0; rank < n; rank++) {
        assert_int_equal(program_comm_process(l->program, comm, rank), members[rank]);
        assert_int_equal(program_comm_rank(l->program, comm, members[rank]), rank);
    }
}

static void even_and_odd(void **state)
{
    (void)state;
    struct lowered l;
    const char *text = "Set c = comm_split(procnum % 2, procnum)\n"
                       "Message type = MPI_Sendrecv & size = 8 & to = (procnum_in(c) + 1) % numprocs_in(c) & comm = c\n"
                       "PEVPM & from = (procnum_in(c) + numprocs_in(c) - 1) % numprocs_in(c)\n"
                       "Collective type = MPI_Bcast & size = 100 & root = 1 & comm = c\n";
    lower(&l, text, 7);
    assert_int_equal(l.program->n_comms, 3);
    assert_int_equal(l.program->comms[0].n, 7);
    assert_null(l.program->comms[0].members);
    int32_t even = find_instr(&l, 4, INSTR_ISEND, 0)->comm, odd = find_instr(&l, 5, INSTR_COLLECTIVE, 0)->comm;
    assert_members(&l, even, 4, (const int32_t[]){0, 2, 4, 6});
    assert_members(&l, odd, 3, (const int32_t[]){1, 3, 5});
    assert_int_equal(program_comm_rank(l.program, even, 5), -1);
    assert_int_equal(program_comm_rank(l.program, 0, 5), 5);
    assert_int_equal(peer_of(&l, 6, find_instr(&l, 6, INSTR_ISEND, 0)), 0);
    assert_int_equal(peer_of(&l, 0, find_instr(&l, 0, INSTR_IRECV, 0)), 6);
    assert_int_equal(peer_of(&l, 3, find_instr(&l, 3, INSTR_ISEND, 0)), 5);
    assert_int_equal(find_instr(&l, 3, INSTR_IRECV, 0)->comm, odd);
    /* the first, the last, and those between */
    assert_int_equal(l.program->n_roles, 6);
    assert_int_equal(l.program->role_of[2], l.program->role_of[4]);
    assert_false(l.program->time_decides);
    release(&l);
    assert_prints(text, 7, 3,
                  "  MPI_Sendrecv from 1, 8 bytes, tag 0, comm c (rank 1 of 3)  t.pevpm:2\n"
                  "  MPI_Sendrecv to 5, 8 bytes, tag 0, comm c (rank 1 of 3)  t.pevpm:2\n"
                  "  MPI_Sendrecv waits                            t.pevpm:2\n"
                  "  MPI_Bcast, 100 bytes, root 1, comm c (rank 1 of 3)  t.pevpm:4\n");
}

static void keys_order_and_ties_keep_the_parents_order(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Set back = comm_split(0, -procnum)\n"
          "Set tied = comm_split(7, procnum % 2, back)\n"
          "Message type = MPI_Isend & size = 8 & to = 0 & comm = back\n"
          "Message type = MPI_Isend & size = 8 & to = 0 & comm = tied\n",
          5);
    assert_members(&l, find_instr(&l, 2, INSTR_ISEND, 0)->comm, 5, (const int32_t[]){4, 3, 2, 1, 0});
    assert_members(&l, find_instr(&l, 2, INSTR_ISEND, 1)->comm, 5, (const int32_t[]){4, 2, 0, 3, 1});
    assert_int_equal(peer_of(&l, 2, find_instr(&l, 2, INSTR_ISEND, 0)), 4);
    release(&l);
}

/* Rows and columns of a grid, then halves of a row, whose colors depend on the rank in it. */
static void a_parent_may_be_split(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Set row = comm_split(procnum / 4, procnum)\n"
          "Set column = comm_split(procnum % 4, procnum)\n"
          "Runon c1 = procnum_in(row) < 2 & else\n"
          "{\n"
          "Set w = 10\n"
          "}\n"
          "{\n"
          "Set w = 20\n"
          "}\n"
          "Set half = comm_split(w, procnum_in(row), row)\n"
          "Collective type = MPI_Barrier & comm = column\n"
          "Collective type = MPI_Barrier & comm = half\n",
          12);
    assert_int_equal(l.program->n_comms, 1 + 3 + 4 + 6);
    assert_members(&l, find_instr(&l, 9, INSTR_COLLECTIVE, 0)->comm, 3, (const int32_t[]){1, 5, 9});
    assert_members(&l, find_instr(&l, 6, INSTR_COLLECTIVE, 1)->comm, 2, (const int32_t[]){6, 7});
    assert_members(&l, find_instr(&l, 8, INSTR_COLLECTIVE, 1)->comm, 2, (const int32_t[]){8, 9});
    release(&l);
}

static void a_negative_color_is_no_member(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Set workers = comm_split(procnum == 0 ? -1 : 3, procnum)\n"
          "Runon c1 = procnum > 0\n"
          "{\n"
          "Message type = MPI_Isend & size = 8 & to = 2 & comm = workers\n"
          "}\n",
          4);
    assert_members(&l, find_instr(&l, 3, INSTR_ISEND, 0)->comm, 3, (const int32_t[]){1, 2, 3});
    assert_int_equal(role_of(&l, 0)->n_code, 1);
    release(&l);
}

/* The same directive gives the same communicator again, but not where it has other members. */
static void a_split_may_be_met_again(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Procedure halves(way)\n"
          "{\n"
          "Set c = comm_split(way ? procnum % 2 : procnum / 2, 0)\n"
          "Collective type = MPI_Barrier & comm = c\n"
          "}\n"
          "Call halves(0)\n"
          "Call halves(1)\n"
          "Call halves(0)\n"
          "Loop iterations = 3\n"
          "{\n"
          "Set d = comm_split(0, 0)\n"
          "Collective type = MPI_Barrier & comm = d\n"
          "}\n"
          "Collective type = MPI_Barrier & comm = d\n",
          4);
    assert_int_equal(l.program->n_comms, 1 + 2 + 2 + 1);
    for (int p = 0; p < 4; p++) {
        int32_t first = find_instr(&l, p, INSTR_COLLECTIVE, 0)->comm;
        assert_int_equal(find_instr(&l, p, INSTR_COLLECTIVE, 2)->comm, first);
        assert_int_not_equal(find_instr(&l, p, INSTR_COLLECTIVE, 1)->comm, first);
        assert_int_equal(find_instr(&l, p, INSTR_COLLECTIVE, 4)->comm, find_instr(&l, p, INSTR_COLLECTIVE, 3)->comm);
    }
    release(&l);
}

/* Who stops at an error of his own does not make the others fail at theirs. */
static void an_error_before_a_split_is_its_own(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Set k = 6 / (procnum - 2)\n"
          "Set c = comm_split(0, 0)\n"
          "Collective type = MPI_Barrier & comm = c\n",
          4);
    assert_int_equal(count_of(&l, 2, INSTR_FAIL), 1);
    assert_int_equal(count_of(&l, 3, INSTR_FAIL), 0);
    assert_members(&l, find_instr(&l, 3, INSTR_COLLECTIVE, 0)->comm, 3, (const int32_t[]){0, 1, 3});
    release(&l);
    /* processes 0 and 1 wait for each other: each split lacks the other one */
    lower(&l,
          "Runon c1 = procnum == 0\n"
          "{\n"
          "Set a = comm_split(0, 0)\n"
          "Set k = numprocs_in(a)\n"
          "Set b = comm_split(0, 0)\n"
          "}\n"
          "Runon c1 = procnum == 1\n"
          "{\n"
          "Set b = comm_split(0, 0)\n"
          "Set k = numprocs_in(b)\n"
          "Set a = comm_split(0, 0)\n"
          "}\n",
          2);
    assert_int_equal(count_of(&l, 0, INSTR_FAIL), 1);
    assert_int_equal(count_of(&l, 1, INSTR_FAIL), 1);
    const struct failure *failure = &l.program->failures[find_instr(&l, 0, INSTR_FAIL, 0)->index];
    assert_non_null(strstr(failure->text, "but process 1 does not"));
    release(&l);
}

static void peers_may_be_computed_in_a_communicator(void **state)
{
    (void)state;
    struct lowered l;
    const char *text = "Set c = comm_split(procnum % 2, -procnum)\n"
                       "Loop iterations = numprocs_in(c) & var = i\n"
                       "{\n"
                       "Message type = MPI_Isend & from = procnum_in(c) & to = (procnum_in(c) + i) % numprocs_in(c) & "
                       "size = 8 & comm = c\n"
                       "}\n"
                       "Loop iterations = 2 & var = i\n"
                       "{\n"
                       "Message type = MPI_Recv & to = i & from = 0 & comm = c\n"
                       "}\n";
    lower(&l, text, 8);
    assert_int_equal(l.program->n_roles, 2);
    const struct instr *send = find_instr(&l, 5, INSTR_ISEND, 0);
    assert_int_equal(send->dynamic, DYNAMIC_PEER);
    struct value slots[2] = {value_int(0), value_int(3)}, out;
    assert_null(program_eval(l.program, send->peer, 5, slots, &out));
    assert_int_equal(out.i, 0); /* process 5 has rank 1 */
    assert_null(program_eval(l.program, (int32_t)find_instr(&l, 5, INSTR_BRANCH, 0)->count, 5, slots, &out));
    assert_int_equal(out.i, 1);
    release(&l);
    assert_prints(text, 8, 5,
                  "  loop 4 times, i from 0\n"
                  "    MPI_Isend to (procnum_in(c) + i)%numprocs_in(c), 8 bytes, tag 0, comm c (rank 1 of 4)  "
                  "t.pevpm:4\n"
                  "  loop 2 times, i from 0\n"
                  "    if i != procnum_in(c)\n"
                  "      error: `to` is not the process that executes this directive  t.pevpm:8\n"
                  "    MPI_Recv from 7, tag 0, comm c (rank 1 of 4)  t.pevpm:8\n");
}

/* Large machines: rows of a grid of 256 by 256, and a share for each process. */
static void many_processes_are_split_quickly(void **state)
{
    (void)state;
    struct lowered l;
    clock_t start = clock();
    lower(&l,
          "Set c = comm_split(procnum % 256, procnum)\n"
          "Set d = comm_split(procnum_in(c) / 16, procnum_in(c), c)\n"
          "Loop iterations = 10\n"
          "{\n"
          "Collective type = MPI_Allreduce & size = 8 & comm = c\n"
          "Collective type = MPI_Gatherv & size = 8 * procnum & root = 0\n"
          "Collective type = MPI_Barrier & comm = d\n"
          "}\n",
          65536);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_int_equal(l.program->n_comms, 1 + 256 + 4096);
    assert_int_equal(l.program->n_roles, 4096);
    assert_int_equal(l.program->n_collectives, 1 + 256 + 4096);
    const struct collective_ref *gather = &l.program->collectives[find_instr(&l, 65535, INSTR_COLLECTIVE, 1)->index];
    assert_int_equal(gather->shares[65535], 8 * 65535);
    if (getenv("PRINT_SECONDS"))
        print_message("%.3f s\n", seconds);
    assert_true(seconds < 20); /* far more than any machine needs, far less than quadratic work would */
    release(&l);
}

/* Neighbours as MPI lists them, worked out from coordinates. */
static void a_grid_has_neighbours(void **state)
{
    (void)state;
    static const int dims[] = {3, 2, 4}, periodic[] = {1, 1, 0};
    struct lowered l;
    lower(&l,
          "Set grid = cart_create((3, 2, 4), (1, 1, 0))\n"
          "Runon c1 = procnum < 24\n"
          "{\n"
          "Collective type = MPI_Neighbor_alltoall & size = 8 & comm = grid\n"
          "Message type = MPI_Isend & size = 8 & to = cart_shift(grid, 0, -2) & comm = grid\n"
          "}\n",
          26);
    const int32_t comm = find_instr(&l, 17, INSTR_COLLECTIVE, 0)->comm;
    const struct comm *grid = &l.program->comms[comm];
    const struct topology *t = grid->topology;
    assert_int_equal(grid->n, 24);
    assert_int_equal(program_comm_rank(l.program, comm, 25), -1);
    for (int rank = 0; rank < 24; rank++)
        for (int d = 0; d < 3; d++)
            for (int up = 0; up < 2; up++) {
                int at[] = {rank / 8, rank / 4 % 2, rank % 4}, i = t->first_out[rank] + 2 * d + up;
                at[d] += up ? 1 : -1;
                const bool beyond = !periodic[d] && (at[d] < 0 || at[d] == dims[d]);
                at[d] = (at[d] + dims[d]) % dims[d];
                const int there = beyond ? -1 : at[0] * 8 + at[1] * 4 + at[2];
                assert_int_equal(t->out[i], there);
                assert_int_equal(t->in[i], there);
                assert_int_equal(t->edge[i], beyond ? -1 : t->first_out[there] + 2 * d + !up);
            }
    assert_int_equal(peer_of(&l, 17, find_instr(&l, 17, INSTR_ISEND, 0)), (17 + 8) % 24);
    release(&l);
}

static void a_part_of_a_grid_is_one(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "Set grid = cart_create((2, 3, 2), (0, 1, 1))\n"
          "Set plane = cart_sub(grid, (1, 0, 1))\n"
          "Set again = cart_sub(grid, (1, 0, 1))\n"
          "Collective type = MPI_Neighbor_allgather & size = 8 & comm = plane\n"
          "Message type = MPI_Isend & size = 8 & to = cart_rank(plane, 1, -1) & comm = again\n",
          12);
    const int32_t comm = find_instr(&l, 9, INSTR_COLLECTIVE, 0)->comm;
    assert_members(&l, comm, 4, (const int32_t[]){2, 3, 8, 9});
    assert_int_equal(l.program->comms[comm].topology->n_dims, 2);
    assert_int_equal(l.program->comms[comm].topology->dims[1], 2);
    assert_int_equal(l.program->comms[comm].topology->periodic[1], 1);
    assert_int_equal(peer_of(&l, 9, find_instr(&l, 9, INSTR_ISEND, 0)), 9);
    release(&l);
}

/* Of two edges between the same processes the first is the first for both. */
static void a_graph_has_neighbours(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "Set to[1] = 0\nSet to[0] = procnum == 0 ? MPI_PROC_NULL : 0\n"
              "Set g = dist_graph_create_adjacent((procnum > 0 ? MPI_PROC_NULL : 2, procnum > 0 ? MPI_PROC_NULL : 1, "
              "procnum > 0 ? MPI_PROC_NULL : 1, procnum > 0 ? MPI_PROC_NULL : 0, procnum > 0 ? MPI_PROC_NULL : 2), (to))\n"
              "Collective type = MPI_Neighbor_alltoallv & size = 100*(neighbor+1)+procnum & comm = g\n", 3);
    const struct collective_ref *ref = &l.program->collectives[find_instr(&l, 0, INSTR_COLLECTIVE, 0)->index];
    const struct topology *t = l.program->comms[ref->comm].topology;
    assert_int_equal(t->first_in[1], 5);
    assert_int_equal(t->first_in[3], 5);
    assert_int_equal(t->first_out[3], 5);
    static const int64_t from[] = {102, 101, 201, 100, 202};
    for (int i = 0; i < 5; i++)
        assert_int_equal(ref->pairs[t->edge[i]], from[i]);
    release(&l);
    assert_prints("Set g = dist_graph_create_adjacent(((procnum+1)%4), ((procnum+3)%4))\n"
                  "Collective type = MPI_Neighbor_allgatherv & size = 8*procnum & comm = g\n", 4, 2,
                  "  MPI_Neighbor_allgatherv, sends 16 and receives 24 bytes, comm g (rank 2 of 4)  t.pevpm:2\n");
}

/* What making one takes: of a split also who goes where. */
static void making_one_takes_what_is_sent(void **state)
{
    (void)state;
    static const char text[] = "Set rows = comm_split(procnum/2, procnum)\nMessage type = MPI_Comm_split\n"
                               "Message type = MPI_Comm_dup & comm = rows\nCollective type = MPI_Barrier\n";
    struct lowered l;
    lower(&l, text, 4);
    for (int i = 0; i < 7; i++) {
        const struct instr *instr = find_instr(&l, 1, INSTR_COLLECTIVE, i);
        const struct collective_ref *ref = &l.program->collectives[instr->index];
        assert_int_equal(ref->op, i == 0 ? COLLECTIVE_MPI_Allgather : COLLECTIVE_MPI_Iallreduce);
        assert_int_equal(ref->bytes, i == 0 ? 8 : 4);
        assert_int_equal(l.program->comms[ref->comm].n, i < 4 ? 4 : 2);
        assert_int_equal(instr->n_requests, 0);
    }
    release(&l);
    struct lower_options options = options_for(4);
    options.mpich = true;
    lower_with(&l, text, &options);
    for (int i = 0; i < 3; i++) {
        const struct instr *instr = find_instr(&l, 1, INSTR_COLLECTIVE, i);
        const struct collective_ref *ref = &l.program->collectives[instr->index];
        assert_int_equal(ref->op, i == 0 ? COLLECTIVE_MPI_Allgather : COLLECTIVE_MPI_Allreduce);
        assert_int_equal(ref->bytes, i == 0 ? 8 : 260);
        assert_int_equal(l.program->comms[ref->comm].n, i < 2 ? 4 : 2);
    }
    release(&l);
    assert_prints(text, 4, 1,
                  "  MPI_Comm_split                                t.pevpm:2\n"
                  "  MPI_Comm_dup, comm rows (rank 1 of 2)         t.pevpm:3\n"
                  "  MPI_Barrier                                   t.pevpm:4\n");
}

/* Inner collectives of process 1 of 4, in their order. */
static void assert_steps(const char *text, bool mpich, int n, const struct agreement_step steps[], int32_t size)
{
    struct lowered l;
    struct lower_options options = options_for(4);
    options.mpich = mpich;
    lower_with(&l, text, &options);
    for (int i = 0; i < n; i++) {
        const struct instr *instr = find_instr(&l, 1, INSTR_COLLECTIVE, i);
        const struct collective_ref *ref = &l.program->collectives[instr->index];
        assert_int_equal(ref->op, steps[i].op);
        assert_int_equal(ref->bytes, steps[i].bytes);
        if (steps[i].algorithm)
            assert_string_equal(ref->algorithm, steps[i].algorithm);
        else
            assert_null(ref->algorithm);
        assert_int_equal(l.program->comms[ref->comm].n, size);
    }
    release(&l);
}

static void each_maker_has_its_own_messages(void **state)
{
    (void)state;
    static const struct agreement_step type[] = {{COLLECTIVE_MPI_Allreduce, 16, NULL}, {COLLECTIVE_MPI_Iallreduce, 4, NULL}},
        graph[] = {{COLLECTIVE_MPI_Reduce_scatter_block, 8, NULL}, {COLLECTIVE_MPI_Iallreduce, 4, NULL}},
        group[] = {{COLLECTIVE_MPI_Allreduce, 4, "binary"}, {COLLECTIVE_MPI_Allreduce, 4, "binary"}},
        type_mpich[] = {{COLLECTIVE_MPI_Allgather, 8, NULL}, {COLLECTIVE_MPI_Allreduce, 260, NULL}},
        group_mpich[] = {{COLLECTIVE_MPI_Allreduce, 260, NULL}};
    static const char of_group[] =
        "Set half = comm_split(procnum/2, procnum)\nMessage type = MPI_Comm_create_group & comm = half\n";
    assert_steps("Message type = MPI_Comm_split_type\n", false, 2, type, 4);
    assert_steps("Message type = MPI_Dist_graph_create\n", false, 2, graph, 4);
    assert_steps(of_group, false, 2, group, 2);
    assert_steps("Message type = MPI_Comm_split_type\n", true, 2, type_mpich, 4);
    assert_steps(of_group, true, 1, group_mpich, 2);
    assert_prints(of_group, 4, 1, "  MPI_Comm_create_group, comm half (rank 1 of 2)  t.pevpm:2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_maker_has_its_own_messages),
        cmocka_unit_test(even_and_odd),
        cmocka_unit_test(keys_order_and_ties_keep_the_parents_order),
        cmocka_unit_test(a_parent_may_be_split),
        cmocka_unit_test(a_negative_color_is_no_member),
        cmocka_unit_test(a_split_may_be_met_again),
        cmocka_unit_test(an_error_before_a_split_is_its_own),
        cmocka_unit_test(peers_may_be_computed_in_a_communicator),
        cmocka_unit_test(many_processes_are_split_quickly),
        cmocka_unit_test(a_grid_has_neighbours),
        cmocka_unit_test(a_part_of_a_grid_is_one),
        cmocka_unit_test(a_graph_has_neighbours),
        cmocka_unit_test(making_one_takes_what_is_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
