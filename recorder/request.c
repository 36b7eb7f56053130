// SPDX-License-Identifier: MIT
/* What calls make of requests (outstanding.h), and messages that probes have taken out. */
#include "recorder/recorder.h"

#include <stdlib.h>
#include <string.h>

#define UNSEEN "a request was waited for that a call made which is not recorded"

/* ---- requests ---- */

/* Handles are pointers in Open MPI and numbers in MPICH. */
static uint64_t number_of(MPI_Request handle)
{
    return (uint64_t)(uintptr_t)handle;
}

void recorder_request_activate(struct recorder_request *request, int32_t path)
{
    outstanding_start(&recorder.outstanding, request, path);
}

struct recorder_request *recorder_request_new(MPI_Request handle, int32_t path)
{
    struct recorder_request *new = recorder_request_made(handle);
    outstanding_start(&recorder.outstanding, new, path);
    return new;
}

struct recorder_request *recorder_request_made(MPI_Request handle)
{
    return outstanding_new(&recorder.outstanding, number_of(handle));
}

void recorder_request_in_file(MPI_Request handle)
{
    if (recorder_request_find(handle))
        recorder_stop("two requests have one handle, one of them of a file, so that nobody knows which of them a call completes");
    recorder_request_made(handle)->in_file = true;
    recorder.n_in_file++;
}

struct recorder_request *recorder_request_find(MPI_Request handle)
{
    return outstanding_find(&recorder.outstanding, number_of(handle));
}

/* Requests that are complete from the start have one handle. */
struct recorder_request *recorder_request_find_receive(MPI_Request handle)
{
    struct recorder_request *request = recorder_request_find(handle);
    while (request && !request->receives)
        request = outstanding_next(&recorder.outstanding, request);
    return request;
}

void recorder_request_end(MPI_Request handle)
{
    struct recorder_request *request = recorder_request_find(handle);
    if (!request)
        return;
    recorder.n_cancelled -= request->cancelled;
    recorder.n_in_file -= request->in_file;
    request->cancelled = false;
    if (request->persistent)
        outstanding_stop(&recorder.outstanding, request);
    else
        outstanding_remove(&recorder.outstanding, request);
}

void recorder_request_cancelled(struct recorder_request *request)
{
    recorder.n_cancelled++;
    request->cancelled = true;
    outstanding_stop(&recorder.outstanding, request);
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
        if (next - i > 1 && next - i == outstanding_of_path(&recorder.outstanding, pairs[i].path))
            pairs[kept++] = (struct recorder_pair){pairs[i].path, -1};
        else
            for (int k = i; k < next; k++)
                pairs[kept++] = pairs[k];
    }
    return kept;
}

/* Most waits are for one. */
static int32_t list_of_one(MPI_Request handle)
{
    const struct recorder_request *request = handle == MPI_REQUEST_NULL ? NULL : recorder_request_find(handle);
    if (!request && handle != MPI_REQUEST_NULL)
        recorder_stop(UNSEEN);
    while (request && !request->active)
        request = outstanding_next(&recorder.outstanding, request);
    struct recorder_pair pair = request ? (struct recorder_pair){request->path, request->ordinal} : (struct recorder_pair){0, 0};
    return outstanding_set_number(&recorder.sets, &(struct recorder_list){.n = request != NULL, .pairs = &pair});
}

int32_t recorder_list(int n, const MPI_Request handles[])
{
    if (n == 1)
        return list_of_one(handles[0]);
    struct recorder_pair few[64], *pairs = n <= 64 ? few : fold_memory(NULL, (size_t)n, sizeof *pairs);
    struct recorder_list list = {.pairs = pairs};
    for (int i = 0; i < n; i++) {
        if (handles[i] == MPI_REQUEST_NULL)
            continue;
        const struct recorder_request *request = outstanding_list(&recorder.outstanding, number_of(handles[i]));
        if (request)
            pairs[list.n++] = (struct recorder_pair){request->path, request->ordinal};
        else if (!recorder_request_find(handles[i]))
            recorder_stop(UNSEEN);
    }
    for (int i = 0; i < n; i++)
        if (handles[i] != MPI_REQUEST_NULL)
            outstanding_unlist(&recorder.outstanding, number_of(handles[i]));
    list.all = recorder.outstanding.n_active == list.n && n > 1;
    if (!list.all) {
        qsort(pairs, (size_t)list.n, sizeof *pairs, compare_pairs);
        list.n = shorten(list.n, pairs);
    } else {
        list.n = 0;
    }
    int32_t number = outstanding_set_number(&recorder.sets, &list);
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
