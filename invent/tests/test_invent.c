/* Programs made by chance: the same ones again, all of them read, run on any number of processes without deadlock
 * though every send waits for its receive, and communicate as much as they say. */
#include "engine/tests/play.h"
#include "invent/invent.h"

enum { SEEDS = 12 };

/* All but empty messages wait. */
static const char machine[] = "pevpm_machine: 1\nname: m\nnodes: 16\neager_limit: 0\n"
                              "models: {loggp: {L: 300 us, o_s: 10 us, o_r: 10 us, g: 20 us, G: 0.85 us}}\n";

/* Lowers it, where `given` is not NULL with this parameter, and runs so many replications; returns the status, what is
 * wrong in `text`, and the mean of their times. */
static enum status program_run(const char *program, const struct definition *given, int numprocs, uint32_t replications,
                               double *mean, char *text, size_t size)
{
    struct outcome outcome;
    struct diags diags = DIAGS_EMPTY;
    struct scene scene = {.numprocs = numprocs, .nodes = numprocs, .ppn = 1, .model = "loggp", .seed = 3};
    scene_open(&scene, "Serial time = 1\n", machine);
    struct source *source = source_from_text("invented.pevpm", program, strlen(program));
    struct tree *tree = NULL;
    struct program *lowered = NULL;
    struct lower_options lower = {.numprocs = numprocs, .nodes = numprocs, .ppn = 1, .machine = "m", .time_unit = 1};
    enum status status = tree_parse(&tree, source, given ? 1 : 0, given, &diags);
    *mean = 0;
    if (status == STATUS_OK)
        status = program_lower(&lowered, tree, &lower, &diags);
    if (status == STATUS_OK) {
        struct engine_setup setup = scene.setup;
        setup.program = lowered;
        struct engine *engine = engine_create(engine_choose(&setup, ENGINE_AUTO), &setup, 1);
        for (uint32_t r = 0; r < replications && status == STATUS_OK; r++) {
            status = engine_run(engine, r, 1, &outcome, NULL, &diags);
            *mean += outcome.time / replications;
        }
        engine_destroy(engine);
    }
    FILE *out = fmemopen(text, size, "w");
    diags_print(&diags, out);
    fclose(out);
    diags_free(&diags);
    if (lowered)
        program_destroy(lowered);
    if (tree)
        tree_destroy(tree);
    source_destroy(source);
    scene_close(&scene);
    return status;
}

static void every_program_runs_on_any_number(void **state)
{
    (void)state;
    const struct definition few = {"rounds", value_int(3), NULL};
    static const int counts[] = {2, 3, 5, 8, 9};
    for (int kind = 0; kind < N_INVENT_KINDS; kind++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            char *program = invent_program((enum invent_kind)kind, seed), text[3000] = "";
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                double time;
                enum status status = program_run(program, &few, counts[c], 1, &time, text, sizeof text);
                if (status != STATUS_OK || *text)
                    fail_msg("%s, seed %d, on %d: %s\n%s", invent_kind_name((enum invent_kind)kind), (int)seed,
                             counts[c], status_name(status), text);
                assert_true(time > 0);
            }
            free(program);
        }
}

/* Of these some process, left out of a part, comes round again before others have sent: a wildcard that took its second
 * message for theirs left them waiting. */
static void who_runs_ahead_leaves_nobody_behind(void **state)
{
    (void)state;
    const struct definition few = {"rounds", value_int(3), NULL};
    static const uint64_t seeds[] = {28, 1074};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        char *program = invent_program(INVENT_communicators, seeds[i]), text[3000] = "";
        double time;
        enum status status = program_run(program, &few, 9, 8, &time, text, sizeof text);
        if (status != STATUS_OK)
            fail_msg("%s\n%s", status_name(status), text);
        free(program);
    }
}

