#include "timing/serial.h"

#include "common/alloc.h"
#include "directives/source.h"
#include "models/machine.h"
#include "models/machine_write.h"
#include "models/yaml_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the section ---- */

/* A machine with nothing but computations, and how its distributions are to be written. */
struct section {
    struct machine machine;
    struct machine_form *forms;
    size_t n_forms;
};

/* The double that "5.69 ms" is read as, so that times are written in few digits. */
static double seconds_of(double ns)
{
    if (ns < 1e3)
        return ns * 1e-9;
    if (ns < 1e6)
        return ns / 1e3 * 1e-6;
    return ns < 1e9 ? ns / 1e6 * 1e-3 : ns / 1e9;
}

static void distribution_make(struct section *section, struct distribution *place, const struct tally *tally)
{
    double *edges, *counts;
    if (tally->minimum == tally->maximum) {
        distribution_constant(place, seconds_of(tally->minimum));
        return;
    }
    size_t n = tally_table(tally, &edges, &counts);
    for (size_t i = 0; i <= n; i++)
        edges[i] = seconds_of(edges[i]);
    distribution_histogram(place, n, edges, counts);
    place->average = fmax(seconds_of(nearbyint(tally->sum / (double)tally->count)), place->minimum);
    section->forms[section->n_forms++] =
        (struct machine_form){.of = place, .kind = FORM_HISTOGRAM, .n = n, .edges = edges, .counts = counts};
}

static bool is_table(const struct timings *timings, const struct timings_block *block, enum serial_nodes nodes)
{
    return block->has_argument || (nodes == SERIAL_PER_NODE && timings->n_nodes > 1);
}

/* Block b and those of its name that follow: one computation. Returns how many blocks that are. */
static size_t computation_make(struct section *section, const struct timings *timings, size_t b,
                               enum serial_nodes nodes)
{
    struct machine_serial *serial = &section->machine.serials[section->machine.n_serials++];
    const struct timings_block *blocks = &timings->blocks[b];
    size_t n = 1;
    while (b + n < timings->n && strcmp(blocks[n].name, blocks->name) == 0)
        n++;
    size_t rows = blocks->has_argument ? n : timings->n_nodes;
    *serial = (struct machine_serial){.name = alloc_string(blocks->name),
                                      .argument = alloc_zeroed(rows, sizeof *serial->argument),
                                      .times = alloc_zeroed(rows, sizeof *serial->times)};
    if (!is_table(timings, blocks, nodes)) {
        distribution_make(section, &serial->times[0], nodes == SERIAL_AUTO ? &blocks->levelled : &blocks->all);
        return n;
    }
    for (size_t i = 0; i < rows; i++) {
        const struct tally *tally = !blocks->has_argument ? &blocks->nodes[i]
                                    : nodes == SERIAL_AUTO ? &blocks[i].levelled : &blocks[i].all;
        if (tally->count == 0)
            continue;
        serial->argument[serial->n] = blocks->has_argument ? blocks[i].argument : (double)i;
        distribution_make(section, &serial->times[serial->n++], tally);
    }
    return n;
}

static void section_free(struct section *section)
{
    for (size_t i = 0; i < section->n_forms; i++) {
        free((double *)section->forms[i].edges);
        free((double *)section->forms[i].counts);
    }
    for (size_t i = 0; i < section->machine.n_serials; i++) {
        struct machine_serial *serial = &section->machine.serials[i];
        for (size_t j = 0; j < (serial->n ? serial->n : 1); j++)
            distribution_free(&serial->times[j]);
        free(serial->times);
        free(serial->argument);
        free(serial->name);
    }
    free(section->machine.serials);
    free(section->forms);
}

static bool has_factors(const struct timings *timings, enum serial_nodes nodes)
{
    return nodes == SERIAL_AUTO && timings->outcome == NODES_FACTORS;
}

/* The entries of `serial:`, one per line or, for tables, one per row. A machine file with nothing else in it is
 * written and its head cut off: so a time is formatted in one place only. */
