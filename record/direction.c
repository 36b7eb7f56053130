#include "record/direction.h"

#include "common/alloc.h"
#include "record/site.h"

#include <stdlib.h>
#include <string.h>

int direction_step(int direction, int axis)
{
    static const int weight[GRID_DIMENSIONS] = {1, 3, 9};
    return direction / weight[axis] % 3 - 1;
}

int direction_of(const struct direction_grid *in, int from, int to, int processes)
{
    struct grid_place a, b;
    int direction = 0;
    if (from == to || !grid_place(&a, in->grid, in->last_first, from, processes) ||
        !grid_place(&b, in->grid, in->last_first, to, processes))
        return DIRECTION_NONE;
    for (int axis = GRID_DIMENSIONS; axis-- > 0;) {
        int64_t step = axis < grid_dimensions(in->grid) ? b.at[axis] - a.at[axis] : 0;
        if (step < -1 || step > 1)
            return DIRECTION_NONE;
        direction = 3 * direction + (int)step + 1;
    }
    return direction;
}

bool direction_exists(const struct direction_grid *in, int direction, int process, int processes)
{
    struct grid_place place;
    if (!grid_place(&place, in->grid, in->last_first, process, processes))
        return false;
    for (int axis = 0; axis < grid_dimensions(in->grid); axis++) {
        int64_t to = place.at[axis] + direction_step(direction, axis);
        if (to < 0 || to >= place.extent[axis])
            return false;
    }
    return true;
}

bool direction_before(const struct direction_grid *in, int a, int b)
{
    int n = grid_dimensions(in->grid);
    for (int i = 0; i < n; i++) {
        int axis = in->last_first ? i : n - 1 - i; /* that of the largest stride first */
        if (direction_step(a, axis) != direction_step(b, axis))
            return direction_step(a, axis) < direction_step(b, axis);
    }
    return false;
}

/* "before" joined with what is given, which is freed. */
static char *join(char *before, const char *between, char *next)
{
    char *text = before ? alloc_format("%s%s%s", before, between, next) : alloc_string(next);
    free(before);
    free(next);
    return text;
}

char *direction_exists_text(const struct direction_grid *in, int direction, const char *process, const char *processes)
{
    char *text = NULL;
    for (int axis = 0; axis < grid_dimensions(in->grid); axis++) {
        int step = direction_step(direction, axis);
        if (step == 0)
            continue;
        char *at = grid_at_text(in->grid, in->last_first, process, processes, axis);
        char *extent = grid_text(in->grid, processes, axis);
        text = join(text, " && ", step < 0 ? alloc_format("%s > 0", at) : alloc_format("%s < %s-1", at, extent));
        free(at);
        free(extent);
    }
    return text;
}

char *direction_partner_text(const struct direction_grid *in, int direction, const char *process, const char *processes)
{
    char *text = alloc_string(process);
    for (int axis = 0; axis < grid_dimensions(in->grid); axis++)
        if (direction_step(direction, axis) != 0)
            text = join(text, direction_step(direction, axis) < 0 ? "-" : "+",
                        grid_stride_text(in->grid, in->last_first, processes, axis));
    return text;
}

/* ---- of calls ---- */

/* What is known of a site. */
struct about {
    bool other;                     /* some partner is no neighbour */
    bool several;                   /* some process has more than one direction */
    bool differs;                   /* some process has others than the first of its recording */
    unsigned seen, first;           /* of the process that is looked at, of the first: a bit for each direction */
};

struct finder {
    struct directions *directions;
    const struct direction_grid *in;
    struct site_table sites;
    size_t n_about;
    struct about *about;
};

static struct about *about_site(struct finder *finder, int site)
{
    if ((size_t)site >= finder->n_about) {
        size_t n = 2 * (size_t)site + 32;
        finder->about = alloc_resize(finder->about, n, sizeof *finder->about);
        memset(finder->about + finder->n_about, 0, (n - finder->n_about) * sizeof *finder->about);
        finder->n_about = n;
    }
    return &finder->about[site];
}

static bool is_message(const struct recorded_node *node)
{
    return operation_kind(node->op) == KIND_send || operation_kind(node->op) == KIND_recv;
}

