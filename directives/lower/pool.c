#include "directives/lower/lower_impl.h"

#include <assert.h>
#include <string.h>

/* The largest index an array of the program can have. */
static int32_t next_index(int32_t n)
{
    assert(n < INT32_MAX);
    return n;
}

/* ---- sites ---- */

struct site_key {
    const struct lowering *lowering;
    struct site site;
};

static bool same_site(const void *context, int32_t id)
{
    const struct site_key *key = context;
    const struct site *a = &key->site, *b = &key->lowering->program->sites[id];
    return a->statement == b->statement && a->at.line == b->at.line && a->at.column == b->at.column &&
           a->at.width == b->at.width && a->what == b->what;
}

int32_t lower_site_at(struct lowering *lowering, const struct stmt *stmt, const struct place *at)
{
    struct program *program = lowering->program;
    struct site_key key = {lowering, {*at, stmt->number, lower_what(stmt)}};
    int64_t words[] = {stmt->number, at->line, at->column, at->width};
    uint64_t hash = intern_hash(0, words, sizeof words);
    int32_t id = intern_find(&lowering->sites_index, hash, same_site, &key);
    if (id >= 0)
        return id;
    id = next_index(program->n_sites);
    program->sites = alloc_grow(program->sites, (size_t)id, &lowering->sites_capacity, sizeof *program->sites);
    program->sites[program->n_sites++] = key.site;
    intern_add(&lowering->sites_index, hash, id);
    return id;
}

int32_t lower_site(struct lowering *lowering, const struct stmt *stmt)
{
    int32_t *site = &lowering->site_of[stmt->number];
    if (*site < 0) {
        const struct place *at = &stmt->at;
        if (stmt->kind == STMT_SERIAL)
            at = lower_row_place(stmt, lowering->row[stmt->number]);
        *site = lower_site_at(lowering, stmt, at);
    }
    return *site;
}

/* ---- requests: runs of them, found by their first and number ---- */

struct requests_key {
    const struct lowering *lowering;
    size_t n;
    const struct request_ref *requests;
};

static bool same_request(const struct request_ref *a, const struct request_ref *b)
{
    return a->name == b->name && a->index_expr == b->index_expr && a->index == b->index && a->whole == b->whole;
}

static bool same_requests(const void *context, int32_t id)
{
    const struct requests_key *key = context;
    const struct program *program = key->lowering->program;
    if (key->n > (size_t)(program->n_requests - id))
        return false;
    for (size_t i = 0; i < key->n; i++)
        if (!same_request(&key->requests[i], &program->requests[(size_t)id + i]))
            return false;
    return true;
}

int32_t lower_requests(struct lowering *lowering, size_t n, const struct request_ref requests[])
{
    if (lowering->dry)
        return 0;
    struct program *program = lowering->program;
    struct requests_key key = {lowering, n, requests};
    uint64_t hash = intern_hash(0, &n, sizeof n);
    for (size_t i = 0; i < n; i++) {
        int64_t words[] = {requests[i].name, requests[i].index_expr, requests[i].index, requests[i].whole};
        hash = intern_hash(hash, words, sizeof words);
    }
    int32_t id = intern_find(&lowering->requests_index, hash, same_requests, &key);
    if (id >= 0)
        return id;
    id = next_index(program->n_requests);
    for (size_t i = 0; i < n; i++) {
        program->requests = alloc_grow(program->requests, (size_t)program->n_requests,
                                       &lowering->pool_requests_capacity, sizeof *program->requests);
        program->requests[next_index(program->n_requests)] = requests[i];
        program->n_requests++;
    }
    intern_add(&lowering->requests_index, hash, id);
    return id;
}

/* ---- computations whose time is drawn ---- */

struct serial_key {
    const struct lowering *lowering;
    const struct serial_ref *serial;
};

