#include "cli/lists.h"

#include "common/alloc.h"
#include "common/suggest.h"
#include "models/model_list.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where a list is being read. */
struct cursor {
    const char *option, *text;
    size_t at;
    struct diags *diags;
};

static struct place cursor_place(const struct cursor *cursor, size_t at, size_t width)
{
    return (struct place){.file = cursor->option, .line = 1, .column = (int)at + 1, .width = width > 0 ? (int)width : 1,
                          .text = cursor->text, .text_length = strlen(cursor->text)};
}

static bool cursor_take(struct cursor *cursor, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(cursor->text + cursor->at, word, n) != 0)
        return false;
    cursor->at += n;
    return true;
}

/* "end of the list", or the text up to the next comma. */
static char *found_text(const struct cursor *cursor)
{
    size_t n = strcspn(cursor->text + cursor->at, ",");
    if (n == 0)
        return alloc_string(cursor->text[cursor->at] ? "a comma" : "the end");
    return alloc_format("`%.*s`", (int)n, cursor->text + cursor->at);
}

static enum status cursor_expected(const struct cursor *cursor, const char *what)
{
    char *found = found_text(cursor);
    size_t width = strcspn(cursor->text + cursor->at, ",");
    diag_error(cursor->diags, cursor_place(cursor, cursor->at, width), "expected %s, found %s", what, found);
    free(found);
    return STATUS_USAGE;
}

/* A positive number that fits an int. */
static enum status read_count(struct cursor *cursor, const char *what, int *count)
{
    size_t start = cursor->at;
    long long value = 0;
    if (!isdigit((unsigned char)cursor->text[start]))
        return cursor_expected(cursor, what);
    while (isdigit((unsigned char)cursor->text[cursor->at])) {
        value = value * 10 + (cursor->text[cursor->at++] - '0');
        value = value > LIST_PROCESSES_MOST ? LIST_PROCESSES_MOST + 1 : value;
    }
    struct place place = cursor_place(cursor, start, cursor->at - start);
    if (value < 1)
        diag_error(cursor->diags, place, "expected %s of at least 1", what);
    else if (value > LIST_PROCESSES_MOST)
        diag_error(cursor->diags, place, "more than %d processes cannot be predicted", (int)LIST_PROCESSES_MOST);
    *count = (int)value;
    return value >= 1 && value <= LIST_PROCESSES_MOST ? STATUS_OK : STATUS_USAGE;
}

static enum status read_placement(struct cursor *cursor, struct placement *at)
{
    size_t start = cursor->at;
    at->ppn = 1;
    enum status status = read_count(cursor, "a number of processes", &at->nodes);
    if (status == STATUS_OK && cursor_take(cursor, "x"))
        status = read_count(cursor, "a number of processes per node", &at->ppn);
    if (status != STATUS_OK)
        return status;
    if ((long long)at->nodes * at->ppn > LIST_PROCESSES_MOST) {
        diag_error(cursor->diags, cursor_place(cursor, start, cursor->at - start),
                   "more than %d processes cannot be predicted", (int)LIST_PROCESSES_MOST);
        return STATUS_USAGE;
    }
    at->numprocs = at->nodes * at->ppn;
    return STATUS_OK;
}

struct placements {
    size_t n, capacity;
    struct placement *list;
};

static bool placements_add(struct placements *all, int nodes, int ppn)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].nodes == nodes && all->list[i].ppn == ppn)
            return true;
    if (all->n >= LIST_LENGTH_MOST)
        return false;
    all->list = alloc_grow(all->list, all->n, &all->capacity, sizeof *all->list);
    all->list[all->n++] = (struct placement){nodes * ppn, nodes, ppn};
    return true;
}

/* One RANGE: where it goes, and how it steps. */
static enum status read_range(struct cursor *cursor, struct placement *first, struct placement *last, char *how,
                              int *step)
{
    enum status status = read_placement(cursor, first);
    *last = *first;
    *how = '+';
    *step = 1;
    if (status != STATUS_OK || !(cursor_take(cursor, "..") || cursor_take(cursor, "-")))
        return status;
    size_t start = cursor->at;
    status = read_placement(cursor, last);
    if (status != STATUS_OK)
        return status;
    struct place place = cursor_place(cursor, start, cursor->at - start);
    if (last->ppn != first->ppn) {
        diag_error(cursor->diags, place, "the range starts with %d process%s per node and ends with %d", first->ppn,
                   first->ppn > 1 ? "es" : "", last->ppn);
        return STATUS_USAGE;
    }
    if (last->nodes < first->nodes) {
        diag_error(cursor->diags, place, "the range ends before it starts (%d < %d)", last->nodes, first->nodes);
        return STATUS_USAGE;
    }
    char next = cursor->text[cursor->at];
    if (next != '*' && next != '+')
        return STATUS_OK;
    *how = next;
    start = ++cursor->at;
    status = read_count(cursor, "a step", step);
    if (status == STATUS_OK && *how == '*' && *step < 2) {
        diag_error(cursor->diags, cursor_place(cursor, start, 1),
                   "a factor of at least 2 is needed to get from %d to %d", first->nodes, last->nodes);
        status = STATUS_USAGE;
    }
    return status;
}

