#include "annotate/phrase_impl.h"
#include "annotate/side.h"

#include "directives/value.h"
#include "host/facts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double LONGER = 1e-5;   /* s: computations below need not be told apart by who called */
enum { NAME_MOST = 40, WAYS_MOST = 8 };

const char *phrases_keep(struct phrases *p, const char *form, ...)
{
    va_list arguments;
    va_start(arguments, form);
    char *text = alloc_format_list(form, arguments);
    va_end(arguments);
    const char *kept = arena_string_n(&p->memory, text, strlen(text));
    free(text);
    return kept;
}

static const char *place_of(struct phrases *p, int node)
{
    const struct plan_node *n = &p->plan->nodes[node];
    const char *name = p->plan->files[n->file].source->name, *slash = strrchr(name, '/');
    return phrases_keep(p, "%s:%d", slash ? slash + 1 : name, plan_outline(p->plan, n)->line);
}

static void remark(struct phrases *p, const char *what, int node, const char *text)
{
    p->remarks = alloc_grow(p->remarks, p->n_remarks, &p->remarks_capacity, sizeof *p->remarks);
    p->remarks[p->n_remarks++] = alloc_format("%s at %s %s", what, place_of(p, node), text);
}

/* ---- names ---- */

static bool is_name(const char *text)
{
    if (!isalpha((unsigned char)*text) && *text != '_')
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}

static bool is_reserved(const char *name)
{
    static const char *const words[] = {"procnum", "numprocs", "nodes", "ppn", "node", "partner", "sender", "else",
#define X(name, least, most) #name,
                                        FUNCTION_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    return false;
}

static bool is_taken(const struct phrases *p, const char *name)
{
    for (size_t i = 0; i < p->plan->n_nodes; i++)
        if (p->of[i].variable && strcmp(p->of[i].variable, name) == 0)
            return true;
    for (size_t i = 0; i < p->n_holes; i++)
        if (strcmp(p->holes[i].name, name) == 0)
            return true;
    for (int i = 0; i < p->n_params; i++)
        if (strcmp(p->params[i], name) == 0)
            return true;
    return is_reserved(name);
}

/* A name like `wish` that nothing else has. */
static const char *new_name(struct phrases *p, const char *wish, int line)
{
    const char *name = is_name(wish) && strlen(wish) < NAME_MOST ? wish : phrases_keep(p, "value_%d", line);
    if (is_taken(p, name))
        name = phrases_keep(p, "%s_%d", name, line);
    for (int i = 2; is_taken(p, name); i++)
        name = phrases_keep(p, "%s_%d_%d", wish, line, i);
    return name;
}

const char *phrases_argument(struct phrases *p, int argument)
{
    if (argument >= 0)
        return p->of[argument].variable;
    const int of_depth = plan_depth_function(p->plan, argument);
    const struct plan_function *f = &p->plan->functions[of_depth >= 0 ? of_depth : -1 - argument];
    return phrases_keep(p, "%s_of_%s", of_depth >= 0 ? "depth" : "call", f->name);
}

/* ---- from the source ---- */

static bool is_fortran(const struct phrases *p, int file)
{
    return p->plan->files[file].source->host != HOST_C;
}

/* Are all names in a text ones that directives know the value of, in this file? */
static bool is_readable(const struct phrases *p, int file, const char *text)
{
    const char *facts = p->plan->files[file].facts;
    int (*compare)(const char *, const char *, size_t) = is_fortran(p, file) ? strncasecmp : strncmp;
    if (strlen(text) > NAME_MOST || text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                "0123456789_+-*/() ")] != '\0')
        return false;
    while (*text) {
        size_t n = 0;
        while (isalnum((unsigned char)text[n]) || text[n] == '_')
            n++;
        bool found = n == 0 || isdigit((unsigned char)*text);
        struct fact fact;
        for (const char *at = facts; !found && facts_next(&at, &fact);)
            found = (fact.kind == FACT_MACRO || fact.kind == FACT_CONSTANT) && fact.name_length == n &&
                    compare(fact.name, text, n) == 0 && *fact.value != '-';
        if (!found)
            return false;
        text += n > 0 ? n : 1;
    }
    return true;
}

