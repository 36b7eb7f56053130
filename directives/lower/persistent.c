/* Persistent requests. An MPI_..._init keeps its operands in tables of the request's elements (KEPT_LIST), which are
 * variables like others: known before the run where they can be. A start is the nonblocking operation with what is kept
 * there, so that no engine knows of persistent requests. */
#include "directives/lower/lower_impl.h"

#include <stdio.h>
#include <stdlib.h>

/* What `made` holds of a request that has been freed. */
enum { MADE_FREED = -1 };

/* ---- elements of the tables ---- */

/* Expressions that no directive has are made once: code refers to the expression that it comes from, and code that is
 * equal, with the same expression, is kept once. */

/* value >= -1 */
static struct expr *literal_find(struct lowering *lowering, int64_t value)
{
    while (lowering->n_literals <= (size_t)(value + 1)) {
        lowering->literals = alloc_grow(lowering->literals, lowering->n_literals, &lowering->literals_capacity,
                                        sizeof *lowering->literals);
        lowering->literals[lowering->n_literals++] = NULL;
    }
    struct expr **literal = &lowering->literals[value + 1];
    if (!*literal) {
        *literal = arena_alloc(&lowering->program->memory, 1, sizeof **literal);
        **literal = (struct expr){.kind = EXPR_VALUE, .value = value_int(value), .depth = 1};
    }
    return *literal;
}

/* The elements of a request's tables at one number. */
static struct expr *elements_find(struct lowering *lowering, int name, int64_t number)
{
    const struct request_name *request = &lowering->tree->requests[name];
    struct kept_elements *kept = &lowering->kept[name];
    while (kept->n <= (size_t)number) {
        kept->list = alloc_grow(kept->list, kept->n, &kept->capacity, sizeof *kept->list);
        kept->list[kept->n++] = NULL;
    }
    if (!kept->list[number]) {
        struct expr **index = arena_alloc(&lowering->program->memory, 1, sizeof *index);
        index[0] = literal_find(lowering, number);
        kept->list[number] = arena_alloc(&lowering->program->memory, N_KEPT, sizeof **kept->list);
        kept_elements_make(kept->list[number], lowering->tree->variables[request->kept].at, request, index);
    }
    return kept->list[number];
}

/* What is known of which call made each element of a request. */
static const struct known_table *makers_known(const struct lowering *lowering, int name)
{
    return &lowering->scope.tables[lowering->tree->requests[name].kept + KEPT_made];
}

/* The value that all elements have which have one. False: they differ, or not all are known before the run. */
static bool table_agrees(const struct known_table *table, int64_t *value)
{
    bool found = false;
    for (int32_t i = 0; i < table->n; i++) {
        const struct known *known = &table->elements[i];
        if (!known->is_known || (found && known->value.kind != VALUE_NONE && known->value.i != *value))
            return false;
        if (known->value.kind != VALUE_NONE) {
            found = true;
            *value = known->value.i;
        }
    }
    return found;
}

/* One request that a directive names: an element known before the run, or number -1, which the run finds. */
struct subject {
    const struct stmt *stmt;
    const struct request *request;
    int64_t number;
    struct expr *element;    /* [N_KEPT] its own of each table */
};

/* "`r[2]` is <what>", at the directive that names it. */
static void subject_fail(struct lowering *lowering, const struct subject *subject, const char *what)
{
    const struct request *request = subject->request;
    char text[PROGRAM_TEXT_BYTES], unnamed[PROGRAM_TEXT_BYTES];
    const bool named = subject->number >= 0 && lowering->has_elements[request->name];
    snprintf(unnamed, sizeof unnamed, "`%s` is %s", lowering->tree->requests[request->name].text, what);
    expression_problem_print(text, sizeof text, unnamed,
                             named ? value_int(subject->number) : (struct value){VALUE_NONE, {0}});
    lower_fail(lowering, subject->stmt, &request->at, STATUS_RANGE, "%s", text);
}

