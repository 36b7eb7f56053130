#include "directives/parse/parse_impl.h"

#include "directives/directive.h"

#include <stdlib.h>
#include <string.h>

enum { ASSERT_TEXT_MOST = 120 }; /* bytes: a diagnostic of one line; the text of a failure has 160 */

int parse_variable(struct parser *p, struct name *name, struct place at, enum variable_kind kind)
{
    static const char *const whats[] = {
#define X(kind, what) what,
        VARIABLE_LIST(X)
#undef X
    };
    struct tree *tree = p->tree;
    if (name->variable >= 0) {
        struct variable *variable = &tree->variables[name->variable];
        if (variable->kind != kind) {
            parse_name_error(p, at, "`%s` is a %s, and so cannot be a %s too", name->text, whats[variable->kind],
                             whats[kind]);
            parse_note(p, variable->at, "it is made one here");
        }
        return name->variable;
    }
    tree->variables =
        alloc_grow(tree->variables, tree->n_variables, &tree->variables_capacity, sizeof *tree->variables);
    name->variable = (int)tree->n_variables;
    tree->variables[tree->n_variables++] = (struct variable){name->text, at, kind, -1, false};
    return name->variable;
}

/* loop := "Loop" "iterations" "=" expr [ "var" "=" NAME ] [ "from" "=" expr ] [ "step" "=" expr ]
 *       | "Loop" "while" "=" expr; section 2. */
static void parse_loop(struct parser *p, struct stmt *stmt)
{
    struct keys keys;
    parse_keys(p, KEY_BIT(iterations) | KEY_BIT(while) | KEY_BIT(var) | KEY_BIT(from) | KEY_BIT(step), "Loop", &keys);
    if (keys.given & KEY_BIT(while)) {
        stmt->kind = STMT_WHILE;
        stmt->while_.test = keys.value[WORD_while];
        for (int i = 0; i < N_KEYS; i++)
            if (i != WORD_while && keys.given >> i & 1)
                parse_complain(p, keys.at[i], "a `Loop while` has no `%s`: it is `Loop iterations = ...` that counts",
                               key_text((enum key)i));
        return;
    }
    stmt->kind = STMT_LOOP;
    stmt->loop.iterations = keys.value[WORD_iterations];
    stmt->loop.from = keys.value[WORD_from];
    stmt->loop.step = keys.value[WORD_step];
    stmt->loop.variable = keys.name[WORD_var] ? keys.name[WORD_var]->text : NULL;
    parse_require(p, &keys, KEY_BIT(iterations), "Loop", stmt->at);
    if ((keys.given & (KEY_BIT(from) | KEY_BIT(var))) == KEY_BIT(from))
        parse_complain(p, keys.at[WORD_from], "`from` is the first value of a variable: `var = NAME` is missing");
    if ((keys.given & (KEY_BIT(step) | KEY_BIT(var))) == KEY_BIT(step))
        parse_complain(p, keys.at[WORD_step], "`step` is how a variable goes on: `var = NAME` is missing");
}

/* region := "Region" NAME; section 2. The same name may stand in several places. */
static void parse_region(struct parser *p, struct stmt *stmt)
{
    struct tree *tree = p->tree;
    stmt->kind = STMT_REGION;
    if (p->token.kind != TOKEN_NAME) {
        parse_unexpected(p, "the name of the region");
        return;
    }
    struct name *name = parse_intern(p, p->token);
    parse_advance(p);
    if (name->region < 0) {
        tree->regions = alloc_grow(tree->regions, tree->n_regions, &tree->regions_capacity, sizeof *tree->regions);
        name->region = (int)tree->n_regions;
        tree->regions[tree->n_regions++] = name->text;
    }
    stmt->region.index = name->region;
}

