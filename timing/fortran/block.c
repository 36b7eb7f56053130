#include "timing/fortran/block.h"

#include "host/fortran/classify.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- what leaves a statement ---- */

/* Statements first ... last, which are one: what jumps within them is theirs. */
struct whole {
    const struct fortran_text *text;
    size_t first, last;
};

static const char leaves[] = "this leaves the block";


static bool has_label(const struct whole *whole, long label)
{
    for (size_t i = whole->first + 1; i <= whole->last; i++)
        if (whole->text->list[i].label == label)
            return true;
    return false;
}

/* exit or cycle, of statement i, whose word is token `at`: of a construct within? */
static bool ends_inner(const struct whole *whole, size_t i, size_t at)
{
    const struct fortran_text *text = whole->text;
    const struct host_text *host = text->host;
    bool named = at + 1 < text->list[i].end;
    for (size_t k = text->list[i].outer; k != FORTRAN_NONE && k >= whole->first; k = text->list[k].outer) {
        const struct fortran_statement *outer = &text->list[k];
        bool loop = outer->kind == FORTRAN_DO || outer->kind == FORTRAN_CONCURRENT;
        if (!named && loop)
            return true;
        if (named && outer->name != FORTRAN_NONE) {
            const struct host_token *a = &host->tokens[at + 1], *b = &host->tokens[outer->name];
            if (a->n == b->n && memcmp(host->text + a->at, host->text + b->at, a->n) == 0)
                return true;
        }
    }
    return false;
}

static long label_of(const struct host_text *host, size_t i)
{
    const struct host_token *token = &host->tokens[i];
    return token->kind == HOST_NUMBER && token->value.kind == VALUE_INT ? (long)token->value.i : 0;
}

/* Whether token i of an action names a label to be jumped to: *label, 0: one that cannot be read. action: the first. */
static bool jumps(const struct host_text *host, size_t action, size_t i, size_t end, long *label)
{
    static const char *const input[] = {"read", "write", "open", "close", "inquire", "backspace", "rewind", "endfile",
                                        "flush", "wait", "print"};
    static const char *const branches[] = {"err", "end", "eor"};
    if (HOST_TOKEN_IS_ANY(host, action, input) && HOST_TOKEN_IS_ANY(host, i, branches) && i + 2 < end &&
        host_token_is(host, i + 1, "=")) {
        *label = label_of(host, i + 2);
        return true;
    }
    if (host_token_is(host, action, "call") && i > action && host_token_is(host, i, "*") && i + 2 < end &&
        (host_token_is(host, i - 1, "(") || host_token_is(host, i - 1, ",")) && label_of(host, i + 1) != 0) {
        *label = label_of(host, i + 1);
        return true;
    }
    return false;
}

/* goto LABEL, go to LABEL, goto10, goto (10, 20), n; an arithmetic if: the tokens from `i` on up to the first that is no
 * label and no mark between. False where a label lies outside, or is a variable. */
static bool labels_inside(const struct whole *whole, size_t i, size_t end)
{
    const struct host_text *host = whole->text->host;
    size_t n = 0;
    for (bool open = host_token_is(host, i, "("); i < end; i++) {
        if (open && host_token_is(host, i, ")"))
            break;
        if (host_token_is(host, i, "(") || host_token_is(host, i, ","))
            continue;
        if (label_of(host, i) == 0 || !has_label(whole, label_of(host, i)))
            return false;
        n++;
    }
    return n > 0;
}

static bool goes_to(const struct host_text *host, size_t i, size_t end, size_t *labels)
{
    *labels = host_token_is(host, i, "go") && i + 1 < end && host_token_is(host, i + 1, "to") ? i + 2 : i + 1;
    return *labels == i + 2 || host_token_is(host, i, "goto");
}

/* goto10, in fixed form. */
static long joined_goto(const struct host_text *host, size_t i, size_t end)
{
    const struct host_token *token = &host->tokens[i];
    const char *word = host->text + token->at;
    bool joined = i + 1 == end && token->kind == HOST_NAME && token->n > 4 && memcmp(word, "goto", 4) == 0;
    return joined && isdigit((unsigned char)word[4]) ? strtol(word + 4, NULL, 10) : 0;
}

