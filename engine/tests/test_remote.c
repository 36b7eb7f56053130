/* One-sided operations: what is sent, when whoever is accessed answers, locks. Times in s. */
#include "engine/tests/play.h"

/* T(M) = 3 + M / 4 */
#define MACHINE "pevpm_machine: 1\nname: m\nnodes: 64\nprocesses_per_node: 1\n"
static const char hockney[] = MACHINE "models: {hockney: {alpha: \"3 s\", beta: \"0.25 s\"}}\n";
static const char async[] = MACHINE "progress: async\nmodels: {hockney: {alpha: \"3 s\", beta: \"0.25 s\"}}\n";
static const char rendezvous[] = MACHINE "eager_limit: 10000\nmodels: {hockney: {alpha: \"3 s\", beta: \"0.25 s\"}}\n";

static struct scene scene_of(int numprocs)
{
    return (struct scene){.numprocs = numprocs, .model = "hockney"};
}

#define FENCE "Message type = MPI_Win_fence & window = w\n"
#define COUNT "Collective type = MPI_Reduce_scatter_block & size = 4\n"
#define BARRIER "Collective type = MPI_Barrier\n"
#define ON(condition, what) "Runon c1 = " condition "\n{\n" what "}\n"
#define PUT(to, size) "Message type = MPI_Put & window = w & to = " to " & size = " size "\n"
#define GET(from, size) "Message type = MPI_Get & window = w & from = " from " & size = " size "\n"
#define LOCK(to) "Message type = MPI_Win_lock & window = w & to = " to "\n"
#define LOCK_ALONE(to) "Message type = MPI_Win_lock & window = w & exclusive = 1 & to = " to "\n"
#define UNLOCK(to) "Message type = MPI_Win_unlock & window = w & to = " to "\n"
#define FLUSH(to) "Message type = MPI_Win_flush & window = w & to = " to "\n"
#define ISEND(to, size) "Message type = MPI_Isend & to = " to " & size = " size "\n"
#define IRECV(from) "Message type = MPI_Irecv & from = " from "\n"
#define WAITALL "Message type = MPI_Waitall\n"
#define COMPUTE(seconds) "Serial time = " seconds "\n"

static void expect_same(int numprocs, const char *machine, const char *remote, const char *messages)
{
    expect_ends(scene_of(numprocs), remote, machine, play_ends(scene_of(numprocs), messages, machine).at);
}

/* A fence counts, waits and synchronises; what is put is one message behind a header of 16 bytes and of 32 each. */
static void a_fence_sends_what_was_put(void **state)
{
    (void)state;
    expect_same(3, hockney, FENCE ON("procnum == 0", PUT("1", "100")) FENCE COMPUTE("1"),
                COUNT BARRIER ON("procnum == 0", ISEND("1", "152")) COUNT ON("procnum == 1", IRECV("0")) WAITALL BARRIER
                COMPUTE("1"));
    expect_same(3, hockney, FENCE ON("procnum == 0", PUT("1", "100") PUT("1", "50") PUT("2", "8")) FENCE COMPUTE("1"),
                COUNT BARRIER ON("procnum == 0", ISEND("2", "56") ISEND("1", "240")) COUNT
                ON("procnum > 0", IRECV("0")) WAITALL BARRIER COMPUTE("1"));
    expect_same(2, hockney, FENCE PUT("procnum", "5000") PUT("1-procnum", "0") PUT("MPI_PROC_NULL", "9") FENCE COMPUTE("1"),
                COUNT BARRIER COUNT BARRIER COMPUTE("1"));
}

/* 5048 bytes are in the first when the second no longer fits. */
static void a_full_buffer_is_sent(void **state)
{
    (void)state;
    expect_same(2, hockney,
                FENCE ON("procnum == 0", PUT("1", "5000") COMPUTE("5") PUT("1", "5000") COMPUTE("7")) FENCE COMPUTE("1"),
                COUNT BARRIER ON("procnum == 1", IRECV("0") IRECV("0"))
                ON("procnum == 0", COMPUTE("5") ISEND("1", "5048") COMPUTE("7") ISEND("1", "5048")) COUNT WAITALL BARRIER
                COMPUTE("1"));
}

/* What no buffer holds goes at once, with a word behind it, also where it waits for whoever it goes to. */
static void a_long_put_leaves_at_once(void **state)
{
    (void)state;
    static const char *const machines[] = {hockney, rendezvous};
    for (int i = 0; i < 2; i++)
        expect_same(2, machines[i],
                    FENCE ON("procnum == 0", PUT("1", "100") PUT("1", "20000") COMPUTE("7")) FENCE COMPUTE("1"),
                    COUNT BARRIER ON("procnum == 1", IRECV("0") IRECV("0") IRECV("0"))
                    ON("procnum == 0", ISEND("1", "152") ISEND("1", "20000") ISEND("1", "48") COMPUTE("7")) COUNT WAITALL
                    BARRIER COMPUTE("1"));
}

/* The request for the lock comes at T(32) = 11, the answer T(16) = 7 later, what was put T(184) = 49 later. */
#define ACCESS(operation) ON("procnum > 0", LOCK("0") operation UNLOCK("0") ISEND("0", "4")) \
    ON("procnum == 0", "Loop iterations = numprocs-1 & var = i\n{\n" IRECV("i+1") "}\n" WAITALL)

