#include "validation/bare_kernel.h"

#include <stddef.h>

enum { LANES = 32, STEPS = 1024 };

/* Philox4x32-10 (Salmon et al. 2011) in all lanes: the counter's first word is the lane. */
static void draw(uint32_t block, uint32_t words[4][LANES])
{
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t c0 = l, c1 = 1, c2 = block, c3 = 0, k0 = 42, k1 = 0;
        for (int round = 0; round < 10; round++) {
            uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
            c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
            c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
            c1 = (uint32_t)p1;
            c3 = (uint32_t)p0;
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        words[0][l] = c0;
        words[1][l] = c1;
        words[2][l] = c2;
        words[3][l] = c3;
    }
}

double bare_kernel(uint64_t steps)
{
    static const double base = 98.5e-6, width = 1e-9;
    double table[STEPS], clock[LANES] = {0}, other[LANES] = {0}, sum = 0;
    uint32_t words[4][LANES];
    for (int i = 0; i < STEPS; i++)
        table[i] = base + width * i * i;
    for (uint64_t step = 0; step < steps; step++) {
        if (step % 4 == 0)
            draw((uint32_t)(step / 4), words);
        const uint32_t *word = words[step % 4];
        for (int l = 0; l < LANES; l++) {
            double arrival = clock[l] + table[word[l] >> 22];
            clock[l] = arrival > other[l] ? arrival : other[l];
        }
    }
    for (size_t l = 0; l < LANES; l++)
        sum += clock[l];
    return sum;
}