/* call MPI_... that takes time to speak of. */
static bool calls_mpi(const struct host_text *host, size_t i, size_t end)
{
    static const char *const local[] = {"mpi_comm_rank", "mpi_comm_size"};
    return host_token_is(host, i, "call") && i + 1 < end && host->tokens[i + 1].n > 4 &&
           memcmp(host->text + host->tokens[i + 1].at, "mpi_", 4) == 0 && !HOST_TOKEN_IS_ANY(host, i + 1, local);
}

static const char *action_stops(const struct whole *whole, size_t i, size_t at, bool alone)
{
    const struct fortran_statement *s = &whole->text->list[i];
    const struct host_text *host = whole->text->host;
    size_t labels;
    long label;
    if (host_token_is(host, at, "return"))
        return leaves;
    if ((host_token_is(host, at, "exit") || host_token_is(host, at, "cycle")) && !ends_inner(whole, i, at))
        return leaves;
    if (alone && (host_token_is(host, at, "stop") || host_token_is(host, at, "error")))
        return leaves;
    if (calls_mpi(host, at, s->end))
        return "an MPI call is no Serial time: is its directive missing?";
    if (goes_to(host, at, s->end, &labels) && !labels_inside(whole, labels, s->end))
        return leaves;
    if ((label = joined_goto(host, at, s->end)) != 0 && !has_label(whole, label))
        return leaves;
    bool arithmetic = at > s->first && host->tokens[at].kind == HOST_NUMBER;
    if (arithmetic && !labels_inside(whole, at, s->end))
        return leaves;
    for (size_t k = at; k < s->end; k++)
        if (jumps(host, at, k, s->end, &label) && !has_label(whole, label))
            return leaves;
    return NULL;
}

/* Why statement i of a whole one cannot be timed; NULL: it can. *stop: where. */
static const char *statement_stops(const struct whole *whole, size_t i, size_t *stop)
{
    const struct fortran_statement *s = &whole->text->list[i];
    *stop = s->from;
    switch (s->kind) {
    case FORTRAN_CONDITION: return "conditional compilation starts or ends";
    case FORTRAN_INCLUDE: return "what is included here is not read";
    case FORTRAN_ENTRY: return "the procedure is also entered here";
    case FORTRAN_EXECUTES: break;
    default: return NULL;
    }
    size_t at = fortran_action(whole->text, s);
    if (at >= s->end || fortran_is_assignment(whole->text->host, at, s->end))
        return NULL;
    *stop = whole->text->host->tokens[at].at;
    return action_stops(whole, i, at, i == whole->first && at == s->first);
}

/* ---- the block ---- */

struct finding {
    const struct fortran_text *text;
    struct timed_block block;
    size_t outer, unit;
    bool prefixed;         /* a compiler's directive has come whose end may follow */
};

/* Statement i does not stand beside the first one, or closes what they stand in. */
static bool block_ends(const struct finding *f, const struct fortran_statement *s)
{
    switch (s->kind) {
    case FORTRAN_END: case FORTRAN_PART: case FORTRAN_END_UNIT: case FORTRAN_CONTAINS: case FORTRAN_UNIT:
    case FORTRAN_SEPARATE: case FORTRAN_END_REGION: return true;
    default: return s->unit != f->unit || s->outer != f->outer;
    }
}

/* Why statement i, beside the first one, ends what is timed. */
static const char *level_stops(const struct finding *f, size_t i, bool ends_loop, size_t *stop)
{
    const struct fortran_statement *s = &f->text->list[i];
    *stop = s->from;
    if (s->kind == FORTRAN_DECLARES || s->kind == FORTRAN_DEFINITION)
        return "declarations stand here";
    if (ends_loop)
        return "a loop ends with this statement";
    if (s->last != i && f->outer != FORTRAN_NONE && f->text->list[f->outer].last == s->last)
        return "the loop around this one ends with the same statement";
    if (s->label != 0 && s->kind != FORTRAN_FORMAT)
        return "this label is jumped to";
    const struct whole whole = {f->text, i, s->last};
    for (size_t k = i; k <= s->last; k++) {
        const char *reason = statement_stops(&whole, k, stop);
        if (reason)
            return reason;
    }
    return NULL;
}

/* The last statement of loops around: its label says so. */
static bool ends_outer_loop(const struct fortran_text *text, size_t i)
{
    size_t outer = text->list[i].outer;
    return outer != FORTRAN_NONE && text->list[outer].last == i;
}