/* Where C's call has its count; the datatype is behind it. */
static int count_position(enum operation op)
{
    switch (op) {
    case OPERATION_MPI_Reduce: case OPERATION_MPI_Allreduce: case OPERATION_MPI_Scan: case OPERATION_MPI_Exscan:
    case OPERATION_MPI_Iallreduce: case OPERATION_MPI_Ireduce: case OPERATION_MPI_Iscan: case OPERATION_MPI_Iexscan:
    case OPERATION_MPI_Reduce_scatter_block: case OPERATION_MPI_Ireduce_scatter_block:
        return 2;
    case OPERATION_MPI_Barrier: case OPERATION_MPI_Alltoallv: case OPERATION_MPI_Alltoallw:
    case OPERATION_MPI_Ialltoallv: case OPERATION_MPI_Ialltoallw:
    case OPERATION_MPI_Reduce_scatter: case OPERATION_MPI_Ireduce_scatter:
    case OPERATION_MPI_Neighbor_alltoallv: case OPERATION_MPI_Neighbor_alltoallw:
    case OPERATION_MPI_Ineighbor_alltoallv: case OPERATION_MPI_Ineighbor_alltoallw:
    case OPERATION_MPI_Iscatter: case OPERATION_MPI_Iscatterv:
    case OPERATION_MPI_Scatterv: case OPERATION_MPI_Scatter: return -1;
    default: return 1;
    }
}

static const struct {
    int bytes;
    const char *name;
} datatypes[] = {{1, "MPI_CHAR"}, {1, "MPI_BYTE"}, {4, "MPI_INT"}, {4, "MPI_UNSIGNED"}, {4, "MPI_FLOAT"},
                 {8, "MPI_DOUBLE"}, {8, "MPI_LONG"}, {8, "MPI_LONG_LONG"}, {8, "MPI_LONG_LONG_INT"},
                 {8, "MPI_UNSIGNED_LONG"}, {12, "MPI_DOUBLE_INT"}, {8, "MPI_2INT"}, {8, "MPI_INT64_T"},
                 {4, "MPI_INTEGER"}, {4, "MPI_REAL"}, {8, "MPI_DOUBLE_PRECISION"}, {4, "MPI_LOGICAL"}, {1, "MPI_CHARACTER"},
                 {8, "MPI_COMPLEX"}, {16, "MPI_DOUBLE_COMPLEX"}, {8, "MPI_INTEGER8"}, {4, "MPI_REAL4"}, {8, "MPI_REAL8"}};

/* `N*sizeof(MPI_DOUBLE)`, where that is what ran; NULL: the source does not say. */
static const char *size_in_source(struct phrases *p, const struct plan_node *node, int64_t bytes)
{
    const struct outline_node *call = plan_outline(p->plan, node);
    int at = count_position((enum operation)node->op);
    if (at < 0 || at + 1 >= call->n_arguments || !call->arguments[at].known)
        return NULL;
    const struct outline_argument *count = &call->arguments[at];
    for (size_t i = 0; i < sizeof datatypes / sizeof *datatypes; i++) {
        int64_t size;
        if (strcasecmp(call->arguments[at + 1].text, datatypes[i].name) != 0 ||
            __builtin_mul_overflow(count->value, datatypes[i].bytes, &size) || size != bytes)
            continue;
        if (count->value == 1)
            return phrases_keep(p, "sizeof(%s)", datatypes[i].name);
        bool plain = is_name(count->text) || strspn(count->text, "0123456789") == strlen(count->text);
        if (is_readable(p, node->file, count->text))
            return phrases_keep(p, plain ? "%s*sizeof(%s)" : "(%s)*sizeof(%s)", count->text, datatypes[i].name);
    }
    return NULL;
}

