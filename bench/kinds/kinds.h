/* kinds.h - each kind of TASK_LIST, defined in the file that measures it. */
#ifndef PEVPM_BENCH_KINDS_KINDS_H
#define PEVPM_BENCH_KINDS_KINDS_H

#include "bench/kind.h"

/* See kind.h. NULL for is_precise: it always is; for is_odd and is_explained: it never is; for bytes: any size will do. */
struct kind {
    double (*cost)(const struct campaign *c, const struct task *task);
    void (*measure)(struct campaign *c, struct task *task, double time_cap);
    bool (*is_done)(const struct campaign *c, const struct task *task);
    bool (*is_precise)(const struct campaign *c, const struct task *task);
    bool (*is_odd)(const struct campaign *c, const struct task *task);
    bool (*is_explained)(const struct campaign *c, const struct task *task);
    int64_t (*bytes)(const struct campaign *c);
};

#define X(name, text, worth) extern const struct kind kind_##name;
TASK_LIST(X)
#undef X

#endif
