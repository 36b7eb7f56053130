/* The machine file, top to bottom; its parts stand in files of their own. */
#include "common/alloc.h"
#include "common/infile.h"
#include "common/units.h"
#include "models/machine/collectives.h"
#include "models/machine/computing.h"
#include "models/machine/entries.h"
#include "models/machine/fields.h"
#include "models/machine/ports.h"
#include "models/machine/source_impl.h"
#include "models/machine/topology.h"
#include "models/machine/transports.h"
#include "models/machine/whole.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FORMAT_VERSION = 2, SOCKETS_MOST = 1024 /* more cores than a node has */ };

static void model_error_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const struct range part = {0, 1, "a number from 0 to 1"}, times = {1.1, 100, "a number from 1.1 to 100"},
                              power = {0.1, 1, "a number from 0.1 to 1"};
    struct field fields[] = {{"communication", false, {0}}, {"computation", false, {0}}, {"runs", false, {0}},
                             {"stretch", false, {0}},       {"elsewhere", false, {0}},   {"spread_power", false, {0}},
                             {"share_power", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (!spot_is_meant(&fields[0].spot) && !spot_is_meant(&fields[1].spot))
        spot_error(r, spot, "missing key `communication` or `computation`: which part of it is wrong?");
    for (int i = 3; i < 7; i += i == 3 ? 2 : 1) /* stretch, spread_power and share_power */
        if (fields[i].spot.node && !spot_is_meant(&fields[0].spot))
            spot_error(r, &fields[i].spot, "says how `communication` counts, which is missing");
    machine->has_model_error = true;
    if (fields[0].spot.node)
        number_read(r, &fields[0].spot, part, &machine->model_error.communication);
    if (fields[1].spot.node)
        number_read(r, &fields[1].spot, part, &machine->model_error.computation);
    if (fields[2].spot.node)
        int_read(r, &fields[2].spot, 1, INT_MAX, &machine->model_error.runs);
    if (fields[3].spot.node)
        number_read(r, &fields[3].spot, times, &machine->model_error.stretch);
    if (fields[4].spot.node)
        int_read(r, &fields[4].spot, 1, INT_MAX, &machine->model_error.elsewhere);
    if (fields[5].spot.node)
        number_read(r, &fields[5].spot, part, &machine->model_error.spread_power);
    if (fields[6].spot.node)
        number_read(r, &fields[6].spot, power, &machine->model_error.share_power);
}

static void time_unit_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const char *const names[] = {
#define X(name, seconds) #name,
        TIME_UNIT_LIST(X)
#undef X
    };
    int choice;
    if (choice_read(r, spot, "unit", names, sizeof names / sizeof *names, &choice))
        machine->time_unit = units_time_unit(names[choice], strlen(names[choice]));
}

/* A file of a later version is refused before anything else of it is judged. */
static bool version_check(struct reader *r, const struct spot *root, struct machine *machine)
{
    for (size_t i = 0; root->node->kind == YAML_KIND_MAP && i < root->node->n; i++) {
        struct spot pair = spot_pair(root, i);
        int64_t version;
        if (strcmp(pair.key->text, "pevpm_machine") != 0)
            continue;
        if (!whole_read(r, &pair, 1, INT64_MAX, &version))
            return true;
        if (version > FORMAT_VERSION)
            spot_error(r, &pair, "this file is written by a later version (format %lld; this one reads %d)",
                       (long long)version, FORMAT_VERSION);
        machine->version = version <= FORMAT_VERSION ? (int)version : 0;
        return version <= FORMAT_VERSION;
    }
    return true;
}

/* X(key, required): what stands at the top. */
#define TOP_LIST(X)                                                                                            \
    X(pevpm_machine, true) X(name, true) X(time_unit, false) X(nodes, true) X(processes_per_node, false)       \
    X(processors_per_node, false) X(sockets_per_node, false) X(socket_map, false)                              \
    X(eager_limit, false) X(transports, false) X(progress, false) X(mpi, false) X(launches, false)             \
    X(provenance, false) X(point_to_point, false) X(ports, false) X(topology, false) X(resources, false)       \
    X(rests, false) X(handshakes, false) X(send_buffer, false) X(congestion, false)                            \
    X(collectives, false) X(reduction, false)                                                                  \
    X(serial, false) X(node_time_factor, false) X(serial_variability, false) X(model_error, false)             \
    X(models, false) X(decisions, false)
enum top {
#define X(name, required) TOP_##name,
    TOP_LIST(X)
#undef X
};

