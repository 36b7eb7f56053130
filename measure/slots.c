#include "measure/slots.h"

#include <assert.h>

static int count_of(int ppn, const int socket[], int which)
{
    int n = 0;
    for (int slot = 0; slot < ppn; slot++)
        n += socket[slot] == which;
    return n;
}

/* The socket with most processes, of several the first. */
static int fullest(int ppn, const int socket[])
{
    int found = socket[0];
    for (int slot = 1; slot < ppn; slot++)
        if (count_of(ppn, socket, socket[slot]) > count_of(ppn, socket, found))
            found = socket[slot];
    return found;
}

/* How many other sockets come before that of `slot`. */
static int turn_of(const int socket[], int slot)
{
    int turn = 0;
    for (int i = 0; i < slot && socket[i] != socket[slot]; i++) {
        bool is_first = true;
        for (int j = 0; j < i; j++)
            is_first = is_first && socket[j] != socket[i];
        turn += is_first;
    }
    return turn;
}

/* Whether a slot is among those that a half of a choice is made of. */
static bool is_among(int ppn, const int socket[], enum transport transport, int half, int slot)
{
    return transport == TRANSPORT_socket ? socket[slot] == fullest(ppn, socket) : turn_of(socket, slot) % 2 == half;
}

static int among(int ppn, const int socket[], enum transport transport, int half)
{
    int n = 0;
    for (int slot = 0; slot < ppn; slot++)
        n += is_among(ppn, socket, transport, half, slot);
    return n;
}

int slots_most(int ppn, const int socket[], enum transport transport)
{
    const int first = among(ppn, socket, transport, 0), second = among(ppn, socket, transport, 1);
    if (transport == TRANSPORT_socket)
        return first - first % 2;
    return 2 * (first < second ? first : second);
}

int slots_nth(int ppn, const int socket[], enum transport transport, int n, int q)
{
    const bool crosses = transport != TRANSPORT_socket;
    const int half = crosses && q >= n / 2;
    int left = half ? q - n / 2 : q, slot = 0;
    assert(0 <= q && q < n && n <= slots_most(ppn, socket, transport));
    while (!is_among(ppn, socket, transport, half, slot) || left-- > 0)
        slot++;
    return slot;
}

/* Sockets are compared by the order in which they come on their node, since their numbers are the machine's. */
bool slots_map(int nodes, int ppn, const int socket[], int sockets, enum socket_map *map)
{
    const int fill = (ppn + sockets - 1) / sockets;
    bool is[N_SOCKET_MAPS] = {true, true};
    for (int node = 0; node < nodes; node++)
        for (int slot = 0; slot < ppn; slot++) {
            const int turn = turn_of(socket + node * ppn, slot);
            is[SOCKET_MAP_cyclic] = is[SOCKET_MAP_cyclic] && turn == slot % sockets;
            is[SOCKET_MAP_block] = is[SOCKET_MAP_block] && turn == slot / fill;
        }
    *map = is[SOCKET_MAP_cyclic] ? SOCKET_MAP_cyclic : SOCKET_MAP_block;
    return is[SOCKET_MAP_cyclic] || is[SOCKET_MAP_block];
}
