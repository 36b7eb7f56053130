/* parse_impl.h - the parser's state, known on this shelf alone.
 *
 * Recursive descent; the grammar is docs/directives.md, and each parse function carries its production. An error puts
 * the parser into panic: no further error is reported until the function that can recover has found a place to go on.
 * What was read is kept (with NULL for a broken part), so that names and blocks are known and one mistake is one error.
 */
#ifndef PEVPM_DIRECTIVES_PARSE_PARSE_IMPL_H
#define PEVPM_DIRECTIVES_PARSE_PARSE_IMPL_H

#include "directives/directive.h"
#include "directives/parse/names.h"
#include "directives/token.h"
#include "directives/tree.h"

#include <stdint.h>

enum {
    NESTING_MOST = 200,      /* of expressions and blocks: what a person reads; bounds the recursion of every pass */
    PARAMETERS_DEEPEST = 64, /* parameters defined by parameters; multiplies with the depth of their expressions */
    FOLLOWED_MOST = 20000000, /* tokens looked at for calls that pass arguments on; bounds the time of recursions */
    HINTS_MOST = 1000000, /* names compared for `did you mean` in one file; bounds the time of a file full of errors */
};

/* A file of the program. */
struct unit {
    const struct source *source;
    struct directives directives;
    struct names names;           /* what the host source and its headers declare, host_constant.c: only `constant` and
                                   * what follows it, and `parameter`, count here */
    bool constants_read;
    struct host_reading *host;    /* the file, then its headers; NULL: not looked at */
};

struct parser {
    struct tree *tree;
    size_t n_units;
    struct unit *units;           /* [n_units] in the order of the program's list */
    struct unit *unit;            /* of what is being read or checked */
    struct host_modules *modules; /* Fortran's, of all units; NULL: not looked for */
    const struct source *source;  /* the unit's, or that of a header of it */
    struct diags *diags;
    struct names names;           /* of the directives */
    size_t next;                  /* directive of the unit to be read */
    const char *text;             /* that the lexer runs over */
    struct lexer lexer;
    struct token token, last;     /* the one to be read; the one read before it */
    int depth;                    /* of the expression being read */
    bool panic;
    bool recovered;               /* what could not be read has just been skipped */
    bool quiet;                   /* a host constant is being read: errors are not reported */
    bool in_time;                 /* in the TIME of a Serial, where distributions exist */
    struct collective *sized;     /* its `size` is being checked, where `partner` may stand; NULL */
    bool open_pending;            /* the statement ended in a `{`, which was reported */
    bool unclosed_reported;
    bool in_orphan;               /* the block about to be read belongs to no statement */
    bool close_pending;           /* a `}` stood on the line of its `{`, which was reported */
    int free_closings;            /* `}` whose `{` was reported as missing */
    size_t n_syntax, n_name;      /* errors */
    size_t n_params, params_capacity;
    struct parameter *params;     /* Param lines */
    struct procedure *last_procedure;
    int parameter_depth;          /* of parameters that are defined by parameters */
    size_t hints_left;            /* see HINTS_MOST */
    size_t followed;              /* see FOLLOWED_MOST */
    size_t n_definitions;
    const struct definition *definitions; /* borrowed */
    struct expr **defined;        /* [n_definitions] their expressions; NULL: numbers, or broken ones */
};

/* Every key. X(name); the first ones are EXPR_KEY_LIST, then BIND_KEY_LIST. */
#define KEY_LIST(X) EXPR_KEY_LIST(X) BIND_KEY_LIST(X) X(type) X(request) X(window) X(algorithm) X(iterations) X(while) X(var) X(step)
enum key {
#define X(name) WORD_##name,
    KEY_LIST(X)
#undef X
    N_KEYS
};
#define KEY_BIT(name) (UINT32_C(1) << WORD_##name)

/* The keys of one directive. */
struct keys {
    uint32_t given;               /* bits */
    struct place at[N_KEYS];      /* the key itself */
    struct expr *value[N_KEYS];   /* NULL: broken, or no expression */
    struct name *name[N_KEYS];    /* of var and the binding keys */
    struct token type;
    const char *algorithm;
    struct place algorithm_at;
    int n_requests;
    struct request *requests;
    struct name *window;
};

