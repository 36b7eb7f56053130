#include "directives/lower/lower_impl.h"

/* Seconds per unit of the line's TIME. */
static double serial_unit(const struct lowering *lowering, const struct serial *serial)
{
    if (serial->unit > 0)
        return serial->unit;
    return serial->machine ? lowering->options->time_unit : 1.0;
}

/* Folds an argument times `unit`: seconds where it is known. False after a FAIL. */
static bool fold_argument(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, double unit,
                          struct folded *out)
{
    if (!lower_fold(lowering, stmt, expr, out))
        return false;
    if (out->kind == FOLD_UNKNOWN || unit == 1)
        return true;
    const char *problem = value_binary(BINARY_MUL, out->value, value_real(unit), &out->value);
    if (problem)
        lower_fail(lowering, stmt, &expr->at, STATUS_RANGE, "%s", problem);
    return !problem;
}

static void lower_time(struct lowering *lowering, const struct stmt *stmt, const struct serial *serial)
{
    char text[PROGRAM_TEXT_BYTES];
    struct folded folded;
    double unit = serial_unit(lowering, serial), seconds;
    const struct expr *expr = serial->a[0];
    if (!fold_argument(lowering, stmt, expr, unit, &folded))
        return;
    if (folded.kind == FOLD_UNKNOWN) {
        int32_t code = lower_expr(lowering, stmt, expr, unit);
        if (lowering->dead)
            return;
        struct instr *instr = lower_emit(lowering, INSTR_SERIAL, stmt);
        instr->dynamic = DYNAMIC_SECONDS;
        instr->index = code;
        return;
    }
    enum status status = program_check_seconds(folded.value, &seconds, text);
    if (status != STATUS_OK)
        lower_fail(lowering, stmt, &expr->at, status, "%s", text);
    else if (seconds > 0)
        lower_emit(lowering, INSTR_SERIAL, stmt)->seconds = seconds;
}

static void lower_sample(struct lowering *lowering, const struct stmt *stmt, const struct serial *serial)
{
    char text[PROGRAM_TEXT_BYTES];
    struct serial_ref ref = {.kind = serial->kind, .measured = serial->measured, .n = serial->n, .expr = {-1, -1},
                             .site = lower_site(lowering, stmt)};
    bool dynamic = false;
    for (int i = 0; i < serial->n; i++) {
        struct folded folded;
        bool is_time = serial->kind != SERIAL_measured && !(serial->kind == SERIAL_gamma && i == 0);
        double unit = is_time ? serial_unit(lowering, serial) : 1;
        if (!fold_argument(lowering, stmt, serial->a[i], unit, &folded))
            return;
        ref.dynamic[i] = folded.kind == FOLD_UNKNOWN;
        if (ref.dynamic[i]) {
            dynamic = true;
            ref.expr[i] = lower_expr(lowering, stmt, serial->a[i], unit);
            if (lowering->dead)
                return;
        } else {
            ref.a[i] = value_as_real(folded.value);
        }
    }
    enum status status = dynamic ? STATUS_OK : program_check_serial(&ref, ref.a, text);
    if (status != STATUS_OK) {
        lower_fail(lowering, stmt, &serial->a[0]->at, status, "%s", text);
        return;
    }
    int32_t index = lower_serial_ref(lowering, &ref);
    lower_emit(lowering, INSTR_SAMPLE, stmt)->index = index;
}

void lower_serial(struct lowering *lowering, const struct stmt *stmt)
{
    const struct serial *serial = &stmt->serial.rows[lowering->row[stmt->number]];
    if (serial->kind == SERIAL_value)
        lower_time(lowering, stmt, serial);
    else
        lower_sample(lowering, stmt, serial);
}
