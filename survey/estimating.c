#include "survey/estimating.h"

#include "clock/share.h"
#include "common/alloc.h"
#include "survey/flat_fitting.h"
#include "survey/measuring.h"
#include "survey/section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char TOOL[] = "pevpm";

/* A call that is carried out. */
struct estimating {
    const struct estimating_wish *wish;
    bool models[N_FITTINGS];
    struct fitting_wish fitting_wish;
    struct flat_wish flat_wish;
    struct stopping rule;
    struct job job;
    struct survey survey;
    size_t n;
    struct fitting fittings[N_FITTINGS];
    struct flat_survey flat;  /* of many_to_one */
    struct many_to_one found; /* rank 0 */
};

static enum status wish_take(struct estimating *e, struct diags *diags)
{
    const struct estimating_wish *wish = e->wish;
    bool any = false;
#define X(name, given, formulas) any |= e->models[FITTING_##name] = wish->name;
    ANALYTICAL_LIST(X)
#undef X
    if (!any && !wish->many_to_one)
        e->models[FITTING_hockney] = e->models[FITTING_lmo] = true;
    e->models[FITTING_lmo] |= wish->many_to_one; /* which stands on its parameters */
    e->fitting_wish = MEASURING_WISH;
    e->flat_wish = FLAT_WISH;
    e->rule = measuring_rule();
    e->fitting_wish.bytes = wish->bytes ? wish->bytes : e->fitting_wish.bytes;
    e->fitting_wish.messages = wish->messages ? wish->messages : e->fitting_wish.messages;
    e->fitting_wish.regression = wish->regression;
    e->fitting_wish.direct_gap = wish->direct_gap;
    e->flat_wish.budget = wish->budget != 0 ? wish->budget : e->flat_wish.budget;
    e->flat_wish.largest = wish->largest ? wish->largest : e->flat_wish.largest;
    e->flat_wish.rest = wish->rest != 0 ? fmax(0, wish->rest) : e->flat_wish.rest;
    e->rule.maximum = wish->repetitions ? (uint64_t)wish->repetitions : e->rule.maximum;
    e->rule.precision = wish->precision != 0 ? wish->precision : e->rule.precision;
    const struct place nowhere = place_of_file(NULL);
    if (e->fitting_wish.bytes < 2 || e->fitting_wish.bytes > MEASURING_BYTES_MOST)
        diag_error(diags, nowhere, "bytes: %lld, expected 2 to %d", (long long)wish->bytes, MEASURING_BYTES_MOST);
    else if (e->fitting_wish.messages < 2 || e->fitting_wish.messages > MEASURING_MESSAGES_MOST)
        diag_error(diags, nowhere, "messages: %d, expected 2 to %d", wish->messages, MEASURING_MESSAGES_MOST);
    else if (wish->repetitions != 0 &&
             (wish->repetitions < MEASURING_REPETITIONS_LEAST || wish->repetitions > MEASURING_REPETITIONS_MOST))
        diag_error(diags, nowhere, "repetitions: %d, expected %d to %d", wish->repetitions, MEASURING_REPETITIONS_LEAST,
                   MEASURING_REPETITIONS_MOST);
    else if (!(e->rule.precision > 0 && e->rule.precision < 1))
        diag_error(diags, nowhere, "precision: %g, expected a number between 0 and 1", wish->precision);
    else if (!(e->flat_wish.budget > 0))
        diag_error(diags, nowhere, "budget: %g, expected a time above zero in seconds", wish->budget);
    else if (e->flat_wish.largest < FLAT_LARGEST_LEAST || e->flat_wish.largest > FLAT_LARGEST_MOST)
        diag_error(diags, nowhere, "largest: %lld, expected %d to %d", (long long)wish->largest, FLAT_LARGEST_LEAST,
                   FLAT_LARGEST_MOST);
    else if (!(wish->rest <= FLAT_REST_MOST))
        diag_error(diags, nowhere, "rest: %g, expected at most %g seconds", wish->rest, FLAT_REST_MOST);
    else
        return STATUS_OK;
    return STATUS_USAGE;
}

static enum status nodes_check(const struct estimating *e, struct diags *diags)
{
    const int nodes = e->survey.nodes, least = measuring_nodes_least(e->models);
    if (nodes >= least && nodes <= MEASURING_NODES_MOST)
        return STATUS_OK;
    diag_error(diags, place_of_file(NULL), "%d node%s take%s part, expected %d to %d", nodes, nodes == 1 ? "" : "s",
               nodes == 1 ? "s" : "", least, MEASURING_NODES_MOST);
    return STATUS_USAGE;
}

