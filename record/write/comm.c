#include "record/write/writer_impl.h"

#include "record/calls.h"

#include <stdlib.h>

static int comm_index(const struct writer *writer, size_t instance, int64_t number)
{
    for (int i = 0; i < writer->n_comms; i++)
        if (writer->comms[i].number[instance] == number)
            return i;
    return -1;
}

static struct made_comm *new_comm(struct writer *writer, const struct template_node *node)
{
    writer->comms = alloc_resize(writer->comms, (size_t)writer->n_comms + 1, sizeof *writer->comms);
    struct made_comm *made = &writer->comms[writer->n_comms];
    bool window = node && operation_kind(writer->template->sites.sites[node->site].op) == KIND_window;
    *made = (struct made_comm){.node = node, .window = window, .world = node && !window};
    snprintf(made->name, sizeof made->name, "%s%d", window ? "window" : "comm", ++writer->n_comms);
    made->number = alloc_array(writer->template->n_instances, sizeof *made->number);
    return made;
}

/* The one communicator of a call: an index into comms, -1 for MPI_COMM_WORLD. -2: it is not one. One that has all
 * processes in their order stands for the world, but among neighbours. */
static int made_by(const struct writer *writer, const struct template_node *node, bool near)
{
    int comm = -3;
    for (size_t k = 0; k < writer->template->n_instances; k++) {
        int64_t number;
        if (!node->of[k])
            continue;
        if (!series_is_constant(node->of[k]->field[FIELD_comm], &number))
            return -2;
        int here = number == 0 ? -1 : comm_index(writer, k, number);
        if (number != 0 && here < 0)
            return -2;
        here = here >= 0 && !near && writer->comms[here].world ? -1 : here;
        if (comm != -3 && comm != here)
            return -2;
        comm = here;
    }
    return comm;
}

/* One for each call that makes a communicator or a window, found in the order of the program. */
static void find_made(struct writer *writer, size_t n, const struct template_node *nodes)
{
    const struct template *template = writer->template;
    for (size_t i = 0; i < n; i++) {
        find_made(writer, nodes[i].n, nodes[i].body);
        if (nodes[i].site < 0 || !operation_makes_comm(template->sites.sites[nodes[i].site].op))
            continue;
        struct made_comm *made = new_comm(writer, &nodes[i]);
        for (size_t k = 0; k < template->n_instances; k++) {
            const struct series *peer = nodes[i].of[k] ? nodes[i].of[k]->field[FIELD_peer] : NULL;
            while (peer && peer->n > 0)
                peer = peer->runs[0].of ? peer->runs[0].of : peer->n > 1 ? peer->runs[1].of : NULL;
            made->number[k] = peer ? (int)peer->value : -1;
            if (peer && !recorded_comm_is_world(&writer_process(template, k)->comms[peer->value], writer_ranks(template, k)))
                made->world = false;
        }
    }
}

/* The first one that no call made and that has the process alone. */
static int self_of(const struct writer *writer, size_t instance)
{
    const struct recorded_process *process = writer_process(writer->template, instance);
    for (int i = 1; i < process->n_comms; i++)
        if (process->comms[i].size == 1 && process->comms[i].members[0] == writer->template->instances[instance].rank &&
            comm_index(writer, instance, i) < 0)
            return i;
    return -1;
}

static void find_self(struct writer *writer)
{
    struct made_comm *self = NULL;
    for (size_t k = 0; k < writer->template->n_instances; k++) {
        int number = self_of(writer, k);
        if (number < 0)
            continue;
        if (!self) {
            self = new_comm(writer, NULL);
            for (size_t i = 0; i < writer->template->n_instances; i++)
                self->number[i] = -1;
        }
        self->number[k] = number;
    }
}

static void find_near(struct writer *writer, size_t n, const struct template_node *nodes)
{
    for (size_t i = 0; i < n; i++) {
        find_near(writer, nodes[i].n, nodes[i].body);
        if (nodes[i].site < 0 || operation_kind(writer->template->sites.sites[nodes[i].site].op) != KIND_near)
            continue;
        int comm = made_by(writer, &nodes[i], true);
        if (comm >= 0)
            writer->comms[comm].near = true;
    }
}

void writer_find_comms(struct writer *writer, size_t n, const struct template_node *nodes)
{
    find_made(writer, n, nodes);
    find_self(writer);
    find_near(writer, n, nodes);
}

