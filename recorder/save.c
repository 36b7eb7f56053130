// SPDX-License-Identifier: MIT
/* The recording's files: that of all processes, written by the first one, and what each has where that cannot be. */
#include "recorder/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *own_name(void)
{
    size_t length = strlen(recorder.output) + 32;
    char *name = fold_memory(NULL, length, 1);
    snprintf(name, length, "%s.part.%d", recorder.output, recorder.rank);
    return name;
}

/* A signal of the program's may come in between, a profiler's timer for one. False: errno says why. */
static bool write_all(int file, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        ssize_t n = write(file, text + at, length - at);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* As common/outfile.h: whole or not at all, under a temporary name first; a link stays, and what it leads to keeps its
 * permissions. False: errno says why. */
static bool write_whole(const char *name, const char *text, size_t length)
{
    struct stat there;
    const bool is_link = lstat(name, &there) == 0 && S_ISLNK(there.st_mode);
    char *target = is_link ? realpath(name, NULL) : NULL;
    if (is_link && !target)
        return false;
    name = target ? target : name;
    const bool exists = stat(name, &there) == 0;
    size_t room = strlen(name) + 24;
    char *temporary = fold_memory(NULL, room, 1);
    snprintf(temporary, room, "%s.%ld", name, (long)getpid());
    unlink(temporary); /* of a run that was killed */
    /* The umask is not asked: that takes setting it, while threads of the program may make files. */
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool good = file >= 0 && text && write_all(file, text, length) && (!exists || fchmod(file, there.st_mode & 0777) == 0);
    int why = errno;
    if (file >= 0 && close(file) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(temporary, name) != 0) {
        good = false;
        why = errno;
    }
    if (!good && file >= 0)
        unlink(temporary);
    free(temporary);
    free(target);
    errno = why;
    return good;
}

static char *section(size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out) {
        recorder_threads();
        recorder_write(&recorder, out);
        fclose(out);
    }
    return text;
}

/* What is left of this process where there is no whole recording; says so where that cannot be kept. */
static bool save_part(const char *name, const char *text, size_t length)
{
    if (text && write_whole(name, text, length))
        return true;
    fprintf(stderr, "pevpm-record: what process %d did is lost: cannot write %s: %s\n", recorder.rank, name,
            strerror(errno));
    return false;
}

static bool save_own(bool (*save)(const char *name, const char *text, size_t length))
{
    size_t length = 0;
    char *text = section(&length), *name = own_name();
    const bool saved = save(name, text, length);
    free(name);
    free(text);
    return saved;
}

void recorder_save(void)
{
    save_own(write_whole);
}

/* NAME=VALUE,NAME=VALUE from the command line, which has been checked there. */
static void write_params(FILE *out)
{
    const char *at = getenv("PEVPM_RECORD_PARAMS");
    while (at && *at) {
        int name = (int)strcspn(at, "="), value = (int)strcspn(at, ",") - name - 1;
        if (value > 0)
            fprintf(out, "param %.*s %.*s\n", name, at, value, at + name + 1);
        at += strcspn(at, ",");
        at += *at == ',';
    }
}

/* Rank 0 gets all sections, one after another, and writes them; the files of the parts are removed then. False: they
 * could not be written, which it has said. */
static bool gather(const char *text, size_t length)
{
    if (recorder.rank != 0) {
        unsigned long n = length;
        PMPI_Send(&n, 1, MPI_UNSIGNED_LONG, 0, 1, recorder.own);
        for (size_t at = 0; at < length; at += 1 << 30)
            PMPI_Send((void *)(uintptr_t)(text + at), (int)(length - at < 1 << 30 ? length - at : 1 << 30), MPI_CHAR,
                      0, 1,
                      recorder.own);
        return true;
    }
    char *all = NULL;
    size_t all_length = 0;
    FILE *out = open_memstream(&all, &all_length);
    fputs("pevpm-recording 1\n", out);
    write_params(out);
    fprintf(out, "ranks %d\n", recorder.size);
    fwrite(text, 1, length, out);
    for (int rank = 1; rank < recorder.size; rank++) {
        unsigned long n;
        PMPI_Recv(&n, 1, MPI_UNSIGNED_LONG, rank, 1, recorder.own, MPI_STATUS_IGNORE);
        char *next = fold_memory(NULL, n, 1);
        for (size_t at = 0; at < n; at += 1 << 30)
            PMPI_Recv(next + at, (int)(n - at < 1 << 30 ? n - at : 1 << 30), MPI_CHAR, rank, 1, recorder.own,
                      MPI_STATUS_IGNORE);
        fwrite(next, 1, n, out);
        free(next);
    }
    fprintf(out, "end %d\n", recorder.size);
    fclose(out);
    bool good = write_whole(recorder.output, all, all_length);
    if (!good)
        fprintf(stderr,
                "pevpm-record: cannot write %s: %s; each process leaves what it did in %s.part.N, for "
                "pevpm-record --join %s\n",
                recorder.output, strerror(errno), recorder.output, recorder.output);
    free(all);
    return good;
}

void recorder_finish(void)
{
    size_t length = 0;
    recorder.meets = false;
    /* Recordings must not travel beside the program's last messages to a process that is not done: those of 15 that
     * left the last reduction made its root up to 0.03 s later. */
    PMPI_Barrier(recorder.own);
    char *text = section(&length), *name = own_name();
    int good = text && gather(text, length);
    PMPI_Bcast(&good, 1, MPI_INT, 0, recorder.own);
    PMPI_Comm_free(&recorder.own);
    if (good)
        unlink(name);
    else
        save_part(name, text, length);
    if (recorder.rank == 0 && recorder.stopped)
        fprintf(stderr, "pevpm-record: the recording ends early: %s\n", recorder.stopped);
    else if (recorder.rank == 0 && recorder.fold.level == FOLD_SHAPES)
        fputs("pevpm-record: calls repeat themselves nowhere, so that their partners and tags were not kept: no program can be "
              "made of this recording; record a shorter run\n", stderr);
    free(name);
    free(text);
    recorder.on = false;
}

/* Is this the very program that pevpm-record became, and not one that it started, and has none of these recorded since?
 * PEVPM_RECORD_STARTED has its process and the moment (record/launch.c). */
static bool was_not_recorded(void)
{
    const char *started = getenv("PEVPM_RECORD_STARTED"), *output = getenv("PEVPM_RECORD_OUTPUT");
    long process = 0;
    long long moment = 0;
    struct stat status;
    return started && output && sscanf(started, "%ld %lld", &process, &moment) == 2 && process == (long)getpid() &&
           (stat(output, &status) != 0 || status.st_mtime < moment);
}

/* A program that ends without MPI_Finalize, or that has never called MPI_Init, leaves no recording: said here, since
 * nothing else of it would be. */
__attribute__((destructor)) static void end(void)
{
    if (recorder.on && recorder.process == (long)getpid()) {
        if (save_own(save_part))
            fprintf(stderr, "pevpm-record: process %d ended without MPI_Finalize: what it did is in %s.part.%d\n",
                    recorder.rank, recorder.output, recorder.rank);
    } else if (!recorder.on && !recorder.output && was_not_recorded()) {
        fprintf(stderr, "pevpm-record: %s ended without a call of MPI_Init: nothing was recorded\n",
                program_invocation_short_name);
    }
}
