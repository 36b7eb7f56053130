# make-workstations.awk - writes workstations.yaml from the few figures that the papers give, and assumptions.
#
#     awk -f make-workstations.awk > workstations.yaml
#
# Times are in us here, sizes in bytes. Every assumption is one of the constants in BEGIN.

# One message, alone.
function message(bytes) { return ALPHA + BETA * bytes }

# A gather in which nothing goes wrong: one message after the other passes the root's port.
function smooth_gather(numprocs, bytes) { return ALPHA + (numprocs - 1) * BETA * bytes }

# What M1 and Mc are for a number of processes: linear between 3 and 16, constant beyond.
function between(at_3, at_16, numprocs) {
    return at_3 + (at_16 - at_3) * ((numprocs < 3 ? 3 : numprocs > 16 ? 16 : numprocs) - 3) / 13
}

# Probability that a gather takes one of the levels.
function escalation(numprocs, bytes,    least, certain, p) {
    least = between(M1_3, M1_16, numprocs)
    certain = between(MC_3, MC_16, numprocs)
    if (numprocs < 3 || bytes >= M2)
        return 0
    p = (bytes - least) / (certain - least)
    return p < 0 ? 0 : p > 1 ? 1 : p
}

# A narrow bin for the smooth gather, one for each level behind it; counts of 10,000 gathers.
function gather_entry(numprocs, bytes,    t, p, i, edges, counts) {
    t = smooth_gather(numprocs, bytes)
    p = escalation(numprocs, bytes)
    edges = sprintf("%.1f us, %.1f us", 0.98 * t, 1.04 * t)
    gsub(/, /, "\", \"", edges)
    counts = int(10000 * (1 - p) + 0.5)
    for (i = 1; p > 0 && i <= LEVELS; i++) {
        edges = edges sprintf("\", \"%.1f us\", \"%.1f us", t + level[i], 1.04 * t + level[i])
        counts = counts ", 0, " int(10000 * p * share[i] + 0.5)
    }
    printf "      - {numprocs: %d, bytes: %d, time: \"%g us\", root_time: {edges: [\"%s\"], counts: [%s]}}\n",
           numprocs, bytes, SEND, edges, counts
}

BEGIN {
    ALPHA = 177; BETA = 0.0219
    SEND = 20; RECEIVE = 10
    LEVELS = 4
    level[1] = 40000; level[2] = 200000; level[3] = 250000; level[4] = 600000
    share[1] = 0.60; share[2] = 0.30; share[3] = 0.08; share[4] = 0.02
    M1_3 = 5000; M1_16 = 2800; MC_3 = 60000; MC_16 = 20000
    M2 = 65536
    POINT = 0.1

    print "# workstations.yaml - an illustration of a cluster on which gathers escalate. Not a measurement."
    print "#"
    print "# make-workstations.awk writes it. Where its figures come from:"
    print "#   [1] A. Lastovetsky, M. O'Flynn: A Performance Model of Many-to-One Collective Communications for"
    print "#       Parallel Computing, IPDPS (2007), gives its measured probabilities as figures without numbers."
    print "#   [2] A. Lastovetsky, V. Rychkov: Accurate and Efficient Estimation of Parameters of Heterogeneous"
    print "#       Communication Performance Models, IJHPCA (2009)."
    print "#"
    print "# QUOTED:"
    print "#   16 workstations [1]; a message takes 177 us + 0.0219 us/byte on average [2]"
    print "#   a gather can take one of four levels: 40, 200, 250, 600 ms [1, Table 2, of another cluster]"
    print "#   it does so from M1 on, always from Mc on, and no more from M2 = 65,536 bytes on [1]; from 3 processes on"
    print "# ASSUMED:"
    print "#   M1 goes from 5,000 bytes at 3 processes to 2,800 at 16, Mc from 60,000 to 20,000"
    print "#   the probability grows linearly from M1 to Mc; of the gathers that escalate, 60, 30, 8, 2 % take the four"
    print "#     levels, on top of what they would take otherwise"
    print "#   without that, a gather's messages pass the root's port one after the other; 2 % below to 4 % above"
    print "#   overheads; a point takes the filter 0.1 us, ten times what it takes today; all workstations alike"
    print ""
    print "pevpm_machine: 1"
    print "name: workstations"
    print "nodes: 16"
    print "processes_per_node: 1"
    print "eager_limit: 65535"
    print "provenance:"
    print "  measured_by: nobody; made from the texts of two papers by make-workstations.awk"
    print "point_to_point:"
    print "  - operation: MPI_Send"
    print "    pattern: pingpong"
    print "    nodes: 2"
    print "    processes_per_node: 1"
    print "    sizes:"
    n = split("0 1000000", sizes, " ")
    for (i = 1; i <= n; i++)
        printf "      - {bytes: %d, transit: \"%g us\", send_overhead: \"%g us\", receive_overhead: \"%g us\"}\n",
               sizes[i], message(sizes[i]), SEND, RECEIVE
    print "ports:"
    printf "  out_gap: [[0, \"%g us\"], [1000000, \"%g us\"]]\n", SEND, SEND + 1000000 * BETA
    printf "  in_gap: [[0, \"%g us\"], [1000000, \"%g us\"]]\n", RECEIVE, RECEIVE + 1000000 * BETA
    print "collectives:"
    print "  MPI_Scatter: {algorithm: linear}"
    print "  MPI_Gather:"
    print "    measured:"
    n = split("1024 2048 2800 4096 8192 16384 32768 65535 65536 131072", sizes, " ")
    for (numprocs = 2; numprocs <= 16; numprocs *= 2)
        for (i = 1; i <= n; i++)
            gather_entry(numprocs, sizes[i])
    print "serial:"
    printf "  filter: [[0, 0], [262144, \"%g us\"]]\n", 262144 * POINT
}