/* The condition's key must be c1, c2, ... in this order. False after an error. */
static bool parse_condition_key(struct parser *p, int number)
{
    char expected[16], found[TOKEN_TEXT_BYTES];
    snprintf(expected, sizeof expected, "c%d", number);
    if (parse_token_is(p, p->token, expected)) {
        parse_advance(p);
        return parse_assign(p, expected);
    }
    const char *text = p->text + p->token.at;
    bool numbered = p->token.kind == TOKEN_NAME && p->token.n > 1 && (*text == 'c' || *text == 'C') &&
                    strspn(text + 1, "0123456789") >= p->token.n - 1;
    token_text(p->text, p->token, found);
    if (numbered && strtol(text + 1, NULL, 10) < number && strtol(text + 1, NULL, 10) > 0)
        parse_error(p, parse_place(p, p->token), "%s is given twice: expected `%s` or `else`", found, expected);
    else if (p->token.kind == TOKEN_NAME && parse_peek(p).kind == TOKEN_ASSIGN)
        parse_error(p, parse_place(p, p->token), "unknown key %s: expected `%s = CONDITION`%s", found, expected,
                    number > 1 ? " or `else`" : "");
    else
        parse_unexpected(p,
                         number > 1 ? "a further condition such as `c2 = CONDITION`, or `else`" : "`c1 = CONDITION`");
    parse_advance(p);
    return false;
}

/* runon := "Runon" "c1" "=" expr { "cN" "=" expr } [ "else" ]; section 2. */
static int parse_runon(struct parser *p, struct stmt *stmt)
{
    size_t n = 0, capacity = 0;
    struct expr **tests = NULL;
    int number = 1;
    stmt->kind = STMT_RUNON;
    if (p->token.kind == TOKEN_END)
        parse_complain(p, stmt->at, "Runon needs a condition: `c1 = CONDITION`");
    bool more = p->token.kind != TOKEN_END;
    while (more) {
        if (stmt->runon.has_else) {
            parse_error(p, parse_place(p, p->token), "`else` is the last of a Runon: nothing follows it");
            break;
        }
        if (number > 1 && parse_token_is(p, p->token, "else") && parse_peek(p).kind != TOKEN_ASSIGN) {
            parse_advance(p);
            stmt->runon.has_else = true;
        } else {
            tests = alloc_grow(tests, n, &capacity, sizeof *tests);
            tests[n++] = parse_condition_key(p, number++) ? parse_expr(p) : NULL;
        }
        if (p->panic)
            parse_recover(p);
        more = parse_separator(p);
    }
    p->panic = false;
    stmt->runon.n = (int)n;
    stmt->runon.tests = arena_alloc(&p->tree->memory, n, sizeof *tests);
    if (n > 0)
        memcpy(stmt->runon.tests, tests, n * sizeof *tests);
    free(tests);
    size_t blocks = n + stmt->runon.has_else;
    stmt->runon.blocks = arena_alloc(&p->tree->memory, blocks, sizeof *stmt->runon.blocks);
    return (int)blocks;
}

/* NAME [ "[" expr "]" ] "=", the start of Param and Set; element NULL: no table. NULL after an error. */
static struct name *parse_target(struct parser *p, const char *keyword, struct place *at, struct expr **element)
{
    char expected[64];
    if (p->token.kind != TOKEN_NAME) {
        snprintf(expected, sizeof expected, "`NAME = VALUE` after `%s`", keyword);
        parse_unexpected(p, expected);
        return NULL;
    }
    struct token token = p->token;
    *at = parse_place(p, token);
    parse_advance(p);
    struct name *name = parse_may_declare(p, token) ? parse_intern(p, token) : NULL;
    if (element && parse_accept(p, TOKEN_BRACKET)) {
        *element = parse_expr(p);
        if (!*element || !parse_expect(p, TOKEN_UNBRACKET, "`]`"))
            return NULL;
    }
    parse_assign(p, name ? name->text : "the name");
    return name;
}

/* param := "Param" NAME "=" expr; section 2. */
static void parse_param(struct parser *p)
{
    struct place at;
    struct name *name = parse_target(p, "Param", &at, NULL);
    struct expr *value = p->panic ? NULL : parse_expr(p);
    if (!name)
        return;
    if (name->param >= 0) {
        parse_name_error(p, at, "`%s` has a Param already", name->text);
        parse_note(p, p->params[name->param].at, "the first is here");
        return;
    }
    p->params = alloc_grow(p->params, p->n_params, &p->params_capacity, sizeof *p->params);
    name->param = (int)p->n_params;
    p->params[p->n_params++] = (struct parameter){name->text, at, ORIGIN_PARAM, value, false};
}

enum list_size { LIST_none, LIST_one, LIST_many };
static const struct {
    const char *name, *takes;
    enum list_size lists[2];
} makers[] = {
#define X(name, first, second, takes) {#name, takes, {LIST_##first, LIST_##second}},
    MAKER_LIST(X)
#undef X
};

