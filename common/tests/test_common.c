/* The small room that all others stand on: units, suggestions, diagnostics, files written whole. */
#include "common/alloc.h"
#include "common/infile.h"
#include "common/outfile.h"
#include "common/status.h"
#include "common/suggest.h"
#include "common/tests/said.h"
#include "common/units.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static void parses(const char *text, double expected)
{
    double seconds = -1;
    assert_true(units_parse_time(text, 1e-3, &seconds));
    assert_true(seconds > 0 ? seconds / expected - 1 < 1e-12 && expected / seconds - 1 < 1e-12 : seconds == expected);
}

static void times_have_units(void **state)
{
    (void)state;
    parses("98.5 us", 98.5e-6);
    parses("  2.385ms ", 2.385e-3);
    parses("7", 7e-3); /* the bare unit given here is ms */
    parses("1.5 min", 90);
    parses("0 s", 0);
    parses("3e2 ns", 3e-7);
    const char *const refused[] = {"", "us", "1 hour", "1 US", "1 us 2", "inf", "nan", "1e400 s", "0x10", "1,5 s",
                                   "--3 s"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        double seconds = 42;
        assert_false(units_parse_time(refused[i], 1, &seconds));
        assert_true(seconds == 42);
    }
}

static void expect_as_strtod(const char *text)
{
    char *end, *plain_end;
    const double number = units_number(text, &end), plain = strtod(text, &plain_end);
    assert_memory_equal(&number, &plain, sizeof plain);
    assert_ptr_equal(end, plain_end);
}

