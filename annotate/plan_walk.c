#include "annotate/plan_impl.h"

#include "record/fit.h"

#include <stdlib.h>
#include <string.h>

enum { CALLS_MOST = 2000000 };  /* of a process */
enum { SAME_MOST = 64, SEEN_MOST = 1500 }; /* samples of one value of a process: equal ones in a row; all */

/* A node that the process is in. */
struct open {
    int node;
    int64_t trip;
    bool *seen;                /* of its children, this time */
};

struct walk {
    struct plan *plan;
    int recording, rank;
    const struct recorded_process *process;
    size_t most;               /* children of any node */
    int depth, capacity;
    struct open *open;         /* [depth] behind the program itself, which is open[0] */
    int *made;                 /* [n_comms] the node that made each communicator; -1 */
    int64_t calls;
};

static const int *children_of(const struct plan *plan, int node, size_t *n)
{
    int function = node < 0 ? plan->begin : plan->nodes[node].callee;
    *n = function >= 0 ? plan->functions[function].n : plan->nodes[node].n;
    return function >= 0 ? plan->functions[function].children : plan->nodes[node].children;
}

static bool is_loop(const struct plan *plan, int node)
{
    return node >= 0 && plan_outline(plan, &plan->nodes[node])->kind == OUTLINE_LOOP;
}

/* ---- samples ---- */

/* Further out the same names something else. */
static void add_around(struct seen *seen, int what, int64_t at)
{
    for (int i = 0; i < seen->n; i++)
        if (seen->around[i].node == what)
            return;
    if (seen->n == CONTEXT_MOST)
        return;
    seen->around[seen->n].node = what;
    seen->around[seen->n++].at = at;
}

/* How many calls of the function that open node `at` calls are around it. *outermost: the node of the first of them all. */
static int64_t calls_around(const struct walk *walk, int at, int function, int *outermost)
{
    int64_t n = 0;
    *outermost = walk->open[at].node;
    for (int i = at - 1; i > 0; i--)
        if (walk->plan->nodes[walk->open[i].node].callee == function) {
            *outermost = walk->open[i].node;
            n++;
        }
    return n;
}

/* `depth` open nodes are around. */
static void add(const struct walk *walk, struct seen_list *to, int depth, int64_t value)
{
    const struct plan *plan = walk->plan;
    const struct seen *before = to->n > 0 ? &to->list[to->n - 1] : NULL;
    bool own = before && before->recording == walk->recording && before->rank == walk->rank;
    to->same = own && before->value == value ? to->same + 1 : 0;
    to->own = own ? to->own + 1 : 0;
    if (to->own > SEEN_MOST || to->same > SAME_MOST)
        return;
    struct seen seen = {.recording = walk->recording, .rank = walk->rank, .value = value};
    for (int i = depth - 1; i > 0; i--) {
        int node = walk->open[i].node, callee = plan->nodes[node].callee;
        if (is_loop(plan, node))
            add_around(&seen, node, walk->open[i].trip);
        if (callee >= 0 && plan->functions[callee].recursive) {
            int outermost;
            const int64_t within = calls_around(walk, i, callee, &outermost);
            add_around(&seen, -1 - callee, plan->nodes[outermost].ordinal);
            add_around(&seen, plan_depth_of(plan, callee), within);
        } else if (callee >= 0) {
            add_around(&seen, -1 - callee, plan->nodes[node].ordinal);
        }
    }
    to->list = alloc_grow(to->list, to->n, &to->capacity, sizeof *to->list);
    to->list[to->n++] = seen;
}

/* What was executed of the block of open node `at`. */
static void close_block(struct walk *walk, int at)
{
    size_t n;
    const int *children = children_of(walk->plan, walk->open[at].node, &n);
    for (size_t i = 0; i < n; i++)
        add(walk, &walk->plan->nodes[children[i]].present, at + 1, walk->open[at].seen[i]);
    memset(walk->open[at].seen, 0, walk->most * sizeof *walk->open[at].seen);
}

