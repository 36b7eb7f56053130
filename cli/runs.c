#include "cli/runs.h"

#include "cli/lists.h"
#include "common/alloc.h"
#include "common/suggest.h"
#include "common/units.h"
#include "directives/program_files.h"
#include "invent/invent.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* X(name, whether a file of runs has it, whether one of profiles does) */
enum need { IGNORED, MAY, MUST };
#define COLUMN_LIST(X)                                                                                             \
    X(program, MUST, MUST) X(params, MUST, MUST) X(numprocs, MUST, MUST) X(nodes, MAY, MAY) X(ppn, MAY, MAY)       \
    X(seconds, MUST, IGNORED) X(run_time_s, IGNORED, MUST) X(line, IGNORED, MUST) X(directive, IGNORED, MUST)      \
    X(process, IGNORED, MUST) X(time_s, IGNORED, MUST) X(file, IGNORED, MAY)                                       \
    X(seed, MAY, MAY) X(launch, MAY, MAY) X(run, MAY, IGNORED) X(runs, MAY, IGNORED) X(replications, IGNORED, MAY)
enum column {
#define X(name, runs, profiles) COLUMN_##name,
    COLUMN_LIST(X)
#undef X
    N_COLUMNS
};
enum form { RUNS, PROFILES };
static const struct {
    const char *name;
    enum need need[2];         /* [form] */
} columns[] = {
#define X(name, runs, profiles) {#name, {runs, profiles}},
    COLUMN_LIST(X)
#undef X
};
static const char *const needed_text[] = {
    "needed: program, params, numprocs, seconds; nodes and ppn where there are several processes on a node; seed, launch, "
    "run and runs where pevpm-run wrote what was drawn; others are ignored",
    "needed is what pevpm-run --profile-output writes: program, params, numprocs, run_time_s, line, directive, process, "
    "time_s",
};

enum { CELLS_MOST = 64, NO_CELL = CELLS_MOST };
enum { RUNS_MOST = 1000000 };  /* of a launch, as pevpm-run's -r has it */

/* n bytes of the file at an offset, without quotes and the spaces around. */
struct cell {
    size_t at, n;
};

/* What a line says of a launch, until all lines have been read. */
struct launch {
    size_t of_run, line;
    double seconds;
    bool drew;                 /* the file says what its computations drew: */
    uint64_t seed, launch, run;
    uint64_t runs;             /* of the launch; 0: the file does not say it */
    uint32_t replications;     /* of a profile: as many, and `run` is 0 */
};

struct reading {
    struct runs *runs;
    struct diags *diags;
    enum form form;
    size_t n_cells;            /* of the line that names the columns */
    size_t column[N_COLUMNS];  /* which cell of a line it is; NO_CELL: the file has no such column */
    size_t errors;
    size_t n_launches, launches_capacity;
    struct launch *launches;   /* [n_launches] in the order of their lines */
};

/* ---- cells ---- */

static const char *cell_text(const struct reading *r, struct cell cell)
{
    return r->runs->text->text + cell.at;
}

static char *cell_copy(const struct reading *r, struct cell cell)
{
    return alloc_string_n(cell_text(r, cell), cell.n);
}

static struct place line_place(const struct reading *r, size_t line)
{
    return source_place(r->runs->text, r->runs->text->line_start[line], 1);
}

static bool refuse(struct reading *r, struct cell cell, const char *problem)
{
    r->errors++;
    diag_error(r->diags, source_place(r->runs->text, cell.at, cell.n > 0 ? cell.n : 1), "%s", problem);
    return false;
}

static struct cell trimmed(const char *text, size_t from, size_t to)
{
    while (from < to && isspace((unsigned char)text[from]))
        from++;
    while (to > from && isspace((unsigned char)text[to - 1]))
        to--;
    return (struct cell){from, to - from};
}

