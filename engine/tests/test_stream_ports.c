/* Messages in TCP's frames where ports are not one queue for each direction: one for both, and several side by side, rails
 * (docs/machine-file.md, resources). */
#include "engine/tests/stream_play.h"

/* ---- one queue for both directions ---- */

/* Where one queue serves both directions: ten frames leave, then ten come in. Their acknowledgements wait meanwhile, so each may probe
 * once, for nothing, before the last has come in. */
static void both_ways_pass_one_after_the_other(void **state)
{
    (void)state;
    const double time = played(
        2, HALF_DUPLEX, "Message type = MPI_Sendrecv & to = 1-procnum & from = 1-procnum & size = 14458\n");
    expect_between(time, 2 * MESSAGE + LATE_OF_TEN - 1e-8, 2 * MESSAGE + FRAME + LATE_OF_TEN + 1e-8);
}

/* ---- a twin that passes frame by frame ---- */

/* When a port of one queue, to which `senders` bring ten frames each from their own ports, has passed the last. Of each sender's
 * frames every second one is acknowledged by a frame that leaves by the same port, in the order in which all of that comes; where that
 * is one moment an acknowledgement goes before the last sender's frame. */
static double gathered_frame_by_frame(int senders)
{
    struct { double comes; int sender; } waiting[200]; /* sender 0: an acknowledgement leaves */
    int n = 0, come[10] = {0};
    double until = 0, last = 0;
    for (int k = 1; k <= 10; k++)
        for (int i = 1; i <= senders; i++) {
            waiting[n].comes = k * FRAME;
            waiting[n++].sender = i;
        }
    while (n > 0) {
        int first = 0;
        for (int i = 1; i < n; i++)
            if (waiting[i].comes < waiting[first].comes + (waiting[i].sender == 0 ? 1e-12 : -1e-12))
                first = i;
        const double comes = waiting[first].comes;
        const int sender = waiting[first].sender;
        memmove(&waiting[first], &waiting[first + 1], (size_t)(--n - first) * sizeof *waiting);
        if (sender == 0) {
            until = fmax(until, comes) + HEADER;
            continue;
        }
        until = fmax(until, comes - FRAME) + FRAME; /* an idle port passes it as it comes */
        last = until;
        if (++come[sender] % 2 == 0) {
            waiting[n].comes = until;
            waiting[n++].sender = 0;
        }
    }
    return last;
}

static void a_port_of_one_queue_serves_in_the_order_of_arrival(void **state)
{
    (void)state;
    for (int senders = 1; senders <= 8; senders++) {
        const double time = played(senders + 1, HALF_DUPLEX, "Runon c1 = procnum > 0 & else\n{\n"
                                   "Message type = MPI_Send & to = 0 & size = 14458\n}\n{\nLoop iterations = numprocs-1\n{\n"
                                   "Message type = MPI_Recv & from = MPI_ANY_SOURCE\n}\n}\n");
        expect(time, gathered_frame_by_frame(senders) + LATE_OF_TEN);
    }
}

/* ---- rails ---- */

/* So many processes send process 0 messages of that size at once. */
static double over_rails(const char *machine, int senders, int bytes)
{
    char program[300];
    snprintf(program, sizeof program, "Runon c1 = procnum > 0 & else\n{\nMessage type = MPI_Send & to = 0 & size = %d\n}\n{\n"
             "Loop iterations = numprocs-1 & var = i\n{\nMessage type = MPI_Irecv & from = i+1\n}\nMessage type = MPI_Waitall\n}\n", bytes);
    return played(senders + 1, machine, program);
}

/* What is permitted goes over all rails in equal shares, each in frames of its own: 2 x 14424 bytes in 2 x 10 full ones. Behind a
 * late receiver the permission passes first, by one of them. */
static void long_messages_go_over_all_rails(void **state)
{
    (void)state;
    const double one = over_rails(RAILS("2", ""), 1, 28848), two = over_rails(RAILS("2", ""), 2, 28848);
    expect(one, 15.7e-3);
    expect_between(two - one, MESSAGE - FRAME, MESSAGE + FRAME);
    expect_between(over_rails(RAILS("1", ""), 2, 28848) - one, 2 * MESSAGE, 3 * MESSAGE);
    const double time = played(2, RAILS("2", ""), "Runon c1 = procnum == 0 & else\n{\n"
                               "Message type = MPI_Send & to = 1 & size = 28848\n}\n{\n"
                               "Serial time = 10 ms\nMessage type = MPI_Recv & from = 0\n}\n");
    expect(time, 10e-3 + 15.7e-3);
}