static void numbers_are_those_of_strtod(void **state)
{
    (void)state;
    static const char *const odd[] = {"", ".", ".5", "12.", "12.5.5", "-3", "+3", " 7", "0x1f", "1e5", "1.5E-3 s", "1e", "3 us",
                                      "000012.500", "123456789012345", "1234567890123456", "0.1234567890123456",
                                      "9007199254740993", "99999999999999999999999999", "inf", "nan", "1,5", "2s"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        expect_as_strtod(odd[i]);
    uint64_t word = 1;
    for (int i = 0; i < 100000; i++) {
        char text[40];
        word = word * 6364136223846793005u + 1442695040888963407u;
        const int decimals = (int)(word >> 60), digits = 1 + (int)(word >> 55 & 15);
        uint64_t number = word >> 5, most = 1;
        for (int d = 0; d < digits; d++)
            most *= 10;
        snprintf(text, sizeof text, "%.*f ms", decimals, (double)(number % most) / (double)(1 + (word & 1023)));
        expect_as_strtod(text);
    }
}

static void times_are_shown_with_four_digits(void **state)
{
    (void)state;
    const struct {
        double seconds;
        const char *text;
    } shown[] = {{98.5e-6, "98.50 us"}, {1.2, "1.200 s"}, {0, "0 s"}, {2.385e-3, "2.385 ms"}, {0.99999, "1.000 s"},
                 {999.96e-6, "1.000 ms"}, {123.44e-3, "123.4 ms"}, {5e-9, "5.000 ns"}, {86400, "86400 s"},
                 {-1.5e-3, "-1.500 ms"}};
    char text[UNITS_TIME_BYTES];
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        assert_string_equal(units_format_time(shown[i].seconds, text), shown[i].text);
}

static void the_nearest_name_is_suggested(void **state)
{
    (void)state;
    const char *const names[] = {"size", "from", "to", NULL, "iterations", "MPI_Send"};
    assert_string_equal(suggest_name("siez", 4, names, 6), "size");
    assert_string_equal(suggest_name("iteration", 9, names, 6), "iterations");
    assert_string_equal(suggest_name("mpi_send", 8, names, 6), "MPI_Send");
    assert_string_equal(suggest_name("MPI_Sned", 8, names, 6), "MPI_Send");
    const char *const as_near[] = {"mode", "model"};
    assert_string_equal(suggest_name("modle", 5, as_near, 2), "model");
    assert_string_equal(suggest_name("mod", 3, as_near, 2), "mode");
    assert_null(suggest_name("elephant", 8, names, 6));
    assert_null(suggest_name("xy", 2, names, 6));
    assert_null(suggest_name("", 0, names, 6));
}

static void statuses_have_exit_codes(void **state)
{
    (void)state;
    assert_int_equal(status_exit_code(STATUS_OK), 0);
    assert_int_equal(status_exit_code(STATUS_GONE), 0);
    assert_int_equal(status_exit_code(STATUS_DEADLOCK), 1);
    assert_int_equal(status_exit_code(STATUS_USAGE), 2);
    assert_int_equal(status_exit_code(STATUS_SYNTAX), 3);
    assert_int_equal(status_exit_code(STATUS_IO), 4);
    assert_string_equal(status_name(STATUS_NOT_YET), "NOT_YET");
}

static void diagnostics_show_the_line(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    const char line[] = "\tMessage & siez = 4\x01";
    struct place place = {.file = "a.c", .line = 12, .column = 12, .width = 4, .text = line,
                          .text_length = strlen(line)};
    diag_error(&diags, place, "unknown key `%s`", "siez");
    diag_error(&diags, place, "unknown key `%s`", "siez"); /* said already */
    diag_warning(&diags, place_of_file("b.yaml"), "odd");
    diag_note(&diags, (struct place){0}, "no place");
    assert_int_equal(diags.n_errors, 1);
    assert_int_equal(diags.n_warnings, 1);
    assert_int_equal(diag_severity(&diags, 0), SEVERITY_ERROR);
    assert_int_equal(diag_severity(&diags, 2), SEVERITY_NOTE);
    assert_says(&diags, "a.c:12:12: error: unknown key `siez`\n   12 |  Message & siez = 4?\n      |            ^~~~\n"
                    "b.yaml: warning: odd\npevpm: note: no place\n");
    diags_free(&diags);
}

static void carets_stand_below_characters(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    const char line[] = "gr\xC3\xB6\xC3\x9F" "e: 5 \xC2\xB5s";
    diag_error(&diags, (struct place){.file = "a", .line = 1, .column = 11, .width = 3, .text = line, .text_length = strlen(line)}, "odd");
    assert_says(&diags, "a:1:11: error: odd\n    1 | gr\xC3\xB6\xC3\x9F" "e: 5 \xC2\xB5s\n      |         ^~\n");
    diags_free(&diags);
}

static void long_lines_are_cut_around_the_caret(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    char line[5000];
    memset(line, 'x', sizeof line);
    diag_error(&diags, (struct place){.file = "a", .line = 1, .column = 4000, .width = 3000, .text = line,
                                      .text_length = sizeof line}, "far");
    char *text = said_by(&diags);
    assert_true(strlen(text) < 320 && strchr(text, '^'));
    free(text);
    diags_free(&diags);
}

static ssize_t count_write(void *count, const char *bytes, size_t n)
{
    (void)bytes;
    ++*(int *)count;
    return (ssize_t)n;
}

/* What a launcher says meanwhile stands between two of them, and not within one. */
static void each_diagnostic_is_written_at_once(void **state)
{
    (void)state;
    static const char line[] = " Message & siez = 4";
    struct diags diags = DIAGS_EMPTY;
    int writes = 0;
    FILE *out = fopencookie(&writes, "w", (cookie_io_functions_t){.write = count_write});
    assert_non_null(out);
    assert_int_equal(setvbuf(out, NULL, _IONBF, 0), 0); /* as standard error is */
    diag_error(&diags, (struct place){.file = "a.c", .line = 12, .column = 12, .width = 4, .text = line,
                                      .text_length = sizeof line - 1}, "unknown key `siez`");
    diag_warning(&diags, place_of_file("b.yaml"), "odd");
    diags_print(&diags, out);
    assert_int_equal(writes, 2);
    fclose(out);
    diags_free(&diags);
}

static void diagnostics_are_capped(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    for (int i = 0; i < 1000; i++)
        diag_error(&diags, place_of_file("a"), "number %d", i);
    assert_int_equal(diags.n, 200);
    assert_int_equal(diags.n_errors, 1000);
    assert_int_equal(diags.n_dropped, 800);
    diags_free(&diags);
}

/* ---- files ---- */

static char folder[] = "/tmp/pevpm-test-XXXXXX";

static char *in_folder(const char *name)
{
    return alloc_format("%s/%s", folder, name);
}

static void has(const char *path, const char *expected)
{
    char text[100] = "";
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_true(fread(text, 1, sizeof text - 1, in) == strlen(expected));
    fclose(in);
    assert_string_equal(text, expected);
}

static int files(void)
{
    char *command = alloc_format("ls -A %s | wc -l", folder);
    FILE *out = popen(command, "r");
    int n = -1;
    assert_int_equal(fscanf(out, "%d", &n), 1);
    pclose(out);
    free(command);
    return n;
}

static void a_file_appears_whole_or_not_at_all(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct outfile file;
    assert_non_null(mkdtemp(folder));
    char *path = in_folder("out.csv");
    assert_int_equal(outfile_open(&file, path, &diags), STATUS_OK);
    fputs("first", file.stream);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(outfile_commit(&file, &diags), STATUS_OK);
    has(path, "first");
    assert_int_equal(outfile_open(&file, path, &diags), STATUS_OK);
    fputs("second", file.stream);
    outfile_abandon(&file);
    outfile_abandon(&file);
    has(path, "first");
    assert_int_equal(files(), 1);
    assert_int_equal(outfile_store(path, "third", &diags), STATUS_OK);
    has(path, "third");
    assert_int_equal(outfile_store("/dev/full", "fourth", &diags), STATUS_IO);
    diags_free(&diags);
    unlink(path);
    free(path);
}

static int permissions(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 ? (int)(there.st_mode & 0777) : -1;
}

static void a_file_keeps_its_permissions_and_its_links(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct stat there;
    char *path = in_folder("real"), *link = in_folder("link"), *astray = in_folder("astray"), *at[] = {link, path};
    const mode_t before = umask(0027);
    assert_int_equal(outfile_store(path, "first", &diags), STATUS_OK);
    assert_int_equal(permissions(path), 0640);
    umask(before);
    assert_int_equal(symlink("real", link), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(chmod(path, i == 0 ? 0600 : 0755), 0);
        assert_int_equal(outfile_store(at[i], at[i], &diags), STATUS_OK);
        has(path, at[i]);
        assert_int_equal(permissions(path), i == 0 ? 0600 : 0755);
        assert_true(lstat(link, &there) == 0 && S_ISLNK(there.st_mode));
    }
    assert_int_equal(symlink("nowhere", astray), 0);
    char *expected = alloc_format("%s: error: cannot create: No such file or directory\n", astray);
    assert_int_equal(outfile_store(astray, "second", &diags), STATUS_IO);
    assert_says(&diags, expected);
    assert_int_equal(files(), 3);
    diags_free(&diags);
    for (int i = 0; i < 2; i++)
        unlink(at[i]);
    unlink(astray);
    free(path);
    free(link);
    free(astray);
    free(expected);
}

/* As `-o /dev/stdout >>log`. */
static void standard_output_that_goes_to_a_file_is_added_to(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    char *path = in_folder("log"), *link = in_folder("stdout");
    assert_int_equal(outfile_store(path, "first,", &diags), STATUS_OK);
    assert_int_equal(symlink("/proc/self/fd/1", link), 0);
    fflush(stdout);
    const int before = dup(STDOUT_FILENO), log = open(path, O_WRONLY | O_APPEND);
    dup2(log, STDOUT_FILENO);
    const enum status status = outfile_store(link, "second", &diags);
    dup2(before, STDOUT_FILENO);
    close(before);
    close(log);
    assert_int_equal(status, STATUS_OK);
    has(path, "first,second");
    assert_int_equal(files(), 2);
    diags_free(&diags);
    unlink(path);
    unlink(link);
    free(path);
    free(link);
}

/* Nobody reads the pipe, so opening it would wait for ever. */
static void trying_leaves_all_as_it_is(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    char *path = in_folder("pipe"), *earlier = in_folder("out.csv"), *nowhere = in_folder("no/such/folder");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_true(outfile_is_pipe(path) && !outfile_is_pipe(earlier) && !outfile_is_pipe("/dev/null"));
    assert_int_equal(outfile_try(path, &diags), STATUS_OK);
    assert_int_equal(outfile_try(NULL, &diags), STATUS_OK);
    assert_int_equal(outfile_try(earlier, &diags), STATUS_OK);
    assert_int_equal(files(), 1);
    assert_int_equal(outfile_try(nowhere, &diags), STATUS_IO);
    assert_int_equal(diags.n_errors, 1);
    unlink(path);
    free(path);
    free(earlier);
    free(nowhere);
    diags_free(&diags);
}

/* Ctrl-C that waits already, since the caller has blocked it: so the wait for a reader has to end at once. An alarm ends a
 * wait that does not. */
static void a_pipe_without_a_reader_is_waited_for_until_a_signal(void **state)
{
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM};
    char *path = in_folder("pipe"), *expected = alloc_format("%s: error: interrupted: the pipe had no reader yet\n", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct diags diags = DIAGS_EMPTY;
        struct outfile file;
        struct sigaction after;
        sigset_t set, before;
        sigemptyset(&set);
        sigaddset(&set, numbers[i]);
        sigprocmask(SIG_BLOCK, &set, &before);
        raise(numbers[i]);
        alarm(20);
        assert_int_equal(outfile_open(&file, path, &diags), STATUS_INTERRUPTED);
        alarm(0);
        assert_says(&diags, expected);
        sigaction(numbers[i], NULL, &after);
        assert_true(after.sa_handler == SIG_DFL); /* all as it was */
        sigprocmask(SIG_SETMASK, &before, &set);
        assert_true(sigismember(&set, numbers[i]));
        diags_free(&diags);
    }
    assert_int_equal(files(), 1);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    struct diags diags = DIAGS_EMPTY;
    struct outfile file;
    char got[6] = "";
    assert_int_equal(outfile_open(&file, path, &diags), STATUS_OK);
    fputs("heard", file.stream);
    assert_int_equal(outfile_commit(&file, &diags), STATUS_OK);
    assert_int_equal(read(reader, got, sizeof got), 5);
    assert_string_equal(got, "heard");
    close(reader);
    unlink(path);
    free(path);
    free(expected);
}

