#include "bench/switches.h"

#include "common/alloc.h"
#include "common/infile.h"
#include "common/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* X(NAME, as Slurm writes it) */
#define KEY_LIST(X)         \
    X(NAME, "SwitchName")   \
    X(SWITCHES, "Switches") \
    X(NODES, "Nodes")       \
    X(SPEED, "LinkSpeed")
enum key {
#define X(NAME, text) KEY_##NAME,
    KEY_LIST(X)
#undef X
    N_KEYS
};
static const char *const key_names[N_KEYS] = {
#define X(NAME, text) text,
    KEY_LIST(X)
#undef X
};

/* A word of the file. text NULL: the file has ended. */
struct word {
    const char *text;
    size_t n;
    struct place place;
};

/* What a switch's line says; text NULL: nothing. */
struct description {
    struct word values[N_KEYS];
};

struct reading {
    const char *path, *at, *line_start;
    int line;
    struct switches *switches;
    struct description *lines; /* [switches->n] */
    size_t lines_capacity;
    bool speeds_told;
    struct diags *diags;
};

/* ---- words ---- */

static struct place place_at(const struct reading *r, const char *at, size_t n)
{
    return (struct place){.file = r->path, .line = r->line, .column = (int)(at - r->line_start) + 1, .width = (int)n,
                          .text = r->line_start, .text_length = strcspn(r->line_start, "\r\n")};
}

static void line_next(struct reading *r)
{
    r->at += strcspn(r->at, "\n");
    if (*r->at == '\n')
        r->at++;
    r->line++;
    r->line_start = r->at;
}

/* The length of a `\` that ends its line; 0: there is none. */
static size_t continuation(const char *at)
{
    return *at == '\\' && (at[1] == '\n' || at[1] == '\0' || (at[1] == '\r' && at[2] == '\n'));
}

/* The next word of a line and of those that it goes on in. n = 0: there is none; then r stands at the end of the
 * line. */
static struct word word_take(struct reading *r)
{
    for (;;) {
        r->at += strspn(r->at, " \t\r\v\f");
        if (!continuation(r->at))
            break;
        line_next(r);
    }
    size_t n = 0;
    while (r->at[n] && !strchr(" \t\r\v\f\n#", r->at[n]) && !continuation(r->at + n))
        n++;
    const struct word word = {r->at, n, place_at(r, r->at, n)};
    r->at += n;
    return word;
}

/* ---- lines ---- */

static enum status refuse(struct reading *r, enum status status, const struct word *word, const char *what)
{
    diag_error(r->diags, word->place, "%s", what);
    return status;
}

/* KEY=VALUE; *value is the part behind the sign. */
static enum status pair_take(struct reading *r, const struct word *word, bool is_first, enum key *key,
                             struct word *value)
{
    const char *sign = memchr(word->text, '=', word->n);
    const size_t n = sign ? (size_t)(sign - word->text) : word->n;
    int found = 0;
    while (found < N_KEYS && (strlen(key_names[found]) != n || strncasecmp(key_names[found], word->text, n) != 0))
        found++;
    struct word name = *word;
    name.place.width = (int)n;
    if (is_first && (found != KEY_NAME || !sign))
        return refuse(r, STATUS_SYNTAX, &name,
                      "expected `SwitchName=`: this is not a topology.conf as Slurm has it for "
                      "topology/tree");
    if (found == N_KEYS || !sign) {
        const char *meant = suggest_name(word->text, n, key_names, N_KEYS);
        diag_error(r->diags, name.place, "expected `Nodes=`, `Switches=` or `LinkSpeed=`%s%s%s",
                   sign && meant ? ", did you mean `" : "", sign && meant ? meant : "", sign && meant ? "`?" : "");
        return STATUS_SYNTAX;
    }
    *key = (enum key)found;
    value->text = sign + 1;
    value->n = word->n - n - 1;
    value->place = word->place;
    value->place.column += (int)n + 1;
    value->place.width = (int)value->n;
    if (value->n == 0) {
        value->place.width = 1;
        return refuse(r, STATUS_SYNTAX, value, "expected a value");
    }
    return STATUS_OK;
}

