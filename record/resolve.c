#include "record/resolve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(struct arena *memory, char *text)
{
    const char *kept = arena_string_n(memory, text, strlen(text));
    free(text);
    return kept;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Calls that the MPI library's own bindings make stand in the program one frame further out. */
static bool is_library(const char *path)
{
    const char *name = base_name(path);
    return strncmp(name, "libmpi", 6) == 0 || strncmp(name, "libc.so", 7) == 0;
}

static const struct site_frame *own_frame(const struct site_table *table, const struct recorded_site *site)
{
    for (int i = 0; i < site->n; i++)
        if (site->frames[i].module >= 0 && !is_library(table->modules[site->frames[i].module].path))
            return &site->frames[i];
    return site->n > 0 ? &site->frames[0] : NULL;
}

static const char *plain_place(const struct site_table *table, const struct site_frame *frame, struct arena *memory)
{
    return frame->module < 0
               ? keep(memory, alloc_format("0x%" PRIx64, frame->offset))
               : keep(memory, alloc_format("%s+0x%" PRIx64, base_name(table->modules[frame->module].path),
                                           frame->offset));
}

#ifdef PEVPM_HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdwfl.h>

/* A module's file, opened once. */
struct opened {
    Dwfl *dwfl;
    Dwfl_Module *module;
    GElf_Addr bias;
    bool lines;
};

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
                                         .section_address = dwfl_offline_section_address};

static bool same_build(Dwfl_Module *module, const char *expected)
{
    const unsigned char *bits;
    GElf_Addr at;
    char text[2 * 64 + 1] = "-";
    int n = dwfl_module_build_id(module, &bits, &at);
    for (int i = 0; i < n && i < 64; i++)
        snprintf(text + 2 * i, 3, "%02x", bits[i]);
    return strcmp(text, expected) == 0;
}

static struct opened open_module(const struct recorded_module *recorded, struct diags *diags)
{
    struct opened opened = {.dwfl = dwfl_begin(&callbacks)};
    Dwarf_Addr bias;
    if (!opened.dwfl)
        return opened;
    dwfl_report_begin(opened.dwfl);
    opened.module = dwfl_report_offline(opened.dwfl, recorded->path, recorded->path, -1);
    dwfl_report_end(opened.dwfl, NULL, NULL);
    if (opened.module && !dwfl_module_getelf(opened.module, &opened.bias))
        opened.module = NULL;
    if (opened.module && !same_build(opened.module, recorded->build_id))
        opened.module = NULL;
    if (!opened.module)
        diag_note(diags, place_of_file(recorded->path),
                  "the file is not there any more as it was recorded (build-id %s): "
                  "places in it are offsets", recorded->build_id);
    else if (!dwfl_module_getdwarf(opened.module, &bias) && !is_library(recorded->path))
        diag_note(diags, place_of_file(recorded->path),
                  "no line numbers: compile with -g to see them; places in it are "
                  "symbols and offsets");
    return opened;
}

enum { SCOPES_DEEPEST = 64 };

/* Below a unit or a module, the scopes that an address is in, the outermost first, behind n of them; returns how many there are then.
 * dwarf_getscopes does not look into Fortran's modules. */
static int find_scopes(Dwarf_Die *around, Dwarf_Addr address, int n, Dwarf_Die scopes[SCOPES_DEEPEST])
{
    Dwarf_Die child;
    for (int more = dwarf_child(around, &child); more == 0 && n < SCOPES_DEEPEST; more = dwarf_siblingof(&child, &child)) {
        int found = n;
        if (dwarf_tag(&child) == DW_TAG_module) {
            found = find_scopes(&child, address, n, scopes);
        } else if (dwarf_haspc(&child, address) > 0) {
            scopes[n] = child;
            found = find_scopes(&child, address, n + 1, scopes);
        }
        if (found > n)
            return found;
    }
    return n;
}

/* Those of a procedure of a module, the innermost first, as dwarf_getscopes_die has them; *scopes is to be freed. Returns how many. */
static int scopes_in_module(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes)
{
    Dwarf_Die found[SCOPES_DEEPEST];
    const int n = find_scopes(unit, address, 0, found);
    *scopes = n > 0 ? alloc_array((size_t)n, sizeof **scopes) : NULL;
    for (int i = 0; i < n; i++)
        (*scopes)[i] = found[n - 1 - i];
    return n;
}

/* The function whose code this is, one that was put in line too. */
static const char *function_name(const struct opened *opened, GElf_Addr address)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(opened->module, address, &bias), *scopes = NULL;
    const char *name = NULL;
    int n = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    if (unit && n <= 1) { /* the unit alone */
        free(scopes);
        n = scopes_in_module(unit, address - bias, &scopes);
    }
    for (int i = 0; i < n && !name; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            name = dwarf_diename(&scopes[i]);
    }
    free(scopes);
    return name ? name : dwfl_module_addrname(opened->module, address);
}

