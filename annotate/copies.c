#include "annotate/copies.h"

#include "common/alloc.h"
#include "common/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static enum status refuse(const char *path, const char *problem, struct diags *diags)
{
    diag_error(diags, place_of_file(path), "%s", problem);
    return STATUS_IO;
}

/* The folders of a path. *made: how many bytes of it name the first one that was not there; 0: all were. */
static enum status make_folders(const char *path, size_t *made, struct diags *diags)
{
    char *part = alloc_string(path);
    enum status status = STATUS_OK;
    *made = 0;
    for (char *slash = strchr(part + 1, '/'); slash && status == STATUS_OK; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) == 0)
            *made = *made > 0 ? *made : strlen(part);
        else if (errno != EEXIST)
            status = refuse(part, strerror(errno), diags);
        *slash = '/';
    }
    free(part);
    return status;
}

/* Those that were made, as far as nothing is in them. */
static void remove_folders(const char *path, size_t made)
{
    char *part = alloc_string(path);
    for (char *slash = strrchr(part, '/'); made > 0 && slash && (size_t)(slash - part) >= made; slash = strrchr(part, '/')) {
        *slash = '\0';
        rmdir(part);
    }
    free(part);
}

/* Where it fails no folder of it is left that was not there; *made as of make_folders. */
static enum status write_file(const char *path, const char *text, size_t *made, struct diags *diags)
{
    enum status status = make_folders(path, made, diags);
    if (status == STATUS_OK)
        status = outfile_store(path, text, diags);
    if (status != STATUS_OK)
        remove_folders(path, *made);
    return status;
}

/* A copy and what is kept of it: a new copy does not stay alone, or the next one would take it for somebody else's. */
static enum status write_both(const char *path, const char *text, const char *base, const char *written, bool is_new,
                              struct diags *diags)
{
    size_t made, made_of_base;
    enum status status = write_file(path, text, &made, diags);
    if (status != STATUS_OK)
        return status;
    status = write_file(base, written, &made_of_base, diags);
    if (status != STATUS_OK && is_new) {
        unlink(path);
        remove_folders(path, made);
    }
    return status;
}

/* All of a stream; allocated. */
static char *read_stream(FILE *in)
{
    char *text = NULL, buffer[1 << 14];
    size_t length, n;
    FILE *out = open_memstream(&text, &length);
    while ((n = fread(buffer, 1, sizeof buffer, in)) > 0)
        fwrite(buffer, 1, n, out);
    fclose(out);
    return text;
}

/* NULL: there is none. */
static char *read_file(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = in ? read_stream(in) : NULL;
    if (in)
        fclose(in);
    return text;
}

/* A word for the shell. */
static char *quote(const char *word)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    putc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
    fclose(out);
    return text;
}

/* A temporary file with this text. NULL: it could not be written. */
static char *keep_text(const char *text)
{
    char *path = alloc_string("/tmp/pevpm-annotate-XXXXXX");
    int file = mkstemp(path);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (out && fputs(text, out) >= 0 && fclose(out) == 0)
        return path;
    free(path);
    return NULL;
}

/* What a shell command prints; *code: how it ended. */
static char *output_of(const char *command, int *code)
{
    FILE *in = popen(command, "r");
    char *text = in ? read_stream(in) : NULL;
    int ended = in ? pclose(in) : -1;
    *code = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return text;
}

/* Of what diff3 could not merge, the first side: "<<<<<<< mine ... ||||||| ... ======= ... >>>>>>> new". In place. */
static void take_mine(char *text)
{
    enum { BOTH, MINE, OTHER } side = BOTH;
    char *to = text;
    for (char *line = text, *next; *line; line = next) {
        next = strchr(line, '\n');
        next = next ? next + 1 : line + strlen(line);
        size_t n = (size_t)(next - line);
        if (side == BOTH && strncmp(line, "<<<<<<< ", 8) == 0) {
            side = MINE;
        } else if (side == MINE && (strncmp(line, "||||||| ", 8) == 0 || strncmp(line, "=======", 7) == 0)) {
            side = OTHER;
        } else if (side == OTHER && strncmp(line, ">>>>>>> ", 8) == 0) {
            side = BOTH;
        } else if (side != OTHER) {
            memmove(to, line, n);
            to += n;
        }
    }
    *to = '\0';
}

/* NULL: diff3 failed. */
static char *merge(const char *mine, const char *base, const char *text)
{
    char *fresh = keep_text(text), *a = quote(mine), *b = quote(base);
    char *command = fresh ? alloc_format("diff3 -m %s %s %s", a, b, fresh) : NULL;
    int code = -1;
    char *merged = command ? output_of(command, &code) : NULL;
    if (code != 0 && code != 1) {
        free(merged);
        merged = NULL;
    }
    if (merged)
        take_mine(merged);
    if (fresh)
        unlink(fresh);
    free(fresh);
    free(command);
    free(a);
    free(b);
    return merged;
}

enum status copy_write(const char *folder, const char *name, const char *text, bool *kept, struct diags *diags)
{
    char *path = alloc_format("%s/%s", folder, name), *base = alloc_format("%s/.pevpm-annotate/%s", folder, name);
    char *mine = read_file(path), *before = read_file(base), *merged = NULL;
    enum status status = STATUS_OK;
    *kept = false;
    if (mine && !before)
        status = refuse(path, "this file is not from pevpm-annotate: it is not overwritten", diags);
    else if (mine && strcmp(mine, before) != 0) {
        *kept = true;
        merged = merge(path, base, text);
        if (!merged)
            status = refuse(path, "diff3 could not merge what is new with what was changed by hand", diags);
    }
    if (status == STATUS_OK)
        status = write_both(path, merged ? merged : text, base, text, !mine, diags);
    free(merged);
    free(mine);
    free(before);
    free(path);
    free(base);
    return status;
}

enum status copy_diff(const char *path, const char *label, const char *text, struct diags *diags)
{
    char *fresh = keep_text(text), *a = quote(path), *b = quote(label);
    if (!fresh)
        return refuse("/tmp", strerror(errno), diags);
    char *command = alloc_format("diff -u --label %s --label %s %s %s", a, b, a, fresh);
    int code;
    char *said = output_of(command, &code);
    if (said)
        fputs(said, stdout);
    unlink(fresh);
    free(said);
    free(command);
    free(fresh);
    free(a);
    free(b);
    return code == 0 || code == 1 ? STATUS_OK : refuse(path, "diff failed", diags);
}
