#include "engine/level_log.h"

#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

struct level_log *level_log_create(int32_t numprocs)
{
    struct level_log *log = alloc_zeroed(1, sizeof *log);
    log->numprocs = numprocs;
    log->of = alloc_zeroed((size_t)numprocs, sizeof *log->of);
    return log;
}

void level_log_destroy(struct level_log *log)
{
    if (!log)
        return;
    for (int32_t i = 0; i < log->numprocs; i++)
        free(log->of[i].level);
    free(log->of);
    free(log);
}

void level_log_note(struct level_log *log, int32_t from, uint64_t number, int level)
{
    struct level_list *list = &log->of[from];
    if (log->n++ >= LEVEL_LOG_MOST)
        return;
    if (number >= list->capacity) {
        size_t capacity = list->capacity ? list->capacity : 16;
        while (number >= capacity)
            capacity *= 2;
        list->level = alloc_resize(list->level, capacity, sizeof *list->level);
        memset(list->level + list->capacity, 0, (capacity - list->capacity) * sizeof *list->level);
        list->capacity = capacity;
    }
    list->level[number] = (uint16_t)(level < UINT16_MAX ? level : UINT16_MAX);
    if (number >= list->n)
        list->n = number + 1;
}

int level_log_at(const struct level_log *log, int32_t from, uint64_t number)
{
    const struct level_list *list = &log->of[from];
    return number < list->n ? list->level[number] : 0;
}
