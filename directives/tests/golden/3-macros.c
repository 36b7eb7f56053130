#define PK 2+3
#define A B+1
#define B 4
#define P (2+3)
#define Q ((size_t)4)
#define L 10L
#define U 0x10u
#define F 1.5f
#define DIV 7/2
#define REAL (double)7/2
#define WHOLE (int)(2.75*2)
#define TAG -3
#define COND PK > 4 ? A : 3
#define HALF (PK*2/N)
#define N 100
#define OCTAL 010
#define POWER floor(7.0)/2
const double third = (double)1/3;
unsigned char byte = 200;
// PEVPM Set a = PK*2 + PK
// PEVPM Set b = 2*A*2
// PEVPM Set c = P*2 + (PK)*2 + max(PK, 2)
// PEVPM Set d = Q + L + U + F
// PEVPM Set e = DIV*2 + REAL + WHOLE + POWER
// PEVPM Set f = TAG*2 - TAG - -TAG
// PEVPM Set g = COND + 10
// PEVPM Set h = HALF*2 + OCTAL + third + byte
// PEVPM Loop iterations = PK & var = B
// PEVPM {
// PEVPM Set i = B*PK*A
// PEVPM }
