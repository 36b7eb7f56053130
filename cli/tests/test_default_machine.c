/* Which machine file is found, from where: copies of this program stand in for pevpm-sim, and print what they find. */
#include "cli/default_machine.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Runs a shell command; what it printed is in text. */
static int shell(const char *command, char text[PATH_MAX])
{
    FILE *out = popen(command, "r");
    assert_non_null(out);
    text[fread(text, 1, PATH_MAX - 1, out)] = '\0';
    return WEXITSTATUS(pclose(out));
}

/* A folder with bin/program: this one. */
static int folder_make(void **state)
{
    char command[2 * PATH_MAX], text[PATH_MAX], folder[] = "/tmp/default-machine-XXXXXX";
    if (!mkdtemp(folder))
        return -1;
    *state = strdup(folder);
    snprintf(command, sizeof command, "mkdir %s/bin && cp /proc/%ld/exe %s/bin/program", folder, (long)getpid(),
             folder);
    return shell(command, text);
}

static int folder_remove(void **state)
{
    char command[PATH_MAX + 10], text[PATH_MAX];
    snprintf(command, sizeof command, "rm -rf %s", (char *)*state);
    free(*state);
    return shell(command, text);
}

static void file_put(const char *folder, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void folder_put(const char *folder, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0777), 0);
}

/* The program finds folder/name; "": what is compiled in, if it is there. */
static void expect_found(const char *folder, const char *name)
{
    char command[PATH_MAX], text[PATH_MAX], wanted[PATH_MAX];
    snprintf(command, sizeof command, "cd / && %s/bin/program print", folder);
    const int code = shell(command, text);
    snprintf(wanted, sizeof wanted, "%s/%s", folder, name);
    if (name[0] == '\0') {
        const char *installed = PEVPM_DATADIR "/default-machine.yaml";
        snprintf(wanted, sizeof wanted, "%s", access(installed, R_OK) == 0 ? installed : "none");
    }
    assert_int_equal(code, 0);
    assert_string_equal(text, wanted);
}

static void the_nearest_is_found(void **state)
{
    const char *folder = *state;
    expect_found(folder, "");
    file_put(folder, "default-machine.yaml"); /* not where it is looked for */
    expect_found(folder, "");
    folder_put(folder, "share");
    folder_put(folder, "share/pevpm");
    file_put(folder, "share/pevpm/default-machine.yaml");
    expect_found(folder, "bin/../share/pevpm/default-machine.yaml");
    file_put(folder, "bin/default-machine.yaml");
    expect_found(folder, "bin/default-machine.yaml");
}

/* A link that leads nowhere: not even root can read it. */
static void what_cannot_be_read_is_passed_over(void **state)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/bin/default-machine.yaml", (char *)*state);
    assert_int_equal(symlink("/nowhere/at/all", path), 0);
    expect_found(*state, "");
}

int main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_nearest_is_found, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(what_cannot_be_read_is_passed_over, folder_make, folder_remove),
    };
    if (argc > 1 && strcmp(argv[1], "print") == 0) {
        char path[PATH_MAX];
        const char *found = default_machine_find(path);
        fputs(found ? found : "none", stdout);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