/* *lined: it is a line of the source. */
static const char *module_place(const struct opened *opened, const struct site_frame *frame, struct arena *memory, bool *lined)
{
    GElf_Addr address = frame->offset + opened->bias;
    Dwfl_Line *line = dwfl_module_getsrc(opened->module, address);
    const char *name = function_name(opened, address), *file = NULL;
    int number = 0;
    if (line)
        file = dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL);
    *lined = file != NULL;
    if (file)
        return keep(memory, alloc_format("%s:%d%s%s", base_name(file), number, name ? ", in " : "", name ? name : ""));
    GElf_Sym symbol;
    GElf_Off offset;
    name = dwfl_module_addrinfo(opened->module, address, &offset, &symbol, NULL, NULL, NULL);
    return name ? keep(memory, alloc_format("%s+0x%" PRIx64, name, (uint64_t)offset)) : NULL;
}

/* opened [table->n_modules] */
static const char *frame_place(const struct site_table *table, const struct site_frame *frame, struct opened opened[],
                               struct arena *memory, struct diags *diags, bool *lined)
{
    struct opened *of = frame->module < 0 ? NULL : &opened[frame->module];
    *lined = false;
    if (of && !of->dwfl)
        *of = open_module(&table->modules[frame->module], diags);
    const char *place = of && of->module ? module_place(of, frame, memory, lined) : NULL;
    return place ? place : plain_place(table, frame, memory);
}

/* Where the program called the library without lines that `frame` of a site is in; NULL: that is not known either. */
static const char *caller_place(const struct site_table *table, const struct recorded_site *site, const struct site_frame *frame,
                                struct opened opened[], struct arena *memory, struct diags *diags)
{
    const int library = frame->module;
    for (const struct site_frame *at = frame + 1; at < site->frames + site->n; at++) {
        bool lined;
        if (at->module < 0 || at->module == library || is_library(table->modules[at->module].path))
            continue;
        const char *place = frame_place(table, at, opened, memory, diags, &lined);
        if (lined)
            return place;
    }
    return NULL;
}

const char **resolve_sites(const struct site_table *table, struct arena *memory, struct diags *diags)
{
    const char **where = arena_alloc(memory, (size_t)table->n, sizeof *where);
    struct opened *opened = alloc_zeroed((size_t)table->n_modules + 1, sizeof *opened);
    for (int i = 0; i < table->n; i++) {
        const struct site_frame *frame = own_frame(table, &table->sites[i]);
        bool lined;
        if (!frame)
            continue;
        where[i] = frame_place(table, frame, opened, memory, diags, &lined);
        const char *caller = lined ? NULL : caller_place(table, &table->sites[i], frame, opened, memory, diags);
        if (caller)
            where[i] = keep(memory, alloc_format("%s, called at %s", where[i], caller));
    }
    for (int i = 0; i < table->n_modules; i++)
        if (opened[i].dwfl)
            dwfl_end(opened[i].dwfl);
    free(opened);
    return where;
}

enum { INLINED_DEEPEST = 16 }; /* frames of one address */

/* The place of an attribute pair of an inlined call: where it stands in the function around it. */
static void call_place(Dwarf_Die *inlined, Dwarf_Files *files, struct resolved_frame *frame, struct arena *memory)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) == 0)
        frame->line = (int)line;
    if (files && dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) == 0) {
        const char *name = dwarf_filesrc(files, file, NULL, NULL);
        frame->file = name ? arena_string_n(memory, name, strlen(name)) : NULL;
    }
}

/* Of the definition, where that stands elsewhere than the declaration. */
static void definition_place(Dwarf_Die *function, struct resolved_frame *frame, struct arena *memory)
{
    const char *name = dwarf_decl_file(function);
    int line;
    if (name && dwarf_decl_line(function, &line) == 0) {
        frame->declared_in = arena_string_n(memory, name, strlen(name));
        frame->declared = line;
    }
}

/* The last line of the code before an address that is another one; 0: there is none nearby. */
static int line_before(const struct opened *opened, GElf_Addr address, int line)
{
    enum { STEPS_MOST = 50 };
    for (int i = 0; i < STEPS_MOST; i++) {
        Dwarf_Addr begin;
        int number;
        Dwfl_Line *at = dwfl_module_getsrc(opened->module, address);
        if (!at || !dwfl_lineinfo(at, &begin, &number, NULL, NULL, NULL) || begin == 0 || begin > address)
            return 0;
        if (number != line && number > 0)
            return number;
        address = begin - 1;
    }
    return 0;
}

