/* buckets.c - an integer sort: `keys` keys of all processes, BUCKETS buckets for their values, and as many of these in a
 * row for each process. In each iteration all add up what is in the buckets, tell each other how many keys will come,
 * exchange them, and count what they have got. How many go from one process to another is different for each pair, but
 * known: between half and eleven eighths of `keys`/numprocs/numprocs. The number of processes divides BUCKETS.
 *
 * A key is made of who sends it to whom, its place and the iteration, so each process knows at the end what it should
 * have got. */
#include "work.h"

#define BUCKETS 128
#define VALUES 1024 /* that a bucket is for */
#define SORTING 0.7 /* of the computation is sorting one's own keys into buckets */

/* How many keys go from one process to another. */
static int keys_between(int keys, int numprocs, int from, int to)
{
    return (4+(3*from+5*to)%8)*(keys/numprocs/numprocs)/8;
}

/* Key number k of those. */
static int key_between(int numprocs, int from, int to, int k, int iteration)
{
    const int owned = BUCKETS/numprocs;
    return (to*owned + (k + from)%owned)*VALUES + (31*k + 17*from + 7*iteration)%VALUES;
}

/* What a process has: keys in the order of those who get them, and of those from whom they came. */
struct sort {
    int keys, procnum, numprocs;
    int *out, *in;
    int *out_count, *out_place, *in_count, *in_place; /* [numprocs] */
    int bucket[BUCKETS], all[BUCKETS];                /* keys in each, of its own and of all */
    unsigned sum;                                     /* of all keys that it has got */
};

static void sort_init(struct sort *sort, int keys, int procnum, int numprocs)
{
    const int bytes = (int)sizeof(int)*numprocs;
    *sort = (struct sort){.keys = keys, .procnum = procnum, .numprocs = numprocs};
    sort->out_count = (int *)work_buffer(bytes);
    sort->out_place = (int *)work_buffer(bytes);
    sort->in_count = (int *)work_buffer(bytes);
    sort->in_place = (int *)work_buffer(bytes);
    sort->out = (int *)work_buffer(2*(int)sizeof(int)*keys/numprocs);
    sort->in = (int *)work_buffer(2*(int)sizeof(int)*keys/numprocs);
}

static void sort_free(struct sort *sort)
{
    free(sort->out_count);
    free(sort->out_place);
    free(sort->in_count);
    free(sort->in_place);
    free(sort->out);
    free(sort->in);
}

/* The process's keys of an iteration, sorted by buckets. */
static void sort_own(struct sort *sort, int iteration)
{
    int n = 0;
    memset(sort->bucket, 0, sizeof sort->bucket);
    for (int to = 0; to < sort->numprocs; to++) {
        sort->out_place[to] = n;
        sort->out_count[to] = keys_between(sort->keys, sort->numprocs, sort->procnum, to);
        for (int k = 0; k < sort->out_count[to]; k++) {
            sort->out[n] = key_between(sort->numprocs, sort->procnum, to, k, iteration);
            sort->bucket[sort->out[n++]/VALUES]++;
        }
    }
}

static void place_keys(struct sort *sort)
{
    int n = 0;
    for (int from = 0; from < sort->numprocs; from++) {
        sort->in_place[from] = n;
        n += sort->in_count[from];
    }
}

/* Adds the keys that have come to the sum, and returns how many are not in the buckets of this process. */
static long count_keys(struct sort *sort)
{
    const int owned = BUCKETS/sort->numprocs;
    const int last = sort->numprocs-1, n = sort->in_place[last]+sort->in_count[last];
    int expected = 0;
    long wrong = 0;
    for (int b = sort->procnum*owned; b < (sort->procnum+1)*owned; b++)
        expected += sort->all[b];
    for (int i = 0; i < n; i++) {
        sort->sum += (unsigned)sort->in[i];
        wrong += sort->in[i]/VALUES/owned != sort->procnum;
    }
    return wrong + labs((long)n-expected);
}

/* The keys of the last iteration that are not where they should be, and whether the sum of all is wrong. */
static long count_wrong(const struct sort *sort, int iterations)
{
    unsigned sum = 0;
    long wrong = 0;
    for (int i = 0; i < iterations; i++)
        for (int from = 0; from < sort->numprocs; from++) {
            const int n = keys_between(sort->keys, sort->numprocs, from, sort->procnum);
            for (int k = 0; k < n; k++) {
                const int key = key_between(sort->numprocs, from, sort->procnum, k, i);
                sum += (unsigned)key;
                if (i == iterations-1)
                    wrong += sort->in_count[from] != n || sort->in[sort->in_place[from]+k] != key;
            }
        }
    return wrong + (sum != sort->sum);
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 24; // PEVPM Param iterations = 24
    int keys = 24576; // PEVPM Param keys = 24576
    double work = 0.1; // PEVPM Param work = 0.1
    const struct work_parameter parameter[] = {
        {"iterations", &iterations, NULL},
        {"keys", &keys, NULL},
        {"work", NULL, &work},
    };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_parameters(argc, argv, 3, parameter);
    work_require(BUCKETS%numprocs == 0, "a number of processes that divides the buckets");
    struct sort sort;
    sort_init(&sort, keys, procnum, numprocs);
    long wrong = 0;
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Serial time = SORTING*work/numprocs
        double began = work_now();
        sort_own(&sort, i);
        work_compute_since(began, SORTING*work/numprocs);
        // PEVPM Collective type = MPI_Allreduce & size = BUCKETS*sizeof(int)
        MPI_Allreduce(sort.bucket, sort.all, BUCKETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        // PEVPM Collective type = MPI_Alltoall & size = sizeof(int)
        MPI_Alltoall(sort.out_count, 1, MPI_INT, sort.in_count, 1, MPI_INT, MPI_COMM_WORLD);
        place_keys(&sort);
        // PEVPM Collective type = MPI_Alltoallv
        // PEVPM & size = (4+(3*procnum+5*partner)%8)*(keys/numprocs/numprocs)/8*sizeof(int)
        MPI_Alltoallv(sort.out, sort.out_count, sort.out_place, MPI_INT, sort.in, sort.in_count, sort.in_place, MPI_INT,
                      MPI_COMM_WORLD);
        // PEVPM Serial time = (1-SORTING)*work/numprocs
        began = work_now();
        wrong += count_keys(&sort);
        work_compute_since(began, (1-SORTING)*work/numprocs);
    }
    // PEVPM }

    work_end(start);
    int code = work_verdict(wrong + count_wrong(&sort, iterations));
    sort_free(&sort);
    MPI_Finalize();
    return code;
}
