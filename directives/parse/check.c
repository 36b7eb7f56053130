#include "directives/parse/parse_impl.h"

#include "common/suggest.h"
#include "directives/parse/constant_impl.h"
#include "directives/parse/macro.h"

#include <stdlib.h>
#include <string.h>

/* What an expression may hold besides numbers, from where it stands. */
enum allowed {
    ALLOW_ANY_SOURCE = 1,
    ALLOW_ANY_TAG = 2,
    ALLOW_PROC_NULL = 4,
    ALLOW_SPECIAL = ALLOW_ANY_SOURCE | ALLOW_ANY_TAG | ALLOW_PROC_NULL, /* to be kept or compared */
    IN_PARAMETER = 8, /* nothing that differs between processes */
};

static void check_expr(struct parser *p, struct expr *expr, unsigned allowed);
static int find_parameter(struct parser *p, struct name *name, const struct host_variable *own, const char *asked);
static void check_whole(struct parser *p, struct expr *expr, unsigned allowed);

static struct name *name_of(struct parser *p, const char *text)
{
    return names_get(&p->names, text, strlen(text));
}

/* Whether a text such as a hint is still worth the work: nobody reads the two hundredth error. */
static bool is_read(const struct parser *p)
{
    return p->diags->n_dropped == 0;
}

static const char partner[] = "partner", neighbor[] = "neighbor";

/* The name that stands for whom the bytes go to; NULL: there is none here. */
static const char *partner_name(const struct parser *p)
{
    enum collective_sizes sizes = p->sized ? collective_op_sizes(p->sized->op) : SIZES_none;
    return sizes == SIZES_pair || sizes == SIZES_root ? partner : sizes == SIZES_edge ? neighbor : NULL;
}

static const char *const predefined[] = {"procnum",        "numprocs",    "nodes",         "ppn",           "node",
                                         "MPI_ANY_SOURCE", "MPI_ANY_TAG", "MPI_PROC_NULL", "MPI_COMM_WORLD"};
enum { N_PREDEFINED = sizeof predefined / sizeof *predefined };

/* The nearest name that an expression could use. `declared`: of the program's own names only. */
static const char *nearest_name(struct parser *p, const char *text, bool declared)
{
    size_t most = p->names.n + p->unit->names.n, n = 0;
    if (!is_read(p) || most > p->hints_left)
        return NULL;
    p->hints_left -= most;
    const char **list = alloc_array(most + N_PREDEFINED + 1, sizeof *list);
    for (const struct name *name = p->names.first; name; name = name->next)
        if (strcmp(name->text, text) != 0 &&
            (name->declaration || name->variable >= 0 || name->param >= 0 || (!declared && name->definition >= 0)))
            list[n++] = name->text;
    for (const struct name *name = p->unit->names.first; name; name = name->next)
        if (strcmp(name->text, text) != 0 && name->constant && name->constant->value &&
            name->readable != READABLE_NO)
            list[n++] = name->text;
    for (int i = 0; i < N_PREDEFINED && !declared; i++)
        list[n++] = predefined[i];
    if (partner_name(p) && !declared)
        list[n++] = partner_name(p);
    const char *nearest = suggest_name(text, strlen(text), list, n);
    free(list);
    return nearest;
}

/* `partner` or `neighbor` where it stands for nothing. */
static void report_partner(struct parser *p, const struct expr *expr)
{
    static const char *const rules[] = {
        [SIZES_vector] = "has one size, the same in all processes",
        [SIZES_share] = "has one size, the same in all processes",
        [SIZES_own] = "takes the process's own share",
        [SIZES_pair] = "has a size for each `partner`",
        [SIZES_root] = "has a size for each `partner`",
        [SIZES_edge] = "has a size for each `neighbor`",
    };
    const char *rule = p->sized ? rules[collective_op_sizes(p->sized->op)] : NULL;
    const char *where = strcmp(expr->name, partner) == 0 ? "MPI_Alltoallv and MPI_Scatterv"
                                                         : "MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw";
    if (rule)
        parse_name_error(p, expr->at, "undefined name `%s`: it is known in `size` of %s; %s %s", expr->name, where,
                         collective_op_name(p->sized->op), rule);
    else
        parse_name_error(p, expr->at, "undefined name `%s`: it is known in `size` of %s; else define it with -D NAME=VALUE "
                                      "or a PEVPM Param line", expr->name, where);
}

