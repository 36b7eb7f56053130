#include "report/judge_report.h"

#include "common/units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct widths {
    int program, params;
};

static int widest(int width, const char *text)
{
    return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static void write_inside(FILE *out, size_t inside, size_t launches)
{
    char text[48];
    snprintf(text, sizeof text, "%zu of %zu", inside, launches);
    fprintf(out, "  %8s", text);
}

static void write_percent(FILE *out, double part, int width)
{
    if (isfinite(part))
        fprintf(out, "  %+*.1f %%", width - 2, 100 * part);
    else
        fprintf(out, "  %*s", width, "-");
}

static void write_run(FILE *out, struct widths widths, const struct judge_run *run, const struct judged *judged)
{
    char text[UNITS_TIME_BYTES];
    double error = judged->predicted - judged->measured, communication = judged->measured - judged->serial;
    char shape[32];
    snprintf(shape, sizeof shape, "%dx%d", run->at.nodes, run->at.ppn);
    fprintf(out, "%-*s  %-*s  %5d  %7s", widths.program, run->program, widths.params, run->params, run->at.numprocs,
            shape);
    fprintf(out, "  %9s", units_format_time(judged->measured, text));
    fprintf(out, "  %9s", units_format_time(judged->predicted, text));
    write_percent(out, error / judged->measured, 8);
    write_percent(out, communication > 0 ? error / communication : NAN, 9);
    write_inside(out, judged->inside[0], run->n);
    write_inside(out, judged->inside[1], run->n);
    fputc('\n', out);
}

static double percent(size_t part, size_t whole)
{
    return 100 * (double)part / (double)whole;
}

/* How many runs a launch was taken to have had. */
static void write_guessed(FILE *out, uint32_t least, uint32_t most)
{
    if (most > least)
        fprintf(out, ", as if each launch had %" PRIu32 " to %" PRIu32 " runs", least, most);
    else if (most > 0)
        fprintf(out, ", as if each launch had %" PRIu32 " run%s", most, most == 1 ? "" : "s");
}

/* Whose draws predictions had. */
static void write_draws(FILE *out, const struct judge_request *request, const struct judge_result *result)
{
    size_t theirs = 0, unsaid = 0, in_vain = 0;
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < result->n; i++) {
        const struct judge_run *run = &request->runs[result->runs[i].run];
        theirs += result->runs[i].drew ? run->n : 0;
        unsaid += run->draws ? 0 : run->unsaid;
        in_vain += run->draws ? 0 : run->n - run->unsaid;
        if (result->runs[i].drew && run->guessed[1] > 0) {
            least = run->guessed[0] < least ? run->guessed[0] : least;
            most = run->guessed[1] > most ? run->guessed[1] : most;
        }
    }
    fputs("draws        ", out);
    if (theirs > 0) {
        fprintf(out, "what %zu of %zu launches drew", theirs, result->launches);
        write_guessed(out, least, most);
    }
    if (unsaid > 0)
        fprintf(out, "%s%zu of %zu do not say what they drew (seed, launch, run): draws of the predictions", theirs > 0 ? "; " : "",
                unsaid, result->launches);
    if (in_vain > 0)
        fprintf(out, "%sof %zu of %zu it is not known all the same (see the warnings): draws of the predictions",
                theirs + unsaid > 0 ? "; " : "", in_vain, result->launches);
    fputs(theirs + unsaid + in_vain > 0 ? "\n\n" : "none: computations take the same in every run\n\n", out);
}

void judge_report_write(FILE *out, const char *machine_path, const struct judge_request *request,
                        const struct judge_result *result)
{
    struct widths widths = {7, 6};
    for (size_t i = 0; i < request->n; i++) {
        widths.program = widest(widths.program, request->runs[i].program);
        widths.params = widest(widths.params, request->runs[i].params);
    }
    fprintf(out, "machine      %s (%s)\n", request->machine->name, machine_path);
    fprintf(out, "replications %u, seed %llu\n", request->plan.exact, (unsigned long long)request->seed);
    write_draws(out, request, result);
    fprintf(out, "%-*s  %-*s  %5s  %7s  %9s  %9s  %8s  %9s  %8s  %8s\n", widths.program, "program", widths.params,
            "params", "procs", "n x p", "measured", "predicted", "error", "of comm.", "inside", "then");
    for (size_t i = 0; i < request->n; i++)
        write_run(out, widths, &request->runs[i], &result->runs[i]);
    fprintf(out, "\ninside p5-p95  %.0f %% of %zu launches; then, with the model error, %.0f %%\n",
            percent(result->inside[0], result->launches), result->launches,
            percent(result->inside[1], result->launches));
    fprintf(out, "model error    communication %.2g %%, computation %.2g %% (%d runs)\n",
            100 * result->found.communication, 100 * result->found.computation, result->found.runs);
    judge_report_notes(out, &result->notes, request->n, request->runs);
}

void judge_report_notes(FILE *out, const struct note_list *notes, size_t n, const struct judge_run runs[])
{
    for (size_t i = 0; i < notes->n; i++) {
        const struct note_of_runs *note = &notes->notes[i];
        const struct judge_run *run = &runs[note->first];
        fprintf(out, "%snote: %s", i == 0 ? "\n" : "", note->text);
        if (note->n < n)
            fprintf(out, " (%zu of %zu runs; %s%s%s, %dx%d)", note->n, n, run->program, *run->params ? " " : "", run->params,
                    run->at.nodes, run->at.ppn);
        fputc('\n', out);
    }
}
