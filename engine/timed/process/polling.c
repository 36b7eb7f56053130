#include "engine/timed/process/polling.h"

#include "engine/timed/process/call.h"
#include "engine/timed/process/collective.h"
#include "engine/timed/process/look.h"
#include "engine/timed/process/step.h"
#include "engine/timed/timed.h"

#include "common/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Before that there is hardly anything to gain. */
enum { LOOKS_BEFORE = 2 };
/* What a round has at most: steps (looks and computations), loops that it goes round, values that it sets, instructions. */
enum { STEPS_MOST = 8, LOOPS_MOST = 2, VALUES_MOST = 32, INSTRS_MOST = 64 };
/* A loop that goes round so often at least does so for ever: at a nanosecond a round, for 73 years. */
#define ENDLESS ((int64_t)1 << 61)
/* How often the stop flag is looked at. */
enum { LOOKS_PER_STOP = 1 << 14 };

struct step {
    const struct instr *instr;
    struct price *price; /* of a look: what it costs is of such a message; NULL: a computation, or a Region's clock */
    int64_t count;       /* of a test: how many of its requests are complete */
};

/* A round of one process, from behind the look by which it began to poll up to that look: the last step. */
struct polling {
    int32_t n_steps, n_loops;
    struct step step[STEPS_MOST];
    int32_t loop[LOOPS_MOST];     /* slots of loops, less by one behind each round */
    int32_t next;                 /* the step that its next turn is for: a look */
    int64_t rounds;               /* over, and not told to the loops */
    double until;                 /* as in struct timed_process, where it is when the process looks of itself */
    bool rests;                   /* its looks wake it from computing */
    const struct instr *refused;  /* of its looks in vain in a row: a look whose rounds are no such rounds */
};

struct pollings {
    struct turns resting;         /* of processes that poll and rest: when each wakes or looks next */
    double turn;                  /* when the last turn was that was noted, and the last process that had one then */
    int32_t turn_of;
    struct polling of[];          /* [numprocs] */
};

struct pollings *pollings_create(const struct program *program)
{
    if (!program->time_decides || program->tree->n_windows > 0)
        return NULL;
    const size_t numprocs = (size_t)program->numprocs;
    struct pollings *pollings = alloc_zeroed(1, sizeof *pollings + numprocs * sizeof(struct polling));
    turns_init(&pollings->resting, numprocs);
    return pollings;
}

void pollings_reset(struct timed *e)
{
    e->n_polling = 0;
    if (!e->pollings)
        return;
    turns_clear(&e->pollings->resting);
    e->pollings->turn = -INFINITY;
}

void pollings_destroy(struct pollings *pollings)
{
    if (pollings)
        turns_free(&pollings->resting);
    free(pollings);
}

/* ---- a round ---- */

static bool is_look(const struct instr *instr)
{
    return instr->op == INSTR_IPROBE || instr->op == INSTR_TEST || instr->op == INSTR_TESTALL ||
           instr->op == INSTR_TESTANY || instr->op == INSTR_TESTSOME;
}

/* Values that a round has set, as they were before. */
struct walk {
    int n_instrs, n_values;
    struct {
        int32_t slot;
        bool counts; /* down: a loop */
        struct value before;
    } value[VALUES_MOST];
};

static bool value_keep(struct walk *w, const struct timed_process *p, int32_t slot, bool counts)
{
    if (w->n_values == VALUES_MOST)
        return false;
    w->value[w->n_values].slot = slot;
    w->value[w->n_values].counts = counts;
    w->value[w->n_values++].before = p->slots[slot];
    return true;
}

static void values_restore(const struct walk *w, struct timed_process *p)
{
    for (int i = w->n_values; i-- > 0;)
        p->slots[w->value[i].slot] = w->value[i].before;
}

/* The next step, from pc on; what is before it is carried out. NULL: there is something that no round has. */
static const struct instr *step_find(struct timed *e, int32_t process, const struct instr *pc, struct walk *w)
{
    struct timed_process *p = &e->processes[process];
    struct value value;
    struct problem problem;
    while (w->n_instrs++ < INSTRS_MOST) {
        switch ((enum instr_op)pc->op) {
        case INSTR_NEXT:
            if (pc->has_variable || !value_keep(w, p, pc->slot, true))
                return NULL;
            pc = program_loop_again(pc, p->slots) ? &p->role->code[pc->target] : pc + 1;
            break;
        case INSTR_JUMP:
            pc = &p->role->code[pc->target];
            break;
        case INSTR_BRANCH:
            if (!operand_value(e->program, pc, process, p->slots, &value, &problem))
                return NULL;
            pc = value_is_true(value) ? pc + 1 : &p->role->code[pc->target];
            break;
        case INSTR_SET:
            if (!operand_value(e->program, pc, process, p->slots, &value, &problem) ||
                !value_keep(w, p, pc->slot, false))
                return NULL;
            p->slots[pc++->slot] = value;
            break;
        case INSTR_SERIAL:
            return pc->dynamic & DYNAMIC_SECONDS ? NULL : pc;
        case INSTR_SAMPLE: {
            const struct serial_ref *serial = &e->program->serials[pc->index];
            return serial->dynamic[0] || serial->dynamic[1] || !e->serials[pc->index].q ? NULL : pc;
        }
        case INSTR_ENTER:
        case INSTR_LEAVE:
            return pc;
        default:
            return is_look(pc) ? pc : NULL;
        }
    }
    return NULL;
}