const char *maker_name(enum comm_maker maker)
{
    return makers[maker].name;
}

/* An argument of what makes a communicator. */
struct maker_argument {
    bool is_list;
    struct place at;
    struct expr_list list;
};

/* "(" expr { "," expr } ")", or an expression. False after an error. */
static bool parse_maker_argument(struct parser *p, bool may_be_list, struct maker_argument *argument)
{
    size_t n = 0, capacity = 0;
    struct expr **items = NULL;
    struct token start = p->token;
    bool good = true;
    argument->is_list = may_be_list && parse_accept(p, TOKEN_OPEN);
    do {
        items = alloc_grow(items, n, &capacity, sizeof *items);
        items[n] = parse_expr(p);
        good = items[n++] != NULL;
    } while (good && argument->is_list && parse_accept(p, TOKEN_COMMA));
    good = good && (!argument->is_list || parse_expect(p, TOKEN_CLOSE, "`,` or `)`"));
    argument->at = parse_place_from(p, start);
    argument->list.n = (int)n;
    argument->list.items = arena_alloc(&p->tree->memory, n, sizeof *items);
    memcpy(argument->list.items, items, n * sizeof *items);
    free(items);
    return good;
}

/* The arguments in their places. False: they are not what the maker takes. */
static bool place_arguments(struct parser *p, struct making *make, int n, const struct maker_argument arguments[])
{
    const bool parent_first = make->maker == MAKER_cart_sub;
    int next = parent_first;
    for (int i = 0; i < 2 && makers[make->maker].lists[i] != LIST_none; i++, next++) {
        if (next >= n)
            return false;
        if (arguments[next].is_list != (makers[make->maker].lists[i] == LIST_many)) {
            parse_complain(p, arguments[next].at, "%s takes a list here, in parentheses such as (4, 2)",
                           makers[make->maker].name);
            return true;
        }
        make->lists[i] = arguments[next].list;
    }
    const int parent = parent_first ? 0 : next++;
    if (parent < n && arguments[parent].is_list)
        return false;
    if (parent < n)
        make->parent = arguments[parent].list.items[0];
    return next >= n;
}

/* make := MAKER "(" argument { "," argument } ")"; section 2, Communicators. */
static void parse_make_comm(struct parser *p, struct stmt *stmt, enum comm_maker maker)
{
    struct maker_argument arguments[3] = {{false}};
    struct token word = p->token;
    int n = 0;
    bool good = true;
    stmt->kind = STMT_MAKE;
    stmt->make = (struct making){.maker = maker};
    parse_advance(p);
    parse_advance(p);
    do {
        struct maker_argument more;
        good = parse_maker_argument(p, makers[maker].lists[0] == LIST_many, n < 3 ? &arguments[n] : &more);
        n++;
    } while (good && parse_accept(p, TOKEN_COMMA));
    if (!good || !parse_expect(p, TOKEN_CLOSE, "`,` or `)`"))
        return;
    if (n > 3 || !place_arguments(p, &stmt->make, n, arguments))
        parse_complain(p, parse_place_from(p, word), "%s takes %s, not %d argument%s", makers[maker].name,
                       makers[maker].takes, n, n == 1 ? "" : "s");
}

/* What the word makes; N_MAKERS: no communicator. */
static enum comm_maker find_maker(const struct parser *p)
{
    for (int i = 0; i < N_MAKERS; i++)
        if (parse_token_is(p, p->token, makers[i].name) && parse_peek(p).kind == TOKEN_OPEN)
            return (enum comm_maker)i;
    return N_MAKERS;
}

/* set := "Set" ( NAME [ "[" expr "]" ] "=" expr | NAME "=" make ); section 2. */
static void parse_set(struct parser *p, struct stmt *stmt)
{
    struct place at;
    struct expr *element = NULL;
    struct name *name = parse_target(p, "Set", &at, &element);
    const enum comm_maker maker = p->panic ? N_MAKERS : find_maker(p);
    const bool makes = maker != N_MAKERS;
    struct expr *value = NULL;
    stmt->kind = STMT_SET;
    if (makes)
        parse_make_comm(p, stmt, maker);
    else if (!p->panic)
        value = parse_expr(p);
    enum variable_kind kind = makes ? VARIABLE_communicator : element ? VARIABLE_table : VARIABLE_number;
    int variable = name ? parse_variable(p, name, at, kind) : -1;
    if (makes) {
        if (element)
            parse_complain(p, element->at, "a communicator is no element of a table: give each a name of its own");
        stmt->make.variable = variable;
    } else {
        stmt->set.variable = variable;
        stmt->set.element = element;
        stmt->set.value = value;
    }
}

