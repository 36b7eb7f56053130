#include "directives/files/compile_commands.h"

#include "common/alloc.h"
#include "host/flags.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NESTING_MOST = 32 }; /* of values that are not looked at; bounds the recursion */

struct reader {
    struct compile_commands *commands;
    const struct source *source;
    struct diags *diags;
    size_t at;
    char *here;              /* the current folder, with a `/` behind it */
};

/* One object of the array. */
struct entry {
    char *directory, *file, *command;
    struct flags arguments;
};

static bool refuse(struct reader *r, const char *expected)
{
    if (r->at < r->source->length)
        diag_error(r->diags, source_place(r->source, r->at, 1), "expected %s", expected);
    else
        diag_error(r->diags, r->source->n_lines > 0 ? source_place(r->source, r->at, 1) : place_of_file(r->source->name),
                   "expected %s, found the end of the file", expected);
    return false;
}

/* ---- JSON (RFC 8259) ---- */

static char peek(struct reader *r)
{
    const struct source *s = r->source;
    while (r->at < s->length && isspace((unsigned char)s->text[r->at]))
        r->at++;
    return r->at < s->length ? s->text[r->at] : '\0';
}

static bool accept(struct reader *r, char mark)
{
    bool found = peek(r) == mark && r->at < r->source->length;
    r->at += found;
    return found;
}

/* \uXXXX as UTF-8, of the first plane: names of files that need more are not written so. */
static size_t write_code(char *out, unsigned code)
{
    size_t n = 0;
    if (code < 0x80) {
        out[n++] = (char)code;
    } else if (code < 0x800) {
        out[n++] = (char)(0xC0 | code >> 6);
        out[n++] = (char)(0x80 | (code & 0x3F));
    } else {
        out[n++] = (char)(0xE0 | code >> 12);
        out[n++] = (char)(0x80 | (code >> 6 & 0x3F));
        out[n++] = (char)(0x80 | (code & 0x3F));
    }
    return n;
}

