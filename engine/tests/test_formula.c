/* Collectives by the formula of a model: closed forms worked out here; the messages of the algorithm under --model
 * where all enter at once; what goes before what. Times in s. */
#include "engine/tests/play.h"

#include "collectives/schedule.h"
#include "common/tests/share.h"
#include "engine/tests/closed_forms.h"

/* LogGP: overheads 1 and 2, gap 6 at the receiver too. Messages as measured take 1000 s: what a formula costs never
 * looks like one. */
#define HEAD                                                                                                          \
    "pevpm_machine: 1\nname: m\nnodes: 64\nprocesses_per_node: 2\n" REDUCTION                                         \
    "point_to_point:\n  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, "                                    \
    "sizes: [{bytes: 0, transit: \"1000 s\"}]}\n"
#define MODELS                                                                                                        \
    "models:\n  " HOCKNEY "\n"                                                                                        \
    "  loggp: {L: \"10 s\", o_s: \"1 s\", o_r: \"2 s\", g: \"6 s\", G: \"0.5 s\"}\n"                                   \
    "  logp: {L: \"20 s\", o_s: \"1 s\", o_r: \"2 s\", g: \"6 s\"}\n"
#define MACHINE(collectives) HEAD MODELS "collectives:\n" collectives

/* "MPI_Bcast & size = 8" with an entry for MPI_Bcast, on any machine text. */
static double played(int numprocs, const char *entry, const char *directive)
{
    char machine[4000], program[400];
    snprintf(machine, sizeof machine, MACHINE("  %.*s: {%s}\n"), (int)strcspn(directive, " "), directive, entry);
    snprintf(program, sizeof program, "Collective type = %s\n", directive);
    return play_timed((struct scene){.numprocs = numprocs}, program, machine);
}

static void expect(int numprocs, const char *entry, const char *directive, double time)
{
    double took = played(numprocs, entry, directive);
    if (fabs(took - time) > 1e-11 * time)
        fail_msg("P = %d, {%s}: %.17g instead of %.17g: %s", numprocs, entry, took, time, directive);
}

static void closed_forms_at_powers_of_two_and_not(void **state)
{
    (void)state;
    for (int P = 2; P <= 40; P += P < 17 ? 1 : 5) {
        double Q = P, G = GAMMA * 24;
        char whole[80];
        /* Lastovetsky and Rychkov 2009, equation (3), with halves that are no powers of two too */
        expect(P, "algorithm: binomial, model: hockney", "MPI_Scatter & root = 0 & size = 24",
               L(P) * ALPHA + (Q - 1) * BETA * 24);
        expect(P, "algorithm: binomial, model: hockney", "MPI_Bcast & root = 1 & size = 24", L(P) * T(24));
        expect(P, "algorithm: linear, model: hockney", "MPI_Bcast & root = 1 & size = 24", (Q - 1) * T(24));
        expect(P, "algorithm: chain/6, model: hockney", "MPI_Bcast & root = 0 & size = 24", (Q - 2 + 4) * T(6));
        expect(P, "algorithm: ring, model: hockney", "MPI_Allgather & size = 24", (Q - 1) * T(24));
        expect(P, "algorithm: bruck, model: hockney", "MPI_Allgather & size = 24",
               L(P) * ALPHA + (Q - 1) * BETA * 24);
        expect(P, "algorithm: pairwise, model: hockney", "MPI_Alltoall & size = 24", (Q - 1) * T(24));
        expect(P, "algorithm: chain, model: hockney", "MPI_Reduce & root = 0 & size = 24", (Q - 1) * (T(24) + G));
        expect(P, "algorithm: dissemination, model: hockney", "MPI_Barrier", L(P) * ALPHA);
        snprintf(whole, sizeof whole, "MPI_Allreduce & size = %d", 8 * P);
        expect(P, "algorithm: ring, model: hockney", whole, 2 * (Q - 1) * T(8) + (Q - 1) * GAMMA * 8);
        if (power_of_two(P)) {
            expect(P, "algorithm: recursive_doubling, model: hockney", "MPI_Allreduce & size = 24", L(P) * (T(24) + G));
            expect(P, "algorithm: rabenseifner, model: hockney", whole,
                   2 * L(P) * ALPHA + (Q - 1) * (2 * BETA + GAMMA) * 8);
        }
        /* LogGP: the last of P - 1 messages leaves (P - 2) max(g, o_s) after the first; bytes after the first take G */
        expect(P, "algorithm: linear, model: loggp", "MPI_Bcast & root = 0 & size = 1", (Q - 2) * 6 + 13);
        expect(P, "algorithm: linear, model: loggp", "MPI_Bcast & root = 0 & size = 9",
               (Q - 2) * (6 + 4) + 13 + 4);
        expect(P, "algorithm: linear, model: loggp", "MPI_Gather & root = 0 & size = 1", 13 + (Q - 2) * 6);
        /* LogP has no G, and its own L */
        expect(P, "algorithm: linear, model: logp", "MPI_Bcast & root = 0 & size = 9", (Q - 2) * 6 + 23);
    }
    expect(1, "model: hockney", "MPI_Allreduce & size = 24", 0);
}