/* parse.c: errors, tokens. */
void parse_error(struct parser *p, struct place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same without panic: the parser knows how to go on. */
void parse_complain(struct parser *p, struct place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* An error about a name: defined twice, reserved. No panic. */
void parse_name_error(struct parser *p, struct place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
void parse_note(struct parser *p, struct place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "expected <expected>, found <the token>", with a hint where the token is another language's. */
void parse_unexpected(struct parser *p, const char *expected);
struct place parse_place(const struct parser *p, struct token token);
/* From the token to the last one read, or to the end of the token's line. */
struct place parse_place_from(const struct parser *p, struct token token);
void parse_advance(struct parser *p);
bool parse_accept(struct parser *p, enum token_kind kind);
/* False after an error. `what`: "`)`". */
bool parse_expect(struct parser *p, enum token_kind kind, const char *what);
struct token parse_peek(const struct parser *p);
bool parse_token_is(const struct parser *p, struct token token, const char *word); /* letter case apart */
/* The bytes of a microsecond as people write it outside of programs, with a Greek letter, from the token on; 0: it is none. */
size_t parse_microsecond(const struct parser *p, struct token token);
struct name *parse_intern(struct parser *p, struct token token);
/* ", did you mean `x`?" or "". */
#define HINT_BYTES 96
char *parse_hint(char hint[HINT_BYTES], const struct parser *p, struct token token, const char *const candidates[],
                 size_t n);
char *parse_hint_text(char hint[HINT_BYTES], const char *suggestion);
/* A name that may be declared: reports the words of the language and MPI_ names, and returns false. */
bool parse_may_declare(struct parser *p, struct token token);
/* The symbol a word of the language stands for; false when it is none. */
bool parse_reserved_symbol(const char *name, enum symbol_kind *symbol);

/* expr.c. NULL after an error. */
struct expr *parse_expr(struct parser *p);
/* "(" [ expr { "," expr } ] ")", the "(" read already. At most `most` are kept; all are counted. -1 after an error. */
int parse_arguments(struct parser *p, struct expr *arguments[], int most);
/* A node over n operands (the pointers are copied); NULL, reported, when it would be too deep. */
struct expr *parse_make(struct parser *p, enum expr_kind kind, struct place at, int n, struct expr *const operands[]);
struct expr *parse_make_value(struct parser *p, struct place at, struct value value);
/* Nodes belong to one place: what their names mean is settled there. */
struct expr *parse_copy(struct parser *p, const struct expr *expr);
/* The names of all that is written like a call, the distributions only on demand. Returns how many. */
enum { FUNCTION_NAMES_MOST = 48 };
size_t parse_function_names(const char *names[FUNCTION_NAMES_MOST], bool distributions);

/* key.c */
void parse_keys(struct parser *p, uint32_t allowed, const char *statement, struct keys *keys);
void parse_recover(struct parser *p);
/* The value is over: what may follow it in a list of keys. False at the end of the directive. */
bool parse_separator(struct parser *p);
/* The `=` behind a key or a name. Where it is missing, or is a `==`, that is reported and the value that follows is
 * read. False where none follows. */
bool parse_assign(struct parser *p, const char *key);
const char *key_text(enum key key);
/* Reports all keys of `required` that are missing in one error. */
void parse_require(struct parser *p, const struct keys *keys, uint32_t required, const char *what, struct place at);

/* message.c, serial.c, stmt.c: the directive's keyword has been read. */
void parse_message(struct parser *p, struct stmt *stmt);
void parse_collective(struct parser *p, struct stmt *stmt);
void parse_serial(struct parser *p, struct stmt *stmt);
/* Adjacent Serial lines of which one has `on` become one statement. */
void parse_merge_serials(struct parser *p, struct block *block);

/* What a directive is, as far as blocks go. */
struct statement {
    struct stmt *stmt;            /* NULL: a declaration, or broken beyond use */
    struct procedure *procedure;
    const char *keyword;          /* NULL: unknown; then any blocks that follow are its own */
    struct place at;
    int blocks;                   /* it must have */
};
struct statement parse_statement(struct parser *p);
/* The index into tree->variables; declares it. */
int parse_variable(struct parser *p, struct name *name, struct place at, enum variable_kind kind);

/* block.c: the unit's directives; `block`: those outside of procedures. */
void parse_file(struct parser *p, struct block *block);

/* stmt.c: the expression of a -D, whose source the tree keeps; NULL after an error. */
struct expr *parse_definition(struct parser *p, const struct definition *definition);

/* tree.c: goes on with another file. At a place that is in none, with the one it is in. */
void parse_enter(struct parser *p, struct unit *unit);
void parse_enter_place(struct parser *p, struct place at);

/* check.c: names, after everything has been read. */
void check_names(struct parser *p);

#endif
