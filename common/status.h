/* status.h - what a function that meets the world (files, input, a fit) returns.
 *
 * A bug asserts; the world returns one of these and a diagnostic (diag.h) that names the value and the place.
 * GONE is no failure, but as all that are not OK it ends the work.
 * Each status belongs to one exit code of the command-line tools: 0 done, 1 the model says no, 2 wrong usage,
 * 3 bad input, 4 the system failed. */
#ifndef PEVPM_COMMON_STATUS_H
#define PEVPM_COMMON_STATUS_H

/* X(NAME, exit code, what it means) */
#define STATUS_LIST(X)                                                                \
    X(OK, 0, "done")                                                                  \
    X(GONE, 0, "the reader of the output wants no more of it")                        \
    X(DEADLOCK, 1, "the predicted program deadlocks")                                 \
    X(UNMATCHED, 1, "messages were delivered as the rules of matching do not allow")  \
    X(DIFFERENT, 1, "a program that does something else than was recorded")             \
    X(USAGE, 2, "wrong usage")                                                        \
    X(SYNTAX, 3, "a directive, option or file that cannot be read")                   \
    X(NAME, 3, "a name that is not defined, or defined twice")                        \
    X(RANGE, 3, "a value outside its range: a process number, a size, a time, ...")   \
    X(SCHEMA, 3, "a file whose contents do not have the stated form")                 \
    X(NOT_YET, 3, "a directive or option that is understood but not built yet")         \
    X(IO, 4, "a file that cannot be opened, read or written")                         \
    X(MPI, 4, "an MPI call failed")                                                   \
    X(INTERRUPTED, 4, "stopped, by the user or its budget, before it was of use")

enum status {
#define X(name, code, text) STATUS_##name,
    STATUS_LIST(X)
#undef X
};

/* The exit code (0-4) a tool ends with when `status` is the worst that happened. */
int status_exit_code(enum status status);

/* "OK", "DEADLOCK", ...: for tests and logs. */
const char *status_name(enum status status);

#endif
