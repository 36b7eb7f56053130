#include "params.h"
int cells = 100, rows = 100;
static int own = 3;

static void inside(int own)
{
    // PEVPM Procedure inside
    // PEVPM {
    // PEVPM Serial time = own ms
    // PEVPM }
}
void shared(int own)
{
    // PEVPM Procedure shared
    // PEVPM {
    // PEVPM Serial time = own ms
    // PEVPM }
}

int main(void)
{
    // PEVPM Serial time = cells ms
    // PEVPM Serial time = rows ms
    // PEVPM Serial time = own ms
    // PEVPM Serial time = steps*fixed ms
    // PEVPM Call inside
    inside(own);
    // PEVPM Call shared
    shared(own);
    // PEVPM Call other
}
