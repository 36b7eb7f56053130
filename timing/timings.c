#include "timing/timings_impl.h"

#include "common/alloc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Half of what is subtracted for the clock is its own scatter; a block ten times that is timed to some 5 %. */
static const double SHORTEST_OVERHEADS = 10;
/* Timing itself takes time that the prediction does not have. */
static const double COST_MOST = 0.02;

/* ---- nodes ---- */

size_t timings_node_of(const struct timings *timings, const char *host)
{
    size_t h = 0;
    while (strcmp(timings->nodes[h].host, host) != 0)
        h++;
    return h;
}

static int node_compare(const void *a, const void *b)
{
    const struct timings_node *x = a, *y = b;
    int i = x->first_rank < 0 ? INT_MAX : x->first_rank, j = y->first_rank < 0 ? INT_MAX : y->first_rank;
    return i != j ? (i > j) - (i < j) : strcmp(x->host, y->host);
}

static void nodes_make(struct timings *timings)
{
    timings->nodes = alloc_zeroed(timings->n_records, sizeof *timings->nodes);
    for (size_t i = 0; i < timings->n_records; i++) {
        const struct record *record = &timings->records[i];
        size_t h = 0;
        while (h < timings->n_nodes && strcmp(timings->nodes[h].host, record->host) != 0)
            h++;
        struct timings_node *node = &timings->nodes[h];
        if (h == timings->n_nodes) {
            timings->n_nodes++;
            *node = (struct timings_node){.host = record->host, .first_rank = -1, .factor = 1};
        }
        node->processes++;
        if (record->rank >= 0 && (node->first_rank < 0 || record->rank < node->first_rank))
            node->first_rank = record->rank;
    }
    qsort(timings->nodes, timings->n_nodes, sizeof *timings->nodes, node_compare);
}

/* ---- blocks ---- */

struct found {
    const struct record_block *block;
    const struct record *record;
    size_t name;   /* number of the name, in the order of the records */
    size_t number; /* of the block, over all records */
};

static int found_compare(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->block->has_argument != y->block->has_argument)
        return x->block->has_argument ? 1 : -1;
    return (x->block->argument > y->block->argument) - (x->block->argument < y->block->argument);
}

/* Gives each name its number. */
static void number_names(struct found found[], size_t n)
{
    const char **names = alloc_array(n, sizeof *names);
    size_t n_names = 0;
    for (size_t i = 0; i < n; i++) {
        size_t at = 0;
        while (at < n_names && strcmp(names[at], found[i].block->name) != 0)
            at++;
        if (at == n_names)
            names[n_names++] = found[i].block->name;
        found[i].name = at;
    }
    free(names);
}

static enum status blocks_join(struct timings *timings, const struct found found[], size_t n, struct diags *diags)
{
    timings->blocks = alloc_zeroed(n, sizeof *timings->blocks);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && found[i].name == found[i - 1].name &&
            found[i].block->has_argument != found[i - 1].block->has_argument) {
            diag_error(diags, place_of_file(found[i].record->path),
                       "block `%s` has an argument here and none in %s: a name is timed one way only",
                       found[i].block->name, found[i - 1].record->path);
            return STATUS_SCHEMA;
        }
        if (i == 0 || found_compare(&found[i], &found[i - 1]) != 0) {
            struct timings_block *block = &timings->blocks[timings->n++];
            *block = (struct timings_block){.name = found[i].block->name,
                                            .has_argument = found[i].block->has_argument,
                                            .argument = found[i].block->argument};
            block->nodes = alloc_zeroed(timings->n_nodes, sizeof *block->nodes);
        }
        struct timings_block *block = &timings->blocks[timings->n - 1];
        timings->joined[found[i].number] = timings->n - 1;
        tally_add(&block->all, found[i].block, 1);
        tally_add(&block->nodes[timings_node_of(timings, found[i].record->host)], found[i].block, 1);
    }
    return STATUS_OK;
}

static enum status blocks_make(struct timings *timings, struct diags *diags)
{
    size_t n = 0;
    timings->first = alloc_array(timings->n_records, sizeof *timings->first);
    for (size_t i = 0; i < timings->n_records; i++) {
        timings->first[i] = n;
        n += timings->records[i].n;
    }
    if (n == 0) {
        diag_error(diags, place_of_file(timings->n_records ? timings->records[0].path : NULL),
                   "no block was timed: nothing between PEVPM_TIME_BEGIN and PEVPM_TIME_END ran to its end");
        return STATUS_SCHEMA;
    }
    struct found *found = alloc_array(n, sizeof *found);
    timings->joined = alloc_zeroed(n, sizeof *timings->joined);
    for (size_t i = 0; i < timings->n_records; i++)
        for (size_t j = 0; j < timings->records[i].n; j++) {
            size_t number = timings->first[i] + j;
            found[number] = (struct found){&timings->records[i].blocks[j], &timings->records[i], 0, number};
        }
    number_names(found, n);
    qsort(found, n, sizeof *found, found_compare);
    enum status status = blocks_join(timings, found, n, diags);
    free(found);
    return status;
}

struct timings_block *timings_block_of(const struct timings *timings, size_t record, size_t block)
{
    return &timings->blocks[timings->joined[timings->first[record] + block]];
}