static struct switches_entry *entry_find(const struct switches *switches, const char *name, size_t n)
{
    for (size_t i = 0; i < switches->n; i++)
        if (strlen(switches->list[i].name) == n && strncmp(switches->list[i].name, name, n) == 0)
            return &switches->list[i];
    return NULL;
}

/* Adds the switch of a line that has all its keys. */
static enum status entry_add(struct reading *r, const struct description *line)
{
    struct switches *switches = r->switches;
    const struct word *name = &line->values[KEY_NAME], *nodes = &line->values[KEY_NODES];
    if (entry_find(switches, name->text, name->n))
        return refuse(r, STATUS_NAME, name, "this switch is there twice");
    if (nodes->text && line->values[KEY_SWITCHES].text)
        return refuse(r, STATUS_SYNTAX, name, "a switch has either Nodes or Switches");
    if (!nodes->text && !line->values[KEY_SWITCHES].text)
        return refuse(r, STATUS_SYNTAX, name, "this switch has neither Nodes nor Switches");
    r->lines = alloc_grow(r->lines, switches->n, &r->lines_capacity, sizeof *r->lines);
    r->lines[switches->n] = *line;
    switches->list = alloc_grow(switches->list, switches->n, &switches->capacity, sizeof *switches->list);
    struct switches_entry *entry = &switches->list[switches->n++];
    *entry = (struct switches_entry){alloc_string_n(name->text, name->n), -1, switches->nodes.nodes,
                                     switches->nodes.nodes};
    if (!nodes->text)
        return STATUS_OK;
    char *text = alloc_string_n(nodes->text, nodes->n), problem[HOST_LIST_PROBLEM_BYTES];
    const bool good = host_names_parse(&switches->nodes, text, problem);
    free(text);
    entry->end_node = switches->nodes.nodes;
    if (!good)
        diag_error(r->diags, nodes->place, "%s", problem);
    return good ? STATUS_OK : STATUS_NAME;
}

static enum status line_take(struct reading *r)
{
    struct description line = {0};
    enum status status = STATUS_OK;
    for (bool is_first = true;; is_first = false) {
        const struct word word = word_take(r);
        if (word.n == 0)
            break;
        enum key key = KEY_NAME;
        struct word value = {0};
        status = pair_take(r, &word, is_first, &key, &value);
        if (status == STATUS_OK && line.values[key].text)
            status = refuse(r, STATUS_SYNTAX, &word, "this key is there twice");
        if (status != STATUS_OK)
            return status;
        line.values[key] = value;
        if (key == KEY_SPEED && !r->speeds_told)
            diag_note(r->diags, word.place, "LinkSpeed is left out: rates are measured");
        r->speeds_told |= key == KEY_SPEED;
    }
    return line.values[KEY_NAME].text ? entry_add(r, &line) : STATUS_OK;
}

/* ---- the tree ---- */

/* Makes a switch the parent of those that its line names. */
static enum status children_take(struct reading *r, size_t parent)
{
    struct switches *switches = r->switches;
    const struct word *value = &r->lines[parent].values[KEY_SWITCHES];
    struct host_names children = {0};
    char problem[HOST_LIST_PROBLEM_BYTES], name[HOST_NAME_BYTES];
    char *text = alloc_string_n(value->text, value->n);
    enum status status = STATUS_OK;
    if (!host_names_parse(&children, text, problem)) {
        diag_error(r->diags, value->place, "%s", problem);
        status = STATUS_NAME;
    }
    for (int i = 0; i < children.nodes && status == STATUS_OK; i++) {
        host_names_name(&children, i, name);
        struct switches_entry *child = entry_find(switches, name, strlen(name));
        if (child && child->parent < 0) {
            child->parent = (int)parent;
            continue;
        }
        if (child)
            diag_error(r->diags, value->place, "`%s` is a switch of `%s` as well", name,
                       switches->list[child->parent].name);
        else
            diag_error(r->diags, value->place, "there is no switch `%s`", name);
        status = STATUS_NAME;
    }
    host_names_free(&children);
    free(text);
    return status;
}

