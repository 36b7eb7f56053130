#include "estimate/machine/owner_fit.h"

static const double SECOND_LEAST = 0.25; /* of one message's time: what the second must add to tell anything */

const char *owner_text(enum owner owner)
{
    static const char *const texts[] = {
#define X(name, text) text,
        OWNER_LIST(X)
#undef X
    };
    return texts[owner];
}

enum owner owner_fit(double one, double one_process, double two_processes)
{
    double second = one_process - one, part = two_processes - one;
    if (!(second > SECOND_LEAST * one))
        return OWNER_unknown;
    if (part >= second * 2 / 3)
        return OWNER_node;
    return part <= second / 3 ? OWNER_process : OWNER_unknown;
}
