/* Traces of spans and messages told by hand. The readers of the three forms have their say in test_trace.sh. */
#include "report/trace.h"

#include "common/tests/said.h"
#include "report/profile.h"
#include "report/tests/told.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static const char program_text[] = "Serial time = 0.5\n"
                                   "Runon c1 = procnum == 0\n"
                                   "&     c2 = procnum == 1\n"
                                   "{\n"
                                   "Message type = MPI_Send & size = 8 & from = 0 & to = 1 & tag = 7\n"
                                   "}\n"
                                   "{\n"
                                   "Message type = MPI_Recv & size = 8 & from = 0 & to = 1 & tag = 7\n"
                                   "}\n";
enum { LINE_SERIAL = 1, LINE_SEND = 5, LINE_RECV = 8 };

static char folder[] = "/tmp/test_trace.XXXXXX";

static void tell(const struct ledger *ledger, int32_t process, int32_t site, enum loss loss, double from, double to)
{
    ledger->span(ledger->context, &(struct span){process, site, loss, from, to});
}

static void tell_run(const struct ledger *ledger, const struct program *program)
{
    int32_t serial = site_at(program, LINE_SERIAL), send = site_at(program, LINE_SEND),
            recv = site_at(program, LINE_RECV);
    tell(ledger, 1, serial, LOSS_computation, 0, 0.25);
    tell(ledger, 1, recv, LOSS_late_sender, 0.25, 0.5);
    tell(ledger, 0, serial, LOSS_computation, 0, 0.5);
    tell(ledger, 0, send, LOSS_send_overhead, 0.5, 0.500001);
    tell(ledger, 1, recv, LOSS_receive_overhead, 0.5, 0.5); /* no length */
    tell(ledger, 1, recv, LOSS_transit, 0.5, 1.0000012345);
    ledger->flight(ledger->context, &(struct flight){.from = 0, .to = 1, .send_site = send, .receive_site = recv,
                                                     .tag = 7, .bytes = 8, .sent = 0.5, .arrived = 1.0000012345,
                                                     .received = 1.0000012345});
    tell(ledger, 0, -1, LOSS_end_imbalance, 0.500001, 1.0000012345);
}

/* Writes the run to `path`. Returns what trace_open or trace_commit said; the diagnostics go to `text`. */
static enum status write_trace(const char *path, bool commit, char text[400])
{
    struct scene scene = {.numprocs = 2};
    struct diags diags = DIAGS_EMPTY;
    scene_open(&scene, program_text, machine_text);
    struct trace_about about = {.program = scene.program, .title = "a \"b\".c on testbed"};
    struct trace *trace = NULL;
    enum status status = trace_open(&trace, path, &about, &diags);
    if (status == STATUS_OK) {
        struct ledger ledger = trace_ledger(trace);
        tell_run(&ledger, scene.program);
        if (commit)
            status = trace_commit(trace, &diags);
        else
            trace_abandon(trace);
    }
    FILE *out = fmemopen(text, 400, "w");
    diags_print(&diags, out);
    fclose(out);
    diags_free(&diags);
    scene_close(&scene);
    return status;
}

static char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static char *file_text(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(20000, 1);
    size_t n = fread(text, 1, 19999, file);
    assert_in_range(n, 1, 19998);
    fclose(file);
    return text;
}

static int count_files(const char *path)
{
    int n = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2; /* . and .. */
}

static void test_chrome(void **state)
{
    (void)state;
    char said[400];
    const char *path = path_of("t.json");
    assert_int_equal(write_trace(path, true, said), STATUS_OK);
    char *text = file_text(path);
    assert_has(text, "\"title\": \"a \\\"b\\\".c on testbed\"");
    assert_has(text, "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 2, \"tid\": 2, \"args\": {\"name\": "
                     "\"process 1\"}}");
    assert_has(text, "{\"ph\": \"X\", \"name\": \"Serial test.pevpm:1\", \"cat\": \"computation\", \"pid\": 1, "
                     "\"tid\": 1, "
                     "\"ts\": 0.000, \"dur\": 500000.000, ");
    assert_has(text, "\"name\": \"MPI_Recv test.pevpm:8\", \"cat\": \"transit\", \"pid\": 2, \"tid\": 2, "
                     "\"ts\": 500000.000, \"dur\": 500001.235, ");
    assert_has(text, "{\"ph\": \"s\", \"name\": \"message\", \"cat\": \"message\", \"id\": 1, \"pid\": 1, \"tid\": 1, "
                     "\"ts\": 500000.000, \"args\": {\"bytes\": 8, \"tag\": 7, \"to\": 1}}");
    assert_has(text, "{\"ph\": \"f\", \"bp\": \"e\", \"name\": \"message\", \"cat\": \"message\", \"id\": 1, "
                     "\"pid\": 2, "
                     "\"tid\": 2, \"ts\": 1000001.234, ");
    assert_has(text, "\"name\": \"ended\", \"cat\": \"end_imbalance\"");
    assert_null(strstr(text, "receive_overhead"));
    assert_string_equal(text + strlen(text) - 4, "\n]}\n");
    free(text);
    unlink(path);
}

