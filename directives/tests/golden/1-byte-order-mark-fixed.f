C PEVPM Serial time = 2.385 ms
