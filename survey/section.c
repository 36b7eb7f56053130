#include "survey/section.h"

#include "models/machine_write.h"

#include <math.h>
#include <stdio.h>

struct section {
    FILE *out;
    size_t n_clamped;
};

static size_t unit_of(size_t i, size_t j)
{
    return i < j ? j * (j - 1) / 2 + i : i * (i - 1) / 2 + j;
}

static void number_write(struct section *s, const struct estimate *e, bool any_sign)
{
    double value = e->value < 0 && !any_sign ? 0 : e->value;
    s->n_clamped += value != e->value;
    fprintf(s->out, "{value: %.9g, ci95: %.3g, experiments: %zu}", value, e->half_width, e->experiments);
}

/* Parameter p of every pair, as a matrix. */
static void matrix_write(struct section *s, const struct fitting *f, const char *name, size_t p)
{
    fprintf(s->out, "    %s:\n", name);
    for (size_t i = 0; i < f->nodes; i++) {
        for (size_t j = 0; j < f->nodes; j++) {
            fputs(j ? ", " : "      - [", s->out);
            if (i == j)
                fputs("0", s->out);
            else
                number_write(s, &f->found[unit_of(i, j) * f->n_parameters + p], false);
        }
        fputs("]\n", s->out);
    }
}

/* Models whose parameters are numbers: names [n_parameters]. */
static void pair_model_write(struct section *s, const struct fitting *f, const char *const names[])
{
    fprintf(s->out, "  %s: {", fitting_name(f->model));
    for (size_t p = 0; p < f->n_parameters; p++) {
        struct estimate mean = fitting_mean(f, p);
        fprintf(s->out, "%s%s: ", p ? ", " : "", names[p]);
        number_write(s, &mean, false);
    }
    fprintf(s->out, "}\n  %s_hetero:\n", fitting_name(f->model));
    for (size_t p = 0; p < f->n_parameters; p++)
        matrix_write(s, f, names[p], p);
}

/* One curve of PLogP: of a pair, or (unit == units) the means. */
static void curve_write(struct section *s, const struct fitting *f, int curve, size_t unit)
{
    for (size_t k = 0; k < f->plogp.k; k++) {
        size_t p = plogp_parameter(&f->plogp, curve, k);
        double time = unit == f->units ? fitting_mean(f, p).value : f->found[unit * f->n_parameters + p].value;
        s->n_clamped += time < 0;
        fprintf(s->out, "%s[%.0f, %.9g]", k ? ", " : "[", f->plogp_bytes[k], time < 0 ? 0 : time);
    }
    fputc(']', s->out);
}

static void plogp_write(struct section *s, const struct fitting *f)
{
    static const char *const names[] = {"o_s", "o_r", "g"};
    struct estimate L = fitting_mean(f, 0);
    fputs("  plogp:\n    L: ", s->out);
    number_write(s, &L, false);
    for (int curve = 0; curve < 3; curve++) {
        fprintf(s->out, "\n    %s: ", names[curve]);
        curve_write(s, f, curve, f->units);
    }
    fputs("\n  plogp_hetero:\n", s->out);
    matrix_write(s, f, "L", 0);
    for (int curve = 0; curve < 3; curve++) {
        fprintf(s->out, "    %s:\n", names[curve]);
        for (size_t i = 0; i < f->nodes; i++) {
            for (size_t j = 0; j < f->nodes; j++) {
                fputs(j ? ", " : "      - [", s->out);
                if (i == j)
                    fputc('~', s->out);
                else
                    curve_write(s, f, curve, unit_of(i, j));
            }
            fputs("]\n", s->out);
        }
    }
}

/* 1/beta such that its sum with what t_i and t_j are written as is right. */
static struct estimate inverse_beta(struct section *s, const struct fitting *f, size_t i, size_t j)
{
    struct estimate inverse = f->found[lmo_parameter_inverse_beta(f->nodes, i, j)];
    double t_i = f->found[lmo_parameter_t(f->nodes, i)].value, t_j = f->found[lmo_parameter_t(f->nodes, j)].value;
    double sum = inverse.value + t_i + t_j;
    s->n_clamped += sum < 0 && i < j;
    if (sum < 0 || t_i < 0 || t_j < 0)
        inverse.value = fmax(0, sum) - fmax(0, t_i) - fmax(0, t_j);
    return inverse;
}

