/* rails.h - over which of a node's ports, its rails, a message goes.
 *
 * Two nodes have as many rails between them as the one has that has fewer; the rails of a node are alike. As MPI libraries do it:
 *
 *     short    what needs no permission, and what announces and permits, goes by one rail. Open MPI (4.1, pml/ob1) takes the rails of
 *              two processes by turns, and two turns for each send: one as it tries to send at once, which no TCP does, and one to
 *              send (mca_pml_ob1_send_inline, mca_pml_ob1_send_request_start_seq); for a synchronous send, which is not tried, and for
 *              the answer to one, one.
 *              So of two rails all standard sends go by the second, of three by the second, the first, the third and so on. UCX sends
 *              by the first alone (UCX_MAX_EAGER_RAILS)
 *     long     what has been permitted goes by all rails at once, in shares by their rates (mca_pml_ob1_calc_weighted_length): of
 *              rails that are alike in equal ones
 *
 * A long message is there with its last share. Rails are connections of their own, with windows of their own.
 * Pure. */
#ifndef PEVPM_NETWORK_RAILS_H
#define PEVPM_NETWORK_RAILS_H

#include <stdint.h>

/* No more are read. */
enum { RAILS_MOST = 16 };

/* The rail of the next short message of a pair, `turns` of which were taken so far, modulo `rails`; takes more. */
static inline uint8_t rails_take(uint8_t *turns, int rails, int more)
{
    const int last = *turns + more - 1;
    *turns = (uint8_t)((last + 1) % rails);
    return (uint8_t)(last % rails);
}

#endif
