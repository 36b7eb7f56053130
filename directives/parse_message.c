#include "directives/parse_impl.h"
#include "directives/stand_in.h"

#include <string.h>

/* The keys of each operation (section 2 of the language), in groups. The executing side's own rank may be written too,
 * so sends take `from` and receives `to`. */
#define STATUS_KEYS (KEY_BIT(source) | KEY_BIT(got_tag) | KEY_BIT(got_size))
#define ENVELOPE_KEYS (KEY_BIT(from) | KEY_BIT(to) | KEY_BIT(tag) | KEY_BIT(comm))
#define SEND_KEYS (ENVELOPE_KEYS | KEY_BIT(size))
#define PROBE_KEYS (ENVELOPE_KEYS | STATUS_KEYS)
#define SWAP_KEYS (SEND_KEYS | STATUS_KEYS | KEY_BIT(recv_size) | KEY_BIT(recv_tag))

struct operation {
    const char *name;
    uint32_t allowed, required;
};

/* A receive without `size` takes a message of any size. The status of an Irecv is known at its wait, where it can be
 * bound. */
static const struct operation messages[] = {
    [MESSAGE_MPI_Send] = {"MPI_Send", SEND_KEYS, KEY_BIT(to) | KEY_BIT(size)},
    [MESSAGE_MPI_Bsend] = {"MPI_Bsend", SEND_KEYS, KEY_BIT(to) | KEY_BIT(size)},
    [MESSAGE_MPI_Ssend] = {"MPI_Ssend", SEND_KEYS, KEY_BIT(to) | KEY_BIT(size)},
    [MESSAGE_MPI_Rsend] = {"MPI_Rsend", SEND_KEYS, KEY_BIT(to) | KEY_BIT(size)},
    [MESSAGE_MPI_Isend] = {"MPI_Isend", SEND_KEYS | KEY_BIT(request), KEY_BIT(to) | KEY_BIT(size)},
    [MESSAGE_MPI_Issend] = {"MPI_Issend", SEND_KEYS | KEY_BIT(request), KEY_BIT(to) | KEY_BIT(size)},
    [MESSAGE_MPI_Recv] = {"MPI_Recv", SEND_KEYS | STATUS_KEYS, KEY_BIT(from)},
    [MESSAGE_MPI_Irecv] = {"MPI_Irecv", SEND_KEYS | KEY_BIT(request), KEY_BIT(from)},
    [MESSAGE_MPI_Sendrecv] = {"MPI_Sendrecv", SWAP_KEYS, KEY_BIT(from) | KEY_BIT(to) | KEY_BIT(size)},
    [MESSAGE_MPI_Wait] = {"MPI_Wait", KEY_BIT(request) | STATUS_KEYS, KEY_BIT(request)},
    [MESSAGE_MPI_Waitall] = {"MPI_Waitall", KEY_BIT(request), 0},
    [MESSAGE_MPI_Waitany] = {"MPI_Waitany", KEY_BIT(request) | KEY_BIT(index) | STATUS_KEYS, KEY_BIT(request)},
    [MESSAGE_MPI_Waitsome] = {"MPI_Waitsome", KEY_BIT(request), KEY_BIT(request)},
    [MESSAGE_MPI_Test] = {"MPI_Test", KEY_BIT(request) | KEY_BIT(flag) | STATUS_KEYS, KEY_BIT(request) | KEY_BIT(flag)},
    [MESSAGE_MPI_Testall] = {"MPI_Testall", KEY_BIT(request) | KEY_BIT(flag), KEY_BIT(request) | KEY_BIT(flag)},
    [MESSAGE_MPI_Testany] = {"MPI_Testany", KEY_BIT(request) | KEY_BIT(flag) | KEY_BIT(index) | STATUS_KEYS,
                             KEY_BIT(request) | KEY_BIT(flag)},
    [MESSAGE_MPI_Probe] = {"MPI_Probe", PROBE_KEYS, KEY_BIT(from)},
    [MESSAGE_MPI_Iprobe] = {"MPI_Iprobe", PROBE_KEYS | KEY_BIT(flag), KEY_BIT(from) | KEY_BIT(flag)},
};