/* ---- holes ---- */

static const char *hole(struct phrases *p, int node, const char *wish, int64_t value, const char *comment)
{
    const char *name = new_name(p, wish, plan_outline(p->plan, &p->plan->nodes[node])->line);
    p->holes = alloc_grow(p->holes, p->n_holes, &p->holes_capacity, sizeof *p->holes);
    p->holes[p->n_holes++] = (struct hole){name, comment, value, node};
    return name;
}

/* The last word of `sim->nSteps`. */
static const char *last_word(struct phrases *p, const char *text)
{
    size_t end = strlen(text), begin = end;
    while (begin > 0 && (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_'))
        begin--;
    return end > begin && !isdigit((unsigned char)text[begin]) && strlen(text) < NAME_MOST
               ? phrases_keep(p, "%.*s", (int)(end - begin), text + begin) : NULL;
}

static const char *function_name(const struct phrases *p, const struct plan_node *node)
{
    return p->plan->functions[node->function].name;
}

/* Where the formula or table that was found last may be wrong beyond what was seen. text: NULL: neither was found. */
static void remark_formula(struct phrases *p, int at, const char *text, bool table, const char *what)
{
    if (text && p->everywhere)
        remark(p, what, at, "is given by no formula that was tried, but is the same at all recorded counts: that stands for others, too");
    else if (text && table && p->beyond)
        remark(p, what, at, phrases_keep(p, "follows the data: it is a table at the recorded counts, and at others %s, "
                                            "the mean over all processes, stands for it", p->beyond));
    else if (text && table)
        remark(p, what, at, "is given by no formula that was tried: a table, valid at the recorded counts");
    else if (text && p->other)
        remark(p, what, at, phrases_keep(p, "is written as %s, but %s gives the same at the recorded counts and not "
                                            "beyond: record one more count, or edit it", text, p->other));
    else if (text && p->unconfirmed)
        remark(p, what, at, phrases_keep(p, "is written as %s: nothing confirms %s%s, for of the formulas that are tried some one "
                                            "gives almost any values that are so few: record one more count, or edit it", text,
                                            strcmp(text, p->unconfirmed) == 0 ? "it" : p->unconfirmed,
                                            strcmp(text, p->unconfirmed) == 0 ? "" : " in it"));
}

/* A formula or a table for what was seen at a node, with a remark where it may be wrong beyond. NULL: neither. */
static const char *formula_of(struct phrases *p, int at, const struct seen_list *seen, enum sought sought,
                              const char *what)
{
    bool table;
    const char *text = phrases_formula(p, seen, p->plan->nodes[at].function, sought, &table);
    remark_formula(p, at, text, table, what);
    return text;
}

/* LIMIT of the source, as a loop that goes round LIMIT + beyond times says it. */
static const char *rounds(struct phrases *p, const char *limit, int beyond)
{
    return beyond == 0 ? limit : phrases_keep(p, "%s%+d", limit, beyond);
}

/* A Param for the trips of a loop; of a loop with a limit it is the limit. */
static const char *trips_hole(struct phrases *p, int at, int64_t value, const char *showed)
{
    const struct plan_node *node = &p->plan->nodes[at];
    const struct outline_node *loop = plan_outline(p->plan, node);
    const char *word = loop->limit.text && value > loop->beyond ? last_word(p, loop->limit.text) : NULL;
    const char *head = loop->head && strlen(loop->head) < 2 * NAME_MOST ? loop->head : "no limit that can be read";
    const char *comment = phrases_keep(p, "%s: %s (%s); %" PRId64 " %s", place_of(p, at),
                                       word && loop->beyond ? "what the loop's rounds follow"
                                                            : "how often the loop goes round",
                                       head, value - (word ? loop->beyond : 0), showed);
    if (!word)
        return hole(p, at, phrases_keep(p, "trips_%s", function_name(p, node)), value, comment);
    return rounds(p, hole(p, at, word, value - loop->beyond, comment), loop->beyond);
}

/* Which trips of a loop had no call is not recorded. */
static void remark_limit(struct phrases *p, int at, const struct outline_node *loop)
{
    if (loop->limit.text && loop->limit.known)
        remark(p, "how often the loop goes round", at,
               phrases_keep(p, "is up to %lld times by the source (%s): where it is less, it ended early, or nothing was "
                               "called in a trip, and in which one is not recorded, so what is in it may be right at the "
                               "recorded counts alone: look it over",
                            loop->limit.value + loop->beyond, loop->head ? loop->head : loop->limit.text));
}

static const char *trips_of(struct phrases *p, int at)
{
    const struct plan_node *node = &p->plan->nodes[at];
    const struct outline_node *loop = plan_outline(p->plan, node);
    int64_t value;
    if (seen_constant(&node->trips, &value)) {
        if (value == 1)
            return NULL;
        bool said = loop->limit.text && loop->limit.known && loop->limit.value + loop->beyond == value &&
                    is_readable(p, node->file, loop->limit.text);
        return said ? rounds(p, loop->limit.text, loop->beyond) : trips_hole(p, at, value, "in all that was recorded");
    }
    remark_limit(p, at, loop);
    const char *text = formula_of(p, at, &node->trips, SOUGHT_VALUE, "how often the loop goes round");
    if (text)
        return text;
    remark(p, "how often the loop goes round", at, "differs from time to time: a mean stands for it");
    return trips_hole(p, at, (int64_t)(seen_mean(&node->trips) + 0.5), "is the mean, it differs from time to time");
}

static const char *condition_of(struct phrases *p, int at)
{
    const struct plan_node *node = &p->plan->nodes[at];
    int64_t value;
    if (seen_constant(&node->present, &value))
        return value ? NULL : "0";
    const char *text = formula_of(p, at, &node->present, SOUGHT_CONDITION, "whether this is executed");
    if (text)
        return text;
    remark(p, "whether this is executed", at, "differs from time to time: written as if it always, or never, was");
    return seen_mean(&node->present) >= 0.5 ? NULL : "0";
}

/* What the source says of a message's size: its count and type, or what is called where the call of MPI is not seen. */
static const char *sent_in_source(struct phrases *p, const struct plan_node *node)
{
    const struct outline_node *call = plan_outline(p->plan, node);
    const char *op = operation_name((enum operation)node->op);
    int count = count_position((enum operation)node->op);
    if (!call->name || strcmp(call->name, op) != 0)
        return phrases_keep(p, "%s in %s", op, call->name ? call->name : "what is called here");
    if (count < 0 || count + 1 >= call->n_arguments || !*call->arguments[count].text || !*call->arguments[count + 1].text)
        return op; /* a macro may put a call together of which no place of the file is an argument */
    return phrases_keep(p, "%s of %s", call->arguments[count].text, call->arguments[count + 1].text);
}

/* Formulas that know the grid of processes which the size of a call may follow: its partners', and those of who comes
 * to it. */
static const char *grid_of(struct phrases *p, int at)
{
    const struct node_phrases *says = &p->of[at];
    const char *text = phrases_keep(p, "%s %s", says->field[PLAN_peer] ? says->field[PLAN_peer] : "",
                                    says->field[PLAN_peer2] ? says->field[PLAN_peer2] : "");
    for (int i = at; i >= 0; i = p->plan->nodes[i].parent)
        if (p->of[i].condition)
            text = phrases_keep(p, "%s %s", text, p->of[i].condition);
    return text;
}

static const char *size_of(struct phrases *p, int at)
{
    const struct plan_node *node = &p->plan->nodes[at];
    const struct seen_list *seen = &node->field[PLAN_bytes];
    const char *wish = phrases_keep(p, "bytes_%s", function_name(p, node));
    int64_t value;
    if (seen->n == 0)
        return NULL;
    p->means += node->varies;
    if (node->varies)
        return hole(p, at, wish, (int64_t)(node->bytes_sum / (node->bytes_n > 0 ? node->bytes_n : 1) + 0.5),
                    phrases_keep(p, "%s: bytes of a message; they follow the data, from %.0f to %.0f, this is the mean",
                         place_of(p, at), node->bytes_least, node->bytes_most));
    if (seen_constant(seen, &value)) {
        const char *text = size_in_source(p, node, value);
        if (text || value == 0)
            return text ? text : "0";
        return hole(p, at, wish, value,
                    phrases_keep(p, "%s: bytes of a message (%s); %" PRId64 " in all that was recorded",
                                 place_of(p, at), sent_in_source(p, node), value));
    }
    double error, spread;
    const char *mean = phrases_mean_size(p, seen, &error, &spread);
    p->grid = grid_of(p, at);
    p->beyond = error <= FIT_MEAN_ERROR && spread <= FIT_MEAN_SPREAD ? mean : NULL;
    const char *text = formula_of(p, at, seen, SOUGHT_VALUE, "the size");
    p->grid = NULL;
    p->beyond = NULL;
    if (text)
        return text;
    remark(p, "the size", at, "follows the data: means stand for it, which --check would find different");
    p->means++;
    return phrases_mean_formula(p, seen, node->function);
}

static const char *field_of(struct phrases *p, int at, enum plan_field field, const char *what)
{
    const struct plan_node *node = &p->plan->nodes[at];
    const struct seen_list *seen = &node->field[field];
    const bool tag = field == PLAN_tag || field == PLAN_tag2, partner = field == PLAN_peer || field == PLAN_peer2;
    if (seen->n == 0)
        return NULL;
    p->side = side_of(p->plan, at, field);
    const char *text = formula_of(p, at, seen, tag ? SOUGHT_TAG : partner ? SOUGHT_PARTNER : SOUGHT_VALUE, what);
    p->side = 0;
    if (text)
        return text;
    remark(p, what, at, "differs from call to call in a way that is neither a formula nor a short table: edit it by hand");
    int64_t value = seen->list[0].value;
    return value == FIT_NULL ? "MPI_PROC_NULL" : value == FIT_ANY ? (tag ? "MPI_ANY_TAG" : "MPI_ANY_SOURCE")
         : value == FIT_SOURCE ? "sender" : phrases_keep(p, "%" PRId64, value);
}

static bool is_nobody(const struct seen_list *seen)
{
    int64_t value;
    return seen_constant(seen, &value) && value == FIT_NULL;
}

static bool same_neighbours(const struct plan *plan, const struct plan_node *node)
{
    for (int i = 0; i < plan->most_near; i++)
        for (size_t k = 0; k < node->sources[i].n && k < node->destinations[i].n; k++)
            if (node->sources[i].list[k].value != node->destinations[i].list[k].value)
                return false;
    return true;
}

/* In the ranks of its communicator where these are not all processes' and a formula says it so, else in those of all. */
static const char *neighbour_of(struct phrases *p, int at, const struct seen_list *seen)
{
    const struct plan_node *node = &p->plan->nodes[at];
    bool table = false;
    p->within = node->world ? -1 : at;
    const char *text = node->world ? NULL : phrases_formula(p, seen, node->function, SOUGHT_PARTNER, &table);
    p->within = -1;
    if (!text || table)
        return formula_of(p, at, seen, SOUGHT_PARTNER, "a neighbour");
    remark_formula(p, at, text, false, "a neighbour");
    return text;
}

/* (LIST): neighbours on one side, each a formula. In a grid the lower and the upper one of each dimension take turns. */
static const char *neighbours_of(struct phrases *p, int at, const struct seen_list lists[])
{
    const bool grid = p->plan->nodes[at].op == OPERATION_MPI_Cart_create;
    const char *text = "";
    int n = p->plan->most_near;
    while (n > 1 && is_nobody(&lists[n - 1]))
        n--;
    for (int i = 0; i < n; i++) {
        p->side = !grid ? 0 : i % 2 == 0 ? -1 : 1;
        const char *one = neighbour_of(p, at, &lists[i]);
        p->side = 0;
        if (!one)
            remark(p, "a neighbour", at, "is another one from call to call: edit it by hand");
        text = phrases_keep(p, "%s%s%s", text, i > 0 ? ", " : "", one ? one : "MPI_PROC_NULL");
    }
    return phrases_keep(p, "(%s)", text);
}

/* ---- times ---- */

/* Of one way to come to the node, or -1 all. which: 0 process 0, 1 the others, -1 all. Returns the longest, s. */
static double time_samples(const struct plan *plan, const struct plan_node *node, int way, int which, size_t *n,
                           struct fit_sample samples[])
{
    double longest = 0;
    *n = 0;
    for (size_t r = 0; r < plan->n_recordings; r++) {
        double sum = 0;
        int64_t count = 0;
        for (int w = way < 0 ? 0 : way; w < (way < 0 ? node->ways : way + 1); w++) {
            const struct plan_time *t = &node->times[(size_t)w * plan->n_recordings + r];
            sum += (which != 1 ? t->sum[0] : 0) + (which != 0 ? t->sum[1] : 0);
            count += (which != 1 ? t->n[0] : 0) + (which != 0 ? t->n[1] : 0);
        }
        if (count == 0)
            continue;
        double mean = sum / (double)count;
        longest = mean > longest ? mean : longest;
        samples[(*n)++] = fit_time_sample(plan->recordings[r].ranks, (int)r, mean);
    }
    return longest;
}

/* Of all processes, recordings and ways, s. */
static double work_of(const struct plan *plan, const struct plan_node *node)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)node->ways * plan->n_recordings; i++)
        sum += node->times[i].sum[0] + node->times[i].sum[1];
    return sum;
}

