#include "timing/instrument.h"

#include "directives/directive.h"
#include "timing/language.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

struct instrument {
    const struct source *program, *source;
    struct diags *diags;
    struct directives directives;
    struct host_text host;
    const struct instrument_language *language;
    void *code;            /* what the language knows of the source */
    struct timed_copy copy;
    size_t measured;
};

static const struct instrument_language *language_of(const struct source *source)
{
    switch (source->host) {
    case HOST_C: return &language_c;
    case HOST_FORTRAN_FREE:
    case HOST_FORTRAN_FIXED: return &language_fortran;
    default: return NULL;
    }
}

/* ---- the copy ---- */

void timed_copy_up_to(struct timed_copy *copy, size_t at)
{
    if (at <= copy->written)
        return;
    fwrite(copy->source->text + copy->written, 1, at - copy->written, copy->out);
    copy->written = at;
}

void timed_copy_indent(struct timed_copy *copy, size_t at)
{
    size_t start = copy->source->line_start[source_line(copy->source, at)], end = start;
    while (end < at && isblank((unsigned char)copy->source->text[end]))
        end++;
    fwrite(copy->source->text + start, 1, end - start, copy->out);
}

/* ---- one row of Serial directives ---- */

static size_t begin_of(const struct instrument *in, size_t directive)
{
    return in->directives.pieces[in->directives.list[directive].first].begin;
}

static size_t end_of(const struct instrument *in, size_t directive)
{
    const struct directive *d = &in->directives.list[directive];
    return in->directives.pieces[d->first + d->n - 1].end;
}

/* The line, from 1, in which any file of the program itself times the block; 0: none. Which file is in *file. */
static size_t timed_by_hand(const struct instrument *in, const struct measured *measured, const struct source **file)
{
    const char *name = in->source->text + measured->name.at;
    size_t at = in->language->timed_by_hand(&in->host, name, measured->name.n);
    *file = in->source;
    for (const struct source *other = in->program; other && at == SIZE_MAX; other = other->next) {
        struct host_text host;
        if (other == in->source || !language_of(other) || !host_text_read(&host, other))
            continue;
        at = language_of(other)->timed_by_hand(&host, name, measured->name.n);
        *file = other;
        host_text_free(&host);
    }
    return at == SIZE_MAX ? 0 : source_line(*file, at) + 1;
}

/* A warning where the argument, as the directive has it, cannot stand at `at`. */
static bool argument_agrees(struct instrument *in, const struct measured *measured, size_t at)
{
    struct token token;
    const char *problem = in->language->argument_problem(in->code, measured, at, &token);
    if (problem)
        diag_warning(in->diags, piece_place(in->source, token.piece, token.at, token.n),
                     "not timed: `%.*s` %s; say what the program calls the argument: `& code = ...` at the end of the "
                     "directive", (int)token.n, in->source->text + token.at, problem);
    return !problem;
}

static void tell(struct instrument *in, const struct measured *measured, const struct timed_block *block)
{
    const struct source *source = in->source;
    struct place place = source_place(source, measured->name.at, measured->name.n);
    size_t first = source_line(source, block->begin) + 1, last = source_line(source, block->end - 1) + 1;
    if (first == last)
        diag_note(in->diags, place, "line %zu is timed", first);
    else
        diag_note(in->diags, place, "lines %zu to %zu are timed", first, last);
    if (block->reason)
        diag_warning(in->diags, source_place(source, block->stop, 1), "from here on nothing of this block is timed: %s",
                     block->reason);
}

