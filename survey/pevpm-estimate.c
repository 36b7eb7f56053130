/* pevpm-estimate - estimates the parameters of analytical models. See docs/cli.md. */
#include "survey/fitting.h"
#include "survey/flat_fitting.h"
#include "survey/kept.h"
#include "survey/measuring.h"
#include "survey/options.h"
#include "survey/section.h"

#include "clock/share.h"
#include "common/alloc.h"
#include "common/option.h"
#include "common/outfile.h"
#include "common/units.h"
#include "directives/source.h"
#include "estimate/analytical/lmo_formula.h"
#include "estimate/analytical/thresholds.h"
#include "measure/others.h"
#include "models/analytical.h"
#include "models/machine.h"
#include "models/machine_edit.h"
#include "models/machine_source.h"
#include "models/machine_write.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Everything one invocation holds. fittings are those of the models asked for, in their list's order. */
struct session {
    struct survey_options options;
    struct diags diags;
    struct job job;
    struct others *others;
    struct survey survey;
    struct source *text;       /* of -m, or of -o to go on with; rank 0 */
    char **hosts;              /* [survey.nodes]; rank 0 */
    struct machine *machine;
    size_t n;
    struct fitting fittings[N_FITTINGS];
    struct surveyed *again;    /* --alone; NULL: not asked for, or not there */
    struct flat_survey flat;   /* of many_to_one */
    struct many_to_one found;
    bool unstored;             /* times could not be written while measuring */
};

static void mpi_failed(MPI_Comm *comm, int *code, ...)
{
    job_mpi_failed("pevpm-estimate", *comm, *code);
}

static void say(struct session *s)
{
    if (!s->options.quiet || s->diags.n_errors > 0)
        diags_print(&s->diags, stderr);
    diags_free(&s->diags);
}

/* Rank 0's verdict, for all; those without a part wait here, too. */
static enum status agree(const struct session *s, enum status status)
{
    int code = (int)status;
    share_broadcast(s->job.comm, &code, (int)sizeof code, 0);
    return (enum status)code;
}

/* ---- before measuring ---- */

static enum status nodes_check(struct session *s)
{
    const int least = measuring_nodes_least(s->options.models), most = MEASURING_NODES_MOST;
    if (s->survey.nodes >= least && s->survey.nodes <= most)
        return STATUS_OK;
    diag_error(&s->diags, place_of_file(NULL), "%d node%s take%s part, expected %d to %d%s%s", s->survey.nodes,
               s->survey.nodes == 1 ? "" : "s", s->survey.nodes == 1 ? "s" : "", least, most,
               least == 3 ? " (lmo wants three)" : "",
               s->options.every_process ? "" : "; with --every-process each process counts as one");
    return STATUS_USAGE;
}

/* What -m names, and that it is of as many nodes. */
static enum status machine_check(struct session *s)
{
    const char *path = s->options.resume ? s->options.output : s->options.machine;
    if (!path)
        return STATUS_OK;
    enum status status = source_read(&s->text, path, &s->diags);
    if (status == STATUS_OK)
        status = machine_read_text(&s->machine, path, s->text->text, s->text->length, &s->diags);
    if (status == STATUS_OK && s->machine->nodes != s->survey.nodes) {
        diag_error(&s->diags, place_of_file(path), "the file has %d nodes, and %d take part", s->machine->nodes,
                   s->survey.nodes);
        status = STATUS_RANGE;
    }
    if (status == STATUS_OK && !s->options.resume && analytical_is_known(s->machine))
        diag_warning(&s->diags, place_of_file(path), "its `models` are written anew: what stands there goes");
    return status;
}

static struct kept kept_of(struct session *s)
{
    const struct flat_wish *wish = s->options.many_to_one ? &s->options.flat : NULL;
    return (struct kept){&s->survey, &s->flat, wish, (size_t)s->survey.nodes, s->hosts, s->others};
}

/* What the file to go on with has. */
static enum status kept_find(struct session *s)
{
    struct machine *machine = NULL;
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    struct kept kept = kept_of(s);
    enum status status = machine_read_whole(&machine, &source, s->options.output, &s->diags);
    if (status == STATUS_OK)
        status = kept_read(&kept, &source, s->options.output, &s->diags);
    machine_source_free(&source);
    machine_destroy(machine);
    return status;
}

