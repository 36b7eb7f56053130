#include "engine/random.h"

#include <Random123/philox.h>

uint32_t random_word(uint64_t seed, uint32_t replication, uint32_t process, uint64_t draw, enum stream stream)
{
    uint64_t block = draw / 4;
    philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    philox4x32_ctr_t counter = {
        {replication, process, (uint32_t)block, (uint32_t)stream | (uint32_t)(block >> 32) << 8}};
    return philox4x32(counter, key).v[draw % 4];
}
