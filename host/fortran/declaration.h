/* declaration.h - what the statements of a Fortran source declare: its names, one after the other, each with what that
 * statement says of it, and modules that are used.
 *
 * Types with attributes, statements of one attribute (dimension, common, external, ...), parameter and data. A name of
 * several statements comes from each. What is initialised by slashes behind its type is passed over. */
#ifndef PEVPM_HOST_FORTRAN_DECLARATION_H
#define PEVPM_HOST_FORTRAN_DECLARATION_H

#include "host/fortran/statement.h"

enum fortran_type { FORTRAN_UNTYPED, FORTRAN_INTEGER, FORTRAN_REAL, FORTRAN_OTHER_TYPE };

enum fortran_form {
    FORTRAN_NOTHING,         /* declares no names that are read here */
    FORTRAN_TYPED,           /* TYPE { "," ATTRIBUTE } [ "::" ] NAME ... */
    FORTRAN_ATTRIBUTED,      /* ATTRIBUTE [ "::" ] NAME ... */
    FORTRAN_PARAMETERS,      /* "parameter" "(" NAME "=" value { "," ... } ")" */
    FORTRAN_VALUES,          /* "data" names "/" values "/" { [ "," ] ... } */
};

struct fortran_entity {
    size_t name;             /* the token */
    enum fortran_type type;
    bool array;              /* it has bounds, here or by a `dimension` before it; in data: it is an element, or a part */
    bool procedure;          /* external, intrinsic, or procedure(...) */
    bool constant;           /* a parameter */
    struct host_range value; /* its first value, tokens; empty: none, or, in data, not known which */
};

/* Where items of a data statement are. */
struct fortran_items {
    size_t at, end;
    struct host_range item;
    size_t times;            /* that the item still stands for */
};

/* The names of one statement as they are gone through. */
struct fortran_entities {
    const struct host_text *host;
    enum fortran_form form;
    struct fortran_entity all; /* what holds for each */
    size_t at, end;
    bool blocks;             /* names between slashes are those of common blocks */
    struct fortran_items names, values;
    bool paired;             /* each name has a value of its own */
};

/* Begins with a statement; of one that declares nothing no names follow. */
void fortran_entities_begin(struct fortran_entities *entities, const struct fortran_text *text, size_t statement);

/* The next one, in the order of the statement. False: there is none. */
bool fortran_entities_next(struct fortran_entities *entities, struct fortran_entity *entity);

/* "use" [ [ "," NATURE ] "::" ] MODULE [ "," ( "only" ":" items | renames ) ] (Fortran 2018, 14.2.2), and of a submodule its
 * ancestor: "submodule" "(" MODULE [ ":" NAME ] ")" NAME. */
struct fortran_use {
    size_t module;           /* the token of its name */
    bool intrinsic;          /* the compiler's own */
    bool inherits;           /* the ancestor: what is private is seen, too */
    bool only;
    struct host_range items; /* renames, or what ONLY lists; empty: none */
};

/* False: the statement is none. */
bool fortran_use_read(const struct fortran_text *text, size_t statement, struct fortran_use *use);

/* The item of a list, renames by their new names, that is this word in small letters; host->n: none is. */
size_t fortran_item_find(const struct host_text *host, struct host_range items, const char *word, size_t n);

/* The module's own name for what the place of a USE calls `*word`, in small letters. False: it gives no such name. */
bool fortran_use_name(const struct host_text *host, const struct fortran_use *use, const char **word, size_t *n);

#endif