/* What one version says in one way and the other in another. */
static void versions_keep(struct reader *r, struct field fields[], int version)
{
    static const enum top later[] = {TOP_topology, TOP_resources, TOP_rests, TOP_handshakes, TOP_send_buffer,
                                    TOP_congestion};
    if (version >= 2 && fields[TOP_ports].spot.node) {
        spot_error(r, &fields[TOP_ports].spot,
                   "format 2 has `resources` instead: `pevpm-sim convert` rewrites a file of "
                   "format 1");
        fields[TOP_ports].spot.node = NULL;
    }
    for (size_t i = 0; version < 2 && i < sizeof later / sizeof *later; i++) {
        if (!fields[later[i]].spot.node)
            continue;
        spot_error(r, &fields[later[i]].spot, "format 2 has this key: the file must begin with `pevpm_machine: 2`");
        fields[later[i]].spot.node = NULL;
    }
}

/* How many of a node, and how its processes lie on them. 0: that could not be read. */
static void sockets_read(struct reader *r, const struct field fields[], struct machine *machine)
{
    static const char *const maps[] = {
#define X(name) #name,
        SOCKET_MAP_LIST(X)
#undef X
    };
    const struct spot *sockets = &fields[TOP_sockets_per_node].spot, *map = &fields[TOP_socket_map].spot;
    int choice;
    if (sockets->node && !int_read(r, sockets, 1, SOCKETS_MOST, &machine->sockets))
        machine->sockets = 0;
    if (!map->node || !choice_read(r, map, "socket_map", maps, N_SOCKET_MAPS, &choice))
        return;
    machine->has_socket_map = true;
    machine->socket_map = (enum socket_map)choice;
    if (machine->sockets == 1)
        spot_error(r, map, SOCKETS_UNKNOWN);
}

static void scalars_read(struct reader *r, const struct field fields[], struct machine *machine)
{
    static const char *const progress[] = {"none", "async"};
    static const char *const libraries[] = {
#define X(name) #name,
        LIBRARY_LIST(X)
#undef X
    };
    static const char *const congestions[] = {
#define X(name) #name,
        CONGESTION_LIST(X)
#undef X
    };
    const char *text;
    int choice;
    if (fields[TOP_name].spot.node && text_read(r, &fields[TOP_name].spot, "a name", &text))
        machine->name = alloc_string(text);
    if (fields[TOP_time_unit].spot.node)
        time_unit_read(r, &fields[TOP_time_unit].spot, machine);
    if (fields[TOP_nodes].spot.node)
        int_read(r, &fields[TOP_nodes].spot, 1, INT_MAX, &machine->nodes);
    if (fields[TOP_processes_per_node].spot.node)
        int_read(r, &fields[TOP_processes_per_node].spot, 1, INT_MAX, &machine->ppn);
    if (fields[TOP_processors_per_node].spot.node)
        int_read(r, &fields[TOP_processors_per_node].spot, 1, INT_MAX, &machine->processors);
    sockets_read(r, fields, machine);
    if (fields[TOP_eager_limit].spot.node)
        whole_read(r, &fields[TOP_eager_limit].spot, 0, INT64_MAX, &machine->eager_limit);
    if (fields[TOP_progress].spot.node &&
        choice_read(r, &fields[TOP_progress].spot, "kind of progress", progress, 2, &choice))
        machine->progress = choice == 0 ? PROGRESS_NONE : PROGRESS_ASYNC;
    if (fields[TOP_mpi].spot.node && choice_read(r, &fields[TOP_mpi].spot, "MPI library", libraries,
                                                 sizeof libraries / sizeof *libraries, &choice)) {
        machine->has_library = true;
        machine->library = (enum mpi_library)choice;
    }
    if (fields[TOP_congestion].spot.node &&
        choice_read(r, &fields[TOP_congestion].spot, "way to avoid congestion", congestions,
                    sizeof congestions / sizeof *congestions, &choice)) {
        machine->has_congestion = true;
        machine->congestion = (enum congestion)choice;
    }
    if (fields[TOP_launches].spot.node)
        int_read(r, &fields[TOP_launches].spot, 1, INT_MAX, &machine->launches);
}

