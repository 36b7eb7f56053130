#include "directives/lower/lower_impl.h"


#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *lower_what(const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_LOOP:
    case STMT_WHILE:
        return "Loop";
    case STMT_RUNON:
        return stmt->runon.is_assert ? "Assert" : "Runon";
    case STMT_REGION:
        return "Region";
    case STMT_FAIL:
        return "Assert";
    case STMT_MESSAGE:
        return message_op_name(stmt->message.op);
    case STMT_COLLECTIVE:
        return collective_op_name(stmt->collective.op);
    case STMT_SERIAL:
        return "Serial";
    case STMT_SET:
    case STMT_MAKE:
        return "Set";
    case STMT_CALL:
        return "Call";
    }
    return "";
}

const struct place *lower_row_place(const struct stmt *stmt, int row)
{
    const struct serial *serial = &stmt->serial.rows[row];
    if (row == 0)
        return &stmt->at;
    if (serial->machine)
        return &serial->machine_at;
    return serial->n > 0 ? &serial->a[0]->at : &stmt->at;
}

/* ---- which variables a statement may assign ---- */

/* What a procedure assigns, found by repetition because procedures may call each other. */
struct procedures {
    size_t n;
    const struct procedure **list;
    uint64_t *assigned; /* [n][words] */
};

static uint64_t *procedure_bits(const struct lowering *lowering, const struct procedures *procedures,
                                const struct procedure *procedure)
{
    for (size_t i = 0; i < procedures->n; i++)
        if (procedures->list[i] == procedure)
            return procedures->assigned + i * lowering->words;
    assert(false && "a call of a procedure that the tree does not have");
    return NULL;
}

static void add_bit(uint64_t *bits, int variable)
{
    if (variable >= 0)
        bits[variable / 64] |= UINT64_C(1) << (variable % 64);
}

static void add_bits(const struct lowering *lowering, uint64_t *bits, const uint64_t *more)
{
    for (size_t i = 0; i < lowering->words; i++)
        bits[i] |= more[i];
}

/* It gives values to the tables of its requests. */
static bool keeps(enum message_op op)
{
    enum message_sort sort = message_op_sort(op);
    return sort == SORT_made_send || sort == SORT_made_receive || sort == SORT_free;
}

static void add_kept(const struct lowering *lowering, uint64_t *bits, const struct message *message)
{
    for (int i = 0; i < message->n_requests; i++)
        for (int k = 0; k < N_KEPT; k++)
            add_bit(bits, lowering->tree->requests[message->requests[i].name].kept + k);
}

static void scan_assigned(struct lowering *lowering, const struct procedures *procedures, const struct block *block,
                          uint64_t *all)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        uint64_t *bits = lowering->assigned + (size_t)stmt->number * lowering->words;
        const struct block *inner;
        for (int i = 0; (inner = stmt_block(stmt, i)); i++)
            scan_assigned(lowering, procedures, inner, bits);
        switch (stmt->kind) {
        case STMT_MESSAGE:
            for (int i = 0; i < N_BIND_KEYS; i++)
                add_bit(bits, stmt->message.bind[i]);
            if (keeps(stmt->message.op))
                add_kept(lowering, bits, &stmt->message);
            break;
        case STMT_SET:
            add_bit(bits, stmt->set.variable);
            break;
        case STMT_MAKE:
            add_bit(bits, stmt->make.variable);
            add_bit(bits, (int)lowering->tree->n_variables);
            break;
        case STMT_CALL:
            add_bits(lowering, bits, procedure_bits(lowering, procedures, stmt->call.procedure));
            break;
        case STMT_COLLECTIVE:
            if (collective_op_has_shares(stmt->collective.op))
                add_bit(bits, (int)lowering->tree->n_variables);
            break;
        default:
            break;
        }
        add_bits(lowering, all, bits);
    }
}

static void find_assigned(struct lowering *lowering)
{
    const struct tree *tree = lowering->tree;
    struct procedures procedures = {0, NULL, NULL};
    lowering->words = tree->n_variables / 64 + 1;
    lowering->assigned = alloc_zeroed((size_t)tree->n_statements, lowering->words * sizeof *lowering->assigned);
    for (const struct procedure *p = tree->procedures; p; p = p->next)
        procedures.n++;
    procedures.list = alloc_array(procedures.n, sizeof *procedures.list);
    procedures.assigned = alloc_zeroed(procedures.n, lowering->words * sizeof *procedures.assigned);
    size_t bytes = lowering->words * sizeof(uint64_t), n = 0;
    for (const struct procedure *p = tree->procedures; p; p = p->next)
        procedures.list[n++] = p;
    uint64_t *before = alloc_array(lowering->words, sizeof *before), *all = alloc_zeroed(lowering->words, sizeof *all);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < procedures.n; i++) {
            uint64_t *bits = procedures.assigned + i * lowering->words;
            memcpy(before, bits, bytes);
            scan_assigned(lowering, &procedures, &procedures.list[i]->body, bits);
            changed = changed || memcmp(before, bits, bytes) != 0;
        }
    }
    scan_assigned(lowering, &procedures, &tree->program, all);
    lowering->gathers = all[tree->n_variables / 64] >> (tree->n_variables % 64) & 1;
    free(before);
    free(all);
    free(procedures.list);
    free(procedures.assigned);
}

