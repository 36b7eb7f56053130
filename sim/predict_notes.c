/* predict_notes.c - what a reader of the numbers should know (predict_impl.h). */
#include "sim/predict_impl.h"

#include "common/alloc.h"
#include "sim/calibration.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note_add(struct predict_result *result, char *text)
{
    result->notes = alloc_grow(result->notes, result->n_notes, &result->notes_capacity, sizeof *result->notes);
    result->notes[result->n_notes++] = text;
}

/* ---- before any row is known ---- */

/* The machine's limits that the request goes beyond. */
static void note_machine(const struct predict_request *request, struct predict_result *result)
{
    int nodes = 0, ppn = 0;
    for (size_t i = 0; i < request->n_placements; i++) {
        nodes = request->placements[i].nodes > nodes ? request->placements[i].nodes : nodes;
        ppn = request->placements[i].ppn > ppn ? request->placements[i].ppn : ppn;
    }
    const struct machine *machine = request->machine;
    char place[60] = "";
    if (machine->nodes == 1 && machine->ppn > 1 && ppn == 1)
        snprintf(place, sizeof place, "; -n 1x%d has %d processes on one", nodes, nodes);
    if (machine->nodes > 0 && nodes > machine->nodes)
        note_add(result,
                 alloc_format("%d nodes are more than the %d of %s: the machine file's nodes are used again and again%s",
                              nodes, machine->nodes, machine->name, place));
    if (machine->ppn > 0 && ppn > machine->ppn)
        note_add(result, alloc_format("%d processes per node are more than the %d of %s%s", ppn, machine->ppn, machine->name,
                                      machine->processors > 0 ? "" : ": each is taken to have a processor of its own"));
    if (machine->processors > 0 && ppn > machine->processors)
        note_add(result, alloc_format("%d processes of a node share its %d processor%s (processors_per_node of %s): how long they wait for "
                                      "one another's turns is not predicted, and may be most of the time", ppn, machine->processors,
                                      machine->processors > 1 ? "s" : "", machine->name));
}

/* Nodes whose factor on Serial time the machine file does not say. */
static void note_factors(const struct predict_request *request, struct predict_result *result)
{
    const struct machine *machine = request->machine;
    size_t nodes = 0;
    bool differ = false;
    for (size_t i = 0; i < request->n_placements; i++)
        nodes = (size_t)request->placements[i].nodes > nodes ? (size_t)request->placements[i].nodes : nodes;
    for (size_t i = 1; i < machine->n_factors; i++)
        differ = differ || machine->factors[i] != machine->factors[0];
    if (differ && nodes > machine->n_factors)
        note_add(result, alloc_format("node_time_factor of %s has %zu factors for %zu nodes: the others repeat them",
                                      machine->name, machine->n_factors, nodes));
}

void notes_begin(const struct predict_request *request, struct predict_result *result)
{
    note_machine(request, result);
    note_factors(request, result);
}

/* ---- with a model, or a program ---- */

void note_scale(struct notes_said *said, const struct predict_request *request, struct predict_result *result,
                const struct cost_model *model, enum contention contention)
{
    const struct scale *scale = request->scale;
    bool ports = scale->out_gap != 1 || scale->in_gap != 1 || scale->credit != 1;
    if (!ports || model->ports != PORTS_OFF || said->scale)
        return;
    said->scale = true;
    note_add(result, alloc_format("ports play no part with model %s and --contention %s: --scale of gap or credit "
                                  "changes nothing", model->name, contention_name(contention)));
}

void note_windows(struct notes_said *said, struct predict_result *result, enum mpi_library library, int ppn)
{
    if (library != LIBRARY_open_mpi && !said->windows_lent) {
        said->windows_lent = true;
        note_add(result, alloc_format("how %s carries one-sided operations out is not known: predicted as open_mpi does over "
                                      "TCP (osc/pt2pt)", library_name(library)));
    }
    if (ppn > 1 && !said->windows_inside) {
        said->windows_inside = true;
        note_add(result, alloc_format("one-sided operations within a node are predicted as those between nodes: a library "
                                      "may use shared memory"));
    }
}

