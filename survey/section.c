#include "survey/section.h"

#include "models/machine_write.h"

#include <math.h>
#include <stdio.h>

enum { KINDS_MOST = 5 };

/* Of each model the kinds of parameters, which stand in the file in this order. */
static const char *const kinds[N_FITTINGS][KINDS_MOST] = {
    [FITTING_hockney] = {"alpha", "beta"},
    [FITTING_logp] = {"L", "o_s", "o_r", "g", "G"},
    [FITTING_loggp] = {"L", "o_s", "o_r", "g", "G"},
    [FITTING_plogp] = {"L", "o_s", "o_r", "g"},
    [FITTING_lmo] = {"C", "t", "inverse_beta"},
};
enum { PLOGP_L, PLOGP_CURVES };
enum { LMO_C, LMO_t, LMO_inverse_beta };

struct section {
    FILE *out;
    size_t n_clamped[N_FITTINGS][KINDS_MOST];
};

static size_t unit_of(size_t i, size_t j)
{
    return i < j ? j * (j - 1) / 2 + i : i * (i - 1) / 2 + j;
}

static void number_write(struct section *s, const struct estimate *e, bool any_sign)
{
    double value = e->value < 0 && !any_sign ? 0 : e->value;
    fprintf(s->out, "{value: %.9g, ci95: %.3g, experiments: %zu}", value, e->half_width, e->experiments);
}

/* One that the file wants at 0 or above. */
static void parameter_write(struct section *s, const struct fitting *f, size_t kind, const struct estimate *e)
{
    s->n_clamped[f->model][kind] += e->value < 0;
    number_write(s, e, false);
}

/* Parameter p of every pair, as a matrix. */
static void matrix_write(struct section *s, const struct fitting *f, size_t p)
{
    fprintf(s->out, "    %s:\n", kinds[f->model][p]);
    for (size_t i = 0; i < f->nodes; i++) {
        for (size_t j = 0; j < f->nodes; j++) {
            fputs(j ? ", " : "      - [", s->out);
            const struct estimate *e = i == j ? NULL : &f->found[unit_of(i, j) * f->n_parameters + p];
            if (!e)
                fputs("0", s->out);
            else if (i < j)
                parameter_write(s, f, p, e);
            else
                number_write(s, e, false); /* the same one */
        }
        fputs("]\n", s->out);
    }
}

/* Models whose parameters are numbers. */
static void pair_model_write(struct section *s, const struct fitting *f)
{
    fprintf(s->out, "  %s: {", fitting_name(f->model));
    for (size_t p = 0; p < f->n_parameters; p++) {
        struct estimate mean = fitting_mean(f, p);
        fprintf(s->out, "%s%s: ", p ? ", " : "", kinds[f->model][p]);
        parameter_write(s, f, p, &mean);
    }
    fprintf(s->out, "}\n  %s_hetero:\n", fitting_name(f->model));
    for (size_t p = 0; p < f->n_parameters; p++)
        matrix_write(s, f, p);
}

/* One curve of PLogP: of a pair, or (unit == units) the means. A pair's is counted where it stands first. */
static void curve_write(struct section *s, const struct fitting *f, int curve, size_t unit, bool first)
{
    for (size_t k = 0; k < f->plogp.k; k++) {
        size_t p = plogp_parameter(&f->plogp, curve, k);
        const struct estimate time = unit == f->units ? fitting_mean(f, p) : f->found[unit * f->n_parameters + p];
        s->n_clamped[f->model][PLOGP_CURVES + curve] += time.value < 0 && first;
        fprintf(s->out, "%s[%.0f, ", k ? ", " : "[", f->plogp_bytes[k]);
        number_write(s, &time, false);
        fputc(']', s->out);
    }
    fputc(']', s->out);
}

static void plogp_write(struct section *s, const struct fitting *f)
{
    struct estimate L = fitting_mean(f, PLOGP_L);
    fputs("  plogp:\n    L: ", s->out);
    parameter_write(s, f, PLOGP_L, &L);
    for (int curve = 0; curve < 3; curve++) {
        fprintf(s->out, "\n    %s: ", kinds[f->model][PLOGP_CURVES + curve]);
        curve_write(s, f, curve, f->units, true);
    }
    fputs("\n  plogp_hetero:\n", s->out);
    matrix_write(s, f, PLOGP_L);
    for (int curve = 0; curve < 3; curve++) {
        fprintf(s->out, "    %s:\n", kinds[f->model][PLOGP_CURVES + curve]);
        for (size_t i = 0; i < f->nodes; i++) {
            for (size_t j = 0; j < f->nodes; j++) {
                fputs(j ? ", " : "      - [", s->out);
                if (i == j)
                    fputc('~', s->out);
                else
                    curve_write(s, f, curve, unit_of(i, j), i < j);
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
    s->n_clamped[f->model][LMO_inverse_beta] += sum < 0 && i < j;
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
        fputs("      S: ", s->out);
        machine_write_fitted(s->out, &flat->lmo.scatter_S, flat->n_fitted, flat->fitted);
        fputc('\n', s->out);
        beyond_write(s, true, flat->scatter[1]);
    }
    fputs("    gather:\n", s->out);
    for (int large = 0; large < 2; large++)
        beyond_write(s, large, flat->gather[large]);
    machine_write_escalation(s->out, &flat->lmo, flat->n_fitted, flat->fitted);
}

static void lmo_write(struct section *s, const struct fitting *f, const struct many_to_one *flat)
{
    size_t n = f->nodes;
    fputs("  lmo:\n", s->out);
    for (int of_bytes = 0; of_bytes < 2; of_bytes++) {
        fprintf(s->out, "    %s: [", of_bytes ? "t" : "C");
        for (size_t i = 0; i < n; i++) {
            fputs(i ? ", " : "", s->out);
            parameter_write(s, f, of_bytes ? LMO_t : LMO_C,
                            &f->found[of_bytes ? lmo_parameter_t(n, i) : lmo_parameter_C(n, i)]);
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

/* The kinds of which any was. */
static struct section_clamped clamped_of(const struct section *s)
{
    struct section_clamped clamped = {0};
    size_t length;
    FILE *out = open_memstream(&clamped.kinds, &length);
    for (int model = 0; model < N_FITTINGS; model++)
        for (size_t kind = 0; kind < KINDS_MOST; kind++)
            if (s->n_clamped[model][kind] > 0) {
                fprintf(out, "%s%s of %s", clamped.n > 0 ? ", " : "", kinds[model][kind],
                        fitting_name((enum fitting_model)model));
                clamped.n += s->n_clamped[model][kind];
            }
    fclose(out);
    return clamped;
}

char *section_text(size_t n, const struct fitting fittings[], const struct many_to_one *flat,
                   struct section_clamped *clamped)
{
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
            pair_model_write(&s, f);
    }
    fclose(s.out);
    *clamped = clamped_of(&s);
    return text;
}
