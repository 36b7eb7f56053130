#include "models/machine/write_impl.h"

#include "common/alloc.h"
#include "common/numerals.h"
#include "common/outfile.h"
#include "common/units.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 40 };

/* ---- numbers, times, texts ---- */

void write_number(FILE *out, double value)
{
    char text[NUMBER_BYTES];
    if (fabs(value) < 1e15 && value == floor(value)) {
        fprintf(out, "%.0f", value); /* 10, not 1e+01 */
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (numerals_read(text, NULL) == value)
            break;
    }
    fputs(text, out);
}

void write_time(FILE *out, double seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {
#define X(unit, value) {#unit, value},
        TIME_UNIT_LIST(X)
#undef X
    };
    enum { UNIT_SECONDS = 3 }; /* minutes only divide people */
    char text[NUMBER_BYTES + 8];
    size_t unit = 0;
    while (unit < UNIT_SECONDS && fabs(seconds) >= units[unit + 1].seconds)
        unit++;
    if (seconds == 0) {
        fputs("0", out);
        return;
    }
    for (int decimals = 0; decimals <= 17; decimals++) {
        double back;
        snprintf(text, sizeof text, "%.*f %s", decimals, seconds / units[unit].seconds, units[unit].name);
        if (units_parse_time(text, 1, &back) && back == seconds) {
            fputs(text, out);
            return;
        }
    }
    write_number(out, seconds); /* the product with the unit rounds past it */
}

/* Whether YAML and a person take the text for a plain word. */
static bool is_plain(const char *text)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
    if (!isalpha((unsigned char)text[0]))
        return false;
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_-./", *at))
            return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return false;
    return true;
}

