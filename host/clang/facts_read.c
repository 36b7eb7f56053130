#include "host/facts.h"

#include "host/clang/translation.h"

#ifdef PEVPM_LIBCLANG

#include "common/alloc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct change {
    CXCursor of;               /* the declaration */
    const char *text;
    struct position at;
};

struct gathering {
    struct translation t;
    FILE *out;
    size_t n_headers;
    const char *const *headers;
    size_t n_macros, macros_capacity;
    CXCursor *macros;
    size_t n_expansions, expansions_capacity;
    CXCursor *expansions;      /* where macros are used */
    size_t n_changes, changes_capacity;
    struct change *changes;
    size_t n_variables, variables_capacity;
    CXCursor *variables;
};

/* ---- writing ---- */

static bool is_same_file(const char *a, const char *b)
{
    char whole_a[PATH_MAX], whole_b[PATH_MAX];
    return realpath(a, whole_a) && realpath(b, whole_b) && strcmp(whole_a, whole_b) == 0;
}

/* "\tFILE\tLINE\tCOLUMN" */
static void put_position(const struct gathering *g, const struct position *at)
{
    const char *file = g->t.libclang.getCString(at->file);
    for (size_t i = 0; file && strcmp(file, g->t.path) != 0 && i < g->n_headers; i++)
        if (is_same_file(file, g->headers[i])) {
            file = g->headers[i];
            break;
        }
    fprintf(g->out, "\t%s\t%u\t%u", file ? file : "", at->line, at->column);
}

static void put_cursor(const struct gathering *g, const char *kind, CXCursor cursor, const char *value)
{
    const struct libclang *c = &g->t.libclang;
    CXString name = c->getCursorSpelling(cursor);
    struct position at = position_of(&g->t, c->getCursorLocation(cursor));
    fprintf(g->out, "%s\t%s\t%s", kind, c->getCString(name), value);
    put_position(g, &at);
    c->disposeString(at.file);
    c->disposeString(name);
}

enum { VALUE_BYTES = 40 };

/* The value of a variable's initialiser, "-": only the run knows it. */
static void value_of(const struct gathering *g, CXCursor variable, char value[VALUE_BYTES])
{
    const struct libclang *c = &g->t.libclang;
    CXEvalResult result = c->Cursor_Evaluate(variable);
    CXEvalResultKind kind = result ? c->EvalResult_getKind(result) : CXEval_UnExposed;
    strcpy(value, "-");
    if (kind == CXEval_Int)
        snprintf(value, VALUE_BYTES, "%lld", c->EvalResult_getAsLongLong(result));
    else if (kind == CXEval_Float)
        snprintf(value, VALUE_BYTES, "%#.17g", c->EvalResult_getAsDouble(result));
    if (result)
        c->EvalResult_dispose(result);
}

/* ---- what is done to variables ---- */

/* Below parentheses and conversions. */
static enum CXChildVisitResult take_only(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

static CXCursor plain(const struct gathering *g, CXCursor cursor)
{
    const struct libclang *c = &g->t.libclang;
    enum CXCursorKind kind = c->getCursorKind(cursor);
    for (int depth = 0; depth < 20 && (kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr); depth++) {
        CXCursor inner = cursor;
        c->visitChildren(cursor, take_only, &inner);
        if (c->equalCursors(inner, cursor))
            break;
        cursor = inner;
        kind = c->getCursorKind(cursor);
    }
    return cursor;
}

static void add_change(struct gathering *g, CXCursor target, const char *text)
{
    const struct libclang *c = &g->t.libclang;
    target = plain(g, target);
    if (c->getCursorKind(target) != CXCursor_DeclRefExpr)
        return;
    CXCursor declaration = c->getCursorReferenced(target);
    enum CXCursorKind kind = c->getCursorKind(declaration);
    if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl)
        return;
    g->changes = alloc_grow(g->changes, g->n_changes, &g->changes_capacity, sizeof *g->changes);
    g->changes[g->n_changes++] =
        (struct change){declaration, text, position_of(&g->t, c->getCursorLocation(target))};
}