static char *entries_text(const struct timings *timings, enum serial_nodes nodes)
{
    static const char title[] = "\nserial:\n";
    char name[] = "x", *whole = NULL;
    size_t length = 0;
    struct section section = {.machine = {.name = name, .time_unit = 1, .nodes = 1, .ppn = 1,
                                          .eager_limit = INT64_MAX}};
    section.machine.serials = alloc_zeroed(timings->n, sizeof *section.machine.serials);
    section.forms = alloc_zeroed(timings->n * (timings->n_nodes + 1), sizeof *section.forms);
    for (size_t b = 0; b < timings->n;)
        b += computation_make(&section, timings, b, nodes);
    struct machine_write_options options = {.n_forms = section.n_forms, .forms = section.forms};
    FILE *out = open_memstream(&whole, &length);
    machine_write_stream(&section.machine, &options, out);
    fclose(out);
    char *text = alloc_string(strstr(whole, title) + sizeof title - 1);
    free(whole);
    section_free(&section);
    return text;
}

static char *factors_text(const struct timings *timings, enum serial_nodes nodes)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (has_factors(timings, nodes)) {
        fputs("node_time_factor: [", out);
        for (size_t h = 0; h < timings->n_nodes; h++)
            fprintf(out, "%s%.4g", h ? ", " : "", timings->nodes[h].factor);
        fputs("]\n", out);
    }
    fclose(out);
    return text;
}

char *serial_text(const struct timings *timings, enum serial_nodes nodes)
{
    char *entries = entries_text(timings, nodes), *factors = factors_text(timings, nodes);
    char *text = alloc_format("serial:\n%s%s", entries, factors);
    free(entries);
    free(factors);
    return text;
}

/* ---- into a machine file ---- */

/* Any node as YAML in one line. */
static void node_write(FILE *out, const struct yaml_node *node)
{
    if (node->kind == YAML_KIND_TEXT && node->plain) {
        fwrite(node->text, 1, node->n, out);
    } else if (node->kind == YAML_KIND_TEXT) {
        fputc('"', out);
        for (size_t i = 0; i < node->n; i++) {
            unsigned char c = (unsigned char)node->text[i];
            if (c < 32 || c == 127)
                fprintf(out, "\\x%02x", c);
            else
                fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
        }
        fputc('"', out);
    } else {
        bool map = node->kind == YAML_KIND_MAP;
        fputc(map ? '{' : '[', out);
        for (size_t i = 0; i < (map ? 2 : 1) * (size_t)node->n; i++) {
            fputs(i == 0 ? "" : map && i % 2 ? ": " : ", ", out);
            node_write(out, node->items[i]);
        }
        fputc(map ? '}' : ']', out);
    }
}

static bool is_measured(const struct timings *timings, const struct yaml_node *name)
{
    for (size_t b = 0; b < timings->n; b++)
        if (strlen(timings->blocks[b].name) == name->n && memcmp(timings->blocks[b].name, name->text, name->n) == 0)
            return true;
    return false;
}

/* A key of the top level with its value: the lines [first, end) from 0 on, without the comments that lead to the next
 * key. */
struct part {
    const struct yaml_node *value; /* NULL: the file has no such key */
    size_t first, end;
};

static bool is_aside(const struct source *source, size_t line)
{
    char c = source->text[source->line_start[line]];
    return source->line_start[line] >= source->length || c == '#' || c == '\n' || c == '\r';
}

static struct part part_find(const struct source *source, const struct yaml_node *root, const char *key)
{
    struct part part = {NULL, 0, 0};
    for (size_t i = 0; i < root->n; i++) {
        if (strcmp(root->items[2 * i]->text, key) != 0)
            continue;
        part = (struct part){root->items[2 * i + 1], root->items[2 * i]->line - 1, source->n_lines};
        if (i + 1 < root->n)
            part.end = root->items[2 * i + 2]->line - 1;
        while (part.end > part.first + 1 && is_aside(source, part.end - 1))
            part.end--;
    }
    return part;
}

/* Lines [first, end) as they are. */
static void copy_lines(FILE *out, const struct source *source, size_t first, size_t end)
{
    size_t from = source->line_start[first], to = source->line_start[end];
    fwrite(source->text + from, 1, to - from, out);
    if (to > from && source->text[to - 1] != '\n')
        fputc('\n', out);
}

