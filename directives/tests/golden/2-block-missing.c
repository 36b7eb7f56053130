// PEVPM Loop iterations = 3
  for (;;) {
// PEVPM Serial time = 1
  }
// PEVPM }
// PEVPM Runon c1 = procnum == 0 & c2 = procnum == 1
// PEVPM {
// PEVPM }
// PEVPM Runon c1 = procnum == 0 & else
// PEVPM Serial time = 1
// PEVPM Procedure p
// PEVPM Serial time = 1