struct children {
    CXCursor list[2];
    int n;
};

static enum CXChildVisitResult take_children(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct children *children = data;
    (void)parent;
    if (children->n < 2)
        children->list[children->n] = cursor;
    children->n++;
    return CXChildVisit_Continue;
}

/* Does the text of a macro have this token? */
static bool defines_mark(const struct gathering *g, CXCursor macro, const char *mark)
{
    const struct libclang *c = &g->t.libclang;
    CXToken *tokens;
    unsigned n;
    bool found = false;
    c->tokenize(g->t.unit, c->getCursorExtent(macro), &tokens, &n);
    for (unsigned i = 0; i < n && !found; i++) {
        CXString text = c->getTokenSpelling(g->t.unit, tokens[i]);
        found = strcmp(c->getCString(text), mark) == 0;
        c->disposeString(text);
    }
    c->disposeTokens(g->t.unit, tokens, n);
    return found;
}

/* An operator that is not written where it stands is one of the macro that is used there. */
static bool macro_has_operator(const struct gathering *g, CXCursor cursor, const char *mark)
{
    const struct libclang *c = &g->t.libclang;
    unsigned at, begin, end;
    CXFile file, other;
    c->getExpansionLocation(c->getRangeStart(c->getCursorExtent(cursor)), &file, NULL, NULL, &at);
    for (size_t i = 0; i < g->n_expansions; i++) {
        CXSourceRange extent = c->getCursorExtent(g->expansions[i]);
        c->getExpansionLocation(c->getRangeStart(extent), &other, NULL, NULL, &begin);
        c->getExpansionLocation(c->getRangeEnd(extent), NULL, NULL, NULL, &end);
        if (other == file && at >= begin && at < end &&
            defines_mark(g, c->getCursorReferenced(g->expansions[i]), mark))
            return true;
    }
    return false;
}

/* Is a token of the operator's own this one? Those of its operands are not looked at. */
static bool has_operator(const struct gathering *g, CXCursor cursor, const struct children *operands, const char *mark)
{
    const struct libclang *c = &g->t.libclang;
    CXToken *tokens;
    unsigned n, begins[2] = {UINT_MAX, UINT_MAX}, ends[2] = {0, 0};
    bool found = false;
    for (int i = 0; i < operands->n && i < 2; i++) {
        CXSourceRange extent = c->getCursorExtent(operands->list[i]);
        c->getSpellingLocation(c->getRangeStart(extent), NULL, NULL, NULL, &begins[i]);
        c->getSpellingLocation(c->getRangeEnd(extent), NULL, NULL, NULL, &ends[i]);
    }
    c->tokenize(g->t.unit, c->getCursorExtent(cursor), &tokens, &n);
    for (unsigned i = 0; i < n && !found; i++) {
        unsigned at;
        c->getSpellingLocation(c->getRangeStart(c->getTokenExtent(g->t.unit, tokens[i])), NULL, NULL, NULL, &at);
        bool inside = (at >= begins[0] && at < ends[0]) || (at >= begins[1] && at < ends[1]);
        CXString text = c->getTokenSpelling(g->t.unit, tokens[i]);
        found = !inside && strcmp(c->getCString(text), mark) == 0;
        c->disposeString(text);
    }
    c->disposeTokens(g->t.unit, tokens, n);
    return found || macro_has_operator(g, cursor, mark);
}

/* What a function takes as `T &`, and not const, it may change. */
static void find_references(struct gathering *g, CXCursor call)
{
    const struct libclang *c = &g->t.libclang;
    CXType type = c->getCursorType(c->getCursorReferenced(call));
    int n = c->Cursor_getNumArguments(call), known = c->getNumArgTypes(type);
    for (int i = 0; i < n && i < known; i++) {
        CXType argument = c->getArgType(type, (unsigned)i);
        if (argument.kind == CXType_LValueReference && !c->isConstQualifiedType(c->getPointeeType(argument)))
            add_change(g, c->Cursor_getArgument(call, (unsigned)i), "reference");
    }
}