/* The functions around an address, the innermost first. Returns how many. */
static int frames_at(const struct opened *opened, uint64_t offset, struct resolved_frame frames[INLINED_DEEPEST],
                     struct arena *memory)
{
    GElf_Addr address = offset + opened->bias;
    Dwfl_Line *line = dwfl_module_getsrc(opened->module, address);
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(opened->module, address, &bias), *inner = NULL, *scopes = NULL;
    Dwarf_Files *files = NULL;
    /* what was put in line has the scopes of its own definition behind it: its callers are found by nesting */
    int n = 0, n_scopes = unit && dwarf_getscopes(unit, address - bias, &inner) > 0
                              ? dwarf_getscopes_die(&inner[0], &scopes) : 0;
    if (unit && n_scopes <= 1) { /* the unit alone */
        free(scopes);
        n_scopes = scopes_in_module(unit, address - bias, &scopes);
    }
    const char *file = line ? dwfl_lineinfo(line, NULL, &frames[0].line, NULL, NULL, NULL) : NULL;
    frames[0].file = file ? arena_string_n(memory, file, strlen(file)) : NULL;
    if (unit)
        dwarf_getsrcfiles(unit, &files, NULL);
    for (int i = 0; i < n_scopes && n < INLINED_DEEPEST; i++) {
        int tag = dwarf_tag(&scopes[i]);
        const char *name = dwarf_diename(&scopes[i]);
        if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
            continue;
        definition_place(&scopes[i], &frames[n], memory);
        frames[n++].function = name ? arena_string_n(memory, name, strlen(name)) : "";
        if (tag == DW_TAG_subprogram || n == INLINED_DEEPEST)
            break;
        call_place(&scopes[i], files, &frames[n], memory);
    }
    free(inner);
    free(scopes);
    if (n == 0) { /* code as _start, which has the line before, has no line */
        const char *name = dwfl_module_addrname(opened->module, address);
        bool named = line && name && strcmp(name, "_start") != 0;
        frames[0] = named ? (struct resolved_frame){.file = frames[0].file, .line = frames[0].line,
                                                    .function = arena_string_n(memory, name, strlen(name))}
                          : (struct resolved_frame){.function = ""};
        return 1;
    }
    if (frames[0].line == frames[0].declared)
        frames[0].before = line_before(opened, address, frames[0].line);
    return n;
}

static void add_frames(struct resolved_path *path, const struct opened *opened, const struct site_frame *frame,
                       struct arena *memory)
{
    struct resolved_frame frames[INLINED_DEEPEST] = {0};
    int n = frames_at(opened, frame->offset, frames, memory);
    struct resolved_frame *all = arena_alloc(memory, (size_t)(path->n + n), sizeof *all);
    if (path->n > 0)
        memcpy(all, path->frames, (size_t)path->n * sizeof *all);
    memcpy(all + path->n, frames, (size_t)n * sizeof *all);
    path->frames = all;
    path->n += n;
}

struct resolved_path *resolve_paths(const struct site_table *table, struct arena *memory, struct diags *diags)
{
    struct resolved_path *paths = arena_alloc(memory, (size_t)table->n, sizeof *paths);
    struct opened *opened = alloc_zeroed((size_t)table->n_modules + 1, sizeof *opened);
    for (int i = 0; i < table->n; i++)
        for (int k = 0; k < table->sites[i].n; k++) {
            const struct site_frame *frame = &table->sites[i].frames[k];
            struct opened *of = frame->module < 0 ? NULL : &opened[frame->module];
            if (!of || is_library(table->modules[frame->module].path))
                continue;
            if (!of->dwfl)
                *of = open_module(&table->modules[frame->module], diags);
            if (of->module)
                add_frames(&paths[i], of, frame, memory);
        }
    for (int i = 0; i < table->n_modules; i++)
        if (opened[i].dwfl)
            dwfl_end(opened[i].dwfl);
    free(opened);
    return paths;
}

#else

struct resolved_path *resolve_paths(const struct site_table *table, struct arena *memory, struct diags *diags)
{
    diag_note(diags, place_of_file(NULL), "this program was built without elfutils: lines of the source are not known");
    return arena_alloc(memory, (size_t)table->n, sizeof(struct resolved_path));
}

const char **resolve_sites(const struct site_table *table, struct arena *memory, struct diags *diags)
{
    const char **where = arena_alloc(memory, (size_t)table->n, sizeof *where);
    diag_note(diags, place_of_file(NULL), "this pevpm-record was built without elfutils: places are offsets in files");
    for (int i = 0; i < table->n; i++) {
        const struct site_frame *frame = own_frame(table, &table->sites[i]);
        where[i] = frame ? plain_place(table, frame, memory) : NULL;
    }
    return where;
}

#endif
