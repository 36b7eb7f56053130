#include "directives/parse/parse_impl.h"

static void parse_items(struct parser *p, struct block *block, int level);

/* Opens the lexer on a directive and reads its first token. */
static void parse_open(struct parser *p, size_t directive)
{
    const struct directive *d = &p->unit->directives.list[directive];
    p->text = p->source->text;
    lexer_init(&p->lexer, p->text, p->unit->directives.pieces + d->first, d->n);
    p->token = p->last = lexer_next(&p->lexer);
    p->panic = false;
    p->depth = 0;
}

/* The first token of the next directive; TOKEN_END behind the last one, and for an empty one. */
static enum token_kind next_kind(const struct parser *p)
{
    struct lexer lexer;
    if (p->next >= p->unit->directives.n)
        return TOKEN_END;
    const struct directive *d = &p->unit->directives.list[p->next];
    lexer_init(&lexer, p->source->text, p->unit->directives.pieces + d->first, d->n);
    return lexer_next(&lexer).kind;
}

static bool opens_next(const struct parser *p)
{
    return p->open_pending || next_kind(p) == TOKEN_BRACE;
}

/* Reads a directive that is one brace. */
static struct place parse_brace(struct parser *p)
{
    parse_open(p, p->next++);
    struct place at = parse_place(p, p->token);
    bool closes = p->token.kind == TOKEN_UNBRACE;
    parse_advance(p);
    if (p->token.kind == TOKEN_END)
        return at;
    parse_complain(p, parse_place(p, p->token), "a brace must be a directive of its own: nothing follows it");
    while (p->token.kind != TOKEN_END)
        parse_advance(p);
    if (closes && p->last.kind == TOKEN_BRACE) /* `} else {` */
        p->free_closings++;
    p->close_pending = !closes && p->last.kind == TOKEN_UNBRACE;
    return at;
}

/* Skips to behind the `}` that belongs to a `{` read already, without recursion. */
static void skip_block(struct parser *p)
{
    for (size_t open = 1; open > 0 && p->next < p->unit->directives.n; p->next++) {
        enum token_kind kind = next_kind(p);
        open += kind == TOKEN_BRACE;
        open -= kind == TOKEN_UNBRACE;
    }
}

/* block := "{" items "}"; the "{" is next, or was read at the end of a statement. */
static void parse_block(struct parser *p, struct block *block, int level)
{
    struct place at = p->open_pending ? parse_place(p, p->last) : parse_brace(p);
    p->open_pending = false;
    if (p->close_pending) {
        p->close_pending = p->in_orphan = false;
        return;
    }
    if (level >= NESTING_MOST) {
        parse_complain(p, at, "blocks nested deeper than %d levels", NESTING_MOST);
        skip_block(p);
        return;
    }
    parse_items(p, block, level + 1);
    if (p->next < p->unit->directives.n)
        parse_brace(p);
    else if (!p->unclosed_reported) {
        parse_complain(p, at, "this `{` is never closed: expected `PEVPM }`");
        p->unclosed_reported = true;
    }
}

/* Blocks that belong to nothing are read all the same, for the errors in them. */
static void parse_surplus_blocks(struct parser *p, const struct statement *statement, int level)
{
    struct block nowhere = {NULL};
    bool reported = statement->keyword == NULL;
    while (opens_next(p)) {
        if (!reported && !p->open_pending) {
            parse_open(p, p->next);
            if (statement->blocks == 0)
                parse_complain(p, parse_place(p, p->token), "%s has no block", statement->keyword);
            else if (statement->stmt && statement->stmt->kind == STMT_RUNON)
                parse_complain(p, parse_place(p, p->token), "a surplus block: Runon has %d, one per condition%s",
                               statement->blocks, statement->stmt->runon.has_else ? " and else" : "");
            else
                parse_complain(p, parse_place(p, p->token), "a surplus block: %s has one", statement->keyword);
            parse_note(p, statement->at, "the %s is here", statement->keyword);
        }
        reported = true;
        nowhere.first = NULL;
        p->in_orphan = true;
        parse_block(p, &nowhere, level);
    }
}

/* The block where a statement keeps its i-th one. */
static struct block *block_of(const struct statement *statement, int i, struct block *nowhere)
{
    if (statement->procedure)
        return &statement->procedure->body;
    if (!statement->stmt)
        return nowhere;
    switch (statement->stmt->kind) {
    case STMT_LOOP: return &statement->stmt->loop.body;
    case STMT_WHILE: return &statement->stmt->while_.body;
    case STMT_RUNON: return &statement->stmt->runon.blocks[i];
    case STMT_REGION: return &statement->stmt->region.body;
    default: return nowhere;
    }
}

static void report_missing_block(struct parser *p, const struct statement *statement, int found)
{
    p->free_closings++;
    if (statement->blocks == 1)
        parse_complain(p, statement->at, "%s needs a block: expected `PEVPM {` after it", statement->keyword);
    else
        parse_complain(p, statement->at, "Runon needs %d blocks, one per condition%s, but %d follow%s",
                       statement->blocks, statement->stmt->runon.has_else ? " and else" : "", found,
                       found == 1 ? "s" : "");
}

static void parse_blocks(struct parser *p, const struct statement *statement, int level)
{
    struct block nowhere = {NULL};
    int found = 0;
    while (found < statement->blocks && opens_next(p))
        parse_block(p, block_of(statement, found++, &nowhere), level);
    if (found < statement->blocks)
        report_missing_block(p, statement, found);
    else
        parse_surplus_blocks(p, statement, level);
}

/* A `{` that follows no statement at all. */
static void parse_orphan(struct parser *p, int level, bool follows_orphan)
{
    struct block nowhere = {NULL};
    if (!follows_orphan) {
        parse_open(p, p->next);
        parse_complain(p, parse_place(p, p->token), "a block that belongs to no statement");
    }
    parse_block(p, &nowhere, level);
}

static void parse_surplus_closing(struct parser *p)
{
    struct place at = parse_brace(p);
    if (p->free_closings > 0)
        p->free_closings--;
    else
        parse_complain(p, at, "a `}` without a `{`");
}

/* items := { statement { block } }, up to a "}" or the end. */
static void parse_items(struct parser *p, struct block *block, int level)
{
    struct stmt **tail = &block->first;
    bool orphan = p->in_orphan;
    p->in_orphan = false;
    while (p->next < p->unit->directives.n) {
        enum token_kind kind = next_kind(p);
        if (kind == TOKEN_UNBRACE && level > 0)
            break;
        if (kind == TOKEN_UNBRACE) {
            parse_surplus_closing(p);
        } else if (kind == TOKEN_BRACE) {
            p->in_orphan = true;
            parse_orphan(p, level, orphan);
        } else {
            parse_open(p, p->next++);
            struct statement statement = parse_statement(p);
            parse_blocks(p, &statement, level);
            if (statement.stmt) {
                *tail = statement.stmt;
                tail = &statement.stmt->next;
            }
            orphan = false;
        }
    }
    parse_merge_serials(p, block);
}

void parse_file(struct parser *p, struct block *block)
{
    p->next = 0;
    p->open_pending = p->close_pending = p->in_orphan = p->unclosed_reported = false;
    p->free_closings = 0;
    parse_items(p, block, 0);
}
