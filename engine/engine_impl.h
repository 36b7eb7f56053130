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

/* Boards, on which messages in flight are counted: one for those between nodes, one for those within each node. */
enum { BOARD_BETWEEN };

static inline int32_t engine_board(int32_t from_node, int32_t to_node)
{
    return from_node == to_node ? 1 + from_node : BOARD_BETWEEN;
}

static inline size_t engine_boards(const struct program *program)
{
    return 1 + (size_t)program->nodes;
}

struct reference;
struct reference *reference_create(const struct engine_setup *setup);
enum status reference_run(struct reference *reference, uint32_t replication, struct outcome *outcome,
                          struct engine_totals *totals, struct diags *diags);
void reference_destroy(struct reference *reference);

struct lanes;
struct lanes *lanes_create(const struct engine_setup *setup, int width);
enum status lanes_run(struct lanes *lanes, uint32_t first, int n, struct outcome outcome[],
                      struct engine_totals *totals, struct diags *diags);
void lanes_destroy(struct lanes *lanes);

/* The levels of all messages, from one run. NULL: the program fails, or has too many messages. */
struct level_log *lanes_learn_levels(const struct engine_setup *setup);

struct timed;
struct timed *timed_create(const struct engine_setup *setup);
enum status timed_run(struct timed *timed, uint32_t replication, struct outcome *outcome, struct engine_totals *totals,
                      struct diags *diags);
void timed_destroy(struct timed *timed);

#endif
