#define SELF SELF+1
#define M1 M2+1
#define M2 M1*2
#define TEXT "hello"
#define HALF_OPEN 2)*(3
#define CAST (double)PK/2
#define PK 2+3
#define E1 PK*PK*PK*PK*PK*PK*PK*PK*PK*PK
#define E2 E1+E1+E1+E1+E1+E1+E1+E1+E1+E1
#define E3 E2+E2+E2+E2+E2+E2+E2+E2+E2+E2
#define E4 E3+E3+E3+E3+E3+E3+E3+E3+E3+E3
#if WIDE
#define WIDTH 4+4
#else
#define WIDTH 4
#endif
#define LATER 1
#undef LATER
#define LATER compute(2)
int narrow = 3000000000;
unsigned less = -1;
int octal = 089;
// PEVPM Set a = SELF*2
// PEVPM Set b = M1
// PEVPM Set c = TEXT
// PEVPM Set d = HALF_OPEN
// PEVPM Set e = CAST
// PEVPM Set f = E4*2
// PEVPM Set g = WIDTH*2
// PEVPM Set h = LATER
// PEVPM Set i = narrow
// PEVPM Set j = less
// PEVPM Set k = octal
