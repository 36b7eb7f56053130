/* words.h - wrappers of calls whose arguments need no types.
 *
 * SPDX-License-Identifier: MIT
 *
 * Nothing is known of the arguments but that there are at most WORDS of them, none of them a floating-point number or a
 * structure: each is in a register or takes a word of the stack, which the caller removes (System V on x86-64, AAPCS64,
 * ELFv2, RISC-V). So they are handed on as words, as many as there may be, whatever the call has. Fortran's take the
 * same way, with the lengths of their texts. A symbol of the name is given to a function of another name, since mpi.h
 * has its own declaration. */
#ifndef PEVPM_RECORDER_WORDS_H
#define PEVPM_RECORDER_WORDS_H

#include <stdint.h>

/* The longest call, MPI_Rget_accumulate, has 13, the longest one of Fortran 14. */
typedef uintptr_t word;
#define WORDS word a, word b, word c, word d, word e, word f, word g, word h, word i, word j, word k, word l, word m, word n
#define THE_WORDS a, b, c, d, e, f, g, h, i, j, k, l, m, n

#endif
