/* level_log.h - the contention level of each message of a program whose control flow does not depend on time.
 *
 * Under `--contention scoreboard` a sweep's levels follow from the program alone. The lanes engine writes them down
 * once, so that the time-ordered engine, asked for losses or a timeline, costs every message as the prediction did. */
#ifndef PEVPM_ENGINE_LEVEL_LOG_H
#define PEVPM_ENGINE_LEVEL_LOG_H

#include <stddef.h>
#include <stdint.h>

/* Programs with more messages are not logged: 512 MiB. */
#define LEVEL_LOG_MOST ((uint64_t)1 << 28)

struct level_log {
    int32_t numprocs;
    uint64_t n;            /* messages noted; beyond LEVEL_LOG_MOST none is kept */
    struct level_list {
        size_t n, capacity;
        uint16_t *level;   /* [n] by the sender's message number; levels above 65,535 as that */
    } *of;                 /* [numprocs] */
};

struct level_log *level_log_create(int32_t numprocs);
void level_log_destroy(struct level_log *log);

/* Message `number` of process `from`. Numbers of a process may come in any order. */
void level_log_note(struct level_log *log, int32_t from, uint64_t number, int level);

/* 0: not noted. */
int level_log_at(const struct level_log *log, int32_t from, uint64_t number);

#endif
