/* Collective operations in the time-ordered engine. Unrolled: every algorithm against the clock of
 * collectives/tests/executor.h and the main ones against closed forms. Costed as a whole: by hand. Times in s. */
#include "engine/tests/play.h"

#include "collectives/tests/executor.h"
#include "common/tests/share.h"
#include "engine/tests/closed_forms.h"

static const char hockney[] =
    "pevpm_machine: 1\nname: m\nnodes: 64\nprocesses_per_node: 1\n" REDUCTION "models: {" HOCKNEY "}\n";

static struct scene hockney_scene(int numprocs)
{
    return (struct scene){.numprocs = numprocs, .model = "hockney"};
}

/* ---- every algorithm against the executor ---- */

static bool op_has_shares(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Scatterv || op == COLLECTIVE_MPI_Gatherv || op == COLLECTIVE_MPI_Allgatherv ||
           op == COLLECTIVE_MPI_Reduce_scatter || op == COLLECTIVE_MPI_Alltoallv;
}

static bool op_nonblocking(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Ibcast || op == COLLECTIVE_MPI_Iallreduce;
}

/* The directive of a schedule; `size` as an expression of the share. */
static void directive(const struct schedule *s, const char *size, char text[], size_t n)
{
    char more[200] = "", segment[40] = "";
    if (s->segment > 0)
        snprintf(segment, sizeof segment, "/%d", (int)s->segment);
    if (s->op != COLLECTIVE_MPI_Barrier)
        snprintf(more, sizeof more, " & size = %s", size);
    if (op_rooted(s->op))
        snprintf(more + strlen(more), sizeof more - strlen(more), " & root = %d", (int)s->root);
    snprintf(text, n, "Collective type = %s%s & algorithm = %s%s%s\n", collective_op_name(s->op), more,
             algorithm_name(s->algorithm), segment,
             op_nonblocking(s->op) ? " & request = r\nMessage type = MPI_Wait & request = r" : "");
}

static void agree(const struct schedule *s, const char *size)
{
    char program[400];
    struct world w = {.alpha = ALPHA, .beta = BETA, .gamma = GAMMA};
    directive(s, size, program, sizeof program);
    world_run(&w, s);
    double took = play_timed(hockney_scene(s->size), program, hockney);
    if (fabs(took - w.finish) > 1e-11 * w.finish)
        fail_msg("P = %d: %.17g instead of %.17g:\n%s", (int)s->size, took, w.finish, program);
}

static void agree_sizes(struct schedule s)
{
    static const int64_t sizes[] = {0, 5, 48};
    for (int i = 0; i < 3; i++) {
        char size[40];
        snprintf(size, sizeof size, "%d", (int)sizes[i]);
        s.bytes = sizes[i];
        s.segment = 0;
        agree(&s, size);
        if (schedule_segments(s.op, s.algorithm)) {
            s.segment = 7;
            agree(&s, size);
        }
        if (s.op == COLLECTIVE_MPI_Barrier)
            break;
    }
    if (!op_has_shares(s.op))
        return;
    int64_t sums[64] = {0};
    for (int32_t r = 0; r < s.size; r++)
        sums[r + 1] = sums[r] + 5 * (r % 4);
    s.sums = sums;
    s.segment = 0;
    agree(&s, "5*(procnum%4)");
}

static void every_algorithm_takes_what_its_moves_take(void **state)
{
    (void)state;
    for (int op = 0; op <= COLLECTIVE_MPI_Ibcast; op++)
        for (int a = 0; a < N_ALGORITHMS; a++)
            for (int32_t P = 1; schedule_exists((enum collective_op)op, (enum algorithm)a) && P <= 33;
                 P = P == 17 ? 32 : P + 1) {
                if (!share_takes(P + a))
                    continue;
                struct schedule s = {.op = (enum collective_op)op, .algorithm = (enum algorithm)a, .size = P};
                agree_sizes(s);
                s.root = P - 1 - P / 3;
                if (op_rooted(s.op) && s.root != 0)
                    agree_sizes(s);
            }
}

/* A size for each pair, or for each that a root sends to, also where only the run knows it. */
static void sizes_over_partner_are_those_of_the_messages(void **state)
{
    (void)state;
    static const char learn[] =
        "Message type = MPI_Sendrecv & to = procnum & from = procnum & size = 0 & got_size = zero\n";
    const int32_t P = 6;
    int64_t pairs[36], rows[7] = {0}, shares[7] = {0};
    for (int32_t i = 0; i < P * P; i++)
        pairs[i] = (i / P * 5 + i % P * 3) % 4 * 7;
    for (int32_t r = 0; r < P; r++) {
        rows[r + 1] = rows[r];
        for (int32_t to = 0; to < P; to++)
            rows[r + 1] += pairs[r * P + to];
        shares[r + 1] = shares[r] + (2 * 5 + r * 3) % 4 * 7;
    }
    double costs = play_timed(hockney_scene(P), learn, hockney);
    for (int scatters = 0; scatters < 2; scatters++)
        for (int a = 0; a < N_ALGORITHMS; a++) {
            struct schedule s = {.op = scatters ? COLLECTIVE_MPI_Scatterv : COLLECTIVE_MPI_Alltoallv,
                                 .algorithm = (enum algorithm)a, .size = P, .root = scatters ? 2 : 0,
                                 .sums = scatters ? shares : rows, .pairs = scatters ? NULL : pairs};
            char text[400], after[600];
            if (!schedule_exists(s.op, s.algorithm))
                continue;
            agree(&s, "(procnum*5 + partner*3)%4*7");
            directive(&s, "zero + (procnum*5 + partner*3)%4*7", text, sizeof text);
            snprintf(after, sizeof after, "%s%s", learn, text);
            directive(&s, "(procnum*5 + partner*3)%4*7", text, sizeof text);
            expect_time(play_timed(hockney_scene(P), after, hockney) - costs,
                        play_timed(hockney_scene(P), text, hockney));
        }
}

