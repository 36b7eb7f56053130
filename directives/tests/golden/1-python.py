#!/usr/bin/env python3
"""
# PEVPM Loop in a string
"""
N = 256
HALF = N / 3
steps: int = 40
s = "it's # PEVPM Loop" + '# PEVPM "' + """a "quoted" # PEVPM""" + r'\\'  # PEVPM Loop iterations = steps
# PEVPM {
def f():
    N = 9
    # PEVPM Collective type = MPI_Allreduce & size = N*sizeof(double)
    # PEVPM Serial time = HALF us
# PEVPM }
