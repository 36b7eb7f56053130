/* translation.h - a C or C++ file as libclang reads it, with the program's own flags. Private to the shelf. */
#ifndef PEVPM_HOST_CLANG_TRANSLATION_H
#define PEVPM_HOST_CLANG_TRANSLATION_H

#include "common/diag.h"
#include "host/libclang.h"

#include <stddef.h>

#ifdef PEVPM_LIBCLANG

struct translation {
    struct libclang libclang;
    const char *path;
    bool cpp;
    CXIndex index;
    CXTranslationUnit unit;
};

/* Where something stands; file: libclang's text, which the caller gives back with its disposeString. */
struct position {
    CXString file;
    unsigned line, column, offset;
};

/* flags: one command line, NULL: none. False, with a warning that names the first error: it cannot be read at all, or,
 * where it has to be whole, not as it stands (a header is missing). Else what libclang makes of a file with errors will do,
 * and the warning is given all the same. text: of the file. Ends with translation_close where it was opened. */
bool translation_open(struct translation *t, const char *path, const char *text, size_t length, const char *flags,
                      bool whole, struct diags *diags);
void translation_close(struct translation *t);

/* Where it is in the source; in a macro, where that is used. */
struct position position_of(const struct translation *t, CXSourceLocation location);

#endif
#endif
