/* constant_impl.h - which of the host source's declarations, if any, is the constant that a directive's name means. */
#ifndef PEVPM_DIRECTIVES_PARSE_CONSTANT_IMPL_H
#define PEVPM_DIRECTIVES_PARSE_CONSTANT_IMPL_H

#include "directives/parse/host_constant_impl.h"

/* Why the host source gives no constant for a name: a declaration of it, or the variable that is seen where the name
 * stands and has none. */
struct obstacle {
    const struct host_constant *constant;
    const struct host_variable *variable;
};

/* Macros and enumerators come first, then the variable that is seen at the place; where none is, all of the name count.
 * An argument stands for what every call in the file passes, where that is a variable of its own name. True where there
 * is an obstacle. */
bool constant_obstacle(struct parser *p, struct name *name, struct place at, struct obstacle *obstacle);

/* Adds notes to an error. */
void constant_explain(struct parser *p, const struct obstacle *obstacle);

/* The declaration to be used, where there is no obstacle. own: the variable of the module that a USE says, whose
 * declarations alone count; NULL: all do. NULL: none can be read. Two that differ are an error that tells to give a value
 * to the name `asked`; where that is NULL, there is none. */
struct host_constant *constant_choose(struct parser *p, struct name *name, const struct host_variable *own,
                                      const char *asked);

#endif