/* No switch is above itself, and all but one, or all, have a parent: with two trees nobody knows what joins them. */
static enum status tree_check(struct reading *r)
{
    const struct switches *switches = r->switches;
    size_t roots = 0, joined = 0;
    for (size_t i = 0; i < switches->n; i++) {
        size_t up = 0;
        for (int at = (int)i; at >= 0 && up <= switches->n; at = switches->list[at].parent)
            up++;
        if (up > switches->n)
            return refuse(r, STATUS_NAME, &r->lines[i].values[KEY_SWITCHES], "this switch stands above itself");
        roots += switches->list[i].parent < 0;
        joined += switches->list[i].parent >= 0;
    }
    size_t top = 0;
    while (top < switches->n && (switches->list[top].parent >= 0 || !r->lines[top].values[KEY_SWITCHES].text))
        top++;
    for (size_t i = 0; i < switches->n && joined > 0 && roots > 1; i++)
        if (switches->list[i].parent < 0 && i != top)
            return refuse(r, STATUS_NAME, &r->lines[i].values[KEY_NAME],
                          "this switch is no other's, though others are: what joins them?");
    return STATUS_OK;
}

/* ---- the file ---- */

/* All of a file, terminated; the caller frees it. NULL: an error was told. */
static char *file_text(const char *path, struct diags *diags)
{
    FILE *stream = fopen(path, "rb");
    size_t length = 0, capacity = 4096;
    if (!stream) {
        (void)infile_refuse(path, errno, diags);
        return NULL;
    }
    char *text = alloc_array(capacity, 1);
    for (size_t n; (n = fread(text + length, 1, capacity - length - 1, stream)) > 0;) {
        length += n;
        if (length + 1 == capacity)
            text = alloc_resize(text, capacity *= 2, 1);
    }
    text[length] = '\0';
    if (ferror(stream)) {
        diag_error(diags, place_of_file(path), "cannot read: %s", strerror(errno));
        free(text);
        text = NULL;
    }
    fclose(stream);
    return text;
}

enum status switches_read(struct switches *switches, const char *path, struct diags *diags)
{
    *switches = (struct switches){0};
    char *text = file_text(path, diags);
    if (!text)
        return STATUS_IO;
    struct reading r = {.path = path, .at = text, .line_start = text, .line = 1, .switches = switches, .diags = diags};
    enum status status = STATUS_OK;
    for (; *r.at && status == STATUS_OK; line_next(&r))
        status = line_take(&r);
    for (size_t i = 0; i < switches->n && status == STATUS_OK; i++)
        if (r.lines[i].values[KEY_SWITCHES].text)
            status = children_take(&r, i);
    if (status == STATUS_OK)
        status = tree_check(&r);
    if (status == STATUS_OK && switches->n == 0) {
        diag_error(diags, place_of_file(path),
                   "there is no switch: expected lines such as `SwitchName=s1 Nodes=n[1-4]`");
        status = STATUS_SYNTAX;
    }
    free(r.lines);
    free(text);
    return status;
}

void switches_free(struct switches *switches)
{
    for (size_t i = 0; i < switches->n; i++)
        free(switches->list[i].name);
    free(switches->list);
    host_names_free(&switches->nodes);
    *switches = (struct switches){0};
}

/* ---- a job's nodes ---- */

int switches_of_host(const struct switches *switches, const char *host)
{
    char *name = alloc_string_n(host, strcspn(host, "."));
    int node = host_names_find(&switches->nodes, host);
    if (node < 0)
        node = host_names_find(&switches->nodes, name);
    free(name);
    for (size_t i = 0; i < switches->n && node >= 0; i++)
        if (node >= switches->list[i].first_node && node < switches->list[i].end_node)
            return (int)i;
    return -1;
}

/* What a job has of the switches. */
struct used {
    int nodes;
    int *members; /* [switches] nodes of the job that are plugged into it, or into one behind it */
    int *largest; /* [switches] the most that one right behind it has, of those that are no further up in a chain with no
                   * more nodes; 0: there are none */
};

/* The one furthest up that has no more nodes than this one. */
static int chain_top(const struct switches *switches, const struct used *used, int at)
{
    for (int up = switches->list[at].parent; up >= 0 && used->members[up] == used->members[at]; up = switches->list[at].parent)
        at = up;
    return at;
}

