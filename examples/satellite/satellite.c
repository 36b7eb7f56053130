/* satellite.c - a stream of satellite images, each cut into one part for each process, filtered, and gathered for
 * display.
 *
 *     mpicc -O2 satellite.c -o satellite && mpirun -np 4 ./satellite [IMAGES [LIMIT [DIRECT]]]
 *
 * The application of section 7 in Lastovetsky and O'Flynn, "A Performance Model of Many-to-One Collective
 * Communications for Parallel Computing", IPDPS (2007): images of 512 x 512 bytes. On their Ethernet a gather of
 * medium-sized messages could take several hundred milliseconds more than its neighbours. Their remedy is here too:
 * LIMIT > 0 gathers the parts in pieces of at most LIMIT bytes, one MPI_Gather each. DIRECT = 1 sends each process its
 * part by MPI_Send, and back, instead: the first ones return theirs while others have not got it yet, which the trees
 * of an MPI library may not allow.
 *
 * The number of processes divides 512. The last image is compared with the one that a single process computes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 512
#define IMAGE (512*512)
#define PASSES 64

static unsigned char *memory(int bytes)
{
    unsigned char *p = calloc((size_t)bytes, 1);
    if (p == NULL)
        MPI_Abort(MPI_COMM_WORLD, 4);
    return p;
}

/* What the satellite sends: stripes and specks that differ from image to image. */
static void receive_image(int number, unsigned char *image)
{
    for (int row = 0; row < IMAGE/WIDTH; row++)
        for (int column = 0; column < WIDTH; column++)
            image[row*WIDTH + column] = (unsigned char)((3*row + 5*column*(number+1) + row*column%17) & 0xff);
}

// PEVPM Procedure filter_part
// PEVPM {
// PEVPM Serial on workstations time = measured(filter, bytes)
// Elsewhere 9.9 ns for a point: one core of an AMD EPYC (Zen 5) at 2.6 GHz, gcc 12 -O2.
// PEVPM Serial time = bytes * 9.9 ns
// PEVPM }
/* Smooths `bytes` of whole rows with the binomial filter 1 4 6 4 1, PASSES times; a row goes on with its last
 * points. */
static void filter(int bytes, unsigned char *part)
{
    unsigned char padded[WIDTH + 4];
    for (unsigned char *row = part; row < part + bytes; row += WIDTH)
        for (int pass = 0; pass < PASSES; pass++) {
            padded[0] = padded[1] = row[0];
            memcpy(padded + 2, row, WIDTH);
            padded[WIDTH+2] = padded[WIDTH+3] = row[WIDTH-1];
            for (int i = 0; i < WIDTH; i++)
                row[i] = (unsigned char)((padded[i] + 4*padded[i+1] + 6*padded[i+2] + 4*padded[i+3] + padded[i+4] + 8)
                                         / 16);
        }
}

/* MPI_Gather of the bytes `from` ... `to` - 1 of each part to their places in the image. */
static void gather_piece(int from, int to, int bytes, const unsigned char *part, unsigned char *image)
{
    MPI_Datatype piece, spread; /* `spread` begins again every `bytes` */
    MPI_Type_contiguous(to - from, MPI_CHAR, &piece);
    MPI_Type_create_resized(piece, 0, bytes, &spread);
    MPI_Type_commit(&spread);
// PEVPM Procedure gather_piece(piece)
// PEVPM {
// PEVPM Collective type = MPI_Gather & size = bytes*(piece+1)/pieces - bytes*piece/pieces & root = 0
    MPI_Gather(part + from, to - from, MPI_CHAR, image == NULL ? NULL : image + from, 1, spread, 0, MPI_COMM_WORLD);
// PEVPM }
    MPI_Type_free(&spread);
    MPI_Type_free(&piece);
}

/* MPI_Scatter by hand: one message to each process, in the order of their ranks, and each only when the one before has
 * arrived. MPI_Send would start all of them, and TCP would let them share the port and arrive together. */
