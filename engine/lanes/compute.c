/* compute.c - what Serial directives add to a process's clock. */
#include "engine/lanes/lanes_impl.h"

/* What this computation is multiplied by, in each lane. */
static void computation_factors(const struct step *s, double factors[])
{
    struct lanes *e = s->e;
    const struct quantile *q = variability_of_call(&e->variability);
    const double *here = row(e, e->factors, s->p->node);
    uint64_t number = s->p->n_computed++;
    if (!q->constant)
        e->k->sample(e->width, q, draw_words(e, STREAM_SERIAL_CALL, s->process, number), factors);
    for (int l = 0; l < e->width; l++)
        factors[l] = here[l] * (q->constant ? q->value : factors[l]);
}

/* Adds one time for each lane to the clock and to the sum of computation. */
static void compute(const struct step *s, const double seconds[])
{
    s->e->k->add(s->e->width, seconds, step_clock(s));
    s->e->k->add(s->e->width, seconds, row(s->e, s->e->sampled, s->process));
}

static void compute_varying(const struct step *s, double seconds)
{
    _Alignas(64) double each[ENGINE_LANES_MOST];
    computation_factors(s, each);
    for (int l = 0; l < s->e->width; l++)
        each[l] *= seconds;
    compute(s, each);
}

static void compute_sampled(const struct step *s, const struct quantile *q, uint64_t number)
{
    _Alignas(64) double factors[ENGINE_LANES_MOST], each[ENGINE_LANES_MOST];
    computation_factors(s, factors);
    s->e->k->sample(s->e->width, q, draw_words(s->e, STREAM_SERIAL, s->process, number), each);
    for (int l = 0; l < s->e->width; l++)
        each[l] *= factors[l];
    compute(s, each);
}

bool step_serial(const struct step *s)
{
    double seconds = s->instr->seconds;
    struct problem problem;
    if (s->instr->dynamic && !operand_seconds(s->e->program, s->instr, s->process, s->p->slots, &seconds, &problem))
        return step_fails(s, s->process, &problem);
    s->p->pc++;
    if (s->e->factors) {
        compute_varying(s, seconds);
        return true;
    }
    seconds *= s->p->time_factor;
    s->e->k->advance(s->e->width, seconds, step_clock(s));
    s->e->serial[s->process] += seconds;
    return true;
}

bool step_sample(const struct step *s)
{
    struct lanes *e = s->e;
    double a[2];
    struct problem problem;
    if (!operand_serial(e->program, s->instr, s->process, s->p->slots, a, &problem))
        return step_fails(s, s->process, &problem);
    const struct quantile *q = price_serial(&e->book, e->setup->machine, e->setup->mode,
                                            &e->program->serials[s->instr->index], a, &problem);
    if (!q)
        return step_fails(s, s->process, &problem);
    uint64_t number = s->p->n_sampled++;
    double *sum = row(e, e->sampled, s->process);
    if (e->factors && q->constant) {
        compute_varying(s, q->value);
    } else if (e->factors) {
        compute_sampled(s, q, number);
    } else if (q->constant) {
        double seconds = s->p->time_factor * q->value;
        e->k->advance(e->width, seconds, step_clock(s));
        e->k->advance(e->width, seconds, sum);
    } else {
        e->k->advance_sampled(e->width, q, draw_words(e, STREAM_SERIAL, s->process, number), s->p->time_factor,
                              step_clock(s), sum);
    }
    s->p->pc++;
    return true;
}