void section_lmo(const struct fitting *f, double parameters[])
{
    struct section ignored = {0};
    size_t n = f->nodes;
    for (size_t i = 0; i < n; i++) {
        parameters[lmo_parameter_C(n, i)] = fmax(0, f->found[lmo_parameter_C(n, i)].value);
        parameters[lmo_parameter_t(n, i)] = fmax(0, f->found[lmo_parameter_t(n, i)].value);
        for (size_t j = 0; j < i; j++)
            parameters[lmo_parameter_inverse_beta(n, i, j)] = inverse_beta(&ignored, f, i, j).value;
    }
}

/* What was fitted beyond the formula of small or large shares. */
static void beyond_write(struct section *s, bool large, const struct estimate fitted[N_LMO_BEYOND])
{
    static const char *const names[] = {
#define X(name) #name,
        LMO_BEYOND_LIST(X)
#undef X
    };
    fprintf(s->out, "      kappa%d: ", large + 1);
    number_write(s, &fitted[LMO_BEYOND_kappa], true);
    fprintf(s->out, "\n      %s: {", large ? "large" : "small");
    for (size_t i = LMO_BEYOND_kappa + 1; i < N_LMO_BEYOND; i++) {
        fprintf(s->out, "%s%s: ", i > LMO_BEYOND_kappa + 1 ? ", " : "", names[i]);
        number_write(s, &fitted[i], true);
    }
    fputs("}\n", s->out);
}

/* What linear Scatter and Gather do beyond their messages. */
static void flat_write(struct section *s, const struct many_to_one *flat)
{
    fputs("    scatter:\n", s->out);
    beyond_write(s, false, flat->scatter[0]);
    if (flat->lmo.scatter_S > 0) { /* without S none is large */
        fprintf(s->out, "      S: %.0f\n", flat->lmo.scatter_S);
        beyond_write(s, true, flat->scatter[1]);
    }
    fputs("    gather:\n", s->out);
    for (int large = 0; large < 2; large++)
        beyond_write(s, large, flat->gather[large]);
    machine_write_escalation(s->out, &flat->lmo);
}

static void lmo_write(struct section *s, const struct fitting *f, const struct many_to_one *flat)
{
    size_t n = f->nodes;
    fputs("  lmo:\n", s->out);
    for (int of_bytes = 0; of_bytes < 2; of_bytes++) {
        fprintf(s->out, "    %s: [", of_bytes ? "t" : "C");
        for (size_t i = 0; i < n; i++) {
            fputs(i ? ", " : "", s->out);
            number_write(s, &f->found[of_bytes ? lmo_parameter_t(n, i) : lmo_parameter_C(n, i)], false);
        }
        fputs("]\n", s->out);
    }
    fputs("    inverse_beta:\n", s->out);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            fputs(j ? ", " : "      - [", s->out);
            if (i == j) {
                fputs("0", s->out);
                continue;
            }
            struct estimate inverse = inverse_beta(s, f, i, j);
            number_write(s, &inverse, true);
        }
        fputs("]\n", s->out);
    }
    if (lmo_port_limited(n, f->found))
        fputs("    port_limited: true\n", s->out);
    if (flat)
        flat_write(s, flat);
}

char *section_text(size_t n, const struct fitting fittings[], const struct many_to_one *flat, size_t *n_clamped)
{
    static const char *const hockney[] = {"alpha", "beta"}, *const loggp[] = {"L", "o_s", "o_r", "g", "G"};
    char *text = NULL;
    size_t length;
    struct section s = {.out = open_memstream(&text, &length)};
    fputs("models:\n", s.out);
    for (size_t i = 0; i < n; i++) {
        const struct fitting *f = &fittings[i];
        if (f->model == FITTING_lmo)
            lmo_write(&s, f, flat);
        else if (f->model == FITTING_plogp)
            plogp_write(&s, f);
        else
            pair_model_write(&s, f, f->model == FITTING_hockney ? hockney : loggp);
    }
    fclose(s.out);
    *n_clamped = s.n_clamped;
    return text;
}