static void section_write(FILE *out, const struct timings *timings, enum serial_nodes nodes,
                          const struct yaml_node *earlier)
{
    char *entries = entries_text(timings, nodes);
    fputs("serial:\n", out);
    for (size_t i = 0; earlier && earlier->kind == YAML_KIND_MAP && i < earlier->n; i++) {
        if (is_measured(timings, earlier->items[2 * i]))
            continue;
        fputs("  ", out);
        node_write(out, earlier->items[2 * i]);
        fputs(": ", out);
        node_write(out, earlier->items[2 * i + 1]);
        fputc('\n', out);
    }
    fputs(entries, out);
    free(entries);
}

/* Where the section is new it follows all else; so do factors. */
static char *splice(const struct timings *timings, enum serial_nodes nodes, const struct source *source,
                    const struct yaml_node *root)
{
    struct part serial = part_find(source, root, "serial"), factors = part_find(source, root, "node_time_factor");
    bool replaces = has_factors(timings, nodes);
    char *text = NULL, *new_factors = factors_text(timings, nodes);
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    for (size_t line = 0; line < source->n_lines;) {
        if (serial.value && line == serial.first) {
            section_write(out, timings, nodes, serial.value);
            line = serial.end;
        } else if (factors.value && replaces && line == factors.first) {
            fputs(new_factors, out);
            line = factors.end;
        } else {
            copy_lines(out, source, line, line + 1);
            line++;
        }
    }
    if (!serial.value)
        section_write(out, timings, nodes, NULL);
    if (!factors.value)
        fputs(new_factors, out);
    fclose(out);
    free(new_factors);
    return text;
}

/* Factors that the file has already would multiply what was measured on those very nodes. */
static void factors_check(const struct timings *timings, enum serial_nodes nodes, const struct machine *machine,
                          struct diags *diags)
{
    bool uneven = false;
    for (size_t i = 0; i < machine->n_factors; i++)
        uneven = uneven || machine->factors[i] != 1;
    if (uneven && !has_factors(timings, nodes))
        diag_warning(diags, place_of_file(machine->path),
                     "node_time_factor stays and multiplies these times, too: take it out if they were measured on "
                     "those nodes");
}

static enum status merge(const struct timings *timings, enum serial_nodes nodes, const struct source *source,
                         char **text, struct diags *diags)
{
    struct machine *machine = NULL;
    struct yaml_tree tree;
    enum status status = machine_read_text(&machine, source->name, source->text, source->length, diags);
    if (status != STATUS_OK)
        return status;
    factors_check(timings, nodes, machine, diags);
    if (has_factors(timings, nodes) && timings->n_nodes > (size_t)machine->nodes) {
        diag_error(diags, place_of_file(source->name), "the records are of %zu nodes, the machine has %d",
                   timings->n_nodes, machine->nodes);
        status = STATUS_SCHEMA;
    }
    machine_destroy(machine);
    if (status != STATUS_OK)
        return status;
    status = yaml_tree_read(&tree, source->name, source->text, source->length, diags);
    if (status == STATUS_OK && (tree.root->column != 0 || source->text[source->line_start[tree.root->line - 1]] == '{'))
        status = STATUS_SCHEMA;
    if (status == STATUS_OK)
        *text = splice(timings, nodes, source, tree.root);
    else
        diag_error(diags, place_of_file(source->name), "the top level stands in braces or is indented: expected each "
                                                       "key at the start of a line of its own");
    yaml_tree_free(&tree);
    return status;
}

enum status serial_merge(const struct timings *timings, enum serial_nodes nodes, const char *path, char **text,
                         struct diags *diags)
{
    struct source *source;
    struct machine *machine = NULL;
    *text = NULL;
    enum status status = source_read(&source, path, diags);
    if (status != STATUS_OK)
        return status;
    status = merge(timings, nodes, source, text, diags);
    if (status == STATUS_OK) {
        status = machine_read_text(&machine, "the machine file with serial", *text, strlen(*text), diags);
        machine_destroy(machine);
    }
    if (status != STATUS_OK) {
        free(*text);
        *text = NULL;
    }
    source_destroy(source);
    return status;
}