static void what_cannot_be_written_is_said(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct outfile file;
    struct stat there;
    char *path = in_folder("no/such/folder");
    assert_int_equal(outfile_open(&file, path, &diags), STATUS_IO);
    assert_int_equal(outfile_open(&file, folder, &diags), STATUS_IO);
    assert_int_equal(outfile_open(&file, "/dev/full", &diags), STATUS_OK);
    fputs("lost", file.stream);
    assert_int_equal(outfile_commit(&file, &diags), STATUS_IO);
    assert_true(stat("/dev/full", &there) == 0 && S_ISCHR(there.st_mode)); /* written to, not replaced */
    char *expected = alloc_format("%s: error: cannot create: No such file or directory\n"
                                  "%s: error: cannot create: Is a directory\n"
                                  "/dev/full: error: cannot write: No space left on device\n", path, folder);
    assert_says(&diags, expected);
    free(expected);
    free(path);
    diags_free(&diags);
    rmdir(folder);
}

static void refused(const char *path, int reason, const char *why, const char *meant)
{
    struct diags diags = DIAGS_EMPTY;
    char *given = in_folder(path), *near = meant ? in_folder(meant) : NULL;
    char *expected = alloc_format("%s: error: cannot open: %s%s%s%s\n", given, why, near ? ", did you mean `" : "",
                                  near ? near : "", near ? "`?" : "");
    assert_int_equal(infile_refuse(given, reason, &diags), STATUS_IO);
    assert_says(&diags, expected);
    diags_free(&diags);
    free(given);
    free(near);
    free(expected);
}