/* ---- the messages under --model ---- */

static bool op_rooted(enum collective_op op)
{
    switch (op) {
    case COLLECTIVE_MPI_Bcast:
    case COLLECTIVE_MPI_Scatter:
    case COLLECTIVE_MPI_Scatterv:
    case COLLECTIVE_MPI_Gather:
    case COLLECTIVE_MPI_Gatherv:
    case COLLECTIVE_MPI_Reduce: return true;
    default: return false;
    }
}

#define AFTER "Serial time = 7\n"

/* Each process's end by the formula, and unrolled with --model. */
static void agree(struct scene scene, const char *model, const char *models, enum collective_op op,
                  const char *algorithm)
{
    char machine[4000], program[400], named[500];
    const char *size = strchr(collective_op_name(op), 'v') ? "5*(procnum%3)" : "48";
    snprintf(program, sizeof program, "Collective type = %s%s%s%s", collective_op_name(op),
             op == COLLECTIVE_MPI_Barrier ? "" : " & size = ", op == COLLECTIVE_MPI_Barrier ? "" : size,
             op_rooted(op) ? " & root = 1" : "");
    snprintf(named, sizeof named, "%s & algorithm = %s\n" AFTER, program, algorithm);
    strcat(program, "\n" AFTER);
    snprintf(machine, sizeof machine, HEAD "models:\n%s\ncollectives:\n  %s: {algorithm: %s, model: %s}\n", models,
             collective_op_name(op), algorithm, model);
    struct ends formula = play_ends(scene, program, machine);
    scene.model = strcmp(model, "logp") == 0 ? "loggp" : model;
    struct ends unrolled = play_ends(scene, named, machine);
    for (int i = 0; i < scene.numprocs; i++)
        if (fabs(formula.at[i] - unrolled.at[i]) > 1e-11 * unrolled.at[i])
            fail_msg("%s, P = %d, process %d: %.17g by the formula, %.17g message by message\n%s", model,
                     scene.numprocs, i, formula.at[i], unrolled.at[i], named);
}

static void each_process_leaves_as_its_messages_do(void **state)
{
    (void)state;
    static const char hockney[] = "  hockney: {alpha: \"3 s\", beta: \"0.25 s\"}";
    static const char loggp[] = "  loggp: {L: \"10 s\", o_s: \"1 s\", o_r: \"2 s\", g: \"6 s\", G: \"0.5 s\"}";
    static const char logp[] = "  logp: {L: \"10 s\", o_s: \"4 s\", o_r: \"2 s\", g: \"3 s\"}";
    for (int op = 0; op < COLLECTIVE_MPI_Iallreduce; op++)
        for (int a = 0; a < N_ALGORITHMS; a++)
            for (int P = 2; schedule_exists((enum collective_op)op, (enum algorithm)a) && P <= 16; P += P < 9 ? 1 : 7) {
                if (!share_takes(P + a))
                    continue;
                const char *name = algorithm_name((enum algorithm)a);
                agree((struct scene){.numprocs = P}, "hockney", hockney, (enum collective_op)op, name);
                agree((struct scene){.numprocs = P}, "loggp", loggp, (enum collective_op)op, name);
                agree((struct scene){.numprocs = P}, "logp", logp, (enum collective_op)op, name);
                if (P % 2 == 0) /* two on a node */
                    agree((struct scene){.numprocs = P, .nodes = P / 2, .ppn = 2}, "loggp", loggp,
                          (enum collective_op)op, name);
            }
}

