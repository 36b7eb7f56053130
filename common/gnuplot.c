#include "common/gnuplot.h"

#include "common/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool gnuplot_can_draw(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && (strcmp(ending, ".svg") == 0 || strcmp(ending, ".png") == 0 || strcmp(ending, ".pdf") == 0);
}

void gnuplot_write_terminal(FILE *out, const char *path, int width, int height)
{
    const char *ending = strrchr(path, '.');
    if (ending && strcmp(ending, ".png") == 0)
        fprintf(out, "set terminal pngcairo size %d,%d fontscale 1.5 linewidth 1.5 pointscale 1.5\n", width * 3 / 2,
                height * 3 / 2);
    else if (ending && strcmp(ending, ".pdf") == 0)
        fprintf(out, "set terminal pdfcairo size %gcm,%gcm font 'Helvetica,12'\n", width / 50.0, height / 50.0);
    else
        fprintf(out, "set terminal svg size %d,%d font 'Helvetica,15' background 'white'\n", width, height);
}

void gnuplot_write_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc((unsigned char)*text < 32 ? ' ' : *text, out);
    }
    fputc('\'', out);
}

/* gnuplot's last words that mean something: it quotes the line and points at it before. */
static void report_failure(FILE *errors, const char *path, struct diags *diags)
{
    char line[512], words[512] = "";
    rewind(errors);
    while (fgets(line, sizeof line, errors)) {
        line[strcspn(line, "\n")] = '\0';
        const char *start = line + strspn(line, " \t^");
        if (*start)
            memmove(words, start, strlen(start) + 1);
    }
    diag_error(diags, place_of_file(path), "gnuplot could not draw it%s%s", *words ? ": " : "", words);
}

/* Starts gnuplot. Returns 0, or why not. */
static int start(FILE *script, int output, FILE *errors, pid_t *child)
{
    char name[] = "gnuplot", *arguments[] = {name, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    const int problem = posix_spawnp(child, name, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

/* All that comes from `from`, also once `to` takes no more, so that gnuplot comes to its end. Returns 0, or why `to` did
 * not take it. */
static int copy(int from, FILE *to)
{
    char piece[4096];
    int problem = 0;
    for (ssize_t n; (n = read(from, piece, sizeof piece)) != 0;) {
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0 && problem == 0 && (fwrite(piece, 1, (size_t)n, to) < (size_t)n || fflush(to) != 0))
            problem = errno;
    }
    return problem;
}

/* gnuplot draws into a pipe: where a disk is full it does not say so. */
static enum status run(FILE *script, FILE *picture, FILE *errors, const char *path, struct diags *diags)
{
    pid_t child;
    int state, ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        diag_error(diags, place_of_file(path), "cannot make a pipe: %s", strerror(errno));
        return STATUS_IO;
    }
    const int problem = start(script, ends[1], errors, &child);
    close(ends[1]);
    const int unwritten = problem == 0 ? copy(ends[0], picture) : 0;
    close(ends[0]);
    if (problem != 0) {
        diag_error(diags, place_of_file(path), "--plot needs gnuplot, which cannot be started: %s", strerror(problem));
        return STATUS_IO;
    }
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return STATUS_IO;
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0) {
        report_failure(errors, path, diags);
        return STATUS_IO;
    }
    if (unwritten == 0)
        return STATUS_OK;
    diag_error(diags, place_of_file(path), "cannot write: %s", strerror(unwritten));
    return STATUS_IO;
}

static enum status draw(const char *path, FILE *script, FILE *errors, struct diags *diags)
{
    struct outfile file;
    enum status status = outfile_open(&file, path, diags);
    if (status != STATUS_OK)
        return status;
    status = run(script, file.stream, errors, path, diags);
    if (status == STATUS_OK)
        return outfile_commit(&file, diags);
    outfile_abandon(&file);
    return status;
}

enum status gnuplot_draw(const char *path, void (*write)(FILE *out, const void *what), const void *what,
                         struct diags *diags)
{
    FILE *script = tmpfile(), *errors = tmpfile();
    enum status status = STATUS_IO;
    if (script && errors) {
        write(script, what);
        if (fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0)
            status = draw(path, script, errors, diags);
        else
            diag_error(diags, place_of_file(path), "cannot write a temporary file: %s", strerror(errno));
    } else {
        diag_error(diags, place_of_file(path), "cannot make a temporary file: %s", strerror(errno));
    }
    if (script)
        fclose(script);
    if (errors)
        fclose(errors);
    return status;
}
