#include "engine/random.h"

#include <Random123/philox.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

uint32_t random_word(uint64_t seed, uint32_t replication, uint32_t process, uint64_t draw, enum stream stream)
{
    uint64_t block = draw / 4;
    philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    philox4x32_ctr_t counter = {
        {replication, process, (uint32_t)block, (uint32_t)stream | (uint32_t)(block >> 32) << 8}};
    return philox4x32(counter, key).v[draw % 4];
}

/* Two numbers of 32 bits, in the lower halves; what is in the upper ones nobody reads. */
typedef uint64_t pair __attribute__((vector_size(16)));

static inline pair pair_of(uint64_t one, uint64_t other)
{
    return (pair){one, other};
}

/* All 64 bits. */
static inline pair pair_product(pair a, uint32_t b)
{
#ifdef __SSE2__ /* gcc does not see that the upper halves count for nothing */
    return (pair)_mm_mul_epu32((__m128i)a, (__m128i)pair_of(b, b));
#else
    return (a & pair_of(UINT32_MAX, UINT32_MAX)) * pair_of(b, b);
#endif
}

/* Philox4x32-10 as in engine/lanes/kernel_isa.c, which has lanes in place of pairs. */
void random_blocks(uint64_t seed, uint32_t replication, uint32_t process, uint64_t block, enum stream one, enum stream other,
                   uint32_t *words[2])
{
    const uint64_t low = block & UINT32_MAX, high = block >> 32 << 8;
    pair k0 = pair_of(seed, seed), k1 = k0 >> 32;
    pair c0 = pair_of(replication, replication), c1 = pair_of(process, process), c2 = pair_of(low, low);
    pair c3 = pair_of((uint64_t)one | high, (uint64_t)other | high);
    for (int round = 0; round < 10; round++) {
        const pair p0 = pair_product(c0, 0xD2511F53u), p1 = pair_product(c2, 0xCD9E8D57u);
        c0 = (p1 >> 32) ^ c1 ^ k0;
        c2 = (p0 >> 32) ^ c3 ^ k1;
        c1 = p1;
        c3 = p0;
        k0 += pair_of(0x9E3779B9u, 0x9E3779B9u);
        k1 += pair_of(0xBB67AE85u, 0xBB67AE85u);
    }
    for (int i = 0; i < 2; i++) {
        words[i][0] = (uint32_t)c0[i];
        words[i][1] = (uint32_t)c1[i];
        words[i][2] = (uint32_t)c2[i];
        words[i][3] = (uint32_t)c3[i];
    }
}
