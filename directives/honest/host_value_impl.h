/* host_value_impl.h - what host_names.c finds and host_value.c evaluates. */
#ifndef PEVPM_DIRECTIVES_HONEST_HOST_VALUE_IMPL_H
#define PEVPM_DIRECTIVES_HONEST_HOST_VALUE_IMPL_H

#include "directives/honest/host_value.h"
#include "host/scope.h"

enum host_meaning {
    HOST_UNKNOWN,
    HOST_CHANGING,     /* it is counted with */
    HOST_DEFINED,      /* the value of `range`, plus `more` */
    HOST_RANK,         /* in the communicator `range` */
    HOST_SIZE,
    HOST_DUPLICATE,    /* of that communicator */
};

struct host_name {
    const char *text;  /* not terminated */
    size_t n;
    enum host_meaning meaning;
    bool macro;
    struct host_range range;
    int64_t more;      /* of an enumerator without a value of its own */
};

struct host_names {
    const struct host_text *text;
    struct host_scopes scopes;
    size_t n;
    struct host_name *list; /* [n] ascending */
};

/* NULL: a name that is never defined. */
const struct host_name *host_name_find(const struct host_names *names, size_t token);

#endif
