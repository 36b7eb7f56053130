#include "models/machine/fields.h"

#include "common/numerals.h"
#include "common/suggest.h"
#include "common/units.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ERRORS_MOST = 1000,   /* further ones are not even worded: a large file of the wrong kind has millions */
    PATH_BYTES = 200,
    SHOWN_BYTES = 40,     /* of a text that is quoted in a message */
};
#define WHOLE_MOST 9007199254740992.0 /* 2^53: doubles below are exact */

/* ---- places ---- */

static size_t path_append(const struct spot *spot, char path[PATH_BYTES], size_t n)
{
    if (!spot->up)
        return n;
    n = path_append(spot->up, path, n);
    int added;
    if (spot->key)
        added = snprintf(path + n, PATH_BYTES - n, "%s%.60s", n ? "." : "", spot->key->text);
    else
        added = snprintf(path + n, PATH_BYTES - n, "[%zu]", spot->index);
    n += added > 0 ? (size_t)added : 0;
    return n < PATH_BYTES ? n : PATH_BYTES - 1;
}

/* Control bytes from the file must not reach a terminal. */
static void text_clean(char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            *text = '?';
}

/* "resources[1].demand: 1 ms after 4 ms". Allocated. */
static char *told_of(const struct spot *spot, const char *format, va_list arguments)
{
    char path[PATH_BYTES] = "";
    path_append(spot, path, 0);
    char *message = alloc_format_list(format, arguments);
    text_clean(path);
    text_clean(message);
    char *text = alloc_format("%s%s%s", path, path[0] ? ": " : "", message);
    free(message);
    return text;
}

static void error_add(struct reader *r, const struct spot *spot, const struct yaml_node *at, const char *format,
                      va_list arguments)
{
    char *text = told_of(spot, format, arguments);
    diag_error(r->diags, yaml_tree_place(r->tree, at), "%s", text);
    free(text);
}

void spot_error(struct reader *r, const struct spot *spot, const char *format, ...)
{
    if (r->errors++ >= ERRORS_MOST)
        return;
    va_list arguments;
    va_start(arguments, format);
    error_add(r, spot, spot->node, format, arguments);
    va_end(arguments);
}

void spot_warning(struct reader *r, const struct spot *spot, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = told_of(spot, format, arguments);
    va_end(arguments);
    diag_warning(r->diags, yaml_tree_place(r->tree, spot->node), "%s", text);
    free(text);
}

/* An error about a key of a map, underlining the key. */
static void __attribute__((format(printf, 4, 5)))
key_error(struct reader *r, const struct spot *map, const struct yaml_node *key, const char *format, ...)
{
    if (r->errors++ >= ERRORS_MOST)
        return;
    va_list arguments;
    va_start(arguments, format);
    error_add(r, map, key, format, arguments);
    va_end(arguments);
}

struct spot spot_item(const struct spot *list, size_t i)
{
    return (struct spot){.up = list, .node = list->node->items[i], .index = i};
}

struct spot spot_pair(const struct spot *map, size_t i)
{
    return (struct spot){.up = map, .node = map->node->items[2 * i + 1], .key = map->node->items[2 * i]};
}

const char *node_found(const struct yaml_node *node, char text[FOUND_BYTES])
{
    if (node->kind == YAML_KIND_LIST)
        return "a list";
    if (node->kind == YAML_KIND_MAP)
        return "a map";
    if (node_is_null(node))
        return "nothing";
    bool whole = node->n <= SHOWN_BYTES;
    const char *quote = node->plain ? "" : "\"";
    snprintf(text, FOUND_BYTES, "`%s%.*s%s%s`", quote, whole ? (int)node->n : SHOWN_BYTES, node->text,
             whole ? "" : "...", quote);
    return text;
}

bool spot_is_meant(const struct spot *spot)
{
    return spot->node || spot->misspelt;
}

/* ---- maps ---- */

bool node_is_null(const struct yaml_node *node)
{
    if (node->kind != YAML_KIND_TEXT || !node->plain)
        return false;
    return node->n == 0 || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0 ||
           strcmp(node->text, "Null") == 0 || strcmp(node->text, "NULL") == 0;
}

/* What YAML takes for a key, and nobody meant as one: of `transit: 0,2 ms` in braces `2 ms`, and `nodes:2`. */
static const char *key_advice(const struct yaml_node *key)
{
    const char *colon = memchr(key->text, ':', key->n);
    if (colon && colon[1] != '\0')
        return "YAML wants a space behind the colon";
    return isdigit((unsigned char)key->text[0]) ? "numbers have a decimal point, not a comma" : NULL;
}

