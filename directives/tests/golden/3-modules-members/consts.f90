module consts
    implicit none
    integer, parameter :: cells = 64
    type :: grid
        private
        integer :: width = 3
    end type grid
end module consts
