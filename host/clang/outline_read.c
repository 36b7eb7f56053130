#include "host/outline.h"

#include "host/clang/translation.h"

#ifdef PEVPM_LIBCLANG

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct translation t;
    struct outline *outline;
    const char *text;
    size_t length;
};

/* Where a visit is: the block, and the statement that a comment can stand before. */
struct spot {
    struct reading *r;
    int parent;
    int line, last_line;
    const char *function;  /* around, as a person calls it; NULL: none */
    const char *variable;  /* whose first value this is; NULL: of none */
};

struct list {
    CXCursor *cursors;
    size_t n, capacity;
};

static enum CXChildVisitResult take(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct list *list = data;
    (void)parent;
    list->cursors = alloc_grow(list->cursors, list->n, &list->capacity, sizeof *list->cursors);
    list->cursors[list->n++] = cursor;
    return CXChildVisit_Continue;
}

struct extent {
    unsigned begin, end;
    int line, last_line;
};

static struct extent extent_of(const struct reading *r, CXCursor cursor)
{
    const struct libclang *c = &r->t.libclang;
    CXSourceRange range = c->getCursorExtent(cursor);
    struct extent extent;
    unsigned first, last;
    c->getExpansionLocation(c->getRangeStart(range), NULL, &first, NULL, &extent.begin);
    c->getExpansionLocation(c->getRangeEnd(range), NULL, &last, NULL, &extent.end);
    extent.line = (int)first;
    extent.last_line = (int)last;
    return extent;
}

static const char *keep(const struct reading *r, CXString text)
{
    const char *word = r->t.libclang.getCString(text);
    const char *kept = arena_string_n(&r->outline->memory, word ? word : "", word ? strlen(word) : 0);
    r->t.libclang.disposeString(text);
    return kept;
}

/* Of the file, blanks joined. */
static const char *keep_text(const struct reading *r, size_t begin, size_t end)
{
    end = end < r->length ? end : r->length;
    begin = begin < end ? begin : end;
    char *text = alloc_array(end - begin + 1, 1);
    size_t n = 0;
    for (size_t i = begin; i < end; i++) {
        bool blank = isspace((unsigned char)r->text[i]);
        if (!blank)
            text[n++] = r->text[i];
        else if (n > 0 && text[n - 1] != ' ')
            text[n++] = ' ';
    }
    while (n > 0 && text[n - 1] == ' ')
        n--;
    const char *kept = arena_string_n(&r->outline->memory, text, n);
    free(text);
    return kept;
}

/* Behind the quote that closes a text or a character, at whose opening quote `at` is. */
static size_t end_of_quoted(const struct reading *r, size_t at)
{
    const char quote = r->text[at++];
    while (at < r->length && r->text[at] != quote)
        at += r->text[at] == '\\' ? 2 : 1;
    return at + 1;
}

/* The comma or bracket that ends an argument which begins at a place of the file. */
static size_t end_of_argument(const struct reading *r, size_t begin)
{
    int depth = 0;
    size_t at = begin;
    while (at < r->length) {
        const char ch = r->text[at];
        if (depth == 0 && (ch == ',' || ch == ')'))
            break;
        depth += ch == '(' || ch == '[' || ch == '{';
        depth -= ch == ')' || ch == ']' || ch == '}';
        at = ch == '"' || ch == '\'' ? end_of_quoted(r, at) : at + 1;
    }
    return at;
}

/* The offset in the file; of what is a macro's argument, there, where extents are all the macro's. */
static size_t written_at(const struct reading *r, CXCursor cursor)
{
    const struct libclang *c = &r->t.libclang;
    unsigned at;
    c->getFileLocation(c->getRangeStart(c->getCursorExtent(cursor)), NULL, NULL, NULL, &at);
    return at;
}

/* Where the arguments of a call begin that is a macro's argument itself, as in CHECK(MPI_Send(...)); 0: of another, or of one
 * that a macro puts together. */