static struct procedure *find_procedure(struct parser *p, struct token token)
{
    struct name *name = parse_intern(p, token);
    if (!name->procedure) {
        name->procedure = arena_alloc(&p->tree->memory, 1, sizeof *name->procedure);
        name->procedure->name = name->text;
    }
    return name->procedure;
}

/* "(" [ NAME { "," NAME } ] ")" */
static void parse_parameters(struct parser *p, struct procedure *procedure)
{
    size_t n = 0, capacity = 0;
    const char **names = NULL;
    if (!parse_accept(p, TOKEN_CLOSE)) {
        do {
            if (p->token.kind != TOKEN_NAME) {
                parse_unexpected(p, "the name of an argument");
                break;
            }
            struct name *name = parse_intern(p, p->token);
            bool fine = parse_may_declare(p, p->token);
            if (name->declaration == procedure) {
                parse_name_error(p, parse_place(p, p->token), "two arguments are called `%s`", name->text);
                fine = false;
            }
            names = alloc_grow(names, n, &capacity, sizeof *names);
            names[n++] = name->text;
            if (fine)
                name->declaration = procedure;
            parse_advance(p);
        } while (parse_accept(p, TOKEN_COMMA));
        if (!p->panic)
            parse_expect(p, TOKEN_CLOSE, "`,` or `)`");
    }
    procedure->n = (int)n;
    procedure->arguments = arena_alloc(&p->tree->memory, n, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        procedure->arguments[i] = names[i];
        names_get(&p->names, names[i], strlen(names[i]))->declaration = NULL;
    }
    free(names);
}

/* procedure := "Procedure" NAME [ "(" [ NAME { "," NAME } ] ")" ]; section 2. */
static struct procedure *parse_procedure(struct parser *p, struct place at)
{
    if (p->token.kind != TOKEN_NAME) {
        parse_unexpected(p, "the name of the procedure");
        return NULL;
    }
    struct token token = p->token;
    struct procedure *procedure = find_procedure(p, token);
    parse_advance(p);
    if (procedure->defined) {
        parse_name_error(p, parse_place(p, token), "a second procedure `%s`", procedure->name);
        parse_note(p, procedure->at, "the first is here");
        procedure = arena_alloc(&p->tree->memory, 1, sizeof *procedure);
    } else {
        procedure->defined = true;
        procedure->at = at;
        if (p->last_procedure)
            p->last_procedure->next = procedure;
        else
            p->tree->procedures = procedure;
        p->last_procedure = procedure;
    }
    if (parse_accept(p, TOKEN_OPEN))
        parse_parameters(p, procedure);
    return procedure;
}

/* call := "Call" NAME [ "(" [ expr { "," expr } ] ")" ]; section 2. */
static void parse_call(struct parser *p, struct stmt *stmt)
{
    size_t n = 0, capacity = 0;
    struct expr **list = NULL;
    stmt->kind = STMT_CALL;
    if (p->token.kind != TOKEN_NAME) {
        parse_unexpected(p, "the name of a procedure");
        return;
    }
    stmt->call.procedure = find_procedure(p, p->token);
    if (!stmt->call.procedure->defined)
        stmt->call.procedure->at = parse_place(p, p->token);
    parse_advance(p);
    if (!parse_accept(p, TOKEN_OPEN) || parse_accept(p, TOKEN_CLOSE))
        return;
    do {
        struct expr *argument = parse_expr(p);
        list = alloc_grow(list, n, &capacity, sizeof *list);
        list[n++] = argument;
    } while (!p->panic && parse_accept(p, TOKEN_COMMA));
    if (!p->panic)
        parse_expect(p, TOKEN_CLOSE, "`,` or `)`");
    stmt->call.n = p->panic ? -1 : (int)n; /* broken: nothing is known about the count */
    stmt->call.arguments = arena_alloc(&p->tree->memory, n, sizeof *list);
    memcpy(stmt->call.arguments, list, n * sizeof *list);
    free(list);
}