static void top_read(struct reader *r, const struct spot *root, struct machine *machine)
{
    static const struct {
        enum top key;
        void (*read)(struct reader *, const struct spot *, struct machine *);
    } sections[] = { /* collectives name models */
        {TOP_transports, transports_read},
        {TOP_point_to_point, point_to_point_read},  {TOP_ports, ports_read},         {TOP_topology, topology_read},
        {TOP_resources, resources_read},            {TOP_rests, rests_read},         {TOP_models, models_read},
        {TOP_handshakes, handshakes_read},          {TOP_send_buffer, send_buffer_read},
        {TOP_collectives, collectives_read},        {TOP_reduction, reduction_read}, {TOP_serial, serials_read},
        {TOP_node_time_factor, factors_read},       {TOP_serial_variability, variability_read},
        {TOP_model_error, model_error_read},        {TOP_decisions, decisions_read},
    };
    struct field fields[] = {
#define X(name, required) {#name, required, {0}},
        TOP_LIST(X)
#undef X
    };
    if (!version_check(r, root, machine) || !fields_take(r, root, FIELDS(fields)))
        return;
    r->is_told = fields[TOP_provenance].spot.node;
    versions_keep(r, fields, machine->version);
    scalars_read(r, fields, machine);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (fields[sections[i].key].spot.node)
            sections[i].read(r, &fields[sections[i].key].spot, machine);
    if (r->source && fields[TOP_provenance].spot.node)
        machine_source_keep_notes(r->source, fields[TOP_provenance].spot.node);
}

static enum status text_take(struct machine **machine, struct machine_source *source, const char *name,
                             const char *text, size_t length, struct diags *diags)
{
    *machine = NULL;
    struct yaml_tree tree;
    bool is_told = false;
    if (whole_is_cut(name, text, length, diags))
        return STATUS_SYNTAX;
    enum status status = yaml_tree_read(&tree, name, text, length, diags);
    if (status == STATUS_OK && !tree.root) {
        diag_error(diags, place_of_file(name), "%s; a machine file begins with `pevpm_machine: 1`",
                   length == 0 ? "an empty file" : "nothing is in this file but comments");
        status = STATUS_SCHEMA;
    }
    if (status == STATUS_OK) {
        struct reader r = {.tree = &tree, .diags = diags, .source = source};
        struct spot root = {.node = tree.root};
        struct machine *made = alloc_zeroed(1, sizeof *made);
        *made = (struct machine){.path = alloc_string(name), .time_unit = 1, .ppn = 1, .sockets = 1,
                                  .eager_limit = INT64_MAX};
        top_read(&r, &root, made);
        if (r.errors + tree.repeated_keys == 0) {
            *machine = made;
            is_told = r.is_told;
        } else {
            machine_destroy(made);
            status = STATUS_SCHEMA;
        }
    }
    if (is_told || whole_error_is_last(text, length, diags))
        whole_doubt(name, text, length, diags);
    yaml_tree_free(&tree);
    return status;
}

enum status machine_read_text(struct machine **machine, const char *name, const char *text, size_t length,
                              struct diags *diags)
{
    return text_take(machine, NULL, name, text, length, diags);
}

static enum status too_large(struct diags *diags, const char *name)
{
    diag_error(diags, place_of_file(name), "larger than %u MiB, the most that is read as a machine file",
               MACHINE_FILE_MOST >> 20);
    return STATUS_SCHEMA;
}

/* The whole stream in *text, to be freed in any case. */
static enum status stream_read(FILE *stream, const char *name, char **text, size_t *length, struct diags *diags)
{
    struct stat about;
    *text = NULL;
    *length = 0;
    if (fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > (off_t)MACHINE_FILE_MOST)
        return too_large(diags, name);
    size_t capacity = 1 << 16, n;
    *text = alloc_array(capacity, 1);
    while ((n = fread(*text + *length, 1, capacity - *length, stream)) > 0) {
        *length += n;
        if (*length > MACHINE_FILE_MOST)
            return too_large(diags, name);
        if (*length == capacity)
            *text = alloc_resize(*text, capacity *= 2, 1);
    }
    if (!ferror(stream))
        return STATUS_OK;
    diag_error(diags, place_of_file(name), "cannot read: %s", strerror(errno));
    return STATUS_IO;
}

enum status machine_read_whole(struct machine **machine, struct machine_source *source, const char *path,
                               struct diags *diags)
{
    bool standard_input = strcmp(path, "-") == 0;
    const char *name = standard_input ? "standard input" : path;
    *machine = NULL;
    FILE *stream = standard_input ? stdin : fopen(path, "rb");
    if (!stream)
        return infile_refuse(name, errno, diags);
    char *text;
    size_t length;
    enum status status = stream_read(stream, name, &text, &length, diags);
    if (!standard_input)
        fclose(stream);
    if (status == STATUS_OK)
        status = text_take(machine, source, name, text, length, diags);
    free(text);
    return status;
}

enum status machine_read(struct machine **machine, const char *path, struct diags *diags)
{
    return machine_read_whole(machine, NULL, path, diags);
}
