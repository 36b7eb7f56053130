#!/bin/sh
N=256
export STEPS=10
echo "# PEVPM Loop" '# PEVPM Loop' \# PEVPM $# PEVPM
cat <<END
don't
END
# PEVPM Loop iterations = STEPS
# PEVPM {
mpirun program # PEVPM Message type = MPI_Recv & from = N
# PEVPM }
