#include "directives/source.h"

#include "common/alloc.h"
#include "common/infile.h"
#include "common/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* No program text is longer; an int holds every line number and column of it. */
static const size_t SOURCE_BYTES = (size_t)1 << 30;

static const struct {
    const char *extension;
    enum host host;
} hosts[] = {
    {"c", HOST_C},
    {"h", HOST_C},
    {"cc", HOST_C},
    {"cpp", HOST_C},
    {"cxx", HOST_C},
    {"hpp", HOST_C},
    {"cu", HOST_C},
    {"f90", HOST_FORTRAN_FREE},
    {"f95", HOST_FORTRAN_FREE},
    {"f03", HOST_FORTRAN_FREE},
    {"f08", HOST_FORTRAN_FREE},
    {"f", HOST_FORTRAN_FIXED},
    {"for", HOST_FORTRAN_FIXED},
    {"ftn", HOST_FORTRAN_FIXED},
    {"py", HOST_PYTHON},
    {"sh", HOST_SHELL},
    {"yaml", HOST_YAML},
    {"yml", HOST_YAML},
    {"pevpm", HOST_STANDALONE},
};

const char *host_text(enum host host)
{
    static const char *const text_of[] = {
#define X(name, text) [HOST_##name] = text,
        HOST_LIST(X)
#undef X
    };
    return text_of[host];
}

bool source_host_of_name(const char *name, enum host *host)
{
    const char *slash = strrchr(name, '/');
    const char *dot = strrchr(slash ? slash : name, '.');
    for (size_t i = 0; dot && i < sizeof hosts / sizeof *hosts; i++) {
        if (strcasecmp(dot + 1, hosts[i].extension) == 0) {
            *host = hosts[i].host;
            return true;
        }
    }
    return false;
}

/* A # comment: the first line of a script names its interpreter; Python's rules for strings suit most others. */
static enum host host_of_script(const struct source *source)
{
    size_t length = source->length < 100 ? source->length : 100;
    const char *end = memchr(source->text, '\n', length);
    size_t first = end ? (size_t)(end - source->text) : length;
    return first > 2 && memcmp(source->text, "#!", 2) == 0 && memmem(source->text, first, "sh", 2) ? HOST_SHELL
                                                                                                     : HOST_PYTHON;
}

/* The host whose leader stands between `begin`, the start of a line, and the word PEVPM at `word`. */
static bool host_of_leader(const struct source *source, size_t begin, size_t word, enum host *host)
{
    const char *text = source->text;
    size_t end = word;
    while (end > begin && isblank((unsigned char)text[end - 1]))
        end--;
    size_t n = end - begin;
    char last = n > 0 ? text[end - 1] : '\0';
    if (n == 0)
        *host = HOST_STANDALONE;
    else if (n >= 2 && text[end - 2] == '/' && (last == '/' || last == '*'))
        *host = HOST_C;
    else if (last == '!')
        *host = HOST_FORTRAN_FREE;
    else if (last == '#')
        *host = host_of_script(source);
    else if (n == 1 && strchr("Cc*", last))
        *host = HOST_FORTRAN_FIXED;
    else
        return false;
    return true;
}

/* Directives without the word PEVPM are only legal in a stand-alone file, so its first word decides. */
static enum host host_without_leader(const struct source *source)
{
    static const char *const words[] = {"Loop",  "Runon", "Message",   "Collective", "Serial",
                                        "Param", "Set",   "Procedure", "Call",       "Assert"};
    const char *text = source->text, *end = text + source->length;
    while (text < end && (isspace((unsigned char)*text) || *text == '#')) {
        if (*text == '#')
            while (text < end && *text != '\n')
                text++;
        else
            text++;
    }
    size_t n = 0;
    while (text + n < end && n < 20 && isalpha((unsigned char)text[n]))
        n++;
    bool brace = text < end && (*text == '{' || *text == '}');
    return brace || suggest_name(text, n, words, sizeof words / sizeof *words) ? HOST_STANDALONE : HOST_C;
}

static enum host host_of_contents(const struct source *source)
{
    const char *text = source->text, *from = text, *end = text + source->length, *word;
    size_t line = 0;
    while ((word = memmem(from, (size_t)(end - from), "PEVPM", 5)) != NULL) {
        enum host host;
        size_t offset = (size_t)(word - text);
        while (source->line_start[line + 1] <= offset)
            line++;
        if (host_of_leader(source, source->line_start[line], offset, &host))
            return host;
        from = word + 5;
    }
    return host_without_leader(source);
}

/* The mark of UTF-8, which some editors and spreadsheets put first, is in no line: it has no column. */
static size_t mark_bytes(const struct source *source)
{
    return source->length >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

static void find_lines(struct source *source)
{
    const char *text = source->text, *end = text + source->length, *at = text;
    size_t n = 0;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        n++;
        at++;
    }
    bool tail = source->length > 0 && end[-1] != '\n';
    source->n_lines = n + tail;
    source->line_start = alloc_array(source->n_lines + 1, sizeof *source->line_start);
    at = text + mark_bytes(source);
    for (size_t i = 0; i < source->n_lines; i++) {
        source->line_start[i] = (size_t)(at - text);
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    }
    source->line_start[source->n_lines] = source->length;
}

