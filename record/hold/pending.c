#include "record/hold/pending.h"

#include "common/alloc.h"

#include <stdlib.h>

void pending_free(struct pending *pending)
{
    free(pending->list);
    *pending = (struct pending){0};
}

void pending_begin(struct pending *pending, struct calls *calls, const struct pending_request *request)
{
    pending->list = alloc_grow(pending->list, pending->n, &pending->capacity, sizeof *pending->list);
    pending->list[pending->n++] = *request;
    if (request->call != PENDING_NOBODY)
        calls->list[request->call].done = CALL_OPEN;
}

static bool is_meant(const struct pending_request *request, enum pending_which which, int64_t name, int64_t element)
{
    return which == PENDING_ALL || (request->name == name && (which == PENDING_NAME || request->element == element));
}

/* done: see calls.h. */
static void settle(struct calls *calls, const struct pending_request *request, size_t done, int32_t site)
{
    struct call *call = request->call == PENDING_NOBODY ? NULL : &calls->list[request->call];
    if (!call || call->done != CALL_OPEN)
        return;
    call->done = done;
    call->waited = site;
}

static void settle_all(struct pending *pending, struct calls *calls, enum pending_which which, int64_t name,
                       int64_t element, bool gone, size_t done, int32_t site)
{
    size_t kept = 0, latest = pending->n;
    for (size_t i = pending->n; i-- > 0 && which == PENDING_LATEST && latest == pending->n;)
        if (is_meant(&pending->list[i], which, name, element))
            latest = i;
    for (size_t i = 0; i < pending->n; i++) {
        const bool meant = which == PENDING_LATEST ? i == latest : is_meant(&pending->list[i], which, name, element);
        if (meant)
            settle(calls, &pending->list[i], done, site);
        if (!meant || !gone)
            pending->list[kept++] = pending->list[i];
    }
    pending->n = kept;
}

void pending_end(struct pending *pending, struct calls *calls, enum pending_which which, int64_t name, int64_t element,
                 int32_t site)
{
    settle_all(pending, calls, which, name, element, true, calls->n, site);
}

void pending_doubt(struct pending *pending, struct calls *calls, enum pending_which which, int64_t name, int64_t element,
                   bool gone)
{
    settle_all(pending, calls, which, name, element, gone, CALL_UNKNOWN, -1);
}
