/* Processes that poll without turns (engine/timed/process/polling.h) look when, and see what, they would with them. A loop
 * that counts its rounds in a variable has no two rounds alike, so its process has a turn for each look: where @ stands
 * that is done, or nothing. All times of all processes must be the same, to the last bit. */
#include "engine/tests/play.h"

#define END         "}\n"
#define ELSE        "}\n{\n"
#define WORK(s)     "Serial time = unit*(" s ")\n"
#define UNTIL(looks) "Set f = 0\nLoop while = f == 0\n{\n" looks "@}\n"
#define IPROBE(from, tag) "Message type = MPI_Iprobe & from = " from " & tag = " tag " & flag = f & source = w\n"
#define TEST(request) "Message type = MPI_Test & request = " request " & flag = f\n"
#define LEFT        "(procnum+numprocs-1)%numprocs"
#define RIGHT       "(procnum+1)%numprocs"
#define ANY         "MPI_ANY_SOURCE"

/* Times are in units of 1 s, so that many things happen at one time; or of 100 us, and messages are larger then. */
static const char *const programs[] = {
    /* a master that looks, alone and between computations; sampled ones too; and in a Region */
    "Runon c1 = procnum == 0 & else\n{\nLoop iterations = numprocs-1\n{\n" UNTIL(IPROBE(ANY, "0"))
        "Message type = MPI_Recv & from = w & tag = 0\n}\n" ELSE WORK("2*procnum")
        "Message type = MPI_Send & to = 0 & size = 0\n" END,
    "Runon c1 = procnum == 0 & else\n{\nLoop iterations = numprocs-1\n{\n" UNTIL(IPROBE(ANY, "0") WORK("0.25"))
        "Message type = MPI_Recv & from = w & tag = 0\n" WORK("1") "}\n" ELSE WORK("10 - procnum")
        "Message type = MPI_Ssend & to = 0 & size = 900\n" WORK("5") "Message type = MPI_Send & to = 0 & size = 0 & tag = 1\n" END,
    "Runon c1 = procnum == 0 & else\n{\nLoop iterations = numprocs-1\n{\n"
        UNTIL("Region inner\n{\n" WORK("0.5") IPROBE(ANY, "0") "Serial time = uniform(0.1*unit, 0.3*unit)\n}\n")
        "Message type = MPI_Recv & from = w & tag = 0\n}\n" ELSE WORK("7") "Serial time = exponential(3*unit)\n"
        "Message type = MPI_Send & to = 0 & size = 0\n" END,
    /* all look, for what is known before it is there, and for each other's rendezvous */
    "Loop iterations = 3 & var = lap\n{\n" WORK("procnum%3") "Message type = MPI_Irecv & from = " LEFT " & request = r\n"
        "Message type = MPI_Isend & to = " RIGHT " & size = 500*lap & request = s\n" UNTIL(TEST("r")) UNTIL(TEST("s") WORK("0.5")) END,
    "Loop iterations = 3 & var = lap\n{\nMessage type = MPI_Irecv & from = " LEFT " & request = r[0]\n"
        "Message type = MPI_Issend & to = " RIGHT " & size = 600*lap & request = r[1]\n" WORK("3*(procnum%2)")
        "Set n = 0\nLoop while = n < 2\n{\nMessage type = MPI_Testsome & count = c\nSet n = n + c\n@}\n" END,
    "Loop iterations = 3 & var = lap\n{\n" WORK("procnum") "Message type = MPI_Issend & to = " RIGHT " & size = 2000 & request = s\n"
        UNTIL("Message type = MPI_Improbe & from = " LEFT " & flag = f & message = m & got_size = b\n")
        "Message type = MPI_Imrecv & message = m & request = r\n"
        UNTIL("Message type = MPI_Testall & flag = f & request = (r, s)\n") END,
    /* all compute between looks, so that who meets whom depends on when each looks */
    "Loop iterations = 3 & var = lap\n{\n" WORK("procnum") "Message type = MPI_Irecv & from = " LEFT " & request = r\n"
        "Message type = MPI_Isend & to = " RIGHT " & size = 700*large & request = s\n" UNTIL(TEST("r") WORK("0.75"))
        UNTIL(TEST("s") WORK("1.25")) END,
    "Loop iterations = 2 & var = lap\n{\n" WORK("procnum") "Message type = MPI_Issend & to = " RIGHT " & size = 450*large & request = s\n"
        UNTIL(IPROBE(LEFT, "0") WORK("2")) "Message type = MPI_Irecv & from = " LEFT " & request = r\n"
        UNTIL(TEST("s") WORK("0.25 + procnum")) UNTIL(TEST("r") WORK("3")) END,
    "Loop iterations = 3 & var = lap\n{\n" WORK("procnum") "Message type = MPI_Irecv & from = " LEFT " & request = r\n"
        "Message type = MPI_Issend & to = " RIGHT " & size = 100*large & request = s\n" UNTIL(TEST("r") WORK("2.25")) WORK("lap")
        UNTIL(TEST("s") WORK("0.75")) END,
    /* one looks at a send, and another for a message that may come first from somebody else */
    "Runon c1 = procnum == 0 & c2 = procnum == 1\n{\nMessage type = MPI_Isend & to = 1 & size = 3000*large & request = s\n" WORK("1")
        UNTIL(TEST("s") WORK("0.5")) ELSE WORK("30") "Message type = MPI_Recv & from = 0\n" WORK("1")
        "Message type = MPI_Send & to = 0 & size = 400 & tag = 7\n" END
        "Runon c1 = procnum == 0\n{\n" UNTIL(IPROBE(ANY, "7") WORK("0.5")) "Message type = MPI_Recv & from = w & tag = 7\n" END,
    "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 3*(numprocs-1)\n{\n" UNTIL(IPROBE(ANY, "0") WORK("2"))
        "Message type = MPI_Recv & from = w & tag = 0\n}\n" ELSE "Loop iterations = 3 & var = lap\n{\n"
        "Message type = MPI_Isend & to = 0 & size = 300*large*lap\n" WORK("1") "}\nMessage type = MPI_Waitall\n" END,
    /* two looks in a round, whose values differ in between */
    "Loop iterations = 3\n{\n" WORK("procnum") "Message type = MPI_Isend & to = " RIGHT " & size = 0 & tag = 1 & request = s\n"
        UNTIL("Set f = 9\nSet a = 1\n" IPROBE(ANY, "1") "Runon c1 = f == 0\n{\nSet a = 2\nMessage type = MPI_Iprobe & from = " LEFT
              " & tag = a & flag = g\n" WORK("0.25") "}\n")
        "Message type = MPI_Recv & from = w & tag = 1\n" UNTIL("Message type = MPI_Testany & request = (s) & flag = f & index = i\n") END,
    /* collectives go on in tests */
    "Loop iterations = 2\n{\n" WORK("procnum") "Collective type = MPI_Iallreduce & size = 100 & request = c\n" UNTIL(TEST("c") WORK("0.5"))
        "Collective type = MPI_Ibcast & size = 1000 & root = 0 & request = c\n" UNTIL(TEST("c")) END,
    "Loop iterations = 2\n{\n" WORK("procnum") "Collective type = MPI_Ibarrier & request = c[0]\n"
        "Collective type = MPI_Iallreduce & size = 70*large & request = c[1]\n"
        UNTIL("Message type = MPI_Iprobe & from = " ANY " & tag = 9 & flag = g\n" WORK("1.25") TEST("c[1]") WORK("0.5"))
        UNTIL(TEST("c[0]") WORK("2")) END,
};