/* The cells of a line, at most CELLS_MOST. False: a quote that does not end, or behind which the cell goes on. */
static bool cells_split(struct reading *r, size_t line, struct cell cells[CELLS_MOST], size_t *n)
{
    const struct source *source = r->runs->text;
    size_t at = source->line_start[line], end = source_line_end(source, line);
    for (*n = 0; *n < CELLS_MOST; at++) {
        size_t from = at;
        struct cell cell = trimmed(source->text, from, end);
        bool quoted = cell.n > 0 && source->text[cell.at] == '"';
        if (quoted) {
            const char *close = memchr(source->text + cell.at + 1, '"', end - cell.at - 1);
            if (!close)
                return refuse(r, (struct cell){cell.at, 1}, "this quote does not end on its line");
            from = cell.at + 1;
            at = (size_t)(close - source->text) + 1;
            cells[(*n)++] = trimmed(source->text, from, at - 1);
        }
        size_t behind = at;
        while (at < end && source->text[at] != ',')
            at++;
        struct cell rest = trimmed(source->text, behind, at);
        if (quoted && rest.n > 0)
            return refuse(r, rest, "expected a comma behind the quote");
        if (!quoted)
            cells[(*n)++] = trimmed(source->text, from, at);
        if (at >= end)
            break;
    }
    return true;
}

/* ---- the header ---- */

static bool cell_is(const struct reading *r, struct cell cell, const char *text)
{
    return cell.n == strlen(text) && memcmp(cell_text(r, cell), text, cell.n) == 0;
}

/* The cell whose name is nearest to a column's that is missing; n: none. */
static size_t nearest(const struct reading *r, const char *name, size_t n, const struct cell cells[])
{
    char *names[CELLS_MOST];
    size_t found = n;
    for (size_t i = 0; i < n; i++)
        names[i] = cell_copy(r, cells[i]);
    const char *meant = suggest_name(name, strlen(name), (const char *const *)names, n);
    for (size_t i = 0; i < n; i++) {
        found = names[i] == meant ? i : found;
        free(names[i]);
    }
    return found;
}

static bool cell_is_column(const struct reading *r, struct cell cell)
{
    for (size_t c = 0; c < N_COLUMNS; c++)
        if (cell_is(r, cell, columns[c].name))
            return true;
    return false;
}