static bool same_serial(const void *context, int32_t id)
{
    const struct serial_key *key = context;
    const struct serial_ref *a = key->serial, *b = &key->lowering->program->serials[id];
    if (a->site != b->site || a->kind != b->kind || a->measured != b->measured || a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (a->dynamic[i] != b->dynamic[i] || a->expr[i] != b->expr[i] ||
            memcmp(&a->a[i], &b->a[i], sizeof a->a[i]) != 0)
            return false;
    return true;
}

int32_t lower_serial_ref(struct lowering *lowering, const struct serial_ref *serial)
{
    if (lowering->dry)
        return 0;
    struct program *program = lowering->program;
    struct serial_key key = {lowering, serial};
    uint64_t hash = intern_hash((uint64_t)serial->site, serial->a, sizeof serial->a);
    hash = intern_hash(hash, serial->expr, sizeof serial->expr);
    int32_t id = intern_find(&lowering->serials_index, hash, same_serial, &key);
    if (id >= 0)
        return id;
    id = next_index(program->n_serials);
    program->serials = alloc_grow(program->serials, (size_t)id, &lowering->serials_capacity, sizeof *program->serials);
    program->serials[program->n_serials++] = *serial;
    intern_add(&lowering->serials_index, hash, id);
    return id;
}

/* ---- collective operations ---- */

struct collective_key {
    const struct lowering *lowering;
    const struct collective_ref *collective;
};

static bool same_collective(const void *context, int32_t id)
{
    const struct collective_key *key = context;
    const struct collective_ref *a = key->collective, *b = &key->lowering->program->collectives[id];
    return a->op == b->op && a->comm == b->comm && a->site == b->site && a->algorithm == b->algorithm &&
           a->root == b->root && a->root_expr == b->root_expr && a->bytes == b->bytes &&
           a->bytes_expr == b->bytes_expr && a->shares == b->shares && a->pairs == b->pairs;
}

int32_t lower_collective_ref(struct lowering *lowering, const struct collective_ref *collective)
{
    if (lowering->dry)
        return 0;
    struct program *program = lowering->program;
    struct collective_key key = {lowering, collective};
    int64_t words[] = {collective->comm,      collective->site,       collective->root,
                       collective->root_expr, collective->bytes,      collective->bytes_expr,
                       (int64_t)(intptr_t)collective->shares, (int64_t)(intptr_t)collective->pairs};
    uint64_t hash = intern_hash((uint64_t)collective->op, words, sizeof words);
    int32_t id = intern_find(&lowering->collectives_index, hash, same_collective, &key);
    if (id >= 0)
        return id;
    id = next_index(program->n_collectives);
    program->collectives = alloc_grow(program->collectives, (size_t)id, &lowering->collectives_capacity,
                                      sizeof *program->collectives);
    program->collectives[program->n_collectives++] = *collective;
    intern_add(&lowering->collectives_index, hash, id);
    return id;
}

/* ---- failures ---- */

struct failure_key {
    const struct lowering *lowering;
    enum status status;
    int32_t site;
    const char *text;
};

static bool same_failure(const void *context, int32_t id)
{
    const struct failure_key *key = context;
    const struct failure *other = &key->lowering->program->failures[id];
    return key->site == other->site && key->status == other->status && strcmp(key->text, other->text) == 0;
}

int32_t lower_failure(struct lowering *lowering, enum status status, int32_t site, const char *text)
{
    if (lowering->dry)
        return 0;
    struct program *program = lowering->program;
    struct failure_key key = {lowering, status, site, text};
    size_t length = strlen(text);
    uint64_t hash = intern_hash((uint64_t)site, text, length);
    int32_t id = intern_find(&lowering->failures_index, hash, same_failure, &key);
    if (id >= 0)
        return id;
    id = next_index(program->n_failures);
    program->failures = alloc_grow(program->failures, (size_t)id, &lowering->failures_capacity,
                                   sizeof *program->failures);
    program->failures[program->n_failures++] = (struct failure){
        status, site, lowering->scope.process, arena_string_n(&program->memory, text, length)};
    intern_add(&lowering->failures_index, hash, id);
    return id;
}

/* ---- expressions ---- */

struct code_key {
    const struct lowering *lowering;
    const struct expr *source;
    double unit;
};

static bool same_expr(const void *context, int32_t id)
{
    const struct code_key *key = context;
    const struct scope *scope = &key->lowering->scope;
    const struct expr_code *other = &key->lowering->program->exprs[id];
    return key->source == other->source && !(key->unit < other->unit || key->unit > other->unit) &&
           scope->n_ops == (size_t)other->n && memcmp(scope->ops, other->ops, scope->n_ops * sizeof *scope->ops) == 0;
}

/* The code in the scope, made from `expr` (NULL: from none). */
static int32_t intern_expr(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, double unit)
{
    if (lowering->dry)
        return 0;
    struct program *program = lowering->program;
    const struct scope *scope = &lowering->scope;
    struct code_key key = {lowering, expr, unit};
    size_t bytes = scope->n_ops * sizeof *scope->ops;
    uint64_t hash = intern_hash((uint64_t)(uintptr_t)expr, scope->ops, bytes);
    int32_t id = intern_find(&lowering->exprs_index, hash, same_expr, &key);
    if (id >= 0)
        return id;
    id = next_index(program->n_exprs);
    struct expr_op *ops = arena_alloc(&program->memory, scope->n_ops, sizeof *ops);
    memcpy(ops, scope->ops, bytes);
    program->exprs = alloc_grow(program->exprs, (size_t)id, &lowering->exprs_capacity, sizeof *program->exprs);
    program->exprs[program->n_exprs++] = (struct expr_code){
        .source = expr,
        .unit = unit,
        .site = expr ? lower_site_at(lowering, stmt, &expr->at) : lower_site(lowering, stmt),
        .n = (int32_t)scope->n_ops,
        .ops = ops,
        .quick = expression_quick_of(ops, (int32_t)scope->n_ops),
    };
    intern_add(&lowering->exprs_index, hash, id);
    return id;
}

int32_t lower_expr(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, double unit)
{
    const char *problem = scope_compile(&lowering->scope, expr, unit);
    if (!problem)
        return intern_expr(lowering, stmt, expr, unit);
    lower_fail(lowering, stmt, &expr->at, STATUS_RANGE, "%s", problem);
    return -1;
}

int32_t lower_elsewhere(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, int32_t comm)
{
    const char *problem = scope_compile_elsewhere(&lowering->scope, expr, comm);
    if (!problem)
        return intern_expr(lowering, stmt, expr, 1);
    lower_fail(lowering, stmt, &expr->at, STATUS_RANGE, "%s", problem);
    return -1;
}

int32_t lower_equals(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, int64_t number)
{
    const char *problem = scope_compile_equals(&lowering->scope, expr, number);
    if (!problem)
        return intern_expr(lowering, stmt, expr, 1);
    lower_fail(lowering, stmt, &expr->at, STATUS_RANGE, "%s", problem);
    return -1;
}

int32_t lower_constant(struct lowering *lowering, const struct stmt *stmt, struct value value)
{
    scope_compile_value(&lowering->scope, value);
    return intern_expr(lowering, stmt, NULL, 1);
}

/* ---- roles ---- */

static bool same_bytes(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

static bool same_role(const void *context, int32_t id)
{
    const struct lowering *l = context;
    const struct role *role = &l->program->roles[id];
    return (size_t)role->n_code == l->n_code && (size_t)role->n_peers == l->n_peers &&
           role->n_slots == l->most_slots && same_bytes(role->code, l->code, l->n_code * sizeof *l->code) &&
           same_bytes(role->peers, l->peers, l->n_peers * sizeof *l->peers) &&
           same_bytes(role->initial, l->initial, (size_t)l->most_slots * sizeof *l->initial);
}

static void *keep(struct lowering *lowering, const void *data, size_t bytes)
{
    void *copy = arena_alloc(&lowering->program->memory, bytes, 1);
    if (bytes > 0)
        memcpy(copy, data, bytes);
    return copy;
}

int32_t lower_role(struct lowering *lowering)
{
    struct program *program = lowering->program;
    size_t code = lowering->n_code * sizeof *lowering->code, peers = lowering->n_peers * sizeof *lowering->peers;
    size_t initial = (size_t)lowering->most_slots * sizeof *lowering->initial;
    uint64_t hash = intern_hash(0, lowering->code, code);
    hash = intern_hash(hash, lowering->peers, peers);
    hash = intern_hash(hash, lowering->initial, initial);
    int32_t id = intern_find(&lowering->roles_index, hash, same_role, lowering);
    if (id >= 0)
        return id;
    id = next_index(program->n_roles);
    program->roles = alloc_grow(program->roles, (size_t)id, &lowering->roles_capacity, sizeof *program->roles);
    program->roles[program->n_roles++] = (struct role){
        .n_code = (int32_t)lowering->n_code,
        .n_peers = (int32_t)lowering->n_peers,
        .n_slots = lowering->most_slots,
        .code = keep(lowering, lowering->code, code),
        .peers = keep(lowering, lowering->peers, peers),
        .initial = keep(lowering, lowering->initial, initial),
    };
    intern_add(&lowering->roles_index, hash, id);
    lowering->total_code += (int64_t)lowering->n_code;
    return id;
}
