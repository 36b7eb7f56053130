/* call.h - the MPI calls of a C, C++ or Fortran source, as far as they can be read without a compiler.
 *
 * A small tokenizer of our own and not a compiler's front end: the host source need not compile where it is checked
 * (its headers may be on the cluster only), and Fortran must be read as well as C. So nothing is preprocessed, there
 * are no types and no scopes; whoever uses this must bear that something cannot be read (honest/host_value.h).
 *
 * A call is a name that begins with MPI_ followed by arguments in parentheses, over as many lines as it takes, outside
 * of comments and strings. Fortran's letter case does not matter and its continuation marks are taken away. */
#ifndef PEVPM_DIRECTIVES_HOST_CALL_H
#define PEVPM_DIRECTIVES_HOST_CALL_H

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
    char *text;            /* the source without comments and the insides of strings; Fortran in small letters */
    size_t n, capacity;
    struct host_token *tokens;
};

/* Tokens first ... end - 1. */
struct host_range {
    size_t first, end;
};

enum { HOST_ARGUMENTS_MOST = 16 }; /* MPI_Sendrecv in Fortran has 13 */

struct host_call {
    size_t name;           /* the token */
    int n;                 /* arguments; HOST_ARGUMENTS_MOST + 1: more than that */
    struct host_range arguments[HOST_ARGUMENTS_MOST];
    size_t end;            /* the token behind the closing `)` */
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

/* Fortran: whether the statement that token i begins ends a subroutine, a function, a program or a module; the token of
 * the statement that ends the procedure which token i is in (its `contains` too), text->n where there is none. */
bool host_ends_unit(const struct host_text *text, size_t i);
size_t host_procedure_end(const struct host_text *text, size_t i);

/* Whether token i is a word of one of C's arithmetic types, or MPI_Comm or MPI_Datatype. */
bool host_is_type_word(const struct host_text *text, size_t i);

/* Reads the call whose name is token i. False: it is no MPI call, or its `)` is missing. */
bool host_call_read(const struct host_text *text, size_t i, struct host_call *call);

/* The MPI calls from byte `begin` to byte `end`, in order, no further than the block in which `begin` stands: up to an
 * unmatched `}`, or the end of a Fortran procedure. At most `most` are kept; returns how many. */
size_t host_calls_find(const struct host_text *text, size_t begin, size_t end, size_t most, struct host_call calls[]);

#endif
