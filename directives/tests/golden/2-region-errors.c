// PEVPM Region
// PEVPM {
// PEVPM }
// PEVPM Region "halo"
// PEVPM {
// PEVPM }
// PEVPM Region halo & size = 3
// PEVPM {
// PEVPM }
// PEVPM Region halo
// PEVPM Region norm {
// PEVPM }
// PEVPM Loop iterations = 3 & step = 2
// PEVPM {
// PEVPM }
// PEVPM Loop while = 1 & step = 2
// PEVPM {
// PEVPM }
// PEVPM Regoin x
// PEVPM {
// PEVPM }
