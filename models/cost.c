#include "models/cost.h"

#include "common/suggest.h"
#include "models/analytical.h"
#include "models/machine.h"
#include "models/measured.h"
#include "models/model_list.h"

#include <string.h>

#define X(name) #name,
static const char *const contention_names[] = {CONTENTION_LIST(X)};
#undef X
#define X(name, given, formula) #name,
static const char *const model_names[] = {MODEL_LIST(X)};
#undef X

typedef enum status model_open(struct cost_model **, const struct machine *, const struct cost_options *,
                               struct diags *);
#define X(name, given, formula) name##_model_open,
static model_open *const model_opens[] = {MODEL_LIST(X)};
#undef X

enum {
    CONTENTIONS = sizeof contention_names / sizeof *contention_names,
    MODELS = sizeof model_names / sizeof *model_names,
};

/* SIZE_MAX: no such name. */
static size_t name_find(const char *const names[], size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return SIZE_MAX;
}

#define X(name, given, formula) ", " #name
static const char models_there[] = "" MODEL_LIST(X);
#undef X

enum status cost_model_open(struct cost_model **model, const struct machine *machine,
                            const struct cost_options *options, struct diags *diags)
{
    *model = NULL;
    size_t i = name_find(model_names, MODELS, options->model);
    if (i != SIZE_MAX) {
        enum status status = model_opens[i](model, machine, options, diags);
        if (status != STATUS_OK || options->contention != CONTENTION_frames || (*model)->streams)
            return status;
        cost_model_close(*model);
        *model = NULL;
        diag_error(diags, place_of_file(NULL), "--contention frames with the model `%s`, which knows no frames: use "
                   "--model measured, or --contention ports", options->model);
        return STATUS_USAGE;
    }
    const char *nearest = suggest_name(options->model, strlen(options->model), model_names, MODELS);
    if (nearest)
        diag_error(diags, place_of_file(NULL), "no model `%.60s`, did you mean `%s`?", options->model, nearest);
    else
        diag_error(diags, place_of_file(NULL), "no model `%.60s`; the models there are %s", options->model,
                   models_there + 2);
    return STATUS_USAGE;
}

void cost_model_close(struct cost_model *model)
{
    if (model)
        model->close(model);
}

void cost_eager_limits(struct cost_model *model, const struct machine *machine)
{
    bool told;
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        model->eager_limit[transport] = machine_eager_limit(machine, transport, &model->eager_limit_taken[transport]);
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        model->rendezvous[transport] = machine_rendezvous(machine, transport, &told);
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        model->unread_limit[transport] = machine_unread_limit(machine, transport);
}

bool contention_parse(const char *name, enum contention *contention)
{
    size_t i = name_find(contention_names, CONTENTIONS, name);
    if (i == SIZE_MAX)
        return false;
    *contention = (enum contention)i;
    return true;
}

const char *contention_name(enum contention contention)
{
    return contention_names[contention];
}