static void find_changes(struct gathering *g, CXCursor cursor, enum CXCursorKind kind)
{
    const struct libclang *c = &g->t.libclang;
    struct children operands = {.n = 0};
    switch (kind) {
    case CXCursor_CompoundAssignOperator:
    case CXCursor_BinaryOperator:
    case CXCursor_UnaryOperator:
        c->visitChildren(cursor, take_children, &operands);
        if (operands.n == 0)
            return;
        if (kind == CXCursor_CompoundAssignOperator)
            add_change(g, operands.list[0], "counted");
        else if (kind == CXCursor_BinaryOperator && has_operator(g, cursor, &operands, "="))
            add_change(g, operands.list[0], "assigned");
        else if (kind == CXCursor_UnaryOperator && has_operator(g, cursor, &operands, "&"))
            add_change(g, operands.list[0], "address");
        else if (kind == CXCursor_UnaryOperator &&
                 (has_operator(g, cursor, &operands, "++") || has_operator(g, cursor, &operands, "--")))
            add_change(g, operands.list[0], "counted");
        return;
    case CXCursor_CallExpr:
        find_references(g, cursor);
        return;
    case CXCursor_VarDecl:
        c->visitChildren(cursor, take_children, &operands);
        if (operands.n > 0 && c->getCursorType(cursor).kind == CXType_LValueReference &&
            !c->isConstQualifiedType(c->getPointeeType(c->getCursorType(cursor))))
            add_change(g, operands.list[operands.n > 1 ? 1 : 0], "reference");
        return;
    default:
        return;
    }
}

/* ---- declarations ---- */

static bool is_arithmetic(const struct libclang *c, CXType type)
{
    enum CXTypeKind kind = c->getCanonicalType(type).kind;
    return (kind >= CXType_Bool && kind <= CXType_LongDouble) || kind == CXType_Enum;
}

static void put_type(const struct gathering *g, CXCursor cursor)
{
    const struct libclang *c = &g->t.libclang;
    CXType type = c->getCursorType(cursor);
    long long bytes = c->Type_getSizeOf(type);
    CXString name = c->getTypeSpelling(type);
    const char *text = c->getCString(name);
    enum CXCursorKind kind = c->getCursorKind(cursor);
    if (bytes > 0)
        fprintf(g->out, "type\t%s\t%lld\n", text, bytes);
    const bool is_struct = kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_UnionDecl;
    if (bytes > 0 && is_struct && !strchr(text, ' ')) /* of C++, where `struct NAME` is the same */
        fprintf(g->out, "type\t%s %s\t%lld\n", kind == CXCursor_UnionDecl ? "union" : "struct", text, bytes);
    c->disposeString(name);
}

static void add_cursor(CXCursor **list, size_t *n, size_t *capacity, CXCursor cursor)
{
    *list = alloc_grow(*list, *n, capacity, sizeof **list);
    (*list)[(*n)++] = cursor;
}

/* Does a header of the program, or a flag, declare it for all that follows? */
static bool is_from_outside(const struct gathering *g, CXCursor cursor)
{
    const struct libclang *c = &g->t.libclang;
    const enum CXCursorKind parent = c->getCursorKind(c->getCursorSemanticParent(cursor));
    struct position at = position_of(&g->t, c->getCursorLocation(cursor));
    const char *file = c->getCString(at.file);
    const bool outside = !file || strcmp(file, g->t.path) != 0;
    c->disposeString(at.file);
    return outside && parent != CXCursor_FunctionDecl && parent != CXCursor_Namespace && parent != CXCursor_ClassDecl &&
           parent != CXCursor_StructDecl && parent != CXCursor_CXXMethod;
}

static void put_outside(const struct gathering *g, const char *kind, CXCursor cursor, const char *what)
{
    if (!is_from_outside(g, cursor))
        return;
    put_cursor(g, kind, cursor, what);
    fputc('\n', g->out);
}

