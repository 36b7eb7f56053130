#include "directives/files/include.h"

#include "common/alloc.h"
#include "directives/comment.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

struct including {
    struct source *of;
    size_t n_folders;
    char *const *folders;
    struct source **tail;
    size_t n, capacity;
    struct identity {
        dev_t device;
        ino_t file;
    } *seen;                 /* [n] */
};

static bool is_new(struct including *in, const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return false;
    for (size_t i = 0; i < in->n; i++)
        if (in->seen[i].device == there.st_dev && in->seen[i].file == there.st_ino)
            return false;
    in->seen = alloc_grow(in->seen, in->n, &in->capacity, sizeof *in->seen);
    in->seen[in->n++] = (struct identity){there.st_dev, there.st_ino};
    return true;
}

static bool exists(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISREG(there.st_mode);
}

/* Where a name of n bytes is, as the file `from` includes it. Allocated; NULL: nowhere. */
static char *find(const struct including *in, const struct source *from, const char *name, size_t n)
{
    const char *slash = strrchr(from->name, '/');
    int folder = *name == '/' || !slash ? 0 : (int)(slash - from->name) + 1;
    char *path = alloc_format("%.*s%.*s", folder, from->name, (int)n, name);
    for (size_t i = 0; i < in->n_folders && !exists(path) && *name != '/'; i++) {
        free(path);
        path = alloc_format("%s/%.*s", in->folders[i], (int)n, name);
    }
    if (exists(path))
        return path;
    free(path);
    return NULL;
}

/* What these declare is known without them. */
static bool is_of_mpi(const char *name, size_t n)
{
    return (n == 5 && memcmp(name, "mpi.h", n) == 0) || (n == 6 && memcmp(name, "mpif.h", n) == 0);
}

static void add(struct including *in, const struct source *from, const char *name, size_t n)
{
    struct diags unread = DIAGS_EMPTY;
    struct source *header;
    char *path = find(in, from, name, n);
    if (!path && !in->of->missing.file && !is_of_mpi(name, n))
        in->of->missing = source_place(from, (size_t)(name - from->text), n);
    if (path && in->n < INCLUDED_MOST && is_new(in, path) && source_read(&header, path, &unread) == STATUS_OK) {
        header->host = in->of->host; /* whatever its name says: it becomes a part of the file */
        *in->tail = header;
        in->tail = &header->next;
    }
    diags_free(&unread);
    free(path);
}

static size_t skip_blanks(const char *text, size_t at, size_t end)
{
    while (at < end && (text[at] == ' ' || text[at] == '\t'))
        at++;
    return at;
}

/* [ "#" ] "include" ( '"' NAME '"' | "'" NAME "'" ) of a line; blank: the text without comments and strings. */
static void read_line(struct including *in, const struct source *from, const char *blank, size_t at, size_t end)
{
    static const char word[] = "include";
    size_t n = sizeof word - 1;
    bool c = from->host == HOST_C;
    at = skip_blanks(blank, at, end);
    bool marked = at < end && blank[at] == '#';
    at = marked ? skip_blanks(blank, at + 1, end) : at;
    if ((c && !marked) || end - at < n || strncasecmp(blank + at, word, n) != 0)
        return;
    size_t quote = skip_blanks(blank, at + n, end);
    char mark = quote < end ? from->text[quote] : '\0';
    if (mark != '"' && (c || mark != '\''))
        return;
    const char *name = from->text + quote + 1, *close = memchr(name, mark, end - quote - 1);
    if (close && close > name && memchr(name, '\0', (size_t)(close - name)) == NULL)
        add(in, from, name, (size_t)(close - name));
}

static void read_file(struct including *in, const struct source *from)
{
    char *blank = comment_blank(from);
    for (size_t line = 0; line < from->n_lines; line++)
        read_line(in, from, blank, from->line_start[line], source_line_end(from, line));
    free(blank);
}

void include_read(struct source *source, size_t n_folders, char *const folders[])
{
    if (source->host != HOST_C && source->host != HOST_FORTRAN_FREE && source->host != HOST_FORTRAN_FIXED)
        return;
    struct including in = {.of = source, .n_folders = n_folders, .folders = folders, .tail = &source->included};
    while (*in.tail)
        in.tail = &(*in.tail)->next;
    struct source **first = in.tail;
    (void)is_new(&in, source->name);
    read_file(&in, source);
    for (const struct source *header = *first; header; header = header->next)
        read_file(&in, header);
    free(in.seen);
}
