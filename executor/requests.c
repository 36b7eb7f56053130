#include "executor/requests.h"

#include "common/alloc.h"

#include <stdlib.h>

void requests_add(struct requests *requests, const struct open_call *call)
{
    requests->open = alloc_grow(requests->open, requests->n, &requests->capacity, sizeof *requests->open);
    requests->open[requests->n++] = *call;
}

static void mark(struct requests *requests, size_t i)
{
    if (requests->n_marked == requests->marked_capacity) {
        size_t more = requests->marked_capacity ? 2 * requests->marked_capacity : 8;
        requests->marked = alloc_resize(requests->marked, more, sizeof *requests->marked);
        requests->handles = alloc_resize(requests->handles, more, sizeof *requests->handles);
        requests->statuses = alloc_resize(requests->statuses, more, sizeof *requests->statuses);
        requests->which = alloc_resize(requests->which, more, sizeof *requests->which);
        requests->marked_capacity = more;
    }
    requests->marked[requests->n_marked++] = i;
}

/* Marks what one name of the list stands for. */
static void mark_named(struct requests *requests, const struct request_ref *ref, int64_t index)
{
    for (size_t i = requests->n; i-- > 0;) {
        const struct open_call *call = &requests->open[i];
        if (call->name != ref->name || (!ref->whole && call->index != index))
            continue;
        mark(requests, i);
        if (!ref->whole)
            break;
    }
}

static int by_place(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Ascending, each once. */
static void marked_sort(struct requests *requests)
{
    size_t n = 0;
    if (requests->n_marked > 1)
        qsort(requests->marked, requests->n_marked, sizeof *requests->marked, by_place);
    for (size_t i = 0; i < requests->n_marked; i++)
        if (n == 0 || requests->marked[i] != requests->marked[n - 1])
            requests->marked[n++] = requests->marked[i];
    requests->n_marked = n;
}

bool requests_mark(struct requests *requests, const struct program *program, const struct instr *instr, int process,
                   const struct value *slots, struct problem *problem)
{
    requests->n_marked = 0;
    if (instr->op == INSTR_WAITALL || instr->n_requests == 0)
        for (size_t i = 0; i < requests->n; i++)
            mark(requests, i);
    else
        for (int32_t r = 0; r < instr->n_requests; r++) {
            const struct request_ref *ref = &program->requests[instr->first_request + r];
            int64_t index;
            if (!operand_request(program, ref, instr->site, process, slots, &index, problem))
                return false;
            mark_named(requests, ref, index);
        }
    marked_sort(requests);
    for (size_t i = 0; i < requests->n_marked; i++)
        requests->handles[i] = requests->open[requests->marked[i]].handle;
    return true;
}

void requests_sweep(struct requests *requests)
{
    size_t n = 0, next = 0;
    for (size_t i = 0; i < requests->n; i++) {
        bool is_marked = next < requests->n_marked && requests->marked[next] == i;
        if (is_marked)
            requests->open[i].handle = requests->handles[next++];
        if (!is_marked || requests->open[i].handle != MPI_REQUEST_NULL)
            requests->open[n++] = requests->open[i];
    }
    requests->n = n;
    requests->n_marked = 0;
}

void requests_free(struct requests *requests)
{
    free(requests->open);
    free(requests->marked);
    free(requests->handles);
    free(requests->statuses);
    free(requests->which);
    *requests = (struct requests){.n = 0};
}