static size_t arguments_in_macro(const struct reading *r, CXCursor call, const char *name)
{
    const size_t begin = written_at(r, call), n = strlen(name);
    if (begin == extent_of(r, call).begin || n == 0 || begin >= r->length || r->length - begin <= n ||
        memcmp(r->text + begin, name, n) != 0)
        return 0;
    size_t at = begin + n;
    while (at < r->length && isspace((unsigned char)r->text[at]))
        at++;
    return at < r->length && r->text[at] == '(' ? at + 1 : 0;
}

static struct outline_argument argument_of(const struct reading *r, CXCursor cursor, size_t begin, size_t end)
{
    const struct libclang *c = &r->t.libclang;
    struct outline_argument argument = {.text = keep_text(r, begin, end)};
    CXEvalResult result = c->Cursor_Evaluate(cursor);
    argument.known = result && c->EvalResult_getKind(result) == CXEval_Int;
    if (argument.known)
        argument.value = c->EvalResult_getAsLongLong(result);
    if (result)
        c->EvalResult_dispose(result);
    return argument;
}

/* As they are written: an argument of a macro's argument, too, has its own text. */
static void read_arguments(const struct reading *r, CXCursor call, struct outline_node *node)
{
    size_t begin = arguments_in_macro(r, call, node->name);
    for (int i = 0; i < node->n_arguments; i++) {
        const CXCursor cursor = r->t.libclang.Cursor_getArgument(call, (unsigned)i);
        const struct extent extent = extent_of(r, cursor);
        const size_t end = begin > 0 ? end_of_argument(r, begin) : 0, at = written_at(r, cursor);
        const bool there = begin > 0 && at >= begin && at < end;
        node->arguments[i] = there ? argument_of(r, cursor, begin, end) : argument_of(r, cursor, extent.begin, extent.end);
        begin = there ? end + 1 : 0;
    }
}

static int add(const struct reading *r, const struct outline_node *node)
{
    struct outline *outline = r->outline;
    outline->nodes = alloc_grow(outline->nodes, outline->n, &outline->capacity, sizeof *outline->nodes);
    outline->nodes[outline->n] = *node;
    return (int)outline->n++;
}

static void visit(struct spot spot, CXCursor cursor);

static void visit_children(struct spot spot, CXCursor cursor)
{
    struct list list = {0};
    spot.r->t.libclang.visitChildren(cursor, take, &list);
    for (size_t i = 0; i < list.n; i++)
        visit(spot, list.cursors[i]);
    free(list.cursors);
}

/* A statement that a comment can stand before. */
static void visit_statement(struct spot spot, CXCursor cursor)
{
    struct extent extent = extent_of(spot.r, cursor);
    spot.line = extent.line;
    spot.last_line = extent.last_line;
    visit(spot, cursor);
}

static void visit_arm(struct spot spot, CXCursor arm, unsigned group)
{
    struct extent extent = extent_of(spot.r, arm);
    bool block = spot.r->t.libclang.getCursorKind(arm) == CXCursor_CompoundStmt && extent.last_line > extent.line;
    spot.parent = add(spot.r, &(struct outline_node){
        .kind = OUTLINE_ARM, .parent = spot.parent, .order = extent.begin, .group = group, .line = extent.line,
        .last_line = extent.last_line, .open_line = extent.line + block,
        .close_line = extent.last_line + !block});
    visit_statement(spot, arm);
}

static void visit_if(struct spot spot, CXCursor cursor)
{
    const struct libclang *c = &spot.r->t.libclang;
    struct list list = {0};
    c->visitChildren(cursor, take, &list);
    unsigned group = extent_of(spot.r, cursor).begin;
    size_t first = 0; /* C++: if (int n = f(); ...) */
    while (first + 2 < list.n && c->getCursorKind(list.cursors[first]) == CXCursor_DeclStmt)
        visit(spot, list.cursors[first++]);
    if (first < list.n)
        visit(spot, list.cursors[first]);
    for (size_t i = first + 1; i < list.n; i++)
        visit_arm(spot, list.cursors[i], group);
    free(list.cursors);
}

