#include "directives/parse/macro.h"

#include "common/alloc.h"

#include <stdlib.h>

enum { ITEMS_MOST = 2000 }; /* operators and operands of one expression: macros that repeat macros multiply */

/* An expression as it is written, without the parentheses that its tree makes needless. */
enum item_kind { ITEM_OPERAND, ITEM_UNARY, ITEM_BINARY, ITEM_QUESTION, ITEM_COLON };
struct item {
    enum item_kind kind;
    struct expr *expr;          /* OPERAND; else the node that it comes from */
};

struct flat {
    struct parser *p;
    macro_lookup *lookup;
    size_t n, capacity, at;
    struct item *items;
    bool failed;
};

static bool is_open(const struct expr *expr)
{
    return expr->group != EXPR_PARENTHESISED && (expr->kind == EXPR_BINARY || expr->kind == EXPR_CONDITION);
}

/* The open text of a macro whose name stands here. */
static const struct expr *text_of(const struct flat *f, const struct expr *expr)
{
    bool bare = expr->kind == EXPR_NAME && expr->group != EXPR_PARENTHESISED;
    const struct expr *text = bare ? f->lookup(f->p, expr) : NULL;
    for (int depth = 0; text && !is_open(text) && depth < PARAMETERS_DEEPEST; depth++)
        text = text->kind == EXPR_NAME && text->group == EXPR_BARE ? f->lookup(f->p, text) : NULL;
    return text && is_open(text) ? text : NULL;
}

static void add(struct flat *f, enum item_kind kind, struct expr *expr)
{
    if (f->n == ITEMS_MOST) {
        f->failed = true;
        return;
    }
    f->items = alloc_grow(f->items, f->n, &f->capacity, sizeof *f->items);
    f->items[f->n].kind = kind;
    f->items[f->n++].expr = expr;
}

static void bind_apart(struct parser *p, const struct expr *name)
{
    parse_name_error(p, name->at, "a cast or a power binds to a part of the macro `%s` only: put it in parentheses", name->name);
}

/* root: it stands by itself, so a name in it stays. depth: of names within the texts of names. */
static void flatten(struct flat *f, struct expr *expr, bool root, int depth)
{
    const struct expr *text = root || f->failed ? NULL : text_of(f, expr);
    if (f->failed || depth > NESTING_MOST * 2) {
        f->failed = true;
    } else if (text && expr->group == EXPR_PART) {
        bind_apart(f->p, expr);
        add(f, ITEM_OPERAND, expr);
    } else if (text) {
        flatten(f, parse_copy(f->p, text), false, depth + 1);
    } else if (!root && expr->group == EXPR_PARENTHESISED) {
        add(f, ITEM_OPERAND, expr);
    } else if (expr->kind == EXPR_BINARY) {
        flatten(f, expr->a[0], false, depth + 1);
        add(f, ITEM_BINARY, expr);
        flatten(f, expr->a[1], false, depth + 1);
    } else if (expr->kind == EXPR_CONDITION) {
        flatten(f, expr->a[0], false, depth + 1);
        add(f, ITEM_QUESTION, expr);
        flatten(f, expr->a[1], false, depth + 1);
        add(f, ITEM_COLON, expr);
        flatten(f, expr->a[2], false, depth + 1);
    } else if (expr->kind == EXPR_NEGATE || expr->kind == EXPR_NOT) {
        add(f, ITEM_UNARY, expr);
        flatten(f, expr->a[0], false, depth + 1);
    } else {
        add(f, ITEM_OPERAND, expr);
    }
}

/* ---- the tree anew, by precedence climbing as in expr.c ---- */

static struct expr *build_condition(struct flat *f);

static struct expr *build_unary(struct flat *f)
{
    if (f->at >= f->n)
        return NULL;
    const struct item *item = &f->items[f->at++];
    if (item->kind == ITEM_OPERAND)
        return item->expr;
    struct expr *operand = build_unary(f);
    return operand ? parse_make(f->p, item->expr->kind, item->expr->at, 1, &operand) : NULL;
}

static struct expr *build_binary(struct flat *f, int least)
{
    static const int strengths[] = {
#define X(name, text, strength) strength,
        BINARY_LIST(X)
#undef X
    };
    struct expr *left = build_unary(f);
    while (left && f->at < f->n && f->items[f->at].kind == ITEM_BINARY) {
        const struct expr *node = f->items[f->at].expr;
        if (strengths[node->op] < least)
            break;
        f->at++;
        struct expr *operands[2] = {left, build_binary(f, strengths[node->op] + 1)};
        left = operands[1] ? parse_make(f->p, EXPR_BINARY, node->at, 2, operands) : NULL;
        if (left)
            left->op = node->op;
    }
    return left;
}

static struct expr *build_condition(struct flat *f)
{
    struct expr *test = build_binary(f, 1);
    if (!test || f->at >= f->n || f->items[f->at].kind != ITEM_QUESTION)
        return test;
    const struct expr *node = f->items[f->at++].expr;
    struct expr *operands[3] = {test, build_condition(f), NULL};
    f->at++;
    operands[2] = operands[1] ? build_condition(f) : NULL;
    return operands[2] ? parse_make(f->p, EXPR_CONDITION, node->at, 3, operands) : NULL;
}

/* Does any open macro stand beside an operator of this expression? */
static bool has_macro(const struct flat *f, const struct expr *expr, bool root)
{
    if (!root && text_of(f, expr))
        return true;
    bool operators = expr->kind == EXPR_BINARY || expr->kind == EXPR_CONDITION || expr->kind == EXPR_NEGATE ||
                     expr->kind == EXPR_NOT;
    bool inside = operators && (root || expr->group != EXPR_PARENTHESISED);
    for (int i = 0; inside && i < expr->n; i++)
        if (has_macro(f, expr->a[i], false))
            return true;
    return false;
}

static bool rebuild(struct flat *f, struct expr *expr)
{
    flatten(f, expr, true, 0);
    struct expr *built = f->failed ? NULL : build_condition(f);
    if (!built) {
        parse_name_error(f->p, expr->at, "the macros in this expression stand for too much");
        return false;
    }
    struct place at = expr->at;
    enum expr_group group = expr->group;
    *expr = *built;
    expr->at = at;
    expr->group = group;
    return true;
}

/* Does a macro stand for a value by itself, whatever binds to it? */
static bool stands_alone(const struct expr *text)
{
    return !text || text->group == EXPR_PARENTHESISED || (text->kind == EXPR_VALUE && value_as_real(text->value) >= 0);
}

/* Arguments of functions and what stands in parentheses are expressions by themselves; but of a power they are written beside
 * an operator. */
static bool expand_inside(struct parser *p, struct expr *expr, macro_lookup *lookup)
{
    for (int i = 0; i < expr->n; i++) {
        if (expr->kind == EXPR_CALL && expr->a[i]->group == EXPR_PART && !stands_alone(lookup(p, expr->a[i]))) {
            bind_apart(p, expr->a[i]);
            return false;
        }
        bool apart = expr->kind == EXPR_CALL || expr->a[i]->group == EXPR_PARENTHESISED;
        if (apart ? !macro_expand(p, expr->a[i], lookup) : !expand_inside(p, expr->a[i], lookup))
            return false;
    }
    return true;
}

bool macro_expand(struct parser *p, struct expr *expr, macro_lookup *lookup)
{
    struct flat f = {.p = p, .lookup = lookup};
    bool good = !has_macro(&f, expr, true) || rebuild(&f, expr);
    free(f.items);
    p->panic = false;
    return good && expand_inside(p, expr, lookup);
}