/* After a statement without a list of keys nothing may follow. */
static void parse_end(struct parser *p)
{
    if (!p->panic && p->token.kind == TOKEN_BRACE)
        parse_complain(p, parse_place(p, p->token),
                       "a brace must be a directive of its own: write it on the next line");
    else if (!p->panic && p->token.kind != TOKEN_END)
        parse_unexpected(p, p->token.kind == TOKEN_CLOSE ? "the end of the directive (no `(` is open)"
                            : p->token.kind == TOKEN_NAME || p->token.kind == TOKEN_NUMBER
                                ? "an operator or the end of the directive"
                                : "the end of the directive");
    p->panic = false;
}

/* X(spelling, what it is, how many blocks) */
#define KEYWORD_LIST(X)      \
    X(Loop, LOOP, 1)         \
    X(Runon, RUNON, 1)       \
    X(Region, REGION, 1)     \
    X(Message, MESSAGE, 0)   \
    X(Collective, COLLECTIVE, 0) \
    X(Serial, SERIAL, 0)     \
    X(Param, PARAM, 0)       \
    X(Set, SET, 0)           \
    X(Procedure, PROCEDURE, 1) \
    X(Call, CALL, 0)         \
    X(Assert, ASSERT, 0)
enum keyword {
#define X(text, name, blocks) KEYWORD_##name,
    KEYWORD_LIST(X)
#undef X
    N_KEYWORDS
};
static const struct {
    const char *text;
    int blocks;
} keywords[] = {
#define X(text, name, blocks) {#text, blocks},
    KEYWORD_LIST(X)
#undef X
};

/* What else a person may have meant who begins a directive with this word. */
static const char *advice_for_word(const struct parser *p, struct token word, enum token_kind after)
{
    if (after == TOKEN_ASSIGN)
        return ": a line that goes on with the directive above starts with `PEVPM &`";
    if (word.n > 4 && memcmp(p->text + word.at, "MPI_", 4) == 0)
        return ": write `Message type = OPERATION` or `Collective type = OPERATION`";
    if (parse_token_is(p, word, "else"))
        return ": `else` is a part of the Runon, as in `Runon c1 = CONDITION & else`";
    if (parse_token_is(p, word, "if"))
        return ": a condition is written `Runon c1 = CONDITION`";
    if (parse_token_is(p, word, "for") || parse_token_is(p, word, "while") || parse_token_is(p, word, "do"))
        return ": a loop is written `Loop iterations = N` or `Loop while = CONDITION`";
    return NULL;
}

static enum keyword find_keyword(struct parser *p)
{
    char hint[HINT_BYTES], found[TOKEN_TEXT_BYTES];
    const char *names[N_KEYWORDS];
    for (int i = 0; i < N_KEYWORDS; i++) {
        names[i] = keywords[i].text;
        if (parse_token_is(p, p->token, keywords[i].text))
            return (enum keyword)i;
    }
    token_text(p->text, p->token, found);
    if (p->token.kind == TOKEN_END) {
        parse_error(p, parse_place(p, p->token), "an empty directive");
    } else if (p->token.kind != TOKEN_NAME) {
        parse_unexpected(p, "a directive (Loop Runon Region Message Collective Serial Param Set Procedure Call Assert { })");
    } else {
        const char *advice = advice_for_word(p, p->token, parse_peek(p).kind);
        parse_error(p, parse_place(p, p->token), "unknown directive %s%s", found,
                    advice ? advice : parse_hint(hint, p, p->token, names, N_KEYWORDS));
    }
    return N_KEYWORDS;
}

/* The rest of the directive's first line, for the place of the whole statement. */
static struct place statement_place(const struct parser *p, struct token keyword)
{
    return piece_place(p->source, keyword.piece, keyword.at, keyword.piece->end - keyword.at);
}

static struct stmt *new_stmt(struct parser *p, struct place at)
{
    struct stmt *stmt = arena_alloc(&p->tree->memory, 1, sizeof *stmt);
    stmt->at = at;
    stmt->number = p->tree->n_statements++;
    return stmt;
}

/* '"' any bytes but '"' '"', all on one line: the lexer knows no texts, since nothing else has one. NULL after an
 * error. */
