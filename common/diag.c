#include "common/diag.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct diag {
    enum severity severity;
    int line, column, width;
    char *file; /* NULL: none */
    char *message;
    char *quote;      /* the quoted part of the line, NULL: none */
    int quote_column; /* where column stands within quote, from 1 */
};

enum {
    DIAGS_KEPT = 200,    /* a person reads no more; a fuzzer's input could make millions */
    QUOTE_COLUMNS = 120, /* a terminal's width, generously */
};

static void quote_line(struct diag *diag, struct place place)
{
    if (!place.text || place.column < 1)
        return;
    size_t column = (size_t)place.column - 1;
    if (column > place.text_length)
        column = place.text_length;
    size_t start = column > QUOTE_COLUMNS * 3 / 4 ? column - QUOTE_COLUMNS / 2 : 0;
    size_t length = place.text_length - start;
    if (length > QUOTE_COLUMNS)
        length = QUOTE_COLUMNS;
    diag->quote = alloc_string_n(place.text + start, length);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)diag->quote[i];
        if (c < 32 || c == 127)
            diag->quote[i] = c == '\t' ? ' ' : '?';
    }
    while (length > 0 && diag->quote[length - 1] == ' ')
        diag->quote[--length] = '\0';
    diag->quote_column = (int)(column - start) + 1;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool already_there(const struct diags *diags, const struct diag *diag)
{
    for (size_t i = 0; i < diags->n; i++) {
        const struct diag *other = &diags->list[i];
        if (other->line == diag->line && other->column == diag->column && same_text(other->file, diag->file) &&
            strcmp(other->message, diag->message) == 0)
            return true;
    }
    return false;
}

static void diag_clear(struct diag *diag)
{
    free(diag->file);
    free(diag->message);
    free(diag->quote);
}

static void diag_add(struct diags *diags, enum severity severity, struct place place, const char *format,
                     va_list arguments)
{
    struct diag diag = {.severity = severity, .line = place.line, .column = place.column, .width = place.width};
    diag.file = place.file ? alloc_string(place.file) : NULL;
    diag.message = alloc_format_list(format, arguments);
    if (already_there(diags, &diag)) {
        diag_clear(&diag);
        return;
    }
    diags->n_errors += severity == SEVERITY_ERROR;
    diags->n_warnings += severity == SEVERITY_WARNING;
    if (diags->n >= DIAGS_KEPT) {
        diags->n_dropped++;
        diag_clear(&diag);
        return;
    }
    quote_line(&diag, place);
    diags->list = alloc_grow(diags->list, diags->n, &diags->capacity, sizeof *diags->list);
    diags->list[diags->n++] = diag;
}

#define DEFINE_DIAG(function, severity)                                           \
    void function(struct diags *diags, struct place place, const char *format, ...) \
    {                                                                             \
        va_list arguments;                                                        \
        va_start(arguments, format);                                              \
        diag_add(diags, severity, place, format, arguments);                      \
        va_end(arguments);                                                        \
    }

DEFINE_DIAG(diag_error, SEVERITY_ERROR)
DEFINE_DIAG(diag_warning, SEVERITY_WARNING)
DEFINE_DIAG(diag_note, SEVERITY_NOTE)

struct place place_of_file(const char *file)
{
    return (struct place){.file = file};
}

/* A byte of UTF-8 that goes on with a character. */
static bool goes_on(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* One mark for each character. */
static void print_caret(const struct diag *diag, FILE *out)
{
    fprintf(out, "%5s | ", "");
    const int length = (int)strlen(diag->quote), first = diag->quote_column - 1;
    for (int i = 0; i < first; i++)
        if (i >= length || !goes_on(diag->quote[i]))
            fputc(' ', out);
    fputc('^', out);
    for (int i = first + 1; i < first + diag->width && i < length; i++)
        if (!goes_on(diag->quote[i]))
            fputc('~', out);
    fputc('\n', out);
}

const char *diag_message(const struct diags *diags, size_t i)
{
    return diags->list[i].message;
}

enum severity diag_severity(const struct diags *diags, size_t i)
{
    assert(i < diags->n);
    return diags->list[i].severity;
}

int diag_line(const struct diags *diags, size_t i)
{
    assert(i < diags->n);
    return diags->list[i].line;
}

static void print_one(const struct diag *diag, FILE *out)
{
    static const char *const name[] = {"error", "warning", "note"};
    if (diag->file && diag->line > 0)
        fprintf(out, "%s:%d:%d: ", diag->file, diag->line, diag->column);
    else
        fprintf(out, "%s: ", diag->file ? diag->file : "pevpm");
    fprintf(out, "%s: %s\n", name[diag->severity], diag->message);
    if (diag->quote) {
        fprintf(out, "%5d | %s\n", diag->line, diag->quote);
        print_caret(diag, out);
    }
}

/* A launcher that passes on what several ranks write, and says something itself, would put it between two parts. */
static void print_whole(const struct diag *diag, FILE *out)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    print_one(diag, memory ? memory : out);
    if (memory && fclose(memory) == 0)
        fwrite(text, 1, length, out);
    free(text);
}

static void print_dropped(const struct diags *diags, FILE *out)
{
    if (diags->n_dropped)
        fprintf(out, "... and %zu more\n", diags->n_dropped);
}

void diags_print(const struct diags *diags, FILE *out)
{
    for (size_t i = 0; i < diags->n; i++)
        print_whole(&diags->list[i], out);
    print_dropped(diags, out);
}

void diags_print_once(const struct diags *diags, struct diags *told, FILE *out)
{
    for (size_t i = 0; i < diags->n; i++) {
        const struct diag *diag = &diags->list[i];
        const bool is_general = diag->severity == SEVERITY_NOTE && diag->line == 0;
        if (is_general && already_there(told, diag))
            continue;
        print_whole(diag, out);
        if (is_general)
            diag_note(told, place_of_file(diag->file), "%s", diag->message);
    }
    print_dropped(diags, out);
}

void diags_free(struct diags *diags)
{
    for (size_t i = 0; i < diags->n; i++)
        diag_clear(&diags->list[i]);
    free(diags->list);
    *diags = (struct diags)DIAGS_EMPTY;
}