static void unknown_key(struct reader *r, const struct spot *spot, const struct yaml_node *key, struct field fields[],
                        size_t n)
{
    enum { MOST = 64, LIST_BYTES = 400 }; /* names: more than there are operations; a list that is still read */
    const char *names[MOST];
    char list[LIST_BYTES] = "";
    size_t used = 0, n_names = 0;
    for (size_t i = 0; i < n && n_names < MOST; i++) {
        if (fields[i].use >= KEY_FORMER)
            continue;
        names[n_names++] = fields[i].name;
        int added = snprintf(list + used, LIST_BYTES - used, "%s%s", used ? ", " : "", fields[i].name);
        const bool fits = added > 0 && used + (size_t)added < LIST_BYTES - sizeof ", ...";
        if (!fits && used < LIST_BYTES - sizeof ", ...")
            strcpy(list + used, ", ...");
        used = fits ? used + (size_t)added : LIST_BYTES - 1;
    }
    const char *nearest = suggest_name(key->text, key->n, names, n_names);
    for (size_t i = 0; i < n && nearest; i++)
        fields[i].spot.misspelt |= fields[i].name == nearest;
    const char *advice = key_advice(key);
    if (advice)
        key_error(r, spot, key, "unknown key `%.60s`: %s", key->text, advice);
    else if (nearest)
        key_error(r, spot, key, "unknown key `%.60s`, did you mean `%s`?", key->text, nearest);
    else
        key_error(r, spot, key, "unknown key `%.60s`; the %s here %s %s", key->text, n_names > 1 ? "keys" : "key",
                  n_names > 1 ? "are" : "is", list);
}

static void former_key(struct reader *r, const struct yaml_node *key, const char *name)
{
    if (r->former == name)
        return;
    r->former = name;
    diag_note(r->diags, yaml_tree_place(r->tree, key), "`%s` is ignored: nothing uses it any more", name);
}

bool fields_take(struct reader *r, const struct spot *spot, struct field fields[], size_t n)
{
    char found[FOUND_BYTES];
    if (spot->node->kind != YAML_KIND_MAP) {
        spot_error(r, spot, "expected a map with %s`%s`, found %s",
                   fields[0].use == KEY_REQUIRED ? "" : "keys such as ", fields[0].name, node_found(spot->node, found));
        return false;
    }
    for (size_t pair = 0; pair < spot->node->n; pair++) {
        struct spot child = spot_pair(spot, pair);
        size_t i = 0;
        while (i < n && strcmp(fields[i].name, child.key->text) != 0)
            i++;
        if (i == n)
            unknown_key(r, spot, child.key, fields, n);
        else if (fields[i].use == KEY_FORMER)
            former_key(r, child.key, fields[i].name);
        else if (fields[i].use == KEY_OF_TOP)
            key_error(r, spot, child.key, "`%s` stands at the top level of the file", fields[i].name);
        else if (fields[i].use == KEY_REQUIRED || !node_is_null(child.node))
            fields[i].spot = child;
    }
    for (size_t i = 0; i < n; i++)
        if (fields[i].use == KEY_REQUIRED && !spot_is_meant(&fields[i].spot))
            spot_error(r, spot, "missing key `%s`", fields[i].name);
    return true;
}

bool list_check(struct reader *r, const struct spot *spot, size_t n, const char *what)
{
    char found[FOUND_BYTES];
    if (spot->node->kind != YAML_KIND_LIST) {
        spot_error(r, spot, "expected %s, found %s", what, node_found(spot->node, found));
        return false;
    }
    if (n != LIST_ANY && spot->node->n != n) {
        spot_error(r, spot, "expected %s, found a list of %u", what, spot->node->n);
        return false;
    }
    return true;
}

/* ---- numbers ---- */

enum number { NUMBER_READ, NUMBER_NOT, NUMBER_NOT_FINITE, NUMBER_OCTAL, NUMBER_TOO_LARGE };

static bool hex_parse(const char *text, double *value)
{
    if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X') || !isxdigit((unsigned char)text[2]))
        return false;
    char *end;
    *value = (double)strtoull(text + 2, &end, 16);
    return *end == '\0' && end - text <= 2 + 13; /* 52 bits */
}