/* The same on nodes that differ. The file has 4, and 4 x 4 matrices. */
static void nodes_may_differ(void **state)
{
    (void)state;
    static const char machine[] =
        "pevpm_machine: 1\nname: m\nnodes: 4\nprocesses_per_node: 1\n"
        "point_to_point:\n  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, "
        "sizes: [{bytes: 0, transit: \"1000 s\"}]}\n"
        "collectives:\n  MPI_Bcast: {algorithm: linear, model: hockney}\n"
        "  MPI_Allgather: {algorithm: ring, model: hockney}\n"
        "models:\n  hockney_hetero:\n    alpha: [[0, 1, 2, 3], [1, 0, 5, 6], [2, 5, 0, 7], [3, 6, 7, 0]]\n"
        "    beta: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]\n";
    /* 1 sends to 2, 3, 0 or another order of these: 5 + 6 + 1 */
    static const char bcast[] = "Collective type = MPI_Bcast & root = 1 & size = 8\n";
    expect_time(play_timed((struct scene){.numprocs = 4}, bcast, machine), 12);
    static const char turned[] = "Collective type = MPI_Allgather & size = 8\n";
    struct ends formula = play_ends((struct scene){.numprocs = 4}, turned, machine);
    struct ends unrolled = play_ends((struct scene){.numprocs = 4, .model = "hockney"},
                                     "Collective type = MPI_Allgather & size = 8 & algorithm = ring\n", machine);
    assert_true(formula.at[0] != formula.at[1]);
    for (int i = 0; i < 4; i++)
        expect_time(formula.at[i], unrolled.at[i]);
}

/* ---- what goes before what ---- */

#define BCAST "MPI_Bcast & root = 0 & size = 24"
#define MEASURED "measured: [{numprocs: 6, bytes: 24, time: \"77 s\"}, {numprocs: 7, bytes: 24, time: \"78 s\"}]"

static void the_directive_goes_before_the_file_before_the_table(void **state)
{
    (void)state;
    /* the file names the model, the table the algorithm */
    int64_t segment;
    for (int P = 2; P <= 40; P += 7) {
        char entry[80];
        struct scene hockney = {.numprocs = P, .model = "hockney"};
        snprintf(entry, sizeof entry, "algorithm: %s, model: hockney",
                 algorithm_name(algorithm_select(LIBRARY_open_mpi, COLLECTIVE_MPI_Bcast,
                                                 &(struct schedule){.size = P, .bytes = 24}, &segment)));
        double chosen = played(P, "model: hockney", BCAST);
        expect(P, entry, BCAST, chosen);
        /* and so the run's own model costs it where the file names none */
        expect_time(play_timed(hockney, "Collective type = " BCAST "\n", MACHINE("  MPI_Scan: {model: hockney}\n")),
                    chosen);
    }
    /* without a name the measured messages take 1000 s each, in a chain of six five times that */
    expect(6, "algorithm: chain", BCAST, 5 * 1000);
    expect(6, "algorithm: chain, model: hockney", BCAST, 5 * T(24));
    /* the directive's algorithm is unrolled, on what the run's model costs */
    expect(6, "algorithm: linear, model: hockney", BCAST " & algorithm = chain", 5 * 1000);
    expect(6, MEASURED, BCAST " & algorithm = chain", 5 * 1000);
    /* in an entry the model decides, then the algorithm */
    expect(6, MEASURED, BCAST, 77);
    expect(6, MEASURED ", algorithm: chain", BCAST, 5 * 1000);
    expect(6, MEASURED ", algorithm: chain, model: hockney", BCAST, 5 * T(24));
    expect(6, MEASURED ", algorithm: chain, model: measured", BCAST, 77);
    /* outside of what was measured the algorithm of the entry serves */
    expect(5, MEASURED ", algorithm: chain, model: measured", BCAST, 4 * 1000);
}

