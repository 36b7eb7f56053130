/* text.h - the tokens of a C, C++ or Fortran source.
 *
 * A small tokenizer of our own and not a compiler's front end: the host source need not compile where it is checked
 * (its headers may be on the cluster only), and Fortran must be read as well as C. So nothing is preprocessed, and there
 * are no types and no scopes; whoever uses this must bear that something cannot be read.
 *
 * Comments leave no token. Fortran's letter case does not matter and its continuation marks are taken away. */
#ifndef PEVPM_HOST_TEXT_H
#define PEVPM_HOST_TEXT_H

#include "directives/source.h"
#include "directives/value.h"

#include <stdbool.h>
#include <stddef.h>

enum host_token_kind {
    HOST_NAME,
    HOST_NUMBER,   /* value; VALUE_NONE where it is none that we know */
    HOST_STRING,   /* a string or character literal */
    HOST_MARK,     /* the longest of C's or Fortran's operators and punctuators */
    HOST_NEWLINE,  /* the end of a Fortran statement, or of a line of C's preprocessor */
};

struct host_token {
    enum host_token_kind kind;
    size_t at, n;          /* offset into the source's text, bytes */
    bool directive;        /* the `#` of a preprocessor line */
    struct value value;
};

struct host_text {
    const struct source *source; /* borrowed */
    bool fortran;
    bool only_c;           /* by its name, .c: words of C++ are names like others */
    char *text;            /* the source without comments and the insides of strings; Fortran in small letters */
    size_t n, capacity;
    struct host_token *tokens;
};

/* Tokens first ... end - 1. */
struct host_range {
    size_t first, end;
};

/* Reads the tokens. False: the source is neither C nor Fortran, or is too long to be a program; nothing is to be freed.
 * Ends with host_text_free. */
bool host_text_read(struct host_text *text, const struct source *source);
void host_text_free(struct host_text *text);

/* The first token at or behind a byte of the source; text->n where there is none. */
size_t host_token_at(const struct host_text *text, size_t offset);

/* Whether token i is this word or mark; a name's letter case does not count in Fortran. False beyond the end. */
bool host_token_is(const struct host_text *text, size_t i, const char *word);

/* Likewise one of n words; words: an array. */
bool host_token_is_any(const struct host_text *text, size_t i, size_t n, const char *const words[]);
#define HOST_TOKEN_IS_ANY(text, i, words) host_token_is_any(text, i, sizeof(words) / sizeof *(words), words)

/* Whether token i is a word of one of C's arithmetic types, or MPI_Comm or MPI_Datatype. */
bool host_is_type_word(const struct host_text *text, size_t i);

#endif