/* Takes `text`, which has room for length + 1 bytes. */
static struct source *source_take(const char *name, char *text, size_t length)
{
    struct source *source = alloc_zeroed(1, sizeof *source);
    source->name = alloc_string(name);
    source->text = text;
    source->length = length;
    text[length] = '\0';
    find_lines(source);
    if (!source_host_of_name(name, &source->host))
        source->host = host_of_contents(source);
    return source;
}

struct source *source_from_text(const char *name, const char *text, size_t length)
{
    assert(length <= SOURCE_BYTES);
    char *copy = alloc_array(length + 1, 1);
    if (length > 0)
        memcpy(copy, text, length);
    return source_take(name, copy, length);
}

static enum status system_error(struct diags *diags, const char *name, const char *doing, int error)
{
    diag_error(diags, place_of_file(name), "cannot %s: %s", doing, strerror(error));
    return STATUS_IO;
}

static enum status too_large(struct diags *diags, const char *name)
{
    diag_error(diags, place_of_file(name), "too large: a program source has at most 1 GiB");
    return STATUS_IO;
}

/* Reads to the end, whatever kind of file it is. `expected`: its size where that is known. */
static enum status read_all(FILE *file, const char *name, size_t expected, char **text, size_t *length,
                            struct diags *diags)
{
    size_t n = 0, capacity = expected + 64 * 1024;
    char *buffer = alloc_array(capacity, 1);
    errno = 0;
    for (size_t got; (got = fread(buffer + n, 1, capacity - n - 1, file)) > 0;) {
        n += got;
        if (n > SOURCE_BYTES)
            break;
        if (n + 1 == capacity) {
            capacity *= 2;
            buffer = alloc_resize(buffer, capacity, 1);
        }
    }
    *text = buffer;
    *length = n;
    if (ferror(file))
        return system_error(diags, name, "read", errno);
    return n > SOURCE_BYTES ? too_large(diags, name) : STATUS_OK;
}

enum status source_read(struct source **source, const char *path, struct diags *diags)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "<stdin>" : path;
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file)
        return infile_refuse(name, errno, diags);
    struct stat kind = {.st_size = 0};
    char *text = NULL;
    size_t length = 0;
    enum status status;
    if (fstat(fileno(file), &kind) == 0 && S_ISDIR(kind.st_mode))
        status = system_error(diags, name, "read", EISDIR);
    else if (kind.st_size > (off_t)SOURCE_BYTES)
        status = too_large(diags, name);
    else
        status = read_all(file, name, (size_t)kind.st_size, &text, &length, diags);
    if (!standard)
        fclose(file);
    if (status == STATUS_OK)
        *source = source_take(name, text, length);
    else
        free(text);
    return status;
}

void source_destroy(struct source *source)
{
    while (source) {
        struct source *next = source->next;
        source_destroy(source->included);
        free(source->name);
        free(source->program);
        free(source->facts);
        free(source->flags);
        free(source->text);
        free(source->line_start);
        free(source);
        source = next;
    }
}

const char *source_program(const struct source *source)
{
    return source->program ? source->program : source->name;
}

/* Is `end` all of the path, or all behind one of its slashes? */
static bool path_ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), length = strlen(end);
    return n >= length && strcmp(path + n - length, end) == 0 && (n == length || path[n - length - 1] == '/');
}

const char *source_short_name(const struct source *program, const char *file)
{
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    for (const struct source *other = program; other; other = other->next) {
        bool same = strcmp(other->name, file) == 0;
        while (!same && name > file && path_ends_with(other->name, name))
            for (name--; name > file && name[-1] != '/'; name--)
                ;
    }
    return name;
}

size_t source_line(const struct source *source, size_t offset)
{
    size_t low = 0, high = source->n_lines;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->line_start[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t source_line_end(const struct source *source, size_t line)
{
    if (line >= source->n_lines)
        return source->length;
    size_t begin = source->line_start[line], end = source->line_start[line + 1];
    if (end > begin && source->text[end - 1] == '\n')
        end--;
    if (end > begin && source->text[end - 1] == '\r')
        end--;
    return end;
}

static int small(size_t n)
{
    return n > INT_MAX ? INT_MAX : (int)n;
}

struct place source_place(const struct source *source, size_t offset, size_t width)
{
    assert(offset <= source->length);
    size_t line = source_line(source, offset), begin = source->n_lines ? source->line_start[line] : 0;
    size_t end = source_line_end(source, line);
    return (struct place){
        .file = source->name,
        .line = small(line + 1),
        .column = small(offset - begin + 1),
        .width = width < 1 ? 1 : small(width),
        .text = source->text + begin,
        .text_length = end - begin,
    };
}
