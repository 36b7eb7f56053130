#include "measure/tcp.h"

#ifdef __linux__

#include <dirent.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/tcp.h>

/* -1: no such connection. */
static int64_t lost_by(int socket)
{
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 ||
        length < offsetof(struct tcp_info, tcpi_dsack_dups) + sizeof info.tcpi_dsack_dups)
        return -1;
    return info.tcpi_total_retrans > info.tcpi_dsack_dups ? (int64_t)info.tcpi_total_retrans - info.tcpi_dsack_dups : 0;
}

/* The address without its port. */
static bool address_is(const struct sockaddr_storage *one, const struct sockaddr_storage *other)
{
    const struct sockaddr_in *a = (const void *)one, *b = (const void *)other;
    const struct sockaddr_in6 *a6 = (const void *)one, *b6 = (const void *)other;
    return one->ss_family == AF_INET ? a->sin_addr.s_addr == b->sin_addr.s_addr
                                     : memcmp(&a6->sin6_addr, &b6->sin6_addr, sizeof a6->sin6_addr) == 0;
}

/* Connections within a host, such as the launcher's, may avoid congestion in another way, and have other segments. */
static bool leads_elsewhere(int socket)
{
    struct sockaddr_storage own, other;
    socklen_t n_own = sizeof own, n_other = sizeof other;
    return getsockname(socket, (struct sockaddr *)&own, &n_own) == 0 &&
           (own.ss_family == AF_INET || own.ss_family == AF_INET6) &&
           getpeername(socket, (struct sockaddr *)&other, &n_other) == 0 && !address_is(&own, &other);
}

/* Calls `take` with each open file, or until it returns false. */
static void files_take(bool (*take)(int file, void *context), void *context)
{
    DIR *files = opendir("/proc/self/fd");
    if (!files)
        return;
    bool more = true;
    for (struct dirent *file = readdir(files); file && more; file = readdir(files))
        more = take(atoi(file->d_name), context);
    closedir(files);
}

static bool congestion_take(int file, void *context)
{
    char *name = context;
    socklen_t length = TCP_CONGESTION_BYTES - 1;
    if (leads_elsewhere(file) && getsockopt(file, IPPROTO_TCP, TCP_CONGESTION, name, &length) == 0)
        return false;
    memset(name, 0, TCP_CONGESTION_BYTES);
    return true;
}

void tcp_congestion(char name[TCP_CONGESTION_BYTES])
{
    memset(name, 0, TCP_CONGESTION_BYTES);
    files_take(congestion_take, name);
}

static bool losses_take(int file, void *context)
{
    int64_t *lost = context;
    const int64_t one = lost_by(file);
    if (one >= 0)
        *lost = (*lost < 0 ? 0 : *lost) + one;
    return true;
}

int64_t tcp_losses(void)
{
    int64_t lost = -1;
    files_take(losses_take, &lost);
    return lost;
}

static bool segment_take(int file, void *context)
{
    int *least = context, segment;
    socklen_t length = sizeof segment;
    if (leads_elsewhere(file) && getsockopt(file, IPPROTO_TCP, TCP_MAXSEG, &segment, &length) == 0 && segment > 0 &&
        (*least == 0 || segment < *least))
        *least = segment;
    return true;
}

int tcp_segment(void)
{
    int least = 0;
    files_take(segment_take, &least);
    return least;
}

enum { INTERFACES_MOST = 64 };

struct interfaces {
    int n;
    struct sockaddr_storage own[INTERFACES_MOST];
};

static bool interface_take(int file, void *context)
{
    struct interfaces *known = context;
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    if (!leads_elsewhere(file) || getsockname(file, (struct sockaddr *)&own, &length) != 0)
        return true;
    for (int i = 0; i < known->n; i++)
        if (known->own[i].ss_family == own.ss_family && address_is(&known->own[i], &own))
            return true;
    known->own[known->n++] = own;
    return known->n < INTERFACES_MOST;
}

int tcp_interfaces(void)
{
    struct interfaces known = {.n = 0};
    files_take(interface_take, &known);
    return known.n;
}

#else

int tcp_interfaces(void)
{
    return 0;
}

int64_t tcp_losses(void)
{
    return -1;
}

void tcp_congestion(char name[TCP_CONGESTION_BYTES])
{
    name[0] = '\0';
}

int tcp_segment(void)
{
    return 0;
}

#endif
