#include "record/hold/delivery.h"

#include "common/alloc.h"

#include <stdlib.h>

void delivery_free(struct delivery *delivery)
{
    free(delivery->list);
    intern_free(&delivery->index);
    *delivery = (struct delivery){0};
}

struct address {
    const struct delivery *delivery;
    int32_t process, tag;
};

static bool same_address(const void *context, int32_t id)
{
    const struct address *address = context;
    const struct delivered *other = &address->delivery->list[id];
    return other->process == address->process && other->tag == address->tag;
}

static uint64_t address_hash(int32_t process, int32_t tag)
{
    const int32_t words[] = {process, tag};
    return intern_hash(0, words, sizeof words);
}

static int32_t find(const struct delivery *delivery, int32_t process, int32_t tag)
{
    const struct address address = {delivery, process, tag};
    return intern_find(&delivery->index, address_hash(process, tag), same_address, &address);
}

static struct delivered *entry(struct delivery *delivery, int32_t process, int32_t tag)
{
    int32_t id = find(delivery, process, tag);
    if (id < 0) {
        id = (int32_t)delivery->n;
        delivery->list = alloc_grow(delivery->list, delivery->n, &delivery->capacity, sizeof *delivery->list);
        delivery->list[delivery->n++] = (struct delivered){.process = process, .tag = tag};
        intern_add(&delivery->index, address_hash(process, tag), id);
    }
    return &delivery->list[id];
}

void delivery_add(struct delivery *delivery, int process, const struct calls *said)
{
    for (size_t i = 0; i < said->n; i++) {
        const struct call *call = &said->list[i];
        if (call->kind != CALL_SEND && call->kind != CALL_RECEIVE)
            continue;
        if (call->tag < 0) /* any, or not known */
            delivery->any_tag = true;
        else if (call->kind == CALL_SEND)
            entry(delivery, call->peer == CALL_ANY ? -1 : call->peer, call->tag)->sent++;
        else
            entry(delivery, process, call->tag)->received++;
    }
}

const struct delivered *delivery_check(const struct delivery *delivery)
{
    for (size_t i = 0; i < delivery->n && !delivery->any_tag; i++) {
        const struct delivered *here = &delivery->list[i];
        if (here->process >= 0 && here->sent != here->received && find(delivery, -1, here->tag) < 0)
            return here;
    }
    return NULL;
}
