/* beyond.h - where formulas are held against each other: the samples, and processes of counts that nobody recorded (fit_places of
 * fit.h), each in some trips that samples of the largest count had, with the parameters of these. */
#ifndef PEVPM_RECORD_BEYOND_H
#define PEVPM_RECORD_BEYOND_H

#include "record/fit/fit_terms.h"

/* search->beyond, ->place, ->cheaper, ->m and ->counts, of its samples and names. */
void beyond_make(struct search *search);

#endif