static void the_run_s_own_rules_do_not_matter(void **state)
{
    (void)state;
    static const char program[] = "Collective type = MPI_Bcast & root = 0 & size = 24\n";
    static const char machine[] = MACHINE("  MPI_Bcast: {algorithm: linear, model: hockney}\n");
    struct scene none = {.numprocs = 5, .contention = CONTENTION_none}, own = {.numprocs = 5, .model = "loggp"};
    expect_time(play_timed(none, program, machine), 4 * T(24));
    expect_time(play_timed(own, program, machine), 4 * T(24));
    struct scene minimum = {.numprocs = 5, .mode = MODE_minimum};
    expect_time(play_timed(minimum, program, machine), 4 * T(24));
    /* no rendezvous: the root goes on at once */
    expect_ends((struct scene){.numprocs = 3}, program,
                HEAD "eager_limit: 8\n" MODELS "collectives:\n  MPI_Bcast: {algorithm: linear, model: hockney}\n",
                (double[]){0, T(24), 2 * T(24)});
}

/* ---- entries at different times, parts, requests ---- */

#define AT_TENS "Serial time = 10*procnum\n"

static void a_formula_is_no_barrier(void **state)
{
    (void)state;
    struct scene four = {.numprocs = 4};
    static const char machine[] =
        MACHINE("  MPI_Bcast: {algorithm: chain, model: hockney}\n  MPI_Gather: {algorithm: linear, model: loggp}\n"
                "  MPI_Allgather: {algorithm: ring, model: hockney}\n");
    /* one to all: max(own entry, the root's) + T; down the chain 1, 2, 3, 0 */
    expect_ends(four, AT_TENS "Collective type = MPI_Bcast & size = 8 & root = 1\n", machine,
                (double[]){10 + 3 * 5, 10, 20 + 5, 30 + 2 * 5});
    /* all to one: the root at the latest + T, the others when they have sent */
    expect_ends(four, AT_TENS "Collective type = MPI_Gather & size = 1 & root = 2\n", machine,
                (double[]){1, 11, 30 + 13 + 2 * 6, 31});
    /* all to all */
    expect_ends(four, AT_TENS "Collective type = MPI_Allgather & size = 8\n", machine,
                (double[]){30 + 15, 30 + 15, 30 + 15, 30 + 15});
    /* several in a row, of one and of other sizes; nothing to send takes no time */
    double all = 2 * 3 * (0 + T(8) + T(16));
    expect_ends(four,
                "Loop iterations = 3 & var = i\n{\nCollective type = MPI_Allgather & size = 8*i\n"
                "Collective type = MPI_Allgather & size = 8*i\n}\n",
                machine, (double[]){all, all, all, all});
}

static void on_parts_of_the_processes(void **state)
{
    (void)state;
    static const char program[] =
        "Set half = comm_split(procnum%2, -procnum)\n"
        "Collective type = MPI_Bcast & size = procnum%2 ? 48 : 24 & root = 0 & comm = half\n";
    static const char machine[] = MACHINE("  MPI_Bcast: {algorithm: chain, model: hockney}\n");
    expect_ends((struct scene){.numprocs = 6}, program, machine,
                (double[]){2 * T(24), 2 * T(48), T(24), T(48), 0, 0});
}

static void shares_that_only_the_run_knows(void **state)
{
    (void)state;
    static const char machine[] = MACHINE("  MPI_Gatherv: {algorithm: linear, model: loggp}\n");
    static const char known[] = "Collective type = MPI_Gatherv & size = 1+procnum & root = 0\n";
    static const char learnt[] =
        "Message type = MPI_Sendrecv & to = procnum & from = procnum & size = 1 & got_size = one & tag = 1\n"
        "Collective type = MPI_Gatherv & size = one+procnum & root = 0\n";
    struct scene five = {.numprocs = 5};
    /* ports pass in the order of arrival: 13.5, 14, 14.5, 15, with gaps of 6 more than half a second a byte */
    expect_time(play_timed(five, known, machine), 13.5 + 7 + 7.5 + 8);
    expect_time(play_timed(five, learnt, machine), play_timed(five, known, machine));
}

/* Process 0 alone sends: 8 bytes to 1 and 16 to 2, then the other way round, which is as much. (An MPI_Alltoallv would send
 * empty messages, too.) */
