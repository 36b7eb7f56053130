/* SPDX-FileCopyrightText: the pevpm authors
 * SPDX-License-Identifier: MIT
 *
 * pevpm_time.c - the functions of pevpm_time.h, for Fortran (pevpm_time.F90) and for compilers without weak symbols. */
#ifndef PEVPM_TIME
#define PEVPM_TIME
#endif
#ifndef PEVPM_TIME_EXTERN
#define PEVPM_TIME_EXTERN
#endif
#define PEVPM_TIME_IMPLEMENTATION
#include "pevpm_time.h"