/* Spreadsheets write others where numbers have a decimal comma. */
static bool header_is_separated(struct reading *r, struct cell only)
{
    static const struct {
        char separator;
        const char *problem;
    } others[] = {{';', "columns are separated by commas, not by semicolons"},
                  {'\t', "columns are separated by commas, not by tabs"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *found = memchr(cell_text(r, only), others[i].separator, only.n);
        if (found)
            return refuse(r, (struct cell){only.at + (size_t)(found - cell_text(r, only)), 1}, others[i].problem);
    }
    return true;
}

static void header_read(struct reading *r, size_t line)
{
    struct cell cells[CELLS_MOST];
    size_t n;
    if (!cells_split(r, line, cells, &n) || (n == 1 && !header_is_separated(r, cells[0])))
        return;
    r->n_cells = n;
    for (size_t c = 0; c < N_COLUMNS; c++) {
        const enum need need = columns[c].need[r->form];
        size_t i = need == IGNORED ? n : 0;
        while (i < n && !cell_is(r, cells[i], columns[c].name))
            i++;
        r->column[c] = i < n ? i : NO_CELL;
        size_t again = i < n ? i + 1 : n;
        while (again < n && !cell_is(r, cells[again], columns[c].name))
            again++;
        if (again < n)
            refuse(r, cells[again], "this column is there twice: which one counts?");
        if (i < n || need == IGNORED)
            continue;
        size_t like = nearest(r, columns[c].name, n, cells);
        struct place place = like < n ? source_place(r->runs->text, cells[like].at, cells[like].n)
                                      : source_place(r->runs->text, r->runs->text->line_start[line], 1);
        if (need == MUST) {
            r->errors++;
            diag_error(r->diags, place, "there is no column `%s`%s (%s)", columns[c].name,
                       like < n ? ": did you mean it here?" : "", needed_text[r->form]);
        } else if (like < n && !cell_is_column(r, cells[like])) {
            diag_warning(r->diags, place, "this column is ignored: did you mean `%s`?", columns[c].name);
        }
    }
}

/* ---- one line ---- */

static struct source *program_keep(struct runs *runs, struct source *source)
{
    runs->programs = alloc_grow(runs->programs, runs->n_programs, &runs->programs_capacity, sizeof *runs->programs);
    return runs->programs[runs->n_programs++] = source;
}

static struct source *program_of_name(const struct runs *runs, const char *name)
{
    for (size_t i = 0; i < runs->n_programs; i++)
        if (strcmp(source_program(runs->programs[i]), name) == 0)
            return runs->programs[i];
    return NULL;
}

/* `path` as seen from the current folder, else from that of the csv file. Takes and returns allocated text. */
static char *path_find(const struct runs *runs, char *path)
{
    const char *slash = strrchr(runs->text->name, '/');
    if (access(path, R_OK) == 0 || !slash || *path == '/')
        return path;
    char *beside = alloc_format("%.*s/%s", (int)(slash - runs->text->name), runs->text->name, path);
    free(path);
    return beside;
}

/* The source of a file or of "<--random KIND --seed K>", read once; NULL: not there. */
static struct source *program_find(struct reading *r, struct cell cell)
{
    struct runs *runs = r->runs;
    char *path = cell_copy(r, cell);
    enum invent_kind kind;
    uint64_t seed;
    bool invented = invent_name_read(path, &kind, &seed);
    for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
        path[n - 1] = '\0'; /* as source_program has it */
    if (!invented)
        path = path_find(runs, path);
    struct source *source = program_of_name(runs, path);
    if (!source && !invented && strncmp(path, "<--random ", strlen("<--random ")) == 0) {
        (void)refuse(r, cell, "no program by chance is called that: expected such as <--random halo --seed 3>, of a kind that "
                     "pevpm-run --help tells of");
    } else if (!source && invented) {
        char *text = invent_program(kind, seed);
        source = program_keep(runs, source_from_text(path, text, strlen(text)));
        free(text);
    } else if (!source && access(path, R_OK) != 0) {
        (void)refuse(r, cell, "there is no such program, neither in the current folder nor beside this file");
    } else if (!source && program_files_read(&source, 1, (const char *const[]){path}, NULL, r->diags) == STATUS_OK) {
        (void)program_keep(runs, source);
    } else if (!source) {
        r->errors++;
    }
    free(path);
    return source;
}

/* NAME=NUMBER, or NAME=EXPRESSION without blanks */
static bool param_read(struct reading *r, struct cell word, struct sweep *sweep)
{
    const char *text = cell_text(r, word);
    size_t name = 0;
    while (name < word.n && (isalnum((unsigned char)text[name]) || text[name] == '_'))
        name++;
    if (name == 0 || isdigit((unsigned char)*text) || name == word.n || text[name] != '=')
        return refuse(r, word, "expected NAME=NUMBER, such as size=1024 (spaces between several)");
    size_t at = name + 1;
    bool negative = at < word.n && text[at] == '-';
    at += negative;
    struct value value;
    const char *problem = NULL;
    size_t taken = value_parse(text + at, word.n - at, &value, &problem);
    if (taken == word.n - at && value_is_octal(text + at, taken))
        problem = "this would be octal in C: write it without leading zeros";
    else if (!problem && taken == word.n - at && taken > 0 && negative)
        problem = value_negate(value, &value);
    const bool is_number = taken == word.n - at && taken > 0;
    if (problem || word.n == name + 1)
        return refuse(r, (struct cell){word.at + name + 1, word.n - name - 1},
                      problem ? problem : "expected a number or an expression");
    *sweep = (struct sweep){.name = alloc_string_n(text, name), .n = 1, .values = alloc_array(1, sizeof value),
                            .texts = alloc_array(1, sizeof *sweep->texts)};
    sweep->values[0] = value;
    sweep->texts[0] = is_number ? NULL : alloc_string_n(text + name + 1, word.n - name - 1);
    return true;
}

/* With one space between words, so that launches are told by what they say. */
static char *params_text(const struct reading *r, struct cell cell)
{
    char *text = cell_copy(r, cell);
    size_t n = 0;
    for (size_t i = 0; i < cell.n; i++)
        if (!isspace((unsigned char)text[i]))
            text[n++] = text[i];
        else if (!isspace((unsigned char)text[i + 1]))
            text[n++] = ' ';
    text[n] = '\0';
    return text;
}

static bool params_read(struct reading *r, struct cell cell, struct judge_run *run)
{
    size_t capacity = 0, end = cell.at + cell.n;
    bool good = true;
    const char *text = r->runs->text->text;
    for (struct cell word = {cell.at, 0}; word.at < end; word.at += word.n) {
        while (word.at < end && isspace((unsigned char)text[word.at]))
            word.at++;
        word.n = 0;
        while (word.at + word.n < end && !isspace((unsigned char)text[word.at + word.n]))
            word.n++;
        struct sweep sweep;
        if (word.n == 0)
            break;
        if (!param_read(r, word, &sweep)) {
            good = false;
            continue;
        }
        for (size_t i = 0; i < run->n_sweeps; i++)
            if (strcmp(run->sweeps[i].name, sweep.name) == 0)
                good = refuse(r, word, "this parameter is given twice");
        run->sweeps = alloc_grow(run->sweeps, run->n_sweeps, &capacity, sizeof *run->sweeps);
        run->sweeps[run->n_sweeps++] = sweep;
    }
    return good;
}

static bool count_read(struct reading *r, struct cell cell, const char *problem, int *count)
{
    char *text = cell_copy(r, cell), *end;
    long value = strtol(text, &end, 10);
    bool good = end > text && *end == '\0' && value >= 1 && value <= LIST_PROCESSES_MOST;
    free(text);
    *count = good ? (int)value : 0;
    return good || refuse(r, cell, problem);
}

/* numprocs, and where they were: `nodes` and `ppn` imply one another; without both there is one process on a node. */
static bool placement_read(struct reading *r, const struct cell cells[], struct placement *at)
{
    static const char *const problems[] = {"expected a number of nodes, at least 1",
                                           "expected a number of processes per node, at least 1"};
    static const enum column which[] = {COLUMN_nodes, COLUMN_ppn};
    int given[2] = {0, 0};
    struct cell cell[2] = {{0, 0}, {0, 0}};
    bool good = count_read(r, cells[r->column[COLUMN_numprocs]], "expected a number of processes, at least 1",
                           &at->numprocs);
    for (size_t i = 0; i < 2; i++) {
        if (r->column[which[i]] != NO_CELL)
            cell[i] = cells[r->column[which[i]]];
        if (cell[i].n > 0)
            good &= count_read(r, cell[i], problems[i], &given[i]);
    }
    if (!good)
        return false;
    at->nodes = given[0] > 0 ? given[0] : given[1] > 0 ? at->numprocs / given[1] : at->numprocs;
    at->ppn = given[1] > 0 ? given[1] : at->numprocs / at->nodes;
    if ((int64_t)at->nodes * at->ppn == at->numprocs)
        return true;
    char problem[120];
    if (given[0] > 0 && given[1] > 0)
        snprintf(problem, sizeof problem, "%d nodes with %d processes each make %lld, not %d", given[0], given[1],
                 (long long)given[0] * given[1], at->numprocs);
    else
        snprintf(problem, sizeof problem, "%d processes are not a multiple of %d", at->numprocs,
                 given[0] > 0 ? given[0] : given[1]);
    return refuse(r, given[0] > 0 ? cell[0] : cell[1], problem);
}

static bool seconds_read(struct reading *r, struct cell cell, double *seconds)
{
    char *text = cell_copy(r, cell);
    bool good = units_parse_time(text, 1.0, seconds) && *seconds > 0;
    free(text);
    return good || refuse(r, cell, "expected a time above zero in seconds, or with a unit (ns us ms s min)");
}

/* A directive's line, its name and the time spent there; all empty: after the end. */
static bool site_read(struct reading *r, const struct cell cells[], struct judge_site *site)
{
    struct cell line = cells[r->column[COLUMN_line]], time = cells[r->column[COLUMN_time_s]];
    char *text = cell_copy(r, time);
    bool good = units_parse_time(text, 1.0, &site->seconds) && site->seconds >= 0;
    free(text);
    if (!good)
        return refuse(r, time, "expected a time of at least zero in seconds, or with a unit (ns us ms s min)");
    site->line = 0;
    if (line.n > 0 && !count_read(r, line, "expected the number of a line, at least 1", &site->line))
        return false;
    site->directive = cell_copy(r, cells[r->column[COLUMN_directive]]);
    site->file = r->column[COLUMN_file] != NO_CELL ? cell_copy(r, cells[r->column[COLUMN_file]]) : alloc_string("");
    return true;
}

static bool number_read(struct reading *r, enum column column, const struct cell cells[], uint64_t least, uint64_t most,
                        uint64_t *number)
{
    const struct cell cell = cells[r->column[column]];
    char *text = cell_copy(r, cell), *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    const bool good = isdigit((unsigned char)*text) && *end == '\0' && errno == 0 && value >= least && value <= most;
    free(text);
    char problem[80];
    snprintf(problem, sizeof problem, "expected a whole number, at least %" PRIu64 ": what computations drew", least);
    *number = good ? value : least;
    return good || refuse(r, cell, problem);
}

/* How many runs the launch had, where the file says it. */
static bool runs_of_launch_read(struct reading *r, const struct cell cells[], struct launch *launch)
{
    if (r->column[COLUMN_runs] == NO_CELL || cells[r->column[COLUMN_runs]].n == 0)
        return true;
    if (!number_read(r, COLUMN_runs, cells, 1, RUNS_MOST, &launch->runs))
        return false;
    return launch->run < launch->runs ||
           refuse(r, cells[r->column[COLUMN_run]], "there is no such run: they count from 0, up to `runs` less one");
}

/* Which numbers the launch's computations drew, where the file has all that says so, and the line something in it. */
static bool draws_read(struct reading *r, const struct cell cells[], struct launch *launch)
{
    static const enum column needed[][3] = {[RUNS] = {COLUMN_seed, COLUMN_launch, COLUMN_run},
                                            [PROFILES] = {COLUMN_seed, COLUMN_launch, COLUMN_replications}};
    for (size_t i = 0; i < 3; i++)
        if (r->column[needed[r->form][i]] == NO_CELL || cells[r->column[needed[r->form][i]]].n == 0)
            return true;
    uint64_t replications = 1;
    launch->drew = true;
    bool good = number_read(r, COLUMN_seed, cells, 0, UINT64_MAX, &launch->seed);
    good &= number_read(r, COLUMN_launch, cells, 1, UINT32_MAX, &launch->launch);
    if (r->form == PROFILES) {
        good &= number_read(r, COLUMN_replications, cells, 1, RUNS_MOST, &replications);
        launch->runs = replications;
    } else {
        good = number_read(r, COLUMN_run, cells, 0, RUNS_MOST, &launch->run) && good;
        good = good && runs_of_launch_read(r, cells, launch);
    }
    launch->replications = (uint32_t)replications;
    return good;
}

static void run_free(struct judge_run *run)
{
    for (size_t i = 0; i < run->n_sweeps; i++)
        sweep_free(&run->sweeps[i]);
    for (size_t i = 0; i < run->n_sites; i++) {
        free(run->sites[i].directive);
        free(run->sites[i].file);
    }
    free(run->sites);
    free(run->sweeps);
    free(run->seconds);
    free((struct judge_draws *)run->draws);
    free(run->params);
}

/* ---- the whole ---- */

/* Whether two runs are launches of one. */
static bool same_run(const struct judge_run *a, const struct judge_run *b)
{
    return a->source == b->source && a->at.numprocs == b->at.numprocs && a->at.nodes == b->at.nodes &&
           strcmp(a->params, b->params) == 0;
}

/* Of a profile its launch is part of what it is; a run that is there has one, in the same order. All rows of a profile have
 * the same run time, and those of one that was added behind it with the same launch another. */
static bool same_profile(const struct reading *r, size_t i, const struct launch *launch)
{
    const struct launch *there = &r->launches[i];
    return there->drew == launch->drew && there->seed == launch->seed && there->launch == launch->launch &&
           there->replications == launch->replications && there->seconds == launch->seconds;
}

/* Which number the run has that is there already and of which this is a launch; else this one's, which is taken. */
static size_t run_take(struct reading *r, struct judge_run *run, const struct launch *launch)
{
    struct runs *runs = r->runs;
    for (size_t i = 0; i < runs->n; i++)
        if (same_run(&runs->runs[i], run) && (r->form == RUNS || same_profile(r, i, launch))) {
            run_free(run);
            return i;
        }
    runs->runs = alloc_grow(runs->runs, runs->n, &runs->capacity, sizeof *runs->runs);
    runs->runs[runs->n] = *run;
    return runs->n++;
}

static void launch_add(struct reading *r, const struct launch *launch)
{
    r->launches = alloc_grow(r->launches, r->n_launches, &r->launches_capacity, sizeof *r->launches);
    r->launches[r->n_launches++] = *launch;
    r->runs->runs[launch->of_run].n++;
}

/* A row of a profile. Each of them has the time of the one launch. */
static void site_add(struct reading *r, const struct launch *launch, const struct judge_site *site)
{
    struct judge_run *run = &r->runs->runs[launch->of_run];
    if (run->n == 0)
        launch_add(r, launch);
    run->sites = alloc_grow(run->sites, run->n_sites, &run->sites_capacity, sizeof *run->sites);
    run->sites[run->n_sites++] = *site;
}

/* ---- what launches drew ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Launches of a run beside each other, those whose draws are not known first; of a seed first those that do not say how many
 * runs they had. */
static int by_draws(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;
    const int order[] = {compare_numbers(x->of_run, y->of_run), compare_numbers(x->drew, y->drew),
                         compare_numbers(x->seed, y->seed), compare_numbers(x->runs > 0, y->runs > 0),
                         compare_numbers(x->launch, y->launch), compare_numbers(x->run, y->run),
                         compare_numbers(x->line, y->line)};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i] != 0)
            return order[i];
    return 0;
}