#define PLAIN_KEYS (KEY_BIT(size) | KEY_BIT(comm) | KEY_BIT(algorithm))
#define ROOTED_KEYS (PLAIN_KEYS | KEY_BIT(root))
#define NEEDS_ROOT (KEY_BIT(size) | KEY_BIT(root))
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
    [COLLECTIVE_MPI_Iallreduce] = {"MPI_Iallreduce", PLAIN_KEYS | KEY_BIT(request), KEY_BIT(size) | KEY_BIT(request)},
    [COLLECTIVE_MPI_Ibcast] = {"MPI_Ibcast", ROOTED_KEYS | KEY_BIT(request), NEEDS_ROOT | KEY_BIT(request)},
    [COLLECTIVE_MPI_Ibarrier] = {"MPI_Ibarrier", KEY_BIT(comm) | KEY_BIT(algorithm) | KEY_BIT(request), KEY_BIT(request)},
    [COLLECTIVE_MPI_Iscatter] = {"MPI_Iscatter", ROOTED_KEYS | KEY_BIT(request), NEEDS_ROOT | KEY_BIT(request)},
    [COLLECTIVE_MPI_Igather] = {"MPI_Igather", ROOTED_KEYS | KEY_BIT(request), NEEDS_ROOT | KEY_BIT(request)},
    [COLLECTIVE_MPI_Iallgather] = {"MPI_Iallgather", PLAIN_KEYS | KEY_BIT(request), KEY_BIT(size) | KEY_BIT(request)},
    [COLLECTIVE_MPI_Ireduce] = {"MPI_Ireduce", ROOTED_KEYS | KEY_BIT(request), NEEDS_ROOT | KEY_BIT(request)},
    [COLLECTIVE_MPI_Ialltoall] = {"MPI_Ialltoall", PLAIN_KEYS | KEY_BIT(request), KEY_BIT(size) | KEY_BIT(request)},
    [COLLECTIVE_MPI_Iscan] = {"MPI_Iscan", PLAIN_KEYS | KEY_BIT(request), KEY_BIT(size) | KEY_BIT(request)},
    [COLLECTIVE_MPI_Iexscan] = {"MPI_Iexscan", PLAIN_KEYS | KEY_BIT(request), KEY_BIT(size) | KEY_BIT(request)},
    [COLLECTIVE_MPI_Reduce_scatter_block] = {"MPI_Reduce_scatter_block", PLAIN_KEYS, KEY_BIT(size)},
    [COLLECTIVE_MPI_Alltoallw] = {"MPI_Alltoallw", PLAIN_KEYS, KEY_BIT(size)},
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
#define X(name, sizes, like) SIZES_##sizes,
        COLLECTIVE_LIST(X)
#undef X
    };
    return sizes_of[op];
}

enum collective_op collective_op_like(enum collective_op op)
{
    static const enum collective_op likes[] = {
#define X(name, sizes, like) COLLECTIVE_##like,
        COLLECTIVE_LIST(X)
#undef X
    };
    return likes[op];
}

static bool starts_request(enum message_op op)
{
    return op == MESSAGE_MPI_Isend || op == MESSAGE_MPI_Issend || op == MESSAGE_MPI_Irecv;
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
    const char *advice = stand_in_find(p->text + keys->type.at, keys->type.n);
    if (advice) {
        parse_complain(p, parse_place(p, keys->type), "unknown operation %s: %s", found, advice);
        return -1;
    }
    for (int i = 0; i < own->n; i++)
        names[i] = own->list[i].name;
    for (int i = 0; i < others->n; i++)
        names[own->n + i] = others->list[i].name;
    parse_complain(p, parse_place(p, keys->type), "unknown operation %s%s", found,
                   parse_hint(hint, p, keys->type, names, (size_t)(own->n + others->n)));
    return -1;
}

/* Keys that exist, but not for this operation. */
static void check_allowed(struct parser *p, const struct keys *keys, const struct operation *operation)
{
    uint32_t surplus = keys->given & ~operation->allowed & ~KEY_BIT(type);
    for (int i = 0; i < N_KEYS; i++) {
        if (!(surplus >> i & 1))
            continue;
        bool status = (UINT32_C(1) << i & STATUS_KEYS) != 0 && strcmp(operation->name, "MPI_Irecv") == 0;
        parse_complain(p, keys->at[i], "%s has no key `%s`%s", operation->name, key_text((enum key)i),
                       status ? ": its status is known at the MPI_Wait for it" : "");
    }
}

static void start_requests(struct parser *p, const struct keys *keys, const char *operation)
{
    if (keys->n_requests > 1)
        parse_complain(p, keys->requests[1].at, "%s starts one request, not a list", operation);
    for (int i = 0; i < keys->n_requests; i++) {
        const char *text = p->tree->requests[keys->requests[i].name];
        names_get(&p->names, text, strlen(text))->request_started = true;
    }
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
    for (int i = 0; i < N_BIND_KEYS; i++) {
        struct name *name = keys.name[N_EXPR_KEYS + i];
        message->bind[i] = name ? parse_variable(p, name, keys.at[N_EXPR_KEYS + i], VARIABLE_number) : -1;
    }
    int op = parse_operation(p, &keys, &of_message, &of_collective, stmt->at);
    message->op = op < 0 ? MESSAGE_MPI_Send : (enum message_op)op;
    if (op < 0 || starts_request(message->op))
        start_requests(p, &keys, messages[message->op].name);
    if (op < 0)
        return;
    check_allowed(p, &keys, &messages[op]);
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
