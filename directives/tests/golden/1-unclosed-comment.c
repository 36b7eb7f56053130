/* PEVPM Serial time = 1
int x;