static void a_file_that_is_not_there_may_have_another_name(void **state)
{
    (void)state;
    static const char gone[] = "No such file or directory";
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    assert_non_null(mkdtemp(folder));
    char *machines = in_folder("machines"), *file = in_folder("machines/cluster.yaml"), *hidden = in_folder(".heat.c");
    assert_int_equal(mkdir(machines, 0700), 0);
    close(open(file, O_CREAT | O_WRONLY, 0600));
    close(open(hidden, O_CREAT | O_WRONLY, 0600));
    refused("machines/clutser.yaml", ENOENT, gone, "machines/cluster.yaml");
    refused("machine/cluster.yaml", ENOENT, gone, "machines/cluster.yaml"); /* the folder is another one */
    refused("machine//other.yaml", ENOENT, gone, "machines");              /* and has no such file */
    refused("machines/cluster.yml", ENOENT, gone, "machines/cluster.yaml"); /* another ending */
    refused("machines/muter.yaml", ENOENT, gone, NULL); /* what they have in common is the ending */
    refused("heat.c", ENOENT, gone, NULL);
    refused("machines/cluster.yaml", EACCES, "Permission denied", NULL); /* it is the one that was meant */
    refused("machines/cluster.yaml", ENOENT, gone, NULL);                /* there by now */
    char *link = in_folder("machines/link.yaml");
    assert_int_equal(symlink("nowhere", link), 0);
    refused("machines/link.yaml", ENOENT, gone, NULL); /* it is there, and what it points to is not */
    unlink(link);
    free(link);
    char *before = getcwd(NULL, 0);
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(chdir(machines), 0);
    assert_int_equal(infile_refuse("luster.yaml", ENOENT, &diags), STATUS_IO);
    assert_int_equal(chdir(before), 0);
    assert_says(&diags, "luster.yaml: error: cannot open: No such file or directory, did you mean `cluster.yaml`?\n");
    diags_free(&diags);
    unlink(file);
    unlink(hidden);
    rmdir(machines);
    rmdir(folder);
    free(before);
    free(machines);
    free(file);
    free(hidden);
}

