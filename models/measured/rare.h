/* rare.h - how often a message is late, where few were measured.
 *
 * Of 29 messages of 16 KiB, alone and behind a rest, one took 155 ms, the others 13: was it one of 29, or one of a thousand?
 * Its size cannot say, but all sizes together can. What makes a message later than the others of its size and level comes mostly by
 * time (a process that its host has stopped, a congestion control that looks around): who is on the way as it begins meets it, and
 * who begins while it lasts, in proportion to how long both take. Of sizes j with n_j messages of median m_j and distribution function F_j, a message of size
 * i is later than its median by more than d with probability
 *
 *     S_i(d) = (m_i + d) sum_j n_j (1 - F_j(m_j + d)) / sum_j n_j (m_j + d)
 *
 * A message is late that takes more than twice its median. Size i's own late ones count for no more than S_i says, from the
 * latest on, down to the first of which there are more than chance would bring: of k where n_i S_i are expected, with a
 * probability below 0.001 (Poisson). Those, and all that are less late, keep their weight. What is not late has the rest. */
#ifndef PEVPM_MODELS_MEASURED_RARE_H
#define PEVPM_MODELS_MEASURED_RARE_H

#include "models/distribution.h"

/* part [n]: the sizes of one kind of message; those whose `counted` is 0 stay as they are. out [n]: what they become;
 * out[i].n = 0: as it was. The caller frees the others. */
void rare_pool(size_t n, const struct distribution *const part[], struct distribution out[]);

#endif
