#include "engine/rules.h"

#include <math.h>

double rule_rendezvous_start(double posted, int n, const struct stay sender[], int k, const struct stay receiver[])
{
    double start = INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            double both = rule_latest(posted, rule_latest(sender[i].from, receiver[j].from));
            if (both <= sender[i].to && both <= receiver[j].to && both < start)
                start = both;
        }
    return start;
}