static void memory_grows_and_is_zeroed(void **state)
{
    (void)state;
    size_t capacity = 0, n = 0;
    int *list = NULL;
    for (; n < 1000; n++) {
        list = alloc_grow(list, n, &capacity, sizeof *list);
        list[n] = (int)n * 3;
    }
    assert_int_equal(list[999], 2997);
    free(list);
    double *lanes = alloc_lanes(5, sizeof *lanes);
    assert_true((uintptr_t)lanes % 64 == 0 && lanes[4] == 0);
    free(lanes);
    struct arena arena = ARENA_EMPTY;
    char *small = arena_string_n(&arena, "abcdef", 3), *large = arena_alloc(&arena, 200000, 1);
    assert_string_equal(small, "abc");
    assert_int_equal(large[199999], 0);
    arena_free(&arena);
    char *text = alloc_format("%d and %s", 7, "more");
    assert_string_equal(text, "7 and more");
    free(text);
}

static void space_grows_where_it_is_or_moves(void **state)
{
    (void)state;
    enum { FEW = 1000, MANY = 3000000 };
    unsigned char *space = alloc_space_grow(NULL, 0, FEW);
    for (int i = 0; i < FEW; i++)
        space[i] = (unsigned char)i;
    space = alloc_space_grow(space, FEW, MANY);
    assert_true((uintptr_t)space % 64 == 0);
    for (int i = 0; i < FEW; i++)
        assert_int_equal(space[i], (unsigned char)i);
    assert_int_equal(space[FEW], 0);
    assert_int_equal(space[MANY - 1], 0);
    alloc_space_free(space, MANY);
    alloc_space_free(NULL, 0);
}

static void a_general_note_is_printed_once(void **state)
{
    (void)state;
    struct diags told = DIAGS_EMPTY;
    const struct place here = {.file = "x.c", .line = 3, .column = 1, .width = 1};
    static const char *const expected[] = {"m.yaml: note: slow\nx.c:3:1: note: here\nm.yaml: warning: old\n",
                                           "x.c:3:1: note: here\nm.yaml: warning: old\n"};
    for (int i = 0; i < 2; i++) {
        char *text = NULL;
        size_t length;
        struct diags diags = DIAGS_EMPTY;
        FILE *out = open_memstream(&text, &length);
        diag_note(&diags, place_of_file("m.yaml"), "slow");
        diag_note(&diags, here, "here");
        diag_warning(&diags, place_of_file("m.yaml"), "old");
        diags_print_once(&diags, &told, out);
        fclose(out);
        assert_string_equal(text, expected[i]);
        free(text);
        diags_free(&diags);
    }
    diags_free(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_general_note_is_printed_once),
        cmocka_unit_test(times_have_units),
        cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(times_are_shown_with_four_digits),
        cmocka_unit_test(the_nearest_name_is_suggested),
        cmocka_unit_test(statuses_have_exit_codes),
        cmocka_unit_test(diagnostics_show_the_line),
        cmocka_unit_test(carets_stand_below_characters),
        cmocka_unit_test(long_lines_are_cut_around_the_caret),
        cmocka_unit_test(each_diagnostic_is_written_at_once),
        cmocka_unit_test(diagnostics_are_capped),
        cmocka_unit_test(a_file_appears_whole_or_not_at_all),
        cmocka_unit_test(a_file_keeps_its_permissions_and_its_links),
        cmocka_unit_test(standard_output_that_goes_to_a_file_is_added_to),
        cmocka_unit_test(trying_leaves_all_as_it_is),
        cmocka_unit_test(a_pipe_without_a_reader_is_waited_for_until_a_signal),
        cmocka_unit_test(what_cannot_be_written_is_said),
        cmocka_unit_test(a_file_that_is_not_there_may_have_another_name),
        cmocka_unit_test(memory_grows_and_is_zeroed), cmocka_unit_test(space_grows_where_it_is_or_moves),
    };
    return cmocka_run_group_tests_name("common", tests, NULL, NULL);
}
