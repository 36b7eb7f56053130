/* type_size.h - what sizeof gives for C's types and MPI's datatypes: those of LP64 systems, and MPI's own where a
 * standard fixes them. */
#ifndef PEVPM_HOST_TYPE_SIZE_H
#define PEVPM_HOST_TYPE_SIZE_H

#include <stddef.h>

enum { TYPE_NAMES_MOST = 96 };

/* 0: there is none of this name. */
int type_bytes(const char *name);

/* All names; returns how many. */
size_t type_names(const char *names[TYPE_NAMES_MOST]);

#endif