/* The look finds nothing, and tells so. False: it finds something, or tells too much. */
static bool look_walk(struct timed *e, int32_t process, struct step *step, struct walk *w)
{
    struct timed_process *p = &e->processes[process];
    if (!look_is_vain(e, process, step->instr, &step->price, &step->count))
        return false;
    for (int key = 0; step->instr->binds && key < N_BIND_KEYS; key++)
        if (step->instr->bind[key] >= 0 && !value_keep(w, p, step->instr->bind[key], false))
            return false;
    bind_nothing(p, step->instr, step->count);
    return true;
}

static bool value_is_same(const struct value *a, const struct value *b)
{
    return a->kind == b->kind && (a->kind == VALUE_NONE || a->i == b->i);
}

static bool is_first_of_slot(const struct walk *w, int i)
{
    for (int j = 0; j < i; j++)
        if (w->value[j].slot == w->value[i].slot)
            return false;
    return true;
}

/* All values are as before the round, but for loops that never end. */
static bool values_are_same(const struct timed_process *p, const struct walk *w, struct polling *r)
{
    r->n_loops = 0;
    for (int i = 0; i < w->n_values; i++) {
        const struct value *before = &w->value[i].before, *after = &p->slots[w->value[i].slot];
        if (!is_first_of_slot(w, i) || value_is_same(before, after))
            continue;
        if (!w->value[i].counts || before->i - after->i != 1 || after->i < ENDLESS || r->n_loops == LOOPS_MOST)
            return false;
        r->loop[r->n_loops++] = w->value[i].slot;
    }
    return true;
}

/* The round behind that look, if nothing comes meanwhile. False: it is none. */
static bool round_walk(struct timed *e, int32_t process, const struct instr *look, struct polling *r, struct walk *w)
{
    const struct instr *pc = look;
    r->n_steps = 0;
    r->rests = false;
    do {
        pc = step_find(e, process, pc + 1, w);
        if (!pc || r->n_steps == STEPS_MOST)
            return false;
        struct step *step = &r->step[r->n_steps++];
        *step = (struct step){.instr = pc};
        if (is_look(pc) && !look_walk(e, process, step, w))
            return false;
        r->rests |= e->model->wake && (pc->op == INSTR_SERIAL || pc->op == INSTR_SAMPLE);
    } while (pc != look);
    return values_are_same(&e->processes[process], w, r);
}

static bool round_find(struct timed *e, int32_t process, const struct instr *look, struct polling *r)
{
    struct walk walk = {0};
    const bool found = round_walk(e, process, look, r, &walk);
    values_restore(&walk, &e->processes[process]);
    return found;
}

/* ---- its turns ---- */

/* A turn of the process at that time is before what happens now. */
static bool is_before_now(const struct timed *e, int32_t process, double time)
{
    const struct pollings *s = e->pollings;
    return time < e->now || (time == e->now && s->turn == time && s->turn_of > process);
}

/* From behind a step up to the next look. */
static void look_come(struct timed *e, int32_t process, struct polling *r)
{
    struct timed_process *p = &e->processes[process];
    const double since = p->clock;
    for (;;) {
        r->next = r->next + 1 < r->n_steps ? r->next + 1 : 0;
        const struct step *step = &r->step[r->next];
        if (step->price)
            break;
        step_alone(e, p, process, step->instr);
    }
    if (!r->rests)
        return;
    p->rest += p->clock - since;
    if (p->rest > 0)
        rest_note(e, process);
}

