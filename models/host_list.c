#include "models/host_list.h"

#include "common/alloc.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text while it is read. */
struct reading {
    const char *at;
    char *problem;
};

static bool __attribute__((format(printf, 2, 3))) refuse(struct reading *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->problem, HOST_LIST_PROBLEM_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

/* A number of at most nine digits, so that an int holds it; *digits: how many stand there. */
static bool number_take(struct reading *r, int *number, int *digits)
{
    const char *start = r->at;
    *number = 0;
    while (isdigit((unsigned char)*r->at) && r->at - start < 9)
        *number = *number * 10 + (*r->at++ - '0');
    *digits = (int)(r->at - start);
    if (*digits == 0 || isdigit((unsigned char)*r->at))
        return refuse(r, "expected a number of at most nine digits at `%.20s`", start);
    return true;
}

/* NUMBER or NUMBER-NUMBER. */
static bool stretch_take(struct reading *r, int *first, int *last, int *digits)
{
    const char *start = r->at;
    int last_digits;
    if (!number_take(r, first, digits))
        return false;
    *last = *first;
    if (*r->at != '-')
        return true;
    r->at++;
    if (!number_take(r, last, &last_digits))
        return false;
    if (*last < *first)
        return refuse(r, "`%.30s` ends before it begins", start);
    return true;
}

/* What is done with each form of names: prefix, numbers, suffix. digits = 0: the prefix is the name. */
typedef bool form_use(struct reading *r, void *context, const struct host_names_item *form);

static bool form_call(struct reading *r, form_use *use, void *context, const char *prefix, size_t prefix_n,
                      const char *suffix, size_t suffix_n, const struct host_names_item *numbers)
{
    struct host_names_item form = *numbers;
    form.prefix = alloc_string_n(prefix, prefix_n);
    form.suffix = alloc_string_n(suffix, suffix_n);
    bool good = use(r, context, &form);
    free(form.prefix);
    free(form.suffix);
    return good;
}

static bool forms_take(struct reading *r, form_use *use, void *context);

enum { RACKS_MOST = 4096 }; /* numbers in brackets that others follow: these are gone through one by one */

/* Numbers in brackets that others follow: each with what follows. */
static bool each_take(struct reading *r, form_use *use, void *context, const char *prefix, size_t prefix_n,
                      const char *suffix, size_t suffix_n, const struct host_names_item *numbers)
{
    bool good = true;
    if (numbers->last - numbers->first >= RACKS_MOST)
        return refuse(r, "more than %d numbers before the last brackets of `%.30s`", RACKS_MOST, prefix);
    for (int number = numbers->first; number <= numbers->last && good; number++) {
        char *text = alloc_format("%.*s%0*d%.*s", (int)prefix_n, prefix, numbers->digits, number, (int)suffix_n,
                                  suffix);
        struct reading one = {text, r->problem};
        good = forms_take(&one, use, context);
        free(text);
    }
    return good;
}

/* How long the rest of a name is: a comma in brackets does not end it. */
static size_t name_rest(const char *text)
{
    size_t n = 0;
    for (bool within = false; text[n] != '\0' && (within || text[n] != ','); n++)
        within = text[n] == '[' || (within && text[n] != ']');
    return n;
}

/* The stretches between brackets, which r->at stands behind; the prefix is before them. */
static bool brackets_take(struct reading *r, form_use *use, void *context, const char *prefix, size_t prefix_n)
{
    const char *close = strchr(r->at, ']');
    if (!close)
        return refuse(r, "the bracket in `%.30s` is not closed", prefix);
    const size_t suffix_n = name_rest(close + 1);
    const bool last = !memchr(close + 1, '[', suffix_n);
    for (;;) {
        struct host_names_item form = {0};
        if (!stretch_take(r, &form.first, &form.last, &form.digits) ||
            !(last ? form_call : each_take)(r, use, context, prefix, prefix_n, close + 1, suffix_n, &form))
            return false;
        if (r->at == close)
            break;
        if (*r->at != ',')
            return refuse(r, "expected `,` or `]` at `%.20s`", r->at);
        r->at++;
    }
    r->at = close + 1 + suffix_n;
    return true;
}

static bool forms_take(struct reading *r, form_use *use, void *context)
{
    for (;;) {
        const char *start = r->at;
        const size_t n = strcspn(start, ",[");
        if (n == 0)
            return refuse(r, "expected the name of a node at `%.20s`", start);
        r->at += n;
        if (*r->at == '[') {
            r->at++;
            if (!brackets_take(r, use, context, start, n))
                return false;
        } else if (!form_call(r, use, context, start, n, "", 0, &(struct host_names_item){0})) {
            return false;
        }
        if (*r->at == '\0')
            return true;
        r->at++;
    }
}

/* ---- the names of all ---- */

static bool form_add(struct reading *r, void *context, const struct host_names_item *form)
{
    struct host_names *names = context;
    const long long nodes = (long long)names->nodes + form->last - form->first + 1;
    if (nodes > INT_MAX)
        return refuse(r, "more than %d nodes", INT_MAX);
    names->items = alloc_grow(names->items, names->n, &names->capacity, sizeof *names->items);
    struct host_names_item *item = &names->items[names->n++];
    *item = *form;
    item->prefix = alloc_string(form->prefix);
    item->suffix = alloc_string(form->suffix);
    item->node = names->nodes;
    names->nodes = (int)nodes;
    return true;
}

/* Whether two forms have a name in common; it is *number of the first then. Of names that are the same written
 * otherwise, such as n1[0-3] and n[10-13], the first counts. */
static bool forms_meet(const struct host_names_item *a, const struct host_names_item *b, int *number)
{
    *number = a->first > b->first ? a->first : b->first;
    return a->digits == b->digits && strcmp(a->prefix, b->prefix) == 0 && strcmp(a->suffix, b->suffix) == 0 &&
           *number <= a->last && *number <= b->last;
}

static void form_name(const struct host_names_item *form, int number, char name[HOST_NAME_BYTES])
{
    if (form->digits == 0)
        snprintf(name, HOST_NAME_BYTES, "%s", form->prefix);
    else
        snprintf(name, HOST_NAME_BYTES, "%s%0*d%s", form->prefix, form->digits, number, form->suffix);
}

int host_names_find(const struct host_names *names, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < names->n; i++) {
        const struct host_names_item *item = &names->items[i];
        const size_t prefix = strlen(item->prefix), suffix = strlen(item->suffix);
        if (item->digits == 0 && strcmp(item->prefix, name) == 0)
            return item->node;
        if (item->digits == 0 || length < prefix + suffix + (size_t)item->digits || length > prefix + suffix + 9 ||
            strncmp(name, item->prefix, prefix) != 0 || strcmp(name + length - suffix, item->suffix) != 0)
            continue;
        const size_t digits = length - prefix - suffix;
        const char *number = name + prefix;
        if (strspn(number, "0123456789") < digits || (digits > (size_t)item->digits && number[0] == '0'))
            continue;
        const int value = (int)strtol(number, NULL, 10);
        if (value >= item->first && value <= item->last)
            return item->node + value - item->first;
    }
    return -1;
}

