/* The `models:` section of a machine file. */
#include "models/machine/write_impl.h"

#include "common/numerals.h"

static void write_field(FILE *out, const char *separator, const char *name, double time)
{
    fprintf(out, "%s%s: ", separator, name);
    write_time(out, time);
}

enum cells { CELLS_TIMES, CELLS_NUMBERS };

static void write_matrix(FILE *out, const char *name, const struct machine_matrix *matrix, enum cells cells)
{
    if (!matrix->value)
        return;
    fprintf(out, "    %s:\n", name);
    for (size_t i = 0; i < matrix->n; i++) {
        for (size_t j = 0; j < matrix->n; j++) {
            fputs(j ? ", " : "      - [", out);
            if (cells == CELLS_TIMES)
                write_time(out, matrix->value[i * matrix->n + j]);
            else
                write_number(out, matrix->value[i * matrix->n + j]);
        }
        fputs("]\n", out);
    }
}

static void write_loggp(FILE *out, const char *name, const struct machine_loggp *m, int has_G)
{
    if (!m)
        return;
    fprintf(out, "  %s: {", name);
    write_field(out, "", "L", m->L);
    write_field(out, ", ", "o_s", m->o_s);
    write_field(out, ", ", "o_r", m->o_r);
    write_field(out, ", ", "g", m->g);
    if (has_G)
        write_field(out, ", ", "G", m->G);
    fputs("}\n", out);
}

static void write_loggp_hetero(FILE *out, const char *name, const struct machine_loggp_hetero *m)
{
    if (!m)
        return;
    fprintf(out, "  %s:\n", name);
    write_matrix(out, "L", &m->L, CELLS_TIMES);
    write_matrix(out, "o_s", &m->o_s, CELLS_TIMES);
    write_matrix(out, "o_r", &m->o_r, CELLS_TIMES);
    write_matrix(out, "g", &m->g, CELLS_TIMES);
    write_matrix(out, "G", &m->G, CELLS_TIMES);
}

static void write_plogp(FILE *out, const struct machine_plogp *m)
{
    if (!m)
        return;
    const struct machine_curve *curves[] = {&m->o_s, &m->o_r, &m->g};
    static const char *const names[] = {"o_s", "o_r", "g"};
    fputs("  plogp:\n    L: ", out);
    write_time(out, m->L);
    for (int i = 0; i < 3; i++) {
        fprintf(out, "\n    %s: ", names[i]);
        write_curve(out, curves[i], CURVE_TIMES);
    }
    fputc('\n', out);
}

static void write_plogp_hetero(FILE *out, const struct machine_plogp_hetero *m)
{
    if (!m)
        return;
    const struct machine_curve *curves[] = {m->o_s, m->o_r, m->g};
    static const char *const names[] = {"o_s", "o_r", "g"};
    fputs("  plogp_hetero:\n", out);
    write_matrix(out, "L", &m->L, CELLS_TIMES);
    for (int k = 0; k < 3; k++) {
        fprintf(out, "    %s:\n", names[k]);
        for (size_t i = 0; i < m->n; i++) {
            for (size_t j = 0; j < m->n; j++) {
                fputs(j ? ", " : "      - [", out);
                if (curves[k][i * m->n + j].n == 0)
                    fputc('~', out); /* a node with itself */
                else
                    write_curve(out, &curves[k][i * m->n + j], CURVE_TIMES);
            }
            fputs("]\n", out);
        }
    }
}

static void write_values(FILE *out, const char *name, size_t n, const double values[], void (*write)(FILE *, double))
{
    fprintf(out, "%s: [", name);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", out);
        write(out, values[i]);
    }
    fputc(']', out);
}

static void write_rows(FILE *out, const char *name, size_t rows, size_t columns, const double values[])
{
    fprintf(out, "%s: [", name);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            fputs(j ? ", " : i ? ", [" : "[", out);
            write_number(out, values[i * columns + j]);
        }
        fputc(']', out);
    }
    fputc(']', out);
}