bool lower_assigns(const struct lowering *lowering, const struct stmt *stmt, int variable)
{
    const uint64_t *bits = lowering->assigned + (size_t)stmt->number * lowering->words;
    return bits[variable / 64] >> (variable % 64) & 1;
}

bool lower_matters(const struct lowering *lowering, const struct stmt *stmt)
{
    const uint64_t *bits = lowering->assigned + (size_t)stmt->number * lowering->words;
    for (size_t i = 0; i < lowering->words; i++)
        if (bits[i] != 0)
            return true;
    return false;
}

/* ---- Serial lines for this machine ---- */

static void error(struct lowering *lowering, enum status status)
{
    if (lowering->status == STATUS_OK)
        lowering->status = status;
}

static void report_no_row(struct lowering *lowering, const struct stmt *stmt)
{
    size_t length = 1;
    for (int i = 0; i < stmt->serial.n; i++)
        length += strlen(stmt->serial.rows[i].machine) + 2;
    char *names = alloc_zeroed(length, 1), *end = names;
    for (int i = 0; i < stmt->serial.n; i++) {
        if (i > 0)
            end = stpcpy(end, ", ");
        end = stpcpy(end, stmt->serial.rows[i].machine);
    }
    diag_error(lowering->diags, stmt->at,
               "no Serial line for machine `%s` (found: %s); add one, or one without `on`",
               lowering->options->machine ? lowering->options->machine : "", names);
    free(names);
    error(lowering, STATUS_NAME);
}

static void choose_row(struct lowering *lowering, const struct stmt *stmt)
{
    const char *machine = lowering->options->machine;
    int chosen = -1;
    for (int i = 0; i < stmt->serial.n; i++) {
        const struct serial *row = &stmt->serial.rows[i];
        if (row->machine && machine && strcmp(row->machine, machine) == 0) {
            chosen = i;
            break;
        }
        if (!row->machine && chosen < 0)
            chosen = i;
    }
    lowering->row[stmt->number] = chosen;
    if (chosen < 0)
        report_no_row(lowering, stmt);
}

static void note_started(struct lowering *lowering, int n, const struct request requests[])
{
    for (int i = 0; i < n; i++)
        if (requests[i].index)
            lowering->has_elements[requests[i].name] = true;
}

/* Of the requests that are complete, it may take one or some. */
static bool chooses(enum message_op op)
{
    return op == MESSAGE_MPI_Waitany || op == MESSAGE_MPI_Waitsome || op == MESSAGE_MPI_Testany ||
           op == MESSAGE_MPI_Testsome;
}

static void scan_block(struct lowering *lowering, const struct block *block)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        assert(stmt->number >= 0 && stmt->number < lowering->tree->n_statements);
        const struct block *inner;
        for (int i = 0; (inner = stmt_block(stmt, i)); i++)
            scan_block(lowering, inner);
        switch (stmt->kind) {
        case STMT_SERIAL:
            choose_row(lowering, stmt);
            break;
        case STMT_MESSAGE:
            if (message_op_has_request(stmt->message.op) || keeps(stmt->message.op))
                note_started(lowering, stmt->message.n_requests, stmt->message.requests);
            if (keeps(stmt->message.op) && stmt->message.op != MESSAGE_MPI_Request_free)
                lowering->makers[stmt->number] = stmt, lowering->makes = true;
            if (chooses(stmt->message.op))
                lowering->chooses = true;
            break;
        case STMT_COLLECTIVE:
            note_started(lowering, stmt->collective.n_requests, stmt->collective.requests);
            break;
        default:
            break;
        }
    }
}

void lower_scan(struct lowering *lowering)
{
    const struct tree *tree = lowering->tree;
    lowering->row = alloc_array((size_t)tree->n_statements, sizeof *lowering->row);
    lowering->makers = alloc_zeroed((size_t)tree->n_statements, sizeof *lowering->makers);
    lowering->has_elements = alloc_zeroed(tree->n_requests, sizeof *lowering->has_elements);
    scan_block(lowering, &tree->program);
    for (const struct procedure *p = tree->procedures; p; p = p->next)
        scan_block(lowering, &p->body);
    for (size_t r = 0; r < tree->n_requests; r++)
        for (int k = 0; k < N_KEPT && tree->requests[r].kept >= 0; k++)
            lowering->scope.tables[tree->requests[r].kept + k].is_one = !lowering->has_elements[r];
    find_assigned(lowering);
}