void write_text(FILE *out, const char *text)
{
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 32 || c == 127)
            fprintf(out, "\\x%02x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void write_curve(FILE *out, const struct machine_curve *curve, enum curve_kind kind)
{
    fputc('[', out);
    for (size_t i = 0; i < curve->n; i++) {
        fputs(i ? ", [" : "[", out);
        write_number(out, curve->bytes[i]);
        fputs(", ", out);
        if (kind == CURVE_TIMES)
            write_time(out, curve->time[i]);
        else
            write_number(out, curve->time[i]);
        fputc(']', out);
    }
    fputc(']', out);
}

/* ---- distributions ---- */

static int form_compare(const void *a, const void *b)
{
    const struct distribution *x = (*(const struct machine_form *const *)a)->of;
    const struct distribution *y = (*(const struct machine_form *const *)b)->of;
    return (x > y) - (x < y);
}

static const struct machine_form *form_find(const struct writer *w, const struct distribution *d)
{
    const struct machine_form wanted = {.of = d}, *key = &wanted;
    if (w->n_forms == 0)
        return NULL;
    const struct machine_form *const *found = bsearch(&key, w->forms, w->n_forms, sizeof *w->forms, form_compare);
    return found ? *found : NULL;
}

static void write_value(const struct writer *w, double value)
{
    if (w->factors)
        write_number(w->out, value);
    else
        write_time(w->out, value);
}

static void write_histogram(const struct writer *w, const struct machine_form *form)
{
    FILE *out = w->out;
    fputs("edges: [", out);
    for (size_t i = 0; i <= form->n; i++) {
        fputs(i ? ", " : "", out);
        write_value(w, form->edges[i]);
    }
    fputs("], counts: [", out);
    for (size_t i = 0; i < form->n; i++) {
        fputs(i ? ", " : "", out);
        write_number(out, form->counts[i]);
    }
    fputc(']', out);
}

static void write_law(const struct writer *w, const struct machine_form *form)
{
    FILE *out = w->out;
    static const struct {
        const char *name, *first, *second;
        int parameters;
    } laws[] = {
#define X(name, n, first, second) {#name, #first, #second, n},
        LAW_LIST(X)
#undef X
    };
    bool shape = strcmp(laws[form->law].first, "shape") == 0;
    fprintf(out, "%s: {%s: ", laws[form->law].name, laws[form->law].first);
    if (shape)
        write_number(out, form->a);
    else
        write_value(w, form->a);
    if (laws[form->law].parameters == 2) {
        fprintf(out, ", %s: ", laws[form->law].second);
        write_value(w, form->b);
    }
    if (form->shift != 0) {
        fputs(", shift: ", out);
        write_value(w, form->shift);
    }
    fputc('}', out);
}

static void write_quantiles(const struct writer *w, const struct distribution *d)
{
    FILE *out = w->out;
    fputs("quantiles: [", out);
    for (size_t i = 0; i < d->n; i++) {
        fputs(i ? ", [" : "[", out);
        write_number(out, d->p[i]);
        fputs(", ", out);
        write_value(w, d->t[i]);
        fputc(']', out);
    }
    fputc(']', out);
}

/* The distribution as its form alone would be read. */
static void read_back(struct distribution *back, const struct distribution *d, const struct machine_form *form)
{
    if (!form)
        distribution_points(back, d->n, d->p, d->t);
    else if (form->kind == FORM_HISTOGRAM)
        distribution_histogram(back, form->n, form->edges, form->counts);
    else
        distribution_law(back, form->law, form->a, form->b, form->shift);
}

void write_distribution(const struct writer *w, const struct distribution *d)
{
    const struct machine_form *form = form_find(w, d);
    if (!form && d->n == 2 && distribution_is_constant(d) && d->minimum == d->t[0] && d->average == d->t[0]) {
        write_value(w, d->t[0]);
        return;
    }
    struct distribution back;
    read_back(&back, d, form);
    fputc('{', w->out);
    if (!form)
        write_quantiles(w, d);
    else if (form->kind == FORM_HISTOGRAM)
        write_histogram(w, form);
    else
        write_law(w, form);
    if (back.minimum != d->minimum) {
        fputs(", minimum: ", w->out);
        write_value(w, d->minimum);
    }
    if (back.average != d->average) {
        fputs(", average: ", w->out);
        write_value(w, d->average);
    }
    fputc('}', w->out);
    distribution_free(&back);
}

/* ---- sections ---- */

static const char *const rendezvous_names[] = {
#define X(name) #name,
    RENDEZVOUS_LIST(X)
#undef X
};

static const char *const socket_map_names[] = {
#define X(name) #name,
    SOCKET_MAP_LIST(X)
#undef X
};

static void write_connect(FILE *out, const struct machine_connect *connect)
{
    const struct {
        const char *name;
        double time;
    } parts[] = {{"message", connect->message}, {"call", connect->call}, {"late", connect->late},
                 {"shared", connect->shared}, {"listen", connect->listen}};
    fputs("transports:\n  network: {connect: {", out);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        fprintf(out, "%s%s: ", i > 0 ? ", " : "", parts[i].name);
        write_time(out, parts[i].time);
    }
    fputs("}}\n", out);
}

static void write_transports(FILE *out, const struct machine *machine)
{
    bool begun = machine->has_connect;
    if (begun)
        write_connect(out, &machine->connect);
    for (int i = 0; i < N_TRANSPORTS; i++) {
        const struct machine_transport *transport = &machine->transports[i];
        if (!transport->has_eager_limit && !transport->has_rendezvous && !transport->has_unread_limit)
            continue;
        fprintf(out, "%s  %s: {", begun ? "" : "transports:\n", transport_name((enum transport)i));
        const char *between = "";
        if (transport->has_eager_limit) {
            fprintf(out, "eager_limit: %lld", (long long)transport->eager_limit);
            between = ", ";
        }
        if (transport->has_rendezvous) {
            fprintf(out, "%srendezvous: %s", between, rendezvous_names[transport->rendezvous]);
            between = ", ";
        }
        if (transport->has_unread_limit)
            fprintf(out, "%sunread_limit: %lld", between, (long long)transport->unread_limit);
        fputs("}\n", out);
        begun = true;
    }
}