static void write_surface(FILE *out, const struct machine_surface *surface)
{
    size_t rows = surface->n_numprocs, columns = surface->n_bytes;
    fputs("        - {", out);
    if (surface->is_spline) {
        rows -= (size_t)surface->degree_numprocs + 1;
        columns -= (size_t)surface->degree_bytes + 1;
        fprintf(out, "spline: {degree_numprocs: %d, degree_bytes: %d, ", surface->degree_numprocs,
                surface->degree_bytes);
    }
    write_values(out, "numprocs", surface->n_numprocs, surface->numprocs, write_number);
    fputs(", ", out);
    write_values(out, "bytes", surface->n_bytes, surface->bytes, write_number);
    fputs(", ", out);
    write_rows(out, surface->is_spline ? "coefficients" : "p", rows, columns,
               surface->is_spline ? surface->coefficients : surface->p);
    if (surface->low) {
        fputs(", ci95: {", out);
        write_rows(out, "low", rows, columns, surface->low);
        fputs(", ", out);
        write_rows(out, "high", rows, columns, surface->high);
        fputc('}', out);
    }
    fputs(surface->is_spline ? "}}\n" : "}\n", out);
}

void machine_write_fitted(FILE *out, const double *number, size_t n_fitted, const struct machine_fitted fitted[])
{
    const struct numerals before = numerals_plain();
    write_fitted_number(&(struct writer){.out = out, .n_fitted = n_fitted, .fitted = fitted}, number);
    numerals_restore(before);
}

/* [[numprocs, bytes], ...] */
static void write_limits(const struct writer *w, const char *name, const struct machine_curve *limits)
{
    if (limits->n == 0)
        return;
    fprintf(w->out, "      %s: [", name);
    for (size_t i = 0; i < limits->n; i++) {
        fputs(i ? ", [" : "[", w->out);
        write_number(w->out, limits->bytes[i]);
        fputs(", ", w->out);
        write_fitted_number(w, &limits->time[i]);
        fputc(']', w->out);
    }
    fputs("]\n", w->out);
}

static bool is_known(const struct writer *w, const double *number)
{
    bool known = false;
    for (size_t i = 0; i < w->n_fitted; i++)
        known = known || w->fitted[i].of == number;
    return known;
}

void machine_write_escalation(FILE *out, const struct machine_lmo *lmo, size_t n_fitted, const struct machine_fitted fitted[])
{
    const struct writer w = {.out = out, .n_fitted = n_fitted, .fitted = fitted};
    if (lmo->n_levels == 0)
        return;
    const struct numerals before = numerals_plain();
    fputs("    escalation:\n      levels: [", out);
    for (size_t l = 0; l < lmo->n_levels; l++) {
        fputs(l ? ", " : "", out);
        write_fitted(&w, &lmo->levels[l]);
    }
    fprintf(out, "]\n      applies: %s\n", lmo->levels_added ? "added" : "total");
    write_limits(&w, "M1", &lmo->M1);
    write_limits(&w, "Mc", &lmo->Mc);
    fputs("      M2: ", out);
    write_fitted_number(&w, &lmo->M2);
    fputc('\n', out);
    write_limits(&w, "M1_by_ratio", &lmo->M1_by_ratio);
    if (lmo->dependence != 0 || is_known(&w, &lmo->dependence)) {
        fputs("      dependence: ", out);
        write_fitted_number(&w, &lmo->dependence);
        fputc('\n', out);
    }
    if (lmo->probability)
        fputs("      probability:\n", out);
    for (size_t i = 0; lmo->probability && i < lmo->n_levels; i++)
        write_surface(out, &lmo->probability[i]);
    numerals_restore(before);
}

static bool is_fitted(const double fitted[N_LMO_BEYOND], enum lmo_beyond from)
{
    bool any = false;
    for (size_t i = from; i < N_LMO_BEYOND; i++)
        any = any || fitted[i] != 0;
    return any;
}