static void a_seed_is_one_program(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_INVENT_KINDS; kind++) {
        char *one = invent_program((enum invent_kind)kind, 7), *same = invent_program((enum invent_kind)kind, 7);
        char *other = invent_program((enum invent_kind)kind, 8);
        assert_string_equal(one, same);
        assert_string_not_equal(one, other);
        free(one);
        free(same);
        free(other);
    }
}

static bool computes_before_its_phases(const char *program)
{
    return strstr(program, "Param apart = ");
}

/* A kind and a seed name a program that others have measured, whoever has compiled this. The numbers are FNV-1a (64 bits)
 * of the texts up to this kind's; who changes one takes all these measurements their programs. Where no phase computes, they
 * have a text of their own (validation/made.sh). */
static void programs_stay_what_they_were(void **state)
{
    (void)state;
    static const struct {
        enum invent_kind last;
        uint64_t hash;
    } known[] = {{INVENT_remote, 0x3b7853c9603ea8e9}, {INVENT_overlap, 0x7ad0025c92629519}};
    uint64_t hash = 0xcbf29ce484222325;
    int kind = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        for (; kind <= (int)known[i].last; kind++)
            for (uint64_t seed = 700; seed < 740; seed++) {
                char *program = invent_program((enum invent_kind)kind, seed);
                for (const char *p = program; *p && !computes_before_its_phases(program); p++)
                    hash = (hash ^ (unsigned char)*p) * 0x100000001b3;
                free(program);
            }
        if (hash != known[i].hash)
            fail_msg("up to %s: %#llx", invent_kind_name(known[i].last), (unsigned long long)hash);
    }
    assert_int_equal(kind, N_INVENT_KINDS);
}

/* "# halo, seed 3: made by chance. Computes for about 36 % of its time." */
static void half_of_them_mostly_communicate(void **state)
{
    (void)state;
    int mostly = 0, never = 0, n = 0;
    for (int kind = 0; kind < N_INVENT_KINDS; kind++)
        for (uint64_t seed = 100; seed < 130; seed++, n++) {
            char *program = invent_program((enum invent_kind)kind, seed);
            int percent = atoi(strstr(program, "about ") + 6);
            assert_true(percent == 0 || strstr(program, "work*")); /* which a poll's 20 us are not */
            mostly += percent < 50;
            never += percent == 0;
            free(program);
        }
    assert_true(mostly * 10 > n * 4 && mostly * 10 < n * 7);
    assert_true(never > 0);
}

/* Where no phase has come to compute, what was planned is done all the same, be it too little for each lap: for its part
 * of `seconds`, or longer where processes that take longer than others are waited for. */
static void what_no_phase_computes_is_computed(void **state)
{
    (void)state;
    const struct definition long_sleeps = {INVENT_SHORTEST, value_real(0.05), NULL};
    int n = 0;
    for (int kind = 0; kind < N_INVENT_KINDS; kind++)
        for (uint64_t seed = 700; seed < 740; seed++) {
            char *program = invent_program((enum invent_kind)kind, seed), text[3000] = "";
            const double computing = atof(strstr(program, "about ") + 6) / 100;
            const double seconds = atof(strstr(program, "Param seconds = ") + 16);
            for (int coarse = 0; coarse < 2 && computes_before_its_phases(program); coarse++, n++) {
                double time;
                enum status status = program_run(program, coarse ? &long_sleeps : NULL, 4, 32, &time, text, sizeof text);
                if (status != STATUS_OK || time < 0.8 * computing * seconds)
                    fail_msg("%s %d: %g s of %g\n%s", invent_kind_name((enum invent_kind)kind), (int)seed, time,
                             computing * seconds, text);
            }
            free(program);
        }
    assert_true(n > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_program_runs_on_any_number),
        cmocka_unit_test(who_runs_ahead_leaves_nobody_behind),
        cmocka_unit_test(a_seed_is_one_program),
        cmocka_unit_test(programs_stay_what_they_were),
        cmocka_unit_test(half_of_them_mostly_communicate),
        cmocka_unit_test(what_no_phase_computes_is_computed),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
