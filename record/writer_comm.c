#include "record/writer_impl.h"

#include <stdlib.h>

static int comm_index(const struct writer *writer, size_t instance, int64_t number)
{
    for (int i = 0; i < writer->n_comms; i++)
        if (writer->comms[i].number[instance] == number)
            return i;
    return -1;
}

static bool is_world(const struct recorded_comm *comm, int ranks)
{
    bool world = comm->size == ranks;
    for (int i = 0; i < comm->size && world; i++)
        world = comm->members[i] == i;
    return world;
}

/* One for each call that makes a communicator, found in the order of the program. */
void writer_find_comms(struct writer *writer, size_t n, const struct template_node *nodes)
{
    const struct template *template = writer->template;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i].site < 0) {
            writer_find_comms(writer, nodes[i].n, nodes[i].body);
            continue;
        }
        enum operation op = template->sites.sites[nodes[i].site].op;
        if (operation_kind(op) != KIND_comm)
            continue;
        writer->comms = alloc_resize(writer->comms, (size_t)writer->n_comms + 1, sizeof *writer->comms);
        struct made_comm *made = &writer->comms[writer->n_comms];
        *made = (struct made_comm){.node = &nodes[i], .world = true};
        snprintf(made->name, sizeof made->name, "comm%d", ++writer->n_comms);
        made->number = alloc_array(template->n_instances, sizeof *made->number);
        for (size_t k = 0; k < template->n_instances; k++) {
            const struct series *peer = nodes[i].of[k] ? nodes[i].of[k]->field[FIELD_peer] : NULL;
            while (peer && peer->n > 0)
                peer = peer->runs[0].of;
            made->number[k] = peer ? (int)peer->value : -1;
            if (peer && !is_world(&writer_process(template, k)->comms[peer->value], writer_ranks(template, k)))
                made->world = false;
        }
    }
}

/* The one communicator of a call: index into comms, or -1 for MPI_COMM_WORLD. -2: it is not one. */
int writer_comm_of(const struct writer *writer, const struct template_node *node)
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
        here = here >= 0 && writer->comms[here].world ? -1 : here;
        if (comm != -3 && comm != here)
            return -2;
        comm = here;
    }
    return comm;
}

void writer_write_comm(struct writer *writer, const struct template_node *node)
{
    const struct template *template = writer->template;
    struct samples colors = {0}, keys = {0};
    int index = 0;
    while (writer->comms[index].node != node)
        index++;
    const struct made_comm *made = &writer->comms[index];
    if (made->world)
        return;
    for (size_t k = 0; k < template->n_instances; k++) {
        struct fit_sample sample = {.procnum = template->instances[k].rank, .numprocs = writer_ranks(template, k),
                                    .recording = template->instances[k].recording};
        if (!node->of[k])
            continue;
        const struct recorded_comm *comm = &writer_process(template, k)->comms[made->number[k]];
        sample.value = comm->rank < 0 ? -1 : comm->members[0]; /* the first member names the group */
        samples_add(&colors, &sample);
        sample.value = comm->rank < 0 ? 0 : comm->rank;
        samples_add(&keys, &sample);
    }
    int depth = writer->depth;
    writer->depth = 0; /* communicators do not depend on loops */
    const char *color = writer_expression(writer, &colors, -1, false, "who is in a communicator", node->site);
    const char *key = writer_expression(writer, &keys, -1, false, "the order of a communicator's ranks", node->site);
    writer->depth = depth;
    writer_indent(writer);
    fprintf(writer->out, "Set %s = comm_split(%s, %s)\n", made->name, color, key);
    free(colors.list);
    free(keys.list);
}
