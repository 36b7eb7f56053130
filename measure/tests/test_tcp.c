/* What the connections of a process tell: of those over the loopback, which loses nothing; and without one. */
#include "measure/tcp.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

struct connected {
    int listener, sender;
};

static struct connected connected_from(in_addr_t own, bool elsewhere, const char *congestion, int segment);

/* To this host, or to another of its addresses, which counts as elsewhere. Skips the test where there is no network. */
static struct connected connected(bool elsewhere, const char *congestion, int segment)
{
    return connected_from(INADDR_LOOPBACK, elsewhere, congestion, segment);
}

static struct connected connected_from(in_addr_t own, bool elsewhere, const char *congestion, int segment)
{
    const struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(own)};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + (elsewhere ? 1 : 0))};
    socklen_t length = sizeof address;
    const struct connected made = {socket(AF_INET, SOCK_STREAM, 0), socket(AF_INET, SOCK_STREAM, 0)};
    if (made.listener < 0 || made.sender < 0 || bind(made.sender, (const struct sockaddr *)&from, sizeof from) != 0 || bind(made.listener, (struct sockaddr *)&address, length) != 0 ||
        listen(made.listener, 1) != 0 || getsockname(made.listener, (struct sockaddr *)&address, &length) != 0 ||
        (congestion && setsockopt(made.sender, IPPROTO_TCP, TCP_CONGESTION, congestion, (socklen_t)strlen(congestion)) != 0) ||
        (segment > 0 && setsockopt(made.sender, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment) != 0) ||
        connect(made.sender, (struct sockaddr *)&address, length) != 0)
        skip();
    return made;
}

static void connected_close(struct connected made)
{
    close(made.listener);
    close(made.sender);
}

static void test_no_connection(void **state)
{
    (void)state;
    char name[TCP_CONGESTION_BYTES] = "unset";
    tcp_congestion(name);
    assert_string_equal(name, "");
    assert_int_equal(tcp_losses(), -1);
    assert_int_equal(tcp_segment(), 0);
}

static void test_congestion(void **state)
{
    (void)state;
    char name[TCP_CONGESTION_BYTES];
    const struct connected made = connected(true, "reno", 0);
    tcp_congestion(name);
    connected_close(made);
    assert_string_equal(name, "reno");
}

static void test_nothing_lost(void **state)
{
    (void)state;
    const struct connected made = connected(false, NULL, 0);
    assert_int_equal(write(made.sender, "some", 4), 4);
    const int64_t lost = tcp_losses();
#ifdef __linux__
    assert_int_equal(lost, 0);
#else
    assert_int_equal(lost, -1);
#endif
    connected_close(made);
}

/* The least of those that lead elsewhere, as one of them has it: with or without time stamps. */
static void test_segment(void **state)
{
    (void)state;
    int found, own;
    socklen_t length = sizeof own;
    const struct connected within = connected(false, NULL, 500);
    assert_int_equal(tcp_segment(), 0);
    const struct connected wide = connected(true, NULL, 1400), narrow = connected(true, NULL, 1000);
    found = tcp_segment();
    assert_int_equal(getsockopt(narrow.sender, IPPROTO_TCP, TCP_MAXSEG, &own, &length), 0);
    connected_close(within);
    connected_close(wide);
    connected_close(narrow);
#ifdef __linux__
    assert_int_equal(found, own);
    assert_in_range(found, 980, 1000);
#else
    assert_int_equal(found, 0);
#endif
}

/* Two connections from one address, one from another, and one that stays within the host. */
static void test_interfaces(void **state)
{
    (void)state;
    const struct connected within = connected(false, NULL, 0);
    const int none = tcp_interfaces();
    const struct connected first = connected(true, NULL, 0), again = connected(true, NULL, 0);
    const int one = tcp_interfaces();
    const struct connected other = connected_from(INADDR_LOOPBACK + 2, true, NULL, 0);
    const int two = tcp_interfaces();
    connected_close(within);
    connected_close(first);
    connected_close(again);
    connected_close(other);
#ifdef __linux__
    assert_int_equal(none, 0);
    assert_int_equal(one, 1);
    assert_int_equal(two, 2);
#else
    assert_int_equal(none + one + two, 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_connection), cmocka_unit_test(test_nothing_lost),
                                       cmocka_unit_test(test_congestion), cmocka_unit_test(test_segment),
                                       cmocka_unit_test(test_interfaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