enum status list_parse_placements(const char *option, const char *text, size_t *n, struct placement **list,
                                  struct diags *diags)
{
    struct cursor cursor = {option, text, 0, diags};
    struct placements all = {0};
    enum status status;
    do {
        struct placement first, last;
        char how;
        int step;
        size_t start = cursor.at;
        status = read_range(&cursor, &first, &last, &how, &step);
        for (long long nodes = first.nodes; status == STATUS_OK && nodes <= last.nodes;
             nodes = how == '*' ? nodes * step : nodes + step)
            if (!placements_add(&all, (int)nodes, first.ppn)) {
                diag_error(diags, cursor_place(&cursor, start, cursor.at - start), "more than %d counts",
                           (int)LIST_LENGTH_MOST);
                status = STATUS_USAGE;
            }
    } while (status == STATUS_OK && cursor_take(&cursor, ","));
    if (status == STATUS_OK && cursor.text[cursor.at])
        status = cursor_expected(&cursor, "`,`, `x`, `-`, `..`, `*` or `+`");
    if (status != STATUS_OK) {
        free(all.list);
        return status;
    }
    *n = all.n;
    *list = all.list;
    return STATUS_OK;
}

/* What follows the name of a mode: nothing, @nxp or @2x1. */
static bool mode_suffix(const char *suffix, size_t n, bool *pingpong)
{
    *pingpong = n == 4 && memcmp(suffix, "@2x1", 4) == 0;
    return n == 0 || *pingpong || (n == 4 && memcmp(suffix, "@nxp", 4) == 0);
}

static enum status read_mode(struct cursor *cursor, struct predict_mode *mode, char **name)
{
    static const char *const names[] = {
#define X(mode_name) #mode_name,
        MODE_LIST(X)
#undef X
    };
    const char *start = cursor->text + cursor->at;
    size_t n = strcspn(start, ","), bare = strcspn(start, ",@");
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == bare && memcmp(names[i], start, bare) == 0) {
            mode->cost = (enum cost_mode)i;
            known = true;
        }
    struct place place = cursor_place(cursor, cursor->at, n);
    if (!known) {
        const char *meant = suggest_name(start, bare, names, sizeof names / sizeof *names);
        diag_error(cursor->diags, place, "unknown mode `%.*s`, %s%s%s", (int)bare, start, meant ? "did you mean `" : "",
                   meant ? meant : "expected distribution, average or minimum", meant ? "`?" : "");
        return STATUS_USAGE;
    }
    if (!mode_suffix(start + bare, n - bare, &mode->pingpong)) {
        diag_error(cursor->diags, cursor_place(cursor, cursor->at + bare, n - bare),
                   "expected @nxp or @2x1 after the mode, found `%.*s`", (int)(n - bare), start + bare);
        return STATUS_USAGE;
    }
    *name = alloc_string_n(start, n);
    mode->name = *name;
    cursor->at += n;
    return STATUS_OK;
}

static bool mode_is_listed(const struct mode_list *list, const struct predict_mode *mode)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->modes[i].cost == mode->cost && list->modes[i].pingpong == mode->pingpong)
            return true;
    return false;
}

enum status list_parse_modes(const char *option, const char *text, struct mode_list *list, struct diags *diags)
{
    enum { KINDS = 2 * 3 }; /* each mode as @nxp and as @2x1 */
    struct cursor cursor = {option, text, 0, diags};
    *list = (struct mode_list){.modes = alloc_zeroed(KINDS, sizeof *list->modes),
                               .names = alloc_zeroed(KINDS, sizeof *list->names)};
    enum status status;
    do {
        struct predict_mode mode;
        char *name = NULL;
        status = read_mode(&cursor, &mode, &name);
        if (status == STATUS_OK && !mode_is_listed(list, &mode)) {
            list->names[list->n] = name;
            list->modes[list->n++] = mode;
        } else {
            free(name);
        }
    } while (status == STATUS_OK && cursor_take(&cursor, ","));
    if (status != STATUS_OK)
        mode_list_free(list);
    return status;
}

static const char *const model_names[] = {
#define X(name, given, formula) #name,
    MODEL_LIST(X)
#undef X
};
enum { N_MODELS = sizeof model_names / sizeof *model_names };
_Static_assert((int)N_MODELS <= (int)MODEL_LIST_MOST, "a list holds every model");

/* NULL after an error. */
static const char *read_model(struct cursor *cursor)
{
    const char *start = cursor->text + cursor->at;
    size_t n = strcspn(start, ",");
    for (size_t i = 0; i < N_MODELS; i++)
        if (strlen(model_names[i]) == n && memcmp(model_names[i], start, n) == 0) {
            cursor->at += n;
            return model_names[i];
        }
    const char *meant = suggest_name(start, n, model_names, N_MODELS);
#define X(name, given, formula) ", " #name
    static const char all[] = "" MODEL_LIST(X);
#undef X
    diag_error(cursor->diags, cursor_place(cursor, cursor->at, n), "unknown model `%.*s`, %s%s%s", (int)n, start,
               meant ? "did you mean `" : "expected some of ", meant ? meant : all + 2, meant ? "`?" : "");
    return NULL;
}