/* Takes statement i; returns the next one, FORTRAN_NONE: nothing more is timed. */
static size_t take(struct finding *f, size_t i, size_t end)
{
    const struct fortran_statement *s = &f->text->list[i];
    bool ends_loop = ends_outer_loop(f->text, i);
    if (block_ends(f, s) || (ends_loop && host_token_is(f->text->host, s->first, "continue")))
        return FORTRAN_NONE;
    if (s->kind == FORTRAN_PREFIX) {
        f->prefixed = true;
        return i + 1;
    }
    if (s->kind == FORTRAN_END_PREFIX) {
        if (!f->prefixed)
            return FORTRAN_NONE;
        f->prefixed = false;
        f->block.end = s->to;
        return i + 1;
    }
    if (s->last == FORTRAN_NONE || f->text->list[s->last].to > end)
        return FORTRAN_NONE;
    f->block.reason = level_stops(f, i, ends_loop, &f->block.stop);
    if (f->block.reason)
        return FORTRAN_NONE;
    if (s->kind != FORTRAN_FORMAT && s->kind != FORTRAN_DATA)
        f->block.end = f->text->list[s->last].to;
    return s->last + 1;
}

/* Whether statement i is the next one to be taken: the end of a compiler's directive is, even behind the next one of
 * ours. */
static bool goes_on(const struct finding *f, size_t i, size_t end)
{
    return i < f->text->n && (f->text->list[i].from < end ||
                              (f->prefixed && f->block.end > f->block.begin &&
                               f->text->list[i].kind == FORTRAN_END_PREFIX));
}

/* Declarations follow in the same part: nothing is executed before them. */
static bool declarations_follow(const struct fortran_text *text, size_t i)
{
    const struct fortran_statement *s = &text->list[i];
    for (size_t k = i; k < text->n && text->list[k].unit == s->unit; k++)
        if (text->list[k].outer == s->outer && text->list[k].kind == FORTRAN_DECLARES)
            return true;
    return false;
}

/* Why no call may stand before statement i; NULL: one may. */
static const char *place_refused(struct fortran_files *files, const struct fortran_text *text, size_t i)
{
    const struct fortran_statement *s = &text->list[i];
    if (i > 0 && text->list[i - 1].outer == s->outer && text->list[i - 1].kind == FORTRAN_PREFIX)
        return "no statement starts here (a compiler's directive stands above)";
    if (declarations_follow(text, i) || fortran_is_statement_function(files, text, i))
        return "declarations stand here";
    for (size_t k = s->outer; k != FORTRAN_NONE; k = text->list[k].outer)
        if (text->list[k].kind == FORTRAN_MASK || text->list[k].kind == FORTRAN_CONCURRENT)
            return "no call may stand in where, forall and do concurrent";
    return NULL;
}

/* Why code in a unit has no timing calls; NULL: it may. */
static const char *unit_refused(const struct fortran_text *text, size_t i)
{
    static const char outside[] = "the code stands outside any procedure";
    const struct fortran_statement *s = &text->list[i];
    if (s->unit == FORTRAN_NONE)
        return outside;
    const struct fortran_unit *unit = &text->units[s->unit];
    if (!unit->procedure || unit->interface || (unit->contains != FORTRAN_NONE && i > unit->contains))
        return outside;
    for (size_t k = s->outer; k != FORTRAN_NONE; k = text->list[k].outer)
        if (text->list[k].kind == FORTRAN_DEFINITION)
            return outside;
    if (unit->pure)
        return "the procedure is pure or elemental, and may call no timer";
    if (!fortran_branch_in(text, s->branch, text->list[unit->first].branch))
        return "the first statement of this procedure is compiled on another condition";
    return NULL;
}

struct timed_block fortran_block_find(struct fortran_files *files, const struct fortran_text *text, size_t begin,
                                      size_t end)
{
    size_t first = fortran_statement_at(text, begin);
    while (first < text->n && text->list[first].kind == FORTRAN_END_PREFIX) /* of the loop above the directive */
        first++;
    struct timed_block block = {.begin = end, .end = end, .stop = end};
    if (first >= text->n || text->list[first].from >= end)
        return block;
    const struct fortran_statement *s = &text->list[first];
    struct finding f = {.text = text, .block = {.begin = s->from, .end = s->from, .stop = s->from},
                        .outer = s->outer, .unit = s->unit};
    for (size_t i = first; goes_on(&f, i, end);)
        i = take(&f, i, end);
    f.block.refused = unit_refused(text, first);
    if (!f.block.refused) {
        f.block.refused = place_refused(files, text, first);
        f.block.refused_there = f.block.refused;
    }
    return f.block;
}
