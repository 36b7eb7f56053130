#include "models/machine/collectives.h"

#include "collectives/schedule.h"
#include "common/alloc.h"
#include "models/model_list.h"

#include <limits.h>
#include <stdint.h>

static void collective_time_read(struct reader *r, const struct spot *spot, struct machine_collective_time *time)
{
    struct field fields[] = {
        {"numprocs", true, {0}}, {"bytes", true, {0}}, {"time", true, {0}}, {"root_time", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (fields[0].spot.node)
        int_read(r, &fields[0].spot, 1, INT_MAX, &time->numprocs);
    if (fields[1].spot.node)
        whole_read(r, &fields[1].spot, 0, INT64_MAX, &time->bytes);
    if (fields[2].spot.node)
        distribution_read(r, &fields[2].spot, &time->time);
    if (fields[3].spot.node)
        time->has_root_time = distribution_read(r, &fields[3].spot, &time->root_time);
}

static void collective_times_read(struct reader *r, const struct spot *spot, struct machine_collective *collective)
{
    if (!list_check(r, spot, LIST_ANY, "a list of measurements"))
        return;
    size_t n = spot->node->n;
    collective->n_measured = n;
    collective->measured = alloc_zeroed(n, sizeof *collective->measured);
    for (size_t i = 0; i < n; i++) {
        struct spot item = spot_item(spot, i);
        struct machine_collective_time *times = collective->measured;
        collective_time_read(r, &item, &times[i]);
        for (size_t j = 0; j < i; j++)
            if (times[i].numprocs > 0 && times[i].numprocs == times[j].numprocs && times[i].bytes == times[j].bytes) {
                spot_error(r, &item, "two entries for numprocs %d and %lld bytes", times[i].numprocs,
                           (long long)times[i].bytes);
                break;
            }
    }
}

static void algorithm_read(struct reader *r, const struct spot *spot, enum collective_op op,
                           struct machine_collective *collective)
{
    const char *text;
    enum algorithm algorithm;
    int64_t segment;
    struct diags wrong = DIAGS_EMPTY;
    if (!text_read(r, spot, "the name of an algorithm", &text))
        return;
    if (algorithm_parse(text, op, place_of_file(NULL), &algorithm, &segment, &wrong) == STATUS_OK)
        collective->algorithm = alloc_string(text);
    else
        spot_error(r, spot, "%s", diag_message(&wrong, 0));
    diags_free(&wrong);
}

/* measured: has the entry measured times? */
static void collective_model_read(struct reader *r, const struct spot *spot, const struct machine *machine,
                                  bool measured, struct machine_collective *collective)
{
    static const char *const models[] = {
#define X(name, given, formula) #name,
        MODEL_LIST(X)
#undef X
    };
    int choice;
    if (!choice_read(r, spot, "model", models, sizeof models / sizeof *models, &choice))
        return;
    struct place place = yaml_tree_place(r->tree, spot->node);
    collective->model = alloc_string(models[choice]);
    collective->model_line = place.line;
    collective->model_column = place.column;
    if (choice == 0 && !measured)
        spot_error(r, spot, "no key `measured` beside it, whose times it names");
    else if (choice > 0 && !model_is_given(machine, models[choice]))
        spot_error(r, spot, "`models` of this file has no `%s`, whose parameters it needs", models[choice]);
}

static void collective_read(struct reader *r, const struct spot *spot, enum collective_op op,
                            const struct machine *machine, struct machine_collective *collective)
{
    struct field fields[] = {{"algorithm", false, {0}}, {"model", false, {0}}, {"measured", false, {0}}};
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    if (!spot_is_meant(&fields[0].spot) && !spot_is_meant(&fields[1].spot) && !spot_is_meant(&fields[2].spot))
        spot_error(r, spot, "expected `algorithm`, `model` or `measured`");
    if (fields[0].spot.node)
        algorithm_read(r, &fields[0].spot, op, collective);
    if (fields[1].spot.node)
        collective_model_read(r, &fields[1].spot, machine, spot_is_meant(&fields[2].spot), collective);
    if (fields[2].spot.node && collective_op_is_local(op))
        spot_error(r, &fields[2].spot,
                   "what an operation among neighbours takes depends on who they are: one time for all "
                   "communicators of a size cannot stand for it");
    else if (fields[2].spot.node)
        collective_times_read(r, &fields[2].spot, collective);
}

void collectives_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {
#define X(name, sizes, like, who) {#name, false, {0}},
        COLLECTIVE_LIST(X)
#undef X
    };
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    machine->collectives = alloc_zeroed(sizeof fields / sizeof *fields, sizeof *machine->collectives);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].spot.node) {
            struct machine_collective *collective = &machine->collectives[machine->n_collectives++];
            collective->operation = alloc_string(fields[i].name);
            collective_read(r, &fields[i].spot, (enum collective_op)i, machine, collective);
        }
}