#define SIZES(...) \
    "nodes: 8\nprocesses_per_node: 1\npoint_to_point:\n  - {operation: MPI_Send, pattern: pingpong, nodes: 2, " \
    "processes_per_node: 1, sizes: [" __VA_ARGS__ "]}\n"
#define SIZE(bytes, transit, send, receive) \
    "{bytes: " bytes ", transit: " transit ", send_overhead: " send ", receive_overhead: " receive "}"
/* Where there are others a message is there as soon as it can be: when its level is counted. */
#define LEVELS EXACT "  - {operation: MPI_Send, pattern: pairs, nodes: 2, processes_per_node: 1, level: 2, sizes: " \
                     "[{bytes: 0, transit: 3}, {bytes: 1000, transit: 9}]}\n"
#define EXACT "pevpm_machine: 2\nname: m\n" SIZES(SIZE("0", "4", "1", "0.5") "," SIZE("1000", "10", "1", "0.5"))
#define QUICK "pevpm_machine: 2\nname: m\n" SIZES(SIZE("0", "0.2 ms", "10 us", "7 us") "," SIZE("1000", "1.2 ms", "20 us", "9 us"))
#define PORT(direction) \
    "  - {scope: node, direction: " direction ", demand: [[0, 86 us], [1000, 1.086 ms], [14460, 15.14 ms]], frame: 1448}\n"
#define PORTS "resources:\n" PORT("out") PORT("in")
#define HOLDS "send_buffer: [[0, 3000]]\n"
#define CONNECT "transports: {network: {connect: {message: 1 ms, late: 0.3 ms, listen: 0.7 ms, shared: 0.1 ms}}}\n"
#define EXACT_PORTS "resources:\n  - {scope: node, direction: out, demand: [[0, 0], [1000, 6]], acknowledgements: [[0, 0]]}\n" \
                    "  - {scope: node, direction: in, demand: [[0, 0], [1000, 6]], acknowledgements: [[0, 0]]}\n"
#define EXACT_CONNECT "transports: {network: {connect: {message: 3, late: 1, listen: 2, shared: 0.5}}}\n"