const struct made_comm *writer_window_of(const struct writer *writer, const struct template_node *node)
{
    const int made = made_by(writer, node, false);
    return made >= 0 && writer->comms[made].window ? &writer->comms[made] : NULL;
}

int writer_comm_of(const struct writer *writer, const struct template_node *node)
{
    const struct made_comm *window = writer_window_of(writer, node);
    if (window)
        node = window->node;
    return made_by(writer, node, operation_kind(writer->template->sites.sites[node->site].op) == KIND_near);
}

/* Item i of a process's sources or destinations; PEER_NULL behind the last. */
static int neighbour(const struct recorded_comm *comm, bool source, int i)
{
    int n = source ? comm->n_sources : comm->n_destinations;
    return i < n ? comm->near[i + (source ? 0 : comm->n_sources)] : PEER_NULL;
}

/* (LIST), the neighbours on one side, each a formula over the ranks of the communicator. */
static void write_neighbours(struct writer *writer, const struct made_comm *made, bool source)
{
    const struct template *template = writer->template;
    int most = 1, comm = made->world ? -1 : (int)(made - writer->comms);
    for (size_t k = 0; k < template->n_instances; k++)
        if (made->number[k] >= 0) {
            const struct recorded_comm *of = &writer_process(template, k)->comms[made->number[k]];
            int n = source ? of->n_sources : of->n_destinations;
            most = n > most ? n : most;
        }
    for (int i = 0; i < most; i++) {
        struct samples samples = {0};
        for (size_t k = 0; k < template->n_instances; k++) {
            if (made->number[k] < 0)
                continue;
            const struct recorded_comm *of = &writer_process(template, k)->comms[made->number[k]];
            int peer = neighbour(of, source, i);
            struct fit_sample sample = {.procnum = of->rank, .numprocs = of->size, .value = peer < 0 ? FIT_NULL : peer,
                                        .recording = template->instances[k].recording};
            samples_add(&samples, &sample);
        }
        fprintf(writer->out, "%s%s", i == 0 ? "(" : ", ",
                writer_expression(writer, &samples, comm, MEANS_PEER, "a neighbour", made->node->site));
        free(samples.list);
    }
    putc(')', writer->out);
}

static void write_near(struct writer *writer, const struct made_comm *made)
{
    const struct template *template = writer->template;
    for (size_t k = 0; k < template->n_instances; k++)
        if (made->number[k] >= 0 && writer_process(template, k)->comms[made->number[k]].rank < 0) {
            diag_error(writer->diags, place_of_file(NULL),
                       "the communicator of neighbours from %s leaves processes out: directives written from a recording "
                       "cannot say that", writer_place(writer, made->node->site));
            writer->status = STATUS_NOT_YET;
            return;
        }
    writer_indent(writer);
    fprintf(writer->out, "Set %s" WRITER_NEAR " = dist_graph_create_adjacent(", made->name);
    write_neighbours(writer, made, true);
    fputs(", ", writer->out);
    write_neighbours(writer, made, false);
    if (!made->world)
        fprintf(writer->out, ", %s", made->name);
    fputs(")\n", writer->out);
}

/* Only its members call it, where a comm_split is of all: that stands where all pass. */
static bool is_of_members(const struct writer *writer, const struct made_comm *made)
{
    return made->node && writer->template->sites.sites[made->node->site].op == OPERATION_MPI_Comm_create_group;
}

/* A colour or a key. One made of a bare number, as of odd and even ranks, speaks for no grid: where no other formula of the program
 * asks for one it stands. */
static const char *split_value(struct writer *writer, struct samples *samples, const char *what, int site)
{
    const size_t foreign = writer->foreign;
    const char *text = writer_expression(writer, samples, -1, MEANS_NUMBER, what, site);
    const unsigned bare = GRID_BIT(GRID_HALVES) | GRID_BIT(GRIDS);
    if ((writer->taken & ~bare) == 0)
        writer->foreign = foreign;
    return text;
}

