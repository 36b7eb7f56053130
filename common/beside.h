/* beside.h - a file or a folder under a name of its own beside the one that is wanted, for what is not whole yet.
 *
 * Its permissions are those that the umask gives. umask(2) is not called: other threads of a program would make files
 * with the wrong ones meanwhile. */
#ifndef PEVPM_COMMON_BESIDE_H
#define PEVPM_COMMON_BESIDE_H

/* Each makes one that was not there, PATH.PROCESS.N, and gives its name, the caller's. -1 with errno: none could be made,
 * and *name is NULL. A file's descriptor is returned, open for writing; of a folder 0. */
int beside_file(const char *path, char **name);
int beside_folder(const char *path, char **name);

#endif