static void scatter_direct(int numprocs, int bytes, const unsigned char *raw, unsigned char *part)
{
// PEVPM Procedure scatter_direct
// PEVPM {
// PEVPM Runon c1 = procnum == 0 & else
// PEVPM {
    if (raw != NULL) {
// PEVPM Loop iterations = numprocs-1 & var = to & from = 1
// PEVPM {
        for (int to = 1; to < numprocs; to++) {
// PEVPM Message type = MPI_Ssend & size = bytes & to = to
            MPI_Ssend(raw + to*bytes, bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD);
        }
// PEVPM }
        memcpy(part, raw, (size_t)bytes);
// PEVPM }
// PEVPM {
    } else {
// PEVPM Message type = MPI_Recv & size = bytes & from = 0
        MPI_Recv(part, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
// PEVPM }
// PEVPM }
}

/* MPI_Gather by hand. */
static void gather_direct(int numprocs, int bytes, const unsigned char *part, unsigned char *image)
{
// PEVPM Procedure gather_direct
// PEVPM {
// PEVPM Runon c1 = procnum == 0 & else
// PEVPM {
    if (image != NULL) {
// PEVPM Loop iterations = numprocs-1 & var = from & from = 1
// PEVPM {
        for (int from = 1; from < numprocs; from++) {
// PEVPM Message type = MPI_Recv & size = bytes & from = from
            MPI_Recv(image + from*bytes, bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
// PEVPM }
        memcpy(image, part, (size_t)bytes);
// PEVPM }
// PEVPM {
    } else {
// PEVPM Message type = MPI_Send & size = bytes & to = 0
        MPI_Send(part, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
// PEVPM }
// PEVPM }
}

/* One image: it comes to process 0, and goes through all. */
static void process_image(int bytes, int pieces, const unsigned char *raw, unsigned char *part, unsigned char *image)
{
// PEVPM Procedure process_image
// PEVPM {
// PEVPM Collective type = MPI_Scatter & size = bytes & root = 0
    MPI_Scatter(raw, bytes, MPI_CHAR, part, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
// PEVPM Call filter_part
    filter(bytes, part);
// PEVPM Loop iterations = pieces & var = piece
// PEVPM {
    for (int piece = 0; piece < pieces; piece++) {
// PEVPM Call gather_piece(piece)
        gather_piece(bytes*piece/pieces, bytes*(piece+1)/pieces, bytes, part, image);
    }
// PEVPM }
// PEVPM }
}

/* The same with a message of its own for each part and direction. */
static void process_direct(int numprocs, int bytes, const unsigned char *raw, unsigned char *part,
                           unsigned char *image)
{
// PEVPM Procedure process_direct
// PEVPM {
// PEVPM Call scatter_direct
    scatter_direct(numprocs, bytes, raw, part);
// PEVPM Call filter_part
    filter(bytes, part);
// PEVPM Call gather_direct
    gather_direct(numprocs, bytes, part, image);
// PEVPM }
}

/* Points of the image that one process finds different. */
static int count_differences(int number, const unsigned char *image)
{
    int differences = 0;
    unsigned char *alone = memory(IMAGE);
    receive_image(number, alone);
    filter(IMAGE, alone);
    for (int i = 0; i < IMAGE; i++)
        differences += alone[i] != image[i];
    free(alone);
    return differences;
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int images = 20; // PEVPM Param images = 20
    int limit = 0; // PEVPM Param limit = 0
    int direct = 0; // PEVPM Param direct = 0

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    if (argc > 1)
        images = atoi(argv[1]);
    if (argc > 2)
        limit = atoi(argv[2]);
    if (argc > 3)
        direct = atoi(argv[3]);
    if (512%numprocs != 0 || images < 1 || limit < 0 || (limit > 0 && limit < 64)) {
        if (procnum == 0)
            fprintf(stderr, "satellite: wants 1, 2, 4, ... 512 processes, one IMAGE or more, a LIMIT of 64 or more\n");
        MPI_Finalize();
        return 2;
    }
// The least number of pieces of which none is larger than the limit.
// PEVPM Set bytes = IMAGE/numprocs
// PEVPM Set pieces = limit > 0 ? (bytes+limit-1)/limit : 1
    int bytes = IMAGE/numprocs;
    int pieces = limit > 0 ? (bytes+limit-1)/limit : 1;
    unsigned char *part = memory(bytes);
    unsigned char *raw = procnum == 0 ? memory(IMAGE) : NULL, *image = procnum == 0 ? memory(IMAGE) : NULL;

    double seconds = 0;
// PEVPM Loop iterations = images
// PEVPM {
    for (int number = 0; number < images; number++) {
        if (procnum == 0)
            receive_image(number, raw); /* the satellite's time, not ours */
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
// PEVPM Runon c1 = direct & else
// PEVPM {
// PEVPM Call process_direct
// PEVPM }
// PEVPM {
// PEVPM Call process_image
// PEVPM }
        if (direct)
            process_direct(numprocs, bytes, raw, part, image);
        else
            process_image(bytes, pieces, raw, part, image);
        seconds += MPI_Wtime() - start;
    }
// PEVPM }
    int differences = procnum == 0 ? count_differences(images-1, image) : 0;
    MPI_Bcast(&differences, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (procnum == 0) {
        printf("%d processes, %d images, each gathered in %d pieces: %.6f s\n", numprocs, images, pieces, seconds);
        if (differences == 0)
            printf("the last image is the one that a single process computes\n");
        else
            printf("%d points of the last image differ from what a single process computes\n", differences);
    }
    free(part);
    free(raw);
    free(image);
    MPI_Finalize();
    return differences == 0 ? 0 : 1;
}