static void report_undefined(struct parser *p, const struct expr *expr)
{
    static const char define[] = "define it with -D NAME=VALUE or a PEVPM Param line";
    const char *functions[FUNCTION_NAMES_MOST];
    size_t n = parse_function_names(functions, true);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(functions[i], expr->name) == 0) {
            parse_name_error(p, expr->at, "`%s` is a function: write %s(...)", expr->name, expr->name);
            return;
        }
    }
    struct unit *here = p->unit;
    struct name *name = name_of(p, expr->name);
    struct place at = expr->at;
    bool imported = host_module_enter(p, &name, &at);
    const struct host_constant *constant = host_constants_of(p, name);
    const char *nearest = constant || imported ? NULL : nearest_name(p, expr->name, false);
    if (nearest)
        parse_name_error(p, expr->at, "undefined name `%.60s`, did you mean `%.60s`? If not, %s", expr->name, nearest,
                         define);
    else if (strcmp(expr->name, partner) == 0 || strcmp(expr->name, neighbor) == 0)
        report_partner(p, expr);
    else
        parse_name_error(p, expr->at, "undefined name `%.60s`: %s", expr->name, define);
    if (!constant && p->source->missing.file)
        diag_note(p->diags, p->source->missing, "this file was not found, and may declare it%s",
                  p->source->host == HOST_C ? ": say where it is, as in --cflags '-I include'" : "");
    struct obstacle obstacle = {NULL, NULL};
    if (imported && !constant)
        obstacle.variable = host_constant_seen(p, name->text, at);
    if (constant ? constant_obstacle(p, name, at, &obstacle) : obstacle.variable != NULL)
        constant_explain(p, &obstacle);
    parse_enter(p, here);
    if (!constant && !imported)
        host_module_explain(p, expr->name, expr->at);
}

/* Adds a parameter behind those its value needs. */
static int add_parameter(struct parser *p, struct name *name, struct parameter parameter)
{
    struct tree *tree = p->tree;
    tree->parameters =
        alloc_grow(tree->parameters, tree->n_parameters, &tree->parameters_capacity, sizeof *tree->parameters);
    name->parameter = (int)tree->n_parameters;
    parameter.name = name->text;
    tree->parameters[tree->n_parameters++] = parameter;
    return name->parameter;
}

/* Settles the names in a parameter's value. False when it refers to itself, or is too deep. */
static bool check_parameter_value(struct parser *p, struct name *name, struct parameter *parameter)
{
    if (p->parameter_depth >= PARAMETERS_DEEPEST) {
        parse_name_error(p, parameter->at, "parameters that refer to parameters, more than %d deep",
                         PARAMETERS_DEEPEST);
        return false;
    }
    name->starting = true;
    p->parameter_depth++;
    if (parameter->value)
        check_whole(p, parameter->value, IN_PARAMETER);
    p->parameter_depth--;
    name->starting = false;
    return true;
}

/* A Param's value, with the constants of its own file. */
static int find_param(struct parser *p, struct name *name)
{
    struct unit *here = p->unit;
    struct parameter parameter = p->params[name->param];
    parse_enter_place(p, parameter.at);
    check_parameter_value(p, name, &parameter);
    parse_enter(p, here);
    return add_parameter(p, name, parameter);
}

/* The value of a -D that is an expression: it knows the constants of the first file. */
static int find_definition(struct parser *p, struct name *name)
{
    struct expr *value = p->defined[name->definition];
    struct parameter parameter = {name->text, value ? value->at : place_of_file("command line"), ORIGIN_OPTION, value,
                                  false};
    check_parameter_value(p, name, &parameter);
    return add_parameter(p, name, parameter);
}

/* The parameter that a name stands for, -1 where there is none: -D, then Param, then a constant of the host source. own,
 * asked: as constant_choose has them. */