static enum status ready(struct session *s)
{
    enum status status = machine_check(s);
    if (status == STATUS_OK && s->options.resume)
        status = kept_find(s);
    return status == STATUS_OK ? outfile_try(s->options.output, &s->diags) : status;
}

/* Rank 0 gets the host of each node. */
static void hosts_find(struct session *s)
{
    enum { MOST = MPI_MAX_PROCESSOR_NAME };
    const struct survey *survey = &s->survey;
    char own[MOST] = "", *all = NULL;
    int length;
    MPI_Get_processor_name(own, &length);
    if (survey->rank == 0)
        all = alloc_zeroed((size_t)survey->nodes, MOST);
    watch_set(s->job.watch, 1, "collecting the names of hosts");
    MPI_Gather(own, MOST, MPI_CHAR, all, MOST, MPI_CHAR, 0, survey->comm);
    watch_set(s->job.watch, 0, NULL);
    if (survey->rank == 0) {
        s->hosts = alloc_array((size_t)survey->nodes, sizeof *s->hosts);
        for (int i = 0; i < survey->nodes; i++)
            s->hosts[i] = alloc_string(all + (size_t)i * MOST);
    }
    free(all);
}

/* ---- measuring ---- */

static void measure(struct session *s)
{
    survey_trunks(&s->survey, s->machine);
    s->n = measuring_run(&s->survey, &s->options.wish, &s->options.rule, s->options.models, s->fittings);
    if (s->options.alone) {
        s->again = alloc_zeroed(s->survey.n, sizeof *s->again);
        survey_repeat_alone(&s->survey, s->again);
    }
    if (s->options.many_to_one)
        flat_run(&s->survey, &s->options.flat, &s->flat);
}

/* ---- afterwards ---- */

/* How many parameters of the two surveys differ by less than both intervals allow. */
static size_t parameters_agree(struct session *s, struct fitting *f)
{
    size_t n = f->units * f->n_parameters, agreed = 0;
    struct estimate *together = alloc_array(n, sizeof *together);
    memcpy(together, f->found, n * sizeof *together);
    fitting_estimate(f, &s->survey, s->again);
    for (size_t i = 0; i < n; i++)
        agreed += fabs(f->found[i].value - together[i].value) <= hypot(f->found[i].half_width, together[i].half_width);
    memcpy(f->found, together, n * sizeof *together);
    free(together);
    return agreed;
}

/* Table 3 of Lastovetsky and Rychkov 2009, of this machine. */
static void table_print(struct session *s)
{
    printf("%-8s  %11s  %12s  %10s", "model", "experiments", "measurements", "seconds");
    printf("%s\n", s->again ? "       alone  parameters that agree" : "");
    for (size_t i = 0; i < s->n; i++) {
        struct fitting *f = &s->fittings[i];
        struct fitting_cost cost = fitting_cost_of(f, &s->survey, NULL);
        printf("%-8s  %11zu  %12zu  %10.3f", fitting_name(f->model), cost.experiments, cost.measurements, cost.seconds);
        if (s->again)
            printf("  %10.3f  %zu of %zu", fitting_cost_of(f, &s->survey, s->again).seconds, parameters_agree(s, f),
                   f->units * f->n_parameters);
        putchar('\n');
    }
    if (s->options.many_to_one)
        printf("%-8s  %11zu  %12zu  %10.3f\n", MANY_TO_ONE,
               s->flat.n[FLAT_scatter] + s->flat.n[FLAT_gather] + s->flat.n[FLAT_edge], s->flat.measurements, s->flat.seconds);
}

/* Percent of a part, to two digits at least; the caller frees it. */
static char *percent_text(double part)
{
    return alloc_format(100 * part >= 10 ? "%.0f %%" : "%.2g %%", 100 * part);
}

/* Whether one line serves all sizes. */
static void line_print(const struct session *s, const struct fitting *hockney)
{
    const struct line_miss miss = fitting_line_miss(hockney, &s->survey);
    char *median = percent_text(miss.median), *largest = percent_text(miss.largest);
    printf("hockney's lines miss one-way times by %s (median), at most by %s (%.0f bytes from node %zu to %zu)\n", median,
           largest, miss.bytes, miss.node[0], miss.node[1]);
    free(median);
    free(largest);
}

