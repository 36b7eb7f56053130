#include "engine/lanes/kernel.h"

#include <stddef.h>
#include <string.h>

extern const struct kernels kernels_one, kernels_baseline;
#ifdef PEVPM_KERNELS_X86
extern const struct kernels kernels_avx2, kernels_avx512;
#endif

/* Worst first; NULL where this processor cannot run them. */
static const struct kernels *kernels_at(size_t i)
{
    switch (i) {
    case 0:
        return &kernels_baseline;
#ifdef PEVPM_KERNELS_X86
    case 1:
        return __builtin_cpu_supports("avx2") ? &kernels_avx2 : NULL;
    case 2:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
                   ? &kernels_avx512
                   : NULL;
#endif
    }
    return NULL;
}

const struct kernels *kernels_choose(int n, const char *name)
{
    const struct kernels *best = NULL;
    if (n == 1 && (!name || strcmp(name, kernels_one.isa) == 0))
        return &kernels_one;
    for (size_t i = 0; i < 3; i++) {
        const struct kernels *kernels = kernels_at(i);
        if (kernels && (!name || strcmp(kernels->isa, name) == 0))
            best = kernels;
    }
    return best;
}
