#include "host/clang/translation.h"

#ifdef PEVPM_LIBCLANG

#include "common/alloc.h"
#include "host/flags.h"

#include <stdlib.h>
#include <string.h>

struct position position_of(const struct translation *t, CXSourceLocation location)
{
    struct position p;
    CXFile file;
    t->libclang.getExpansionLocation(location, &file, &p.line, &p.column, &p.offset);
    p.file = t->libclang.getFileName(file);
    return p;
}

/* The first error, as a warning. Returns whether there is none. */
static bool is_clean(const struct translation *t, bool whole, struct diags *diags)
{
    const struct libclang *c = &t->libclang;
    bool clean = true;
    for (unsigned i = 0; i < c->getNumDiagnostics(t->unit) && clean; i++) {
        CXDiagnostic diagnostic = c->getDiagnostic(t->unit, i);
        clean = c->getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error;
        if (!clean) {
            CXString said = c->getDiagnosticSpelling(diagnostic);
            struct position at = position_of(t, c->getDiagnosticLocation(diagnostic));
            const char *file = c->getCString(at.file);
            diag_warning(diags, place_of_file(t->path), "libclang cannot read %s with these flags (%s:%u: %s): %s",
                         whole ? "this file" : "all of this file", file ? file : t->path, at.line, c->getCString(said),
                         whole ? "what only a compiler can tell is not known"
                               : "what depends on it may be wrong in what follows (--cflags are the program's flags)");
            c->disposeString(said);
            c->disposeString(at.file);
        }
        c->disposeDiagnostic(diagnostic);
    }
    return clean;
}

bool translation_open(struct translation *t, const char *path, const char *text, size_t length, const char *flags,
                      bool whole, struct diags *diags)
{
    struct flags words = {0};
    *t = (struct translation){.path = path, .cpp = flags_say_cpp(path, flags)};
    if (!libclang_load(&t->libclang)) {
        diag_warning(diags, place_of_file(path), "there is no %s: what only a compiler can tell is not known",
                     PEVPM_LIBCLANG);
        return false;
    }
    flags_split(&words, flags ? flags : "");
    flags_add_mpi(&words, t->cpp);
    struct CXUnsavedFile file = {path, text, length};
    t->index = t->libclang.createIndex(0, 0);
    const unsigned how = CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing;
    t->libclang.parseTranslationUnit2(t->index, path, (const char *const *)words.list, (int)words.n, &file, 1, how,
                                      &t->unit);
    flags_free(&words);
    if (!t->unit)
        diag_warning(diags, place_of_file(path), "libclang cannot read this file with these flags");
    else if (is_clean(t, whole, diags) || !whole)
        return true;
    translation_close(t);
    return false;
}

void translation_close(struct translation *t)
{
    if (t->unit)
        t->libclang.disposeTranslationUnit(t->unit);
    t->libclang.disposeIndex(t->index);
}

#endif
