/* What the connections of a process have lost: one over the loopback loses nothing, and without one nothing is
 * known. */
#include "measure/losses.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static void test_no_connection(void **state)
{
    (void)state;
    assert_int_equal(losses_counted(), -1);
}

/* A connection to another address, of which this host has two. */
static void test_avoided_by(void **state)
{
    (void)state;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1)};
    socklen_t length = sizeof address;
    char name[LOSSES_NAME_BYTES] = "unset";
    losses_avoided_by(name);
    assert_string_equal(name, "");
    const int listener = socket(AF_INET, SOCK_STREAM, 0), sender = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || sender < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
        listen(listener, 1) != 0 || getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
        setsockopt(sender, IPPROTO_TCP, TCP_CONGESTION, "reno", 4) != 0 ||
        connect(sender, (struct sockaddr *)&address, length) != 0)
        skip(); /* no network here */
    losses_avoided_by(name);
    close(listener);
    close(sender);
    assert_string_equal(name, "reno");
}

static void test_nothing_lost(void **state)
{
    (void)state;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0), sender = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || sender < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
        listen(listener, 1) != 0 || getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
        connect(sender, (struct sockaddr *)&address, length) != 0)
        skip(); /* no network here */
    assert_int_equal(write(sender, "some", 4), 4);
    const int64_t lost = losses_counted();
#ifdef __linux__
    assert_int_equal(lost, 0);
#else
    assert_int_equal(lost, -1);
#endif
    close(listener);
    close(sender);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_connection), cmocka_unit_test(test_nothing_lost),
                                       cmocka_unit_test(test_avoided_by)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