void note_sizes(struct notes_said *said, struct predict_result *result, const struct cost_model *model)
{
    if (!model->size_blind || said->sizes)
        return;
    said->sizes = true;
    note_add(result, alloc_format("%s knows no sizes: each message costs what a small one does", model->name));
}

/* ---- of all rows ---- */

static double deadlock_share(const struct prediction *row)
{
    return (double)row->deadlocks / (double)(row->deadlocks + row->time.n);
}

static void note_deadlock(struct predict_result *result, const struct prediction *row, size_t n_rows)
{
    char text[REPLICATE_DEADLOCK_BYTES];
    replicate_deadlock_text(row->deadlocks, row->deadlocks + row->time.n, text);
    note_add(result, alloc_format("%s; times are of the others (%s, %dx%d; %zu row%s)", text, row->mode, row->at.nodes,
                                  row->at.ppn, n_rows, n_rows > 1 ? "s" : ""));
}

static bool level_is_beyond(const struct prediction *row, int transport)
{
    return row->contention != CONTENTION_none && row->level_measured[transport] > 0 &&
           row->level_most[transport] > row->level_measured[transport];
}

/* Levels that nothing was measured at: of messages between nodes and within one the row with the highest. Those that queues explain
 * are not measured by the bench, and predictions need them not. */
static void note_levels(struct predict_result *result)
{
    for (int transport = 0; transport < N_TRANSPORTS; transport++) {
        const struct prediction *level = NULL;
        for (size_t i = 0; i < result->n; i++) {
            const struct prediction *row = &result->rows[i];
            if (level_is_beyond(row, transport) &&
                (!level || row->level_most[transport] > level->level_most[transport]))
                level = row;
        }
        if (level)
            note_add(result,
                     alloc_format("up to %d %s were in flight (%s, %dx%d) and the machine file was measured up "
                                  "to %d: beyond that %s",
                                  level->level_most[transport], transport_messages((enum transport)transport), level->mode,
                                  level->at.nodes, level->at.ppn, level->level_measured[transport],
                                  level->queues[transport] ? "only waiting at ports and buses makes them slower"
                                                           : "they cost the same"));
    }
}

/* Numbers of processes per node with which nothing was measured between nodes. */
/* A mean that changes by a smaller part, or by less time (s), is not worth a note. */
static const double RARE_CHANGE = 1.05, RARE_TIME = 1e-4;

static void note_rare(struct predict_result *result)
{
    const struct rare_mean *most = NULL;
    for (size_t i = 0; i < result->n; i++)
        for (int transport = 0; transport < N_TRANSPORTS; transport++) {
            const struct rare_mean *rare = &result->rows[i].rare[transport];
            if (!most || rare->measured - rare->taken > most->measured - most->taken)
                most = rare;
        }
    if (!most || most->measured <= RARE_CHANGE * most->taken || most->measured - most->taken < RARE_TIME)
        return;
    note_add(result, alloc_format("late messages of sizes of which few were measured count as often as all sizes say: %lld bytes take "
                                  "%.3g ms on average, measured %.3g ms",
                                  (long long)most->bytes, 1e3 * most->taken, 1e3 * most->measured));
}

static void note_ppn(struct predict_result *result)
{
    const struct prediction *other = NULL;
    size_t n = 0;
    for (size_t i = 0; i < result->n; i++)
        if (result->rows[i].other_ppn && n++ == 0)
            other = &result->rows[i];
    if (other)
        note_add(result, alloc_format("nothing was measured between nodes with %d process%s per node (%dx%d; %zu "
                                      "row%s): messages cost what they do with other numbers", other->at.ppn,
                                      other->at.ppn > 1 ? "es" : "", other->at.nodes, other->at.ppn, n,
                                      n > 1 ? "s" : ""));
}

