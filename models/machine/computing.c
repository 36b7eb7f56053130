#include "models/machine/computing.h"

#include "common/alloc.h"

#include <math.h>

static void serial_row_read(struct reader *r, const struct spot *spot, size_t i, struct machine_serial *serial)
{
    static const struct range any = {-HUGE_VAL, HUGE_VAL, "a number"};
    struct spot row = spot_item(spot, i);
    if (!list_check(r, &row, 2, "a pair [argument, time]"))
        return;
    struct spot argument = spot_item(&row, 0), time = spot_item(&row, 1);
    bool good = number_read(r, &argument, any, &serial->argument[i]);
    if (good && i > 0 && serial->argument[i] <= serial->argument[i - 1])
        spot_error(r, &argument, "%g after %g: arguments must ascend", serial->argument[i], serial->argument[i - 1]);
    distribution_read(r, &time, &serial->times[i]);
}

void serials_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    char found[FOUND_BYTES];
    if (spot->node->kind != YAML_KIND_MAP) {
        spot_error(r, spot, "expected a map from names to times, found %s", node_found(spot->node, found));
        return;
    }
    machine->n_serials = spot->node->n;
    machine->serials = alloc_zeroed(machine->n_serials, sizeof *machine->serials);
    for (size_t i = 0; i < machine->n_serials; i++) {
        struct spot pair = spot_pair(spot, i);
        struct machine_serial *serial = &machine->serials[i];
        serial->name = alloc_string(pair.key->text);
        bool table = pair.node->kind == YAML_KIND_LIST;
        serial->n = table ? pair.node->n : 0;
        serial->argument = alloc_zeroed(serial->n, sizeof *serial->argument);
        serial->times = alloc_zeroed(serial->n ? serial->n : 1, sizeof *serial->times);
        if (!table)
            distribution_read(r, &pair, &serial->times[0]);
        else if (serial->n == 0)
            spot_error(r, &pair, "expected a list of [argument, time], found an empty list");
        for (size_t row = 0; row < serial->n; row++)
            serial_row_read(r, &pair, row, serial);
    }
}

void factors_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    static const struct range factor = {1e-300, HUGE_VAL, "a factor above 0"};
    if (!list_check(r, spot, LIST_ANY, "a list of factors, one per node"))
        return;
    machine->n_factors = spot->node->n;
    machine->factors = alloc_zeroed(machine->n_factors, sizeof *machine->factors);
    if (machine->nodes && machine->n_factors > (size_t)machine->nodes)
        spot_error(r, spot, "%zu factors for %d nodes", machine->n_factors, machine->nodes);
    for (size_t i = 0; i < machine->n_factors; i++) {
        struct spot item = spot_item(spot, i);
        fitted_number_read(r, &item, factor, &machine->factors[i]);
    }
}

/* Factors are plain numbers: one with a unit, or in the unit of something else, is far from 1. */
static void variability_factor_read(struct reader *r, const struct spot *spot, struct distribution *factor)
{
    static const double most = 10;
    if (!distribution_read(r, spot, factor))
        return;
    if (factor->average > most || factor->average < 1 / most) {
        spot_error(r, spot, "factors on Serial times are about 1, found an average of %g", factor->average);
        distribution_free(factor);
    }
}

void variability_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {
#define X(scope) {#scope, false, {0}},
        VARIABILITY_LIST(X)
#undef X
    };
    if (!fields_take(r, spot, FIELDS(fields)))
        return;
    for (int scope = 0; scope < N_VARIABILITIES; scope++)
        if (fields[scope].spot.node) {
            machine->has_variability[scope] = true;
            variability_factor_read(r, &fields[scope].spot, &machine->variability[scope]);
        }
}

void reduction_read(struct reader *r, const struct spot *spot, struct machine *machine)
{
    struct field fields[] = {{"gamma", true, {0}}};
    if (fields_take(r, spot, FIELDS(fields)) && fields[0].spot.node)
        machine->has_reduction = fitted_time_read(r, &fields[0].spot, SIGN_NOT_NEGATIVE, &machine->reduction_gamma);
}