static enum CXChildVisitResult gather(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct gathering *g = data;
    const struct libclang *c = &g->t.libclang;
    char value[VALUE_BYTES];
    (void)parent;
    if (c->Location_isInSystemHeader(c->getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    enum CXCursorKind kind = c->getCursorKind(cursor);
    switch (kind) {
    case CXCursor_MacroDefinition:
        if (!c->Cursor_isMacroFunctionLike(cursor) && !c->Cursor_isMacroBuiltin(cursor))
            add_cursor(&g->macros, &g->n_macros, &g->macros_capacity, cursor);
        else if (c->Cursor_isMacroFunctionLike(cursor))
            put_outside(g, "function", cursor, "-");
        return CXChildVisit_Continue;
    case CXCursor_MacroExpansion:
        add_cursor(&g->expansions, &g->n_expansions, &g->expansions_capacity, cursor);
        return CXChildVisit_Continue;
    case CXCursor_EnumConstantDecl:
        snprintf(value, sizeof value, "%lld", c->getEnumConstantDeclValue(cursor));
        put_cursor(g, "constant", cursor, value);
        fputc('\n', g->out);
        break;
    case CXCursor_VarDecl:
        if (is_arithmetic(c, c->getCursorType(cursor)))
            add_cursor(&g->variables, &g->n_variables, &g->variables_capacity, cursor);
        put_outside(g, "global", cursor, is_arithmetic(c, c->getCursorType(cursor)) ? "number" : "other");
        break;
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate: put_outside(g, "function", cursor, "-"); break;
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
        if (c->isCursorDefinition(cursor))
            put_type(g, cursor);
        break;
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl: put_type(g, cursor); break;
    default: break;
    }
    find_changes(g, cursor, kind);
    return CXChildVisit_Recurse;
}

/* A const variable that all functions see. */
static bool is_fixed(const struct libclang *c, CXCursor variable)
{
    enum CXCursorKind parent = c->getCursorKind(c->getCursorSemanticParent(variable));
    return (parent == CXCursor_TranslationUnit || parent == CXCursor_Namespace) &&
           c->isConstQualifiedType(c->getCursorType(variable));
}

static void put_variables(struct gathering *g)
{
    const struct libclang *c = &g->t.libclang;
    char value[VALUE_BYTES];
    for (size_t i = 0; i < g->n_variables; i++) {
        value_of(g, g->variables[i], value);
        put_cursor(g, is_fixed(c, g->variables[i]) && strcmp(value, "-") != 0 ? "constant" : "variable",
                   g->variables[i], value);
        size_t k = 0;
        while (k < g->n_changes && !c->equalCursors(g->changes[k].of, g->variables[i]))
            k++;
        if (k < g->n_changes) {
            fprintf(g->out, "\t%s", g->changes[k].text);
            put_position(g, &g->changes[k].at);
        }
        fputc('\n', g->out);
    }
}

/* ---- macros: their values are asked for by declarations behind the end of the file ---- */

/* Is the text behind a macro's name something that may stand in parentheses? */
static bool may_be_value(const struct gathering *g, CXCursor macro)
{
    const struct libclang *c = &g->t.libclang;
    CXToken *tokens;
    unsigned n;
    int depth = 0;
    bool good = true;
    c->tokenize(g->t.unit, c->getCursorExtent(macro), &tokens, &n);
    for (unsigned i = 1; i < n && good; i++) {
        CXString text = c->getTokenSpelling(g->t.unit, tokens[i]);
        const char *word = c->getCString(text);
        depth += (*word == '(') - (*word == ')');
        good = depth >= 0 && !strchr("{};#\\", *word);
        c->disposeString(text);
    }
    good = good && n > 1 && depth == 0;
    c->disposeTokens(g->t.unit, tokens, n);
    return good;
}

static const char probe[] = "pevpm_value_of_";

/* The file with a variable for each macro. Allocated. */
static char *with_probes(const struct gathering *g, const char *text, size_t n, size_t *length)
{
    char *all = NULL;
    FILE *out = open_memstream(&all, length);
    fwrite(text, 1, n, out);
    fputs("\n#pragma clang diagnostic ignored \"-Weverything\"\n", out);
    for (size_t i = 0; i < g->n_macros; i++) {
        CXString name = g->t.libclang.getCursorSpelling(g->macros[i]);
        const char *word = g->t.libclang.getCString(name);
        if (may_be_value(g, g->macros[i]))
            fprintf(out, "static const %s %s%zu = (%s);\n", g->t.cpp ? "auto" : "__auto_type", probe, i,
                    word);
        g->t.libclang.disposeString(name);
    }
    fclose(out);
    return all;
}

struct probing {
    struct gathering *g;
    char (*values)[VALUE_BYTES]; /* [n_macros] */
};

static enum CXChildVisitResult take_probe(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct probing *p = data;
    const struct libclang *c = &p->g->t.libclang;
    (void)parent;
    if (c->getCursorKind(cursor) != CXCursor_VarDecl)
        return CXChildVisit_Continue;
    CXString name = c->getCursorSpelling(cursor);
    const char *word = c->getCString(name);
    if (strncmp(word, probe, sizeof probe - 1) == 0 && is_arithmetic(c, c->getCursorType(cursor)))
        value_of(p->g, cursor, p->values[strtoul(word + sizeof probe - 1, NULL, 10)]);
    c->disposeString(name);
    return CXChildVisit_Continue;
}

/* The lines are written before the file is read anew, which ends all cursors: put_cursor's texts stay, values
 * follow. */
static void put_macros(struct gathering *g, const char *text, size_t n)
{
    const struct libclang *c = &g->t.libclang;
    size_t length, n_macros = g->n_macros;
    char *all = with_probes(g, text, n, &length), **heads = alloc_zeroed(n_macros, sizeof *heads);
    FILE *out = g->out;
    for (size_t i = 0; i < n_macros; i++) {
        size_t head;
        g->out = open_memstream(&heads[i], &head);
        put_cursor(g, "macro", g->macros[i], "\x01");
        fclose(g->out);
    }
    g->out = out;
    struct probing p = {g, alloc_zeroed(n_macros, sizeof *p.values)};
    struct CXUnsavedFile file = {g->t.path, all, length};
    if (c->reparseTranslationUnit(g->t.unit, 1, &file, 0) == 0)
        c->visitChildren(c->getTranslationUnitCursor(g->t.unit), take_probe, &p);
    for (size_t i = 0; i < n_macros; i++) {
        char *mark = strchr(heads[i], '\x01');
        fprintf(out, "%.*s%s%s\n", (int)(mark - heads[i]), heads[i], *p.values[i] ? p.values[i] : "-", mark + 1);
        free(heads[i]);
    }
    free(p.values);
    free(heads);
    free(all);
}

char *facts_read(const char *path, const char *text, size_t n, const char *flags, size_t n_headers,
                 const char *const headers[], struct diags *diags)
{
    struct gathering g = {.n_headers = n_headers, .headers = headers};
    char *facts = NULL;
    size_t length;
    if (!translation_open(&g.t, path, text, n, flags, true, diags))
        return NULL;
    const struct libclang *c = &g.t.libclang;
    g.out = open_memstream(&facts, &length);
    c->visitChildren(c->getTranslationUnitCursor(g.t.unit), gather, &g);
    put_variables(&g);
    put_macros(&g, text, n);
    fclose(g.out);
    for (size_t i = 0; i < g.n_changes; i++)
        c->disposeString(g.changes[i].at.file);
    translation_close(&g.t);
    free(g.macros);
    free(g.changes);
    free(g.expansions);
    free(g.variables);
    return facts;
}

#else

char *facts_read(const char *path, const char *text, size_t n, const char *flags, size_t n_headers,
                 const char *const headers[], struct diags *diags)
{
    (void)text, (void)n, (void)flags, (void)n_headers, (void)headers;
    diag_warning(diags, place_of_file(path),
                 "this pevpm was built without libclang (`make deps` installs it): what only a compiler can tell is "
                 "not known");
    return NULL;
}

#endif
