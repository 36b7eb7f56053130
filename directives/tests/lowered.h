/* lowered.h - from directives to a program, for tests. Include after the standard headers that cmocka needs. */
#ifndef PEVPM_DIRECTIVES_TESTS_LOWERED_H
#define PEVPM_DIRECTIVES_TESTS_LOWERED_H

#include "directives/program.h"

#include "common/alloc.h"
#include "directives/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct lowered {
    struct source *source;
    struct tree *tree;
    struct program *program;
    struct diags diags;
    enum status status;
};

static inline struct lower_options options_for(int numprocs)
{
    return (struct lower_options){.numprocs = numprocs, .nodes = numprocs, .ppn = 1, .machine = "perseus",
                                  .time_unit = 1e-3};
}

static inline void print_diags(const struct diags *diags, FILE *out)
{
    diags_print(diags, out);
}

/* What a function prints, on the heap. */
#define CAPTURE(text, call_with_out)                   \
    char *text = NULL;                                 \
    do {                                               \
        size_t length_ = 0;                            \
        FILE *out = open_memstream(&text, &length_);   \
        assert_non_null(out);                          \
        call_with_out;                                 \
        fclose(out);                                   \
    } while (0)

static inline void lower_with(struct lowered *l, const char *text, const struct lower_options *options)
{
    *l = (struct lowered){.diags = DIAGS_EMPTY};
    l->source = source_from_text("t.pevpm", text, strlen(text));
    l->status = tree_parse(&l->tree, l->source, 0, NULL, &l->diags);
    if (l->status != STATUS_OK) {
        CAPTURE(errors, print_diags(&l->diags, out));
        print_error("%s", errors);
        free(errors);
    }
    assert_int_equal(l->status, STATUS_OK);
    l->status = program_lower(&l->program, l->tree, options, &l->diags);
}

static inline void lower(struct lowered *l, const char *text, int numprocs)
{
    struct lower_options options = options_for(numprocs);
    lower_with(l, text, &options);
    assert_int_equal(l->status, STATUS_OK);
}

static inline void release(struct lowered *l)
{
    if (l->status == STATUS_OK)
        program_destroy(l->program);
    tree_destroy(l->tree);
    source_destroy(l->source);
    diags_free(&l->diags);
}

static inline const struct role *role_of(const struct lowered *l, int process)
{
    return &l->program->roles[l->program->role_of[process]];
}

/* How many instructions of this kind a process has. */
static inline int count_of(const struct lowered *l, int process, enum instr_op op)
{
    const struct role *role = role_of(l, process);
    int n = 0;
    for (int32_t i = 0; i < role->n_code; i++)
        n += role->code[i].op == op;
    return n;
}

static inline const struct instr *find_instr(const struct lowered *l, int process, enum instr_op op, int nth)
{
    const struct role *role = role_of(l, process);
    for (int32_t i = 0; i < role->n_code; i++)
        if (role->code[i].op == op && nth-- == 0)
            return &role->code[i];
    fail_msg("process %d has no instruction %d", process, (int)op);
    return NULL;
}

static inline int peer_of(const struct lowered *l, int process, const struct instr *instr)
{
    const struct role_peer *peer = &role_of(l, process)->peers[instr->peer];
    return peer->relative ? process + peer->value : peer->value;
}

/* The whole of --print, from the second line on. */
static inline void assert_prints(const char *text, int numprocs, int process, const char *expected)
{
    struct lowered l;
    lower(&l, text, numprocs);
    CAPTURE(printed, program_print(l.program, process, false, out));
    char *body = strchr(printed, '\n');
    assert_non_null(body);
    assert_string_equal(body + 1, expected);
    free(printed);
    release(&l);
}

#endif