enum status list_parse_models(const char *option, const char *text, struct model_list *list, struct diags *diags)
{
    struct cursor cursor = {option, text, 0, diags};
    *list = (struct model_list){0};
    do {
        const char *name = read_model(&cursor);
        if (!name)
            return STATUS_USAGE;
        bool listed = false;
        for (size_t i = 0; i < list->n; i++)
            listed = listed || list->names[i] == name;
        if (!listed)
            list->names[list->n++] = name;
    } while (cursor_take(&cursor, ","));
    return STATUS_OK;
}

struct predict_mode *lists_cross(const struct model_list *models, const struct mode_list *modes, char **text)
{
    struct predict_mode *all = alloc_array(models->n * modes->n, sizeof *all);
    *text = alloc_string("");
    for (size_t i = 0; i < models->n; i++) {
        for (size_t j = 0; j < modes->n; j++) {
            all[i * modes->n + j] = modes->modes[j];
            all[i * modes->n + j].model = models->names[i];
        }
        char *longer = alloc_format("%s%s%s", *text, i > 0 ? ", " : "", models->names[i]);
        free(*text);
        *text = longer;
    }
    return all;
}

void mode_list_free(struct mode_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->names[i]);
    free(list->names);
    free(list->modes);
    *list = (struct mode_list){0};
}

/* Bytes up to the next comma that stands in no parentheses, or the end. */
static size_t item_length(const char *text)
{
    size_t n = 0;
    for (int open = 0; text[n] && (text[n] != ',' || open > 0); n++)
        open += text[n] == '(' ? 1 : text[n] == ')' ? -1 : 0;
    return n;
}

/* An expression without its blanks, so that it is one word of a list of parameters. */
static char *read_expression(struct cursor *cursor)
{
    const size_t n = item_length(cursor->text + cursor->at);
    char *text = alloc_string_n(cursor->text + cursor->at, n);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)text[i]))
            text[kept++] = text[i];
    text[kept] = '\0';
    cursor->at += n;
    return text;
}

/* A number with an optional sign, up to the next comma or the end; or an expression, which goes to *text. */
static enum status read_value(struct cursor *cursor, struct value *value, char **text)
{
    size_t start = cursor->at;
    bool negative = cursor_take(cursor, "-");
    if (!negative)
        (void)cursor_take(cursor, "+");
    const char *problem = NULL, *number = cursor->text + cursor->at;
    size_t n = strcspn(number, ","), taken = value_parse(number, n, value, &problem);
    if (taken == n && value_is_octal(number, n))
        problem = "this would be octal in C: write it without leading zeros";
    else if (taken == n && n > 0 && negative)
        problem = value_negate(*value, value);
    if (taken == n && n > 0 && !problem) {
        cursor->at += n;
        return STATUS_OK;
    }
    cursor->at = start;
    if (!problem && item_length(cursor->text + start) > 0) {
        *text = read_expression(cursor);
        return STATUS_OK;
    }
    if (problem)
        diag_error(cursor->diags, cursor_place(cursor, start, strcspn(cursor->text + start, ",")), "%s", problem);
    else
        (void)cursor_expected(cursor, "a number");
    return STATUS_RANGE;
}

enum status list_parse_sweep(const char *option, const char *text, struct sweep *sweep, struct diags *diags)
{
    struct cursor cursor = {option, text, 0, diags};
    size_t n = 0, capacity = 0, texts_capacity = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    if (n == 0 || isdigit((unsigned char)text[0]))
        return cursor_expected(&cursor, "NAME=VALUE");
    cursor.at = n;
    if (!cursor_take(&cursor, "="))
        return cursor_expected(&cursor, "`=` and a value after the name");
    *sweep = (struct sweep){.name = alloc_string_n(text, n)};
    enum status status;
    do {
        struct value value = {.kind = VALUE_NONE};
        char *expression = NULL;
        status = read_value(&cursor, &value, &expression);
        if (status != STATUS_OK)
            break;
        if (sweep->n >= LIST_LENGTH_MOST) {
            diag_error(diags, cursor_place(&cursor, 0, n), "more than %d values", (int)LIST_LENGTH_MOST);
            free(expression);
            status = STATUS_USAGE;
            break;
        }
        sweep->texts = alloc_grow(sweep->texts, sweep->n, &texts_capacity, sizeof *sweep->texts);
        sweep->texts[sweep->n] = expression;
        sweep->values = alloc_grow(sweep->values, sweep->n, &capacity, sizeof *sweep->values);
        sweep->values[sweep->n++] = value;
    } while (cursor_take(&cursor, ","));
    if (status != STATUS_OK)
        sweep_free(sweep);
    return status;
}