/* A number as YAML 1.1 writes it, less the forms that trap people: 010 (octal), 1_000 and 1:30. */
static enum number number_parse(const struct yaml_node *node, double *value)
{
    if (node->kind != YAML_KIND_TEXT || !node->plain || strlen(node->text) != node->n || node->n == 0)
        return NUMBER_NOT;
    const char *at = node->text + (node->text[0] == '+' || node->text[0] == '-');
    if (*at == '.' && (strcasecmp(at, ".inf") == 0 || strcasecmp(at, ".nan") == 0))
        return NUMBER_NOT_FINITE;
    if (hex_parse(node->text, value))
        return NUMBER_READ;
    const char *start = at;
    size_t digits = strspn(at, "0123456789");
    at += digits;
    size_t decimals = 0;
    if (*at == '.') {
        decimals = strspn(at + 1, "0123456789");
        at += 1 + decimals;
    }
    if (digits + decimals == 0)
        return NUMBER_NOT;
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        size_t exponent = strspn(at, "0123456789");
        if (exponent == 0)
            return NUMBER_NOT;
        at += exponent;
    }
    if (*at)
        return NUMBER_NOT;
    if (digits > 1 && start[0] == '0')
        return NUMBER_OCTAL;
    char *end;
    *value = units_number(node->text, &end);
    return isfinite(*value) ? NUMBER_READ : NUMBER_TOO_LARGE;
}

static void number_error(struct reader *r, const struct spot *spot, enum number problem, const char *expected)
{
    char found[FOUND_BYTES];
    node_found(spot->node, found);
    if (problem == NUMBER_OCTAL)
        spot_error(r, spot, "%s would be octal in YAML: write it without leading zeros", found);
    else if (problem == NUMBER_NOT_FINITE)
        spot_error(r, spot, "expected %s, found %s, which is not finite", expected, found);
    else if (problem == NUMBER_TOO_LARGE)
        spot_error(r, spot, "expected %s, found %s, which is too large", expected, found);
    else
        spot_error(r, spot, "expected %s, found %s", expected, node_found(spot->node, found));
}

bool number_read(struct reader *r, const struct spot *spot, struct range range, double *value)
{
    double number = 0;
    enum number problem = number_parse(spot->node, &number);
    if (problem == NUMBER_READ && number >= range.low && number <= range.high) {
        *value = number;
        return true;
    }
    number_error(r, spot, problem, range.expected);
    return false;
}

bool whole_read(struct reader *r, const struct spot *spot, int64_t low, int64_t high, int64_t *value)
{
    double number = 0;
    enum number problem = number_parse(spot->node, &number);
    if (problem == NUMBER_READ && number == floor(number) && fabs(number) <= WHOLE_MOST && number >= (double)low &&
        number <= (double)high) {
        *value = (int64_t)number;
        return true;
    }
    char expected[80];
    if ((double)high >= INT32_MAX)
        snprintf(expected, sizeof expected, "a whole number of at least %lld", (long long)low);
    else
        snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)low, (long long)high);
    number_error(r, spot, problem, expected);
    return false;
}

bool length_read(struct reader *r, const struct spot *spot, double *bytes)
{
    int64_t value;
    if (!spot->node)
        return true;
    if (!whole_read(r, spot, 1, INT64_MAX, &value))
        return false;
    *bytes = (double)value;
    return true;
}

bool int_read(struct reader *r, const struct spot *spot, int low, int high, int *value)
{
    int64_t whole;
    if (!whole_read(r, spot, low, high, &whole))
        return false;
    *value = (int)whole;
    return true;
}

/* ---- times ---- */

#define TIME_EXPECTED "a time such as 98.5e-6 or \"98.5 us\""

/* What follows the number in a text, when that is a word: a unit nobody knows. NULL: something else is wrong. */
static const char *unknown_unit(const struct yaml_node *node)
{
    char *end;
    double number = numerals_read(node->text, &end);
    if (end == node->text || !isfinite(number))
        return NULL;
    while (isspace((unsigned char)*end))
        end++;
    for (const char *at = end; *at; at++)
        if (!isalpha((unsigned char)*at))
            return NULL;
    return *end ? end : NULL;
}

bool time_read(struct reader *r, const struct spot *spot, enum sign sign, double *seconds)
{
    double time = 0;
    const struct yaml_node *node = spot->node;
    enum number problem = number_parse(node, &time);
    if (problem == NUMBER_NOT && node->kind == YAML_KIND_TEXT && strlen(node->text) == node->n &&
        units_parse_time(node->text, 1, &time))
        problem = NUMBER_READ;
    if (problem == NUMBER_READ && (time >= 0 || sign == SIGN_ANY)) {
        *seconds = time;
        return true;
    }
    char found[FOUND_BYTES];
    const char *unit = problem == NUMBER_NOT && node->kind == YAML_KIND_TEXT ? unknown_unit(node) : NULL;
    if (problem == NUMBER_READ)
        spot_error(r, spot, "expected a time of at least 0, found %s", node_found(node, found));
    else if (unit)
        spot_error(r, spot, "unknown unit `%.20s`; the units are ns, us, ms, s and min", unit);
    else
        number_error(r, spot, problem, TIME_EXPECTED);
    return false;
}

/* ---- fitted numbers ---- */