static const struct setting {
    enum contention contention;
    bool unconnected;
    double unit;
    const char *machine;
} settings[] = {
    {CONTENTION_scoreboard, false, 1, EXACT},
    {CONTENTION_scoreboard, false, 1, EXACT "eager_limit: 400\n"},
    {CONTENTION_scoreboard, false, 1, LEVELS},
    {CONTENTION_scoreboard, false, 1, EXACT "eager_limit: 400\nprogress: async\n"},
    {CONTENTION_ports, false, 1, EXACT "resources: [{scope: all, demand: [[0, 1]], wake: [[0, 0], [10, 4]]}]\n"},
    {CONTENTION_ports, false, 1e-4, QUICK "eager_limit: 400\n" PORTS "  - {scope: all, demand: [[0, 0.0002]], wake: [[0, 0], [0.1, 0.001]]}\n"},
    {CONTENTION_ports, true, 1e-4, QUICK "eager_limit: 400\n" PORTS},
    {CONTENTION_ports, true, 1, EXACT "eager_limit: 400\n" EXACT_CONNECT EXACT_PORTS "send_buffer: [[0, 100]]\n"},
    {CONTENTION_ports, true, 1, EXACT EXACT_CONNECT EXACT_PORTS "send_buffer: [[0, 100]]\n"},
    {CONTENTION_frames, false, 1e-4, QUICK PORTS},
    {CONTENTION_frames, false, 1e-4, QUICK PORTS "  - {scope: all, demand: [[0, 0.0002]], wake: [[0, 0], [0.1, 0.001]]}\n"},
    {CONTENTION_frames, true, 1e-4, QUICK "eager_limit: 20000\n" CONNECT PORTS HOLDS},
    {CONTENTION_frames, true, 1e-4, QUICK CONNECT PORTS HOLDS},
};

/* What a process does, as a number that depends on the times and the order of all its spans. */
struct lives {
    uint64_t number[8], n_spans;
};

static void life_note(void *context, const struct span *span)
{
    struct lives *lives = context;
    uint64_t bits[2];
    memcpy(bits, (double[]){span->from, span->to}, sizeof bits);
    uint64_t *number = &lives->number[span->process];
    *number = ((*number ^ bits[0]) * 0x9e3779b97f4a7c15u ^ bits[1]) * 0x9e3779b97f4a7c15u + span->loss;
    lives->n_spans++;
}

/* The program with `counts` for each @. */
static void program_write(char *text, size_t size, const char *program, double unit, const char *counts)
{
    FILE *out = fmemopen(text, size, "w");
    fprintf(out, "Param unit = %.17g\nParam large = %d\nSet k = 0\n", unit, unit < 1 ? 40 : 1);
    for (; *program; program++)
        if (*program == '@')
            fputs(counts, out);
        else
            fputc(*program, out);
    fclose(out);
}

static struct lives played(const struct setting *setting, int numprocs, const char *program)
{
    struct lives lives = {0};
    struct ledger ledger = {.context = &lives, .span = life_note};
    struct outcome outcome[3];
    char text[4000] = "";
    struct scene scene = {.numprocs = numprocs, .contention = setting->contention, .unconnected = setting->unconnected};
    scene_open(&scene, program, setting->machine);
    scene.setup.ledger = &ledger;
    enum status status = scene_run(&scene, ENGINE_TIMED, 1, 3, outcome, NULL, text, sizeof text);
    if (status != STATUS_OK)
        print_error("%s\n%s", program, text);
    assert_string_equal(status_name(status), "OK");
    scene_close(&scene);
    return lives;
}

static void who_polls_looks_as_with_turns(void **state)
{
    (void)state;
    char text[4000];
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++)
        for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
            for (int numprocs = 2; numprocs <= 5; numprocs += 3) {
                program_write(text, sizeof text, programs[p], settings[s].unit, "");
                const struct lives polls = played(&settings[s], numprocs, text);
                program_write(text, sizeof text, programs[p], settings[s].unit, "Set k = k + 1\n");
                const struct lives turns = played(&settings[s], numprocs, text);
                if (memcmp(&polls, &turns, sizeof polls) != 0)
                    fail_msg("setting %zu, %d processes, %llu spans and %llu:\n%s", s, numprocs,
                             (unsigned long long)polls.n_spans, (unsigned long long)turns.n_spans, text);
            }
}

/* Said at once, and without a number of looks: nobody counts them. */
static void polling_for_ever_needs_no_looks(void **state)
{
    (void)state;
    static const char *const forever[] = {
        "Set f = 0\nLoop while = f == 0\n{\n" IPROBE(ANY, "0") "}\n",
        "Set f = 0\nLoop while = f == 0\n{\n" IPROBE(ANY, "0") IPROBE(ANY, "1") "Serial time = 20 us\n}\n",
        "Runon c1 = procnum == 0 & else\n{\n" "Message type = MPI_Irecv & from = 1 & request = r\nSet f = 0\nLoop while = f == 0\n{\n" TEST("r") END ELSE
            "Message type = MPI_Recv & from = 0\n" END,
    };
    for (size_t i = 0; i < sizeof forever / sizeof *forever; i++)
        for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
            struct scene scene = {.numprocs = 2, .contention = settings[s].contention};
            play_error(scene, forever[i], settings[s].machine, STATUS_DEADLOCK,
                       "polls for ever: nothing that it looks for can come any more, since no other process can do anything");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_polls_looks_as_with_turns),
        cmocka_unit_test(polling_for_ever_needs_no_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