/* Shares that depend on what was received are known in the run only; they cost the same. */
/* As messages of their own: all receives, all sends, one wait; with sizes known before the run and not. */
static void neighbours_take_what_their_messages_take(void **state)
{
    (void)state;
    static const char learn[] =
        "Message type = MPI_Sendrecv & to = procnum & from = procnum & size = 0 & got_size = zero\n";
    char local[800], plain[1200];
    for (int32_t n = 2; n <= 7; n++) {
        snprintf(plain, sizeof plain,
                 "Message type = MPI_Irecv & from = (procnum+1)%%numprocs & tag = 1 & request = r\n"
                 "Message type = MPI_Irecv & from = (procnum+numprocs-1)%%numprocs & tag = 2 & request = r\n"
                 "Message type = MPI_Isend & to = (procnum+numprocs-1)%%numprocs & size = 100*procnum & tag = 1 & request = r\n"
                 "Message type = MPI_Isend & to = (procnum+1)%%numprocs & size = 100*procnum+7 & tag = 2 & request = r\n"
                 "Message type = MPI_Waitall\n");
        const double messages = play_timed(hockney_scene(n), plain, hockney);
        const char *grid = "Set c = cart_create((numprocs), (1))\n";
        snprintf(local, sizeof local, "%sCollective type = MPI_Neighbor_alltoallv & size = 100*procnum+7*neighbor & comm = c\n",
                 grid);
        expect_time(play_timed(hockney_scene(n), local, hockney), messages);
        snprintf(local, sizeof local, "%sCollective type = MPI_Ineighbor_alltoallw & size = 100*procnum+7*neighbor & comm = c & "
                 "request = r\nMessage type = MPI_Wait & request = r\n", grid);
        expect_time(play_timed(hockney_scene(n), local, hockney), messages);
        snprintf(local, sizeof local, "%s%sCollective type = MPI_Neighbor_alltoallv & size = zero + 100*procnum+7*neighbor & "
                 "comm = c\n", learn, grid);
        expect_time(play_timed(hockney_scene(n), local, hockney),
                    messages + play_timed(hockney_scene(n), learn, hockney));
    }
}

static void shares_that_only_the_run_knows(void **state)
{
    (void)state;
    static const char learn[] =
        "Message type = MPI_Sendrecv & to = procnum & from = procnum & size = 0 & got_size = zero\n";
    for (int op = 0; op <= COLLECTIVE_MPI_Ibcast; op++) {
        if (!op_has_shares((enum collective_op)op))
            continue;
        char before[400], after[600];
        struct schedule s = {.op = (enum collective_op)op, .size = 6, .root = 2};
        while (!schedule_exists(s.op, s.algorithm))
            s.algorithm++;
        directive(&s, "5*(procnum%4)", before, sizeof before);
        snprintf(after, sizeof after, "%s", learn);
        directive(&s, "zero + 5*(procnum%4)", after + strlen(after), sizeof after - strlen(after));
        double costs = play_timed(hockney_scene(6), learn, hockney);
        expect_time(play_timed(hockney_scene(6), after, hockney) - costs, play_timed(hockney_scene(6), before, hockney));
    }
}

/* ---- closed forms ---- */

