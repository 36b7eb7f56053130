/* calibration.h - what the machine file's own uncertainty does to a predicted run time.
 *
 * A machine file may be wrong in several independent respects, and says by how much:
 *     launch         a calibration measures the network as one launch of a job found it (`launch_sd` of sizes)
 *     communication  no model says exactly what messages do to one another (`model_error: communication`)
 *     computation    nor what a Serial takes (`model_error: computation`)
 * For each of them the first replications are run, with the same random numbers, on a machine that is slower: all
 * transits longer by `launch_sd`; all costs of communication by the factor f = `stretch` of `model_error`; all Serial
 * times by 1 + `computation`. How much later they end, on the mean, is for launches and computations one standard
 * deviation of the run time, for communication `communication` / (f - 1) of it (replicate_later). Without `stretch` f
 * is 1 + `communication`, so it is one as well. Communication that computations hide counts with f = 4 and hardly where
 * f is near 1. It counts by model_error_weight, and with `spread_power` the first replications are run once more for
 * what they differ by, with equal computations: in the time-ordered engine where computations are drawn.
 *
 * A program on a machine whose communication takes f times as long runs as one whose Serial times are divided by f,
 * with all times then multiplied by f. So nothing of communication is left out: gaps, what an idle port has saved up,
 * losses, measured collectives, formulas and reductions take f times as long. */
#ifndef PEVPM_SIM_CALIBRATION_H
#define PEVPM_SIM_CALIBRATION_H

#include "sim/replicate.h"

#define CALIBRATION_LIST(X) X(launch) X(communication) X(computation)
enum calibration_part {
#define X(name) CALIBRATION_##name,
    CALIBRATION_LIST(X)
#undef X
    N_CALIBRATION_PARTS
};

/* later[0] ... later[*n - 1], in that order: the parts that the machine file knows and that are not 0. None where the
 * mode is not distribution, a single replication or the spread alone is wanted, or the replications cannot be run: the
 * prediction itself then says why. STATUS_OK, or STATUS_INTERRUPTED. All ranks call it and get the same. */
enum status calibration_later(const struct engine_setup *setup, const struct replicate_plan *plan,
                              struct replicate_later later[N_CALIBRATION_PARTS], size_t *n);

/* May one replication of the program compute for longer than another on the machine? */
bool work_differs(const struct program *program, const struct machine *machine);

/* "p5-p95 hold the spread of runs and a model error of 2.1 % of communication (28 runs here, 1142 elsewhere)", with
 * the runs that it was found from. NULL where the file knows no model error. The caller frees it. */
char *calibration_text(const struct machine *machine);

#endif
