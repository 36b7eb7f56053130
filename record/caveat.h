/* caveat.h - what keeps recordings from saying how long the whole program computes, in words.
 *
 * Each text is allocated, the caller's, and names the recording of which it holds most; NULL: it holds of none. */
#ifndef PEVPM_RECORD_CAVEAT_H
#define PEVPM_RECORD_CAVEAT_H

#include "record/recording.h"

/* A process was ended before it came to MPI_Finalize. Of the first such recording. */
char *caveat_unfinished(size_t n, const struct recording recordings[]);

/* Computing took longer than the processor was busy with it, where each process had a processor. processor: computing
 * times are of the processor's clock. */
char *caveat_shared(size_t n, const struct recording recordings[], bool processor);

/* Of the processor's clock, which is that of the thread that calls MPI: others have computed, too. */
char *caveat_threads(size_t n, const struct recording recordings[]);

#endif
