#include "host/fortran/declaration.h"

#include <string.h>

static bool is(const struct host_text *host, size_t i, size_t end, const char *word)
{
    return i < end && host_token_is(host, i, word);
}

static bool is_name(const struct host_text *host, size_t i, size_t end)
{
    return i < end && host->tokens[i].kind == HOST_NAME;
}

/* ---- which statement ---- */

/* Behind a type: `real`, `double precision`, `integer*4`, `real(8)`, `character*(*)`. */
static size_t behind_type(const struct host_text *host, size_t i, size_t end)
{
    static const char *const seconds[] = {"precision", "complex"};
    i += host_token_is(host, i, "double") && HOST_TOKEN_IS_ANY(host, i + 1, seconds) ? 2 : 1;
    if (is(host, i, end, "*"))
        i += is(host, i + 1, end, "(") ? 1 : 2;
    return is(host, i, end, "(") ? fortran_behind(host, i, end) : i;
}

static enum fortran_type type_of(const struct host_text *host, size_t i)
{
    static const char *const reals[] = {"real", "double", "doubleprecision"};
    if (host_token_is(host, i, "integer"))
        return FORTRAN_INTEGER;
    return HOST_TOKEN_IS_ANY(host, i, reals) && !host_token_is(host, i + 1, "complex") ? FORTRAN_REAL
                                                                                         : FORTRAN_OTHER_TYPE;
}

static void begin_typed(struct fortran_entities *e, size_t i)
{
    static const char *const functions[] = {"external", "intrinsic"};
    const struct host_text *host = e->host;
    size_t list = behind_type(host, i, e->end), colons = fortran_find_mark(host, list, e->end, "::");
    e->form = FORTRAN_TYPED;
    e->all.type = type_of(host, i);
    e->all.procedure = host_token_is(host, i, "procedure");
    e->at = colons < e->end ? colons + 1 : list + is(host, list, e->end, ",");
    for (size_t k = list; colons < e->end && k < colons; k = fortran_step(host, k, colons)) {
        e->all.procedure = e->all.procedure || HOST_TOKEN_IS_ANY(host, k, functions);
        e->all.array = e->all.array || host_token_is(host, k, "dimension");
        e->all.constant = e->all.constant || host_token_is(host, k, "parameter");
    }
}

static void begin_attributed(struct fortran_entities *e, size_t i)
{
    static const char *const functions[] = {"external", "intrinsic"}, *const blocks[] = {"common", "save"};
    const struct host_text *host = e->host;
    e->form = FORTRAN_ATTRIBUTED;
    e->all.procedure = HOST_TOKEN_IS_ANY(host, i, functions);
    e->blocks = HOST_TOKEN_IS_ANY(host, i, blocks);
    e->all.type = host_token_is(host, i, "enumerator") ? FORTRAN_INTEGER : FORTRAN_UNTYPED;
    for (e->at = i + 1; is(host, e->at, e->end, "::") || is(host, e->at, e->end, ",");)
        e->at++;
}

void fortran_entities_begin(struct fortran_entities *e, const struct fortran_text *text, size_t statement)
{
    static const char *const types[] = {"integer", "real", "double", "doubleprecision", "complex", "logical",
                                        "character", "type", "class", "byte", "procedure"};
    static const char *const attributes[] = {"dimension", "common", "allocatable", "pointer", "target", "codimension",
                                             "external", "intrinsic", "save", "enumerator"};
    const struct fortran_statement *s = &text->list[statement];
    const struct host_text *host = text->host;
    *e = (struct fortran_entities){.host = host, .end = s->end};
    if (s->first == s->end || (s->kind != FORTRAN_DECLARES && s->kind != FORTRAN_DATA))
        return;
    if (s->kind == FORTRAN_DATA) {
        e->form = FORTRAN_VALUES;
        e->at = s->first + 1;
    } else if (host_token_is(host, s->first, "parameter") && is(host, s->first + 1, s->end, "(")) {
        e->form = FORTRAN_PARAMETERS;
        e->all.constant = true;
        e->at = s->first + 2;
        e->end = fortran_behind(host, s->first + 1, s->end);
        e->end -= host_token_is(host, e->end - 1, ")");
    } else if (HOST_TOKEN_IS_ANY(host, s->first, types)) {
        begin_typed(e, s->first);
    } else if (HOST_TOKEN_IS_ANY(host, s->first, attributes)) {
        begin_attributed(e, s->first);
    }
}