static void level(struct timings *timings)
{
    for (size_t i = 0; i < timings->n_records; i++)
        for (size_t j = 0; j < timings->records[i].n; j++) {
            double factor = timings->nodes[timings_node_of(timings, timings->records[i].host)].factor;
            tally_add(&timings_block_of(timings, i, j)->levelled, &timings->records[i].blocks[j], factor);
        }
}

/* ---- whole ---- */

void timings_warn_nodes(const struct timings *timings, struct diags *diags)
{
    bool alone = true;
    for (size_t h = 0; h < timings->n_nodes; h++)
        alone = alone && timings->nodes[h].processes == 1;
    if (timings->outcome == NODES_MIXED)
        diag_warning(diags, place_of_file(NULL),
                     "the nodes differ, and not by one factor each: different work, or different machines? --per-node "
                     "keeps them apart");
    else if (timings->outcome == NODES_FACTORS && alone)
        diag_warning(diags, place_of_file(NULL),
                     "one process per node: slower nodes cannot be told from processes with more work; --pool takes no "
                     "node for slower");
}

static struct record_stray *stray_find(struct record_stray strays[], size_t n, const struct record_stray *like)
{
    for (size_t i = 0; i < n; i++) {
        bool same_file = like->file ? strays[i].file && strcmp(strays[i].file, like->file) == 0 : !strays[i].file;
        if (strays[i].end == like->end && strays[i].line == like->line && same_file &&
            strcmp(strays[i].name, like->name) == 0)
            return &strays[i];
    }
    return NULL;
}

/* Each place once, over all processes; then those that no record has a place of. */
static void warn_strays(const struct timings *timings, struct diags *diags)
{
    struct record_stray *strays = NULL;
    size_t n = 0, capacity = 0;
    int64_t rest = timings->unmatched;
    for (size_t i = 0; i < timings->n_records; i++)
        for (size_t j = 0; j < timings->records[i].n_strays; j++) {
            const struct record_stray *stray = &timings->records[i].strays[j];
            struct record_stray *known = stray_find(strays, n, stray);
            rest -= stray->count;
            if (known) {
                known->count += stray->count;
                continue;
            }
            strays = alloc_grow(strays, n, &capacity, sizeof *strays);
            strays[n++] = *stray;
        }
    for (size_t i = 0; i < n; i++) {
        struct place place = {.file = strays[i].file, .line = strays[i].line, .column = 1, .width = 1};
        if (strays[i].end)
            diag_warning(diags, place, "not counted: %lld PEVPM_TIME_END(%s) without BEGIN", (long long)strays[i].count,
                         strays[i].name);
        else
            diag_warning(diags, place, "not counted: %lld PEVPM_TIME_BEGIN(%s) without END (break, return, exit?)",
                         (long long)strays[i].count, strays[i].name);
    }
    if (rest > 0)
        diag_warning(diags, place_of_file(NULL), "not counted: %lld PEVPM_TIME_BEGIN without END or END without BEGIN "
                     "(break, return?), of which the records do not say where", (long long)rest);
    free(strays);
}

static void warn(const struct timings *timings, struct diags *diags)
{
    struct place nowhere = place_of_file(NULL);
    double overhead = 0;
    for (size_t i = 0; i < timings->n_records; i++)
        overhead += timings->records[i].overhead / (double)timings->n_records;
    if (timings->dropped > 0)
        diag_warning(diags, nowhere, "lost blocks: %lld (too many different arguments, too deep, or no number)",
                     (long long)timings->dropped);
    warn_strays(timings, diags);
    if (timings->cost > COST_MOST * timings->window)
        diag_warning(diags, nowhere, "timing itself took %.0f %% of the run: time larger blocks",
                     100 * timings->cost / timings->window);
    for (size_t b = 0; b < timings->n; b++)
        if (tally_quantile(&timings->blocks[b].all, 0.5) < SHORTEST_OVERHEADS * overhead)
            diag_warning(diags, nowhere, "block `%s` is too short to be timed well: half of its runs take less than "
                         "%.0f times what reading the clock does (%.0f ns)", timings->blocks[b].name,
                         SHORTEST_OVERHEADS, overhead);
}

enum status timings_make(struct timings *timings, const struct record records[], size_t n, struct diags *diags)
{
    *timings = (struct timings){.n_records = n, .records = records};
    nodes_make(timings);
    enum status status = blocks_make(timings, diags);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        timings->window += records[i].window;
        timings->unmatched += records[i].unmatched;
        timings->dropped += records[i].dropped;
        for (size_t j = 0; j < records[i].n; j++)
            timings->cost += records[i].cost * (double)records[i].blocks[j].count;
    }
    timings_compare_nodes(timings);
    level(timings);
    warn(timings, diags);
    return STATUS_OK;
}

void timings_free(struct timings *timings)
{
    for (size_t b = 0; b < timings->n; b++) {
        for (size_t h = 0; h < timings->n_nodes; h++)
            tally_free(&timings->blocks[b].nodes[h]);
        free(timings->blocks[b].nodes);
        tally_free(&timings->blocks[b].all);
        tally_free(&timings->blocks[b].levelled);
    }
    free(timings->blocks);
    free(timings->nodes);
    free(timings->first);
    free(timings->joined);
    *timings = (struct timings){0};
}