static int by_seconds(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? -1 : 1) : compare_numbers(x->line, y->line);
}

/* How many runs each of n sorted launches of one run and seed had, which shifts what the later ones drew. Where the file does
 * not say it, a launch's last run does, unless it was cut short or not all were kept. 0: they do not say the same, and *other
 * says something else. */
static uint64_t runs_of_launches(size_t n, const struct launch launches[], const struct launch **other)
{
    uint64_t runs = 0;
    bool same = true;
    for (size_t i = 0; i < n; i++) {
        const struct launch *launch = &launches[i];
        if (i + 1 < n && launches[i + 1].launch == launch->launch)
            continue; /* its last run tells */
        if (runs > 0 && launch->run + 1 != runs) {
            same = false;
            *other = launch;
        }
        runs = launch->run + 1;
    }
    return same ? runs : 0;
}

/* How many runs n sorted launches of one run and seed had each, none of which says it. False: they differ. */
static bool runs_guess(const struct reading *r, struct judge_run *run, size_t n, struct launch launches[])
{
    const struct launch *other = launches;
    const uint64_t runs = runs_of_launches(n, launches, &other);
    if (runs == 0) {
        diag_warning(r->diags, line_place(r, other->line),
                     "launch %" PRIu64 " of this run has %" PRIu64 " runs and others another number, so which numbers they drew "
                     "is not known: it is judged by other draws", other->launch, other->run + 1);
        return false;
    }
    for (size_t k = 0; k < n; k++)
        launches[k].runs = runs;
    if (launches[n - 1].launch > 1) { /* of the first nothing is shifted */
        run->guessed[0] = run->guessed[0] == 0 || runs < run->guessed[0] ? (uint32_t)runs : run->guessed[0];
        run->guessed[1] = runs > run->guessed[1] ? (uint32_t)runs : run->guessed[1];
    }
    return true;
}

