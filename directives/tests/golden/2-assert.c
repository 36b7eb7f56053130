#define PK 2+3
// PEVPM Param px = 4
// PEVPM Assert numprocs%px == 0 "numprocs must be a multiple of `px` & no less"
// PEVPM Loop iterations = 3 & var = i
// PEVPM {
// PEVPM Assert PK*i == 2+3*i
// PEVPM & || procnum == 0 ""
// PEVPM }