static int find_parameter(struct parser *p, struct name *name, const struct host_variable *own, const char *asked)
{
    const bool given = name->definition >= 0 || name->param >= 0;
    if (!given)
        name = host_constant_name(p, name->text);
    else if (name->parameter >= 0)
        return name->parameter;
    if (name->starting) {
        struct place at = name->definition >= 0 ? p->defined[name->definition]->at
                          : name->param >= 0    ? p->params[name->param].at : host_constants_of(p, name)->at;
        if (!name->cycle_reported)
            parse_name_error(p, at, "the value of `%s` refers to itself", name->text);
        name->cycle_reported = true;
        return -2;
    }
    if (name->definition >= 0)
        return find_definition(p, name);
    if (name->param >= 0)
        return find_param(p, name);
    struct host_constant *constant = constant_choose(p, name, own, asked);
    if (!constant)
        return -1;
    if (constant->parameter >= 0)
        return constant->parameter;
    struct parameter parameter = {constant->name, constant->at, ORIGIN_HOST, constant->value, false};
    check_parameter_value(p, name, &parameter);
    return constant->parameter = add_parameter(p, name, parameter);
}

/* procnum, MPI_ANY_SOURCE, ...: is it allowed here? */
static void check_predefined(struct parser *p, const struct expr *expr, unsigned allowed)
{
    bool varies = expr->symbol == SYMBOL_PROCNUM || expr->symbol == SYMBOL_NODE;
    if (varies && allowed & IN_PARAMETER)
        parse_name_error(p, expr->at, "`%s` differs between processes, and a Param is the same for all: use Set",
                         expr->name);
    else if (expr->symbol == SYMBOL_PROC_NULL && !(allowed & ALLOW_PROC_NULL))
        parse_name_error(p, expr->at,
                         "MPI_PROC_NULL can only be `to` or `from`, or kept in a variable or compared by == or !=");
    else if (expr->symbol == SYMBOL_COMM_WORLD)
        parse_name_error(p, expr->at,
                         "MPI_COMM_WORLD is a communicator, not a number: it can only be the value of `comm`");
    else if (expr->symbol == SYMBOL_WILDCARD && strcmp(expr->name, "MPI_ANY_SOURCE") == 0 &&
             !(allowed & ALLOW_ANY_SOURCE))
        parse_name_error(p, expr->at,
                         "MPI_ANY_SOURCE can only be `from` of a receive or a probe, or kept in a variable");
    else if (expr->symbol == SYMBOL_WILDCARD && strcmp(expr->name, "MPI_ANY_TAG") == 0 && !(allowed & ALLOW_ANY_TAG))
        parse_name_error(p, expr->at, "MPI_ANY_TAG can only be `tag` of a receive or a probe, or kept in a variable");
}

static void check_variable(struct parser *p, struct expr *expr, const struct name *name, unsigned allowed)
{
    expr->symbol = SYMBOL_VARIABLE;
    expr->index = name->variable;
    if (allowed & IN_PARAMETER)
        parse_name_error(p, expr->at,
                         "`%s` differs between processes (it is given by a Set), and a Param is the same for all",
                         expr->name);
    else if (p->tree->variables[name->variable].kind == VARIABLE_table)
        parse_name_error(p, expr->at, "`%s` is a table, not a number: use one of its elements, %s[...]", expr->name,
                         expr->name);
    else if (p->tree->variables[name->variable].kind == VARIABLE_communicator)
        parse_name_error(p, expr->at, "`%s` is a communicator, not a number: use procnum_in(%s) or numprocs_in(%s)",
                         expr->name, expr->name, expr->name);
    else if (p->tree->variables[name->variable].kind == VARIABLE_message)
        parse_name_error(p, expr->at, "`%s` is a message, not a number: it can only be the value of `message`",
                         expr->name);
}

/* `partner` or `neighbor` in a size that may depend on it. A name of the program's own that is spelt so would hide it
 * unseen. */