/* Each kind of note once, with the row where it weighs most. */
static void note_rows(struct predict_result *result)
{
    const struct prediction *unreceived = NULL, *imprecise = NULL, *deadlock = NULL;
    size_t n_unreceived = 0, n_imprecise = 0, n_deadlock = 0;
    for (size_t i = 0; i < result->n; i++) {
        const struct prediction *row = &result->rows[i];
        if (row->unreceived > 0 && n_unreceived++ == 0)
            unreceived = row;
        if (!row->precise && n_imprecise++ == 0)
            imprecise = row;
        n_deadlock += row->deadlocks > 0;
        if (row->deadlocks > 0 && (!deadlock || deadlock_share(row) > deadlock_share(deadlock)))
            deadlock = row;
    }
    if (deadlock)
        note_deadlock(result, deadlock, n_deadlock);
    note_levels(result);
    note_ppn(result);
    note_rare(result);
    if (unreceived)
        note_add(result,
                 alloc_format("%llu of %llu messages are never received (%dx%d; %zu row%s)",
                              (unsigned long long)unreceived->unreceived, (unsigned long long)unreceived->messages,
                              unreceived->at.nodes, unreceived->at.ppn, n_unreceived, n_unreceived > 1 ? "s" : ""));
    if (imprecise)
        note_add(result,
                 alloc_format("the precision asked for was not reached in %d replications (%s, %dx%d; %zu row%s)",
                              (int)REPLICATE_MOST, imprecise->mode, imprecise->at.nodes, imprecise->at.ppn, n_imprecise,
                              n_imprecise > 1 ? "s" : ""));
}

/* What no machine file says of frames, and so was taken for granted. */
static void note_frames(const struct predict_request *request, struct predict_result *result)
{
    for (size_t i = 0; i < result->n; i++)
        if (result->rows[i].contention == CONTENTION_frames) {
            note_add(result, alloc_format("frames: headers (66 bytes, and 22 to 64 of the library's with each message), segments of 28, "
                                          "windows, timeouts, acknowledgements and how connections are made are those of Open MPI "
                                          "over Linux's TCP%s",
                                          request->machine->has_congestion
                                              ? ", whatever the machine"
                                              : " with cubic, whatever the machine, whose file has no `congestion`"));
            return;
        }
}

/* Of messages that stay within a node: what stands for what the machine file does not have. */
static void note_local(const struct predict_request *request, struct predict_result *result)
{
    bool self = false, socket = false, taken[N_TRANSPORTS] = {false};
    for (size_t i = 0; i < result->n; i++) {
        const struct prediction *row = &result->rows[i];
        self = self || row->self_assumed;
        socket = socket || row->socket_assumed;
        for (int transport = 0; transport < N_TRANSPORTS; transport++)
            taken[transport] |= row->limit_taken[transport];
    }
    if (self)
        note_add(result, alloc_string("messages of a process to itself cost the overheads of an empty message and "
                                      "nothing else: the machine file has none measured (transport: self)"));
    if (socket)
        note_add(result, alloc_string("messages within a socket cost what others within the node do, and count as such: the "
                                      "machine file has none measured (transport: socket)"));
    static const struct {
        enum transport of;
        const char *where;
    } taken_from[] = {{TRANSPORT_network, "between nodes"}, {TRANSPORT_node, "within a node"}};
    for (size_t i = 0; i < sizeof taken_from / sizeof *taken_from; i++) {
        char *text = alloc_string("");
        for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
            if (taken[transport] && machine_limit_of(request->machine, transport) == taken_from[i].of) {
                char *longer = alloc_format("%s%s%s", text, *text ? " and " : "", transport_messages((enum transport)transport));
                free(text);
                text = longer;
            }
        if (*text)
            note_add(result, alloc_format("the eager limit %s was taken for %s: the machine file has no other "
                                          "(transports)", taken_from[i].where, text));
        free(text);
    }
}

