#include "directives/program_files.h"

#include "common/alloc.h"
#include "directives/directive.h"
#include "directives/files/compile_commands.h"
#include "directives/files/include.h"
#include "host/facts.h"
#include "host/flags.h"
#include "host/libclang.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Folders within folders, and files: a person's program has fewer; bounds what a wrong path costs. */
enum { FOLDERS_DEEPEST = 32, FILES_MOST = 20000 };

struct reader {
    struct source *first, **tail;
    size_t n, capacity;
    struct identity {
        dev_t device;
        ino_t file;
    } *seen;                 /* [n] files that have been read */
    size_t found;            /* files that were named, or found in folders */
    const struct compile_command *given; /* flags of all files; NULL: none */
    struct diags *diags;
};

static enum status refuse(struct reader *r, const char *path, const char *problem)
{
    diag_error(r->diags, place_of_file(path), "%s", problem);
    return STATUS_SCHEMA;
}

static bool is_new(struct reader *r, const char *path)
{
    struct stat there;
    if (strcmp(path, "-") == 0 || stat(path, &there) != 0)
        return true; /* reading it will say so */
    for (size_t i = 0; i < r->n; i++)
        if (r->seen[i].device == there.st_dev && r->seen[i].file == there.st_ino)
            return false;
    r->seen = alloc_grow(r->seen, r->n, &r->capacity, sizeof *r->seen);
    r->seen[r->n++] = (struct identity){there.st_dev, there.st_ino};
    return true;
}

static bool is_folder(const char *path)
{
    struct stat there;
    return strcmp(path, "-") != 0 && stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

static bool is_commands(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".json") == 0;
}

/* The languages of programs, as a folder's files are chosen. */
static bool is_program_source(const char *path)
{
    enum host host;
    return source_host_of_name(path, &host) && (host == HOST_C || host == HOST_FORTRAN_FREE ||
                                                host == HOST_FORTRAN_FIXED || host == HOST_STANDALONE);
}

/* Asks a compiler for the constants of a file with directives, where its flags are known. given: by the user, who is told
 * where there is no such compiler. */
static void read_facts(struct reader *r, struct source *source, bool given)
{
    if (source->host != HOST_C || !source->flags || (!given && !libclang_built()) || strcmp(source->name, "-") == 0 ||
        memmem(source->text, source->length, "PEVPM", 5) == NULL)
        return;
    size_t n = 0, capacity = 0;
    const char **headers = NULL;
    for (const struct source *header = source->included; header; header = header->next) {
        headers = alloc_grow(headers, n, &capacity, sizeof *headers);
        headers[n++] = header->name;
    }
    source->facts = facts_read(source->name, source->text, source->length, source->flags, n, headers, r->diags);
    free(headers);
}

static bool is_header(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".h") == 0 || strcasecmp(dot, ".hpp") == 0);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A file of the program that includes a header, and of which a compiler's flags are known; NULL: none does. */
static const struct source *includer_of(const struct reader *r, const struct source *header)
{
    for (const struct source *file = r->first; file; file = file->next)
        for (const struct source *included = file->included; included && file->flags && !is_header(file->name);
             included = included->next)
            if (is_same_file(included->name, header->name))
                return file;
    return NULL;
}

/* A header is compiled as a part of the files that include it: with their flags, and as C++ where they are that. */
static void read_headers(struct reader *r)
{
    for (struct source *file = r->first; file; file = file->next) {
        if (file->host != HOST_C || !is_header(file->name) || file->facts || (r->given && !file->flags))
            continue;
        const struct source *by = includer_of(r, file);
        if (by) {
            free(file->flags);
            file->flags = alloc_format("%s%s", by->flags, flags_say_cpp(by->name, by->flags) ? " -x c++" : "");
        }
        read_facts(r, file, r->given != NULL);
    }
}