static void write_head(FILE *out, const struct machine *machine)
{
    fprintf(out, "pevpm_machine: %d\nname: ", machine->version >= 2 ? machine->version : 1);
    write_text(out, machine->name);
    fputc('\n', out);
    if (machine->time_unit != 1) {
#define X(unit, value) if (machine->time_unit == (value)) fputs("time_unit: " #unit "\n", out);
        TIME_UNIT_LIST(X)
#undef X
    }
    fprintf(out, "nodes: %d\nprocesses_per_node: %d\n", machine->nodes, machine->ppn);
    if (machine->processors > 0)
        fprintf(out, "processors_per_node: %d\n", machine->processors);
    if (machine->sockets > 1)
        fprintf(out, "sockets_per_node: %d\n", machine->sockets);
    if (machine->has_socket_map)
        fprintf(out, "socket_map: %s\n", socket_map_names[machine->socket_map]);
    if (machine->eager_limit != INT64_MAX)
        fprintf(out, "eager_limit: %lld\n", (long long)machine->eager_limit);
    write_transports(out, machine);
    if (machine->progress == PROGRESS_ASYNC)
        fputs("progress: async\n", out);
    if (machine->has_library)
        fprintf(out, "mpi: %s\n", library_name(machine->library));
    if (machine->launches > 0)
        fprintf(out, "launches: %d\n", machine->launches);
}

static void write_notes(FILE *out, size_t n, const struct machine_note notes[])
{
    if (n > 0)
        fputs("provenance:\n", out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%*s", 2 + 2 * notes[i].depth, "");
        write_text(out, notes[i].key);
        fputc(':', out);
        if (notes[i].value) {
            fputc(' ', out);
            write_text(out, notes[i].value);
        }
        fputc('\n', out);
    }
}

static void write_entry(const struct writer *w, const struct machine_entry *entry)
{
    static const char *const patterns[] = {
#define X(name) #name,
        PATTERN_LIST(X)
#undef X
    };
    FILE *out = w->out;
    fprintf(
        out,
        "  - operation: %s\n    pattern: %s\n    nodes: %d\n    processes_per_node: %d\n    level: %d\n",
        entry->operation == SEND_BLOCKING ? "MPI_Send" : "MPI_Isend", patterns[entry->pattern], entry->nodes,
        entry->ppn, entry->level);
    if (entry->transport == TRANSPORT_self || entry->transport == TRANSPORT_socket)
        fprintf(out, "    transport: %s\n", transport_name(entry->transport));
    fputs("    sizes:\n", out);
    for (size_t i = 0; i < entry->n_sizes; i++) {
        const struct machine_size *size = &entry->sizes[i];
        fprintf(out, "      - bytes: %lld\n        transit: ", (long long)size->bytes);
        write_distribution(w, &size->transit);
        if (size->has_send_overhead) {
            fputs("\n        send_overhead: ", out);
            write_distribution(w, &size->send_overhead);
        }
        if (size->has_receive_overhead) {
            fputs("\n        receive_overhead: ", out);
            write_distribution(w, &size->receive_overhead);
        }
        if (size->launch_sd > 0) {
            fputs("\n        launch_sd: ", out);
            write_number(out, size->launch_sd);
        }
        fputc('\n', out);
    }
}

static void fitted_write(const struct writer *w, const double *value, void (*write)(FILE *out, double value))
{
    const struct machine_fitted *fitted = NULL;
    for (size_t i = 0; i < w->n_fitted && !fitted; i++)
        fitted = w->fitted[i].of == value ? &w->fitted[i] : NULL;
    fputs(fitted ? "{value: " : "", w->out);
    write(w->out, *value);
    if (!fitted)
        return;
    fputs(", ci95: ", w->out);
    write(w->out, fitted->ci95);
    fprintf(w->out, ", experiments: %d}", fitted->experiments);
}

void write_fitted(const struct writer *w, const double *seconds)
{
    fitted_write(w, seconds, write_time);
}

void write_fitted_number(const struct writer *w, const double *number)
{
    fitted_write(w, number, write_number);
}

void write_fitted_curve(const struct writer *w, const struct machine_curve *curve,
                        void (*write_abscissa)(FILE *out, double x))
{
    for (size_t i = 0; i < curve->n; i++) {
        fputs(i ? ", [" : "[[", w->out);
        write_abscissa(w->out, curve->bytes[i]);
        fputs(", ", w->out);
        write_fitted(w, &curve->time[i]);
        fputc(']', w->out);
    }
    fputc(']', w->out);
}