/* What is known only where messages are asked in the order of time, and nothing of the machine file asks for that. */
static void note_left_out(struct predict_result *result)
{
    const struct prediction *connect = NULL, *permit = NULL;
    for (size_t i = result->n; i-- > 0;) {
        connect = result->rows[i].connect_left_out ? &result->rows[i] : connect;
        permit = result->rows[i].permit_left_out ? &result->rows[i] : permit;
    }
    if (connect)
        note_add(result, alloc_format("with model %s and --contention %s nothing asks for the order of time, in which "
                                      "processes are connected: what `connect` of %s says is left out of account",
                                      connect->model, contention_name(connect->contention), connect->machine));
    if (permit)
        note_add(result, alloc_format("with model %s and --contention %s nothing asks for the order of time, in which "
                                      "`rendezvous: permit` within a node is waited for: what MPI_Isend sends to a receiver "
                                      "that waits leaves at once, too soon if its sender computes then",
                                      permit->model, contention_name(permit->contention)));
}

static void note_map(const struct predict_request *request, struct predict_result *result)
{
    if (request->map.has_sockets && request->machine->sockets < 2)
        note_add(result, alloc_format("--map says how processes lie on the sockets of a node, and %s does not tell them apart "
                                      "(sockets_per_node)", request->machine->name));
}

/* Factors on what the machine file does not have, or the program. */
static void note_scale_of_nothing(const struct predict_request *request, struct predict_result *result)
{
    const struct scale *scale = request->scale;
    const struct machine *machine = request->machine;
    bool has_serial = false, has_overheads[2] = {false, false}, has_limit = false, taken;
    for (size_t i = 0; i < result->n; i++)
        has_serial = has_serial || result->rows[i].serial > 0;
    for (size_t i = 0; i < machine->n_entries; i++)
        for (size_t j = 0; j < machine->entries[i].n_sizes; j++) {
            has_overheads[SIDE_SEND] |= machine->entries[i].sizes[j].has_send_overhead;
            has_overheads[SIDE_RECEIVE] |= machine->entries[i].sizes[j].has_receive_overhead;
        }
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        has_limit |= machine_eager_limit(machine, transport, &taken) != INT64_MAX;
    bool measured = true;
    for (size_t i = 0; i < request->n_modes; i++)
        measured = measured && strcmp(predict_model(request, i), "measured") == 0;
    const struct {
        bool nothing;
        const char *key, *reason;
    } keys[] = {
        {scale->serial != 1 && scale->serial > 0 && result->n > 0 && !has_serial, "serial",
         "the program has no Serial time"},
        {scale->eager_limit != 1 && !has_limit, "eager_limit", "the machine file has none"},
        {scale->send_overhead != 1 && measured && !has_overheads[SIDE_SEND], "send_overhead",
         "the machine file has none"},
        {scale->receive_overhead != 1 && measured && !has_overheads[SIDE_RECEIVE], "receive_overhead",
         "the machine file has none"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].nothing)
            note_add(result, alloc_format("--scale %s changes nothing: %s", keys[i].key, keys[i].reason));
}

/* What p5 and p95 hold, where that is more than a reader would expect. */
static void note_interval(const struct predict_request *request, struct predict_result *result)
{
    bool sampled = false;
    for (size_t i = 0; i < request->n_modes; i++)
        sampled = sampled || request->modes[i].cost == MODE_distribution;
    char *text = sampled && !request->plan.spread_alone && request->plan.exact != 1
                     ? calibration_text(request->machine) : NULL;
    if (text)
        note_add(result, text);
}

void notes_end(const struct predict_request *request, struct predict_result *result)
{
    note_rows(result);
    note_frames(request, result);
    note_map(request, result);
    note_local(request, result);
    note_left_out(result);
    if (request->scale)
        note_scale_of_nothing(request, result);
    for (size_t i = 0; i < result->beyond.n; i++)
        note_add(result, beyond_text(&result->beyond.items[i]));
    note_interval(request, result);
}
