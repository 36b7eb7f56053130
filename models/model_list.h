/* model_list.h - the cost models that `--model NAME` can name.
 *
 * A new model is one file pair with NAME_model_open and one line here. */
#ifndef PEVPM_MODELS_MODEL_LIST_H
#define PEVPM_MODELS_MODEL_LIST_H

/* X(name): enum status name_model_open(struct cost_model **, const struct machine *, const struct cost_options *,
 * struct diags *) */
#define MODEL_LIST(X) X(measured) X(hockney) X(loggp)

/* Names that the command line knows and that nobody has opened yet. */
#define MODEL_NOT_YET_LIST(X) X(plogp) X(lmo)

#endif