/* The two sides of `x < LIMIT` or `x <= LIMIT`, alone or where `&&` joins more to it; n is 0 where there is none. Ends
 * with free(sides.cursors). */
static struct list comparison(const struct reading *r, CXCursor cursor, bool *equal)
{
    const struct libclang *c = &r->t.libclang;
    struct list sides = {0}, none = {0};
    if (c->getCursorKind(cursor) == CXCursor_BinaryOperator || c->getCursorKind(cursor) == CXCursor_UnexposedExpr ||
        c->getCursorKind(cursor) == CXCursor_ParenExpr)
        c->visitChildren(cursor, take, &sides);
    struct list found = sides.n == 1 ? comparison(r, sides.cursors[0], equal) : none;
    if (sides.n == 2) {
        struct extent left = extent_of(r, sides.cursors[0]), right = extent_of(r, sides.cursors[1]);
        const char *between = keep_text(r, left.end, right.begin);
        while (*between == ' ')
            between++;
        size_t n = strcspn(between, " ");
        *equal = n == 2 && memcmp(between, "<=", 2) == 0;
        if (*equal || (n == 1 && *between == '<'))
            return sides;
        for (int i = 0; i < 2 && n == 2 && memcmp(between, "&&", 2) == 0 && found.n == 0; i++)
            found = comparison(r, sides.cursors[i], equal);
    }
    free(sides.cursors);
    return found;
}

/* Is the whole word in the text? */
static bool has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = text; n > 0 && (at = strstr(at, word)) != NULL; at += n) {
        const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_')
            return true;
    }
    return false;
}

static bool same_but_blanks(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

/* Is it `x++`, `++x`, `x += 1` or `x = x + 1`? */
static bool is_next(const char *step, const char *counter)
{
    char *const forms[] = {alloc_format("%s++", counter), alloc_format("++%s", counter), alloc_format("%s+=1", counter),
                           alloc_format("%s=%s+1", counter, counter)};
    bool found = false;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        found = found || same_but_blanks(step, forms[i]);
        free(forms[i]);
    }
    return found;
}

/* The counter and the limit of `for (int x = A; x < LIMIT; x++)`. */
static void read_head(const struct reading *r, CXCursor cursor, const struct list *parts, struct outline_node *node)
{
    const struct libclang *c = &r->t.libclang;
    if (c->getCursorKind(cursor) != CXCursor_ForStmt || parts->n != 4)
        return;
    struct extent start = extent_of(r, parts->cursors[0]), condition = extent_of(r, parts->cursors[1]),
                  step = extent_of(r, parts->cursors[2]);
    const char *init = keep_text(r, start.begin, start.end), *sign = strchr(init, '=');
    bool equal = false;
    struct list sides = comparison(r, parts->cursors[1], &equal);
    node->head = keep_text(r, condition.begin, condition.end);
    if (sign && sides.n == 2) {
        struct extent left = extent_of(r, sides.cursors[0]);
        const char *counter = keep_text(r, left.begin, left.end);
        char *end;
        long first = strtol(sign + 1, &end, 10);
        if (!has_word(init, counter)) {
            free(sides.cursors);
            return;
        }
        node->name = counter;
        if (end > sign + 1 && end[strspn(end, " ;")] == '\0' && labs(first) < 1000 &&
            is_next(keep_text(r, step.begin, step.end), counter)) {
            const struct extent limit = extent_of(r, sides.cursors[1]);
            node->limit = argument_of(r, sides.cursors[1], limit.begin, limit.end);
            node->beyond = (int)equal - (int)first;
        }
    }
    free(sides.cursors);
}