static double all_work(const struct plan *plan)
{
    double sum = 0;
    for (size_t i = 0; i < plan->n_nodes; i++)
        if (plan->nodes[i].op >= 0 && plan->nodes[i].op != OPERATION_MPI_Init)
            sum += work_of(plan, &plan->nodes[i]);
    return sum;
}

static const char *file_formula(struct phrases *p, const struct plan_node *node, size_t n, const struct fit_sample samples[])
{
    const char *formula;
    double factor;
    const char *text = fit_time_in_file(n, samples, &formula, &factor, &p->memory);
    if (text != formula && work_of(p->plan, node) > FIT_REMARKABLE * all_work(p->plan))
        remark(p, "the time of the call", (int)(node - p->plan->nodes),
               phrases_keep(p, "is what was recorded at these counts, and %s us at others, which is that within a factor of %.1f", formula,
                            factor));
    return text;
}

static const char *time_formula(struct phrases *p, const struct plan_node *node, size_t n, const struct fit_sample samples[])
{
    if (operation_kind((enum operation)node->op) == KIND_file && p->n_params == 0)
        return file_formula(p, node, n, samples);
    const struct level none = {.n = 0};
    const struct fit_names names = phrases_names(p, &none, SOUGHT_VALUE);
    double error;
    const char *text = fit_time(n, samples, &names, &error, &p->memory);
    if (error > FIT_ROUGH && work_of(p->plan, node) > FIT_REMARKABLE * all_work(p->plan))
        remark(p, "the computation before the call", (int)(node - p->plan->nodes),
               phrases_keep(p, "follows its formula (%s us) within %.0f %% only", text, 100 * error));
    return text;
}