/* ---- lists of names ---- */

/* Behind "//", "/" BLOCK "/" and lines of the preprocessor. */
static size_t behind_block(const struct fortran_entities *e, size_t i)
{
    const struct host_text *host = e->host;
    while (is(host, i, e->end, "#") || (e->blocks && (is(host, i, e->end, "/") || is(host, i, e->end, "//")))) {
        bool named = host_token_is(host, i, "/");
        i = fortran_step(host, i, e->end);
        i += named && is_name(host, i, e->end);
        i += named && is(host, i, e->end, "/");
    }
    return i;
}

/* Where the name that starts at i ends, with all that is said of it. */
static size_t named_end(const struct fortran_entities *e, size_t i)
{
    const struct host_text *host = e->host;
    while (i < e->end && !host_token_is(host, i, ",") &&
           !(e->blocks && (host_token_is(host, i, "/") || host_token_is(host, i, "//"))))
        i = fortran_step(host, i, e->end);
    return i;
}

/* NAME [ bounds ] [ "=" value ] ... */
static bool next_named(struct fortran_entities *e, struct fortran_entity *entity)
{
    const struct host_text *host = e->host;
    while (e->at < e->end) {
        size_t i = behind_block(e, e->at), stop = named_end(e, i), equals = fortran_find_mark(host, i, stop, "=");
        e->at = stop + is(host, stop, e->end, ",");
        if (!is_name(host, i, stop))
            continue;
        *entity = e->all;
        entity->name = i;
        entity->array = entity->array || is(host, i + 1, stop, "(");
        if (equals < stop)
            entity->value = (struct host_range){equals + 1, stop};
        return true;
    }
    return false;
}

/* ---- data ---- */

/* [ COUNT "*" ] before the item: how often it stands there; SIZE_MAX: not known. */
static size_t repeats_of(const struct host_text *host, struct host_range *item)
{
    enum { MOST = 100000000 };
    size_t star = fortran_find_mark(host, item->first, item->end, "*");
    if (star == item->end)
        return 1;
    const struct host_token *count = &host->tokens[item->first];
    if (star != item->first + 1 || count->kind != HOST_NUMBER || count->value.kind != VALUE_INT || count->value.i > MOST)
        return SIZE_MAX;
    item->first = star + 1;
    return (size_t)count->value.i;
}

/* The next item; false at the end of the list. */
static bool next_item(const struct host_text *host, struct fortran_items *list, bool values)
{
    while (list->times == 0) {
        if (list->at >= list->end)
            return false;
        list->item = (struct host_range){list->at, fortran_find_mark(host, list->at, list->end, ",")};
        list->at = list->item.end + 1;
        list->times = values ? repeats_of(host, &list->item) : 1;
    }
    list->times -= list->times != SIZE_MAX;
    return true;
}

/* How many; SIZE_MAX: not known, as one is repeated by a name, or stands for a loop. */
static size_t count_items(const struct host_text *host, struct fortran_items list, bool values)
{
    size_t n = 0;
    while (next_item(host, &list, values)) {
        n += 1 + (list.times == SIZE_MAX ? 0 : list.times);
        if (list.times == SIZE_MAX || (!values && is(host, list.item.first, list.item.end, "(")))
            return SIZE_MAX;
        list.times = 0;
    }
    return n;
}