static void write_split(struct writer *writer, const struct made_comm *made)
{
    const struct template *template = writer->template;
    const bool of_members = is_of_members(writer, made);
    struct samples colors = {0}, keys = {0};
    for (size_t k = 0; k < template->n_instances; k++) {
        struct fit_sample sample = {.procnum = template->instances[k].rank, .numprocs = writer_ranks(template, k),
                                    .recording = template->instances[k].recording};
        if (!made->node->of[k] && !of_members)
            continue;
        const struct recorded_comm *comm = made->number[k] < 0 ? NULL
                                                               : &writer_process(template, k)->comms[made->number[k]];
        sample.value = !comm || comm->rank < 0 ? -1 : comm->members[0]; /* the first member names the group */
        samples_add(&colors, &sample);
        sample.value = !comm || comm->rank < 0 ? 0 : comm->rank;
        samples_add(&keys, &sample);
    }
    int parent = of_members ? -1 : writer_comm_of(writer, made->node), site = made->node->site;
    const char *color = split_value(writer, &colors, "who is in a communicator", site);
    const char *key = split_value(writer, &keys, "the order of a communicator's ranks", site);
    writer_indent(writer);
    fprintf(writer->out, "Set %s = comm_split(%s, %s%s%s)\n", made->name, color, key, parent >= 0 ? ", " : "",
            parent >= 0 ? writer->comms[parent].name : "");
    free(colors.list);
    free(keys.list);
}

/* A call, of those like this one, that is made on several communicators, such as on what it made itself in the trip
 * before: directives cannot say that. NULL: there is none. */
static const struct template_node *find_unsayable(const struct writer *writer, enum operation op)
{
    for (int i = 0; i < writer->n_comms; i++) {
        const struct template_node *node = writer->comms[i].node;
        if (node && writer->template->sites.sites[node->site].op == op && writer_comm_of(writer, node) == -2)
            return node;
    }
    return NULL;
}

/* What the call takes, where a directive says it: who makes one of a group agrees within that. */
static void write_agreement(struct writer *writer, const struct made_comm *made)
{
    const struct template_node *node = made->node;
    const int says = calls_agreement(writer->template->sites.sites[node->site].op),
              parent = writer_comm_of(writer, node);
    const bool in_group = says == MESSAGE_MPI_Comm_create_group;
    const struct template_node *unsayable =
        in_group ? NULL : find_unsayable(writer, writer->template->sites.sites[node->site].op);
    if (says >= 0 && unsayable)
        writer_remark(writer, "what %s takes is left out: at %s it is called on several communicators, which directives "
                      "cannot say", message_op_name((enum message_op)says), writer_place(writer, unsayable->site));
    if (says < 0 || unsayable)
        return;
    writer->result->n_calls++;
    writer_indent(writer);
    fprintf(writer->out, "Message type = %s", message_op_name((enum message_op)says));
    if (in_group)
        fprintf(writer->out, " & comm = %s", made->world ? "MPI_COMM_WORLD" : made->name);
    else if (parent >= 0)
        fprintf(writer->out, " & comm = %s", writer->comms[parent].name);
    putc('\n', writer->out);
}

/* What is split by the memory that processes share has all of them where they run on one host. */
static void remark_host(struct writer *writer, const struct made_comm *made)
{
    const struct template *template = writer->template;
    const int site = made->node->site;
    if (!made->world || template->sites.sites[site].op != OPERATION_MPI_Comm_split_type)
        return;
    writer_remark(writer, "the communicator of MPI_Comm_split_type at %s had all processes, as where all are on one host, and has all "
                  "at other counts, too: if it is meant for the processes of a node, record on several", writer_place(writer, site));
}

void writer_write_comm(struct writer *writer, const struct template_node *node)
{
    int index = 0, depth = writer->depth;
    while (writer->comms[index].node != node)
        index++;
    const struct made_comm *made = &writer->comms[index];
    writer->depth = 0; /* communicators do not depend on loops */
    if (!made->world && !is_of_members(writer, made))
        write_split(writer, made);
    if (made->near)
        write_near(writer, made);
    remark_host(writer, made);
    writer->depth = depth;
    write_agreement(writer, made);
}

void writer_write_first(struct writer *writer)
{
    for (int i = 0; i < writer->n_comms; i++)
        if (is_of_members(writer, &writer->comms[i]) && !writer->comms[i].world)
            write_split(writer, &writer->comms[i]);
        else if (!writer->comms[i].node)
            fprintf(writer->out, "Set %s = comm_split(procnum, 0)\n", writer->comms[i].name);
}