/* How well what is written for LMO gives back what it was found from. */
static void to_two_print(const struct session *s, const struct fitting *lmo)
{
    struct repeats *repeats = fitting_repeats(lmo, &s->survey, NULL, 0);
    double *parameters = alloc_array(lmo_parameters(lmo->nodes), sizeof *parameters);
    section_lmo(lmo, parameters);
    const struct lmo_miss miss = lmo_to_two_miss(&lmo->lmo, repeats, parameters);
    char *median = percent_text(miss.median), *largest = percent_text(miss.largest);
    printf("lmo misses one-to-two times of %.0f bytes by %s (median), at most by %s (from node %zu to %zu and %zu)\n",
           lmo->bytes, median, largest, miss.node[0], miss.node[1], miss.node[2]);
    free(median);
    free(largest);
    free(parameters);
    free(repeats);
}

/* ---- many to one ---- */

static enum status many_to_one_estimate(struct session *s)
{
    if (flat_fit(&s->flat, &s->fittings[s->n - 1], &s->found)) /* LMO, the last one of the list of models */
        return STATUS_OK;
    char *missing = flat_missing(&s->flat, s->options.flat.budget);
    diag_error(&s->diags, place_of_file(NULL), "%s: of it only times are written, no models; go on with --resume, or give more "
               "--budget or a smaller --largest", missing);
    free(missing);
    return STATUS_RANGE;
}

/* M1 of the papers, which ends a line. */
static void ratio_print(const struct session *s, int numprocs)
{
    struct ratio_leap leap;
    const struct many_to_one_input input = flat_input(&s->flat, 0, NULL);
    if (many_to_one_ratio(&input, numprocs, &leap))
        printf("; by the ratio of %g M1 %.0f bytes, known to %.0f\n", THRESHOLD_RATIO, leap.to, leap.to - leap.from);
    else
        printf("; by the ratio of %g none\n", THRESHOLD_RATIO);
}

/* What was found, and how well it is known. */
static void many_to_one_print(const struct session *s)
{
    const struct machine_lmo *lmo = &s->found.lmo;
    char text[UNITS_TIME_BYTES];
    if (lmo->scatter_S > 0)
        printf("S %.0f bytes, known to %.0f\n", lmo->scatter_S, s->found.S_stride);
    else
        printf("S: no break up to %lld bytes\n", (long long)s->options.flat.largest);
    for (int large = 0; large < 2; large++) {
        const struct estimate *fitted = s->found.gather[large];
        printf("kappa_%d %.3g +- %.2g s/byte; offset %.3g +- %.2g s; of each message C %.3g +- %.2g s, t %.3g +- %.2g s/byte\n",
               large + 1, fitted[LMO_BEYOND_kappa].value, fitted[LMO_BEYOND_kappa].half_width, fitted[LMO_BEYOND_offset].value,
               fitted[LMO_BEYOND_offset].half_width, fitted[LMO_BEYOND_C].value, fitted[LMO_BEYOND_C].half_width,
               fitted[LMO_BEYOND_t].value, fitted[LMO_BEYOND_t].half_width);
    }
    if (lmo->n_levels == 0) {
        puts("Gather does not escalate");
        return;
    }
    printf("levels (%s):", lmo->levels_added ? "added" : "total");
    for (size_t l = 0; l < lmo->n_levels; l++)
        printf(" %s", units_format_time(lmo->levels[l], text));
    printf("\nM2 %.0f bytes, %s, known to %.0f\n", lmo->M2, s->found.M2_breaks ? "a break" : "the last that escalated",
           s->found.M2_stride);
    for (size_t i = 0; i < lmo->M1.n; i++) {
        printf("%.0f processes: ", lmo->M1.bytes[i]);
        if (lmo->M1.time[i] > lmo->M2)
            fputs("none escalates", stdout);
        else if (lmo->Mc.n == 0 || lmo->Mc.time[i] > lmo->M2)
            printf("M1 %.0f bytes", lmo->M1.time[i]);
        else
            printf("M1 %.0f bytes, Mc %.0f", lmo->M1.time[i], lmo->Mc.time[i]);
        ratio_print(s, (int)lmo->M1.bytes[i]);
    }
    const struct dependence *d = &s->found.dependence;
    if (s->found.has_dependence)
        printf("dependence of one Gather on the one before: %.2g +- %.2g of %zu pairs%s\n", d->value, d->half_width, d->pairs,
               lmo->dependence == 0 ? "; written as 0" : "");
}