/* The keys that ports have of every node, each with `before` in front and `after` behind. */
static void write_port_keys(const struct writer *w, const struct machine_ports *ports, const char *before,
                            const char *after)
{
    FILE *out = w->out;
    const struct {
        const char *name;
        const struct machine_curve *curve;
    } curves[] = {
#define X(name) {#name, &ports->name},
        PORT_CURVE_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        if (curves[i].curve->n == 0)
            continue;
        fprintf(out, "%s%s: ", before, curves[i].name);
        write_fitted_curve(w, curves[i].curve, write_number);
        fputs(after, out);
    }
    if (ports->frame > 0)
        fprintf(out, "%sframe: %.0f%s", before, ports->frame, after);
    if (ports->window > 0)
        fprintf(out, "%swindow: %.0f%s", before, ports->window, after);
    if (ports->buffer > 0) {
        fprintf(out, "%sbuffer: ", before);
        write_fitted(w, &ports->buffer);
        fputs(after, out);
    }
    fprintf(out, "%scredit: ", before);
    write_fitted(w, &ports->credit);
}

static void write_ports(const struct writer *w, const struct machine *machine)
{
    FILE *out = w->out;
    if (!machine->has_ports || machine->version >= 2)
        return;
    fputs("ports:\n", out);
    write_port_keys(w, &machine->ports, "  ", "\n");
    fprintf(out, "\n  shared_by: %s\n", machine->ports_per_process ? "process" : "node");
    if (machine->common_gap.n > 0) {
        fputs("  common_gap: ", out);
        write_fitted_curve(w, &machine->common_gap, write_number);
        fputc('\n', out);
    }
    if (machine->rest_delay.n > 0) {
        fputs("  measured_after: ", out);
        write_time(out, machine->measured_after);
        fputs("\n  rest_delay: ", out);
        write_fitted_curve(w, &machine->rest_delay, write_time);
        fputc('\n', out);
    }
    if (machine->has_overflow) {
        fputs("  overflow: ", out);
        write_distribution(w, &machine->overflow);
        fputc('\n', out);
    }
    if (machine->n_node_ports > 0)
        fputs("  per_node:\n", out);
    for (size_t i = 0; i < machine->n_node_ports; i++) {
        fputs("    - {", out);
        write_port_keys(w, &machine->node_ports[i], "", ", ");
        fputs("}\n", out);
    }
}

static void write_collective(const struct writer *w, const struct machine_collective *collective)
{
    FILE *out = w->out;
    fprintf(out, "  %s:\n", collective->operation);
    if (collective->algorithm) {
        fputs("    algorithm: ", out);
        write_text(out, collective->algorithm);
        fputc('\n', out);
    }
    if (collective->model)
        fprintf(out, "    model: %s\n", collective->model);
    if (collective->n_measured > 0)
        fputs("    measured:\n", out);
    for (size_t i = 0; i < collective->n_measured; i++) {
        const struct machine_collective_time *time = &collective->measured[i];
        fprintf(out, "      - numprocs: %d\n        bytes: %lld\n        time: ", time->numprocs,
                (long long)time->bytes);
        write_distribution(w, &time->time);
        if (time->has_root_time) {
            fputs("\n        root_time: ", out);
            write_distribution(w, &time->root_time);
        }
        fputc('\n', out);
    }
}

static void write_serial(const struct writer *w, const struct machine_serial *serial)
{
    FILE *out = w->out;
    fputs("  ", out);
    write_text(out, serial->name);
    fputc(':', out);
    if (serial->n == 0) {
        fputc(' ', out);
        write_distribution(w, &serial->times[0]);
    }
    for (size_t i = 0; i < serial->n; i++) {
        fputs("\n    - [", out);
        write_number(out, serial->argument[i]);
        fputs(", ", out);
        write_distribution(w, &serial->times[i]);
        fputc(']', out);
    }
    fputc('\n', out);
}

