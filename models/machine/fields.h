/* fields.h - what every part of the machine-file reader is made of: places with key paths, maps with
 * known keys, numbers, times, names, lists, curves and matrices. Private to the reader (read.c and its kin).
 *
 * Each reading function returns false after it has added an error with file, line, column and key path
 * ("point_to_point[2].sizes[0].bytes: expected ..."); the caller goes on with what follows, so that one run reports
 * everything. */
#ifndef PEVPM_MODELS_MACHINE_FIELDS_H
#define PEVPM_MODELS_MACHINE_FIELDS_H

#include "models/machine.h"
#include "models/machine_source.h"
#include "models/yaml_tree.h"

struct reader {
    struct yaml_tree *tree;
    struct diags *diags;
    size_t errors;
    const char *former;            /* the key of before that was noted last; NULL: none */
    struct machine_source *source; /* how distributions are written goes here; NULL: nobody asks */
    bool is_told;                  /* the file says where it is from */
};

/* A node and the way to it, for messages. Lives on the stack of the function that reads it. */
struct spot {
    const struct spot *up;         /* NULL: the root */
    const struct yaml_node *node;  /* NULL: absent */
    const struct yaml_node *key;   /* NULL: an item of a list */
    size_t index;
    bool misspelt;                 /* absent, but an unknown key is nearest to it, and an error says so */
};

/* Whether a key is there, or was meant to be. */
bool spot_is_meant(const struct spot *spot);

/* Whether a map must have a key. KEY_FORMER: older files have it, nothing reads it any more. KEY_OF_TOP: an error, with where it
 * stands. */
enum key_use { KEY_OPTIONAL, KEY_REQUIRED, KEY_FORMER, KEY_OF_TOP };

/* A key that a map may have. `spot` is filled by fields_take; spot.node = NULL: not given, given as nothing, or of
 * before. */
struct field {
    const char *name;
    enum key_use use;
    struct spot spot;
};
#define FIELDS(fields) (fields), sizeof(fields) / sizeof(fields)[0]

/* An error at the spot (its map or list where it stands for one). The first 1000 are kept: enough for anyone. */
void spot_error(struct reader *r, const struct spot *spot, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Likewise, what is read nevertheless. */
void spot_warning(struct reader *r, const struct spot *spot, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The spot of item i of a list, of pair i of a map. */
struct spot spot_item(const struct spot *list, size_t i);
struct spot spot_pair(const struct spot *map, size_t i);

/* Sorts the pairs of a map into the fields: reports what is no map, unknown keys with a suggestion, and what is
 * missing; notes each key of before once for a file, whatever its value. */
bool fields_take(struct reader *r, const struct spot *spot, struct field fields[], size_t n);

/* Whether a plain text says nothing: empty, `~` or `null`. */
bool node_is_null(const struct yaml_node *node);

/* "a list", "a map", "nothing", "`text`" (shortened): what stood there instead. */
#define FOUND_BYTES 64
const char *node_found(const struct yaml_node *node, char text[FOUND_BYTES]);

/* Checks that the spot is a list (n items, where n is not LIST_ANY); `what` words the expectation ("a list of 3
 * times"). */
#define LIST_ANY SIZE_MAX
bool list_check(struct reader *r, const struct spot *spot, size_t n, const char *what);

/* Numbers in [low, high]; `expected` names them: "a count of at least 0". */
struct range {
    double low, high;
    const char *expected;
};

/* A number in the range. */
bool number_read(struct reader *r, const struct spot *spot, struct range range, double *value);

/* Likewise, or {value:, ci95:, experiments:}: the value is taken, the rest checked. */
bool fitted_number_read(struct reader *r, const struct spot *spot, struct range range, double *value);

/* A number without fraction in [low, high]; 1e3 and 0x400 are such. |value| <= 2^53. */
bool whole_read(struct reader *r, const struct spot *spot, int64_t low, int64_t high, int64_t *value);

/* A number of bytes that may be left out, which leaves *bytes as it is: at least 1. */
bool length_read(struct reader *r, const struct spot *spot, double *bytes);

/* Likewise, where an int holds it. */
bool int_read(struct reader *r, const struct spot *spot, int low, int high, int *value);

/* Times: seconds, or a text with a unit. */
enum sign { SIGN_ANY, SIGN_NOT_NEGATIVE };

/* A time in seconds. */
bool time_read(struct reader *r, const struct spot *spot, enum sign sign, double *seconds);

/* Likewise, or {value:, ci95:, experiments:}: the value is taken, the rest checked. */
bool fitted_time_read(struct reader *r, const struct spot *spot, enum sign sign, double *seconds);

/* true, false, yes, no, on, off, as YAML 1.1 has them. */
bool bool_read(struct reader *r, const struct spot *spot, bool *value);
/* A text of at least one byte, borrowed from the tree. Numbers count as texts: `name: 16`. */
bool text_read(struct reader *r, const struct spot *spot, const char *expected, const char **text);
/* What is wrong with what is said of sockets where there are none. */
#define SOCKETS_UNKNOWN "the file does not tell the sockets of a node apart: missing key `sockets_per_node`, of 2 or more"
/* One of a list of names. */
bool choice_read(struct reader *r, const struct spot *spot, const char *what, const char *const names[], size_t n,
                 int *choice);

/* Times by bytes, bytes by processes, times by rests (times), bytes held by bytes given, probabilities by waits (times). */
enum curve_axes { CURVE_OF_TIMES, CURVE_OF_BYTES, CURVE_OF_RESTS, CURVE_OF_HELD, CURVE_OF_CHANCES };

/* [[x, y], ...] with x ascending and at least one point, y >= 0, a probability at most 1. The caller owns the arrays. */
bool curve_read(struct reader *r, const struct spot *spot, enum curve_axes axes, struct machine_curve *curve);

/* A CURVE_OF_TIMES that messages keep something busy. Its last slope goes on, so a last time below the one before would make
 * large messages cost nothing: an error, or a warning where what was measured is so small that pevpm-bench has written such
 * (acknowledgements). Between others, which differ by chance where messages are short, less than half is a warning; of
 * acknowledgements nothing is. */
enum demand { DEMAND_OF_MESSAGES, DEMAND_OF_ACKNOWLEDGEMENTS };
bool demand_read(struct reader *r, const struct spot *spot, enum demand what, struct machine_curve *curve);

/* How far, in time, something may fall behind before it loses frames: above 0. */
bool buffer_read(struct reader *r, const struct spot *spot, double *seconds);

enum cell { CELL_TIME, CELL_RATE, CELL_ANY_TIME };

/* n rows of n fitted numbers or times; the caller owns matrix->value. On the diagonal nothing (`~`) is 0, and a
 * rate any number. */
bool matrix_read(struct reader *r, const struct spot *spot, size_t n, enum cell cell, struct machine_matrix *matrix);

/* DISTRIBUTION. On success the caller owns *d. */
bool distribution_read(struct reader *r, const struct spot *spot, struct distribution *d);

/* The `models:` section, into machine->hockney and so on (models.c). machine->nodes must be known (0: it was
 * not read; then sizes are not compared with it). */
void models_read(struct reader *r, const struct spot *spot, struct machine *machine);

/* The `decisions:` section (decisions.c). machine->nodes and ->ppn must be known. */
void decisions_read(struct reader *r, const struct spot *spot, struct machine *machine);

/* Has models_read found parameters for `model: NAME` of a collective? LogGP can do with those of LogP (G = 0). */
bool model_is_given(const struct machine *machine, const char *name);

#endif