/* The next one up with more nodes, by the top of its chain; -1: there is none. */
static int next_up(const struct switches *switches, const struct used *used, int at)
{
    const int up = switches->list[chain_top(switches, used, at)].parent;
    return up < 0 ? -1 : chain_top(switches, used, up);
}

static void used_count(const struct switches *switches, int nodes, const int plugged[], struct used *used)
{
    *used = (struct used){nodes, alloc_zeroed(switches->n, sizeof *used->members), alloc_zeroed(switches->n, sizeof *used->largest)};
    for (int node = 0; node < nodes; node++)
        for (int at = plugged[node]; at >= 0; at = switches->list[at].parent)
            used->members[at]++;
    for (size_t i = 0; i < switches->n; i++) {
        const int up = used->members[i] > 0 ? next_up(switches, used, (int)i) : -1;
        if (up >= 0 && used->members[i] > used->largest[up])
            used->largest[up] = used->members[i];
    }
}

static void used_free(struct used *used)
{
    free(used->members);
    free(used->largest);
}

/* The switch whose nodes are a node's group: its own one, or the one above all of whose others have a node each. */
static int group_switch(const struct switches *switches, const struct used *used, int plugged)
{
    const int own = chain_top(switches, used, plugged), up = next_up(switches, used, own);
    return up >= 0 && used->largest[up] == 1 ? up : own;
}

static bool is_outer(const struct switches *switches, const struct used *used, size_t at)
{
    return used->largest[at] > 1 && used->members[at] < used->nodes && chain_top(switches, used, (int)at) == (int)at;
}

/* Numbers groups of groups, those with fewest nodes first, so that each comes before what it is in. */
static void outer_number(const struct switches *switches, const struct used *used, struct switches_groups *groups, int number[])
{
    for (int members = 2; members < used->nodes; members++)
        for (size_t i = 0; i < switches->n; i++)
            if (used->members[i] == members && is_outer(switches, used, i))
                number[i] = groups->n + groups->n_outer++;
}

static void groups_make(const struct switches *switches, int nodes, const int plugged[], struct switches_groups *groups)
{
    struct used used;
    int *number = alloc_array(switches->n, sizeof *number); /* of each switch's group; -1: none */
    used_count(switches, nodes, plugged, &used);
    for (size_t i = 0; i < switches->n; i++)
        number[i] = -1;
    for (int node = 0; node < nodes; node++) {
        const int at = group_switch(switches, &used, plugged[node]);
        if (number[at] < 0)
            number[at] = groups->n++;
        groups->group_of[node] = number[at];
    }
    outer_number(switches, &used, groups, number);
    groups->above = alloc_array((size_t)(groups->n + groups->n_outer), sizeof *groups->above);
    for (size_t i = 0; i < switches->n; i++) {
        const int up = number[i] >= 0 ? next_up(switches, &used, (int)i) : -1;
        if (number[i] >= 0)
            groups->above[number[i]] = up < 0 ? -1 : number[up];
    }
    free(number);
    used_free(&used);
}

enum status switches_groups(const struct switches *switches, const char *path, int nodes, const char *const hosts[],
                            struct switches_groups *groups, struct diags *diags)
{
    int *plugged = alloc_array((size_t)nodes, sizeof *plugged);
    enum status status = STATUS_OK;
    *groups = (struct switches_groups){.group_of = alloc_zeroed((size_t)nodes, sizeof *groups->group_of)};
    for (int node = 0; node < nodes; node++) {
        plugged[node] = switches_of_host(switches, hosts[node]);
        if (plugged[node] >= 0)
            continue;
        diag_error(diags, place_of_file(path), "host `%s` of this job is at no switch", hosts[node]);
        status = STATUS_NAME;
    }
    if (status == STATUS_OK)
        groups_make(switches, nodes, plugged, groups);
    free(plugged);
    return status;
}

void switches_groups_free(struct switches_groups *groups)
{
    free(groups->group_of);
    free(groups->above);
    *groups = (struct switches_groups){0};
}