static void close_to(struct walk *walk, int depth)
{
    for (; walk->depth > depth; walk->depth--) {
        int at = walk->depth - 1, node = walk->open[at].node;
        if (node >= 0 && walk->plan->nodes[node].op >= 0)
            continue;
        close_block(walk, at);
        if (is_loop(walk->plan, node))
            add(walk, &walk->plan->nodes[node].trips, at, walk->open[at].trip + 1);
    }
}

static void open_node(struct walk *walk, int node)
{
    size_t n;
    const int *children = children_of(walk->plan, walk->open[walk->depth - 1].node, &n);
    for (size_t i = 0; i < n; i++)
        if (children[i] == node)
            walk->open[walk->depth - 1].seen[i] = true;
    if (walk->depth == walk->capacity) {
        walk->open = alloc_resize(walk->open, (size_t)++walk->capacity, sizeof *walk->open);
        walk->open[walk->depth].seen = alloc_zeroed(walk->most + 1, sizeof(bool));
    }
    walk->open[walk->depth].node = node;
    walk->open[walk->depth].trip = 0;
    memset(walk->open[walk->depth].seen, 0, walk->most * sizeof(bool));
    walk->depth++;
}

/* ---- where a call stands against the one before ---- */

/* Can b follow a in one passage of the block that both are in? */
static bool comes_behind(const struct plan *plan, int a, int b)
{
    const struct outline_node *x = plan_outline(plan, &plan->nodes[a]), *y = plan_outline(plan, &plan->nodes[b]);
    if (a == b || (x->kind == OUTLINE_ARM && y->kind == OUTLINE_ARM && x->group == y->group))
        return false;
    if (x->order != y->order)
        return x->order < y->order;
    const bool lock = plan_is_lock_beside(plan, &plan->nodes[a]), other = plan_is_lock_beside(plan, &plan->nodes[b]);
    return lock != other ? lock : a < b;
}

/* Can the loop of an open node begin anew? Not beyond a limit that the source says. */
static bool goes_on(const struct walk *walk, int at, bool limited)
{
    int node = walk->open[at].node;
    if (!is_loop(walk->plan, node))
        return false;
    const struct outline_node *loop = plan_outline(walk->plan, &walk->plan->nodes[node]);
    const struct outline_argument *limit = &loop->limit;
    return !limited || !limit->text || !limit->known || walk->open[at].trip + 1 < limit->value + loop->beyond;
}

/* The innermost open loop, from open node `at` outwards, that can begin anew; 0: none. */
static int loop_around(const struct walk *walk, int at)
{
    for (int limited = 1; limited >= 0; limited--)
        for (int i = at; i > 0; i--)
            if (goes_on(walk, i, limited))
                return i;
    return 0;
}

/* Opens what the call stands in; its own node is the last. */
static void go_to(struct walk *walk, const struct chain *chain)
{
    int same = 0;
    while (same < chain->n && same + 1 < walk->depth && walk->open[same + 1].node == chain->nodes[same])
        same++;
    bool again = same == chain->n;
    if (!again && same + 1 < walk->depth)
        again = !comes_behind(walk->plan, walk->open[same + 1].node, chain->nodes[same]);
    int loop = again ? loop_around(walk, same - (same == chain->n)) : 0;
    if (loop > 0) {
        close_to(walk, loop + 1);
        close_block(walk, loop);
        walk->open[loop].trip++;
        same = loop;
    } else {
        walk->plan->disordered += again;
        same -= same == chain->n;
        close_to(walk, same + 1);
    }
    for (int i = same; i < chain->n; i++)
        open_node(walk, chain->nodes[i]);
}

/* ---- what a call says ---- */

static int64_t peer_in_world(const struct recorded_comm *comm, int peer)
{
    if (peer < 0)
        return peer == PEER_NULL ? FIT_NULL : peer == PEER_ANY ? FIT_ANY : FIT_SOURCE;
    return comm->members && peer < comm->size ? comm->members[peer] : peer;
}

static int64_t tag_of(int tag)
{
    return tag == TAG_ANY ? FIT_ANY : tag;
}