static void visit_loop(struct spot spot, CXCursor cursor)
{
    const struct libclang *c = &spot.r->t.libclang;
    struct extent extent = extent_of(spot.r, cursor);
    struct list list = {0};
    c->visitChildren(cursor, take, &list);
    struct outline_node node = {.kind = OUTLINE_LOOP, .parent = spot.parent, .order = extent.begin,
                                .line = extent.line, .last_line = extent.last_line, .open_line = spot.line,
                                .close_line = extent.last_line + 1};
    read_head(spot.r, cursor, &list, &node);
    spot.parent = add(spot.r, &node);
    size_t body = c->getCursorKind(cursor) == CXCursor_DoStmt ? 0 : list.n - 1;
    for (size_t i = 0; i < list.n; i++) {
        if (i == body)
            visit_statement(spot, list.cursors[i]);
        else
            visit(spot, list.cursors[i]);
    }
    free(list.cursors);
}

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

/* A call whose function depends on the arguments of a template has no name of its own: what is called, its first child or
 * that within parentheses, has one. */
static const char *called(const struct reading *r, CXCursor cursor)
{
    const struct libclang *c = &r->t.libclang;
    const char *name = keep(r, c->getCursorSpelling(cursor));
    while (!*name && c->visitChildren(cursor, take_first, &cursor) != 0)
        name = keep(r, c->getCursorSpelling(cursor));
    return name;
}

/* Is a value made of others, as in `std::function<void()> f = [] ...`? `auto x = g([] ...)` is not. Constructors that nobody
 * wrote, as those of lambdas, are no declarations. */
static bool makes_value(const struct reading *r, CXCursor call)
{
    const struct libclang *c = &r->t.libclang;
    const CXCursor callee = c->getCursorReferenced(call);
    return c->Cursor_isNull(callee) || c->getCursorKind(callee) == CXCursor_Constructor;
}

struct lambda_search {
    const struct reading *r;
    bool found;
};

static enum CXChildVisitResult find_lambda(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct lambda_search *search = data;
    const enum CXCursorKind kind = search->r->t.libclang.getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_CallExpr && !makes_value(search->r, cursor))
        return CXChildVisit_Continue; /* which takes it */
    search->found = kind == CXCursor_LambdaExpr;
    return search->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Does a library go round with a lambda, as std::for_each does? It may as well call it once. */
static bool goes_round(const struct reading *r, CXCursor call)
{
    const struct libclang *c = &r->t.libclang;
    const CXCursor callee = c->getCursorReferenced(call);
    struct lambda_search search = {.r = r};
    if (!c->Cursor_isNull(callee) && c->Location_isInSystemHeader(c->getCursorLocation(callee)) && !makes_value(r, call))
        c->visitChildren(call, find_lambda, &search);
    return search.found;
}

static void visit_call(struct spot spot, CXCursor cursor)
{
    const struct libclang *c = &spot.r->t.libclang;
    struct extent extent = extent_of(spot.r, cursor);
    int n = c->Cursor_getNumArguments(cursor);
    const char *name = called(spot.r, cursor);
    if (outline_goes_round(name) || goes_round(spot.r, cursor))
        spot.parent = add(spot.r, &(struct outline_node){
            .kind = OUTLINE_LOOP, .parent = spot.parent, .order = extent.begin, .line = extent.line,
            .last_line = extent.last_line, .open_line = spot.line, .close_line = spot.last_line + 1});
    struct outline_node node = {.kind = OUTLINE_CALL, .parent = spot.parent, .order = extent.end,
                                .line = extent.line, .last_line = extent.last_line, .open_line = spot.line,
                                .close_line = spot.last_line + 1, .n_arguments = n < 0 ? 0 : n};
    node.name = name;
    if (node.n_arguments > 0)
        node.arguments = arena_alloc(&spot.r->outline->memory, (size_t)n, sizeof *node.arguments);
    read_arguments(spot.r, cursor, &node);
    add(spot.r, &node);
    if (!makes_value(spot.r, cursor))
        spot.variable = NULL;
    visit_children(spot, cursor);
}

