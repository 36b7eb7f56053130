/* What messages wait for, in format 2. */
#include "models/machine/write_impl.h"

static const char *const scope_names[] = {
#define X(name, sharers) #name,
    RESOURCE_SCOPE_LIST(X)
#undef X
};

static const char *const direction_names[] = {
#define X(name, messages) #name,
    RESOURCE_DIRECTION_LIST(X)
#undef X
};

/* [NAME, ...] */
static void write_group_names(FILE *out, const struct machine *machine, size_t n, const size_t groups[])
{
    fputc('[', out);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", out);
        write_text(out, machine->groups[groups[i]].name);
    }
    fputc(']', out);
}

void write_topology(FILE *out, const struct machine *machine)
{
    if (!machine->hosts && machine->n_groups == 0)
        return;
    fputs("topology:\n", out);
    if (machine->hosts) {
        fputs("  hosts: ", out);
        write_text(out, machine->hosts);
        fputc('\n', out);
    }
    if (machine->n_groups > 0)
        fputs("  groups:\n", out);
    for (size_t i = 0; i < machine->n_groups; i++) {
        const struct machine_group *group = &machine->groups[i];
        fputs("    ", out);
        write_text(out, group->name);
        fputs(": ", out);
        if (group->text)
            write_text(out, group->text);
        else
            write_group_names(out, machine, group->n_groups, group->groups);
        fputc('\n', out);
    }
}

static void write_resource_curves(const struct writer *w, const struct machine_resource *resource)
{
    const struct {
        const char *name;
        const struct machine_curve *curve;
    } curves[] = {
#define X(name) {#name, &resource->name},
        RESOURCE_CURVE_LIST(X)
#undef X
    };
    if (resource->demand.n == 0)
        fputs("    demand: [[0, 0]]\n", w->out);
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        if (curves[i].curve->n == 0)
            continue;
        fprintf(w->out, "    %s: ", curves[i].name);
        write_fitted_curve(w, curves[i].curve, write_number);
        fputc('\n', w->out);
    }
}

static void write_resource(const struct writer *w, const struct machine *machine,
                           const struct machine_resource *resource)
{
    FILE *out = w->out;
    fprintf(out, "  - scope: %s\n", scope_names[resource->scope]);
    if (resource->scope != RESOURCE_OF_all)
        fprintf(out, "    direction: %s\n", direction_names[resource->direction]);
    if (resource->transport != TRANSPORT_network)
        fprintf(out, "    transport: %s\n", transport_name(resource->transport));
    if (resource->of || resource->n_groups > 0)
        fputs("    of: ", out);
    if (resource->of)
        write_text(out, resource->of);
    else if (resource->n_groups > 0)
        write_group_names(out, machine, resource->n_groups, resource->groups);
    if (resource->of || resource->n_groups > 0)
        fputc('\n', out);
    write_resource_curves(w, resource);
    if (resource->credit > 0) {
        fputs("    credit: ", out);
        write_fitted(w, &resource->credit);
        fputc('\n', out);
    }
    if (resource->frame > 0)
        fprintf(out, "    frame: %.0f\n", resource->frame);
    if (resource->window > 0)
        fprintf(out, "    window: %.0f\n", resource->window);
    if (resource->rails > 1)
        fprintf(out, "    rails: %d\n", resource->rails);
    if (resource->has_overflow) {
        fputs("    buffer: ", out);
        write_fitted(w, &resource->buffer);
        fputs("\n    overflow: ", out);
        write_distribution(w, &resource->overflow);
        fputc('\n', out);
    }
    if (resource->wake.n > 0) {
        fputs("    wake: ", out);
        write_fitted_curve(w, &resource->wake, write_time);
        fputc('\n', out);
    }
}

static const char *const congestion_names[] = {
#define X(name) #name,
    CONGESTION_LIST(X)
#undef X
};

static void write_handshakes(const struct writer *w, const struct machine *machine)
{
    fprintf(w->out, "handshakes: {known: %.6g, known_after_rest: %.6g", machine->known, machine->known_after_rest);
    for (size_t i = 0; i < machine->known_after_wait.n; i++) {
        fputs(i == 0 ? ", known_after_wait: [[" : ", [", w->out);
        write_time(w->out, machine->known_after_wait.bytes[i]);
        fprintf(w->out, ", %.6g]", machine->known_after_wait.time[i]);
    }
    fputs(machine->known_after_wait.n > 0 ? "]}\n" : "}\n", w->out);
}

void write_resources(const struct writer *w, const struct machine *machine)
{
    if (machine->n_resources > 0)
        fputs("resources:\n", w->out);
    for (size_t i = 0; i < machine->n_resources; i++)
        write_resource(w, machine, &machine->resources[i]);
    if (machine->has_handshakes)
        write_handshakes(w, machine);
    if (machine->send_buffer.n > 0) {
        fputs("send_buffer: ", w->out);
        write_curve(w->out, &machine->send_buffer, CURVE_NUMBERS);
        fputc('\n', w->out);
    }
    if (machine->has_congestion)
        fprintf(w->out, "congestion: %s\n", congestion_names[machine->congestion]);
    if (machine->version < 2 || machine->rest_delay.n == 0)
        return;
    fputs("rests:\n  measured_after: ", w->out);
    write_time(w->out, machine->measured_after);
    fputs("\n  delay: ", w->out);
    write_fitted_curve(w, &machine->rest_delay, write_time);
    fputc('\n', w->out);
}
