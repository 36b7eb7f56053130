#include <mpi.h>
static int shared = 7;
static int twice = 1, kept = 2;
#define NEXT() shared2++
#define READ(x, y) scanf("%d", &(x)), (void)(y)
int shared2 = 8;
struct box {
    int inner = 4;
};
void fill(int &number, const int &plain, int last);
void elsewhere(int n)
{
    shared = n;
    int kept = n;
    kept++;
}
int main(int argc, char **argv)
{
    int count = 0, steps = 5, n = 100, m = 20, k = 30, given = 1;
    int bound = 6, plain = 7, copied = 8, once = 9, swapped = 10, wrapped = 11, in = 12, macro = 13, untouched = 14;
    const int fixed = 15;
    int later;
    if (argc > 1)
        steps = atoi(argv[1]);
    scanf("%d", &n);
    MPI_Bcast((void *)&m, 1, MPI_INT, 0, MPI_COMM_WORLD);
    k *= 2;
    int &alias = bound;
    const int &other = plain;
    fill(once, copied, copied);
    std::swap(swapped, (alias));
    (wrapped)--;
    std::cin >> in;
    READ(macro, untouched);
    given == 2 && argc & given;
    box.given = 3;
    later = 16;
    // PEVPM Set a = kept + plain + copied + untouched + given + fixed
    while (argc > 0)
        count++;
    // PEVPM Loop iterations = count
    // PEVPM {
    // PEVPM Set b = steps
    // PEVPM Set c = n
    // PEVPM Set d = m
    // PEVPM Set e = k
    // PEVPM Set f = bound
    // PEVPM Set g = once
    // PEVPM Set h = swapped
    // PEVPM Set i1 = wrapped
    // PEVPM Set j = in
    // PEVPM Set k1 = macro
    // PEVPM Set l = shared + shared2
    // PEVPM Set m1 = inner
    // PEVPM Set o = later
    // PEVPM }
}
static void once_more(int fixed, int kept, int partly)
{
    // PEVPM Set s = fixed + kept
    // PEVPM Set t = partly
}
static void first(int fixed, int partly)
{
    once_more(fixed, kept, partly);
}
void second(void)
{
    const int fixed = 15, partly = 4;
    first(fixed, partly);
    first(fixed, 2 * partly);
}
void work(int twice, int steps2)
{
    // PEVPM Set p = twice + kept
    for (int i = 4; i < 8; i++) {
        // PEVPM Set q = i
    }
    // PEVPM Set r = fixed
}