static void test_paje(void **state)
{
    (void)state;
    char said[400];
    const char *path = path_of("t.paje");
    assert_int_equal(write_trace(path, true, said), STATUS_OK);
    char *text = file_text(path);
    assert_has(text, "# pevpm ");
    assert_has(text, "%EventDef PajeSetState 6\n% Time date\n% Type string\n% Container string\n% Value "
                     "string\n%EndEventDef\n");
    assert_has(text, "4 0.000000000 p1 P n1 \"process 1\"\n");
    /* by time, whatever order they were told in; a directive only where it changes */
    assert_has(text, "6 0.000000000 L p1 l0\n6 0.000000000 D p1 d");
    assert_has(text, "6 0.250000000 L p1 l6\n6 0.250000000 D p1 d");
    assert_has(text, "6 0.500000000 L p1 l3\n7 0.500000000 F m message p0 k0 8 7\n6 0.500001000 L p0 l9\n6 "
                     "0.500001000 D p0 d-1\n"
                     "8 1.000001235 F m message p1 k0\n5 1.000001235 P p0\n");
    free(text);
    unlink(path);
}

static void test_otf2(void **state)
{
    (void)state;
    char said[400];
    const char *path = path_of("archive");
    enum status status = write_trace(path, true, said);
    if (status == STATUS_NOT_YET) {
        assert_has(said, "built without libotf2");
        assert_int_equal(count_files(folder), 0);
        skip();
    }
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(count_files(path), 3);
    assert_int_equal(access(path_of("archive/traces.otf2"), R_OK), 0);
    assert_int_equal(write_trace(path_of("archive/"), true, said), STATUS_OK); /* an earlier one is replaced */
    assert_int_equal(count_files(folder), 1);
    assert_int_equal(access(path_of("archive/traces/1.evt"), R_OK), 0);

    /* somebody else's files are not */
    unlink(path_of("archive/traces.otf2"));
    assert_int_equal(write_trace(path_of("archive"), true, said), STATUS_IO);
    assert_has(said, "archive: error: will not be replaced: it is a folder that holds other files, and no traces.otf2");
    assert_int_equal(count_files(path_of("archive")), 2);
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", path_of("archive"));
    assert_int_equal(system(command), 0);

    FILE *file = fopen(path_of("archive"), "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(write_trace(path_of("archive"), true, said), STATUS_IO);
    assert_has(said, "cannot be replaced by a folder: it is not one");
    unlink(path_of("archive"));
}

/* Nothing appears, and nothing is left behind. */
static void test_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"t.json", "t.paje", "archive"};
    char said[400];
    for (size_t i = 0; i < 3; i++) {
        enum status status = write_trace(path_of(names[i]), false, said);
        assert_true(status == STATUS_OK || (i == 2 && status == STATUS_NOT_YET));
        struct diags diags = DIAGS_EMPTY;
        assert_int_equal(trace_try(path_of(names[i]), &diags), status);
        diags_free(&diags);
        assert_int_equal(count_files(folder), 0);
        char name[40];
        snprintf(name, sizeof name, "no-such-folder/%s", names[i]);
        status = write_trace(path_of(name), true, said);
        assert_true(status == STATUS_IO || (i == 2 && status == STATUS_NOT_YET));
        assert_true(status == STATUS_NOT_YET || strstr(said, "No such file or directory"));
    }
    trace_abandon(NULL);
}

/* A full disk is an error, and the trace does not appear. */
static void test_full(void **state)
{
    (void)state;
    char said[400];
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(symlink("/dev/full", path_of("full.json")), 0);
    assert_int_equal(write_trace(path_of("full.json"), true, said), STATUS_IO);
    assert_has(said, "No space left on device");
    unlink(path_of("full.json"));
}

static int folder_make(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chrome),  cmocka_unit_test(test_paje), cmocka_unit_test(test_otf2),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_full),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
