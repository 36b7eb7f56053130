#include "estimate/machine/nodes_fit.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* A node and its time in one direction, to be sorted. */
struct ranked {
    double time;
    size_t node;
};

static int ranked_compare(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : (x->node > y->node) - (x->node < y->node);
}

/* The part of each node in one direction; of nodes whose time is not known the first. */
static void parts_find(size_t n, const double times[], double differ, int part[])
{
    struct ranked *ranked = alloc_array(n, sizeof *ranked);
    size_t known = 0;
    int now = 0;
    for (size_t i = 0; i < n; i++) {
        part[i] = 0;
        if (!isnan(times[i]))
            ranked[known++] = (struct ranked){times[i], i};
    }
    qsort(ranked, known, sizeof *ranked, ranked_compare);
    for (size_t i = 0; i < known; i++) {
        now += i > 0 && ranked[i].time > ranked[i - 1].time * (1 + differ);
        part[ranked[i].node] = now;
    }
    free(ranked);
}

/* Numbers classes as they appear; returns how many. */
static size_t classes_number(size_t n, const int out[], const int in[], int class_of[])
{
    size_t classes = 0;
    for (size_t i = 0; i < n; i++) {
        class_of[i] = -1;
        for (size_t j = 0; j < i && class_of[i] < 0; j++)
            if (out[j] == out[i] && in[j] == in[i])
                class_of[i] = class_of[j];
        if (class_of[i] < 0)
            class_of[i] = (int)classes++;
    }
    return classes;
}

static void classes_sort(size_t n, const struct node_times times[], size_t classes, int class_of[])
{
    struct ranked *ranked = alloc_array(classes, sizeof *ranked);
    int *place = alloc_array(classes, sizeof *place);
    for (size_t k = 0; k < classes; k++) {
        double sum = 0;
        int known = 0;
        for (size_t i = 0; i < n; i++)
            if (class_of[i] == (int)k && !isnan(times[i].out + times[i].in)) {
                sum += times[i].out + times[i].in;
                known++;
            }
        ranked[k] = (struct ranked){known > 0 ? sum / known : HUGE_VAL, k};
    }
    qsort(ranked, classes, sizeof *ranked, ranked_compare);
    for (size_t k = 0; k < classes; k++)
        place[ranked[k].node] = (int)k;
    for (size_t i = 0; i < n; i++)
        class_of[i] = place[class_of[i]];
    free(ranked);
    free(place);
}

size_t nodes_classify(size_t n, const struct node_times times[], double differ, int class_of[])
{
    assert(n >= 1);
    double *one = alloc_array(n, sizeof *one);
    int *out = alloc_array(n, sizeof *out), *in = alloc_array(n, sizeof *in);
    for (size_t i = 0; i < n; i++)
        one[i] = times[i].out;
    parts_find(n, one, differ, out);
    for (size_t i = 0; i < n; i++)
        one[i] = times[i].in;
    parts_find(n, one, differ, in);
    const size_t classes = classes_number(n, out, in, class_of);
    classes_sort(n, times, classes, class_of);
    free(one);
    free(out);
    free(in);
    return classes;
}