/* What was measured, into the provenance: text is replaced by the edited one, or left as it is where provenance stands
 * in braces, or is no map. */
static bool times_edit(struct session *s, char **text)
{
    struct kept kept = kept_of(s);
    char *lines = kept_text(&kept), *edited;
    const bool could = machine_edit_entry(&edited, *text, strlen(*text), KEPT_SECTION, NOTED_HEADING, lines);
    if (could) {
        free(*text);
        *text = edited;
    }
    free(lines);
    return could;
}

/* The file as it is before anything is written into it; the caller frees it. */
static char *text_begin(const struct session *s)
{
    return s->text ? alloc_format("%.*s", (int)s->text->length, s->text->text)
                   : alloc_format(MACHINE_FIRST_LINE "pevpm_machine: 1\nname: %s\nnodes: %d\nprocesses_per_node: 1\n" MACHINE_LAST_LINE,
                                  s->options.name ? s->options.name : s->hosts[0], s->survey.nodes);
}

/* While measuring: times alone, and not into a pipe, which cannot take them back. What cannot be written now is written at
 * the end, if it can then; so that something is done about it meanwhile it is said at once, and once. */
static void times_store(void *session)
{
    struct session *s = session;
    struct diags unheard = DIAGS_EMPTY;
    if (strcmp(s->options.output, "-") == 0 || outfile_is_pipe(s->options.output))
        return;
    char *text = text_begin(s);
    if (times_edit(s, &text) && outfile_store(s->options.output, text, &unheard) != STATUS_OK && !s->unstored) {
        s->unstored = true;
        diag_warning(&s->diags, place_of_file(s->options.output),
                     "%s; measuring goes on, and the times are written at the end if they can be then", diag_message(&unheard, 0));
        say(s);
    }
    diags_free(&unheard);
    free(text);
}

/* Models of the file to go on with that this run was not asked for: section is replaced by one with them, too. */
static void models_keep(const struct session *s, char **section)
{
    for (int model = 0; model < N_FITTINGS; model++)
        for (int of_pairs = 0; of_pairs < 2 && !s->options.models[model]; of_pairs++) {
            char *key = alloc_format("%s%s", fitting_name((enum fitting_model)model), of_pairs ? "_hetero" : "");
            char *lines = machine_edit_lines(s->text->text, s->text->length, "models", key);
            if (lines) {
                char *more = alloc_format("%s%s", *section, lines);
                free(*section);
                *section = more;
            }
            free(lines);
            free(key);
        }
}

static enum status machine_store(struct session *s)
{
    struct section_clamped clamped;
    const struct many_to_one *flat = s->flat.is_whole ? &s->found : NULL;
    char *section = section_text(s->n, s->fittings, flat, &clamped), *text = text_begin(s), *edited = NULL;
    const char *name = s->text ? s->text->name : s->options.output;
    measuring_clamped(&clamped, &s->diags);
    free(clamped.kinds);
    if (s->options.resume)
        models_keep(s, &section);
    if (!times_edit(s, &text))
        diag_warning(&s->diags, place_of_file(name), "its `" KEPT_SECTION "` does not stand in lines, two blanks from "
                     "the margin: what was measured is not kept for --resume");
    enum status status = machine_edit_section(&edited, name, text, strlen(text), "models", section, &s->diags);
    if (status == STATUS_OK)
        status = outfile_store(s->options.output, edited, &s->diags);
    free(edited);
    free(text);
    free(section);
    return status;
}