static void write_flat(FILE *out, const char *name, const struct machine_lmo *lmo, bool gather)
{
    static const char *const names[] = {
#define X(name) #name,
        LMO_BEYOND_LIST(X)
#undef X
    };
    const double (*fitted)[N_LMO_BEYOND] = gather ? lmo->gather : lmo->scatter;
    const char *separator = "{";
    if (gather ? !lmo->has_kappa : lmo->scatter_S == 0 && !is_fitted(fitted[0], 0) && !is_fitted(fitted[1], 0))
        return;
    fprintf(out, "    %s: ", name);
    if (!gather && lmo->scatter_S > 0) {
        fputs("{S: ", out);
        write_number(out, lmo->scatter_S);
        separator = ", ";
    }
    for (int large = 0; large < 2; large++, separator = ", ") {
        fprintf(out, "%skappa%d: ", separator, large + 1);
        (gather && lmo->forms_2007 ? write_number : write_time)(out, fitted[large][LMO_BEYOND_kappa]);
        if (!is_fitted(fitted[large], LMO_BEYOND_kappa + 1))
            continue;
        fprintf(out, ", %s: {", large ? "large" : "small");
        for (size_t i = LMO_BEYOND_kappa + 1; i < N_LMO_BEYOND; i++)
            write_field(out, i > LMO_BEYOND_kappa + 1 ? ", " : "", names[i], fitted[large][i]);
        fputc('}', out);
    }
    fputs("}\n", out);
}

static void write_lmo(FILE *out, const struct machine_lmo *lmo)
{
    if (!lmo)
        return;
    fputs("  lmo:\n    ", out);
    if (lmo->alike) {
        write_field(out, "", "C", lmo->C[0]);
        write_field(out, "\n    ", "t", lmo->t[0]);
        fprintf(out, "\n    %s: ", lmo->is_inverse ? "inverse_beta" : "beta");
        (lmo->is_inverse ? write_time : write_number)(out, lmo->beta.value[0]);
        fputc('\n', out);
    } else {
        write_values(out, "C", lmo->n, lmo->C, write_time);
        fputs("\n    ", out);
        write_values(out, "t", lmo->n, lmo->t, write_time);
        fputc('\n', out);
        write_matrix(out, lmo->is_inverse ? "inverse_beta" : "beta", &lmo->beta,
                     lmo->is_inverse ? CELLS_TIMES : CELLS_NUMBERS);
    }
    if (lmo->forms_2007)
        fputs("    forms: 2007\n", out);
    if (lmo->port_limited)
        fputs("    port_limited: true\n", out);
    write_flat(out, "scatter", lmo, false);
    write_flat(out, "gather", lmo, true);
    machine_write_escalation(out, lmo, 0, NULL);
}

static void write_hockney(FILE *out, const struct machine *machine)
{
    if (machine->hockney) {
        fputs("  hockney: {", out);
        write_field(out, "", "alpha", machine->hockney->alpha);
        write_field(out, ", ", "beta", machine->hockney->beta);
        fputs("}\n", out);
    }
    if (machine->hockney_hetero) {
        fputs("  hockney_hetero:\n", out);
        write_matrix(out, "alpha", &machine->hockney_hetero->alpha, CELLS_TIMES);
        write_matrix(out, "beta", &machine->hockney_hetero->beta, CELLS_TIMES);
    }
}

void write_models(FILE *out, const struct machine *machine)
{
    if (machine->hockney || machine->hockney_hetero || machine->logp || machine->loggp || machine->plogp ||
        machine->logp_hetero || machine->loggp_hetero || machine->plogp_hetero || machine->lmo)
        fputs("models:\n", out);
    write_hockney(out, machine);
    write_loggp(out, "logp", machine->logp, 0);
    write_loggp(out, "loggp", machine->loggp, 1);
    write_plogp(out, machine->plogp);
    write_loggp_hetero(out, "logp_hetero", machine->logp_hetero);
    write_loggp_hetero(out, "loggp_hetero", machine->loggp_hetero);
    write_plogp_hetero(out, machine->plogp_hetero);
    write_lmo(out, machine->lmo);
}
