#include "directives/parse/parse_impl.h"

#include "common/suggest.h"
#include "directives/parse/stand_in.h"

#include <string.h>

/* The keys of each operation (section 2 of the language), in groups. The executing side's own rank may be written too,
 * so sends take `from` and receives `to`. A receive without `size` takes a message of any size. The status of an Irecv
 * is known at its wait, where it can be bound. */
#define STATUS_KEYS (KEY_BIT(source) | KEY_BIT(got_tag) | KEY_BIT(got_size))
#define ENVELOPE_KEYS (KEY_BIT(from) | KEY_BIT(to) | KEY_BIT(tag) | KEY_BIT(comm))
#define SEND_KEYS (ENVELOPE_KEYS | SIZE)
#define PROBE_KEYS (ENVELOPE_KEYS | STATUS_KEYS)
#define SWAP_KEYS (SEND_KEYS | STATUS_KEYS | KEY_BIT(recv_tag))
#define ROOM_KEYS KEY_BIT(recv_size)
#define FROM KEY_BIT(from)
#define TO_SIZE (KEY_BIT(to) | SIZE)
#define SIZE KEY_BIT(size)
#define REQUEST KEY_BIT(request)
#define FLAG KEY_BIT(flag)
#define INDEX KEY_BIT(index)
#define COUNT KEY_BIT(count)
#define MESSAGE KEY_BIT(message)
#define TO KEY_BIT(to)
#define EXCLUSIVE KEY_BIT(exclusive)
#define WINDOW KEY_BIT(window)
#define WINDOW_KEYS (WINDOW | KEY_BIT(comm))

struct operation {
    const char *name;
    uint32_t allowed, required;
};

static const struct operation messages[] = {
#define X(name, sort, instr, keys, needed) {#name, keys, needed},
    MESSAGE_LIST(X)
#undef X
};