/* What stands behind a backslash. 0: nothing that JSON knows. */
static size_t read_escape(struct reader *r, char *out)
{
    static const char marks[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = r->at < r->source->length ? r->source->text[r->at++] : '\0';
    const char *mark = c != '\0' ? strchr(marks, c) : NULL;
    unsigned code = 0;
    if (mark) {
        *out = meant[mark - marks];
        return 1;
    }
    for (int i = 0; i < 4; i++) {
        char digit = r->at < r->source->length ? r->source->text[r->at++] : '\0';
        if (c != 'u' || !isxdigit((unsigned char)digit))
            return 0;
        int value = isdigit((unsigned char)digit) ? digit - '0' : tolower((unsigned char)digit) - 'a' + 10;
        code = code * 16 + (unsigned)value;
    }
    return code == 0 ? 0 : write_code(out, code);
}

/* A string, allocated. NULL, reported, where there is none. */
static char *read_string(struct reader *r)
{
    if (!accept(r, '"')) {
        refuse(r, "a string");
        return NULL;
    }
    const struct source *s = r->source;
    char *text = alloc_array(s->length - r->at + 1, 1);
    size_t n = 0;
    while (r->at < s->length && s->text[r->at] != '"') {
        char c = s->text[r->at++];
        size_t taken = 1;
        if (c == '\\')
            taken = read_escape(r, text + n);
        else
            text[n] = c;
        n += taken;
        if (taken == 0 || c == '\0') {
            refuse(r, "a string without such a character");
            free(text);
            return NULL;
        }
    }
    text[n] = '\0';
    if (accept(r, '"'))
        return alloc_resize(text, n + 1, 1);
    refuse(r, "`\"` at the end of the string");
    free(text);
    return NULL;
}

static bool skip_value(struct reader *r, int depth);

/* The members of an array or object that is not looked at; its bracket is read. */
static bool skip_members(struct reader *r, char close, int depth)
{
    if (accept(r, close))
        return true;
    do {
        char *key = close == '}' ? read_string(r) : NULL;
        bool good = close != '}' || (key && (accept(r, ':') || refuse(r, "`:`")));
        free(key);
        if (!good || !skip_value(r, depth + 1))
            return false;
    } while (accept(r, ','));
    return accept(r, close) || refuse(r, close == '}' ? "`,` or `}`" : "`,` or `]`");
}

static bool skip_value(struct reader *r, int depth)
{
    char c = peek(r);
    if (depth > NESTING_MOST)
        return refuse(r, "fewer brackets within brackets");
    if (c == '"') {
        char *text = read_string(r);
        free(text);
        return text != NULL;
    }
    if (accept(r, '{'))
        return skip_members(r, '}', depth);
    if (accept(r, '['))
        return skip_members(r, ']', depth);
    size_t first = r->at;
    while (r->at < r->source->length && (isalnum((unsigned char)r->source->text[r->at]) ||
                                         (r->source->text[r->at] != '\0' && strchr("+-.", r->source->text[r->at]))))
        r->at++;
    return r->at > first || refuse(r, "a value");
}

/* ---- flags ---- */

/* A path from `directory`, as seen from here. Allocated. */
static char *path_from(const struct reader *r, const char *directory, const char *path)
{
    char *whole = *path == '/' || !directory || !*directory ? alloc_string(path)
                                                            : alloc_format("%s/%s", directory, path);
    size_t n = strlen(r->here);
    if (strncmp(whole, r->here, n) == 0 && whole[n] != '\0')
        memmove(whole, whole + n, strlen(whole + n) + 1);
    return whole;
}

static void define(struct compile_command *command, const char *flag)
{
    const char *sign = strchr(flag, '=');
    int n = sign ? (int)(sign - flag) : (int)strlen(flag);
    char *more = alloc_format("%s#define %.*s %s\n", command->definitions, n, flag, sign ? sign + 1 : "1");
    free(command->definitions);
    command->definitions = more;
}

/* -UNAME takes back what -DNAME said before it. */
static void undefine(struct compile_command *command, const char *name)
{
    char *line = alloc_format("#define %s ", name), *found;
    while ((found = strstr(command->definitions, line)) != NULL) {
        const char *end = strchr(found, '\n') + 1;
        memmove(found, end, strlen(end) + 1);
    }
    free(line);
}

/* What follows a flag, in the same word or as the next one. NULL: it is another flag. */
static const char *flag_value(const struct flags *words, size_t *i, const char *flag)
{
    size_t n = strlen(flag);
    const char *word = words->list[*i];
    if (strncmp(word, flag, n) != 0)
        return NULL;
    if (word[n] != '\0')
        return word + n;
    return *i + 1 < words->n ? words->list[++*i] : NULL;
}

/* Adds a flag for a compiler, quoted. */
static void keep(struct compile_command *command, const char *flag, const char *value)
{
    char *before = command->flags;
    command->flags = alloc_format("%s%s\"%s%s\"", before, *before ? " " : "", flag, value);
    free(before);
}

static void add_folder(struct compile_command *command, char *folder)
{
    command->folders =
        alloc_grow(command->folders, command->n_folders, &command->folders_capacity, sizeof *command->folders);
    command->folders[command->n_folders++] = folder;
}

static void take_flag(const struct reader *r, struct compile_command *command, const char *directory,
                      const struct flags *words, size_t *i)
{
    static const char *const folders[] = {"-iquote", "-isystem", "-I"}, *const others[] = {"-include", "-std="};
    const char *value;
    if ((value = flag_value(words, i, "-D")) != NULL) {
        define(command, value);
        keep(command, "-D", value);
        return;
    }
    if ((value = flag_value(words, i, "-U")) != NULL) {
        undefine(command, value);
        keep(command, "-U", value);
        return;
    }
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
        if ((value = flag_value(words, i, folders[k])) != NULL) {
            char *folder = path_from(r, directory, value);
            keep(command, folders[k], folder);
            if (strcmp(folders[k], "-isystem") == 0)
                free(folder);
            else
                add_folder(command, folder);
            return;
        }
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if ((value = flag_value(words, i, others[k])) != NULL) {
            keep(command, others[k], value);
            return;
        }
}

static void take_flags(const struct reader *r, struct compile_command *command, const char *directory,
                       const struct flags *words, size_t first)
{
    for (size_t i = first; i < words->n; i++)
        take_flag(r, command, directory, words, &i);
}

void compile_flags_read(struct compile_command *command, const char *flags)
{
    const struct reader r = {.here = (char[]){""}};
    struct flags words = {0};
    *command = (struct compile_command){.definitions = alloc_string(""), .flags = alloc_string("")};
    flags_split(&words, flags);
    take_flags(&r, command, NULL, &words, 0);
    flags_free(&words);
}

/* ---- the array ---- */

static struct compile_command *command_of(struct compile_commands *commands, char *file)
{
    for (size_t i = 0; i < commands->n; i++)
        if (strcmp(commands->list[i].file, file) == 0) {
            free(file);
            commands->list[i].joined = true;
            return &commands->list[i];
        }
    commands->list = alloc_grow(commands->list, commands->n, &commands->capacity, sizeof *commands->list);
    struct compile_command *command = &commands->list[commands->n++];
    *command = (struct compile_command){.file = file, .definitions = alloc_string(""), .flags = alloc_string("")};
    return command;
}

static bool read_arguments(struct reader *r, struct flags *words)
{
    if (!accept(r, '['))
        return refuse(r, "an array of strings");
    if (accept(r, ']'))
        return true;
    do {
        char *word = read_string(r);
        if (!word)
            return false;
        flags_add(words, word);
    } while (accept(r, ','));
    return accept(r, ']') || refuse(r, "`,` or `]`");
}

static bool read_member(struct reader *r, struct entry *entry)
{
    char *key = read_string(r);
    bool good = key && (accept(r, ':') || refuse(r, "`:`"));
    char **text = !good                            ? NULL
                  : strcmp(key, "directory") == 0  ? &entry->directory
                  : strcmp(key, "file") == 0       ? &entry->file
                  : strcmp(key, "command") == 0    ? &entry->command
                                                   : NULL;
    if (good && text) {
        free(*text);
        *text = read_string(r);
        good = *text != NULL;
    } else if (good) {
        good = strcmp(key, "arguments") == 0 ? read_arguments(r, &entry->arguments) : skip_value(r, 0);
    }
    free(key);
    return good;
}

static bool read_entry(struct reader *r)
{
    struct entry entry = {NULL, NULL, NULL, {0}};
    size_t begin = r->at;
    bool good = accept(r, '{') || refuse(r, "`{`");
    if (good && !accept(r, '}')) {
        do
            good = read_member(r, &entry);
        while (good && accept(r, ','));
        good = good && (accept(r, '}') || refuse(r, "`,` or `}`"));
    }
    if (good && !entry.file) {
        r->at = begin;
        good = refuse(r, "an object with `directory` and `file`");
    }
    if (good) {
        if (entry.command && entry.arguments.n == 0)
            flags_split(&entry.arguments, entry.command);
        take_flags(r, command_of(r->commands, path_from(r, entry.directory, entry.file)), entry.directory,
                   &entry.arguments, 1);
    }
    flags_free(&entry.arguments);
    free(entry.directory);
    free(entry.file);
    free(entry.command);
    return good;
}

enum status compile_commands_read(struct compile_commands *commands, const struct source *text, struct diags *diags)
{
    char folder[PATH_MAX];
    *commands = (struct compile_commands){0};
    struct reader r = {.commands = commands, .source = text, .diags = diags};
    r.at = text->n_lines > 0 ? text->line_start[0] : 0; /* behind a byte order mark */
    r.here = getcwd(folder, sizeof folder) ? alloc_format("%s/", folder) : alloc_string("/");
    bool good = accept(&r, '[') || refuse(&r, "an array of compile commands: `[`");
    if (good && !accept(&r, ']')) {
        do
            good = (peek(&r), read_entry(&r));
        while (good && accept(&r, ','));
        good = good && (accept(&r, ']') || refuse(&r, "`,` or `]`"));
    }
    free(r.here);
    return good ? STATUS_OK : STATUS_SYNTAX;
}

void compile_command_free(struct compile_command *command)
{
    for (size_t k = 0; k < command->n_folders; k++)
        free(command->folders[k]);
    free(command->folders);
    free(command->definitions);
    free(command->flags);
    free(command->file);
}

void compile_commands_free(struct compile_commands *commands)
{
    for (size_t i = 0; i < commands->n; i++)
        compile_command_free(&commands->list[i]);
    free(commands->list);
    *commands = (struct compile_commands){0};
}
