/* note_list.h - notes of many predictions (predict.h), each kind once.
 *
 * Two notes are of a kind where they differ in numbers alone: "up to 5 messages were in flight (distribution, 4x1) ..." and
 * the same of 9 on 8x1. The first one stands for all. */
#ifndef PEVPM_SIM_NOTE_LIST_H
#define PEVPM_SIM_NOTE_LIST_H

#include <stddef.h>

struct note_of_runs {
    char *text;
    size_t first, last;  /* runs that it was said of */
    size_t n;            /* how many they are */
};

/* Zero-initialise; ends with note_list_free. */
struct note_list {
    size_t n, capacity;
    struct note_of_runs *notes;
};

/* Notes of run number `run`: not below that of the call before. Texts are copied. */
void note_list_add(struct note_list *list, size_t n, char *const texts[], size_t run);
void note_list_free(struct note_list *list);

#endif
