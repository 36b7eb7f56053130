// PEVPM Assert
// PEVPM Assert "no condition"
// PEVPM Assert 1
// PEVPM Assert 1 text
// PEVPM Assert 1 "never closed
// PEVPM & "
// PEVPM Assert 1 "too much" 2
// PEVPM Assert missing == 1 "a name"
// PEVPM Assert 1 "a block"
// PEVPM {
// PEVPM }
// PEVPM Assert 1 "123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 123456789 x"
// PEVPM Serial time = "1"
