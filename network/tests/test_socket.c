/* When what a connection was given has left the port (network/socket.h), against a twin that remembers every piece. */
#include "network/socket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.6g, expected %.6g", found, expected);
}

enum { PIECES = 400 };

/* The twin: each piece as the port was brought it, in one line from when it began to be passed. */
struct twin {
    double begin[PIECES], bytes[PIECES], until[PIECES], since[PIECES];
    int n;
};

static double twin_leaves(const struct twin *t, double place)
{
    for (int i = 0; i < t->n; i++)
        if (place <= t->bytes[i])
            return t->since[i] + (t->until[i] - t->since[i]) * (place - t->begin[i]) / (t->bytes[i] - t->begin[i]);
    return INFINITY;
}

static double drawn(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Pieces of chance, each brought while the one before leaves or after it, at a port that takes 2.385 s for a byte. */
static void it_is_what_each_piece_says(void **state)
{
    (void)state;
    struct socket socket = SOCKET_NEW;
    struct twin twin = {.n = 0};
    uint64_t seed = 5;
    double now = 0, bytes = 0, until = 0;
    for (int i = 0; i < PIECES; i++) {
        const double piece = 1 + 20 * drawn(&seed), since = fmax(now, until);
        twin.begin[i] = bytes;
        twin.since[i] = since;
        bytes += piece;
        until = since + 2.385 * piece;
        twin.bytes[i] = bytes;
        twin.until[i] = until;
        twin.n++;
        socket_bring(&socket, bytes, until, now);
        for (int k = 0; k < 8; k++) {
            const double place = bytes * drawn(&seed), exact = twin_leaves(&twin, place);
            if (exact > now && fabs(socket_leaves(&socket, place) - exact) > 1e-6)
                fail_msg("piece %d: %g instead of %g", i, socket_leaves(&socket, place), exact);
            if (exact > now && fabs(socket_left(&socket, exact) - place) > 1e-6)
                fail_msg("piece %d: %g had left instead of %g", i, socket_left(&socket, exact), place);
            if (exact <= now && socket_leaves(&socket, place) > now)
                fail_msg("piece %d: %g, and it left at %g", i, socket_leaves(&socket, place), exact);
        }
        now += 2.385 * 22 * drawn(&seed);
    }
    assert_true(isinf(socket_leaves(&socket, bytes + 1)));
}

/* Others bring the port as much between its pieces: the pieces before the last share that evenly. */
static void others_are_shared_by_the_pieces_before(void **state)
{
    (void)state;
    struct socket socket = SOCKET_NEW;
    for (int i = 1; i <= 4; i++)
        socket_bring(&socket, 10.0 * i, 20.0 * i, 0);
    assert_near(socket_leaves(&socket, 15), 30, 1e-9);
    assert_near(socket_leaves(&socket, 35), 70, 1e-9);
    assert_near(socket_leaves(&socket, 40), 80, 1e-9);
}

static void nothing_new_changes_nothing(void **state)
{
    (void)state;
    struct socket socket = SOCKET_NEW;
    assert_true(socket_leaves(&socket, 0) == -INFINITY && socket_leaves(&socket, 1) == INFINITY);
    socket_bring(&socket, 10, 5, 1);
    socket_bring(&socket, 10, 9, 2);
    assert_near(socket_leaves(&socket, 10), 5, 0);
    socket_bring(&socket, 20, 10, 6);
    assert_near(socket_leaves(&socket, 15), 8, 1e-9);
    assert_true(socket_leaves(&socket, 10) == -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_each_piece_says),
        cmocka_unit_test(others_are_shared_by_the_pieces_before),
        cmocka_unit_test(nothing_new_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