#define PLAIN_KEYS (KEY_BIT(size) | KEY_BIT(comm) | KEY_BIT(algorithm))
#define ROOTED_KEYS (PLAIN_KEYS | KEY_BIT(root))
#define NEEDS_ROOT (KEY_BIT(size) | KEY_BIT(root))
#define NEEDS_COMM (KEY_BIT(size) | KEY_BIT(comm))
#define STARTED(name, keys, needed) [COLLECTIVE_##name] = {#name, (keys) | KEY_BIT(request), (needed) | KEY_BIT(request)}
static const struct operation collectives[] = {
    [COLLECTIVE_MPI_Barrier] = {"MPI_Barrier", KEY_BIT(comm) | KEY_BIT(algorithm), 0},
    [COLLECTIVE_MPI_Bcast] = {"MPI_Bcast", ROOTED_KEYS, NEEDS_ROOT},
    [COLLECTIVE_MPI_Scatter] = {"MPI_Scatter", ROOTED_KEYS, NEEDS_ROOT},
    [COLLECTIVE_MPI_Scatterv] = {"MPI_Scatterv", ROOTED_KEYS, NEEDS_ROOT},
    [COLLECTIVE_MPI_Gather] = {"MPI_Gather", ROOTED_KEYS, NEEDS_ROOT},
    [COLLECTIVE_MPI_Gatherv] = {"MPI_Gatherv", ROOTED_KEYS, NEEDS_ROOT},
    [COLLECTIVE_MPI_Allgather] = {"MPI_Allgather", PLAIN_KEYS, KEY_BIT(size)},
    [COLLECTIVE_MPI_Allgatherv] = {"MPI_Allgatherv", PLAIN_KEYS, KEY_BIT(size)},
    [COLLECTIVE_MPI_Reduce] = {"MPI_Reduce", ROOTED_KEYS, NEEDS_ROOT},
    [COLLECTIVE_MPI_Allreduce] = {"MPI_Allreduce", PLAIN_KEYS, KEY_BIT(size)},
    [COLLECTIVE_MPI_Reduce_scatter] = {"MPI_Reduce_scatter", PLAIN_KEYS, KEY_BIT(size)},
    [COLLECTIVE_MPI_Alltoall] = {"MPI_Alltoall", PLAIN_KEYS, KEY_BIT(size)},
    [COLLECTIVE_MPI_Alltoallv] = {"MPI_Alltoallv", PLAIN_KEYS, KEY_BIT(size)},
    [COLLECTIVE_MPI_Scan] = {"MPI_Scan", PLAIN_KEYS, KEY_BIT(size)},
    [COLLECTIVE_MPI_Exscan] = {"MPI_Exscan", PLAIN_KEYS, KEY_BIT(size)},
    STARTED(MPI_Iallreduce, PLAIN_KEYS, KEY_BIT(size)),
    STARTED(MPI_Ibcast, ROOTED_KEYS, NEEDS_ROOT),
    STARTED(MPI_Ibarrier, KEY_BIT(comm) | KEY_BIT(algorithm), 0),
    STARTED(MPI_Iscatter, ROOTED_KEYS, NEEDS_ROOT),
    STARTED(MPI_Igather, ROOTED_KEYS, NEEDS_ROOT),
    STARTED(MPI_Iallgather, PLAIN_KEYS, KEY_BIT(size)),
    STARTED(MPI_Ireduce, ROOTED_KEYS, NEEDS_ROOT),
    STARTED(MPI_Ialltoall, PLAIN_KEYS, KEY_BIT(size)),
    STARTED(MPI_Iscan, PLAIN_KEYS, KEY_BIT(size)),
    STARTED(MPI_Iexscan, PLAIN_KEYS, KEY_BIT(size)),
    STARTED(MPI_Iscatterv, ROOTED_KEYS, NEEDS_ROOT),
    STARTED(MPI_Igatherv, ROOTED_KEYS, NEEDS_ROOT),
    STARTED(MPI_Iallgatherv, PLAIN_KEYS, KEY_BIT(size)),
    STARTED(MPI_Ireduce_scatter, PLAIN_KEYS, KEY_BIT(size)),
    STARTED(MPI_Ireduce_scatter_block, PLAIN_KEYS, KEY_BIT(size)),
    STARTED(MPI_Ialltoallv, PLAIN_KEYS, KEY_BIT(size)),
    STARTED(MPI_Ialltoallw, PLAIN_KEYS, KEY_BIT(size)),
    [COLLECTIVE_MPI_Reduce_scatter_block] = {"MPI_Reduce_scatter_block", PLAIN_KEYS, KEY_BIT(size)},
    [COLLECTIVE_MPI_Alltoallw] = {"MPI_Alltoallw", PLAIN_KEYS, KEY_BIT(size)},
#define NEIGHBORS(name)                                                                 \
    [COLLECTIVE_MPI_Neighbor_##name] = {"MPI_Neighbor_" #name, PLAIN_KEYS, NEEDS_COMM}, \
    [COLLECTIVE_MPI_Ineighbor_##name] = {"MPI_Ineighbor_" #name, PLAIN_KEYS | KEY_BIT(request), NEEDS_COMM | KEY_BIT(request)}
    NEIGHBORS(allgather), NEIGHBORS(allgatherv), NEIGHBORS(alltoall), NEIGHBORS(alltoallv), NEIGHBORS(alltoallw),
#undef NEIGHBORS
};
enum { N_MESSAGES = sizeof messages / sizeof *messages, N_COLLECTIVES = sizeof collectives / sizeof *collectives };

const char *message_op_name(enum message_op op)
{
    return messages[op].name;
}

const char *collective_op_name(enum collective_op op)
{
    return collectives[op].name;
}

enum collective_sizes collective_op_sizes(enum collective_op op)
{
    static const enum collective_sizes sizes_of[] = {
#define X(name, sizes, like, who) SIZES_##sizes,
        COLLECTIVE_LIST(X)
#undef X
    };
    return sizes_of[op];
}

enum collective_op collective_op_like(enum collective_op op)
{
    static const enum collective_op likes[] = {
#define X(name, sizes, like, who) COLLECTIVE_##like,
        COLLECTIVE_LIST(X)
#undef X
    };
    return likes[op];
}

bool collective_op_is_local(enum collective_op op)
{
    enum { IS_all, IS_neighbors };
    static const bool local[] = {
#define X(name, sizes, like, who) IS_##who,
        COLLECTIVE_LIST(X)
#undef X
    };
    return local[op];
}

enum message_sort message_op_sort(enum message_op op)
{
    static const enum message_sort sorts[] = {
#define X(name, sort, instr, keys, needed) SORT_##sort,
        MESSAGE_LIST(X)
#undef X
    };
    return sorts[op];
}

bool message_op_has_request(enum message_op op)
{
    enum message_sort sort = message_op_sort(op);
    return messages[op].allowed & REQUEST && (sort == SORT_send || sort == SORT_receive || sort == SORT_take);
}

static bool makes_request(enum message_op op)
{
    enum message_sort sort = message_op_sort(op);
    return sort == SORT_made_send || sort == SORT_made_receive;
}

/* The operations of a statement. */
struct operations {
    const char *statement, *example;
    const struct operation *list;
    int n;
};
static const struct operations of_message = {"Message", "MPI_Send", messages, N_MESSAGES};
static const struct operations of_collective = {"Collective", "MPI_Bcast", collectives, N_COLLECTIVES};

static int find_operation(const struct parser *p, struct token token, const struct operations *operations)
{
    for (int i = 0; i < operations->n; i++) {
        const char *name = operations->list[i].name;
        if (strlen(name) == token.n && memcmp(name, p->text + token.at, token.n) == 0)
            return i;
    }
    return -1;
}

/* Whether what was misspelt is nearest to an operation that the same advice would fit: then that one is meant. */
static bool is_of_family(const struct parser *p, struct token token, const char *const names[], size_t n,
                         const char *advice)
{
    const char *nearest = p->quiet ? NULL : suggest_name(p->text + token.at, token.n, names, n);
    return nearest && stand_in_find(nearest, strlen(nearest)) == advice;
}

/* The operation that `type` names, -1 after an error. `others`: of the other statement, for a hint. */
static int parse_operation(struct parser *p, const struct keys *keys, const struct operations *own,
                           const struct operations *others, struct place at)
{
    char hint[HINT_BYTES], found[TOKEN_TEXT_BYTES];
    const char *names[N_MESSAGES + N_COLLECTIVES];
    if (!(keys->given & KEY_BIT(type))) {
        parse_complain(p, at, "%s needs `type = OPERATION`, such as %s", own->statement, own->example);
        return -1;
    }
    if (keys->type.kind != TOKEN_NAME)
        return -1; /* reported */
    int op = find_operation(p, keys->type, own);
    if (op >= 0)
        return op;
    token_text(p->text, keys->type, found);
    if (find_operation(p, keys->type, others) >= 0) {
        parse_complain(p, parse_place(p, keys->type), "%s is not an operation of %s: write `%s type = %.*s`", found,
                       own->statement, others->statement, (int)keys->type.n, p->text + keys->type.at);
        return -1;
    }
    for (int i = 0; i < own->n; i++)
        names[i] = own->list[i].name;
    for (int i = 0; i < others->n; i++)
        names[own->n + i] = others->list[i].name;
    const size_t n = (size_t)(own->n + others->n);
    const char *advice = stand_in_find(p->text + keys->type.at, keys->type.n);
    if (advice && !is_of_family(p, keys->type, names, n, advice)) {
        parse_complain(p, parse_place(p, keys->type), "unknown operation %s: %s", found, advice);
        return -1;
    }
    parse_complain(p, parse_place(p, keys->type), "unknown operation %s%s", found,
                   parse_hint(hint, p, keys->type, names, n));
    return -1;
}

/* Keys that exist, but not for this operation. */
static void check_allowed(struct parser *p, const struct keys *keys, const struct operation *operation)
{
    uint32_t surplus = keys->given & ~operation->allowed & ~KEY_BIT(type);
    for (int i = 0; i < N_KEYS; i++) {
        if (!(surplus >> i & 1))
            continue;
        bool receives = strcmp(operation->name, "MPI_Irecv") == 0 || strcmp(operation->name, "MPI_Imrecv") == 0;
        bool status = (UINT32_C(1) << i & STATUS_KEYS) != 0 && receives;
        parse_complain(p, keys->at[i], "%s has no key `%s`%s", operation->name, key_text((enum key)i),
                       status ? ": its status is known at the MPI_Wait for it" : "");
    }
}

static void start_requests(struct parser *p, const struct keys *keys, const char *operation)
{
    if (keys->n_requests > 1)
        parse_complain(p, keys->requests[1].at, "%s starts one request, not a list", operation);
    for (int i = 0; i < keys->n_requests; i++) {
        const char *text = p->tree->requests[keys->requests[i].name].text;
        names_get(&p->names, text, strlen(text))->request_started = true;
    }
}

/* The tables in which a persistent request is kept: declared where it is made first. */
static void keep_requests(struct parser *p, const struct keys *keys)
{
    struct tree *tree = p->tree;
    for (int i = 0; i < keys->n_requests; i++) {
        struct request_name *name = &tree->requests[keys->requests[i].name];
        if (name->kept >= 0)
            continue;
        name->kept = (int)tree->n_variables;
        for (int k = 0; k < N_KEPT; k++) {
            tree->variables =
                alloc_grow(tree->variables, tree->n_variables, &tree->variables_capacity, sizeof *tree->variables);
            tree->variables[tree->n_variables++] =
                (struct variable){name->text, keys->requests[i].at, VARIABLE_table, -1, true};
        }
    }
}

/* `index` is a place in a list. */
static void check_index(struct parser *p, const struct keys *keys, const struct operation *operation)
{
    if (keys->given & operation->allowed & INDEX && !(keys->given & REQUEST))
        parse_complain(p, keys->at[WORD_index], "`index` is a place in the list of requests: %s needs `request` for it",
                       operation->name);
}

/* message := "Message" keys; section 2. */
void parse_message(struct parser *p, struct stmt *stmt)
{
    uint32_t every = KEY_BIT(type);
    for (int i = 0; i < N_MESSAGES; i++)
        every |= messages[i].allowed;
    struct keys keys;
    parse_keys(p, every, "Message", &keys);
    struct message *message = &stmt->message;
    stmt->kind = STMT_MESSAGE;
    memcpy(message->key, keys.value, sizeof message->key);
    message->n_requests = keys.n_requests;
    message->requests = keys.requests;
    message->window = keys.window ? keys.window->window : -1;
    for (int i = 0; i < N_BIND_KEYS; i++) {
        struct name *name = keys.name[N_EXPR_KEYS + i];
        enum variable_kind kind = i == BIND_message ? VARIABLE_message : VARIABLE_number;
        message->bind[i] = name ? parse_variable(p, name, keys.at[N_EXPR_KEYS + i], kind) : -1;
    }
    int op = parse_operation(p, &keys, &of_message, &of_collective, stmt->at);
    message->op = op < 0 ? MESSAGE_MPI_Send : (enum message_op)op;
    if (op < 0 || message_op_has_request(message->op) || makes_request(message->op))
        start_requests(p, &keys, messages[message->op].name);
    if (op < 0)
        return;
    if (makes_request(message->op))
        keep_requests(p, &keys);
    check_allowed(p, &keys, &messages[op]);
    check_index(p, &keys, &messages[op]);
    parse_require(p, &keys, messages[op].required, messages[op].name, stmt->at);
}

/* collective := "Collective" keys; section 2. */
void parse_collective(struct parser *p, struct stmt *stmt)
{
    uint32_t every = KEY_BIT(type) | ROOTED_KEYS | KEY_BIT(request);
    struct keys keys;
    parse_keys(p, every, "Collective", &keys);
    struct collective *collective = &stmt->collective;
    stmt->kind = STMT_COLLECTIVE;
    memcpy(collective->key, keys.value, sizeof collective->key);
    collective->algorithm = keys.algorithm;
    collective->algorithm_at = keys.algorithm_at;
    collective->n_requests = keys.n_requests;
    collective->requests = keys.requests;
    int op = parse_operation(p, &keys, &of_collective, &of_message, stmt->at);
    collective->op = op < 0 ? COLLECTIVE_MPI_Barrier : (enum collective_op)op;
    start_requests(p, &keys, collectives[collective->op].name);
    if (op < 0)
        return;
    check_allowed(p, &keys, &collectives[op]);
    parse_require(p, &keys, collectives[op].required, collectives[op].name, stmt->at);
}