static void time_row(struct instrument *in, const struct measured *measured, size_t begin, size_t end)
{
    struct place place = source_place(in->source, measured->name.at, measured->name.n);
    struct timed_block block = in->language->find(in->code, begin, end);
    const struct source *file;
    size_t by_hand = timed_by_hand(in, measured, &file);
    in->measured++;
    if (by_hand > 0 && file != in->source) {
        diag_note(in->diags, place, "timed by hand in line %zu of %s: nothing is added", by_hand, file->name);
    } else if (by_hand > 0) {
        diag_note(in->diags, place, "timed by hand in line %zu: nothing is added", by_hand);
    } else if (block.begin == block.end) {
        diag_warning(in->diags, block.reason ? source_place(in->source, block.stop, 1) : place, "not timed: %s",
                     block.reason ? block.reason : "no whole statement stands between this and the next directive");
    } else if (block.refused) {
        diag_warning(in->diags, block.refused_there ? source_place(in->source, block.begin, 1) : place, "not timed: %s",
                     block.refused);
    } else if (!measured->text || measured->code || argument_agrees(in, measured, block.begin)) {
        in->language->write(in->code, &in->copy, measured, &block);
        tell(in, measured, &block);
    }
}

/* The row that starts with a Serial directive; returns the directive behind it. */
static size_t take_row(struct instrument *in, size_t first)
{
    struct measured measured = measured_read(in->source, &in->directives, first);
    size_t next = first + 1, end = in->source->length;
    while (next < in->directives.n && measured_is_serial(in->source, &in->directives, next) &&
           !in->language->has_code(in->code, end_of(in, next - 1), begin_of(in, next))) {
        if (!measured.found) {
            measured_free(&measured);
            measured = measured_read(in->source, &in->directives, next);
        }
        next++;
    }
    if (next < in->directives.n)
        end = begin_of(in, next);
    if (measured.found)
        time_row(in, &measured, end_of(in, next - 1), end);
    measured_free(&measured);
    return next;
}

static enum status instrument_rows(struct instrument *in)
{
    const struct source *source = in->source;
    for (size_t i = 0; i < in->directives.n;)
        i = measured_is_serial(source, &in->directives, i) ? take_row(in, i) : i + 1;
    timed_copy_up_to(&in->copy, source->length);
    if (in->measured > 0)
        return STATUS_OK;
    diag_error(in->diags, place_of_file(source->name),
               "nothing to time: no Serial directive says measured(NAME), such as `Serial time = measured(update)`");
    return STATUS_SYNTAX;
}

bool instrument_is_wanted(const struct source *source)
{
    struct diags unsaid = DIAGS_EMPTY;
    struct directives directives;
    bool wanted = false;
    (void)directives_find(&directives, source, &unsaid);
    for (size_t i = 0; i < directives.n && !wanted; i++) {
        if (!measured_is_serial(source, &directives, i))
            continue;
        struct measured measured = measured_read(source, &directives, i);
        wanted = measured.found;
        measured_free(&measured);
    }
    directives_free(&directives);
    diags_free(&unsaid);
    return wanted;
}

/* The rows with the language at hand. */
static enum status instrument_text(struct instrument *in, char **text)
{
    size_t length;
    in->code = in->language->open(in->program, &in->host);
    in->copy = (struct timed_copy){.source = in->source, .out = open_memstream(text, &length)};
    enum status status = instrument_rows(in);
    fclose(in->copy.out);
    in->language->close(in->code);
    if (status != STATUS_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

enum status instrument_source(const struct source *program, const struct source *source, char **text,
                              struct diags *diags)
{
    struct instrument in = {.program = program, .source = source, .diags = diags, .language = language_of(source)};
    *text = NULL;
    if (!in.language) {
        diag_error(diags, place_of_file(source->name), "this is %s: only C, C++ and Fortran can be instrumented",
                   host_text(source->host));
        return STATUS_SYNTAX;
    }
    enum status status = directives_find(&in.directives, source, diags) > 0 ? STATUS_SYNTAX : STATUS_OK;
    if (!host_text_read(&in.host, source)) {
        diag_error(diags, place_of_file(source->name), "too long to be a program");
        status = STATUS_SYNTAX;
    }
    if (status == STATUS_OK)
        status = instrument_text(&in, text);
    host_text_free(&in.host);
    directives_free(&in.directives);
    return status;
}