/* False after a FAIL. */
static bool subject_find(struct lowering *lowering, const struct stmt *stmt, const struct request *request,
                         struct subject *subject)
{
    struct folded folded = {.kind = FOLD_KNOWN, .value = value_int(0)};
    *subject = (struct subject){.stmt = stmt, .request = request, .number = -1, .element = request->kept};
    if (request->index && !lower_fold(lowering, stmt, request->index, &folded))
        return false;
    if (folded.kind == FOLD_UNKNOWN)
        return true;
    if (!value_as_integer(folded.value, &subject->number) || subject->number < 0 || subject->number >= TABLE_MOST) {
        lower_fail(lowering, stmt, &request->index->at, STATUS_RANGE,
                   "the index of a persistent request is an integer from 0 to %d", TABLE_MOST - 1);
        return false;
    }
    subject->element = elements_find(lowering, request->name, subject->number);
    return true;
}

/* Calls `each` for all that the directive names: a bare name whose elements are made stands for those that were
 * made. */
static void subjects_visit(struct lowering *lowering, const struct stmt *stmt,
                           void (*each)(struct lowering *lowering, const struct subject *subject))
{
    for (int i = 0; i < stmt->message.n_requests && !lowering->dead; i++) {
        const struct request *request = &stmt->message.requests[i];
        struct subject subject;
        if (request->index || !lowering->has_elements[request->name]) {
            if (subject_find(lowering, stmt, request, &subject))
                each(lowering, &subject);
            continue;
        }
        const struct known_table *made = makers_known(lowering, request->name);
        bool any = false;
        subject = (struct subject){.stmt = stmt, .request = request};
        for (; subject.number < made->n && !lowering->dead; subject.number++) {
            const struct known *known = &made->elements[subject.number];
            if (known->is_known && known->value.kind == VALUE_NONE)
                continue;
            any = true;
            subject.element = elements_find(lowering, request->name, subject.number);
            each(lowering, &subject);
        }
        if (!any)
            lower_fail(lowering, stmt, &request->at, STATUS_RANGE, "no element of `%s` is made before",
                       lowering->tree->requests[request->name].text);
    }
}

/* ---- making and freeing ---- */

/* Set of an element of a kept table. */
static void keep(struct lowering *lowering, const struct subject *subject, enum kept_part what, struct expr *value)
{
    struct stmt set = {.kind = STMT_SET, .at = subject->stmt->at, .number = subject->stmt->number};
    set.set.variable = subject->element[what].index;
    set.set.element = subject->element[what].a[0];
    set.set.value = value;
    if (!lowering->dead)
        lower_set(lowering, &set);
}

/* What is known to be wrong is said where it is written, not where it is started. */
static bool check_known(struct lowering *lowering, const struct stmt *stmt, enum instr_op op, enum expr_key checked,
                        int32_t comm)
{
    char text[PROGRAM_TEXT_BYTES];
    struct folded folded;
    int64_t bytes;
    int32_t number;
    enum status status;
    const struct expr *expr = stmt->message.key[checked];
    if (!expr)
        return true;
    if (!lower_fold(lowering, stmt, expr, &folded))
        return false;
    if (folded.kind != FOLD_KNOWN)
        return true;
    if (checked == KEY_size)
        status = program_check_bytes(folded.value, &bytes, text);
    else if (checked == KEY_tag)
        status = program_check_tag(op, folded.value, &number, text);
    else
        status = program_check_peer(lowering->program, comm, op, folded.value, &number, text);
    if (status != STATUS_OK)
        lower_fail(lowering, stmt, &expr->at, status, "%s", text);
    return status == STATUS_OK;
}

void lower_make(struct lowering *lowering, const struct stmt *stmt, enum instr_op op, int32_t comm)
{
    const bool sends = message_op_sort(stmt->message.op) == SORT_made_send;
    const enum expr_key keys[] = {sends ? KEY_to : KEY_from, KEY_size, KEY_tag};
    static const enum kept_part kept[] = {KEPT_peer, KEPT_size, KEPT_tag};
    struct subject subject;
    if (!lower_executed_here(lowering, stmt, sends ? KEY_from : KEY_to, comm))
        return;
    for (int i = 0; i < 3; i++)
        if (!check_known(lowering, stmt, op, keys[i], comm))
            return;
    if (!subject_find(lowering, stmt, &stmt->message.requests[0], &subject))
        return;
    int32_t *made_in = &lowering->made_in[stmt->number];
    if (*made_in >= 0 && *made_in != comm) {
        lower_fail(lowering, stmt, NULL, STATUS_NOT_YET, "the requests of one directive are all of one communicator");
        return;
    }
    *made_in = comm;
    lower_site(lowering, stmt); /* before a Set makes it its own */
    for (int i = 0; i < 3; i++)
        if (stmt->message.key[keys[i]])
            keep(lowering, &subject, kept[i], stmt->message.key[keys[i]]);
    keep(lowering, &subject, KEPT_made, literal_find(lowering, stmt->number));
}

