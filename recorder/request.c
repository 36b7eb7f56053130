// SPDX-License-Identifier: MIT
/* Open requests, the sets of them that calls complete, and messages that probes have taken out. */
#include "recorder/recorder.h"

#include <stdlib.h>
#include <string.h>

/* ---- requests ---- */

/* The smallest ordinal that is free among those of the path; beyond 64 at a time, one above all. */
static int32_t free_ordinal(int32_t path)
{
    uint64_t taken = 0;
    int32_t most = -1;
    for (int i = 0; i < recorder.n_requests; i++) {
        const struct recorder_request *other = &recorder.requests[i];
        if (!other->active || other->path != path)
            continue;
        most = other->ordinal > most ? other->ordinal : most;
        taken |= other->ordinal < 64 ? UINT64_C(1) << other->ordinal : 0;
    }
    return ~taken ? __builtin_ctzll(~taken) : most + 1;
}

void recorder_request_activate(struct recorder_request *request, int32_t path)
{
    request->active = false;
    request->ordinal = free_ordinal(path);
    request->path = path;
    request->active = true;
}

struct recorder_request *recorder_request_new(MPI_Request handle, int32_t path)
{
    if (recorder.n_requests == recorder.requests_capacity) {
        recorder.requests_capacity = recorder.requests_capacity ? 2 * recorder.requests_capacity : 16;
        recorder.requests = fold_memory(recorder.requests, (size_t)recorder.requests_capacity,
                                        sizeof *recorder.requests);
    }
    struct recorder_request *new = &recorder.requests[recorder.n_requests++];
    *new = (struct recorder_request){.handle = handle, .path = -1};
    recorder_request_activate(new, path);
    return new;
}

void recorder_request_in_file(MPI_Request handle)
{
    if (recorder_request_find(handle))
        recorder_stop("two requests have one handle, one of them of a file, so that nobody knows which of them a call completes");
    struct recorder_request *new = recorder_request_new(handle, -1);
    new->active = false;
    new->in_file = true;
    recorder.n_in_file++;
}

struct recorder_request *recorder_request_find(MPI_Request handle)
{
    for (int i = 0; i < recorder.n_requests; i++)
        if (recorder.requests[i].handle == handle)
            return &recorder.requests[i];
    return NULL;
}

void recorder_request_end(MPI_Request handle)
{
    struct recorder_request *request = recorder_request_find(handle);
    if (!request)
        return;
    recorder.n_cancelled -= request->cancelled;
    recorder.n_in_file -= request->in_file;
    if (request->persistent)
        request->active = request->cancelled = false;
    else /* the others stay in their order */
        memmove(request, request + 1, (size_t)(&recorder.requests[--recorder.n_requests] - request) * sizeof *request);
}

void recorder_request_cancelled(struct recorder_request *request)
{
    recorder.n_cancelled++;
    request->cancelled = true;
    request->active = false;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct recorder_pair *x = a, *y = b;
    if (x->path != y->path)
        return x->path < y->path ? -1 : 1;
    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

/* Where all that are open of a path are in the set, one pair with ordinal -1 stands for them. */
static int shorten(int n, struct recorder_pair pairs[])
{
    int kept = 0;
    for (int i = 0, next; i < n; i = next) {
        for (next = i; next < n && pairs[next].path == pairs[i].path;)
            next++;
        int open = 0;
        for (int k = 0; k < recorder.n_requests; k++)
            open += recorder.requests[k].active && recorder.requests[k].path == pairs[i].path;
        if (open == next - i && open > 1)
            pairs[kept++] = (struct recorder_pair){pairs[i].path, -1};
        else
            for (int k = i; k < next; k++)
                pairs[kept++] = pairs[k];
    }
    return kept;
}

static int32_t list_number(const struct recorder_list *list)
{
    for (int i = 0; i < recorder.n_lists; i++)
        if (recorder.lists[i].all == list->all && recorder.lists[i].n == list->n &&
            memcmp(recorder.lists[i].pairs, list->pairs, (size_t)list->n * sizeof *list->pairs) == 0)
            return i;
    if (recorder.n_lists == recorder.lists_capacity) {
        recorder.lists_capacity = recorder.lists_capacity ? 2 * recorder.lists_capacity : 16;
        recorder.lists = fold_memory(recorder.lists, (size_t)recorder.lists_capacity, sizeof *recorder.lists);
    }
    struct recorder_list *new = &recorder.lists[recorder.n_lists];
    *new = *list;
    new->pairs = fold_memory(NULL, (size_t)list->n, sizeof *list->pairs);
    memcpy(new->pairs, list->pairs, (size_t)list->n * sizeof *list->pairs);
    return recorder.n_lists++;
}

/* Libraries have one handle for all requests that are complete from the start (to MPI_PROC_NULL): of equal handles each
 * stands for the oldest that is not in the set yet. */
static struct recorder_request *find_unlisted(MPI_Request handle)
{
    for (int i = 0; i < recorder.n_requests; i++) {
        struct recorder_request *request = &recorder.requests[i];
        if (request->handle == handle && request->active && !request->listed)
            return request;
    }
    return NULL;
}

int32_t recorder_list(int n, const MPI_Request handles[])
{
    struct recorder_pair few[64], *pairs = n <= 64 ? few : fold_memory(NULL, (size_t)n, sizeof *pairs);
    struct recorder_list list = {.pairs = pairs};
    int open = 0;
    for (int i = 0; i < n; i++) {
        struct recorder_request *request = handles[i] == MPI_REQUEST_NULL ? NULL : find_unlisted(handles[i]);
        if (handles[i] != MPI_REQUEST_NULL && !recorder_request_find(handles[i]))
            recorder_stop("a request was waited for that a call made which is not recorded");
        if (!request)
            continue;
        request->listed = true;
        pairs[list.n++] = (struct recorder_pair){request->path, request->ordinal};
    }
    for (int i = 0; i < recorder.n_requests; i++) {
        open += recorder.requests[i].active;
        recorder.requests[i].listed = false;
    }
    list.all = open == list.n && n > 1;
    if (!list.all) {
        qsort(pairs, (size_t)list.n, sizeof *pairs, compare_pairs);
        list.n = shorten(list.n, pairs);
    } else {
        list.n = 0;
    }
    int32_t number = list_number(&list);
    if (pairs != few)
        free(pairs);
    return number;
}

/* ---- messages that probes take out ---- */

void recorder_message_new(struct recorder_message message)
{
    for (int i = 0; i < recorder.n_messages; i++)
        if (recorder.messages[i].path == message.path)
            recorder_stop("one call of MPI_Mprobe or MPI_Improbe held two messages at a time, which is not recorded");
    if (recorder.n_messages == recorder.messages_capacity) {
        recorder.messages_capacity = recorder.messages_capacity ? 2 * recorder.messages_capacity : 8;
        recorder.messages = fold_memory(recorder.messages, (size_t)recorder.messages_capacity,
                                        sizeof *recorder.messages);
    }
    recorder.messages[recorder.n_messages++] = message;
}

bool recorder_message_take(MPI_Message handle, struct recorder_message *message)
{
    for (int i = 0; i < recorder.n_messages; i++)
        if (recorder.messages[i].handle == handle) { /* the others stay in their order */
            *message = recorder.messages[i];
            memmove(&recorder.messages[i], &recorder.messages[i + 1],
                    (size_t)(--recorder.n_messages - i) * sizeof *message);
            return true;
        }
    return false;
}