void host_names_name(const struct host_names *names, int node, char name[HOST_NAME_BYTES])
{
    size_t i = names->n - 1;
    while (names->items[i].node > node)
        i--;
    form_name(&names->items[i], names->items[i].first + node - names->items[i].node, name);
}

bool host_names_parse(struct host_names *names, const char *text, char problem[HOST_LIST_PROBLEM_BYTES])
{
    struct reading r = {text, problem};
    const size_t known = names->n;
    if (!forms_take(&r, form_add, names))
        return false;
    for (size_t i = known; i < names->n; i++) {
        const struct host_names before = {.n = i, .items = names->items};
        const struct host_names_item *item = &names->items[i];
        int number = 0;
        char name[HOST_NAME_BYTES];
        bool twice = item->digits == 0 && host_names_find(&before, item->prefix) >= 0;
        for (size_t j = 0; j < i && !twice; j++)
            twice = forms_meet(&names->items[j], item, &number);
        form_name(item, number, name);
        if (twice)
            return refuse(&r, "`%.60s` is there twice", name);
    }
    return true;
}

void host_names_free(struct host_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        free(names->items[i].prefix);
        free(names->items[i].suffix);
    }
    free(names->items);
    *names = (struct host_names){0};
}

/* ---- some of them ---- */

struct looking {
    const struct host_names *names;
    struct node_set *set;
};

static bool form_find(struct reading *r, void *context, const struct host_names_item *form)
{
    struct looking *looking = context;
    for (int number = form->first; number <= form->last; number++) {
        char name[HOST_NAME_BYTES];
        form_name(form, number, name);
        const int node = host_names_find(looking->names, name);
        if (node < 0)
            return refuse(r, "`topology.hosts` has no node `%.60s`", name);
        node_set_add(looking->set, node, node);
    }
    return true;
}

static bool numbers_parse(struct node_set *set, int nodes, struct reading *r)
{
    for (;;) {
        int first, last, digits;
        if (!stretch_take(r, &first, &last, &digits))
            return false;
        if (last >= nodes)
            return refuse(r, "there is no node %d: the machine has %d, numbered from 0", last, nodes);
        node_set_add(set, first, last);
        if (*r->at == '\0')
            return true;
        if (*r->at++ != ',')
            return refuse(r, "expected `,` at `%.20s`", r->at - 1);
    }
}

bool host_list_parse(struct node_set *set, const struct host_names *names, int nodes, const char *text,
                     char problem[HOST_LIST_PROBLEM_BYTES])
{
    struct reading r = {text, problem};
    if (text[strspn(text, "0123456789-,")] == '\0')
        return numbers_parse(set, nodes, &r);
    if (names->n == 0)
        return refuse(&r, "`%.40s` is neither a group nor numbers of nodes such as 0-3,8; names of nodes need "
                          "`topology.hosts`", text);
    struct looking looking = {names, set};
    return forms_take(&r, form_find, &looking);
}
