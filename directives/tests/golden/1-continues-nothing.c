// PEVPM & var = i
// PEVPM Serial time = 1