static const char *parse_text(struct parser *p)
{
    struct token token = p->token;
    const char *from = p->text + token.at;
    if (token.kind != TOKEN_BAD || *from != '"') {
        parse_unexpected(p, "a text in quotes that says what is wrong");
        return NULL;
    }
    const char *close = memchr(from + 1, '"', token.piece->end - token.at - 1);
    if (!close) {
        parse_error(p, parse_place(p, token), "this text is never closed: expected `\"` on the same line");
        return NULL;
    }
    size_t n = (size_t)(close - from) - 1;
    if (n > ASSERT_TEXT_MOST)
        parse_complain(p, parse_place(p, token), "a text of more than %d bytes", ASSERT_TEXT_MOST);
    p->lexer.at = token.at + n + 2;
    parse_advance(p);
    return arena_string_n(&p->tree->memory, from + 1, n);
}

/* assert := "Assert" expr TEXT; section 2. It is a Runon of the condition's contrary, whose block fails. */
static void parse_assert(struct parser *p, struct stmt *stmt)
{
    struct expr *condition = parse_expr(p);
    const char *text = condition && !p->panic ? parse_text(p) : NULL;
    stmt->kind = STMT_RUNON;
    stmt->runon.n = 1;
    stmt->runon.is_assert = true;
    stmt->runon.tests = arena_alloc(&p->tree->memory, 1, sizeof *stmt->runon.tests);
    stmt->runon.blocks = arena_alloc(&p->tree->memory, 1, sizeof *stmt->runon.blocks);
    if (condition) {
        condition->group = EXPR_PARENTHESISED;
        stmt->runon.tests[0] = parse_make(p, EXPR_NOT, condition->at, 1, &condition);
    }
    struct stmt *fail = stmt->runon.blocks[0].first = new_stmt(p, stmt->at);
    fail->kind = STMT_FAIL;
    fail->fail.text = text ? text : "";
}

/* Reads the statement of a keyword that has been found; its token is still to be read. */
static void parse_keyword(struct parser *p, enum keyword keyword, struct statement *statement)
{
    bool declares = keyword == KEYWORD_PARAM || keyword == KEYWORD_PROCEDURE;
    struct stmt *stmt = statement->stmt = declares ? NULL : new_stmt(p, statement->at);
    parse_advance(p);
    switch (keyword) {
    case KEYWORD_LOOP: parse_loop(p, stmt); break;
    case KEYWORD_RUNON: statement->blocks = parse_runon(p, stmt); break;
    case KEYWORD_REGION: parse_region(p, stmt); parse_end(p); break;
    case KEYWORD_MESSAGE: parse_message(p, stmt); break;
    case KEYWORD_COLLECTIVE: parse_collective(p, stmt); break;
    case KEYWORD_SERIAL: parse_serial(p, stmt); break;
    case KEYWORD_SET: parse_set(p, stmt); parse_end(p); break;
    case KEYWORD_CALL: parse_call(p, stmt); parse_end(p); break;
    case KEYWORD_ASSERT: parse_assert(p, stmt); parse_end(p); break;
    case KEYWORD_PARAM: parse_param(p); parse_end(p); break;
    case KEYWORD_PROCEDURE: statement->procedure = parse_procedure(p, statement->at); parse_end(p); break;
    case N_KEYWORDS: break;
    }
}

struct expr *parse_definition(struct parser *p, const struct definition *definition)
{
    char *name = alloc_format("-D %s", definition->name);
    struct source *source = source_from_text(name, definition->text, strlen(definition->text));
    const struct piece piece = {0, source->length, 0, source->length, 1};
    struct unit *here = p->unit;
    free(name);
    source->next = p->tree->given;
    p->tree->given = source;
    p->source = source;
    p->text = source->text;
    lexer_init(&p->lexer, p->text, &piece, 1);
    p->token = p->last = lexer_next(&p->lexer);
    struct expr *expr = parse_expr(p);
    parse_end(p);
    parse_enter(p, here);
    return expr;
}

struct statement parse_statement(struct parser *p)
{
    struct statement statement = {.at = statement_place(p, p->token)};
    enum keyword keyword = find_keyword(p);
    if (keyword < N_KEYWORDS) {
        statement.keyword = keywords[keyword].text;
        statement.blocks = keywords[keyword].blocks;
        parse_keyword(p, keyword, &statement);
    }
    while (p->token.kind != TOKEN_END)
        parse_advance(p);
    p->panic = false;
    p->open_pending = p->last.kind == TOKEN_BRACE;
    return statement;
}