static void check_partner(struct parser *p, struct expr *expr, const struct name *name)
{
    expr->symbol = SYMBOL_PARTNER;
    p->sized->over_partner = true;
    if (name->declaration || name->variable >= 0 || name->definition >= 0 || name->param >= 0)
        parse_name_error(p, expr->at,
                         "`%s` means whom the bytes go to in `size` of %s, and the program has a `%s` of its own: give "
                         "that another name", expr->name, collective_op_name(p->sized->op), expr->name);
}

/* -D, Param, or a constant of the host source, which a module of another file may declare. -1: there is none; it is
 * reported where that is so as there are two only with `report`. */
static int find_meaning(struct parser *p, struct name *name, struct place at, bool report)
{
    struct unit *here = p->unit;
    struct obstacle obstacle;
    const char *asked = name->text;
    const struct host_variable *own = NULL;
    if (name->definition < 0 && name->param < 0)
        own = host_module_enter(p, &name, &at);
    bool given = name->definition >= 0 || name->param >= 0;
    int index = given || (!constant_obstacle(p, name, at, &obstacle) && (report || constant_choose(p, name, own, NULL)))
                    ? find_parameter(p, name, own, asked) : -1;
    parse_enter(p, here);
    return index;
}

/* Section 3: loop variable, procedure argument, Set, -D, Param, host constant. */
static void check_name(struct parser *p, struct expr *expr, unsigned allowed)
{
    if (parse_reserved_symbol(expr->name, &expr->symbol)) {
        check_predefined(p, expr, allowed);
        return;
    }
    struct name *name = name_of(p, expr->name);
    const char *whom = partner_name(p);
    if (whom && !(allowed & IN_PARAMETER) && strcmp(expr->name, whom) == 0) {
        check_partner(p, expr, name);
        return;
    }
    if (name->declaration && !(allowed & IN_PARAMETER)) {
        expr->symbol = name->bound;
        expr->declaration = name->declaration;
        expr->index = name->argument;
        return;
    }
    bool parameter = name->definition >= 0 || name->param >= 0;
    if (name->variable >= 0 && !(allowed & IN_PARAMETER && parameter)) {
        check_variable(p, expr, name, allowed);
        return;
    }
    expr->symbol = SYMBOL_PARAMETER;
    expr->index = find_meaning(p, name, expr->at, true);
    if (expr->index >= 0)
        p->tree->parameters[expr->index].used = true;
    else if (expr->index == -1)
        report_undefined(p, expr);
}

/* What a macro's name stands for, unless the directives give the name another meaning. */
static const struct expr *macro_text(struct parser *p, const struct expr *expr)
{
    struct name *name = name_of(p, expr->name);
    struct obstacle obstacle;
    enum symbol_kind symbol;
    if (parse_reserved_symbol(expr->name, &symbol) || name->declaration || name->definition >= 0 || name->param >= 0 ||
        name->variable >= 0)
        return NULL;
    struct host_constant *constant = host_constants_of(p, name);
    if (!constant || !constant->macro || constant_obstacle(p, name, expr->at, &obstacle))
        return NULL;
    constant = constant_choose(p, name, NULL, name->text);
    return constant ? constant->value : NULL;
}

/* A whole expression of a directive, or of the host source. */
static void check_whole(struct parser *p, struct expr *expr, unsigned allowed)
{
    if (!expr)
        return;
    bool preprocessed = p->source->host == HOST_C || p->source->host == HOST_FORTRAN_FREE ||
                        p->source->host == HOST_FORTRAN_FIXED;
    if (!preprocessed || macro_expand(p, expr, macro_text))
        check_expr(p, expr, allowed);
}

/* A communicator: MPI_COMM_WORLD or a variable that a Set has made one. */
static void check_communicator(struct parser *p, struct expr *expr, const char *what)
{
    struct name *name = expr->kind == EXPR_NAME ? name_of(p, expr->name) : NULL;
    if (name && parse_reserved_symbol(expr->name, &expr->symbol) && expr->symbol == SYMBOL_COMM_WORLD)
        return;
    if (name && !name->declaration && name->variable >= 0 &&
        p->tree->variables[name->variable].kind == VARIABLE_communicator) {
        expr->symbol = SYMBOL_VARIABLE;
        expr->index = name->variable;
        return;
    }
    char hint[HINT_BYTES];
    const char *nearest = name && is_read(p) && name->variable < 0 ? nearest_name(p, expr->name, false) : NULL;
    parse_name_error(p, expr->at,
                     "%s needs a communicator: MPI_COMM_WORLD, or one made by Set NAME = comm_split(...), cart_create(...)%s",
                     what,
                     parse_hint_text(hint, nearest));
}