static void add_field(struct walk *walk, struct plan_node *node, enum plan_field field, int64_t value)
{
    add(walk, &node->field[field], walk->depth - 1, value);
}

/* The node that began requests of a call path, and the number of one among all of that node. */
static int starter_of(const struct walk *walk, const struct recorded_pair *pair, int64_t *number)
{
    const struct plan *plan = walk->plan;
    int path = site_path(&plan->sites, walk->process, pair->path);
    for (int i = 0; i < plan->sites.n; i++) {
        if (plan->sites.sites[i].path != path || !operation_gives_request(plan->sites.sites[i].op) ||
            plan->node_of[i] < 0)
            continue;
        *number = (int64_t)pair->ordinal * plan->nodes[plan->node_of[i]].n_paths + plan->path_of[i];
        return plan->node_of[i];
    }
    return -1;
}

static void add_waited(struct plan_node *node, int starter)
{
    for (int i = 0; i < node->n_waited; i++)
        if (node->waited[i] == starter)
            return;
    node->waited = alloc_resize(node->waited, (size_t)node->n_waited + 1, sizeof *node->waited);
    node->waited[node->n_waited++] = starter;
}

static void take_wait(struct walk *walk, struct plan_node *node, const struct recorded_node *ran)
{
    int64_t number = 0;
    if (ran->list < 0 || ran->list >= walk->process->n_lists) {
        node->waits_all = true;
        return;
    }
    const struct recorded_list *list = &walk->process->lists[ran->list];
    node->waits_all |= list->all;
    node->waits_lists |= !list->all;
    node->waits_several |= list->all || list->n != 1 || list->pairs[0].ordinal < 0;
    for (int i = 0; i < list->n; i++) {
        int starter = starter_of(walk, &list->pairs[i], &number);
        if (starter >= 0)
            add_waited(node, starter);
    }
    if (list->n == 1)
        add_field(walk, node, PLAN_request, number);
}

static void take_neighbours(struct walk *walk, struct seen_list **lists, const struct recorded_comm *comm, int n, const int near[])
{
    if (!*lists)
        *lists = alloc_zeroed((size_t)walk->plan->most_near, sizeof **lists);
    for (int i = 0; i < walk->plan->most_near; i++) {
        struct seen_list *list = &(*lists)[i];
        const size_t before = list->n;
        add(walk, list, walk->depth - 1, i < n && near[i] >= 0 ? near[i] : FIT_NULL);
        if (list->n > before) {
            list->list[before].within_rank = comm->rank;
            list->list[before].within_size = comm->size;
        }
    }
}

static void take_made(struct walk *walk, struct plan_node *node, int at, const struct recorded_node *ran)
{
    if (ran->peer < 0 || ran->peer >= walk->process->n_comms)
        return;
    const struct recorded_comm *made = &walk->process->comms[ran->peer];
    walk->made[ran->peer] = at;
    add_field(walk, node, PLAN_color, made->rank < 0 ? -1 : made->members[0]); /* the first member names the group */
    add_field(walk, node, PLAN_key, made->rank < 0 ? 0 : made->rank);
    node->leaves_out = node->leaves_out || made->rank < 0;
    if (made->near) {
        take_neighbours(walk, &node->sources, made, made->n_sources, made->near);
        take_neighbours(walk, &node->destinations, made, made->n_destinations, made->near + made->n_sources);
    }
}

/* One that has all processes in their order stands for the world, but among neighbours. */
static void take_comm(const struct walk *walk, struct plan_node *node, int number)
{
    int made = number == 0 ? -1 : walk->made[number] < 0 ? -2 : walk->made[number], window = -1;
    const bool near = node->op >= 0 && operation_kind((enum operation)node->op) == KIND_near;
    if (made >= 0 && operation_kind((enum operation)walk->plan->nodes[made].op) == KIND_window) {
        window = made;
        made = walk->plan->nodes[window].comm;
    } else if (made >= 0 && !near && walk->plan->nodes[made].world) {
        made = -1;
    }
    node->comm = node->comm_seen && node->comm != made ? -2 : made;
    node->window = node->comm_seen && node->window != window ? -2 : window;
    node->comm_seen = true;
}