/* Rank 0 alone. */
static enum status conclude(struct session *s)
{
    for (size_t i = 0; i < s->n; i++) {
        fitting_estimate(&s->fittings[i], &s->survey, NULL);
        measuring_judge(&s->survey, &s->fittings[i], &s->diags);
    }
    bool tells = !s->options.quiet && strcmp(s->options.output, "-") != 0;
    if (tells)
        table_print(s);
    if (tells && s->options.models[FITTING_hockney] && s->options.wish.regression)
        line_print(s, &s->fittings[0]); /* the first one of the list of models */
    if (tells && s->options.models[FITTING_lmo])
        to_two_print(s, &s->fittings[s->n - 1]);
    const bool has_flat = s->options.many_to_one || (s->flat.is_whole && s->options.models[FITTING_lmo]);
    enum status status = has_flat ? many_to_one_estimate(s) : STATUS_OK, stored;
    if (s->options.many_to_one && status == STATUS_OK) {
        flat_judge(&s->flat, &s->options.flat, &s->found, &s->diags);
        if (tells)
            many_to_one_print(s);
    }
    stored = machine_store(s); /* what was measured is not lost where the rest was not */
    return stored == STATUS_OK ? status : stored;
}

static void session_free(struct session *s)
{
    for (size_t i = 0; s->again && i < s->survey.n; i++)
        free(s->again[i].t);
    free(s->again);
    for (size_t i = 0; i < s->n; i++)
        fitting_free(&s->fittings[i]);
    for (int i = 0; s->hosts && i < s->survey.nodes; i++)
        free(s->hosts[i]);
    free(s->hosts);
    many_to_one_free(&s->found);
    flat_free(&s->flat);
    if (s->text)
        source_destroy(s->text);
    machine_destroy(s->machine);
    survey_free(&s->survey);
    others_destroy(s->others);
    job_free(&s->job);
}

/* What else the machines did meanwhile. Ranks that measured nothing have waited for long. */
static void others_tell(struct session *s)
{
    size_t n;
    agree(s, STATUS_OK);
    others_gather(s->others);
    const struct others_machine *machines = others_all(s->others, &n);
    if (s->job.rank == 0)
        others_warn(n, machines, &s->diags);
}

static enum status work(struct session *s)
{
    struct clock_options clock = {0};
    job_init(&s->job, MPI_COMM_WORLD, "pevpm-estimate", &clock);
    s->others = others_create(&s->job);
    survey_init(&s->survey, &s->job, s->options.every_process, &s->options.rule);
    enum status status = agree(s, s->job.rank == 0 ? nodes_check(s) : STATUS_OK);
    if (status == STATUS_OK) {
        if (s->survey.rank >= 0) {
            survey_connect(&s->survey);
            hosts_find(s);
        }
        status = agree(s, s->job.rank == 0 ? ready(s) : STATUS_OK);
    }
    s->survey.save = times_store;
    s->survey.save_context = s;
    if (status == STATUS_OK) {
        if (s->job.rank == 0 && s->job.crowding > 1)
            diag_warning(&s->diags, place_of_file(NULL),
                         "up to %d ranks share a core: they wait for one another, and parameters say more about that "
                         "than about the network", s->job.crowding);
        if (s->job.rank == 0)
            say(s);
        if (s->survey.rank >= 0)
            measure(s);
        others_tell(s);
        status = agree(s, s->job.rank == 0 ? conclude(s) : STATUS_OK);
    }
    if (s->job.rank == 0)
        say(s);
    session_free(s);
    return status;
}

/* Every rank parses the same line and comes to the same end; rank 0 speaks for all. */
static enum status run(int argc, char *argv[], int rank)
{
    struct session s = {.diags = DIAGS_EMPTY};
    enum status status = survey_options_parse(&s.options, argc, argv, &s.diags);
    if (status == STATUS_OK && s.options.action == SURVEY_HELP && rank == 0)
        survey_options_help(stdout);
    else if (status == STATUS_OK && s.options.action == SURVEY_VERSION && rank == 0)
        option_print_version("pevpm-estimate", stdout);
    else if (status == STATUS_OK && s.options.action == SURVEY_MEASURE)
        status = work(&s);
    if (rank == 0 && status != STATUS_OK)
        diags_print(&s.diags, stderr);
    diags_free(&s.diags);
    if (rank == 0 && status == STATUS_OK)
        status = outfile_check(stdout, "standard output", &s.diags);
    return status;
}

int main(int argc, char *argv[])
{
    MPI_Errhandler handler;
    int rank;
    signal(SIGPIPE, SIG_IGN);
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(mpi_failed, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enum status status = run(argc, argv, rank);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return status_exit_code(status);
}
