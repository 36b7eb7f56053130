/* libclang.h - libclang's functions, found when they are first needed.
 *
 * The library is large and few commands ask a compiler, so it is loaded by dlopen and linked to nothing. Its headers
 * are needed when this is compiled (host/clang/libclang.sh finds them); without them everything here says that it is not
 * there. */
#ifndef PEVPM_HOST_LIBCLANG_H
#define PEVPM_HOST_LIBCLANG_H

#include <stdbool.h>

/* Was this built with libclang? */
bool libclang_built(void);

#ifdef PEVPM_LIBCLANG

#include <clang-c/Index.h>

/* Functions of clang-c/Index.h without `clang_`. */
#define LIBCLANG_LIST(X)                                                                                             \
    X(createIndex) X(disposeIndex) X(parseTranslationUnit2) X(reparseTranslationUnit) X(disposeTranslationUnit)      \
    X(getTranslationUnitCursor) X(visitChildren) X(getCursorKind) X(getCursorSpelling) X(getCursorLocation)          \
    X(getCursorExtent) X(getCursorReferenced) X(getCursorDefinition) X(getCursorType) X(getCursorResultType)         \
    X(getCursorSemanticParent)                                                                                       \
    X(getCanonicalType) X(getPointeeType) X(getArgType) X(getNumArgTypes) X(isConstQualifiedType) X(Type_getSizeOf)  \
    X(getEnumConstantDeclValue) X(Cursor_Evaluate) X(EvalResult_getKind) X(EvalResult_getAsLongLong)                 \
    X(EvalResult_getAsDouble) X(EvalResult_dispose) X(Cursor_isMacroFunctionLike) X(Cursor_isMacroBuiltin)           \
    X(Cursor_isNull) X(Cursor_getNumArguments) X(Cursor_getArgument) X(getCString) X(disposeString) X(getFileName)   \
    X(getSpellingLocation) X(getExpansionLocation) X(getFileLocation) X(Location_isInSystemHeader)                   \
    X(getRangeStart) X(getRangeEnd)                                                                                  \
    X(tokenize) X(disposeTokens) X(getTokenSpelling) X(getTokenExtent) X(getNumDiagnostics) X(getDiagnostic)         \
    X(getDiagnosticSeverity) X(getDiagnosticSpelling) X(getDiagnosticLocation) X(disposeDiagnostic)                  \
    X(isCursorDefinition) X(getTypeSpelling) X(equalCursors) X(isExpression) X(isStatement)

struct libclang {
#define X(name) __typeof__(&clang_##name) name;
    LIBCLANG_LIST(X)
#undef X
};

/* False: the library is not there, or lacks a function. */
bool libclang_load(struct libclang *libclang);

#endif
#endif
