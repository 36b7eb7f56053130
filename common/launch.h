/* launch.h - what the environment says of the launcher of MPI jobs that has started this process. No MPI here. */
#ifndef PEVPM_COMMON_LAUNCH_H
#define PEVPM_COMMON_LAUNCH_H

/* How many processes the launcher started, srun with PMIx as well; 0 where there is no launcher, 1 also where it does not
 * say. */
int launch_size(void);

/* Which of them this one is; 0 also where that is not known. */
int launch_rank(void);

#endif
