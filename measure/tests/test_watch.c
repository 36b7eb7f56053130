/* A watch ends a process whose step takes too long, and no other: in children that all run at once, as it is a matter
 * of seconds. */
#include "measure/watch.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static double now_read(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void rest(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (seconds > 0 && nanosleep(&left, &left) != 0)
        continue;
}

static void say_last(void)
{
    fputs("and this is the end\n", stderr);
}

/* A step of 0.3 s that never ends: exit code 4 long before the 20. */
static void hang(struct watch *watch)
{
    watch_last(watch, say_last);
    watch_set(watch, 0.3, "waiting for nobody");
    rest(20);
}

/* Slow steps, longer in all than the grace. */
static void go_on(struct watch *watch)
{
    watch_last(watch, say_last);
    for (int step = 0; step < 3; step++) {
        watch_set(watch, 0, "making progress");
        rest(WATCH_GRACE / 2.0);
    }
}

/* Nothing is watched. */
static void think(struct watch *watch)
{
    watch_set(watch, 0, "a step");
    watch_set(watch, 0, NULL);
    rest(WATCH_GRACE + 1.5);
}

/* Stopped meanwhile for longer than the grace: that is none of its time. By itself, so that the watch looks at this
 * step by then. */
static void be_stopped(struct watch *watch)
{
    watch_set(watch, 0, "being stopped");
    rest(0.5);
    raise(SIGSTOP);
    rest(1.5);
}

/* Ends while a step is being watched. */
static void leave(struct watch *watch)
{
    watch_set(watch, 100, "a long step");
}

struct child {
    void (*run)(struct watch *watch);
    pid_t pid;
    int err;        /* what it says on standard error */
};

static void child_start(struct child *child)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    child->pid = fork();
    assert_true(child->pid >= 0);
    if (child->pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        struct watch *watch = watch_create("pevpm-bench", 7);
        child->run(watch);
        watch_destroy(watch);
        _exit(watch ? 0 : 9);
    }
    close(ends[1]);
    child->err = ends[0];
}

static int child_end(const struct child *child, char text[500])
{
    int status;
    assert_int_equal(waitpid(child->pid, &status, 0), child->pid);
    const ssize_t n = read(child->err, text, 499);
    text[n > 0 ? n : 0] = '\0';
    close(child->err);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void only_what_hangs_is_ended(void **state)
{
    (void)state;
    struct child hanging = {.run = hang};
    struct child others[] = {{.run = go_on}, {.run = think}, {.run = be_stopped}, {.run = leave}};
    struct child *stopped = &others[2];
    char text[500];
    const double begin = now_read();
    child_start(&hanging);
    for (int i = 0; i < 4; i++)
        child_start(&others[i]);
    int state_of_it;
    assert_int_equal(waitpid(stopped->pid, &state_of_it, WUNTRACED), stopped->pid);
    assert_true(WIFSTOPPED(state_of_it));
    const double stopped_at = now_read();
    assert_int_equal(child_end(&hanging, text), 4);
    const double took = now_read() - begin;
    assert_string_equal(text, "pevpm-bench: error: rank 7: no answer while waiting for nobody: "
                              "a process or the network has failed\nand this is the end\n");
    assert_true(took > WATCH_GRACE && took < WATCH_GRACE + 4);
    rest(WATCH_GRACE + 1.5 - (now_read() - stopped_at));
    kill(stopped->pid, SIGCONT);
    for (int i = 0; i < 4; i++) {
        const int code = child_end(&others[i], text);
        assert_string_equal(text, "");
        assert_int_equal(code, 0);
    }
}

static void without_a_watch_nothing_happens(void **state)
{
    (void)state;
    watch_set(NULL, 1, "a step");
    watch_last(NULL, say_last);
    watch_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_hangs_is_ended),
        cmocka_unit_test(without_a_watch_nothing_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
