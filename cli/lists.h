/* lists.h - the lists that command-line options take: placements, modes, parameters.
 *
 * Every error quotes the option's text with a caret under the offending part, and is STATUS_USAGE unless said
 * otherwise. On an error nothing is appended. */
#ifndef PEVPM_CLI_LISTS_H
#define PEVPM_CLI_LISTS_H

#include "common/diag.h"
#include "common/status.h"
#include "sim/predict.h"

#include <stddef.h>

enum {
    LIST_PROCESSES_MOST = 1 << 24, /* of one placement */
    LIST_LENGTH_MOST = 10000,      /* elements; more is a slip of the keyboard */
};

/* --procs:  LIST = RANGE {"," RANGE}   RANGE = COUNT [("-" | "..") COUNT [("*" | "+") STEP]]   COUNT = NODES ["x" PPN]
 * N alone means N nodes with one process each. Both ends of a range have the same PPN; what is stepped through is the
 * number of nodes: 1x2..64x2*2 is 1x2, 2x2, 4x2 ... 64x2. Placements given twice count once. *list [*n] out; the caller
 * frees it */
enum status list_parse_placements(const char *option, const char *text, size_t *n, struct placement **list,
                                  struct diags *diags);

/* --mode:  NAME["@nxp" | "@2x1"] {"," ...}. The names are kept as written; *names owns them. */
struct mode_list {
    size_t n;
    struct predict_mode *modes; /* [n] */
    char **names;               /* [n] */
};
enum status list_parse_modes(const char *option, const char *text, struct mode_list *list, struct diags *diags);
void mode_list_free(struct mode_list *list);

/* --model:  NAME {"," NAME}, the names of models/model_list.h. One given twice counts once. */
enum { MODEL_LIST_MOST = 8 };
struct model_list {
    size_t n;
    const char *names[MODEL_LIST_MOST]; /* static */
};
enum status list_parse_models(const char *option, const char *text, struct model_list *list, struct diags *diags);

/* All modes under all models, models outermost: [models->n * modes->n], the caller frees it. *text: the models for a
 * reader, "hockney, lmo"; the caller frees it too. */
struct predict_mode *lists_cross(const struct model_list *models, const struct mode_list *modes, char **text);

/* -D:  NAME=VALUE {"," VALUE}. sweep->name, values and texts are owned: sweep_free. A value that is no number is an
 * expression, without its blanks, which tree_parse reads; commas in parentheses are its own. None, or a number that is
 * too large, is STATUS_RANGE. */
enum status list_parse_sweep(const char *option, const char *text, struct sweep *sweep, struct diags *diags);

#endif
