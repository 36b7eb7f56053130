/* Functions without names of their own, what calls them on the same line, and one that is an operator. */
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <vector>

struct Share {
    std::vector<double> &values;
    void operator()(int n) { MPI_Allreduce(MPI_IN_PLACE, values.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<double> v(100, 1.0);
    std::vector<int> sizes = {10, 10, 10};
    Share share{v};
    auto turn = [&](int n) {
        for (int j = 0; j < 2; j++) {
            MPI_Sendrecv_replace(v.data(), n, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                                 MPI_STATUS_IGNORE);
        }
    };
    for (int i = 0; i < 5; i++) {
        turn(40);
        share(20);
        std::function<void()> meet = [&]() { for (int j = 3; j > 0; j--) MPI_Barrier(MPI_COMM_WORLD); };
        if (i % 2 == 0)
            meet();
    }
    turn(30);
    std::for_each(sizes.begin(), sizes.end(), [&](int n) { MPI_Bcast(v.data(), n, MPI_DOUBLE, 0, MPI_COMM_WORLD); });
    MPI_Finalize();
}