static void sizes_of_pairs_are_told_apart(void **state)
{
    (void)state;
    static const char machine[] = MACHINE("  MPI_Alltoallw: {algorithm: linear, model: hockney}\n");
    static const char program[] = "Collective type = MPI_Alltoallw & size = procnum == 0 ? 8*partner : 0\n"
                                  "Collective type = MPI_Alltoallw & size = procnum == 0 ? 8*(partner*2%3) : 0\n";
    double first = T(8) + T(16);
    expect_ends((struct scene){.numprocs = 3}, program, machine, (double[]){first, first + T(16), 2 * first});
}

static void a_request_completes_when_its_formula_says(void **state)
{
    (void)state;
#define IBCAST_WORK(work)                                                                     \
    "Collective type = MPI_Ibcast & size = 8 & root = 0 & request = r\nSerial time = " work   \
    "\nMessage type = MPI_Wait & request = r\n"
    struct scene four = {.numprocs = 4};
    static const char machine[] = MACHINE("  MPI_Bcast: {algorithm: chain, model: hockney}\n");
    expect_ends(four, IBCAST_WORK("7"), machine, (double[]){7, 7, 10, 15});
    expect_ends(four, IBCAST_WORK("70"), machine, (double[]){70, 70, 70, 70});
    /* an entry of its own goes first */
    static const char own[] = MACHINE("  MPI_Bcast: {algorithm: chain, model: hockney}\n"
                                      "  MPI_Ibcast: {algorithm: linear, model: hockney}\n");
    expect_ends(four, "Collective type = MPI_Ibcast & size = 8 & root = 0 & request = r\nMessage type = MPI_Wait & "
                      "request = r\nSerial time = 1\n",
                own, (double[]){1, 6, 11, 16});
}

/* ---- errors ---- */

/* ---- a model's own formulas ---- */

/* LMO: C = 1 s, t = 1 s a byte, beta = 0.5 bytes/s. Processes that enter late, and the others of a Gather, are as with
 * any formula. */
static void lmo_has_its_own_for_flat_trees(void **state)
{
    (void)state;
#define LMO(entry) HEAD "models:\n  lmo: {C: \"1 s\", t: \"1 s\", beta: 0.5, gather: {kappa1: \"2 s\", kappa2: 0}}\n" \
                   "collectives:\n" entry
    struct scene four = {.numprocs = 4};
    /* (8): 3 (1 + 8) + 1 + 8 + 16; the root when it has sent all */
    expect_ends(four, "Collective type = MPI_Scatter & size = 8 & root = 0\n",
                LMO("  MPI_Scatter: {model: lmo, algorithm: linear}\n"), (double[]){27, 52, 52, 52});
    /* (9): the same and 2 8; the others C + 8 t */
    expect_ends(four, "Collective type = MPI_Gather & size = 8 & root = 1\n",
                LMO("  MPI_Gather: {model: lmo, algorithm: linear_nb}\n"), (double[]){9, 68, 9, 9});
    /* trees: the messages; two levels of C + C + 8 (t + t + 2), and the root's processor 9 for each */
    expect_ends(four, "Collective type = MPI_Bcast & size = 8 & root = 0\n",
                LMO("  MPI_Bcast: {model: lmo, algorithm: chain}\n"), (double[]){9, 43, 77, 102});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_at_powers_of_two_and_not),
        cmocka_unit_test(each_process_leaves_as_its_messages_do),
        cmocka_unit_test(nodes_may_differ),
        cmocka_unit_test(the_directive_goes_before_the_file_before_the_table),
        cmocka_unit_test(the_run_s_own_rules_do_not_matter),
        cmocka_unit_test(a_formula_is_no_barrier),
        cmocka_unit_test(on_parts_of_the_processes),
        cmocka_unit_test(shares_that_only_the_run_knows),
        cmocka_unit_test(sizes_of_pairs_are_told_apart),
        cmocka_unit_test(a_request_completes_when_its_formula_says),
        cmocka_unit_test(lmo_has_its_own_for_flat_trees),
    };
    return cmocka_run_group_tests_name("formula", tests, NULL, NULL);
}