static void a_lock_asks_and_an_unlock_waits(void **state)
{
    (void)state;
    expect_ends(scene_of(2), ACCESS(PUT("0", "100")), hockney, (const double[]){78, 74});
    expect_ends(scene_of(2), ACCESS(""), hockney, (const double[]){18 + 15 + 7 + 4, 18 + 15 + 7});
    /* the request for 200 bytes goes in T(80) = 23, they come T(200) = 53 later, and the answer to the unlock behind them */
    expect_ends(scene_of(2), ACCESS(GET("0", "200")), hockney, (const double[]){105, 101});
    /* with a flush T(184) and T(16) twice */
    expect_ends(scene_of(2), ACCESS(PUT("0", "100") FLUSH("0") PUT("0", "100")), hockney, (const double[]){134, 130});
    expect_ends(scene_of(2), ACCESS(GET("0", "20000")), rendezvous,
                (const double[]){18 + 23 + 5003 + 7 + 4, 18 + 23 + 5003 + 7});
}

static void who_computes_answers_when_it_is_in_mpi(void **state)
{
    (void)state;
    expect_ends(scene_of(2), ON("procnum == 0", COMPUTE("1000")) ACCESS(PUT("0", "100")), hockney,
                (const double[]){1067, 1063});
    expect_ends(scene_of(2), ON("procnum == 0", COMPUTE("1000")) ACCESS(PUT("0", "100")), async,
                (const double[]){1000, 74});
    /* it answers the lock as it looks, and the rest when it waits */
    expect_ends(scene_of(2),
                ON("procnum == 0", COMPUTE("100") "Message type = MPI_Testall & flag = f\n" COMPUTE("1000"))
                ACCESS(PUT("0", "100")), hockney, (const double[]){1111, 1107});
}

static void an_exclusive_lock_is_one_process_s(void **state)
{
    (void)state;
    expect_ends(scene_of(3), ACCESS(PUT("0", "100")), hockney, (const double[]){85, 74, 81}); /* one answer behind the other */
    /* the second has it when the first gives it back, at 67, behind the answer to that */
    expect_ends(scene_of(3),
                ON("procnum > 0", LOCK_ALONE("0") PUT("0", "100") UNLOCK("0") ISEND("0", "4"))
                ON("procnum == 0", IRECV("1") IRECV("2") WAITALL), hockney, (const double[]){141, 74, 137});
    /* one that is shared waits for it, too */
    expect_ends(scene_of(3),
                ON("procnum > 0", "Message type = MPI_Win_lock & window = w & exclusive = procnum == 1 & to = 0\n" PUT("0", "100")
                   UNLOCK("0") ISEND("0", "4"))
                ON("procnum == 0", IRECV("1") IRECV("2") WAITALL), hockney, (const double[]){141, 74, 137});
}

/* Messages to itself are served when it comes to MPI: none waits for what it has not sent. */
static void a_process_accesses_itself(void **state)
{
    (void)state;
    expect_ends(scene_of(1), LOCK_ALONE("0") PUT("0", "100") COMPUTE("5") GET("0", "20000") UNLOCK("0") COMPUTE("1"), hockney,
                (const double[]){6});
}

/* Requests of the program and windows know nothing of each other. */
static void a_waitall_leaves_windows_alone(void **state)
{
    (void)state;
    expect_ends(scene_of(2),
                ON("procnum == 1", LOCK("0") GET("0", "200") WAITALL COMPUTE("1") UNLOCK("0") ISEND("0", "4"))
                ON("procnum == 0", IRECV("1") WAITALL), hockney, (const double[]){105, 101});
    expect_ends(scene_of(2),
                ON("procnum == 1", LOCK("0") PUT("0", "8") "Message type = MPI_Win_lock & window = v & to = 0\n"
                   "Message type = MPI_Win_unlock & window = v & to = 0\n" COMPUTE("1") UNLOCK("0") ISEND("0", "4"))
                ON("procnum == 0", IRECV("1") WAITALL), hockney,
                (const double[]){88, 84});
}

static void wrong_epochs_are_errors(void **state)
{
    (void)state;
    play_error(scene_of(2), PUT("0", "8"), hockney, STATUS_RANGE, "an access without an epoch");
    play_error(scene_of(2), FENCE PUT("1-procnum", "8"), hockney, STATUS_RANGE, "this access never ends");
    play_error(scene_of(2), UNLOCK("0"), hockney, STATUS_RANGE, "is not locked");
    play_error(scene_of(2), FLUSH("0"), hockney, STATUS_RANGE, "is not locked");
    play_error(scene_of(2), LOCK("0") LOCK("0"), hockney, STATUS_RANGE, "is locked already");
    play_error(scene_of(2), LOCK("0"), hockney, STATUS_RANGE, "the lock is never given back");
    play_error(scene_of(2), LOCK("0") FENCE, hockney, STATUS_RANGE, "still locked");
    play_error(scene_of(2), PUT("2", "8"), hockney, STATUS_RANGE, "process 2 is outside 0..1 (`to`)");
    play_error(scene_of(2), GET("2", "8"), hockney, STATUS_RANGE, "process 2 is outside 0..1 (`from`)");
    play_error(scene_of(2), ON("procnum == 1", LOCK("0") UNLOCK("0")), hockney, STATUS_DEADLOCK, "which has ended");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fence_sends_what_was_put),
        cmocka_unit_test(a_full_buffer_is_sent),
        cmocka_unit_test(a_long_put_leaves_at_once),
        cmocka_unit_test(a_lock_asks_and_an_unlock_waits),
        cmocka_unit_test(who_computes_answers_when_it_is_in_mpi),
        cmocka_unit_test(an_exclusive_lock_is_one_process_s),
        cmocka_unit_test(a_process_accesses_itself),
        cmocka_unit_test(a_waitall_leaves_windows_alone),
        cmocka_unit_test(wrong_epochs_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