/* NULL: none to speak of. */
static const char *time_of_way(struct phrases *p, const struct plan_node *node, int way)
{
    const struct plan *plan = p->plan;
    struct fit_sample *all = alloc_array(3 * plan->n_recordings, sizeof *all), *first = all + plan->n_recordings,
                      *others = first + plan->n_recordings;
    size_t n, n_first, n_others;
    const double longest = time_samples(plan, node, way, -1, &n, all);
    time_samples(plan, node, way, 0, &n_first, first);
    time_samples(plan, node, way, 1, &n_others, others);
    const char *text = NULL;
    if (fit_times_differ(n_first, first, n_others, others) && longest >= FIT_SHORTEST) {
        const char *of_first = time_formula(p, node, n_first, first), *of_others = time_formula(p, node, n_others, others);
        text = phrases_keep(p, "(procnum == 0 ? %s : %s)", of_first, of_others);
    } else if (longest >= FIT_SHORTEST) {
        text = time_formula(p, node, n, all);
    }
    free(all);
    return text;
}

/* Does the time before a call depend on who called its function? */
static bool ways_differ(const struct plan *plan, const struct plan_node *node)
{
    struct fit_sample *samples = alloc_array(plan->n_recordings, sizeof *samples);
    double least = 0, most = 0;
    for (int way = 0; way < node->ways; way++) {
        size_t n;
        double longest = time_samples(plan, node, way, -1, &n, samples);
        least = way == 0 || longest < least ? longest : least;
        most = longest > most ? longest : most;
    }
    free(samples);
    return most >= LONGER && most > FIT_APART * least;
}

