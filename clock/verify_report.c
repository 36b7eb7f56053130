#include "clock/verify_impl.h"

#include <inttypes.h>

static void print_errors(const struct clock *clock, const struct verify_report *report, FILE *out)
{
    fprintf(out, "%-5s %14s %12s %12s %12s %12s %12s %12s %8s\n", "rank", "offset_us", "drift_ppm", "error_median",
            "error_p99", "error_max", "bound", "limit", "outside");
    for (int r = 0; r < clock->size; r++) {
        const struct verify_rank *rank = &report->ranks[r];
        fprintf(out, "%-5d %14.3f %12.3f %12" PRId64 " %12" PRId64, r, (double)rank->injected.offset_ns / 1e3,
                rank->injected.drift_ppm, rank->median, rank->p99);
        fprintf(out, " %12" PRId64 " %12" PRId64 " %12" PRId64 " %8" PRId64 "\n", rank->most, rank->bound, rank->limit,
                rank->n_outside);
    }
    fprintf(out, "errors     ns; p99 %" PRId64 ", largest %" PRId64 " (demanded %" PRId64 "); bound %" PRId64
            ", %.2f times p99\n", report->p99, report->most, report->accuracy, report->bound,
            report->p99 > 0 ? (double)report->bound / (double)report->p99 : 0.0);
}

static void print_messages(const struct verify_messages *messages, FILE *out)
{
    fprintf(out, "messages   %" PRId64 " one way, %" PRId64 " received before they were sent", messages->n,
            messages->n_backwards);
    if (messages->n > 0)
        fprintf(out, "; shortest %" PRId64 " ns, median %" PRId64 " ns", messages->shortest,
                histogram_quantile(&messages->one_way, 0.5));
    fprintf(out, "\nsums       %" PRId64 " of %" PRId64 " round trips differ from there + back", messages->n_unequal,
            messages->n / 2);
    fprintf(out, messages->n_unequal > 0 ? ", by up to %" PRId64 " ns\n" : "\n", messages->largest_gap);
}

/* How many starts began so late, in steps of two from 1 us. */
static void print_starts(const struct verify_starts *starts, FILE *out)
{
    const struct samples *late = &starts->lateness;
    fprintf(out, "starts     %zu of all ranks with nothing to do, %" PRId64 " told too late; spread median %.1f us, "
            "largest %.1f us\n", late->n, starts->n_missed, samples_median(&starts->spread) / 1e3,
            (double)samples_quantile(&starts->spread, 1) / 1e3);
    fprintf(out, "%12s %10s\n", "late_by_us", "starts");
    double edge = 1;
    for (size_t done = 0; done < late->n; edge *= 2) {
        size_t n = done;
        while (n < late->n && (double)late->ns[n] < edge * 1e3)
            n++;
        if (n > done)
            fprintf(out, "%s%11.0f %10zu\n", "<", edge, n - done);
        done = n;
    }
}

void verify_report_print(const struct clock *clock, const struct verify_report *report, FILE *out)
{
    struct clock_quality quality = clock_quality(clock);
    fprintf(out, "clock      %s, %.1f ns a reading, steps of %.0f ns\n", quality.source, quality.overhead_ns,
            quality.granularity_ns);
    fprintf(out, "processes  %d%s\n", clock->size, clock->is_crowded ? ", more than cores" : "");
    fprintf(out, "verified   %.1f s, %" PRId64 " blocks between synchronisations; errors against %s\n",
            report->duration, report->n_blocks,
            report->is_truth ? "the one true clock of this machine" : "round trips from rank 0");
    print_errors(clock, report, out);
    print_messages(&report->messages, out);
    print_starts(&report->starts, out);
    fprintf(out, "verdict    %s\n", report->passed ? "passed" : "failed");
}
