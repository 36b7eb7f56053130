/* proof.h - does the text of a formula give the values that were seen, as who reads the directive computes it?
 *
 * fit.h looks for formulas by numbers that it computes itself, in C. What counts is the text: it is read and evaluated by
 * the directive language's own rules (value.h), where `%` of a negative number is negative and dividing by 0 is an error. */
#ifndef PEVPM_RECORD_PROOF_H
#define PEVPM_RECORD_PROOF_H

#include "record/fit.h"

/* Whether the text has each sample's value; condition: is true where the value is not 0, and false elsewhere. All n samples
 * are asked. Names in the text are those of `names`. */
bool proof_holds(const char *text, bool condition, size_t n, const struct fit_sample samples[], const struct fit_names *names);

/* Does the text name this variable? */
bool proof_names(const char *text, const char *name);

#endif
