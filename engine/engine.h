/* engine.h - the virtual parallel machine: runs a lowered program on a cost model, many replications at a time.
 *
 * Two engines follow the same rules (docs/ARCHITECTURE.md, "Rules for one message") and agree bit for bit:
 *   reference  one replication at a time with plain lists and direct table look-ups: slow and obvious; tests trust it
 *   lanes      a batch of replications walks the program together; every clock is an array of lanes
 * The two alternate a sweep (each process runs, in rank order, until it needs a message that has no arrival time yet)
 * with a match (all messages put on the contention scoreboard since the last match are sampled at level k = messages
 * then on the board). What happens next never depends on a clock, so all lanes take the same path.
 *
 * Where time decides what happens next (program->time_decides), and where losses or a timeline are asked for, a third
 * runs:
 *   timed      one replication at a time, whatever is first in time first
 * It gives the same bits for a program that the others run too, but where they mark a replication as out of order, or
 * the model asks for the order of time (in_time_by), which only it can. Where a sweep gives no levels, a message's level is the number of messages on
 * the board when the message can reach its receiver at the earliest.
 *
 * Replication r of seed s is the same whatever engine, batch width, thread or rank runs it: its random numbers are
 * functions of (s, r, process, draw, stream) only (random.h). */
#ifndef PEVPM_ENGINE_ENGINE_H
#define PEVPM_ENGINE_ENGINE_H

#include "collectives/selection.h"
#include "common/diag.h"
#include "common/status.h"
#include "directives/program.h"
#include "engine/beyond.h"
#include "engine/ledger.h"
#include "engine/region.h"
#include "models/cost.h"
#include "models/machine.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* AUTO: the fastest that can run the setup. */
enum engine_kind { ENGINE_AUTO, ENGINE_LANES, ENGINE_REFERENCE, ENGINE_TIMED };
const char *engine_name(enum engine_kind kind);

/* The loop in which a replication is that takes long. */
struct slow_loop {
    const struct program *program;
    int32_t process, site;             /* of program->sites: the loop */
    bool endless;                      /* a Loop while, of which nobody knows when it ends */
    int64_t rounds;                    /* that it has begun; of any other loop: that it has not ended yet */
    double seconds;                    /* of wall time that the replication has taken so far */
};

/* Whom to tell of a replication, or a batch of them, that takes longer than `period`: once, whereupon it goes on. From
 * the thread that runs the engine. */
struct engine_watch {
    double period;                     /* s of wall time */
    void (*tell)(void *context, const struct slow_loop *loop);
    void *context;
};

/* What to run; everything is borrowed and must outlive the engine. Engines write to nothing but `beyond`, which takes
 * care itself, so threads may share it. */
struct engine_setup {
    const struct program *program;
    const struct cost_model *model;
    const struct machine *machine;     /* Serial: measured(NAME), node_time_factor */
    enum cost_mode mode;               /* average, minimum: a Serial drawn from a distribution takes its average */
    uint64_t seed;
    enum mpi_library library;          /* whose table chooses the algorithms of collectives; whose MPI_Bsend waits */
    bool unconnected;                  /* ENGINE_TIMED, where the model asks for it and the machine file tells what it takes: no
                                        * two processes have spoken before, as after MPI_Init; false: all have */
    bool same_work;                    /* ENGINE_TIMED: the computations of all replications are those of number `work`; */
    uint32_t work;                     /* what happens to messages is each one's own */
    const struct coll_table *decisions; /* which libpevpm-coll carries out; NULL: the program runs without it */
    const struct ledger *ledger;       /* ENGINE_TIMED tells it what happens; NULL: nobody listens */
    struct beyond *beyond;             /* takes what was asked for and not measured; NULL: nobody wants to know */
    const volatile sig_atomic_t *stop; /* soon after this is non-zero the run ends with STATUS_INTERRUPTED; NULL:
                                        * never */
    const struct engine_watch *watch;  /* NULL: nobody */
};

/* One replication's result. */
struct outcome {
    double time;           /* s, when the last process ends */
    double serial;         /* s, Serial time of all processes added up */
    bool inversion;        /* another order than that of time (docs/ARCHITECTURE.md, section 6): ENGINE_TIMED may have
                            * another result, and the right one. ENGINE_TIMED never sets it */
};

/* The same for all replications of a setup. */
struct engine_totals {
    uint64_t messages;     /* sent by all processes in one replication */
    uint64_t unreceived;   /* of those, never received */
    int level_most[N_TRANSPORTS]; /* highest level that a message which went that way was sampled at */
    int64_t largest[N_TRANSPORTS]; /* bytes of the largest message that did; -1: none did */
};

struct engine;

/* A batch of up to `lanes` replications (reference, timed: always 1). kind: not AUTO. lanes is 1, or a multiple of 8 up
 * to ENGINE_LANES_MOST. */
enum { ENGINE_LANES_MOST = 64 };
struct engine *engine_create(enum engine_kind kind, const struct engine_setup *setup, int lanes);
void engine_destroy(struct engine *engine);

/* Runs replications first ... first + n - 1 (n <= lanes).
 *   outcome [n]  out; written on STATUS_OK
 *   totals       out; written on STATUS_OK; may be NULL
 * STATUS_DEADLOCK     each blocked process with its line, and the cycle, is in diags
 * STATUS_RANGE, ...   an operand that is out of range, or a directive that cannot be simulated yet, at the process that
 *                     met it
 * STATUS_NOT_YET      also: the engine does not serve the machine (engine_serves)
 * STATUS_INTERRUPTED  the stop flag was set; nothing in diags
 * After any status the engine can run again. */
enum status engine_run(struct engine *engine, uint32_t first, int n, struct outcome outcome[],
                       struct engine_totals *totals, struct diags *diags);

/* The times of the program's regions in the i-th replication of the last run that was STATUS_OK, as region.h lays them
 * out: [region_numbers]. Until the next run. */
const double *engine_regions(const struct engine *engine, int i);

/* The engine that will run this setup where `asked` is asked for: what time decides only ENGINE_TIMED can run. Never
 * AUTO. */
enum engine_kind engine_choose(const struct engine_setup *setup, enum engine_kind asked);

/* Whether an engine that engine_choose gave knows the rules of this machine's ports. STATUS_NOT_YET: it does not, and
 * would simulate another network; engine_run says the same. */
enum status engine_serves(const struct engine_setup *setup, enum engine_kind kind, struct diags *diags);

/* The batch width that suits this setup when `replications` are wanted: wide enough for the vector units, narrow enough
 * for memory. */
int engine_lanes_for(const struct engine_setup *setup, uint64_t replications);

#endif
