#include "record/launch.h"

#include "common/alloc.h"
#include "common/infile.h"
#include "common/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* What can be told of an executable. */
struct executable {
    bool elf, dynamic;          /* dynamic: it has a program interpreter */
    const char *mpi;            /* the library that it names, as the recorder's file calls it; NULL: none */
};

static bool is_executable(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISREG(there.st_mode) && access(path, X_OK) == 0;
}

/* The file that execvp would take, NULL: none. The caller's. */
static char *find_program(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/') || !path)
        return is_executable(name) ? alloc_string(name) : NULL;
    for (const char *at = path; *at;) {
        size_t n = strcspn(at, ":");
        char *file = n == 0 ? alloc_string(name) : alloc_format("%.*s/%s", (int)n, at, name);
        if (is_executable(file))
            return file;
        free(file);
        at += n + (at[n] == ':');
    }
    return NULL;
}

/* Is `name` a NUL-terminated text anywhere in the file? Names of needed libraries are. */
static bool has_text(const char *data, size_t size, const char *name)
{
    return memmem(data, size, name, strlen(name)) != NULL;
}

static struct executable look_at(const char *data, size_t size)
{
    struct executable found = {0};
    const Elf64_Ehdr *head = (const void *)data;
    if (size < sizeof *head || memcmp(data, ELFMAG, SELFMAG) != 0 || data[EI_CLASS] != ELFCLASS64)
        return found;
    found.elf = true;
    for (unsigned i = 0; i < head->e_phnum; i++) {
        uint64_t at = head->e_phoff + (uint64_t)i * head->e_phentsize;
        if (at > size || size - at < sizeof(Elf64_Phdr))
            break;
        Elf64_Phdr segment;
        memcpy(&segment, data + at, sizeof segment);
        found.dynamic |= segment.p_type == PT_INTERP;
    }
    if (has_text(data, size, "libmpi.so.40") || has_text(data, size, "libmpi_mpifh.so"))
        found.mpi = "ompi";
    else if (has_text(data, size, "libmpich") || has_text(data, size, "libmpi.so.12"))
        found.mpi = "mpich";
    return found;
}

static enum status look_at_file(const char *path, struct executable *found, struct diags *diags)
{
    int file = open(path, O_RDONLY);
    struct stat status;
    *found = (struct executable){0};
    if (file < 0 || fstat(file, &status) != 0) {
        int reason = errno;
        if (file >= 0)
            close(file);
        return infile_refuse(path, reason, diags);
    }
    size_t size = (size_t)status.st_size;
    char *data = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (data == MAP_FAILED)
        return STATUS_OK;
    *found = look_at(data, size);
    munmap(data, size);
    return STATUS_OK;
}

/* A program that does not name its MPI itself (Python, a script) has the launcher's. */
static const char *launchers_mpi(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") ? "ompi" : getenv("PMI_SIZE") ? "mpich" : "ompi";
}