static void write_variability(const struct writer *w, const struct machine *machine)
{
    static const char *const scopes[] = {
#define X(scope) #scope,
        VARIABILITY_LIST(X)
#undef X
    };
    bool begun = false;
    struct writer plain = *w;
    plain.factors = true;
    for (int i = 0; i < N_VARIABILITIES; i++) {
        if (!machine->has_variability[i])
            continue;
        fprintf(w->out, "%s  %s: ", begun ? "" : "serial_variability:\n", scopes[i]);
        write_distribution(&plain, &machine->variability[i]);
        fputc('\n', w->out);
        begun = true;
    }
}

void write_model_error(FILE *out, const struct machine_model_error *error)
{
    fputs("model_error:\n  communication: ", out);
    write_number(out, error->communication);
    fputs("\n  computation: ", out);
    write_number(out, error->computation);
    fputc('\n', out);
    if (error->stretch > 0) {
        fputs("  stretch: ", out);
        write_number(out, error->stretch);
        fputc('\n', out);
    }
    if (error->spread_power > 0) {
        fputs("  spread_power: ", out);
        write_number(out, error->spread_power);
        fputc('\n', out);
    }
    if (error->share_power > 0) {
        fputs("  share_power: ", out);
        write_number(out, error->share_power);
        fputc('\n', out);
    }
    if (error->runs > 0)
        fprintf(out, "  runs: %d\n", error->runs);
    if (error->elsewhere > 0)
        fprintf(out, "  elsewhere: %d\n", error->elsewhere);
}

/* What follows the ports, models excepted. */
static void write_rest(const struct writer *w, const struct machine *machine)
{
    FILE *out = w->out;
    if (machine->n_collectives > 0)
        fputs("collectives:\n", out);
    for (size_t i = 0; i < machine->n_collectives; i++)
        write_collective(w, &machine->collectives[i]);
    if (machine->has_reduction) {
        fputs("reduction:\n  gamma: ", out);
        write_time(out, machine->reduction_gamma);
        fputc('\n', out);
    }
    if (machine->n_serials > 0)
        fputs("serial:\n", out);
    for (size_t i = 0; i < machine->n_serials; i++)
        write_serial(w, &machine->serials[i]);
    if (machine->n_factors > 0)
        fputs("node_time_factor: [", out);
    for (size_t i = 0; i < machine->n_factors; i++) {
        fputs(i ? ", " : "", out);
        write_number(out, machine->factors[i]);
    }
    if (machine->n_factors > 0)
        fputs("]\n", out);
    write_variability(w, machine);
    if (machine->has_model_error)
        write_model_error(out, &machine->model_error);
}

void machine_write_stream(const struct machine *machine, const struct machine_write_options *options, FILE *out)
{
    static const struct machine_write_options none = {0};
    const struct numerals before = numerals_plain();
    if (!options)
        options = &none;
    struct writer w = {.out = out, .n_forms = options->n_forms, .forms = alloc_array(options->n_forms, sizeof *w.forms),
                       .n_fitted = options->n_fitted, .fitted = options->fitted};
    for (size_t i = 0; i < options->n_forms; i++)
        w.forms[i] = &options->forms[i];
    qsort(w.forms, w.n_forms, sizeof *w.forms, form_compare);
    write_head(out, machine);
    write_notes(out, options->n_notes, options->notes);
    if (machine->n_entries > 0)
        fputs("point_to_point:\n", out);
    for (size_t i = 0; i < machine->n_entries; i++)
        write_entry(&w, &machine->entries[i]);
    write_ports(&w, machine);
    write_topology(out, machine);
    write_resources(&w, machine);
    write_rest(&w, machine);
    write_models(out, machine);
    if (machine->has_decisions)
        write_decisions(out, &machine->decisions);
    free(w.forms);
    numerals_restore(before);
}

enum status machine_write(const struct machine *machine, const struct machine_write_options *options, const char *path,
                          struct diags *diags)
{
    struct outfile file;
    enum status status = outfile_open(&file, path, diags);
    if (status != STATUS_OK)
        return status;
    fputs(MACHINE_FIRST_LINE, file.stream);
    machine_write_stream(machine, options, file.stream);
    fputs(MACHINE_LAST_LINE, file.stream);
    return outfile_commit(&file, diags);
}
