extern int cells, steps;
void shared(int own);

void other(struct state *s)
{
    int own = 5, rows;
    s->rows = 17;
    cells = atoi(s->text);
    steps++;
    rows = 4;
    shared(own);
    // PEVPM Procedure other
    // PEVPM {
    // PEVPM Serial time = own ms
    // PEVPM }
}
