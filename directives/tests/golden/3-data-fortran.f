      program main
      integer n2, a, b, grid(3), one(1), level
      integer*4 n4
      real*8 rate, x
      integer(kind=8) wide
      logical full
      data n2 /12/
      data a, b /1, 2/, grid /3*0/ rate /1.0d-1/
      DATA N4, WIDE, LEVEL /3*8/, x
     &     /-3/, k, y, grid(2) / 1* 5, 2*7 /
      data full, text /.true., 'a/b,c'/
      data (grid(i), i = 1, 3) /3*1/, e, one / 7, 2 /
C PEVPM Set s1 = n2 + a + b + rate + n4 + wide + level + x + k + y
C PEVPM Set s2 = e
      end
      subroutine other
      data n2 /12/
C PEVPM Set s3 = n2
      end
