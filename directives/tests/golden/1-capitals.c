// pevpm Loop iterations = 3
// pevpm-sim is a program
// PEVPM Serial time = -