/* Where there are as many of the names as of the values, each has its own. False: no set follows. */
static bool begin_set(struct fortran_entities *e)
{
    const struct host_text *host = e->host;
    size_t at = e->at + is(host, e->at, e->end, ","), open = fortran_find_mark(host, at, e->end, "/"),
           close = open < e->end ? fortran_find_mark(host, open + 1, e->end, "/") : e->end;
    if (close == e->end)
        return false;
    e->names = (struct fortran_items){.at = at, .end = open};
    e->values = (struct fortran_items){.at = open + 1, .end = close};
    e->at = close + 1;
    size_t n = count_items(host, e->names, false);
    e->paired = n != SIZE_MAX && n == count_items(host, e->values, true);
    return true;
}

static bool next_value(struct fortran_entities *e, struct fortran_entity *entity)
{
    for (;;) {
        while (!next_item(e->host, &e->names, false))
            if (!begin_set(e))
                return false;
        bool known = e->paired && next_item(e->host, &e->values, true);
        if (!is_name(e->host, e->names.item.first, e->names.item.end))
            continue;
        *entity = e->all;
        entity->name = e->names.item.first;
        entity->array = e->names.item.first + 1 < e->names.item.end;
        entity->value = known ? e->values.item : entity->value;
        return true;
    }
}

bool fortran_entities_next(struct fortran_entities *e, struct fortran_entity *entity)
{
    if (e->form == FORTRAN_NOTHING)
        return false;
    return e->form == FORTRAN_VALUES ? next_value(e, entity) : next_named(e, entity);
}

/* ---- modules ---- */

bool fortran_use_read(const struct fortran_text *text, size_t statement, struct fortran_use *use)
{
    const struct fortran_statement *s = &text->list[statement];
    const struct host_text *host = text->host;
    size_t end = s->end, name = s->first + 1;
    if (s->kind == FORTRAN_UNIT && host_token_is(host, s->first, "submodule")) {
        *use = (struct fortran_use){.module = name + 1, .inherits = true, .items = {end, end}};
        return is(host, name, end, "(") && is_name(host, name + 1, end);
    }
    if (s->kind != FORTRAN_DECLARES || s->first == end || !host_token_is(host, s->first, "use"))
        return false;
    bool nature = is(host, name, end, ",") && is(host, name + 2, end, "::");
    *use = (struct fortran_use){.intrinsic = nature && host_token_is(host, name + 1, "intrinsic")};
    name += nature ? 2 : 0;
    name += is(host, name, end, "::");
    bool more = is(host, name + 1, end, ",");
    if (!is_name(host, name, end) || (name + 1 < end && !more))
        return false;
    use->module = name;
    use->only = more && is(host, name + 2, end, "only") && is(host, name + 3, end, ":");
    use->items = (struct host_range){more ? name + (use->only ? 4 : 2) : end, end};
    return true;
}

static bool is_word(const struct host_text *host, size_t i, const char *word, size_t n)
{
    const struct host_token *token = &host->tokens[i];
    return token->kind == HOST_NAME && token->n == n && memcmp(host->text + token->at, word, n) == 0;
}

size_t fortran_item_find(const struct host_text *host, struct host_range items, const char *word, size_t n)
{
    for (size_t i = items.first; i < items.end; i++)
        if ((i == items.first || host_token_is(host, i - 1, ",")) && is_word(host, i, word, n))
            return i;
    return host->n;
}

bool fortran_use_name(const struct host_text *host, const struct fortran_use *use, const char **word, size_t *n)
{
    size_t item = fortran_item_find(host, use->items, *word, *n);
    if (item < host->n && host_token_is(host, item + 1, "=>") && is_name(host, item + 2, host->n)) {
        *word = host->text + host->tokens[item + 2].at;
        *n = host->tokens[item + 2].n;
        return true;
    }
    if (item < host->n || use->only)
        return item < host->n;
    for (size_t i = use->items.first; i + 1 < use->items.end; i++) /* is it renamed? Then this name is not given */
        if (host_token_is(host, i, "=>") && is_word(host, i + 1, *word, *n))
            return false;
    return true;
}
