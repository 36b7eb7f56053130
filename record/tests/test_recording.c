#include "record/recording.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char good[] =
    "pevpm-recording 1\nparam n 512\nranks 2\n"
    "rank 0 2\nhost a\nprocessors 1\nclocks 20 300\npolls 0\nalike 0\nmodule 0 ab12 /home/me/my app\n"
    "path 0 0:1a2b -1:7f\nlist 0 0:-1\nlist 1 all\ncomm 1 0 0 0\n"
    "MPI_Barrier 0 0 -1 0 0 0 0 0 -1 n 1 wall 1500 1500 1500 cpu 1 1400 in 10 size 0 0 0\n"
    "loop 30 1\nloop 60 30\n"
    "MPI_Isend 0 0 1 5 64 0 0 0 0 n 60 wall 6000 50 200 cpu 40 4000 in 10 size 3840 64 64 bins 12:59 13:1\nnext\n"
    "MPI_Waitall 0 0 0 0 0 0 0 0 1 n 30 wall 0 0 0 cpu 0 0 in 10 size 0 0 0\nnext\ndone 0\n"
    "rank 1 2\nhost a\npath 0\n"
    "MPI_Probe 0 0 -2 -1 0 1 0 0 -1 n 1 wall 1 1 1 cpu 0 0 in 10 size 0 0 0\n"
    "MPI_Recv 0 0 -2 -1 64 0 0 0 -1 n 1 wall 1 1 1 cpu 0 0 in 10 size 64 64 64\ndone 1\nend 2\n";

static void reads_what_is_there(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct recording recording;
    assert_int_equal(recording_read_text(&recording, "x.rec", good, strlen(good), &diags), STATUS_OK);
    assert_int_equal(recording.ranks, 2);
    assert_string_equal(recording.params[0].name, "n");
    assert_int_equal(recording.params[0].value, 512);
    const struct recorded_process *first = &recording.processes[0];
    assert_string_equal(first->modules[0].path, "/home/me/my app");
    assert_int_equal(first->paths[0].frames[0].offset, 0x1a2b);
    assert_int_equal(first->paths[0].frames[1].module, -1);
    assert_int_equal(first->n, 2);
    assert_true(fabs(first->nodes[0].times.wall - 1.5e-6) < 1e-15);
    const struct recorded_node *inner = &first->nodes[1].body[0];
    assert_int_equal(inner->trips, 60);
    assert_int_equal(inner->runs, 30);
    assert_int_equal(inner->body[0].op, OPERATION_MPI_Isend);
    assert_int_equal(inner->body[0].times.processor_n, 40);
    assert_true(first->lists[1].all);
    assert_int_equal(first->lists[0].pairs[0].ordinal, -1);
    assert_int_equal(first->comms[1].size, 1);
    const struct recorded_node *received = recording.processes[1].nodes;
    assert_int_equal(received[0].peer, PEER_ANY);
    assert_int_equal(received[0].who, 0);
    assert_int_equal(received[1].peer, PEER_ANY);
    assert_int_equal(received[1].who, PEER_ANY);
    assert_int_equal(inner->body[0].who, 1);
    assert_true(recording_crowded(&recording));
    recording_free(&recording);
    assert_int_equal(diags.n_errors, 0);
}

/* Time in a file is that of a line of its own, between those of who comes to it and of who leaves it. */
static void reads_files(void **state)
{
    (void)state;
    static const char text[] =
        "pevpm-recording 1\nranks 1\nrank 0 1\nhost a\nprocessors 1\nclocks 20 300\npolls 0\nalike 0\npath 0\n"
        "file_meet 0 0 -1 0 0 0 0 0 -1 n 1 wall 1500 1500 1500 cpu 1 1400 in 70 size 0 0 0\n"
        "MPI_File_write_all 0 0 0 0 0 0 0 0 -1 n 1 wall 9000 9000 9000 cpu 0 0 in 0 size 800 800 800\n"
        "file_part 0 0 -1 0 0 0 0 0 -1 n 1 wall 0 0 0 cpu 1 0 in 0 size 0 0 0\n"
        "file_come 0 0 -1 0 0 0 0 0 -1 n 1 wall 0 0 0 cpu 1 0 in 0 size 0 0 0\n"
        "file_wait 0 0 -1 0 0 0 0 0 -1 n 1 wall 30 30 30 cpu 0 0 in 0 size 0 0 0\ndone 0\nend 1\n";
    struct diags diags = DIAGS_EMPTY;
    struct recording recording;
    assert_int_equal(recording_read_text(&recording, "x.rec", text, strlen(text), &diags), STATUS_OK);
    const struct recorded_node *nodes = recording.processes[0].nodes;
    assert_int_equal(recording.processes[0].n, 5);
    assert_int_equal(operation_kind(nodes[0].op), KIND_barrier);
    assert_true(operation_is_beside(nodes[0].op) && operation_is_beside(nodes[2].op) && operation_is_beside(nodes[3].op));
    assert_int_equal(nodes[1].op, OPERATION_MPI_File_write_all);
    assert_int_equal(operation_kind(nodes[1].op), KIND_file);
    assert_true(nodes[1].bytes == 800 && nodes[1].times.processor_n == 0);
    assert_true(operation_kind(nodes[4].op) == KIND_file && !operation_is_beside(nodes[4].op));
    recording_free(&recording);
}