static const char *lambda_name(const struct reading *r, const char *around)
{
    char *name = around ? alloc_format("lambda_in_%s", around) : alloc_string("lambda");
    const char *kept = arena_string_n(&r->outline->memory, name, strlen(name));
    free(name);
    return kept;
}

static void visit_function(struct spot spot, CXCursor cursor)
{
    struct extent extent = extent_of(spot.r, cursor);
    struct outline_node node = {.kind = OUTLINE_FUNCTION, .parent = -1, .order = extent.begin, .line = extent.line,
                                .last_line = extent.last_line, .open_line = extent.line,
                                .close_line = extent.last_line + 1};
    if (spot.r->t.libclang.getCursorKind(cursor) == CXCursor_LambdaExpr) {
        node.name = "operator()";
        node.known_as = spot.variable ? spot.variable : lambda_name(spot.r, spot.function);
    } else {
        node.name = keep(spot.r, spot.r->t.libclang.getCursorSpelling(cursor));
    }
    spot.function = node.known_as ? node.known_as : node.name;
    spot.parent = add(spot.r, &node);
    spot.line = spot.last_line = extent.line;
    spot.variable = NULL;
    visit_children(spot, cursor);
}

static void visit_variable(struct spot spot, CXCursor cursor)
{
    spot.variable = keep(spot.r, spot.r->t.libclang.getCursorSpelling(cursor));
    visit_children(spot, cursor);
}

static void visit(struct spot spot, CXCursor cursor)
{
    const struct libclang *c = &spot.r->t.libclang;
    switch (c->getCursorKind(cursor)) {
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
    case CXCursor_FunctionTemplate:
        if (c->isCursorDefinition(cursor))
            visit_function(spot, cursor);
        return;
    case CXCursor_LambdaExpr: visit_function(spot, cursor); return;
    case CXCursor_VarDecl:
    case CXCursor_FieldDecl: visit_variable(spot, cursor); return;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_CXXForRangeStmt: visit_loop(spot, cursor); return;
    case CXCursor_IfStmt: visit_if(spot, cursor); return;
    case CXCursor_CallExpr: visit_call(spot, cursor); return;
    case CXCursor_CompoundStmt: {
        struct list list = {0};
        c->visitChildren(cursor, take, &list);
        for (size_t i = 0; i < list.n; i++)
            visit_statement(spot, list.cursors[i]);
        free(list.cursors);
        return;
    }
    default: visit_children(spot, cursor); return;
    }
}

/* What stands in the file itself. */
static void visit_file(struct reading *r, CXCursor unit)
{
    const struct libclang *c = &r->t.libclang;
    struct list list = {0};
    c->visitChildren(unit, take, &list);
    for (size_t i = 0; i < list.n; i++) {
        struct position at = position_of(&r->t, c->getCursorLocation(list.cursors[i]));
        const char *file = c->getCString(at.file);
        if (file && strcmp(file, r->t.path) == 0)
            visit((struct spot){.r = r, .parent = -1}, list.cursors[i]);
        c->disposeString(at.file);
    }
    free(list.cursors);
}

bool outline_read(struct outline *outline, const char *path, const char *text, size_t length, const char *flags,
                  struct diags *diags)
{
    struct reading r = {.outline = outline, .text = text, .length = length};
    *outline = (struct outline){.memory = ARENA_EMPTY};
    if (!translation_open(&r.t, path, text, length, flags, false, diags))
        return false;
    visit_file(&r, r.t.libclang.getTranslationUnitCursor(r.t.unit));
    translation_close(&r.t);
    return true;
}

#else

bool outline_read(struct outline *outline, const char *path, const char *text, size_t length, const char *flags,
                  struct diags *diags)
{
    (void)text, (void)length, (void)flags;
    *outline = (struct outline){0};
    diag_warning(diags, place_of_file(path), "this pevpm was built without libclang (`make deps` installs it)");
    return false;
}

#endif