/* What the launches of one run drew; sorted by_draws. False: it is not known of all, which is said unless none says it. */
static bool draws_find(const struct reading *r, struct judge_run *run, struct launch launches[])
{
    const size_t n = run->n;
    while (run->unsaid < n && !launches[run->unsaid].drew)
        run->unsaid++;
    if (run->unsaid > 0 && run->unsaid < n)
        diag_warning(r->diags, line_place(r, launches->line),
                     "this launch does not say what it drew, and others of the run do: it is judged by other draws");
    if (run->unsaid > 0)
        return false;
    for (size_t i = 0, to; i < n; i = to) {
        for (to = i + 1; to < n && launches[to].seed == launches[i].seed && (launches[to].runs > 0) == (launches[i].runs > 0);
             to++)
            ;
        if (launches[i].runs == 0 && !runs_guess(r, run, to - i, &launches[i]))
            return false;
    }
    for (size_t k = 0; k < n; k++) {
        struct launch *launch = &launches[k];
        if (launch->launch > UINT32_MAX / launch->runs) {
            diag_warning(r->diags, line_place(r, launch->line),
                         "launch %" PRIu64 " of %" PRIu64 " runs each would have drawn the numbers of more replications than "
                         "there are (%" PRIu32 "): it is judged by other draws", launch->launch, launch->runs, UINT32_MAX);
            return false;
        }
        launch->run += (launch->launch - 1) * launch->runs;
    }
    return true;
}