/* Targets are ranks of the window's communicator. */
static void take_remote(struct walk *walk, struct plan_node *node, const struct recorded_node *ran)
{
    const enum operation_kind kind = operation_kind(ran->op);
    if (kind != KIND_fence)
        add_field(walk, node, PLAN_peer, ran->peer < 0 ? FIT_NULL : ran->peer);
    if (kind == KIND_remote)
        add_field(walk, node, PLAN_bytes, ran->bytes);
    if (ran->op == OPERATION_MPI_Win_lock)
        add_field(walk, node, PLAN_tag, ran->tag);
}

/* The node of the probe that has taken out what this receives. */
static void take_taken(const struct walk *walk, struct plan_node *node, const struct recorded_node *ran)
{
    const struct plan *plan = walk->plan;
    const int path = site_path(&plan->sites, walk->process, ran->tag2);
    int probe = -2;
    for (int i = 0; i < plan->sites.n; i++)
        if (plan->sites.sites[i].path == path && operation_kind(plan->sites.sites[i].op) == KIND_mprobe)
            probe = plan->node_of[i] >= 0 ? plan->node_of[i] : -2;
    node->taken = node->taken == -1 || node->taken == probe ? probe : -2;
}

static void take_call(struct walk *walk, int at, int site, const struct recorded_node *ran)
{
    struct plan_node *node = &walk->plan->nodes[at];
    const struct recorded_comm *comm = &walk->process->comms[ran->comm];
    enum operation_kind kind = operation_kind(ran->op);
    int64_t request = (int64_t)ran->list * node->n_paths + walk->plan->path_of[site];
    if (kind == KIND_comm) {
        take_comm(walk, node, ran->comm);
        take_made(walk, node, at, ran);
    }
    if (kind == KIND_window) {
        take_comm(walk, node, ran->comm);
        walk->made[ran->peer] = at;
    }
    if (kind == KIND_wait)
        take_wait(walk, node, ran);
    if (kind == KIND_file)
        node->together = node->together || ran->peer != PEER_NULL;
    if (kind == KIND_other || kind == KIND_comm || kind == KIND_wait || kind == KIND_window ||
        (kind == KIND_file && ran->peer == PEER_NULL))
        return;
    take_comm(walk, node, ran->comm);
    if (kind == KIND_file)
        return;
    if (operation_is_remote(ran->op)) {
        take_remote(walk, node, ran);
        return;
    }
    if (operation_gives_request(ran->op))
        add_field(walk, node, PLAN_request, request);
    if (kind == KIND_mrecv) {
        take_taken(walk, node, ran);
        return;
    }
    bool collective = operation_is_collective(ran->op),
         receives = kind == KIND_recv || kind == KIND_probe || kind == KIND_mprobe;
    if (!collective || kind == KIND_rooted)
        add_field(walk, node, PLAN_peer, collective ? ran->peer : peer_in_world(comm, ran->peer));
    if (!collective)
        add_field(walk, node, PLAN_tag, tag_of(ran->tag));
    if (!receives)
        add_field(walk, node, PLAN_bytes, ran->bytes);
    if (ran->bytes2 != ran->bytes && ran->bytes2 > node->most_other)
        node->most_other = ran->bytes2;
    if (kind == KIND_both) {
        add_field(walk, node, PLAN_peer2, peer_in_world(comm, ran->peer2));
        add_field(walk, node, PLAN_tag2, tag_of(ran->tag2));
    }
    node->any_source = node->any_source || (receives && ran->peer == PEER_ANY);
}

static bool walk_nodes(struct walk *walk, size_t n, const struct recorded_node *nodes)
{
    for (size_t i = 0; i < n; i++) {
        if (!nodes[i].loop) {
            int site = site_find(&walk->plan->sites, walk->process, nodes[i].op, nodes[i].path);
            if (walk->plan->node_of[site] < 0)
                continue;
            go_to(walk, &walk->plan->chains[site]);
            take_call(walk, walk->plan->node_of[site], site, &nodes[i]);
            if (++walk->calls > CALLS_MOST)
                return false;
        }
        for (int64_t trip = 0; nodes[i].loop && trip < nodes[i].trips / nodes[i].runs; trip++)
            if (!walk_nodes(walk, nodes[i].n_body, nodes[i].body))
                return false;
    }
    return true;
}

