// SPDX-License-Identifier: MIT
#include "recorder/recorder.h"

#include <elf.h>
#include <inttypes.h>
#include <link.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that code was loaded from. */
struct module {
    uintptr_t base, start, end;
    char build_id[2 * 20 + 1];  /* "-": it has none */
    char path[1024];
    bool used;
    int number;
};

struct modules {
    int n;
    struct module list[256];
};

static void build_id(struct dl_phdr_info *info, const ElfW(Phdr) *header, char text[])
{
    const char *at = (const char *)(info->dlpi_addr + header->p_vaddr), *end = at + header->p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *name = at + sizeof *note, *value = name + ((note->n_namesz + 3U) & ~3U);
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
            note->n_descsz <= 20)
            for (unsigned i = 0; i < note->n_descsz; i++)
                sprintf(text + 2 * i, "%02x", (unsigned char)value[i]);
        at = value + ((note->n_descsz + 3U) & ~3U);
    }
}

static int see_module(struct dl_phdr_info *info, size_t size, void *argument)
{
    (void)size;
    struct modules *modules = argument;
    if (modules->n == sizeof modules->list / sizeof *modules->list)
        return 1;
    struct module *module = &modules->list[modules->n];
    *module = (struct module){.base = info->dlpi_addr, .start = UINTPTR_MAX, .build_id = "-"};
    snprintf(module->path, sizeof module->path, "%s", info->dlpi_name);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_NOTE)
            build_id(info, header, module->build_id);
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
            continue;
        module->start = start < module->start ? start : module->start;
        module->end = start + header->p_memsz > module->end ? start + header->p_memsz : module->end;
    }
    if (modules->n == 0 && module->path[0] == '\0') { /* the program itself comes first and has no name */
        ssize_t n = readlink("/proc/self/exe", module->path, sizeof module->path - 1);
        module->path[n > 0 ? n : 0] = '\0';
    }
    modules->n++;
    return 0;
}

static struct module *module_of(struct modules *modules, uintptr_t address)
{
    for (int i = 0; i < modules->n; i++)
        if (address >= modules->list[i].start && address < modules->list[i].end)
            return &modules->list[i];
    return NULL;
}

/* Frames below main (the C library's) and above (the Fortran bindings') are those of other modules than the program;
 * they are written too, as the reader knows better what to leave out. Addresses are the return address - 1, so that
 * they lie within the call. */
static void write_paths(const struct recorder *own, FILE *out)
{
    struct modules *modules = calloc(1, sizeof *modules);
    if (!modules)
        return;
    dl_iterate_phdr(see_module, modules);
    for (int pass = 0, number = 0; pass < 2; pass++)
        for (size_t i = 0; i < own->paths.n; i++) {
            const struct callpath *path = &own->paths.paths[i];
            if (pass == 1)
                fprintf(out, "path %zu", i);
            for (int k = 0; k < path->n; k++) {
                struct module *module = module_of(modules, path->address[k] - 1);
                if (pass == 0 && module && !module->used) {
                    module->used = true;
                    module->number = number++;
                    fprintf(out, "module %d %s %s\n", module->number, module->build_id, module->path);
                }
                if (pass == 1)
                    fprintf(out, " %d:%" PRIxPTR, module ? module->number : -1,
                            path->address[k] - 1 - (module ? module->base : 0));
            }
            if (pass == 1)
                putc('\n', out);
        }
    free(modules);
}

static void write_comms(const struct recorder *own, FILE *out)
{
    for (int i = 1; i < own->n_comms; i++) {
        const struct recorder_comm *comm = &own->comms[i];
        fprintf(out, "comm %d %d %d", comm->number, comm->parent, comm->rank);
        for (int k = 0; k < comm->size; k++)
            fprintf(out, " %d", comm->members[k]);
        putc('\n', out);
        if (!comm->near)
            continue;
        fprintf(out, "near %d %d", comm->number, comm->n_sources);
        for (int k = 0; k < comm->n_sources + comm->n_destinations; k++)
            fprintf(out, " %d", comm->near[k]);
        putc('\n', out);
    }
}

static void write_lists(const struct recorder *own, FILE *out)
{
    for (int i = 0; i < own->sets.n; i++) {
        const struct recorder_list *list = &own->sets.lists[i];
        fprintf(out, "list %d%s", i, list->all ? " all" : "");
        for (int k = 0; k < list->n; k++)
            fprintf(out, " %d:%d", list->pairs[k].path, list->pairs[k].ordinal);
        putc('\n', out);
    }
}

static void write_times(const struct fold_times *times, FILE *out)
{
    fprintf(out, " n %" PRIu64 " wall %.0f %.0f %.0f cpu %" PRIu64 " %.0f in %.0f size %.0f %.0f %.0f", times->n,
            times->wall, times->wall_least, times->wall_most, times->processor_n, times->processor, times->inside,
            times->bytes, times->bytes_least, times->bytes_most);
    if (times->bins) {
        fputs(" bins", out);
        for (int i = 0; i < FOLD_BINS; i++)
            if (times->bins[i] > 0)
                fprintf(out, " %d:%" PRIu32, i, times->bins[i]);
    }
    putc('\n', out);
}

static void write_nodes(const struct recorder *own, size_t n, const struct fold_node *nodes, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct fold_node *node = &nodes[i];
        if (node->trips > 0) {
            fprintf(out, "loop %" PRIu64 " %" PRIu64 "\n", node->trips, node->runs);
            write_nodes(own, node->n_body, node->body, out);
            fputs("next\n", out);
            continue;
        }
        const struct fold_call *call = &own->fold.symbols[node->symbol];
        fprintf(out, "%s %d %d %d %d %" PRId64 " %d %d %" PRId64 " %d", operation_name((enum operation)call->op),
                call->path, call->comm, call->peer, call->tag, call->bytes, call->sender ? call->sender : call->peer2,
                call->tag2, call->bytes2, call->list);
        write_times(&node->times, out);
    }
}

static void write_place(FILE *out)
{
    char host[256] = "?";
    cpu_set_t processors;
    gethostname(host, sizeof host - 1);
    int n = sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
    fprintf(out, "host %s\nprocessors %d\n", host, n);
}

void recorder_write(const struct recorder *own, FILE *out)
{
    fprintf(out, "rank %d %d\n", own->rank, own->size);
    write_place(out);
    fprintf(out, "clocks %.0f %.0f\nthreads %.0f\npolls %" PRIu64 "\nalike %d\nbins %d\n", own->wall_cost,
            own->processor_cost, own->threads > 0 ? own->threads : 0, own->polls,
            own->fold.level > FOLD_EXACT ? (int)own->fold.level : 0, FOLD_BINS_PER_OCTAVE);
    if (own->stopped)
        fprintf(out, "stopped %s\n", own->stopped);
    write_paths(own, out);
    write_comms(own, out);
    write_lists(own, out);
    write_nodes(own, own->fold.n, own->fold.nodes, out);
    fprintf(out, "done %d\n", own->rank);
}