/* Each run's launches, the shortest first. */
static void launches_settle(struct reading *r)
{
    struct launch *launches = r->launches;
    if (r->n_launches > 0)
        qsort(launches, r->n_launches, sizeof *launches, by_draws);
    for (size_t i = 0, n; i < r->n_launches; i += n, launches += n) {
        struct judge_run *run = &r->runs->runs[launches->of_run];
        n = run->n;
        const bool known = draws_find(r, run, launches);
        struct judge_draws *draws = known ? alloc_array(n, sizeof *draws) : NULL;
        run->seconds = alloc_array(n, sizeof *run->seconds);
        run->draws = draws;
        qsort(launches, n, sizeof *launches, by_seconds);
        for (size_t k = 0; k < n; k++) {
            run->seconds[k] = launches[k].seconds;
            if (known)
                draws[k] = (struct judge_draws){launches[k].seed, (uint32_t)launches[k].run, launches[k].replications};
        }
    }
}

static void line_read(struct reading *r, size_t line)
{
    struct cell cells[CELLS_MOST];
    size_t n, start = r->runs->text->line_start[line];
    if (!cells_split(r, line, cells, &n))
        return;
    for (size_t c = 0; c < N_COLUMNS; c++)
        if (r->column[c] != NO_CELL && r->column[c] >= n) {
            r->errors++;
            diag_error(r->diags, source_place(r->runs->text, start, 1), "this line ends before its column `%s`",
                       columns[c].name);
            return;
        }
    if (n > r->n_cells && cells[r->n_cells].n > 0) {
        (void)refuse(r, cells[r->n_cells], "this line has more columns than the first one names: a comma in a number or in a "
                     "text is read as the end of a column, but between quotes");
        return;
    }
    struct cell program = cells[r->column[COLUMN_program]], params = cells[r->column[COLUMN_params]];
    struct judge_run run = {.place = source_place(r->runs->text, program.at, program.n > 0 ? program.n : 1)};
    struct judge_site site = {.place = line_place(r, line)};
    const bool profiles = r->form == PROFILES;
    struct launch launch = {.line = line, .seconds = NAN};
    if (profiles && cells[r->column[COLUMN_process]].n > 0)
        return;
    run.source = program_find(r, program);
    run.params = params_text(r, params);
    bool good = run.source != NULL;
    good &= params_read(r, params, &run);
    good &= placement_read(r, cells, &run.at);
    good &= seconds_read(r, cells[r->column[profiles ? COLUMN_run_time_s : COLUMN_seconds]], &launch.seconds);
    good &= draws_read(r, cells, &launch);
    good &= !profiles || site_read(r, cells, &site);
    if (!good) {
        run_free(&run);
        return;
    }
    run.program = source_program(run.source);
    launch.of_run = run_take(r, &run, &launch);
    if (profiles)
        site_add(r, &launch, &site);
    else
        launch_add(r, &launch);
}