static void look(struct finder *finder, const struct recorded_process *process, int rank, int ranks, size_t n,
                 const struct recorded_node nodes[], signed char of[])
{
    for (size_t i = 0; i < n; i++) {
        const struct recorded_node *node = &nodes[i];
        if (node->loop) {
            look(finder, process, rank, ranks, node->n_body, node->body, of);
            continue;
        }
        of[node->number] = DIRECTION_NONE;
        if (!is_message(node))
            continue;
        struct about *about = about_site(finder, site_find(&finder->sites, process, node->op, node->path));
        int direction = node->peer >= 0 && recorded_comm_is_world(&process->comms[node->comm], ranks)
                      ? direction_of(finder->in, rank, node->peer, ranks) : DIRECTION_NONE;
        about->other = about->other || direction == DIRECTION_NONE;
        about->seen |= direction == DIRECTION_NONE ? 0 : 1U << direction;
        of[node->number] = (signed char)direction;
    }
}

static void end_process(struct finder *finder, bool first)
{
    for (size_t i = 0; i < finder->n_about; i++) {
        struct about *about = &finder->about[i];
        about->several = about->several || (about->seen & (about->seen - 1)) != 0;
        about->first = first ? about->seen : about->first;
        about->differs = about->differs || about->seen != about->first;
        about->seen = 0;
    }
}

/* Requests that are open: of the call path and number that a list names them by. */
struct open_request {
    int path, ordinal, direction;
};
struct open_requests {
    size_t n, capacity;
    struct open_request *list;
};

static struct open_request *find_request(struct open_requests *open, int path, int ordinal)
{
    for (size_t i = open->n; i-- > 0;)
        if (open->list[i].path == path && open->list[i].ordinal == ordinal)
            return &open->list[i];
    return NULL;
}

static void begin_request(struct open_requests *open, int path, int ordinal, int direction)
{
    struct open_request *known = find_request(open, path, ordinal);
    if (known) {
        known->direction = direction;
        return;
    }
    open->list = alloc_grow(open->list, open->n, &open->capacity, sizeof *open->list);
    open->list[open->n++] = (struct open_request){path, ordinal, direction};
}

/* Keeps the directions of calls whose site has them, and gives waits those of their requests. */
static void settle(struct finder *finder, const struct recorded_process *process, size_t n,
                   const struct recorded_node nodes[], struct open_requests *open, signed char of[])
{
    for (size_t i = 0; i < n; i++) {
        const struct recorded_node *node = &nodes[i];
        if (node->loop) {
            settle(finder, process, node->n_body, node->body, open, of);
        } else if (is_message(node)) {
            const struct about *about = about_site(finder, site_find(&finder->sites, process, node->op, node->path));
            if (about->other || !about->several)
                of[node->number] = DIRECTION_NONE;
            if (operation_gives_request(node->op))
                begin_request(open, node->path, node->list, of[node->number]);
        } else if ((node->op == OPERATION_MPI_Wait || node->op == OPERATION_MPI_Test) && node->list >= 0) {
            const struct recorded_list *list = &process->lists[node->list];
            const struct open_request *begun = !list->all && list->n == 1
                                             ? find_request(open, list->pairs[0].path, list->pairs[0].ordinal) : NULL;
            of[node->number] = (signed char)(begun ? begun->direction : DIRECTION_NONE);
        }
    }
}

bool directions_find(struct directions *directions, const struct direction_grid *in, size_t n,
                     const struct recording recordings[])
{
    struct finder finder = {.directions = directions, .in = in};
    bool found = false;
    *directions = (struct directions){0};
    for (size_t r = 0; r < n; r++)
        directions->n += (size_t)recordings[r].ranks;
    directions->of = alloc_zeroed(directions->n, sizeof *directions->of);
    site_table_init(&finder.sites);
    for (size_t r = 0, k = 0; r < n; r++)
        for (int rank = 0; rank < recordings[r].ranks; rank++, k++) {
            const struct recorded_process *process = &recordings[r].processes[rank];
            directions->of[k] = alloc_zeroed((size_t)process->n_calls + 1, 1);
            look(&finder, process, rank, recordings[r].ranks, process->n, process->nodes, directions->of[k]);
            end_process(&finder, rank == 0);
        }
    for (size_t r = 0, k = 0; r < n; r++)
        for (int rank = 0; rank < recordings[r].ranks; rank++, k++) {
            const struct recorded_process *process = &recordings[r].processes[rank];
            struct open_requests open = {0};
            settle(&finder, process, process->n, process->nodes, &open, directions->of[k]);
            free(open.list);
        }
    for (size_t i = 0; i < finder.n_about; i++)
        found = found || (finder.about[i].several && finder.about[i].differs && !finder.about[i].other);
    site_table_free(&finder.sites);
    free(finder.about);
    return found;
}

void directions_free(struct directions *directions)
{
    for (size_t k = 0; k < directions->n; k++)
        free(directions->of[k]);
    free(directions->of);
    *directions = (struct directions){0};
}
