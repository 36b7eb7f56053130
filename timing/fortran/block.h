/* block.h - how far whole statements of Fortran go that may be timed as one block, and why none may be timed there. */
#ifndef PEVPM_TIMING_FORTRAN_BLOCK_H
#define PEVPM_TIMING_FORTRAN_BLOCK_H

#include "timing/fortran/scope.h"
#include "timing/language.h"

/* The statements of bytes [begin, end). */
struct timed_block fortran_block_find(struct fortran_files *files, const struct fortran_text *text, size_t begin,
                                      size_t end);

#endif