static const char *time_of(struct phrases *p, const struct plan_node *node)
{
    if (node->ways < 2 || node->ways > WAYS_MOST || !ways_differ(p->plan, node))
        return time_of_way(p, node, -1);
    const char *text = NULL, *name = phrases_argument(p, -1 - node->function);
    for (int way = node->ways - 1; way >= 0; way--) {
        const char *of = time_of_way(p, node, way);
        of = of ? of : "0";
        text = text ? phrases_keep(p, "(%s == %d ? %s : %s)", name, way, of, text) : of;
    }
    phrases_use(p, node->function, -1 - node->function);
    return text;
}

/* ---- all of it ---- */

static void name_loops(struct phrases *p)
{
    for (size_t i = 0; i < p->plan->n_nodes; i++) {
        const struct outline_node *node = plan_outline(p->plan, &p->plan->nodes[i]);
        if (node->kind == OUTLINE_LOOP)
            p->of[i].variable = new_name(p, node->name && is_name(node->name) ? node->name : "trip", node->line);
    }
}

static void find_indexed(struct phrases *p)
{
    for (size_t i = 0; i < p->plan->n_nodes; i++) {
        const struct plan_node *node = &p->plan->nodes[i];
        for (size_t k = 0; k < node->field[PLAN_request].n && node->n_waited == 0; k++)
            p->of[i].indexed = p->of[i].indexed || node->field[PLAN_request].list[k].value > 0;
    }
}

