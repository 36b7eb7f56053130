/* model_list.h - the cost models: the only place that lists their names.
 *
 * A new model is one file of models/analytical/ with NAME_model_open and one line here: `--model NAME`, `collectives: OP: {model: NAME}`
 * and the help follow. */
#ifndef PEVPM_MODELS_MODEL_LIST_H
#define PEVPM_MODELS_MODEL_LIST_H

/* The models whose costs are formulas. X(name, whether a struct machine *m has its parameters, its own formulas of
 * collectives: a struct collective_formulas of models/collective_formula.h, or NULL where its messages tell)
 *     enum status name_model_open(struct cost_model **, const struct machine *, const struct cost_options *,
 *                                 struct diags *) */
#define ANALYTICAL_LIST(X)                                                   \
    X(hockney, m->hockney || m->hockney_hetero, NULL)                        \
    X(logp, m->logp || m->logp_hetero, NULL)                                 \
    X(loggp, m->loggp || m->loggp_hetero || m->logp || m->logp_hetero, NULL) \
    X(plogp, m->plogp || m->plogp_hetero, NULL)                              \
    X(lmo, m->lmo, &lmo_collectives)

#define MODEL_LIST(X) X(measured, m->n_entries > 0, NULL) ANALYTICAL_LIST(X)

#endif