/* Replaces the first `from` by `to`; the message must be as given. */
static void refused(const char *from, const char *to, const char *message)
{
    struct diags diags = DIAGS_EMPTY;
    struct recording recording;
    const char *at = strstr(good, from);
    assert_non_null(at);
    char *text = alloc_format("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    assert_int_equal(recording_read_text(&recording, "x.rec", text, strlen(text), &diags), STATUS_SCHEMA);
    recording_free(&recording);
    assert_true(diags.n_errors >= 1);
    assert_string_equal(diag_message(&diags, 0), message);
    diags_free(&diags);
    free(text);
}

static void refuses_what_is_wrong(void **state)
{
    (void)state;
    refused("pevpm-recording", "pevpm-record", "this is no recording: it does not begin with `pevpm-recording`");
    refused("recording 1", "recording 2",
            "the recording is of version 2, this program reads version 1: record the program again");
    refused("ranks 2", "ranks 0", "expected a number of processes, found `0`");
    refused("ranks 2", "ranks 3", "expected the number of processes of the head, found `2`");
    refused("0:1a2b", "1:1a2b", "expected MODULE:OFFSET of a module above, found `1:1a2b`");
    refused("0:1a2b", "0:xyz", "expected MODULE:OFFSET, the offset in hexadecimal, found `0:xyz`");
    refused("MPI_Isend 0 0 1", "MPI_Isend 0 0 2", "expected a rank of the communicator as peer, found `2`");
    refused("MPI_Probe 0 0 -2 -1 0 1", "MPI_Probe 0 0 -2 -1 0 3",
            "expected 0, or 1 + a rank of the communicator, as who sent, found `3`");
    refused("MPI_Isend 0", "MPI_Isend 1", "expected a call path above, found `1`");
    refused("MPI_Barrier 0 0", "MPI_Barrier 0 2", "expected a communicator above, found `2`");
    refused("MPI_Waitall 0 0 0 0 0 0 0 0 1", "MPI_Waitall 0 0 0 0 0 0 0 0 2",
            "expected a list of requests above, found `2`");
    refused("MPI_Barrier", "MPI_Barier", "expected an operation of MPI, `loop` or the end, found `MPI_Barier`");
    refused("wall 1500", "wall -1", "expected a time in ns, found `-1`");
    refused("cpu 40", "cpu 61", "expected of how many the processor's time is known, found `61`");
    refused("loop 30 1", "loop 0 1", "expected how often the loop went round, found `0`");
    refused("12:59", "12:", "expected BIN:COUNT, bins ascending, and no more than there were calls, found `12:`");
    refused("end 2", "end 3", "expected the number of processes, found `3`");
    refused("end 2", "", "the recording is cut short: expected `end`, found the end of the file");
    refused("end 2\n", "en", "the recording is cut short: expected `end`, found `en`");
    refused("list 0 0:-1", "list 0 7:0", "expected PATH:ORDINAL of a call path above, found `7:0`");
    refused("comm 1 0 0 0", "comm 1 0 0 2", "expected a rank in MPI_COMM_WORLD, found `2`");
}

/* However much of it is missing, and wherever a byte is changed, it ends with an error or a recording. */
static void any_damage_is_survived(void **state)
{
    (void)state;
    size_t refusals = 0;
    for (size_t length = 0; length < strlen(good) - 1; length++) {
        struct diags diags = DIAGS_EMPTY;
        struct recording recording;
        enum status status = recording_read_text(&recording, "x.rec", good, length, &diags);
        assert_true(status == STATUS_SCHEMA && diags.n_errors > 0);
        recording_free(&recording);
        diags_free(&diags);
        refusals++;
    }
    assert_true(refusals > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_what_is_there),
        cmocka_unit_test(reads_files), cmocka_unit_test(refuses_what_is_wrong),
                                       cmocka_unit_test(any_damage_is_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
