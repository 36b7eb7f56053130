/* whole.c - how long an MPI program runs, with nothing between its calls.
 *
 * Preloaded (LD_PRELOAD), it appends to the file $WHOLE_TIME, in one line, the seconds from MPI_Init to MPI_Finalize of the process that
 * took longest. As the recorder does, it makes a communicator before that time begins, so that the same processes are connected. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm own;
static double begun;

static int begin(int code)
{
    PMPI_Comm_dup(MPI_COMM_WORLD, &own);
    begun = PMPI_Wtime();
    return code;
}

static void end(void)
{
    const double took = PMPI_Wtime() - begun;
    double longest = 0;
    int rank;
    PMPI_Comm_rank(own, &rank);
    PMPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, own);
    const char *path = getenv("WHOLE_TIME");
    FILE *out = rank == 0 && path ? fopen(path, "a") : NULL;
    if (out) {
        fprintf(out, "%.6f\n", longest);
        fclose(out);
    }
}

/* C calls the first name, Fortran's bindings the second; the library's own is behind either. */
static void *next_of(const char *name) { return dlsym(RTLD_NEXT, name); }

static int init(int *argc, char ***argv) { return begin(((int (*)(int *, char ***))next_of("PMPI_Init"))(argc, argv)); }

static int init_thread(int *argc, char ***argv, int wanted, int *provided)
{
    return begin(((int (*)(int *, char ***, int, int *))next_of("PMPI_Init_thread"))(argc, argv, wanted, provided));
}

static int finalize(void)
{
    end();
    return ((int (*)(void))next_of("PMPI_Finalize"))();
}

int MPI_Init(int *argc, char ***argv) { return init(argc, argv); }
int PMPI_Init(int *argc, char ***argv) { return init(argc, argv); }
int MPI_Init_thread(int *argc, char ***argv, int wanted, int *provided) { return init_thread(argc, argv, wanted, provided); }
int PMPI_Init_thread(int *argc, char ***argv, int wanted, int *provided) { return init_thread(argc, argv, wanted, provided); }
int MPI_Finalize(void) { return finalize(); }
int PMPI_Finalize(void) { return finalize(); }
