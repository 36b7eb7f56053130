#include "common/outfile.h"

#include "common/alloc.h"
#include "common/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void outfile_clear(struct outfile *file)
{
    free(file->path);
    free(file->temporary);
    memset(file, 0, sizeof *file);
}

static enum status system_error(struct diags *diags, const char *path, const char *doing)
{
    diag_error(diags, place_of_file(path), "cannot %s: %s", doing, strerror(errno));
    return STATUS_IO;
}

/* So often a pipe is asked whether it has a reader by now: sooner than a person notices. */
static const struct timespec LOOK = {.tv_nsec = 20000000};

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t wait_ended;

static void end_wait(int number)
{
    (void)number;
    wait_ended = 1;
}

/* What a signal did before; one that is ignored stays so. */
static void signal_take(int number, struct sigaction *before)
{
    const struct sigaction action = {.sa_handler = end_wait};
    sigaction(number, &action, before);
    if (before->sa_handler == SIG_IGN)
        sigaction(number, before, NULL);
}

/* Opens a pipe once it has a reader. A plain open would wait, too, but then no signal that a thread of this process has
 * blocked, or another one handles, could end it. -1 with errno; EINTR: SIGINT or SIGTERM has ended the wait. */
static int pipe_open(const char *path)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    enum { N = sizeof numbers / sizeof *numbers };
    struct sigaction actions[N];
    sigset_t both, mask;
    sigemptyset(&both);
    wait_ended = 0;
    for (int i = 0; i < N; i++) {
        signal_take(numbers[i], &actions[i]);
        sigaddset(&both, numbers[i]);
    }
    pthread_sigmask(SIG_UNBLOCK, &both, &mask);
    int descriptor;
    while ((descriptor = open(path, O_WRONLY | O_NONBLOCK)) < 0 && errno == ENXIO && !wait_ended)
        nanosleep(&LOOK, NULL);
    int reason = errno == ENXIO ? EINTR : errno;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    for (int i = 0; i < N; i++)
        sigaction(numbers[i], &actions[i], NULL);
    if (descriptor >= 0)
        fcntl(descriptor, F_SETFL, O_WRONLY);
    errno = reason;
    return descriptor;
}

/* A device or a pipe is written to, never replaced. */
static enum status device_open(struct outfile *file, struct diags *diags)
{
    enum status status = STATUS_OK;
    int descriptor = outfile_is_pipe(file->path) ? pipe_open(file->path) : open(file->path, O_WRONLY);
    file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file->stream)
        return STATUS_OK;
    if (errno == EINTR) {
        diag_error(diags, place_of_file(file->path), "interrupted: the pipe had no reader yet");
        status = STATUS_INTERRUPTED;
    } else {
        status = system_error(diags, file->path, "open");
    }
    outfile_clear(file);
    return status;
}

/* /dev/stdout, where that goes to a file: what it holds, and what the caller's shell adds to it, must stay. */
static bool is_standard_output(const struct stat *there)
{
    struct stat own;
    return fstat(STDOUT_FILENO, &own) == 0 && own.st_dev == there->st_dev && own.st_ino == there->st_ino;
}

/* What a link leads to, which then is the file's path; a link that leads nowhere does not. False with errno. */
static bool link_follow(struct outfile *file)
{
    struct stat there;
    if (lstat(file->path, &there) != 0 || !S_ISLNK(there.st_mode))
        return true;
    char *target = realpath(file->path, NULL);
    if (!target)
        return false;
    free(file->path);
    file->path = target;
    return true;
}

/* A file that will be there, or the next one of `before`, with its permissions. */
static enum status regular_open(struct outfile *file, const struct stat *before, struct diags *diags)
{
    const int descriptor = link_follow(file) ? beside_file(file->path, &file->temporary) : -1;
    const bool good = descriptor >= 0 && (!before || fchmod(descriptor, before->st_mode & 0777) == 0);
    file->stream = good ? fdopen(descriptor, "w") : NULL;
    if (file->stream)
        return STATUS_OK;
    enum status status = system_error(diags, file->path, "create");
    if (descriptor >= 0)
        close(descriptor);
    outfile_abandon(file);
    return status;
}

enum status outfile_open(struct outfile *file, const char *path, struct diags *diags)
{
    memset(file, 0, sizeof *file);
    if (!path || strcmp(path, "-") == 0) {
        file->stream = stdout;
        return STATUS_OK;
    }
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode)) {
        errno = EISDIR;
        return system_error(diags, path, "create");
    }
    if (exists && S_ISREG(there.st_mode) && is_standard_output(&there)) {
        file->stream = stdout;
        return STATUS_OK;
    }
    file->path = alloc_string(path);
    if (exists && !S_ISREG(there.st_mode))
        return device_open(file, diags);
    return regular_open(file, exists ? &there : NULL, diags);
}

bool outfile_is_pipe(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISFIFO(there.st_mode);
}

enum status outfile_try(const char *path, struct diags *diags)
{
    struct outfile file = {0};
    if (!path || outfile_is_pipe(path))
        return STATUS_OK;
    enum status status = outfile_open(&file, path, diags);
    outfile_abandon(&file);
    return status;
}

/* The reader of a pipe has closed it. Asked of the system: errno may be of a later call. */
static bool reader_is_gone(FILE *stream)
{
    struct pollfd one = {.fd = fileno(stream), .events = POLLOUT};
    return one.fd >= 0 && poll(&one, 1, 0) == 1 && (one.revents & (POLLERR | POLLHUP)) != 0;
}

enum status outfile_check(FILE *stream, const char *name, struct diags *diags)
{
    if (fflush(stream) == 0 && !ferror(stream))
        return STATUS_OK;
    int reason = errno;
    if (reader_is_gone(stream))
        return STATUS_GONE;
    errno = reason;
    return system_error(diags, name, "write");
}

enum status outfile_commit(struct outfile *file, struct diags *diags)
{
    const char *name = file->path ? file->path : "standard output";
    enum status status = outfile_check(file->stream, name, diags);
    if (!file->path) {
        outfile_clear(file);
        return status;
    }
    if (status == STATUS_OK && file->temporary && fsync(fileno(file->stream)) != 0)
        status = system_error(diags, name, "write");
    if (fclose(file->stream) != 0 && status == STATUS_OK)
        status = system_error(diags, name, "write");
    file->stream = NULL;
    if (file->temporary && status == STATUS_OK && rename(file->temporary, file->path) != 0)
        status = system_error(diags, name, "rename to");
    if (file->temporary && status != STATUS_OK)
        unlink(file->temporary);
    outfile_clear(file);
    return status;
}

enum status outfile_store(const char *path, const char *text, struct diags *diags)
{
    struct outfile file;
    enum status status = outfile_open(&file, path, diags);
    if (status != STATUS_OK)
        return status;
    fputs(text, file.stream);
    return outfile_commit(&file, diags);
}

void outfile_abandon(struct outfile *file)
{
    if (file->stream && file->path)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    outfile_clear(file);
}