static void check_element(struct parser *p, struct expr *expr, unsigned allowed)
{
    const struct name *name = name_of(p, expr->name);
    check_expr(p, expr->a[0], allowed & IN_PARAMETER);
    expr->index = name->variable;
    if (name->variable < 0 || p->tree->variables[name->variable].kind != VARIABLE_table) {
        char hint[HINT_BYTES];
        const char *nearest = is_read(p) && name->variable < 0 ? nearest_name(p, expr->name, false) : NULL;
        parse_name_error(p, expr->at, "`%.60s` is no table: Set %.60s[...] = ... makes one%s", expr->name, expr->name,
                         parse_hint_text(hint, nearest));
    } else if (allowed & IN_PARAMETER) {
        parse_name_error(p, expr->at, "`%.60s` differs between processes (it is given by a Set), and a Param is the same "
                                      "for all", expr->name);
    }
}

static void check_comm_call(struct parser *p, struct expr *expr, unsigned allowed)
{
    static const char *const names[] = {
#define X(name, least, most) #name,
        COMM_FUNCTION_LIST(X)
#undef X
    };
    const bool procnum = expr->comm_function == COMM_FUNCTION_procnum_in;
    if (allowed & IN_PARAMETER) {
        parse_name_error(p, expr->at,
                         "a communicator differs between processes, and a Param is the same for all: use Set");
        return;
    }
    check_communicator(p, expr->a[0], names[expr->comm_function]);
    for (int i = 1; i < expr->n; i++)
        check_expr(p, expr->a[i], 0);
    if (expr->a[0]->symbol == SYMBOL_COMM_WORLD && expr->comm_function < COMM_FUNCTION_cart_shift) {
        /* then it is nothing but procnum or numprocs */
        expr->kind = EXPR_NAME;
        expr->name = procnum ? "procnum" : "numprocs";
        expr->symbol = procnum ? SYMBOL_PROCNUM : SYMBOL_NUMPROCS;
        expr->n = 0;
    }
}

static void check_expr(struct parser *p, struct expr *expr, unsigned allowed)
{
    unsigned inner = allowed & IN_PARAMETER;
    if (!expr)
        return;
    switch (expr->kind) {
    case EXPR_NAME: check_name(p, expr, allowed); return;
    case EXPR_ELEMENT: check_element(p, expr, allowed); return;
    case EXPR_CONDITION:
        check_expr(p, expr->a[0], inner);
        check_expr(p, expr->a[1], allowed);
        check_expr(p, expr->a[2], allowed);
        return;
    case EXPR_COMM: check_comm_call(p, expr, allowed); return;
    default:
        if (expr->kind == EXPR_BINARY && (expr->op == BINARY_EQ || expr->op == BINARY_NE) && inner == 0)
            inner = ALLOW_SPECIAL;
        for (int i = 0; i < expr->n; i++)
            check_expr(p, expr->a[i], inner);
    }
}

/* ", did you mean `r`?" of the requests that something starts, or that are made. */
static const char *nearest_request(struct parser *p, const struct name *name, bool made, char hint[HINT_BYTES])
{
    const struct tree *tree = p->tree;
    const char **found = alloc_array(tree->n_requests, sizeof *found);
    size_t n = 0;
    bool useful = is_read(p) && tree->n_requests <= p->hints_left;
    p->hints_left -= useful ? tree->n_requests : 0;
    for (size_t k = 0; k < tree->n_requests && useful; k++)
        if (made ? tree->requests[k].kept >= 0 : name_of(p, tree->requests[k].text)->request_started)
            found[n++] = tree->requests[k].text;
    const char *text = parse_hint_text(hint, suggest_name(name->text, strlen(name->text), found, n));
    free(found);
    return text;
}

