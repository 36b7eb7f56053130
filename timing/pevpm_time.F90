! SPDX-FileCopyrightText: the pevpm authors
! SPDX-License-Identifier: MIT
!
! pevpm_time.F90 - pevpm_time.h for Fortran 2003 and later.
!
!     use pevpm_time
!     call pevpm_time_begin('update')              ! or: call pevpm_time_begin('update', dble(n))
!     ...
!     call pevpm_time_end('update')
!
!     call pevpm_time_start()                      ! forgets all blocks so far: they were warm-up
!
! `pevpm-time --instrument` writes the calls of blocks. Compile it with the program. Without -DPEVPM_TIME the procedures are empty; with it, link pevpm_time.c too:
!
!     mpicc -c pevpm_time.c
!     mpifort -DPEVPM_TIME pevpm_time.F90 program.f90 pevpm_time.o
module pevpm_time
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_null_char
    implicit none
    private
    public :: pevpm_time_begin, pevpm_time_end, pevpm_time_start, pevpm_time_write

#ifdef PEVPM_TIME
    interface
        subroutine c_begin(name) bind(C, name='pevpm_time_begin')
            import :: c_char
            character(kind=c_char), intent(in) :: name(*)
        end subroutine
        subroutine c_begin_argument(name, argument) bind(C, name='pevpm_time_begin_argument')
            import :: c_char, c_double
            character(kind=c_char), intent(in) :: name(*)
            real(c_double), value :: argument
        end subroutine
        subroutine c_end(name) bind(C, name='pevpm_time_end')
            import :: c_char
            character(kind=c_char), intent(in) :: name(*)
        end subroutine
        subroutine c_start() bind(C, name='pevpm_time_start')
        end subroutine
        subroutine c_write() bind(C, name='pevpm_time_write')
        end subroutine
    end interface
#endif

contains

    subroutine pevpm_time_begin(name, argument)
        character(len=*), intent(in) :: name
        real(c_double), intent(in), optional :: argument
#ifdef PEVPM_TIME
        if (present(argument)) then
            call c_begin_argument(trim(name)//c_null_char, argument)
        else
            call c_begin(trim(name)//c_null_char)
        end if
#endif
    end subroutine

    subroutine pevpm_time_end(name)
        character(len=*), intent(in) :: name
#ifdef PEVPM_TIME
        call c_end(trim(name)//c_null_char)
#endif
    end subroutine

    subroutine pevpm_time_start()
#ifdef PEVPM_TIME
        call c_start()
#endif
    end subroutine

    subroutine pevpm_time_write()
#ifdef PEVPM_TIME
        call c_write()
#endif
    end subroutine
end module