static void free_one(struct lowering *lowering, const struct subject *subject)
{
    keep(lowering, subject, KEPT_made, literal_find(lowering, MADE_FREED));
}

void lower_free(struct lowering *lowering, const struct stmt *stmt)
{
    lower_site(lowering, stmt);
    subjects_visit(lowering, stmt, free_one);
}

/* ---- starting ---- */

/* Starts it as what `maker` made. */
static void start_as(struct lowering *lowering, const struct subject *subject, const struct stmt *maker)
{
    static const enum instr_op instrs[] = {
#define X(name, sort, instr, keys, needed) INSTR_##instr,
        MESSAGE_LIST(X)
#undef X
    };
    const enum instr_op op = instrs[maker->message.op];
    const bool sends = message_op_sort(maker->message.op) == SORT_made_send;
    struct request own = *subject->request;
    struct stmt message = *subject->stmt;
    int32_t comm = lowering->made_in[maker->number];
    if (comm < 0 && !lower_find_comm(lowering, subject->stmt, maker->message.key[KEY_comm], &comm))
        return;
    if (!own.index && lowering->has_elements[own.name])
        own.index = literal_find(lowering, subject->number);
    message.message.n_requests = 1;
    message.message.requests = &own;
    message.message.key[sends ? KEY_to : KEY_from] = &subject->element[KEPT_peer];
    message.message.key[KEY_size] = maker->message.key[KEY_size] ? &subject->element[KEPT_size] : NULL;
    message.message.key[KEY_tag] = maker->message.key[KEY_tag] ? &subject->element[KEPT_tag] : NULL;
    const size_t begin = lowering->n_code;
    if (sends)
        lower_send(lowering, &message, op, comm);
    else
        lower_receive(lowering, &message, op, comm);
    const int32_t site = lower_site(lowering, maker);
    for (size_t i = begin; i < lowering->n_code && !lowering->dead; i++)
        lowering->code[i].target = site;
}

/* The run finds who made it: one BRANCH for each that may have. */
static void start_unknown(struct lowering *lowering, const struct subject *subject)
{
    int32_t exits = -1;
    struct expr *made = &subject->element[KEPT_made];
    for (int i = 0; i < lowering->tree->n_statements; i++) {
        const struct stmt *maker = lowering->makers[i];
        if (!maker || maker->message.requests[0].name != subject->request->name)
            continue;
        int32_t test = lower_equals(lowering, subject->stmt, made, i);
        if (lowering->dead)
            return;
        int32_t branch = (int32_t)lowering->n_code;
        lower_emit(lowering, INSTR_BRANCH, subject->stmt)->count = test;
        start_as(lowering, subject, maker);
        lowering->dead = false;
        int32_t jump = (int32_t)lowering->n_code;
        lower_emit(lowering, INSTR_JUMP, subject->stmt)->target = exits;
        exits = jump;
        lowering->code[branch].target = (int32_t)lowering->n_code;
    }
    subject_fail(lowering, subject, "started after it was freed");
    lowering->dead = false;
    lower_land(lowering, exits);
}

static void start_one(struct lowering *lowering, const struct subject *subject)
{
    struct folded made = {.kind = FOLD_KNOWN};
    const struct known_table *table = makers_known(lowering, subject->request->name);
    const bool agrees = subject->number < 0 && table_agrees(table, &made.value.i);
    if (!agrees)
        scope_fold(&lowering->scope, &subject->element[KEPT_made], &made);
    if (made.kind == FOLD_UNKNOWN)
        start_unknown(lowering, subject);
    else if (made.kind == FOLD_PROBLEM)
        subject_fail(lowering, subject, "started before it is made");
    else if (made.value.i == MADE_FREED)
        subject_fail(lowering, subject, "started after it was freed");
    else
        start_as(lowering, subject, lowering->makers[made.value.i]);
}

void lower_start(struct lowering *lowering, const struct stmt *stmt)
{
    lower_site(lowering, stmt);
    subjects_visit(lowering, stmt, start_one);
}
