// PEVPM
// PEVPM Serial time = 1
