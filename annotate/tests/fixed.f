C     A ring in fixed form: labels, lines that go on, and no program statement.
      include 'mpif.h'
      integer n, rounds
      parameter (n = 40, rounds = 3)
      integer rank, size, ierr, i, status(MPI_STATUS_SIZE)
      real*8 a(n)
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      do 10 i = 1, rounds
        if (mod(rank, 2) .eq. 0) then
          call MPI_SEND(a, n, MPI_DOUBLE_PRECISION,
     &                  mod(rank + 1, size), 5, MPI_COMM_WORLD, ierr)
        else
          call MPI_RECV(a, n, MPI_DOUBLE_PRECISION,
     &                  mod(rank + size - 1, size), 5, MPI_COMM_WORLD,
     &                  status, ierr)
        end if
 10   continue
      call meet(rounds)
      call MPI_FINALIZE(ierr)
      end

      subroutine meet(times)
      include 'mpif.h'
      integer times, i, ierr
      do i = 1, times - 1
        call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      enddo
      end
