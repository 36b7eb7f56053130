#ifndef SIZES_H
#define SIZES_H
#include "../inc/sizes.h"
#include "not-here.h"
#define N 64
#define STEPS (2*N)
enum { HALO = 7 };
#endif