/* libpevpm-record-MPI.so beside this program, or where it is installed. The caller's; NULL: none. */
static char *find_recorder(const char *mpi)
{
    char own[4096];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    own[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    for (int i = 0; i < 2; i++) {
        char *path = i == 0 ? alloc_format("%s/libpevpm-record-%s.so", own, mpi)
                            : alloc_format("%s/../lib/pevpm/libpevpm-record-%s.so", own, mpi);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

static void set_environment(const struct record_options *options, const char *recorder)
{
    char *absolute = options->output[0] == '/' ? NULL : getcwd(NULL, 0);
    char *output = absolute ? alloc_format("%s/%s", absolute, options->output) : alloc_string(options->output);
    const char *before = getenv("LD_PRELOAD");
    char *preload = before && *before ? alloc_format("%s:%s", recorder, before) : alloc_string(recorder);
    char *params = alloc_string("");
    for (int i = 0; i < options->n_defines; i++) {
        char *longer = alloc_format("%s%s%s", params, i > 0 ? "," : "", options->defines[i]);
        free(params);
        params = longer;
    }
    char *started = alloc_format("%ld %lld", (long)getpid(), (long long)time(NULL));
    char *launched = alloc_format("%d %d", launch_size(), launch_rank());
    setenv("PEVPM_RECORD_OUTPUT", output, 1); /* a program may change its folder */
    setenv("PEVPM_RECORD_STARTED", started, 1);
    setenv("PEVPM_RECORD_LAUNCHED", launched, 1);
    setenv("PEVPM_RECORD_PARAMS", params, 1);
    setenv("LD_PRELOAD", preload, 1);
    free(absolute);
    free(started);
    free(launched);
    free(output);
    free(preload);
    free(params);
}

/* Can process 0, which writes the recording, make a file there? Asked before the run, which may take hours. */
static enum status check_output(const struct record_options *options, struct diags *diags)
{
    if (launch_rank() != 0)
        return STATUS_OK;
    struct stat status;
    const bool is_link = lstat(options->output, &status) == 0 && S_ISLNK(status.st_mode);
    char *target = is_link ? realpath(options->output, NULL) : NULL;
    if (is_link && !target) {
        diag_error(diags, place_of_file(options->output), "cannot be written: it is a link that leads nowhere");
        return STATUS_IO;
    }
    const char *file = target ? target : options->output, *slash = strrchr(file, '/');
    char *folder = !slash ? alloc_string(".") : slash == file ? alloc_string("/") : alloc_format("%.*s", (int)(slash - file), file);
    bool good = access(folder, W_OK | X_OK) == 0;
    if (!good)
        diag_error(diags, place_of_file(options->output), "cannot be written: %s: %s", folder, strerror(errno));
    else if (stat(file, &status) == 0 && !S_ISREG(status.st_mode)) {
        /* a device would be replaced by the recording, and parts left beside it */
        diag_error(diags, place_of_file(options->output), "cannot be written: it is %s",
                   S_ISDIR(status.st_mode) ? "a folder" : "no file but a device or a pipe");
        good = false;
    }
    free(target);
    free(folder);
    return good ? STATUS_OK : STATUS_IO;
}

static void say_not_found(const char *name, struct diags *diags)
{
    struct stat there;
    const bool is_path = strchr(name, '/') != NULL, exists = stat(name, &there) == 0;
    if (exists && S_ISDIR(there.st_mode))
        diag_error(diags, place_of_file(name), "cannot be executed: it is a folder");
    else if (exists && access(name, X_OK) != 0)
        diag_error(diags, place_of_file(name), "cannot be executed: its permissions do not allow it (chmod +x %s)",
                   name);
    else if (exists && !is_path)
        diag_error(diags, place_of_file(name), "no such program in PATH; did you mean ./%s?", name);
    else
        diag_error(diags, place_of_file(name), "no such program%s", is_path ? "" : ", neither in PATH nor here");
}

enum status launch(const struct record_options *options, struct diags *diags)
{
    const char *name = options->words[0];
    struct executable found = {0};
    char *path = find_program(name);
    if (!path) {
        say_not_found(name, diags);
        return STATUS_IO;
    }
    enum status status = check_output(options, diags);
    if (status == STATUS_OK)
        status = look_at_file(path, &found, diags);
    if (status == STATUS_OK && found.elf && !found.dynamic) {
        diag_error(diags, place_of_file(name),
                   "this program is linked statically, its MPI library too, so nothing can be "
                   "recorded: link it with the shared MPI library");
        status = STATUS_USAGE;
    }
    const char *mpi = found.mpi ? found.mpi : launchers_mpi();
    char *recorder = status == STATUS_OK ? find_recorder(mpi) : NULL;
    if (status == STATUS_OK && !recorder) {
        diag_error(diags, place_of_file(name),
                   "it uses %s, and there is no libpevpm-record-%s.so: build pevpm with MPI=%s",
                   strcmp(mpi, "ompi") == 0 ? "Open MPI" : "MPICH", mpi, mpi);
        status = STATUS_IO;
    }
    if (status == STATUS_OK && strpbrk(recorder, " :")) {
        diag_error(diags, place_of_file(recorder),
                   "cannot be put before the program's MPI library, for the loader ends a name in LD_PRELOAD at a blank or a "
                   "colon: build or install pevpm in a folder whose path has neither");
        status = STATUS_IO;
    }
    if (status == STATUS_OK) {
        set_environment(options, recorder);
        execv(path, options->words);
        diag_error(diags, place_of_file(name), "cannot be executed: %s", strerror(errno));
        status = STATUS_IO;
    }
    free(recorder);
    free(path);
    return status;
}