/* The process has its turn, at its clock: it wakes, or looks, and comes to the next look. */
static void turn(struct timed *e, int32_t process, struct polling *r)
{
    struct timed_process *p = &e->processes[process];
    const struct step *step = &r->step[r->next];
    if (r->rests && p->rest > 0) {
        const double now = p->clock;
        rest_end(e, process, step->instr, now);
        if (p->clock != now)
            return;
    }
    p->site = step->instr->site;
    p->left = r->until;
    p->call = p->clock;
    p->looks = true;
    look_end(e, process, step->price);
    r->until = p->clock;
    r->rounds += r->next == r->n_steps - 1;
    look_come(e, process, r);
    if (p->n_probed % LOOKS_PER_STOP == 0)
        timed_is_stopped(e);
}

void pollings_wake_before(struct timed *e)
{
    struct pollings *s = e->pollings;
    for (double time; (time = turns_first_time(&s->resting)) <= e->now && e->status == STATUS_OK;) {
        const int32_t first = turns_first(&s->resting);
        if (!is_before_now(e, first, time))
            return;
        turn(e, first, &s->of[first]);
        turns_set(&s->resting, first, e->processes[first].clock);
    }
}

static void catch_up(struct timed *e, int32_t process, struct polling *r)
{
    const struct timed_process *p = &e->processes[process];
    if (r->rests)
        pollings_wake_before(e);
    else
        while (is_before_now(e, process, p->clock) && e->status == STATUS_OK)
            turn(e, process, r);
}

void pollings_pass(struct timed *e, int32_t process)
{
    struct pollings *s = e->pollings;
    s->turn_of = s->turn == e->now && s->turn_of > process ? s->turn_of : process;
    s->turn = e->now;
}

/* ---- begin and end ---- */

/* Another look would change nothing. A rendezvous that has not started after this one waits for its other process: when that
 * comes to MPI it rouses this one. What was unread has been read. */
static bool nothing_waits(const struct timed_process *p)
{
    return p->first_full == NONE && p->first_joining == NONE;
}

/* When the first of its operations will be complete that was not when it looked; INFINITY: nobody knows. */
static double next_completion(const struct timed *e, const struct timed_process *p)
{
    double next = INFINITY;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
        const struct timed_operation *o = &e->operations[i];
        if (o->ready && o->completion > p->call)
            next = fmin(next, o->completion);
    }
    return next;
}

bool polling_begin(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    struct pollings *s = e->pollings;
    if (!s)
        return false;
    struct polling *r = &s->of[process];
    if (p->n_polls < LOOKS_BEFORE)
        r->refused = NULL;
    if (p->n_polls < LOOKS_BEFORE || r->refused == instr || !nothing_waits(p) ||
        collectives_can_progress(e, process))
        return false;
    if (!round_find(e, process, instr, r)) {
        r->refused = instr;
        return false;
    }
    r->rounds = 0;
    r->until = p->until;
    r->next = r->n_steps - 1;
    look_come(e, process, r);
    p->state = TIMED_POLLING;
    p->until = next_completion(e, p);
    e->n_polling++;
    if (r->rests)
        turns_set(&s->resting, process, p->clock);
    return true;
}

void polling_count(struct timed *e, int32_t process)
{
    struct polling *r = &e->pollings->of[process];
    for (int32_t i = 0; i < r->n_loops; i++)
        e->processes[process].slots[r->loop[i]].i -= r->rounds;
    r->rounds = 0;
}

/* The process stands at its next look, with the values that it has there. */
static void look_reach(struct timed *e, int32_t process, const struct polling *r)
{
    struct timed_process *p = &e->processes[process];
    struct walk walk = {0};
    const struct instr *pc = p->pc - 1;
    for (int32_t i = 0; i <= r->next; i++) {
        if (i > 0 && r->step[i - 1].price)
            bind_nothing(p, pc, r->step[i - 1].count);
        pc = step_find(e, process, pc + 1, &walk);
    }
    p->pc = pc;
}

void polling_end(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    struct polling *r = &e->pollings->of[process];
    catch_up(e, process, r);
    e->n_polling--;
    if (r->rests)
        turns_set(&e->pollings->resting, process, TURN_NEVER);
    polling_count(e, process);
    look_reach(e, process, r);
    const bool has_turn = p->until < TURN_NEVER;
    p->state = TIMED_READY;
    p->until = r->until;
    if (process == e->running)
        return;
    timed_turn_move(e, process, has_turn, p->clock);
}

bool pollings_fail(struct timed *e)
{
    for (int32_t process = 0; process < e->program->numprocs; process++) {
        const struct timed_process *p = &e->processes[process];
        if (p->state != TIMED_POLLING)
            continue;
        struct problem problem = {.status = STATUS_DEADLOCK, .site = p->site};
        snprintf(problem.text, sizeof problem.text,
                 "polls for ever: nothing that it looks for can come any more, since no other process can do anything");
        timed_fail(e, process, &problem);
        return true;
    }
    return false;
}