static bool walk_process(struct plan *plan, int recording, int rank)
{
    struct walk walk = {.plan = plan, .recording = recording, .rank = rank, .capacity = 1};
    walk.process = &plan->recordings[recording].processes[rank];
    for (size_t i = 0; i < plan->n_nodes; i++)
        walk.most = plan->nodes[i].n > walk.most ? plan->nodes[i].n : walk.most;
    for (size_t i = 0; i < plan->n_functions; i++)
        walk.most = plan->functions[i].n > walk.most ? plan->functions[i].n : walk.most;
    walk.made = alloc_array((size_t)walk.process->n_comms + 1, sizeof *walk.made);
    for (int i = 0; i <= walk.process->n_comms; i++)
        walk.made[i] = -1;
    walk.open = alloc_zeroed(1, sizeof *walk.open);
    walk.open[0] = (struct open){.node = -1, .seen = alloc_zeroed(walk.most + 1, sizeof(bool))};
    walk.depth = 1;
    bool all = walk_nodes(&walk, walk.process->n, walk.process->nodes);
    close_to(&walk, 0);
    for (int i = 0; i < walk.capacity; i++)
        free(walk.open[i].seen);
    free(walk.open);
    free(walk.made);
    return all;
}

/* MPI_Win_lock_all and its like are locks of one process after another: the source has to say so, or they would be thought to
 * be steps of a loop around. */
static bool is_said_of_call(const struct plan *plan, const struct plan_node *node)
{
    const char *name = plan_outline(plan, node)->name;
    return plan_is_lock_beside(plan, node) || (name && strcmp(name, operation_name((enum operation)node->op)) == 0) ||
           outline_goes_round(name);
}

/* What its directive would have to name and cannot; NULL: nothing. */
static const char *name_missing(const struct plan *plan, const struct plan_node *node)
{
    const enum operation_kind kind = operation_kind((enum operation)node->op);
    if (operation_is_remote((enum operation)node->op) && node->window < 0)
        return "is called with several windows, or with one that no call in these files makes";
    if (kind == KIND_near && (node->comm < 0 || !plan->nodes[node->comm].sources))
        return "is called on several grids or graphs, or on one that no call in these files makes";
    if (kind == KIND_near && plan->nodes[node->comm].leaves_out)
        return "is called on a grid or graph that leaves processes out";
    if (kind == KIND_mrecv && node->taken < 0)
        return "receives what several calls of MPI_Mprobe have taken out";
    if (kind == KIND_lock && !is_said_of_call(plan, node))
        return "is one of many that a call makes which is not seen in these files";
    return NULL;
}

enum status plan_walk(struct plan *plan, struct diags *diags)
{
    for (size_t r = 0; r < plan->n_recordings; r++)
        for (int rank = 0; rank < plan->recordings[r].ranks; rank++)
            if (!walk_process(plan, (int)r, rank)) {
                diag_error(diags, place_of_file(plan->recordings[r].name),
                           "more than %d calls in process %d: record fewer steps", (int)CALLS_MOST, rank);
                return STATUS_NOT_YET;
            }
    for (size_t i = 0; i < plan->n_nodes; i++) {
        const char *problem = plan->nodes[i].op >= 0 ? name_missing(plan, &plan->nodes[i]) : NULL;
        if (problem) {
            diag_error(diags, place_of_file(NULL), "%s %s: directives cannot say that",
                       operation_name((enum operation)plan->nodes[i].op), problem);
            return STATUS_NOT_YET;
        }
        if (plan->nodes[i].op >= 0 && operation_kind((enum operation)plan->nodes[i].op) == KIND_near)
            plan->nodes[plan->nodes[i].comm].near = true;
    }
    return STATUS_OK;
}
