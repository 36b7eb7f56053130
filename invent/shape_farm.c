/* One process and all others: farms, fans, wildcards, probes. */
#include "invent/shape_impl.h"

#include <stdio.h>

/* How a message of any sender is taken, whose rank goes to `who`. */
static void say_take_any(struct maker *m, int tag, const char *who)
{
    const char *lap = m->tag_lap ? m->tag_lap : "";
    switch (chance(m, 4)) {
    case 0:
        say(m, "Message type = MPI_Recv & from = MPI_ANY_SOURCE & tag = %d%s & source = %s\n", tag, lap, who);
        break;
    case 1:
        say(m, "Message type = MPI_Irecv & from = MPI_ANY_SOURCE & tag = %d%s & request = w\n"
               "Message type = MPI_Wait & request = w & source = %s\n", tag, lap, who);
        break;
    case 2:
        say(m, "Message type = MPI_Probe & from = MPI_ANY_SOURCE & tag = %d%s & source = %s & got_size = n\n"
               "Message type = MPI_Recv & from = %s & tag = %d%s & size = n\n", tag, lap, who, who, tag, lap);
        break;
    default:
        say(m, "Set seen = 0\nLoop while = seen == 0\n{\nMessage type = MPI_Iprobe & from = MPI_ANY_SOURCE & tag = %d%s & "
               "flag = seen & source = %s\nSerial time = 20 us\n}\nMessage type = MPI_Recv & from = %s & tag = %d%s\n",
            tag, lap, who, who, tag, lap);
    }
}

/* The master gives everybody a task, then the next to whom its result comes from, and at last word to stop. */
struct shape_cost shape_farm(struct maker *m)
{
    double bytes, result_bytes;
    int k = m->n_phases, more = chance(m, 6), task = phase_tag(m, 0), result = phase_tag(m, 1), stop = phase_tag(m, 2);
    m->often = "3";
    say(m, "Set left%d = 2*(numprocs-1) + %d\nRunon c1 = procnum == 0 & else\n{\nLoop iterations = numprocs-1 & var = w%d\n"
           "{\n", k, more, k);
    const char *size = chance_size(m, 20000, &bytes);
    say(m, "Set task%d = %s\nMessage type = MPI_Send & to = w%d+1 & size = task%d & tag = %d\nSet left%d = left%d-1\n}\n", k,
        size, k, k, task, k, k);
    say(m, "Loop iterations = 2*(numprocs-1) + %d\n{\n", more);
    say_take_any(m, result, "who");
    say(m, "Runon c1 = left%d > 0 & else\n{\nMessage type = MPI_Send & to = who & size = task%d & tag = %d\n"
           "Set left%d = left%d-1\n}\n{\nMessage type = MPI_Send & to = who & size = 0 & tag = %d\n}\n}\n}\n{\n", k, k, task,
        k, k, stop);
    say(m, "Set on%d = 1\nLoop while = on%d == 1\n{\n"
           "Message type = MPI_Recv & from = 0 & tag = MPI_ANY_TAG & got_tag = t%d\nRunon c1 = t%d == %d & else\n{\n"
           "Set on%d = 0\n}\n{\n", k, k, k, k, stop, k);
    say_work(m);
    size = chance_size(m, 20000, &result_bytes);
    say_send(m, "0", size, result);
    say(m, "}\n}\n}\n");
    const double both = (bytes + result_bytes) / 2;
    return (struct shape_cost){.fixed = cost_of(2 * more, both).fixed, .each = cost_of(4, both).fixed};
}

/* Everybody has one message for one. */
struct shape_cost shape_any(struct maker *m)
{
    double bytes;
    int tag = phase_tag(m, 0);
    m->tag_lap = TAG_LAP;
    say(m, "Runon c1 = procnum == 0 & else\n{\nLoop iterations = numprocs-1\n{\n");
    say_take_any(m, tag, "who");
    m->often = "numprocs";
    say_work(m);
    m->often = NULL;
    say(m, "}\n}\n{\n");
    say_work(m);
    const char *size = chance_size(m, 16384, &bytes);
    say_send(m, "0", size, tag);
    say(m, "}\n");
    const struct shape_cost one = cost_of(1, bytes);
    return (struct shape_cost){.each = one.fixed};
}

/* Every second looks out for the one behind it. */
struct shape_cost shape_look(struct maker *m)
{
    double bytes;
    int tag = phase_tag(m, 0);
    say(m, "Runon c1 = procnum%%2 == 1\n{\n");
    say_work(m);
    const char *size = chance_size(m, 100000, &bytes);
    say_send(m, "procnum-1", size, tag);
    say(m, "}\nRunon c1 = procnum%%2 == 0 && procnum < numprocs-1\n{\n");
    say_take_any(m, tag, "who");
    say(m, "}\n");
    return cost_of(1, bytes);
}

/* One takes a message of each in turn, and may answer. */
struct shape_cost shape_fan(struct maker *m)
{
    double bytes;
    int root = chance(m, 2), posted = chance(m, 2), answers = chance(m, 2), k = m->n_phases, tag = phase_tag(m, 0);
    const char *to = root ? "1" : "0", *size;
    say(m, "Runon c1 = procnum == %d & else\n{\nLoop iterations = numprocs & var = i%d\n{\nRunon c1 = i%d != procnum\n{\n",
        root, k, k);
    if (posted)
        say(m, "Message type = MPI_Irecv & from = i%d & tag = %d & request = f[i%d]\n}\n}\n", k, tag, k);
    else
        say(m, "Message type = MPI_Recv & from = i%d & tag = %d\n}\n}\n", k, tag);
    if (posted)
        say(m, "Message type = MPI_Waitall & request = f\n");
    if (answers) {
        char name[16];
        snprintf(name, sizeof name, "i%d", k);
        say(m, "Loop iterations = numprocs & var = %s\n{\nRunon c1 = %s != procnum\n{\n", name, name);
        size = chance_size(m, 16384, &bytes);
        say_send(m, name, size, tag + 1);
        say(m, "}\n}\n");
    }
    say(m, "}\n{\n");
    say_work(m);
    size = chance_size(m, 16384, &bytes);
    say_send(m, to, size, tag);
    if (answers)
        say(m, "Message type = MPI_Recv & from = %s & tag = %d\n", to, tag + 1);
    say(m, "}\n");
    const struct shape_cost one = cost_of(answers ? 2 : 1, bytes);
    return (struct shape_cost){.each = one.fixed};
}