static bool line_is_empty(const struct source *source, size_t line)
{
    struct cell cell = trimmed(source->text, source->line_start[line], source_line_end(source, line));
    return cell.n == 0 || source->text[cell.at] == '#';
}

/* Programs end each line. A number at the end of one that was cut off may still be read. */
static void end_doubt(const struct source *source, struct diags *diags)
{
    if (source->length > 0 && source->text[source->length - 1] != '\n')
        diag_warning(diags, source_place(source, source->length - 1, 1),
                     "nothing ends the last line: if the file was cut off here, as by a full disk, its last number is wrong");
}

static enum status file_read(struct runs *runs, enum form form, const char *path, struct diags *diags)
{
    struct reading r = {.runs = runs, .diags = diags, .form = form};
    enum status status = source_read(&runs->text, path, diags);
    if (status != STATUS_OK)
        return status;
    bool header = true;
    for (size_t line = 0; line < runs->text->n_lines; line++) {
        if (line_is_empty(runs->text, line))
            continue;
        if (header)
            header_read(&r, line);
        else
            line_read(&r, line);
        if (header && r.errors > 0)
            break; /* the lines cannot be told */
        header = false;
    }
    end_doubt(runs->text, diags);
    if (header && r.errors == 0)
        diag_error(r.diags, place_of_file(path), "an empty file; its first line names the columns (%s)",
                   needed_text[form]);
    if (r.errors == 0)
        launches_settle(&r);
    free(r.launches);
    return header || r.errors > 0 ? STATUS_SCHEMA : STATUS_OK;
}

enum status runs_read(struct runs *runs, const char *path, struct diags *diags)
{
    enum status status = file_read(runs, RUNS, path, diags);
    if (status != STATUS_OK || runs->n >= MODEL_ERROR_RUNS_LEAST)
        return status;
    diag_error(diags, place_of_file(path),
               "%zu run%s (program, params, numprocs, nodes) are too few: a model error takes at least %d", runs->n,
               runs->n == 1 ? "" : "s", (int)MODEL_ERROR_RUNS_LEAST);
    return STATUS_SCHEMA;
}

enum status runs_read_profiles(struct runs *runs, const char *path, struct diags *diags)
{
    enum status status = file_read(runs, PROFILES, path, diags);
    if (status != STATUS_OK || runs->n > 0)
        return status;
    diag_error(diags, place_of_file(path), "there is no profile of a run");
    return STATUS_SCHEMA;
}

void runs_free(struct runs *runs)
{
    for (size_t i = 0; i < runs->n; i++)
        run_free(&runs->runs[i]);
    for (size_t i = 0; i < runs->n_programs; i++)
        source_destroy(runs->programs[i]);
    free(runs->runs);
    free(runs->programs);
    if (runs->text)
        source_destroy(runs->text);
    *runs = (struct runs){0};
}