/* command: its flags, NULL: none are known. */
static enum status read_file(struct reader *r, const char *path, const struct compile_command *command)
{
    r->found++;
    command = command ? command : r->given;
    if (!is_new(r, path))
        return STATUS_OK;
    struct source *source;
    enum status status = source_read(&source, path, r->diags);
    if (status != STATUS_OK)
        return status;
    if (command && *command->definitions) {
        char *name = alloc_format("flags of %s", path);
        source->included = source_from_text(name, command->definitions, strlen(command->definitions));
        source->included->host = source->host;
        free(name);
    }
    if (strcmp(path, "-") != 0)
        include_read(source, command ? command->n_folders : 0, command ? command->folders : NULL);
    source->flags = command && !command->joined ? alloc_string(command->flags) : NULL;
    if (!is_header(path) || command != r->given)
        read_facts(r, source, command == r->given);
    *r->tail = source;
    r->tail = &source->next;
    return STATUS_OK;
}

static int is_visible(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

static enum status read_folder(struct reader *r, const char *path, int depth)
{
    struct dirent **entries;
    int n = scandir(path, &entries, is_visible, alphasort);
    if (n < 0) {
        diag_error(r->diags, place_of_file(path), "cannot open: %s", strerror(errno));
        return STATUS_IO;
    }
    enum status status = STATUS_OK;
    for (int i = 0; i < n; i++) {
        struct stat there;
        const char *entry = entries[i]->d_name;
        char *name = strcmp(path, ".") == 0 ? alloc_string(entry) : alloc_format("%s/%s", path, entry);
        bool link = lstat(name, &there) == 0 && S_ISLNK(there.st_mode);
        enum status next = STATUS_OK;
        if (r->n > FILES_MOST)
            next = status == STATUS_OK ? refuse(r, path, "a program of more than 20,000 files") : STATUS_SCHEMA;
        else if (is_folder(name) && !link && depth < FOLDERS_DEEPEST)
            next = read_folder(r, name, depth + 1);
        else if (!is_folder(name) && is_program_source(name))
            next = read_file(r, name, NULL);
        status = status == STATUS_OK ? next : status;
        free(name);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static enum status read_commands(struct reader *r, const char *path)
{
    struct source *text;
    struct compile_commands commands;
    enum status status = source_read(&text, path, r->diags);
    if (status != STATUS_OK)
        return status;
    status = compile_commands_read(&commands, text, r->diags);
    for (size_t i = 0; i < commands.n && status == STATUS_OK; i++)
        if (is_program_source(commands.list[i].file))
            status = read_file(r, commands.list[i].file, &commands.list[i]);
    compile_commands_free(&commands);
    source_destroy(text);
    return status;
}

static enum status read_path(struct reader *r, const char *path)
{
    size_t before = r->found;
    enum status status;
    bool folder = is_folder(path), commands = !folder && is_commands(path);
    size_t n = strlen(path);
    while (folder && n > 1 && path[n - 1] == '/')
        n--;
    char *plain = alloc_string_n(path, n);
    status = folder ? read_folder(r, plain, 0) : commands ? read_commands(r, path) : read_file(r, path, NULL);
    free(plain);
    if (status == STATUS_OK && r->found == before)
        status = refuse(r, path, folder ? "there is no C, C++, Fortran or .pevpm file in this folder"
                                        : "it names no C, C++ or Fortran file");
    return status;
}

/* What several files are called together: as the command line names them. */
static char *name_together(size_t n, const char *const paths[])
{
    char *name = NULL;
    size_t length;
    FILE *out = open_memstream(&name, &length);
    for (size_t i = 0; out && i < n; i++) {
        size_t end = strlen(paths[i]);
        while (end > 1 && paths[i][end - 1] == '/')
            end--;
        fprintf(out, "%s%.*s", i > 0 ? " " : "", (int)end, paths[i]);
    }
    if (out)
        fclose(out);
    return name;
}

/* A header's directives are read where it is a file of the program. */
static void warn_of_headers(struct reader *r)
{
    for (const struct source *file = r->first; file; file = file->next)
        for (const struct source *header = file->included; header; header = header->next) {
            struct directives directives;
            struct diags unsaid = DIAGS_EMPTY;
            bool unread = memmem(header->text, header->length, "PEVPM", 5) != NULL;
            (void)directives_find(&directives, header, &unsaid);
            if (unread && directives.n > 0 && is_new(r, header->name))
                diag_warning(r->diags, piece_place(header, directives.pieces, directives.pieces->begin, 1),
                             "directives in a file that %s includes are not read: name it as a file of the program",
                             file->name);
            directives_free(&directives);
            diags_free(&unsaid);
        }
}

enum status program_files_read(struct source **program, size_t n, const char *const paths[], const char *flags,
                               struct diags *diags)
{
    struct compile_command given;
    struct reader r = {.diags = diags, .given = flags ? &given : NULL};
    if (flags)
        compile_flags_read(&given, flags);
    enum status status = STATUS_OK;
    assert(n >= 1);
    r.tail = &r.first;
    for (size_t i = 0; i < n; i++) {
        enum status next = read_path(&r, paths[i]);
        status = status == STATUS_OK ? next : status;
    }
    if (status == STATUS_OK) {
        read_headers(&r);
        if (r.first->next || is_folder(paths[0]) || is_commands(paths[0]))
            r.first->program = name_together(n, paths);
        warn_of_headers(&r);
        *program = r.first;
    } else {
        source_destroy(r.first);
    }
    if (flags)
        compile_command_free(&given);
    free(r.seen);
    return status;
}

/* ---- as bytes ---- */

static void put_text(FILE *out, const char *text, size_t n)
{
    uint64_t length = text ? n : UINT64_MAX;
    fwrite(&length, sizeof length, 1, out);
    if (text)
        fwrite(text, 1, n, out);
}

/* A list: the number of its files, then each. */
static void put_list(FILE *out, const struct source *list)
{
    uint64_t n = 0;
    for (const struct source *file = list; file; file = file->next)
        n++;
    fwrite(&n, sizeof n, 1, out);
    for (const struct source *file = list; file; file = file->next) {
        uint64_t host = file->host;
        put_text(out, file->name, strlen(file->name));
        put_text(out, file->program, file->program ? strlen(file->program) : 0);
        put_text(out, file->text, file->length);
        put_text(out, file->facts, file->facts ? strlen(file->facts) : 0);
        fwrite(&host, sizeof host, 1, out);
        put_list(out, file->included);
    }
}

char *program_files_pack(const struct source *program, size_t *n)
{
    char *bytes = NULL;
    *n = 0;
    FILE *out = open_memstream(&bytes, n);
    if (out) {
        put_list(out, program);
        fclose(out);
    }
    return bytes;
}

static uint64_t take_number(const char **bytes)
{
    uint64_t number;
    memcpy(&number, *bytes, sizeof number);
    *bytes += sizeof number;
    return number;
}

/* Allocated; NULL: there was none. */
static char *take_text(const char **bytes, size_t *n)
{
    uint64_t length = take_number(bytes);
    if (length == UINT64_MAX)
        return NULL;
    char *text = alloc_array((size_t)length + 1, 1);
    memcpy(text, *bytes, (size_t)length);
    text[length] = '\0';
    *bytes += length;
    *n = (size_t)length;
    return text;
}

static struct source *take_list(const char **bytes)
{
    struct source *first = NULL, **tail = &first;
    for (uint64_t n = take_number(bytes); n > 0; n--) {
        size_t length = 0;
        char *name = take_text(bytes, &length), *program = take_text(bytes, &length);
        char *text = take_text(bytes, &length);
        struct source *file = *tail = source_from_text(name, text, length);
        file->facts = take_text(bytes, &length);
        file->program = program;
        file->host = (enum host)take_number(bytes);
        file->included = take_list(bytes);
        tail = &file->next;
        free(name);
        free(text);
    }
    return first;
}

struct source *program_files_unpack(const char *bytes)
{
    return take_list(&bytes);
}
