/* macro.h - C's macros in the expressions of directives: what a macro stands for is put in as text.
 *
 * With `#define PK 2+3`, PK*2 is 2+3*2. Operators bind anew around each name that stands for a sum, a product, a
 * comparison, a condition, ... without parentheses of its own; where the name is all that stands between parentheses or
 * commas, or the macro is a single value, nothing changes. */
#ifndef PEVPM_DIRECTIVES_PARSE_MACRO_H
#define PEVPM_DIRECTIVES_PARSE_MACRO_H

#include "directives/parse/parse_impl.h"

/* What a macro's name stands for; NULL: it is none, or is overridden. */
typedef const struct expr *macro_lookup(struct parser *p, const struct expr *name);

/* Puts in all that stands in the expression, in place. False, reported, when it grows too large. */
bool macro_expand(struct parser *p, struct expr *expr, macro_lookup *lookup);

#endif
