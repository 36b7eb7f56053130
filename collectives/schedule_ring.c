/* Round the circle. Open MPI: coll_base_{barrier,allgather,allreduce,reduce_scatter}.c, the ring functions. */
#include "collectives/schedule_impl.h"

static int32_t left_of(const struct schedule *s)
{
    return s->rank == 0 ? s->size - 1 : s->rank - 1;
}

static int32_t right_of(const struct schedule *s)
{
    return s->rank == s->size - 1 ? 0 : s->rank + 1;
}

/* Twice round. */
void ring_barrier(struct cursor *c)
{
    const struct schedule *s = c->s;
    for (int lap = 0; lap < 2; lap++) {
        if (s->rank > 0)
            call_recv(c, left_of(s), part_token());
        call_send(c, right_of(s), part_token());
        if (s->rank == 0)
            call_recv(c, left_of(s), part_token());
    }
}

void ring_allgather(struct cursor *c)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (!cursor_rounds(c, s->size - 1, 1, &k))
        return;
    const int64_t mine = s->rank + s->size - k;
    call_exchange(c, right_of(s), part_blocks(s, mine % s->size, 1), left_of(s),
                  part_blocks(s, (mine - 1) % s->size, 1));
}

/* n elements in `parts` runs, the first ones an element longer where they do not divide: which are in run i. */
static void run_find(int64_t n, int64_t parts, int64_t i, int64_t *first, int64_t *count)
{
    const int64_t short_run = n / parts, longer = n % parts;
    *first = i * short_run + (i < longer ? i : longer);
    *count = short_run + (i < longer);
}

/* Phase `phase` of `phases` of block `block` of the vector. */
static struct part block_part(const struct schedule *s, int64_t block, int64_t phases, int64_t phase)
{
    int64_t first, count, begin, n;
    run_find(schedule_elements(s), s->size, (block % s->size + s->size) % s->size, &first, &count);
    run_find(count, phases, phase, &begin, &n);
    return part_elements(s, first + begin, n);
}

/* Segments of this many elements are passed round one after the other. */
static int64_t ring_phases(const struct schedule *s)
{
    const int64_t elements = schedule_elements(s);
    const int64_t segment = s->segment >= ELEMENT_BYTES ? s->segment / ELEMENT_BYTES : 1;
    const int64_t lap = s->size * segment;
    if (s->segment <= 0 || elements < lap)
        return 1;
    const int64_t rest = elements % lap;
    return elements / lap + (rest >= s->size && rest > lap / 2);
}

/* Open MPI passes on only what it has combined; the receive of the next block is posted ahead. */
static void ring_combine(struct cursor *c, int64_t phases, int64_t phase)
{
    const struct schedule *s = c->s;
    const int64_t base = s->rank + s->size;
    int64_t k;
    call_irecv(c, left_of(s), block_part(s, base - 1, phases, phase));
    call_send(c, right_of(s), block_part(s, base, phases, phase));
    if (cursor_rounds(c, s->size - 2, 4, &k)) {
        struct part arrived = block_part(s, base - 1 - k, phases, phase);
        call_irecv(c, left_of(s), block_part(s, base - 2 - k, phases, phase));
        call_plain(c, MOVE_WAIT_RECEIVE);
        call_reduce(c, arrived.bytes);
        call_send(c, right_of(s), arrived);
    }
    call_plain(c, MOVE_WAIT_RECEIVE);
    call_reduce(c, block_part(s, s->rank + 1, phases, phase).bytes);
}

/* Recursive doubling where there are fewer elements than processes, as in Open MPI. */
void ring_allreduce(struct cursor *c)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (schedule_elements(s) < s->size) {
        doubling_allreduce(c);
        return;
    }
    const int64_t phases = ring_phases(s);
    if (cursor_rounds(c, phases, 4 * ((int64_t)s->size - 1), &k))
        ring_combine(c, phases, k);
    if (cursor_rounds(c, s->size - 1, 1, &k)) {
        const int64_t whole = s->rank + s->size - k;
        call_exchange(c, right_of(s), block_part(s, whole + 1, 1, 0), left_of(s), block_part(s, whole, 1, 0));
    }
}

void ring_reduce_scatter(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int64_t base = s->rank + s->size;
    int64_t k;
    call_irecv(c, left_of(s), part_blocks(s, (base - 2) % s->size, 1));
    call_send(c, right_of(s), part_blocks(s, (base - 1) % s->size, 1));
    if (cursor_rounds(c, s->size - 2, 4, &k)) {
        struct part arrived = part_blocks(s, (base - 2 - k) % s->size, 1);
        call_irecv(c, left_of(s), part_blocks(s, (base + s->size - 3 - k) % s->size, 1));
        call_plain(c, MOVE_WAIT_RECEIVE);
        call_reduce(c, arrived.bytes);
        call_send(c, right_of(s), arrived);
    }
    call_plain(c, MOVE_WAIT_RECEIVE);
    call_reduce(c, schedule_share(s, s->rank));
}
