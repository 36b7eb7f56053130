/* type.h - C's arithmetic types by their words, as far as the directives know them, and numbers that a compiler
 * knows. */
#ifndef PEVPM_HOST_TYPE_H
#define PEVPM_HOST_TYPE_H

#include "directives/value.h"
#include "host/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum host_type_kind { HOST_TYPE_NONE, HOST_TYPE_INTEGER, HOST_TYPE_REAL };

struct host_type {
    enum host_type_kind kind;
    int bits;          /* 0: of the width that an int has */
    bool is_unsigned, constant;
};

/* Adds a word to a type. False: it is no such word. */
bool host_type_add(struct host_type *type, const char *word, size_t n);

/* The value as C converts it to the type; VALUE_NONE where that does not keep it, fraction apart. */
struct value host_type_convert(const struct host_type *type, struct value value);

/* A number as the facts write it. VALUE_NONE: only the run knows it. */
struct value host_fact_value(const struct fact *fact);

#endif
