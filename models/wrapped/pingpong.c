#include "models/pingpong.h"

#include "common/alloc.h"
#include "models/wrapped/wrapped.h"

static uint32_t pingpong_pair_class(const struct cost_model *model, enum transport transport, int from_node,
                                    int to_node)
{
    const struct cost_model *inner = wrapped_inner(model);
    if (transport == TRANSPORT_self)
        return inner->pair_class(inner, TRANSPORT_self, from_node, to_node);
    return inner->pair_class(inner, TRANSPORT_network, from_node, from_node == to_node ? to_node + 1 : to_node);
}

struct cost_model *pingpong_wrap(struct cost_model *inner)
{
    struct wrapped *pingpong = alloc_zeroed(1, sizeof *pingpong);
    wrapped_init(pingpong, inner);
    pingpong->taken = inner;
    pingpong->door.pair_class = pingpong_pair_class;
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        if (transport_is_local(transport)) {
            pingpong->door.eager_limit[transport] = inner->eager_limit[TRANSPORT_network];
            pingpong->door.eager_limit_taken[transport] = false;
            pingpong->door.rendezvous[transport] = inner->rendezvous[TRANSPORT_network];
            pingpong->door.unread_limit[transport] = INT64_MAX;
        }
    return &pingpong->door;
}