static void expect(int numprocs, double expected, const char *format, ...)
{
    char text[200], program[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(program, sizeof program, "Collective type = MPI_%s\n", text);
    double took = play_timed(hockney_scene(numprocs), program, hockney);
    if (fabs(took - expected) > 1e-11 * expected)
        fail_msg("P = %d: %.17g instead of %.17g: %s", numprocs, took, expected, program);
}

/* Equations (1) and (2) of Lastovetsky and Rychkov 2009 for equal processors: the messages of a process go out one
 * after the other, the largest subtree's first. */
static double scatter_equation(int32_t size, double M)
{
    if (size == 1)
        return 0;
    int32_t near = 1 << (L(size) - 1), far = size - near;
    double below_far = scatter_equation(far, M), below_near = scatter_equation(near, M);
    return T(far * M) + (below_far > below_near ? below_far : below_near);
}

/* Process 1 comes late, and has nothing for anybody: in an MPI_Alltoallv the others wait for its empty messages all the same,
 * by Open MPI's algorithms; not in an MPI_Alltoallw, nor by MPICH's. */
static void empty_messages_are_waited_for(void **state)
{
    (void)state;
    static const struct {
        const char *operation;
        bool waits;
    } cases[] = {{"MPI_Alltoallv & algorithm = linear", true},
                 {"MPI_Alltoallv & algorithm = pairwise", true},
                 {"MPI_Alltoallv & algorithm = scattered", false},
                 {"MPI_Alltoallw & algorithm = linear", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char program[300];
        snprintf(program, sizeof program,
                 "Runon c1 = procnum == 1\n{\nSerial time = 1000\n}\nCollective type = %s & size = procnum == 1 ? 0 : 8\n",
                 cases[i].operation);
        const struct ends ends = play_ends(hockney_scene(4), program, hockney);
        for (int p = 0; p < 4; p++)
            assert_int_equal(ends.at[p] >= 1000, p == 1 || cases[i].waits);
    }
}

static void closed_forms_of_trees_and_rings(void **state)
{
    (void)state;
    for (int P = 2; P <= 33; P += P < 17 ? 1 : 16) {
        double Q = P, M = 16.0 * P;
        expect(P, L(P) * T(24), "Bcast & size = 24 & root = %d & algorithm = binomial", P / 3);
        expect(P, (Q - 1) * T(24), "Bcast & size = 24 & root = 0 & algorithm = linear");
        /* four segments of M/4: P - 2 + 4 steps */
        expect(P, (Q + 2) * T(M / 4), "Bcast & size = %d & root = %d & algorithm = chain/%d", 16 * P, P - 1, 4 * P);
        expect(P, scatter_equation(P, 10), "Scatter & size = 10 & root = 0 & algorithm = binomial");
        expect(P, L(P) * ALPHA + (Q - 1) * BETA * 10, "Scatter & size = 10 & root = %d & algorithm = binomial", P / 2);
        expect(P, (Q - 1) * T(10), "Scatter & size = 10 & root = 1 & algorithm = linear");
        expect(P, T(10), "Gather & size = 10 & root = 1 & algorithm = linear");
        expect(P, (Q - 1) * T(10), "Allgather & size = 10 & algorithm = ring");
        expect(P, L(P) * ALPHA + (Q - 1) * BETA * 10, "Allgather & size = 10 & algorithm = bruck");
        expect(P, (Q - 1) * T(10), "Alltoall & size = 10 & algorithm = pairwise");
        expect(P, (Q - 1) * T(10), "Alltoall & size = 10 & algorithm = linear");
        expect(P, T(10) + (Q - 1) * GAMMA * 10, "Reduce & size = 10 & root = 0 & algorithm = linear");
        expect(P, (Q - 1) * (T(10) + GAMMA * 10), "Reduce & size = 10 & root = 0 & algorithm = chain");
        expect(P, 2 * (Q - 1) * T(16) + (Q - 1) * GAMMA * 16, "Allreduce & size = %d & algorithm = ring", 16 * P);
        expect(P, (Q - 1) * (T(10) + GAMMA * 10), "Reduce_scatter & size = 10 & algorithm = pairwise");
        expect(P, L(P) * ALPHA, "Barrier & algorithm = dissemination");
        expect(P, (Q - 1) * (T(10) + GAMMA * 10), "Scan & size = 10 & algorithm = chain");
    }
}

static void closed_forms_at_powers_of_two_and_not(void **state)
{
    (void)state;
    double G = GAMMA * 48;
    for (int P = 2; P <= 32; P++) {
        double Q = P;
        int F = power_of_two(P) ? L(P) : L(P) - 1;
        if (power_of_two(P)) {
            expect(P, L(P) * (T(48) + G), "Allreduce & size = 48 & algorithm = recursive_doubling");
            expect(P, L(P) * (T(48) + G), "Reduce & size = 48 & root = 0 & algorithm = binomial");
            expect(P, L(P) * ALPHA + (Q - 1) * BETA * 48, "Allgather & size = 48 & algorithm = recursive_doubling");
            expect(P, L(P) * ALPHA + (Q / 2) * L(P) * BETA * 48, "Alltoall & size = 48 & algorithm = bruck");
            /* halving P M bytes, then doubling them: each L latencies and (P - 1) M bytes */
            expect(P, 2 * L(P) * ALPHA + (Q - 1) * (2 * BETA + GAMMA) * 8,
                   "Allreduce & size = %d & algorithm = rabenseifner", 8 * P);
            expect(P, L(P) * ALPHA + (Q - 1) * (BETA + GAMMA) * 48,
                   "Reduce_scatter & size = 48 & algorithm = recursive_halving");
        } else if (power_of_two(P + 1) && P >= 7) {
            /* one process folds its neighbour in first and hands the result back last */
            expect(P, F * (T(48) + G) + 2 * T(48) + G, "Allreduce & size = 48 & algorithm = recursive_doubling");
        }
        double bruck = 0;
        for (int step = 1; step < P; step *= 2) {
            int n = 0;
            for (int i = 1; i < P; i++)
                n += (i & step) != 0;
            bruck += T(n * 48.0);
        }
        expect(P, bruck, "Alltoall & size = 48 & algorithm = bruck");
    }
}

static void each_process_leaves_when_it_would(void **state)
{
    (void)state;
    /* The root's messages reach 1, 2, 4 at T, 2 T, 3 T; those of 1 reach 3 and 5 at 2 T and 3 T; 2 to 6 and 3 to 7
     * arrive at 3 T. Sends return at once. */
    expect_ends(hockney_scene(8), "Collective type = MPI_Bcast & size = 24 & root = 0 & algorithm = binomial\n",
                hockney, (double[]){0, T(24), 2 * T(24), 2 * T(24), 3 * T(24), 3 * T(24), 3 * T(24), 3 * T(24)});
    /* A late process in a chain holds up those behind it only. */
    expect_ends(hockney_scene(4),
                "Runon c1 = procnum == 2\n{\nSerial time = 1000\n}\n"
                "Collective type = MPI_Bcast & size = 24 & root = 0 & algorithm = chain\n",
                hockney, (double[]){0, T(24), 1000, 1000 + T(24)});
    /* nothing but the collective: nobody spends time on one process */
    expect_time(play_timed(hockney_scene(1), "Collective type = MPI_Alltoall & size = 1000\nSerial time = 2\n", hockney), 2);
}

/* ---- costed as a whole ---- */

#define MEASURED(collectives)                                                                                          \
    "pevpm_machine: 1\nname: m\nnodes: 16\nprocesses_per_node: 1\npoint_to_point:\n"                                   \
    "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: \"1 s\", "                  \
    "send_overhead: \"0.5 s\"}, {bytes: 1000, transit: \"11 s\", send_overhead: \"2.5 s\"}]}\n"                         \
    "collectives:\n" collectives

static const char measured[] = MEASURED(
    "  MPI_Bcast: {measured: [{numprocs: 4, bytes: 100, time: \"2 s\", root_time: \"1 s\"}, "
    "{numprocs: 4, bytes: 200, time: \"4 s\", root_time: \"3 s\"}, {numprocs: 8, bytes: 100, time: \"6 s\", "
    "root_time: \"5 s\"}]}\n"
    "  MPI_Ibcast: {measured: [{numprocs: 4, bytes: 100, time: \"2 s\"}]}\n"
    "  MPI_Gather: {measured: [{numprocs: 4, bytes: 100, time: \"7 s\", root_time: \"5 s\"}]}\n"
    "  MPI_Allreduce: {measured: [{numprocs: 3, bytes: 8, time: \"3 s\"}, {numprocs: 4, bytes: 8, time: \"9 s\"}]}\n"
    "  MPI_Barrier: {measured: [{numprocs: 2, bytes: 0, time: \"0.25 s\"}, {numprocs: 8, bytes: 0, "
    "time: \"0.75 s\"}]}\n"
    "  MPI_Reduce: {algorithm: chain}\n");

#define AT_TENS "Serial time = 10*procnum\n"

static void the_three_rules(void **state)
{
    (void)state;
    struct scene four = {.numprocs = 4};
    /* one to all, root 1 enters at 10: max(own, 10) + 2, the root's own time is 1 */
    expect_ends(four, AT_TENS "Collective type = MPI_Bcast & size = 100 & root = 1\n", measured,
                (double[]){12, 11, 22, 32});
    /* the root last: all wait for it */
    expect_ends(four, AT_TENS "Collective type = MPI_Bcast & size = 100 & root = 3\n", measured,
                (double[]){32, 32, 32, 31});
    /* all to one, root 2 leaves at 30 + 5; the others after the send of 100 bytes, 0.5 + 0.1 * 2 */
    expect_ends(four, AT_TENS "Collective type = MPI_Gather & size = 100 & root = 2\n", measured,
                (double[]){0.7, 10.7, 35, 30.7});
    /* all to all */
    expect_ends(four, AT_TENS "Collective type = MPI_Allreduce & size = 8\n", measured, (double[]){39, 39, 39, 39});
    /* two in a row: each waits for its own */
    expect_ends(
        four,
        AT_TENS
        "Collective type = MPI_Gather & size = 100 & root = 2\nCollective type = MPI_Bcast & size = 100 & root = 0\n",
        measured, (double[]){1.7, 12.7, 37, 32.7});
}

static void times_are_interpolated(void **state)
{
    (void)state;
#define BCAST(size) "Collective type = MPI_Bcast & root = 0 & size = " size "\n"
    struct scene four = {.numprocs = 4}, six = {.numprocs = 6}, eight = {.numprocs = 8};
    expect_time(play_timed(four, BCAST("150"), measured), 3);
    expect_time(play_timed(four, BCAST("20"), measured), 2);   /* below the smallest: the smallest */
    expect_time(play_timed(four, BCAST("250"), measured), 5);  /* above the largest: the line goes on */
    expect_time(play_timed(eight, BCAST("150"), measured), 6); /* one size serves for all */
    expect_time(play_timed(six, BCAST("100"), measured), 4);   /* half way between 4 and 8 processes */
    expect_time(play_timed(six, BCAST("150"), measured), 4.5);
    expect_time(play_timed((struct scene){.numprocs = 5}, "Collective type = MPI_Barrier\n", measured), 0.5);
}

static void outside_the_measured_the_table_serves(void **state)
{
    (void)state;
    static const int outside[] = {1, 2, 3, 9, 12};
    for (int i = 0; i < 5; i++) {
        int64_t segment;
        char named[200];
        enum algorithm a = algorithm_select(LIBRARY_open_mpi, COLLECTIVE_MPI_Bcast,
                                            &(struct schedule){.size = outside[i], .bytes = 100}, &segment);
        snprintf(named, sizeof named, "Collective type = MPI_Bcast & root = 0 & size = 100 & algorithm = %s\n",
                 algorithm_name(a));
        struct scene scene = {.numprocs = outside[i]};
        expect_time(play_timed(scene, BCAST("100"), measured), play_timed(scene, named, measured));
    }
    /* the table of the other library is another */
    int differ = 0;
    for (int P = 2; P <= 16; P++) {
        double took[2];
        for (int library = 0; library < 2; library++) {
            struct scene scene = hockney_scene(P);
            struct outcome outcome;
            scene_open(&scene, "Collective type = MPI_Allreduce & size = 100000\n", hockney);
            scene.setup.library = (enum mpi_library)library;
            char text[2000] = "";
            if (scene_run(&scene, ENGINE_TIMED, 1, 1, &outcome, NULL, text, sizeof text) != STATUS_OK)
                fail_msg("%s", text);
            scene_close(&scene);
            took[library] = outcome.time;
        }
        differ += took[0] != took[1];
    }
    assert_true(differ > 0);
}

static void what_has_a_request_is_chosen_by_a_table_of_its_own(void **state)
{
    (void)state;
#define IBCAST(how) \
    "Collective type = MPI_Ibcast & root = 0 & size = 600" how " & request = r\nMessage type = MPI_Wait & request = r\n"
    struct scene four = hockney_scene(4), eight = hockney_scene(8);
    expect_time(play_timed(four, IBCAST(""), hockney), play_timed(four, IBCAST(" & algorithm = linear"), hockney));
    expect_time(play_timed(eight, IBCAST(""), hockney), play_timed(eight, IBCAST(" & algorithm = binomial"), hockney));
    assert_true(play_timed(four, IBCAST(""), hockney) !=
                play_timed(four, "Collective type = MPI_Bcast & root = 0 & size = 600\n", hockney));
}

static void the_directive_goes_before_the_file_before_the_table(void **state)
{
    (void)state;
#define REDUCE(how) "Collective type = MPI_Reduce & root = 0 & size = 1000" how "\n"
    static const char nothing[] = MEASURED("  MPI_Scan: {algorithm: chain}\n");
    struct scene scene = {.numprocs = 6};
    double chain = play_timed(scene, REDUCE(" & algorithm = chain"), nothing), table = play_timed(scene, REDUCE(""), nothing);
    double linear = play_timed(scene, REDUCE(" & algorithm = linear"), nothing);
    assert_true(chain != table && chain != linear && linear != table);
    expect_time(play_timed(scene, REDUCE(""), measured), chain);
    expect_time(play_timed(scene, REDUCE(" & algorithm = linear"), measured), linear);
    /* also before measured times */
    assert_true(play_timed((struct scene){.numprocs = 4},
                     "Collective type = MPI_Bcast & root = 0 & size = 100 & algorithm = linear\n", measured) != 2);
    play_error(scene, REDUCE(" & algorithm = pairwise"), nothing, STATUS_NAME,
                 "MPI_Reduce has no algorithm `pairwise`");
}

/* Each process draws its own time. */
static void times_are_drawn(void **state)
{
    (void)state;
    static const char drawn[] =
        MEASURED("  MPI_Allreduce: {measured: [{numprocs: 4, bytes: 8, time: {uniform: {low: \"1 s\", "
                 "high: \"2 s\"}}}]}\n");
    struct ends ends = play_ends((struct scene){.numprocs = 4, .seed = 5},
                                 AT_TENS "Collective type = MPI_Allreduce & size = 8\n", drawn);
    for (int i = 0; i < 4; i++)
        assert_true(ends.at[i] > 31 && ends.at[i] < 32 && ends.at[i] != ends.at[(i + 1) % 4]);
    struct scene average = {.numprocs = 4, .mode = MODE_average};
    expect_time(play_timed(average, "Collective type = MPI_Allreduce & size = 8\n", drawn), 1.5);
}

/* ---- requests ---- */

static void measured_overlap(void **state)
{
    (void)state;
#define IBCAST_WORK(work)                                                                     \
    "Collective type = MPI_Ibcast & size = 100 & root = 0 & request = r\nSerial time = " work \
    "\nMessage type = MPI_Wait & request = r\n"
    struct scene scene = {.numprocs = 4};
    expect_time(play_timed(scene, IBCAST_WORK("5"), measured), 5);
    expect_time(play_timed(scene, IBCAST_WORK("0.5"), measured), 2);
    /* without an entry of its own, as the blocking form was measured */
    expect_ends(scene, "Serial time = procnum\nCollective type = MPI_Iallreduce & size = 8 & request = r\n"
                       "Serial time = 4*procnum\nMessage type = MPI_Wait & request = r\n",
                measured, (double[]){12, 12, 12, 15});
    expect_ends(scene, "Runon c1 = procnum == 0\n{\nSerial time = 10\n}\n" IBCAST_WORK("1+procnum"), measured,
                (double[]){12, 12, 12, 12});
}

/* Making a communicator takes what its operations take. */
static void communicators_take_their_messages(void **state)
{
    (void)state;
#define ROUND "Collective type = MPI_Iallreduce & size = 4 & request = r\nMessage type = MPI_Wait & request = r\n"
    static const char made[] = "Serial time = procnum\nMessage type = MPI_Comm_split\n",
                      spelt[] = "Serial time = procnum\nCollective type = MPI_Allgather & size = 8\n" ROUND ROUND ROUND;
    for (int n = 1; n < 7; n++) {
        const double time = play_timed(hockney_scene(n), made, hockney);
        assert_true(n == 1 || time > n - 1 + T(8) + 6 * T(4));
        expect_time(play_timed(hockney_scene(n), spelt, hockney), time);
    }
#undef ROUND
}

static void unrolled_overlap(void **state)
{
    (void)state;
    /* A linear Ibcast is on its way while the receivers work. */
    static const char linear[] =
        "Collective type = MPI_Ibcast & size = 24 & root = 0 & request = r & algorithm = linear\n"
        "Serial time = 100\nMessage type = MPI_Wait & request = r\n";
    expect_time(play_timed(hockney_scene(3), linear, hockney), 100);
    /* Recursive doubling among four: the first exchange overlaps, the second is made in the wait. */
    static const char doubling[] =
        "Collective type = MPI_Iallreduce & size = 48 & request = r & algorithm = recursive_doubling\n"
        "Serial time = 100\nMessage type = MPI_Wait & request = r\n";
    expect_time(play_timed(hockney_scene(4), doubling, hockney), 100 + T(48) + 2 * GAMMA * 48);
    /* Tests drive it as well. T = 15; looks cost 1 ns and come every second. Process 1 sees its message at its 16th
     * look and passes it on at 15 + 15 ns; process 2 sees it there at its 31st, at 30 + 30 ns. */
    static const char looks[] =
        "Set seen = 0\nCollective type = MPI_Ibcast & size = 48 & root = 0 & request = r & algorithm = chain\n"
        "Loop while = seen == 0\n{\nMessage type = MPI_Test & request = r & flag = seen\nRunon c1 = seen == 0\n{\n"
        "Serial time = 1\n}\n}\n";
    expect_ends(hockney_scene(3), looks, hockney, (double[]){0, 15 + 15e-9, 30 + 30e-9});
}

static void several_at_once_do_not_mix(void **state)
{
    (void)state;
    /* Down a chain of three, an Ibcast of 5 bytes and then a Bcast of 48 before its wait. Process 1 passes the Ibcast on
     * first, at T(5), while it waits in the Bcast. */
    static const char mixed[] =
        "Collective type = MPI_Ibcast & size = 5 & root = 0 & request = r & algorithm = chain\n"
        "Collective type = MPI_Bcast & size = 48 & root = 0 & algorithm = chain\nMessage type = MPI_Wait & "
        "request = r\n";
    expect_time(play_timed(hockney_scene(3), mixed, hockney), T(5) + 2 * T(48));
    /* Two requests, waited for in both orders. */
    static const char two[] =
        "Collective type = MPI_Iallreduce & size = 48 & request = a & algorithm = recursive_doubling\n"
        "Collective type = MPI_Iallreduce & size = 8 & request = b & algorithm = recursive_doubling\n"
        "Message type = MPI_Wait & request = b\nMessage type = MPI_Wait & request = a\n";
    assert_true(play_timed(hockney_scene(5), two, hockney) > 0);
    static const char testall[] =
        "Set seen = 0\nCollective type = MPI_Iallreduce & size = 48 & request = a\n"
        "Collective type = MPI_Iallreduce & size = 8 & request = b\nLoop while = seen == 0\n{\n"
        "Message type = MPI_Testall & request = (a, b) & flag = seen\nRunon c1 = seen == 0\n{\nSerial time = 0.5\n}\n"
        "}\n";
    assert_true(play_timed(hockney_scene(5), testall, hockney) > 0);
    /* A wildcard never takes a collective's message. */
    static const char wild[] =
        "Runon c1 = procnum == 1\n{\nMessage type = MPI_Irecv & from = MPI_ANY_SOURCE & tag = MPI_ANY_TAG & size = 1 & "
        "request = r\n}\nCollective type = MPI_Bcast & size = 48 & root = 0 & algorithm = linear\n"
        "Runon c1 = procnum == 0 & c2 = procnum == 1\n{\n"
        "Message type = MPI_Send & to = 1 & size = 1\n}\n{\nMessage type = MPI_Wait & request = r\n}\n";
    expect_time(play_timed(hockney_scene(2), wild, hockney), T(48) + T(1));
}

/* ---- communicators ---- */

static void on_parts_at_the_same_time(void **state)
{
    (void)state;
    /* odd and even ranks, of 48 and of 24 bytes, each in a binomial tree of three: 2 T */
    static const char halves[] =
        "Set half = comm_split(procnum%2, procnum)\n"
        "Collective type = MPI_Bcast & size = procnum%2 ? 48 : 24 & root = 0 & comm = half & algorithm = binomial\n";
    expect_ends(hockney_scene(6), halves, hockney, (double[]){0, 0, T(24), T(48), 2 * T(24), 2 * T(48)});
    /* measured for three: the others of one's own part count; ranks run backwards */
    static const char parts[] = "Set part = comm_split(procnum/3, -procnum)\n" AT_TENS
                                "Collective type = MPI_Allreduce & size = 8 & comm = part\n";
    expect_ends((struct scene){.numprocs = 6}, parts, measured, (double[]){23, 23, 23, 53, 53, 53});
    /* root 0 of a part that counts backwards is its highest process */
    static const char backwards[] = "Set all = comm_split(0, -procnum)\n" AT_TENS
                                    "Collective type = MPI_Bcast & size = 100 & root = 0 & comm = all\n";
    expect_ends((struct scene){.numprocs = 4}, backwards, measured, (double[]){32, 32, 32, 31});
}

/* ---- errors ---- */

static void disagreement_is_an_error(void **state)
{
    (void)state;
    struct scene scene = {.numprocs = 4};
    static const char other[] =
        "Serial time = procnum\nRunon c1 = procnum == 2 & else\n{\nCollective type = MPI_Barrier\n}\n{\n"
        "Collective type = MPI_Allreduce & size = 8\n}\n";
    play_error(scene, other, measured, STATUS_RANGE, "process 0 calls MPI_Allreduce");
    play_error(scene, other, measured, STATUS_RANGE, "MPI_Barrier");
    play_error(scene, other, measured, STATUS_RANGE, "process 2");
    play_error(scene, "Serial time = procnum\nCollective type = MPI_Bcast & size = 8 & root = procnum == 3 ? 1 : 0\n",
                 measured, STATUS_RANGE, "the root is 1, in process 0 it is 0");
    play_error(scene, "Serial time = procnum\nCollective type = MPI_Bcast & size = 8 + procnum/2 & root = 0\n", measured,
               STATUS_RANGE, "`size` is 9 bytes here and 8 in process 0: it is the same in all processes, in process 2");
    play_error(scene, "Runon c1 = procnum != 2\n{\nCollective type = MPI_Allreduce & size = 8\n}\n", measured,
                 STATUS_DEADLOCK, "MPI_Allreduce");
    play_error(
        scene,
        "Runon c1 = procnum != 0\n{\nCollective type = MPI_Bcast & size = 8 & root = 0 & algorithm = linear\n}\n",
        measured, STATUS_DEADLOCK, "process 1 of 4 waits in MPI_Bcast");
}

/* What a process computes for another must be what that one says. */
static void sizes_that_others_compute_otherwise_are_an_error(void **state)
{
    (void)state;
    struct scene scene = hockney_scene(4);
    static const char two_places[] =
        "Serial time = procnum\nRunon c1 = procnum == 0 & else\n{\nCollective type = MPI_Gatherv & size = 10 & root = 0\n}"
        "\n{\nCollective type = MPI_Gatherv & size = 5*procnum & root = 0\n}\n";
    play_error(scene, two_places, hockney, STATUS_RANGE,
               "`size` is 5 bytes here, and 10 as process 0 computes it for this one: all must reach the same directive "
               "with the same variables, in process 1");
    static const char own_variable[] =
        "Serial time = procnum\nLoop iterations = 2 & var = i\n{\nSet n = procnum < 2 ? 3*i : 4*i\n"
        "Collective type = MPI_Alltoallv & size = n + partner\n}\n";
    play_error(scene, own_variable, hockney, STATUS_RANGE,
               "`size` is 4 bytes here, and 3 as process 0 computes it for this one");
    static const char the_root[] =
        "Serial time = procnum == 3 ? 1 : 2\nLoop iterations = 2 & var = i\n{\nSet n = procnum < 2 ? 3*i : 4*i\n"
        "Collective type = MPI_Scatterv & size = n*partner & root = 0\n}\n";
    play_error(scene, the_root, hockney, STATUS_RANGE,
               "`size` is 3 bytes here, and 4 as process 3 computes it for this one");
}

/* ---- as libpevpm-coll carries them out; its own calls are held to the same moves in coll/tests/held.c ---- */

#define DECISIONS(rows) "pevpm_machine: 1\nname: m\nnodes: 64\nprocesses_per_node: 1\nmodels: {" HOCKNEY "}\n" \
                        "decisions:\n  per: node\n  table:\n" rows

static double with_decisions(int n, const char *program, const char *machine)
{
    struct scene scene = hockney_scene(n);
    scene.optimised = true;
    return play_timed(scene, program, machine);
}

static void same_time(double a, double b)
{
    if (fabs(a - b) > 1e-12 * b)
        fail_msg("%.17g instead of %.17g", a, b);
}

static void decisions_choose_pieces_and_trees(void **state)
{
    (void)state;
    static const char machine[] =
        DECISIONS("    - {operation: MPI_Gather, numprocs: 4, bytes: [100, 1000], piece: 100}\n"
                  "    - {operation: MPI_Bcast, numprocs: 4, bytes: [1, 1000], tree: binomial}\n");
    static const struct {
        int n;
        const char *call, *same;
    } cases[] = {
        {4, "MPI_Gather & root = 1 & size = 990", " & algorithm = pieces/100"},
        {4, "MPI_Gather & root = 1 & size = 990 & algorithm = linear", NULL},
        {4, "MPI_Gather & root = 1 & size = 99", ""},
        {3, "MPI_Gather & root = 1 & size = 990", ""},
        {4, "MPI_Bcast & root = 2 & size = 990", " & algorithm = binomial_blocking"},
        {4, "MPI_Bcast & root = 2 & size = 1001", ""},
        {4, "MPI_Ibcast & request = r & root = 2 & size = 990", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char call[200], native[200];
        const char *wait = strstr(cases[i].call, "request") ? "Message type = MPI_Wait & request = r\n" : "";
        snprintf(call, sizeof call, "Collective type = %s\n%s", cases[i].call, wait);
        snprintf(native, sizeof native, "Collective type = %s%s\n%s", cases[i].call, cases[i].same ? cases[i].same : "", wait);
        double ours = with_decisions(cases[i].n, call, machine), theirs = play_timed(hockney_scene(cases[i].n), native, machine);
        if (cases[i].same)
            same_time(ours, theirs);
        else /* the library does not know of directives */
            assert_true(ours > 1.1 * theirs);
    }
}

/* 0 -> 2 with the shares of 2 and 3, 0 -> 1, 2 -> 3; labels of 16 bytes. Straight from the root otherwise. */
static void a_scatterv_tells_sizes_as_it_goes(void **state)
{
    (void)state;
    static const char machine[] =
        DECISIONS("    - {operation: MPI_Scatterv, numprocs: 4, bytes: [100, 1000], tree: binomial}\n");
    same_time(with_decisions(4, "Collective type = MPI_Scatterv & root = 0 & size = 100 + procnum\n", machine),
                       2 * ALPHA + BETA * (102 + 103 + 2 * 16 + 103 + 16));
    same_time(with_decisions(4, "Collective type = MPI_Scatterv & root = 0 & size = 10 + procnum\n", machine),
                       3 * ALPHA + BETA * (11 + 12 + 13));
}

/* Words of 8 bytes, or 8 more for each share, to 1, 2 and 3 one after the other. Over the tree 3 sends to 2, which then
 * sends both shares to 0. Small shares are not told of. */
static void a_gathervs_root_tells(void **state)
{
    (void)state;
    static const char machine[] =
        DECISIONS("    - {operation: MPI_Gatherv, numprocs: 4, bytes: [100, 1000], tree: binomial}\n");
    double words = 3 * ALPHA + BETA * (16 + 24 + 16);
    same_time(with_decisions(4, "Collective type = MPI_Gatherv & root = 0 & size = 100 + procnum\n", machine),
                       words + 2 * ALPHA + BETA * (103 + 102 + 103));
    same_time(with_decisions(4, "Collective type = MPI_Gatherv & root = 0 & size = 90 + procnum\n", machine),
                       ALPHA + BETA * 93);
    same_time(with_decisions(4, "Collective type = MPI_Gatherv & root = 0 & size = 2000 + procnum\n", machine),
                       3 * ALPHA + BETA * 24 + ALPHA + BETA * 2003);
}

/* The nodes at the positions of the tree: the slow one is a leaf, or between the root and another. */
static void trees_are_mapped(void **state)
{
    (void)state;
#define MAPPED(mapping)                                                                                           \
    "pevpm_machine: 1\nname: m\nnodes: 4\nprocesses_per_node: 1\nmodels: {hockney_hetero: {alpha: [[0, 1, 1, 9], " \
    "[1, 0, 1, 9], [1, 1, 0, 9], [9, 9, 9, 0]], beta: [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]}}\n"  \
    "time_unit: s\ndecisions:\n  per: node\n  table:\n"                                                           \
    "    - {operation: MPI_Bcast, numprocs: 4, bytes: [1, 1000], tree: binomial, mapping: " mapping "}\n"
    static const char program[] = "Collective type = MPI_Bcast & root = 0 & size = 10\n";
    same_time(with_decisions(4, program, MAPPED("[0, 1, 2, 3]")), 1 + 10 + 9 + 10);
    same_time(with_decisions(4, program, MAPPED("[0, 1, 3, 2]")), 9 + 10 + 9 + 10);
    same_time(with_decisions(4, program, MAPPED("[1, 0, 3, 2]")),
                       play_timed(hockney_scene(4), program, MAPPED("[1, 0, 3, 2]"))); /* of another root */
#undef MAPPED
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_takes_what_its_moves_take),
        cmocka_unit_test(neighbours_take_what_their_messages_take),
        cmocka_unit_test(shares_that_only_the_run_knows),
        cmocka_unit_test(sizes_over_partner_are_those_of_the_messages),
        cmocka_unit_test(empty_messages_are_waited_for),
        cmocka_unit_test(closed_forms_of_trees_and_rings),
        cmocka_unit_test(closed_forms_at_powers_of_two_and_not),
        cmocka_unit_test(each_process_leaves_when_it_would),
        cmocka_unit_test(the_three_rules),
        cmocka_unit_test(times_are_interpolated),
        cmocka_unit_test(outside_the_measured_the_table_serves),
        cmocka_unit_test(what_has_a_request_is_chosen_by_a_table_of_its_own),
        cmocka_unit_test(the_directive_goes_before_the_file_before_the_table),
        cmocka_unit_test(times_are_drawn),
        cmocka_unit_test(measured_overlap),
        cmocka_unit_test(communicators_take_their_messages),
        cmocka_unit_test(unrolled_overlap),
        cmocka_unit_test(several_at_once_do_not_mix),
        cmocka_unit_test(on_parts_at_the_same_time),
        cmocka_unit_test(disagreement_is_an_error),
        cmocka_unit_test(decisions_choose_pieces_and_trees),
        cmocka_unit_test(a_scatterv_tells_sizes_as_it_goes),
        cmocka_unit_test(a_gathervs_root_tells),
        cmocka_unit_test(trees_are_mapped),
        cmocka_unit_test(sizes_that_others_compute_otherwise_are_an_error),
    };
    return cmocka_run_group_tests_name("collectives", tests, NULL, NULL);
}
