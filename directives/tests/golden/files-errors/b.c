// PEVPM Param twice = 2
// PEVPM Procedure again
// PEVPM {
// PEVPM Serial time = OTHER ms
// PEVPM }
// PEVPM Call again
#define HERE 1
