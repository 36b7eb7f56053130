// PEVPM Loop iterations = 3
// PEVPM &   var = i
// PEVPM {
// PEVPM Serial time = i \
   us
// PEVPM }