/* An argument that a callee needs, and that is no loop around the call, is one of the caller too. */
static void pass_arguments(struct phrases *p)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < p->plan->n_nodes; i++) {
            const struct plan_node *node = &p->plan->nodes[i];
            if (node->callee < 0)
                continue;
            for (size_t k = 0; k < p->arguments[node->callee].n; k++) {
                int what = p->arguments[node->callee].of[k];
                size_t before = p->arguments[node->function].n;
                const bool own = what == -1 - node->callee || what == plan_depth_of(p->plan, node->callee);
                if ((!own || plan_calls(p->plan, node->callee, node->function)) && node->function != p->plan->begin)
                    phrases_use(p, node->function, what);
                more = more || p->arguments[node->function].n != before;
            }
        }
    }
}

/* What a directive cannot say of a call. */
static void remark_unsaid(struct phrases *p, int at)
{
    const struct plan_node *node = &p->plan->nodes[at];
    const bool collective = operation_is_collective((enum operation)node->op);
    if (node->comm == -2 && collective)
        remark(p, "the communicator", at, "is another one from call to call: this is written as if all processes took part, "
                                          "edit it by hand");
    else if (node->comm == -2 && operation_kind((enum operation)node->op) == KIND_comm)
        remark(p, "the communicator", at, "that this is made from is another one from call to call: what making it takes is "
                                          "not said");
    if (collective && node->most_other > 0)
        remark(p, "the size", at, phrases_keep(p, "is not the same for all processes that it goes to, up to %" PRId64
                                                  " bytes: the mean stands for it", node->most_other));
}

