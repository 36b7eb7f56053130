/* flags.h - a compiler's flags as words. */
#ifndef PEVPM_HOST_FLAGS_H
#define PEVPM_HOST_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

struct flags {
    size_t n, capacity;
    char **list;             /* [n] */
};

/* Takes a command line apart as a shell does: blanks, quotes of both kinds, backslashes. */
void flags_split(struct flags *flags, const char *command);

/* Is it C++, by the file's name or by `-x c++` among the flags (NULL: none)? A `.h` says nothing of itself, and is C. */
bool flags_say_cpp(const char *path, const char *flags);

/* Adds a word that was allocated: taken. */
void flags_add(struct flags *flags, char *word);

/* Adds where MPI's headers are and what its compiler defines, as mpicc (mpicxx) says it: Open MPI's --showme:compile,
 * or MPICH's -compile_info. Folders become -isystem. Returns whether the compiler said so. */
bool flags_add_mpi(struct flags *flags, bool cpp);

void flags_free(struct flags *flags);

#endif
