/* engine_impl.h - what the engines offer to engine.c. Contracts: engine.h. */
#ifndef PEVPM_ENGINE_ENGINE_IMPL_H
#define PEVPM_ENGINE_ENGINE_IMPL_H

#include "engine/engine.h"
#include "engine/level_log.h"

/* Whether no transit is drawn, so that many messages may come at the same time, to the bit. */
static inline bool engine_transit_is_constant(const struct engine_setup *setup)
{
    return setup->mode != MODE_distribution || setup->model->level_measured[0] == 0;
}

/* Where a process is. */
static inline struct seat engine_seat(const struct program *program, int process)
{
    _Static_assert((int)PROGRAM_NO_SOCKET == (int)SEAT_NO_SOCKET, "programs know no transports");
    return (struct seat){process, program_node(program, process), program_socket(program, process)};
}

/* Boards, on which messages in flight are counted: one for those between nodes, one for those of processes to
 * themselves, which have no levels, one for those within each node, and one for those within each socket, if they have
 * levels of their own. `from`: of the sender. */
static inline int32_t engine_board(const struct engine_setup *setup, enum transport transport, struct seat from)
{
    switch (transport) {
    case TRANSPORT_network:
        return 0;
    case TRANSPORT_self:
        return 1;
    case TRANSPORT_socket:
        if (setup->model->socket_levels)
            return 2 + setup->program->nodes + from.socket;
        break;
    case TRANSPORT_node:
    case N_TRANSPORTS:
        break;
    }
    return 2 + from.node;
}

static inline size_t engine_boards(const struct program *program)
{
    const int sockets = program->sockets > 1 ? program->sockets : 0;
    return 2 + (size_t)program->nodes * (size_t)(1 + sockets);
}

static inline void largest_clear(int64_t largest[N_TRANSPORTS])
{
    for (int transport = 0; transport < N_TRANSPORTS; transport++)
        largest[transport] = -1;
}

static inline void largest_note(int64_t largest[N_TRANSPORTS], enum transport transport, int64_t bytes)
{
    largest[transport] = bytes > largest[transport] ? bytes : largest[transport];
}

struct reference;
struct reference *reference_create(const struct engine_setup *setup);
enum status reference_run(struct reference *reference, uint32_t replication, struct outcome *outcome,
                          struct engine_totals *totals, struct diags *diags);
const double *reference_regions(const struct reference *reference);
void reference_destroy(struct reference *reference);

struct lanes;
struct lanes *lanes_create(const struct engine_setup *setup, int width);
enum status lanes_run(struct lanes *lanes, uint32_t first, int n, struct outcome outcome[],
                      struct engine_totals *totals, struct diags *diags);
const double *lanes_regions(const struct lanes *lanes, int lane);
void lanes_destroy(struct lanes *lanes);

/* The levels of all messages, from one run. NULL: the program fails, or has too many messages. */
struct level_log *lanes_learn_levels(const struct engine_setup *setup);

struct timed;
struct timed *timed_create(const struct engine_setup *setup);
enum status timed_run(struct timed *timed, uint32_t replication, struct outcome *outcome, struct engine_totals *totals,
                      struct diags *diags);
const double *timed_regions(const struct timed *timed);
void timed_destroy(struct timed *timed);

#endif