static void make_node(struct phrases *p, int at)
{
    const struct plan_node *node = &p->plan->nodes[at];
    struct node_phrases *to = &p->of[at];
    to->condition = condition_of(p, at);
    if (plan_outline(p->plan, node)->kind == OUTLINE_LOOP)
        to->trips = trips_of(p, at);
    if (node->op < 0)
        return;
    to->field[PLAN_peer] = field_of(p, at, PLAN_peer, "the partner");
    to->field[PLAN_tag] = field_of(p, at, PLAN_tag, "the tag");
    to->field[PLAN_peer2] = field_of(p, at, PLAN_peer2, "the partner");
    to->field[PLAN_tag2] = field_of(p, at, PLAN_tag2, "the tag");
    to->field[PLAN_bytes] = size_of(p, at); /* sizes follow the grid of the partners */
    remark_unsaid(p, at);
    bool one = node->n_waited == 1 && !node->waits_several && !node->waits_all;
    if (to->indexed || (one && p->of[node->waited[0]].indexed))
        to->field[PLAN_request] = field_of(p, at, PLAN_request, "the number of a request");
    if (!node->world) {
        to->field[PLAN_color] = field_of(p, at, PLAN_color, "who is in a communicator");
        to->field[PLAN_key] = field_of(p, at, PLAN_key, "the order of a communicator's ranks");
    }
    if (node->near) {
        const char *sources = neighbours_of(p, at, node->sources);
        to->near = phrases_keep(p, "%s, %s", sources, same_neighbours(p->plan, node) ? sources
                                                                                   : neighbours_of(p, at, node->destinations));
    }
    if (node->op != OPERATION_MPI_Init)
        to->time = time_of(p, node);
}

/* NULL: all are of one. */
static int *counts_of(struct phrases *p)
{
    int *counts = arena_alloc(&p->memory, p->plan->n_recordings, sizeof *counts);
    bool differ = false;
    for (size_t r = 0; r < p->plan->n_recordings; r++) {
        counts[r] = p->plan->recordings[r].ranks;
        differ = differ || counts[r] != counts[0];
    }
    return differ ? counts : NULL;
}

void phrases_make(struct phrases *p, struct plan *plan)
{
    *p = (struct phrases){.plan = plan, .within = -1, .memory = ARENA_EMPTY};
    p->of = alloc_zeroed(plan->n_nodes + 1, sizeof *p->of);
    p->arguments = alloc_zeroed(plan->n_functions + 1, sizeof *p->arguments);
    p->n_params = recordings_params(plan->n_recordings, plan->recordings, &p->params, &p->values);
    p->counts = counts_of(p);
    name_loops(p);
    find_indexed(p);
    for (size_t i = 0; i < plan->n_nodes; i++)
        make_node(p, (int)i);
    pass_arguments(p);
}

void phrases_free(struct phrases *p)
{
    for (size_t i = 0; i < p->plan->n_functions; i++)
        free(p->arguments[i].of);
    for (size_t i = 0; i < p->n_remarks; i++)
        free(p->remarks[i]);
    recordings_params_free(p->n_params, p->params, p->values);
    free(p->remarks);
    free(p->holes);
    free(p->arguments);
    free(p->of);
    arena_free(&p->memory);
}
