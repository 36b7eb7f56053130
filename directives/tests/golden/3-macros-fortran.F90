#define NSTEP 12 /* steps, and what isn't one */
#  define PK 2+3 ! text
#define RATE 1.0d-1
#define WIDE \
    (PK*NSTEP)
#define USE_MPI
#ifdef USE_MPI
#define SUB subroutine work(
#endif
program main
    implicit none
    integer, parameter :: n = 2*PK, steps = NSTEP
    integer :: Nstep = 5 ! another name than the preprocessor's
    ! PEVPM Set a = NSTEP + RATE
    ! PEVPM Set b = PK*2 + WIDE
    ! PEVPM Set c = n + steps + nstep
end program main
