/* Whether the kernel lets a process read the memory of another one of the same user, as one copy through shared memory
 * needs: then it ends with 0. */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    static int here = 2385, there;
    int told[2];
    char any;
    if (pipe(told) != 0)
        return 1;
    const pid_t child = fork();
    if (child == 0) {
        close(told[1]);
        _exit(read(told[0], &any, 1) != 0); /* until the reader has closed its end */
    }
    here = 0;
    const struct iovec own = {&there, sizeof there}, others = {&here, sizeof here};
    const bool peeked = process_vm_readv(child, &own, 1, &others, 1, 0) == (ssize_t)sizeof there && there == 2385;
    close(told[1]);
    waitpid(child, NULL, 0);
    return peeked ? EXIT_SUCCESS : EXIT_FAILURE;
}
