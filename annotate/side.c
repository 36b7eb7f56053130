#include "annotate/side.h"

static bool same_values(const struct seen_list *a, const struct seen_list *b)
{
    for (size_t i = 0; i < a->n && i < b->n; i++)
        if (a->list[i].recording != b->list[i].recording || a->list[i].rank != b->list[i].rank ||
            a->list[i].value != b->list[i].value)
            return false;
    return a->n == b->n;
}

static bool is_send(const struct plan_node *node)
{
    return node->op >= 0 && operation_sends((enum operation)node->op) &&
           !operation_is_collective((enum operation)node->op);
}

static int side_of_send(const struct plan *plan, int at)
{
    const struct plan_node *node = &plan->nodes[at];
    int before = 0, all = 0;
    for (int i = 0; i < (int)plan->n_nodes; i++) {
        const struct plan_node *other = &plan->nodes[i];
        const bool same = other->function == node->function && is_send(other) &&
                          same_values(&other->field[PLAN_peer], &node->field[PLAN_peer]);
        all += same;
        before += same && i < at;
    }
    return all == 1 || before % 2 == 1 ? 1 : -1;
}

/* Of one function, one partner and one tag. */
static bool same_message(const struct plan_node *a, const struct plan_node *b)
{
    return a->function == b->function && a->op >= 0 && b->op >= 0 &&
           same_values(&a->field[PLAN_peer], &b->field[PLAN_peer]) &&
           same_values(&a->field[PLAN_tag], &b->field[PLAN_tag]);
}

/* The n-th receive takes the n-th message with its tag. */
static int side_of_receive(const struct plan *plan, int at)
{
    const struct plan_node *node = &plan->nodes[at];
    int before = 0;
    for (int i = 0; i < at; i++)
        before += plan->nodes[i].op == node->op && same_message(&plan->nodes[i], node);
    for (int i = 0; i < (int)plan->n_nodes; i++)
        if (is_send(&plan->nodes[i]) && same_message(&plan->nodes[i], node) && before-- == 0)
            return -side_of_send(plan, i);
    return -1;
}

int side_of(const struct plan *plan, int at, enum plan_field field)
{
    const struct plan_node *node = &plan->nodes[at];
    if ((field != PLAN_peer && field != PLAN_peer2) || node->op < 0 ||
        operation_is_collective((enum operation)node->op))
        return 0;
    if (field == PLAN_peer2)
        return same_values(&node->field[PLAN_peer], &node->field[PLAN_peer2]) ? -side_of_send(plan, at) : -1;
    return is_send(node) ? side_of_send(plan, at) : side_of_receive(plan, at);
}
