/* host_constant_impl.h - the constants that the host source itself declares, where they can be read without a compiler.
 *
 * Each file of a program has its own: those it declares, and those of what it includes. C and C++: `#define N 256`,
 * enumerators, and initialised variables of arithmetic type, const or not, anywhere in the file; Fortran: `parameter`,
 * initialised variables, those of DATA statements, and `#define N 256`; Python: assignments at the start of a line;
 * shell: `N=256`. A value is an expression of numbers, sizeof, numprocs and other such names; anything else is passed
 * over. A variable that a file changes anywhere (host/change.h), an argument and a member are no constants. A value is
 * converted to the declared type as the host language would; one that the type does not hold is not read. */
#ifndef PEVPM_DIRECTIVES_PARSE_HOST_CONSTANT_IMPL_H
#define PEVPM_DIRECTIVES_PARSE_HOST_CONSTANT_IMPL_H

#include "host/scope.h"
#include "host/type.h"
#include "directives/parse/parse_impl.h"
#include "host/facts.h"

struct host_constant {
    const char *name;
    struct place at;
    struct expr *value;         /* NULL: it needs a compiler */
    bool macro;
    const struct host_variable *variable; /* that it declares, in C and Fortran; NULL: a macro or an enumerator */
    enum host_change change;    /* what is done to it elsewhere: it is no constant then */
    struct place changed_at;
    bool confirmed;             /* a compiler knows of it */
    bool readable;              /* what its value refers to can be read too; settled by the check of names */
    int parameter;              /* the parameter that it has become, -1: none (yet) */
    struct host_constant *next; /* another declaration of the same name, in the order of the file */
};

/* A file as tokens: the unit's own first, then what it includes. */
struct host_reading {
    struct host_text text;
    struct host_scopes scopes;
    struct host_uses *uses;     /* Fortran's; NULL: C */
    struct host_reading *next;
};

/* host_constant.c: hangs what p->source declares on the unit's names. host: the same as tokens; NULL: Python, shell. */
void host_constants_read(struct parser *p, const struct host_reading *host);

/* host_unit.c, all that follows but for what is said: what a file and its headers declare, read when something is
 * asked. */

/* Reads it, if that is still to be done. */
void host_unit_read(struct parser *p);

/* host_compiled.c: puts what a compiler knows of the unit (host/facts.h) over what was read without one: which of
 * several declarations is compiled, values, and what changes a variable. */
void host_constants_compile(struct parser *p);

/* A name of the unit's host source. */
struct name *host_constant_intern(struct parser *p, const char *text, size_t n, bool fortran);

/* One more declaration of it, the last. */
void host_constant_add(struct name *name, struct host_constant *constant);

/* What the current unit knows of a name; made where it is new. */
struct name *host_constant_name(struct parser *p, const char *text);

/* The declarations of a name in the current unit, NULL where there are none. Fortran's names ignore letter case. */
struct host_constant *host_constants_of(struct parser *p, const struct name *name);

/* What the source says of a name at the place of a directive: the variable that is seen there. NULL: none, or the
 * host has no scopes that we know. */
const struct host_variable *host_constant_seen(struct parser *p, const char *name, struct place at);

/* Does another file of the program change the variable, which the whole file sees? Then `change` and `changed_at` say
 * where. */
bool host_constant_changed_elsewhere(struct parser *p, struct host_constant *constant);

/* Does another file of the program call the function, or take its address? */
bool host_constant_called_elsewhere(struct parser *p, const struct host_function *function);

/* The functions of the source, once something has been looked up in it. */
const struct host_functions *host_constant_functions(const struct parser *p);

/* The place of a token of the source, for notes. */
struct place host_constant_place(const struct parser *p, size_t token);

/* host_module.c: Fortran's modules. A USE statement brings in what a module of any file of the program declares, and what
 * that module uses in turn, but for what is private, under the names that it says. One at the place of the name counts,
 * innermost first; where there is none, and the file itself declares no such name, all of the file's count, if they
 * agree. A module of the file that uses it comes before one of another file; one that stands in two others is unknown.
 *
 * Enters the file of the module from which `name` at `at` comes; the two become its name there and the end of the module.
 * Where a USE has renamed it on the way, no -D and no Param is known by the name that is left: theirs is the one asked for.
 * Returns the module's variable. NULL: it comes from none, and all is as it was. */
const struct host_variable *host_module_enter(struct parser *p, struct name **name, struct place *at);

/* Notes on the modules that are used at a place and do not give the name: unknown ones, and those that hide it. */
void host_module_explain(struct parser *p, const char *name, struct place at);

/* Does anything in the program change a variable of a module of the current unit, by way of USE? Then `change` and
 * `changed_at` say where. */
bool host_module_changed(struct parser *p, struct host_constant *constant);

struct host_uses *host_uses_read(const struct host_reading *host);
void host_uses_free(struct host_uses *uses);
void host_modules_free(struct parser *p);

/* host_constant.c: C's cast of an expression; NULL where the value cannot be read. */
struct expr *host_constant_cast(struct parser *p, struct expr *expr, const struct host_type *type);

/* What has been read of a unit, freed with the parser. */
void host_constants_free(struct unit *unit);

/* host_constant.c: whether two values are the same: equal numbers, or expressions of the same form. */
bool host_constants_equal(const struct expr *a, const struct expr *b);

#endif
