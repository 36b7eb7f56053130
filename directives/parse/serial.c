#include "directives/parse/parse_impl.h"

#include "common/suggest.h"
#include "common/units.h"

#include <string.h>

static const struct {
    const char *name;
    int least, most;
} kinds[] = {
#define X(name, least, most) {#name, least, most},
    SERIAL_LIST(X)
#undef X
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* The distribution that the token names where a "(" follows; SERIAL_value: none. */
static enum serial_kind distribution_of(const struct parser *p)
{
    if (p->token.kind != TOKEN_NAME || parse_peek(p).kind != TOKEN_OPEN)
        return SERIAL_value;
    for (int i = SERIAL_value + 1; i < N_KINDS; i++)
        if (strlen(kinds[i].name) == p->token.n && memcmp(kinds[i].name, p->text + p->token.at, p->token.n) == 0)
            return (enum serial_kind)i;
    return SERIAL_value;
}

static bool parse_word(struct parser *p, const char *what, const char **word, struct place *at)
{
    if (p->token.kind != TOKEN_NAME && p->token.kind != TOKEN_NUMBER) {
        parse_unexpected(p, what);
        return false;
    }
    p->token = lexer_extend_word(&p->lexer, p->token);
    *word = arena_string_n(&p->tree->memory, p->text + p->token.at, p->token.n);
    *at = parse_place(p, p->token);
    parse_advance(p);
    return true;
}

/* distribution := NAME "(" expr { "," expr } ")" | "measured" "(" NAME [ "," expr ] ")" */
static void parse_distribution(struct parser *p, struct serial *serial)
{
    struct token word = p->token;
    parse_advance(p);
    parse_advance(p);
    int n = 0;
    if (serial->kind == SERIAL_measured) {
        struct place at;
        if (!parse_word(p, "the name of a measurement in the machine file", &serial->measured, &at))
            return;
        if (p->token.kind == TOKEN_COMMA)
            parse_advance(p);
        else if (!parse_expect(p, TOKEN_CLOSE, "`,` or `)`"))
            return;
        n = p->last.kind == TOKEN_COMMA ? parse_arguments(p, serial->a, 2) : 0;
    } else {
        n = parse_arguments(p, serial->a, 2);
    }
    if (n < 0)
        return;
    int least = kinds[serial->kind].least, most = kinds[serial->kind].most;
    if (n < least || n > most) {
        if (serial->kind == SERIAL_measured)
            parse_complain(p, parse_place_from(p, word), "measured takes a name and at most one argument");
        else
            parse_complain(p, parse_place_from(p, word), "%s takes %d argument%s, not %d", kinds[serial->kind].name,
                           most, most > 1 ? "s" : "", n);
        n = 0;
    }
    serial->n = n;
}

/* unit := "ns" | "us" | "ms" | "s" | "min"; it belongs to the whole time. */
static void parse_unit(struct parser *p, struct serial *serial)
{
    static const char *const units[] = {
#define X(name, seconds) #name,
        TIME_UNIT_LIST(X)
#undef X
    };
    const size_t microsecond = parse_microsecond(p, p->token);
    if (microsecond > 0)
        parse_error(p, piece_place(p->source, p->token.piece, p->token.at, microsecond), "a microsecond is written `us`");
    enum token_kind after = p->token.kind == TOKEN_NAME ? parse_peek(p).kind : TOKEN_ASSIGN;
    if (p->panic || after == TOKEN_ASSIGN || after == TOKEN_EQ)
        return;
    serial->unit = units_time_unit(p->text + p->token.at, p->token.n);
    if (serial->unit == 0) {
        char hint[HINT_BYTES], found[TOKEN_TEXT_BYTES];
        parse_hint(hint, p, p->token, units, sizeof units / sizeof *units);
        if (hint[0])
            parse_error(p, parse_place(p, p->token), "unknown unit %s%s", token_text(p->text, p->token, found), hint);
        else
            parse_unexpected(p, "a unit (ns us ms s min) or an operator");
        return;
    }
    parse_advance(p);
    enum token_kind next = p->token.kind;
    if (next != TOKEN_END && next != TOKEN_SEPARATOR && next != TOKEN_COMMA && next != TOKEN_NAME &&
        next != TOKEN_BRACE && next != TOKEN_UNBRACE)
        parse_error(p, parse_place(p, p->last), "the unit belongs to the whole time: write it at the end");
}

/* time := ( distribution | expr ) [ unit ] */
static void parse_time(struct parser *p, struct serial *serial)
{
    p->in_time = true;
    serial->kind = distribution_of(p);
    if (serial->kind != SERIAL_value) {
        parse_distribution(p, serial);
        if (!p->panic && (p->token.kind <= TOKEN_NOT || p->token.kind == TOKEN_QUESTION))
            parse_error(p, parse_place(p, p->token), "a distribution cannot be a part of an expression");
    } else {
        serial->a[0] = parse_expr(p);
        serial->n = 1;
    }
    parse_unit(p, serial);
    p->in_time = false;
}

/* code := "code" "=" whatever the host language has, up to the end of the directive. It is for pevpm-time alone. */
static void parse_code(struct parser *p, const struct serial *serial)
{
    struct token word = p->token;
    parse_advance(p);
    if (!parse_assign(p, "code"))
        return;
    if (serial->kind != SERIAL_measured || serial->n == 0)
        parse_error(p, parse_place(p, word), "`code` is for measured(NAME, EXPR): what the program calls EXPR");
    else if (p->token.kind == TOKEN_END)
        parse_unexpected(p, "what the program calls the argument");
    while (p->token.kind != TOKEN_END)
        parse_advance(p);
}

/* What follows the time: `code` at most. */
static void parse_rest(struct parser *p, const struct serial *serial)
{
    if (!p->panic && p->token.kind != TOKEN_END && parse_separator(p)) {
        if (parse_token_is(p, p->token, "code"))
            parse_code(p, serial);
        else if (parse_token_is(p, p->token, "time"))
            parse_error(p, parse_place(p, p->token), "`time` is given twice");
        else if (parse_token_is(p, p->token, "on"))
            parse_error(p, parse_place(p, p->token), "`on MACHINE` stands before `time`");
        else if (p->token.kind == TOKEN_NAME)
            parse_error(p, parse_place(p, p->token), "Serial has no key `%.*s`", (int)p->token.n,
                        p->text + p->token.at);
        else
            parse_unexpected(p, "the end of the directive");
    }
    p->panic = false;
}

/* serial := "Serial" [ "on" MACHINE ] "time" "=" time [ sep code ]; section 2. */
void parse_serial(struct parser *p, struct stmt *stmt)
{
    static const char *const keys[] = {"time", "on"};
    char hint[HINT_BYTES], found[TOKEN_TEXT_BYTES];
    struct serial *serial = arena_alloc(&p->tree->memory, 1, sizeof *serial);
    stmt->kind = STMT_SERIAL;
    stmt->serial.n = 1;
    stmt->serial.rows = serial;
    if (parse_token_is(p, p->token, "on")) {
        parse_advance(p);
        bool nameless = parse_token_is(p, p->token, "time") && parse_peek(p).kind == TOKEN_ASSIGN;
        if (nameless)
            parse_unexpected(p, "the name of a machine after `on`");
        if (nameless || !parse_word(p, "the name of a machine after `on`", &serial->machine, &serial->machine_at)) {
            p->panic = false;
            return;
        }
        if (p->token.kind == TOKEN_SEPARATOR || p->token.kind == TOKEN_COMMA)
            parse_advance(p);
    }
    if (!parse_token_is(p, p->token, "time")) {
        parse_error(p, parse_place(p, p->token), "expected `%stime = TIME`, found %s%s",
                    serial->machine ? "" : "[on MACHINE] ", token_text(p->text, p->token, found),
                    parse_hint(hint, p, p->token, keys, 2));
    } else {
        parse_advance(p);
        parse_assign(p, "time");
        if (!p->panic)
            parse_time(p, serial);
    }
    parse_rest(p, serial);
}

/* One row of alternatives: [first, end) are Serial statements, n of them. */
static void merge_row(struct parser *p, struct stmt *first, const struct stmt *end, int n)
{
    struct serial *rows = arena_alloc(&p->tree->memory, (size_t)n, sizeof *rows);
    struct place *places = arena_alloc(&p->tree->memory, (size_t)n, sizeof *places);
    int k = 0;
    for (struct stmt *stmt = first; stmt != end; stmt = stmt->next) {
        rows[k] = stmt->serial.rows[0];
        places[k++] = stmt->at;
    }
    int plain = -1;
    for (int i = 0; i < n; i++) {
        if (rows[i].machine) {
            struct name *name = names_get(&p->names, rows[i].machine, strlen(rows[i].machine));
            if (name->machine_row == first->number + 1) {
                parse_complain(p, rows[i].machine_at,
                               "a second alternative for the machine `%.60s` in this row of Serial lines",
                               rows[i].machine);
                parse_note(p, name->machine_at, "the first is here; times that follow each other add up in one `time`");
            } else {
                name->machine_at = rows[i].machine_at;
            }
            name->machine_row = first->number + 1;
        } else if (plain >= 0) {
            parse_complain(p, places[i], "a second default (without `on MACHINE`) in this row of Serial lines");
            parse_note(p, places[plain], "the first is here; times that follow each other add up in one `time`");
        } else {
            plain = i;
        }
    }
    first->serial.n = n;
    first->serial.rows = rows;
}

void parse_merge_serials(struct parser *p, struct block *block)
{
    for (struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        if (stmt->kind != STMT_SERIAL)
            continue;
        int n = 0;
        bool on = false;
        struct stmt *end = stmt;
        for (; end && end->kind == STMT_SERIAL; end = end->next) {
            n++;
            on = on || end->serial.rows[0].machine;
        }
        if (on && n > 1) {
            merge_row(p, stmt, end, n);
            stmt->next = end;
        } else {
            while (stmt->next != end)
                stmt = stmt->next;
        }
    }
}
