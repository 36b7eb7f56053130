#include "models/machine/transports.h"

#include <stdint.h>

static void rendezvous_read(struct reader *r, const struct spot *spot, struct machine_transport *transport)
{
    static const char *const names[] = {
#define X(name) #name,
        RENDEZVOUS_LIST(X)
#undef X
    };
    int choice;
    if (!choice_read(r, spot, "rendezvous", names, N_RENDEZVOUS, &choice))
        return;
    transport->has_rendezvous = true;
    transport->rendezvous = (enum rendezvous)choice;
}

/* Whoever sends himself something has nobody to wait for: the last two keys are none of `self`. */
static void transport_read(struct reader *r, const struct spot *spot, enum transport which,
                           struct machine_transport *transport)
{
    struct field fields[] = {{"eager_limit", false, {0}}, {"rendezvous", false, {0}}, {"unread_limit", false, {0}}};
    if (!fields_take(r, spot, fields, transport_is_local(which) ? 3 : 1))
        return;
    if (fields[0].spot.node)
        transport->has_eager_limit = whole_read(r, &fields[0].spot, 0, INT64_MAX, &transport->eager_limit);
    if (fields[1].spot.node)
        rendezvous_read(r, &fields[1].spot, transport);
    if (fields[2].spot.node)
        transport->has_unread_limit = whole_read(r, &fields[2].spot, 0, INT64_MAX, &transport->unread_limit);
}

static void connect_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct machine_connect *connect = &machine->connect;
    struct field fields[] = {{"message", true, {0}}, {"call", false, {0}}, {"late", false, {0}}, {"shared", false, {0}},
                             {"listen", false, {0}}};
    double *const times[] = {&connect->message, &connect->call, &connect->late, &connect->shared, &connect->listen};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (fields[i].spot.node)
            time_read(r, &fields[i].spot, SIGN_NOT_NEGATIVE, times[i]);
    machine->has_connect = true;
}

static void network_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"connect", KEY_OPTIONAL, {0}}, {"eager_limit", KEY_OF_TOP, {0}}};
    if (fields_take(r, spot, FIELDS(fields)) && fields[0].spot.node)
        connect_read(r, &fields[0].spot, machine);
}

/* Of messages between nodes the eager limit stands at the top. */
void transports_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {
#define X(name, messages) {#name, false, {0}},
        TRANSPORT_LIST(X)
#undef X
    };
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (fields[TRANSPORT_network].spot.node)
        network_read(r, &fields[TRANSPORT_network].spot, machine);
    for (size_t i = TRANSPORT_network + 1; i < N_TRANSPORTS; i++)
        if (fields[i].spot.node)
            transport_read(r, &fields[i].spot, (enum transport)i, &machine->transports[i]);
    if (fields[TRANSPORT_socket].spot.node && machine->sockets == 1)
        spot_error(r, &fields[TRANSPORT_socket].spot, SOCKETS_UNKNOWN);
}