static enum status many_to_one_find(struct estimating *e, struct diags *diags)
{
    if (flat_fit(&e->flat, &e->fittings[e->n - 1], &e->found)) { /* LMO, the last one of the list of models */
        flat_judge(&e->flat, &e->flat_wish, &e->found, diags);
        return STATUS_OK;
    }
    char *missing = flat_missing(&e->flat, e->flat_wish.budget);
    diag_error(diags, place_of_file(NULL), "%s; give a larger budget, or let the largest share be smaller than %lld bytes", missing,
               (long long)e->flat_wish.largest);
    free(missing);
    return STATUS_RANGE;
}

/* *text: the machine file with the models, on rank 0; the caller frees it. */
static enum status machine_make(struct estimating *e, char **text, struct diags *diags)
{
    struct section_clamped clamped;
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_processor_name(host, &length);
    for (size_t i = 0; i < e->n; i++) {
        fitting_estimate(&e->fittings[i], &e->survey, NULL);
        measuring_judge(&e->survey, &e->fittings[i], diags);
    }
    const enum status status = e->wish->many_to_one ? many_to_one_find(e, diags) : STATUS_OK;
    char *section = section_text(e->n, e->fittings, e->flat.is_whole ? &e->found : NULL, &clamped);
    measuring_clamped(&clamped, diags);
    free(clamped.kinds);
    *text = alloc_format("pevpm_machine: 1\nname: \"%s\"\nnodes: %d\nprocesses_per_node: 1\n%s", host, e->survey.nodes, section);
    free(section);
    return status;
}

/* Rank 0's text is read by all. */
static enum status machine_spread(struct estimating *e, char *text, struct machine **machine, struct diags *diags)
{
    int64_t length = text ? (int64_t)strlen(text) : 0;
    share_broadcast(e->job.comm, &length, (int)sizeof length, 0);
    if (!text)
        text = alloc_zeroed((size_t)length + 1, 1);
    enum { PIECE = 1 << 30 };
    for (int64_t at = 0; at < length; at += PIECE)
        share_broadcast(e->job.comm, text + at, (int)(length - at < PIECE ? length - at : PIECE), 0);
    struct diags unheard = DIAGS_EMPTY;
    enum status status = machine_read_text(machine, "the estimated models", text, (size_t)length, e->job.rank == 0 ? diags : &unheard);
    diags_free(&unheard);
    free(text);
    return status;
}

static enum status measure(struct estimating *e, struct machine **machine, struct diags *diags)
{
    int code = e->job.rank == 0 ? (int)nodes_check(e, diags) : 0;
    share_broadcast(e->job.comm, &code, (int)sizeof code, 0);
    if (code != STATUS_OK)
        return (enum status)code;
    if (e->job.rank == 0 && e->job.crowding > 1)
        diag_warning(diags, place_of_file(NULL), "up to %d ranks share a core: they wait for one another, and parameters say more "
                     "about that than about the network", e->job.crowding);
    if (e->survey.rank >= 0) {
        survey_connect(&e->survey);
        survey_trunks(&e->survey, e->wish->machine);
        e->n = measuring_run(&e->survey, &e->fitting_wish, &e->rule, e->models, e->fittings);
        if (e->wish->many_to_one)
            flat_run(&e->survey, &e->flat_wish, &e->flat);
    }
    char *text = NULL;
    code = e->job.rank == 0 ? (int)machine_make(e, &text, diags) : 0;
    share_broadcast(e->job.comm, &code, (int)sizeof code, 0);
    const enum status status = machine_spread(e, text, machine, diags);
    return status == STATUS_OK ? (enum status)code : status;
}

enum status estimating_run(MPI_Comm comm, const struct estimating_wish *wish, struct machine **machine, struct diags *diags)
{
    struct estimating e = {.wish = wish};
    struct diags unheard = DIAGS_EMPTY;
    const struct clock_options clock = {0};
    MPI_Comm own;
    int rank, is_inter;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_test_inter(comm, &is_inter);
    enum status status = wish_take(&e, rank == 0 ? diags : &unheard);
    if (status == STATUS_OK && is_inter) {
        diag_error(rank == 0 ? diags : &unheard, place_of_file(NULL), "an inter-communicator, expected an intracommunicator");
        status = STATUS_USAGE;
    }
    diags_free(&unheard);
    if (status != STATUS_OK)
        return status;
    MPI_Comm_dup(comm, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_ARE_FATAL);
    share_barrier(own); /* those who come late are waited for as long as in any call; from here on a watch looks */
    job_init(&e.job, own, TOOL, &clock);
    survey_init(&e.survey, &e.job, wish->every_process, &e.rule);
    status = measure(&e, machine, diags);
    for (size_t i = 0; i < e.n; i++)
        fitting_free(&e.fittings[i]);
    many_to_one_free(&e.found);
    flat_free(&e.flat);
    survey_free(&e.survey);
    job_free(&e.job);
    MPI_Comm_free(&own);
    return status;
}