static bool node_is_fitted(const struct yaml_node *node)
{
    if (node->kind != YAML_KIND_MAP)
        return false;
    for (size_t i = 0; i < node->n; i++)
        if (strcmp(node->items[2 * i]->text, "value") == 0)
            return true;
    return false;
}

/* The half-width of a confidence interval, given so or by its two ends. */
static double ci95_read(struct reader *r, const struct spot *spot)
{
    double ends[2] = {0, 0}, half = 0;
    if (spot->node->kind != YAML_KIND_LIST) {
        time_read(r, spot, SIGN_NOT_NEGATIVE, &half);
    } else if (list_check(r, spot, 2, "a half-width or a list of 2 ends")) {
        for (size_t i = 0; i < 2; i++) {
            struct spot item = spot_item(spot, i);
            time_read(r, &item, SIGN_ANY, &ends[i]);
        }
        half = (ends[1] - ends[0]) / 2;
    }
    return half;
}

/* Reads {value:, ci95:, experiments:} and returns the spot of the value, which is to go to `value`. */
static struct spot fitted_take(struct reader *r, const struct spot *spot, const double *value)
{
    struct field fields[] = {{"value", true, {0}}, {"ci95", false, {0}}, {"experiments", false, {0}}};
    fields_take(r, spot, FIELDS(fields));
    int64_t experiments = 0;
    double ci95 = 0;
    if (fields[1].spot.node)
        ci95 = ci95_read(r, &fields[1].spot);
    if (fields[2].spot.node)
        whole_read(r, &fields[2].spot, 1, INT64_MAX, &experiments);
    if (r->source && fields[1].spot.node && experiments > 0 && experiments <= INT_MAX)
        machine_source_add_fitted(r->source, &(struct machine_fitted){value, ci95, (int)experiments});
    return fields[0].spot;
}

bool fitted_number_read(struct reader *r, const struct spot *spot, struct range range, double *value)
{
    if (!node_is_fitted(spot->node))
        return number_read(r, spot, range, value);
    struct spot inner = fitted_take(r, spot, value);
    return number_read(r, &inner, range, value);
}

bool fitted_time_read(struct reader *r, const struct spot *spot, enum sign sign, double *seconds)
{
    if (!node_is_fitted(spot->node))
        return time_read(r, spot, sign, seconds);
    struct spot inner = fitted_take(r, spot, seconds);
    return time_read(r, &inner, sign, seconds);
}

bool buffer_read(struct reader *r, const struct spot *spot, double *seconds)
{
    if (!fitted_time_read(r, spot, SIGN_NOT_NEGATIVE, seconds))
        return false;
    if (*seconds > 0)
        return true;
    spot_error(r, spot, "a buffer of no time would lose everything: leave it out where nothing is lost");
    return false;
}

/* ---- words ---- */

bool bool_read(struct reader *r, const struct spot *spot, bool *value)
{
    static const char *const names[] = {"false", "no", "off", "true", "yes", "on"};
    for (int i = 0; i < 6; i++)
        if (spot->node->kind == YAML_KIND_TEXT && spot->node->plain && strcasecmp(spot->node->text, names[i]) == 0) {
            *value = i >= 3;
            return true;
        }
    char found[FOUND_BYTES];
    spot_error(r, spot, "expected true or false, found %s", node_found(spot->node, found));
    return false;
}

bool text_read(struct reader *r, const struct spot *spot, const char *expected, const char **text)
{
    const struct yaml_node *node = spot->node;
    char found[FOUND_BYTES];
    if (node->kind != YAML_KIND_TEXT || node->n == 0 || node_is_null(node) || strlen(node->text) != node->n) {
        spot_error(r, spot, "expected %s, found %s", expected, node_found(node, found));
        return false;
    }
    *text = node->text;
    return true;
}

bool choice_read(struct reader *r, const struct spot *spot, const char *what, const char *const names[], size_t n,
                 int *choice)
{
    char list[200] = "", found[FOUND_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (spot->node->kind == YAML_KIND_TEXT && strcmp(spot->node->text, names[i]) == 0) {
            *choice = (int)i;
            return true;
        }
        const char *joint = i == 0 ? "" : i + 1 == n ? " or " : ", ";
        int added = snprintf(list + used, sizeof list - used, "%s%s", joint, names[i]);
        used += added > 0 && used + (size_t)added < sizeof list ? (size_t)added : 0;
    }
    const char *nearest =
        spot->node->kind == YAML_KIND_TEXT ? suggest_name(spot->node->text, spot->node->n, names, n) : NULL;
    if (nearest)
        spot_error(r, spot, "unknown %s %s, did you mean `%s`?", what, node_found(spot->node, found), nearest);
    else
        spot_error(r, spot, "expected a %s, %s, found %s", what, list, node_found(spot->node, found));
    return false;
}
