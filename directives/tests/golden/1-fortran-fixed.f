      PROGRAM RING
      PARAMETER (N=256, L = 4)
      INTEGER, PARAMETER :: K = N
     &   + 4
      CHARACTER*40 S
CPEVPM Loop iterations = n
c PEVPM {
      S = 'C PEVPM Loop'
!     PEVPM Message type = MPI_Send
*     PEVPM & to = (procnum+1)%numprocs, size = K
      CALL X ! PEVPM Loop: not in column 1
C PEVPM }
      END
