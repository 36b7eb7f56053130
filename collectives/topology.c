#include "collectives/topology.h"

#include <assert.h>

static void child_add(struct tree_node *node, int32_t size, int64_t position)
{
    if (position >= size)
        return;
    assert(node->n_children < TREE_CHILDREN);
    node->children[node->n_children++] = (int32_t)position;
}

static void chain_init(struct tree_node *node, int32_t size, int32_t position)
{
    node->parent = position - 1;
    child_add(node, size, (int64_t)position + 1);
}

static void binomial_init(struct tree_node *node, int32_t size, int32_t position)
{
    int64_t mask = 1;
    while (mask <= position)
        mask <<= 1;
    if (position > 0)
        node->parent = (int32_t)(position ^ (mask >> 1));
    for (; position + mask < size; mask <<= 1)
        child_add(node, size, position + mask);
}

static void binomial_in_order_init(struct tree_node *node, int32_t size, int32_t position)
{
    int64_t mask = 1;
    for (; mask < size && !(position & mask); mask <<= 1)
        child_add(node, size, position + mask);
    if (position > 0)
        node->parent = (int32_t)(position & (position - 1));
}

static void knomial_init(struct tree_node *node, int32_t size, int32_t position)
{
    int64_t mask = 1;
    while (mask < size && position % (KNOMIAL_RADIX * mask) == 0)
        mask *= KNOMIAL_RADIX;
    if (position > 0)
        node->parent = (int32_t)(position - position % (KNOMIAL_RADIX * mask));
    for (mask /= KNOMIAL_RADIX; mask > 0; mask /= KNOMIAL_RADIX)
        for (int64_t digit = 1; digit < KNOMIAL_RADIX; digit++)
            child_add(node, size, position + digit * mask);
}

/* Level l holds positions 2^l - 1 .. 2^(l+1) - 2. */
static void binary_init(struct tree_node *node, int32_t size, int32_t position)
{
    int64_t width = 1;
    while (position >= 2 * width - 1)
        width *= 2;
    child_add(node, size, position + width);
    child_add(node, size, position + 2 * width);
    if (position == 0)
        return;
    int64_t above = position - width / 2;
    node->parent = (int32_t)(above >= width - 1 ? above - width / 2 : above);
}

/* A tree over `size` ranks from `first` on: the last is its root, the upper half below it on the left, the lower on
 * the right. */
static void binary_in_order_init(struct tree_node *node, int32_t size, int32_t position)
{
    int32_t first = 0, parent = -1;
    for (;;) {
        int32_t root = first + size - 1, right = size / 2;
        if (position == root) {
            node->parent = parent;
            if (size > 1)
                child_add(node, root, root - 1);
            if (size > 2)
                child_add(node, root, first + right - 1);
            return;
        }
        parent = root;
        if (position >= first + right) {
            first += right;
            size -= right + 1;
        } else
            size = right;
    }
}

void tree_node_init(struct tree_node *node, enum tree_shape shape, int32_t size, int32_t position)
{
    assert(position >= 0 && position < size);
    node->parent = -1;
    node->n_children = 0;
    switch (shape) {
    case TREE_CHAIN:
        chain_init(node, size, position);
        break;
    case TREE_BINOMIAL:
        binomial_init(node, size, position);
        break;
    case TREE_BINOMIAL_IN_ORDER:
        binomial_in_order_init(node, size, position);
        break;
    case TREE_KNOMIAL:
        knomial_init(node, size, position);
        break;
    case TREE_BINARY:
        binary_init(node, size, position);
        break;
    case TREE_BINARY_IN_ORDER:
        binary_in_order_init(node, size, position);
        break;
    }
}