/* waits: something must start or make them; made: an MPI_..._init must. */
static void check_requests(struct parser *p, int n, struct request requests[], bool waits, bool made)
{
    char hint[HINT_BYTES];
    for (int i = 0; i < n; i++) {
        check_whole(p, requests[i].index, 0);
        const struct request_name *request = &p->tree->requests[requests[i].name];
        const struct name *name = name_of(p, request->text);
        if (requests[i].index && request->kept >= 0) {
            requests[i].kept = arena_alloc(&p->tree->memory, N_KEPT, sizeof *requests[i].kept);
            kept_elements_make(requests[i].kept, requests[i].at, request, &requests[i].index);
        }
        if (waits && !name->request_started)
            parse_name_error(p, requests[i].at, "no operation starts a request `%s`%s", name->text,
                             nearest_request(p, name, false, hint));
        else if (made && request->kept < 0)
            parse_name_error(p, requests[i].at, "no MPI_Send_init or MPI_Recv_init makes a request `%s`%s", name->text,
                             nearest_request(p, name, true, hint));
    }
}

/* The keys that are given in the order of the text, for errors in that order. Returns how many. */
static int keys_in_order(struct expr *const key[], int order[N_EXPR_KEYS])
{
    int n = 0;
    for (int i = 0; i < N_EXPR_KEYS; i++) {
        if (!key[i])
            continue;
        int at = n++;
        for (; at > 0; at--) {
            const struct place *before = &key[order[at - 1]]->at, *own = &key[i]->at;
            if (before->line < own->line || (before->line == own->line && before->column < own->column))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return n;
}

/* collective: whose keys they are, NULL: a message's. */
static void check_keys(struct parser *p, struct expr *const key[], unsigned from, unsigned tag, unsigned recv_tag,
                       struct collective *collective)
{
    const unsigned allowed[N_EXPR_KEYS] = {
        [KEY_from] = from | ALLOW_PROC_NULL,
        [KEY_to] = ALLOW_PROC_NULL,
        [KEY_tag] = tag,
        [KEY_recv_tag] = recv_tag,
    };
    int order[N_EXPR_KEYS], n = keys_in_order(key, order);
    for (int i = 0; i < n; i++) {
        p->sized = order[i] == KEY_size ? collective : NULL;
        if (order[i] == KEY_comm)
            check_communicator(p, key[KEY_comm], "`comm`");
        else
            check_whole(p, key[order[i]], allowed[order[i]]);
    }
    p->sized = NULL;
}

static void check_message(struct parser *p, const struct message *message)
{
    enum message_sort sort = message_op_sort(message->op);
    bool only = sort == SORT_receive || sort == SORT_made_receive || sort == SORT_probe;
    bool receives = only || sort == SORT_swap;
    check_keys(p, message->key, receives ? ALLOW_ANY_SOURCE : 0, only ? ALLOW_ANY_TAG : 0,
               receives ? ALLOW_ANY_TAG : 0, NULL);
    check_requests(p, message->n_requests, message->requests, sort == SORT_wait,
                   sort == SORT_start || sort == SORT_free);
}

static void check_call(struct parser *p, const struct stmt *stmt)
{
    const struct procedure *procedure = stmt->call.procedure;
    for (int i = 0; i < stmt->call.n; i++)
        check_whole(p, stmt->call.arguments[i], ALLOW_SPECIAL);
    if (!procedure)
        return;
    if (!procedure->defined) {
        char hint[HINT_BYTES];
        size_t n = 0, capacity = 0;
        const char **names = NULL;
        for (const struct procedure *other = p->tree->procedures; other && is_read(p) && p->hints_left > 0;
             other = other->next) {
            p->hints_left--;
            names = alloc_grow(names, n, &capacity, sizeof *names);
            names[n++] = other->name;
        }
        parse_name_error(p, stmt->at, "undefined procedure `%.60s`%s", procedure->name,
                         parse_hint_text(hint, suggest_name(procedure->name, strlen(procedure->name), names, n)));
        free(names);
    } else if (stmt->call.n >= 0 && stmt->call.n != procedure->n) {
        parse_complain(p, stmt->at, "procedure `%s` takes %d argument%s, not %d", procedure->name, procedure->n,
                       procedure->n == 1 ? "" : "s", stmt->call.n);
        parse_note(p, procedure->at, "it is defined here");
    }
}

/* A Set of a name that a Loop or the procedure around it declares would change what cannot be seen. */
static void check_target(struct parser *p, int variable, struct place at)
{
    if (variable < 0)
        return;
    const struct name *name = name_of(p, p->tree->variables[variable].name);
    if (name->declaration && is_read(p))
        diag_warning(p->diags, at, "`%s` means the %s here, which this does not change", name->text,
                     name->bound == SYMBOL_LOOP ? "variable of the loop" : "argument of the procedure");
}

static void check_block(struct parser *p, const struct block *block);

static void check_loop(struct parser *p, const struct stmt *stmt)
{
    check_whole(p, stmt->loop.iterations, 0);
    check_whole(p, stmt->loop.from, 0);
    check_whole(p, stmt->loop.step, 0);
    struct name *name = stmt->loop.variable ? name_of(p, stmt->loop.variable) : NULL;
    if (!name) {
        check_block(p, &stmt->loop.body);
        return;
    }
    enum symbol_kind bound = name->bound;
    const void *declaration = name->declaration;
    int argument = name->argument;
    name->bound = SYMBOL_LOOP;
    name->declaration = stmt;
    name->argument = -1;
    check_block(p, &stmt->loop.body);
    name->bound = bound;
    name->declaration = declaration;
    name->argument = argument;
}

/* The name of a table where it may stand for all its elements. */
static bool is_whole_table(struct parser *p, struct expr *expr)
{
    const struct name *name = expr && expr->kind == EXPR_NAME ? name_of(p, expr->name) : NULL;
    if (!name || name->declaration || name->variable < 0 || p->tree->variables[name->variable].kind != VARIABLE_table)
        return false;
    expr->symbol = SYMBOL_VARIABLE;
    expr->index = name->variable;
    return true;
}

static void check_make(struct parser *p, const struct making *make, struct place at)
{
    const bool graph = make->maker == MAKER_dist_graph_create_adjacent;
    char what[64];
    check_target(p, make->variable, at);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < make->lists[i].n; k++)
            if (!graph || !is_whole_table(p, make->lists[i].items[k]))
                check_whole(p, make->lists[i].items[k], graph ? ALLOW_PROC_NULL : 0);
    snprintf(what, sizeof what, "the %s argument of %s", make->maker == MAKER_cart_sub ? "first" : "third",
             maker_name(make->maker));
    if (make->parent)
        check_communicator(p, make->parent, what);
}

static void check_stmt(struct parser *p, struct stmt *stmt)
{
    parse_enter_place(p, stmt->at);
    switch (stmt->kind) {
    case STMT_LOOP: check_loop(p, stmt); break;
    case STMT_WHILE:
        check_whole(p, stmt->while_.test, 0);
        check_block(p, &stmt->while_.body);
        break;
    case STMT_RUNON:
        for (int i = 0; i < stmt->runon.n; i++)
            check_whole(p, stmt->runon.tests[i], 0);
        for (int i = 0; i < stmt->runon.n + stmt->runon.has_else; i++)
            check_block(p, &stmt->runon.blocks[i]);
        break;
    case STMT_REGION: check_block(p, &stmt->region.body); break;
    case STMT_MESSAGE:
        check_message(p, &stmt->message);
        for (int i = 0; i < N_BIND_KEYS; i++)
            check_target(p, stmt->message.bind[i], stmt->at);
        break;
    case STMT_COLLECTIVE:
        check_keys(p, stmt->collective.key, 0, 0, 0, &stmt->collective);
        check_requests(p, stmt->collective.n_requests, stmt->collective.requests, false, false);
        break;
    case STMT_SERIAL:
        for (int i = 0; i < stmt->serial.n; i++)
            for (int k = 0; k < stmt->serial.rows[i].n; k++)
                check_whole(p, stmt->serial.rows[i].a[k], 0);
        break;
    case STMT_SET:
        check_target(p, stmt->set.variable, stmt->at);
        check_whole(p, stmt->set.element, 0);
        check_whole(p, stmt->set.value, ALLOW_SPECIAL);
        break;
    case STMT_MAKE: check_make(p, &stmt->make, stmt->at); break;
    case STMT_CALL: check_call(p, stmt); break;
    case STMT_FAIL: break;
    }
}

static void check_block(struct parser *p, const struct block *block)
{
    for (struct stmt *stmt = block->first; stmt; stmt = stmt->next)
        check_stmt(p, stmt);
}

static void check_procedure(struct parser *p, const struct procedure *procedure)
{
    for (int i = 0; i < procedure->n; i++) {
        struct name *name = name_of(p, procedure->arguments[i]);
        name->bound = SYMBOL_ARGUMENT;
        name->declaration = procedure;
        name->argument = i;
    }
    check_block(p, &procedure->body);
    for (int i = 0; i < procedure->n; i++)
        name_of(p, procedure->arguments[i])->declaration = NULL;
}

/* -D: a number for the whole program. */
static void add_definitions(struct parser *p)
{
    struct place at = place_of_file("command line");
    p->defined = alloc_zeroed(p->n_definitions, sizeof *p->defined);
    for (size_t i = 0; i < p->n_definitions; i++) {
        const struct definition *definition = &p->definitions[i];
        struct name *name = name_of(p, definition->name);
        enum symbol_kind symbol;
        if (parse_reserved_symbol(definition->name, &symbol)) {
            parse_name_error(p, at, "-D %s: the name is a word of the directive language", definition->name);
        } else if (name->definition >= 0) {
            parse_name_error(p, at, "-D %s is given twice", definition->name);
        } else if (definition->text) {
            name->definition = (int)i;
            p->defined[i] = parse_definition(p, definition);
        } else {
            name->definition = (int)i;
            struct expr *value = parse_make_value(p, at, definition->value);
            add_parameter(p, name, (struct parameter){name->text, at, ORIGIN_OPTION, value, false});
        }
    }
    for (size_t i = 0; i < p->n_definitions; i++)
        if (p->defined[i])
            find_parameter(p, name_of(p, p->definitions[i].name), NULL, NULL);
}

/* A parameter of a variable's name gives the variable its first value. */
static void link_variables(struct parser *p)
{
    for (size_t i = 0; i < p->tree->n_variables; i++) {
        const struct variable *variable = &p->tree->variables[i];
        parse_enter_place(p, variable->at);
        int parameter = variable->kind == VARIABLE_number
                            ? find_meaning(p, name_of(p, variable->name), variable->at, false) : -1;
        p->tree->variables[i].parameter = parameter < 0 ? -1 : parameter;
        if (parameter >= 0)
            p->tree->parameters[parameter].used = true;
    }
}

static void warn_of_unused(struct parser *p)
{
    for (size_t i = 0; i < p->n_definitions; i++) {
        const struct name *name = name_of(p, p->definitions[i].name);
        if (name->definition != (int)i || name->parameter < 0 || p->tree->parameters[name->parameter].used)
            continue;
        char hint[HINT_BYTES];
        const char *nearest = nearest_name(p, name->text, true);
        diag_warning(p->diags, place_of_file("command line"), "-D %s is never used by the program%s", name->text,
                     parse_hint_text(hint, nearest));
    }
}

void check_names(struct parser *p)
{
    p->panic = false;
    add_definitions(p);
    for (size_t i = 0; i < p->n_params; i++) {
        struct name *name = name_of(p, p->params[i].name);
        parse_enter_place(p, p->params[i].at);
        if (name->definition < 0)
            find_parameter(p, name, NULL, NULL);
        else if (p->params[i].value)
            check_whole(p, p->params[i].value, IN_PARAMETER);
    }
    for (const struct procedure *procedure = p->tree->procedures; procedure; procedure = procedure->next)
        check_procedure(p, procedure);
    check_block(p, &p->tree->program);
    link_variables(p);
    if (p->n_syntax == 0 && p->n_name == 0)
        warn_of_unused(p);
}