/* Two that leave at once: by one of two rails, one behind the other; by two of three, each alone. */
static void short_messages_go_by_one_rail_in_frames(void **state)
{
    (void)state;
    static const char program[] = "Runon c1 = procnum == 0 & else\n{\nLoop iterations = 2\n{\n"
                                  "Message type = MPI_Isend & to = 1 & size = 14458\n}\nMessage type = MPI_Waitall\n}\n{\n"
                                  "Loop iterations = 2\n{\nMessage type = MPI_Recv & from = 0\n}\n}\n";
    expect_between(played(2, RAILS("1", ""), program), 2 * MESSAGE, 2 * MESSAGE + FRAME);
    expect(played(2, RAILS("2", ""), program), played(2, RAILS("1", ""), program));
    expect(played(2, RAILS("3", ""), program), MESSAGE + LATE_OF_TEN);
}

/* Each rail loses what its port has no room for, and brings it again: all of a message is there with the last share. */
static void rails_lose_by_themselves(void **state)
{
    (void)state;
    const double kept = over_rails(RAILS("2", ""), 4, 28848), lost = over_rails(RAILS("2", ", buffer: 7 ms, overflow: 0.2 s"), 4, 28848);
    expect_between(kept, 4 * MESSAGE, 4 * MESSAGE + 5 * FRAME);
    expect_between(lost, 0.2, 0.32);
}

/* All to one over rails, programs by chance, among hosts that hold no more than so much: no sooner than the rails can have passed all; the work of each message that is long is of all rails. */
static void nothing_passes_rails_for_nothing(void **state)
{
    (void)state;
    static const char machine[] = RAILS("3", "") "send_buffer: [[20000, 20000], [100000, 60000], [1000000, 60000]]\n"
                                  "transports: {network: {connect: {message: 0.3 ms}}}\n";
    static const int sizes[] = {0, 100, 3000, 10000, 40000, 200000};
    for (uint32_t program = 0; program < PROGRAMS; program++) {
        uint32_t drawn = 0;
        const int numprocs = 2 + chance(program, &drawn, 7), n = 1 + chance(program, &drawn, MESSAGES_MOST);
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        double work = 0, waits = 0;
        for (int k = 0; k < n; k++) {
            const int from = 1 + chance(program, &drawn, numprocs - 1), bytes = sizes[chance(program, &drawn, 6)];
            const int ms = chance(program, &drawn, 8);
            fprintf(out, "Runon c1 = procnum == %d\n{\nSerial time = %d ms\nMessage type = %s & to = 0 & size = %d\n}\n", from, ms,
                    chance(program, &drawn, 2) ? "MPI_Isend" : "MPI_Send", bytes);
            work += wire_time(bytes) - (bytes < 1448 ? HEADER : 0);
            waits += 1e-3 * ms;
        }
        fprintf(out, "Runon c1 = procnum == 0\n{\nLoop iterations = %d\n{\n"
                     "Message type = MPI_Recv & from = MPI_ANY_SOURCE\n}\n}\nMessage type = MPI_Waitall\n", n);
        fclose(out);
        const struct scene scene = {.numprocs = numprocs, .contention = CONTENTION_frames, .unconnected = program % 2};
        const double time = play_timed(scene, text, machine);
        if (!(time >= work / 3 - FRAME && time <= waits + work + n * 2e-3 + 0.1))
            fail_msg("program %u: %g s, %g s of work:\n%s", program, time, work, text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_pass_one_after_the_other),
        cmocka_unit_test(a_port_of_one_queue_serves_in_the_order_of_arrival),
        cmocka_unit_test(long_messages_go_over_all_rails),
        cmocka_unit_test(short_messages_go_by_one_rail_in_frames),
        cmocka_unit_test(rails_lose_by_themselves),
        cmocka_unit_test(nothing_passes_rails_for_nothing),
    };
    return cmocka_run_group_tests_name("stream ports", tests, NULL, NULL);
}
