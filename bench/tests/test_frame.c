/* What frame_bytes takes for the network, in network namespaces of its own: it needs the rights for one, and
 * virtual Ethernet. */
#include "bench/frame.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* An empty network of this process: a loopback. Skips the test where there can be none. */
static void enter_network(void)
{
    if (unshare(CLONE_NEWNET) != 0 || system("ip link set lo up >/dev/null 2>&1") != 0) {
        print_message("skipped: no network namespace can be made here\n");
        skip();
    }
}

/* `ip` with these words. */
static void ip(const char *words)
{
    char command[200];
    snprintf(command, sizeof command, "ip %s 2>/dev/null", words);
    if (system(command) != 0) {
        print_message("skipped: %s\n", command);
        skip();
    }
}

static void without_a_network_it_is_none(void **state)
{
    (void)state;
    enter_network();
    assert_int_equal(frame_bytes(), 0); /* 127.0.0.1 is up, with an MTU of 65,536 */
}

static void headers_are_taken_off(void **state)
{
    (void)state;
    enter_network();
    ip("link add left type veth peer name right");
    assert_int_equal(frame_bytes(), 0); /* neither up nor an address */
    ip("link set left up");
    assert_int_equal(frame_bytes(), 0); /* no IPv4 address */
    ip("addr add 10.77.0.1/24 dev left");
    assert_int_equal(frame_bytes(), 1448);
    ip("link set left mtu 9000");
    assert_int_equal(frame_bytes(), 8948);
    ip("link set left down");
    assert_int_equal(frame_bytes(), 0); /* an address, but not up */
}

static void the_smallest_counts(void **state)
{
    (void)state;
    enter_network();
    ip("link add left type veth peer name right");
    ip("link set left mtu 1500 up");
    ip("link set right mtu 1400 up");
    ip("addr add 10.77.0.1/24 dev left");
    assert_int_equal(frame_bytes(), 1448); /* right has no address */
    ip("addr add 10.77.1.1/24 dev right");
    assert_int_equal(frame_bytes(), 1348);
    ip("link set right mtu 2000");
    assert_int_equal(frame_bytes(), 1448);
    ip("link set left mtu 68"); /* the least that IPv4 allows */
    assert_int_equal(frame_bytes(), 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_network_it_is_none),
        cmocka_unit_test(headers_are_taken_off),
        cmocka_unit_test(the_smallest_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
