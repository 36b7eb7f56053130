#ifdef LARGE
#define N 1024
#else
#define N 256
#endif
#define M 3
int K = 2 * 4;
void f(void) { int i = 0; const int M = (3); const int K = 8; }
void g(void) { int i = 1; }
// PEVPM Loop iterations = M + K
// PEVPM {
// PEVPM Serial time = N us
// PEVPM }
