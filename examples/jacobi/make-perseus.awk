# make-perseus.awk - writes perseus.yaml from the few figures that the paper gives in words.
#
#     awk -f make-perseus.awk > perseus.yaml
#
# Times are in ms here, sizes in bytes. Every assumption is one of the constants in BEGIN.

# Erlang distribution of shape `shape` and scale 1: P(X <= x).
function erlang_cdf(x, shape,    i, term, sum) {
    if (x <= 0)
        return 0
    term = sum = 1
    for (i = 1; i < shape; i++) {
        term *= x / i
        sum += term
    }
    return 1 - exp(-x) * sum
}

# Average one-way time of a ping-pong between two nodes. Two segments that meet at the knee.
function pingpong_average(bytes) {
    if (bytes <= KNEE)
        return LATENCY + bytes / SMALL_RATE
    return LATENCY + KNEE / SMALL_RATE + (bytes - KNEE) / LARGE_RATE
}

# What other messages in the switches add to the average of a message of 1 KiB, as a share of what 64 add.
function switch_share(level) {
    return level == 4 ? 0.06 : level == 8 ? 0.15 : level == 16 ? 0.30 : level == 32 ? 0.60 : level == 64 ? 1.00 \
         : level == 128 ? 1.60 : 0
}

# The same addition at other sizes, relative to 1 KiB: it grows, but far more slowly than the message's own time.
function size_share(bytes) {
    return bytes <= 1024 ? 0.6 + 0.4 * bytes / 1024 : 1 + 0.15 * log(bytes / 1024) / log(2)
}

function contended_average(bytes, level, ppn,    t) {
    t = pingpong_average(bytes) + AT_64 * pingpong_average(1024) * switch_share(level) * size_share(bytes)
    if (ppn == 2)
        t += NIC_FIXED + NIC_SHARE * bytes / SMALL_RATE
    return t
}

# Probability that a message takes at most t; the parameters are those that set_shape left.
function cdf(t,    p) {
    p = (1 - tail) * erlang_cdf((t - least) / scale, SHAPE)
    if (tail > 0 && t > body_mean)
        p += tail * (1 - exp(-(t - body_mean) / tail_mean))
    return p
}

function set_shape(minimum, average, tail_weight, tail_length) {
    least = minimum
    body_mean = average
    scale = (average - minimum) / SHAPE
    tail = tail_weight
    tail_mean = tail_length
}

# Prints `prefix`, then list[0..n-1] between brackets, in lines of at most 116 characters.
function print_list(prefix, list, n, suffix,    i, line, word) {
    line = prefix "["
    for (i = 0; i < n; i++) {
        word = list[i] (i < n - 1 ? "," : "]" suffix)
        if (length(line) + length(word) + 1 > 116) {
            print line
            line = "                   "
        }
        line = line (i == 0 ? "" : " ") word
    }
    print line
}

# Fills counts[] for the bins between edges[0..n]. None below the last filled one stays empty: edges[0] is the minimum.
# Returns the number of bins to print.
function count_bins(n,    i, used, c) {
    used = 0
    for (i = 0; i < n; i++) {
        c = int(SAMPLES * (cdf(edges[i + 1]) - cdf(edges[i])) + 0.5)
        counts[i] = c
        if (c > 0)
            used = i + 1
    }
    for (i = 0; i < used; i++)
        if (counts[i] == 0)
            counts[i] = 1
    return used
}

function print_average(n,    i, sum, weight) {
    for (i = 0; i < n; i++) {
        weight += counts[i]
        sum += counts[i] * (edges[i] + edges[i + 1]) / 2
    }
    printf "        # average %.4f ms\n", sum / weight
}

# A quick tail: equal bins.
function print_equal_bins(    i, n, width) {
    width = sprintf("%.6f", REACH * SHAPE * scale / BINS) + 0
    for (i = 0; i <= BINS; i++)
        edges[i] = sprintf("%.6f", least) + i * width
    n = count_bins(BINS)
    print_average(n)
    print_list(sprintf("        transit: {start: \"%.6f ms\", width: \"%.6f ms\", counts: ", least, width), \
               counts, n, "}")
}

# A long tail: equal bins for the body, then each a quarter wider than the one before.
function print_growing_bins(    i, n, width, texts) {
    width = REACH * SHAPE * scale / BINS
    edges[0] = sprintf("%.4f", least) + 0
    for (n = 0; edges[n] < body_mean + 7 * tail_mean; n++) {
        if (n >= BINS)
            width *= 1.25
        edges[n + 1] = sprintf("%.4f", edges[n] + width) + 0
    }
    n = count_bins(n)
    print_average(n)
    for (i = 0; i <= n; i++)
        texts[i] = sprintf("%.4f ms", edges[i])
    for (i = 0; i <= n; i++)
        texts[i] = "\"" texts[i] "\""
    print "        transit:"
    print_list("          edges: ", texts, n + 1, "")
    print_list("          counts: ", counts, n, "")
}

function print_overheads(bytes) {
    printf "        send_overhead: \"%.1f us\"\n", 1000 * (OVERHEAD + bytes / COPY_RATE)
    printf "        receive_overhead: \"%.1f us\"\n", 1000 * (OVERHEAD + bytes / COPY_RATE)
}

function print_entry_head(nodes, ppn, pattern, level) {
    print "  - operation: MPI_Isend"
    printf "    pattern: %s\n    nodes: %d\n    processes_per_node: %d\n    level: %d\n", pattern, nodes, ppn, level
}

function print_pair_sizes(    s) {
    print "    sizes: &two_nodes"
    for (s = 1; s <= N_SIZES; s++) {
        printf "      - bytes: %d\n", SIZES[s]
        set_shape((1 - PAIR_SPREAD) * pingpong_average(SIZES[s]), pingpong_average(SIZES[s]), 0, 0)
        print_equal_bins()
        print_overheads(SIZES[s])
    }
}

function print_contended_entry(nodes, ppn,    s, bytes, saturated) {
    print_entry_head(nodes, ppn, "pairs", nodes * ppn)
    print "    sizes:"
    for (s = 1; s <= N_SIZES; s++) {
        bytes = SIZES[s]
        saturated = nodes == 64 && bytes >= KNEE
        printf "      - bytes: %d\n", bytes
        set_shape((1 - PAIR_SPREAD) * pingpong_average(bytes), contended_average(bytes, nodes * ppn, ppn), \
                  saturated ? (bytes == KNEE ? 0.15 : bytes == 32768 ? 0.30 : 0.40) : 0, pingpong_average(bytes))
        if (saturated)
            print_growing_bins()
        else
            print_equal_bins()
        print_overheads(bytes)
    }
}

function print_within_node(    s, t) {
    print_entry_head(1, 2, "pingpong", 1)
    print "    sizes:"
    for (s = 1; s <= N_SIZES; s++) {
        t = WITHIN_LATENCY + SIZES[s] / WITHIN_RATE
        printf "      - bytes: %d\n", SIZES[s]
        set_shape((1 - PAIR_SPREAD) * t, t, 0, 0)
        print_equal_bins()
        print_overheads(SIZES[s])
    }
}

function print_header() {
    print "# perseus.yaml - an illustration of Perseus, the cluster of Grove and Coddington. Not a measurement."
    print "#"
    print "# D. A. Grove, P. D. Coddington: Communication Benchmarking and Performance Modelling of MPI Programs"
    print "# on Cluster Computers, J. Supercomputing (2005), shows its histograms in figures without numbers and"
    print "# gives some figures in words. This file holds what the words say and fills the rest with assumptions."
    print "# make-perseus.awk writes it. Each entry says which is which: QUOTED, DERIVED from a quotation, ASSUMED."
    print "#"
    print "# QUOTED, for all entries:"
    print "#   116 dual-processor nodes (500 MHz Pentium III), switched 100 Mbit/s Ethernet, MPICH 1.2.0; the"
    print "#     operation measured is MPI_Isend"
    print "#   \"81 Mbit/s is achieved between two processes for 16 Kbyte messages\""
    print "#   \"two distinct segments to the data, with a knee occurring at 16 Kbytes\", as MPICH sends in two ways"
    print "#   1 Kbyte \"takes 70% longer when 64x1 processes are communicating than when 2x1 processes are\""
    print "#   2x1 is \"a simple ping-pong message\", its minimum and average times are similar"
    print "#   others' messages delay large ones relatively less, until saturation: at 64x1 it starts \"when message"
    print "#     sizes reach about 16 Kbytes\" and shows as long tails"
    print "#   distributions have \"a relatively smooth rise from a bounded minimum time, through a peak which occurs"
    print "#     very close to the average time and drop off fairly quickly\"; the minimum is \"bounded by the"
    print "#     performance of a contention-free message\""
    print "#   processes on one node contend for its one network interface; more nodes contend in the switches only"
    print "# DERIVED:"
    printf "#   a 16 KiB ping-pong takes 16384 * 8 bit / 81 Mbit/s = %.4f ms one way\n", pingpong_average(KNEE)
    print "# ASSUMED:"
    printf "#   latency %.2f ms, hence %.1f MB/s up to the knee and 1 KiB in %.4f ms; %.1f MB/s beyond the knee\n", \
        LATENCY, SMALL_RATE / 1000, pingpong_average(1024), LARGE_RATE / 1000
    print "#   the law: Erlang, shape 8, above the minimum, counted in equal bins as MPIBench would count it; the"
    print "#     minimum 3 % below the ping-pong's average for all n x p; 100,000 samples; no retransmissions"
    print "#   how the delay by others grows with the messages in flight (4: 6 %, 8: 15 %, 16: 30 %, 32: 60 %,"
    print "#     128: 160 % of that at 64) and with size (60 % at 0 bytes, 100 % at 1 KiB, 15 % per doubling)"
    print "#   all overheads, the cost of sharing an interface, messages within a node, eager_limit"
    print ""
    print "pevpm_machine: 1"
    print "name: perseus                    # QUOTED: `Serial on perseus` in Figure 5"
    print "time_unit: ms                    # DERIVED: 3.24 for 65,536 points is 49 ns a point at 500 MHz"
    print "nodes: 116                       # QUOTED"
    print "processes_per_node: 2            # QUOTED: dual-processor nodes"
    print "eager_limit: 16384               # ASSUMED: at the knee MPICH goes from eager to rendezvous"
    print "progress: none                   # ASSUMED: no progress thread in MPICH 1.2.0"
    print "provenance:"
    print "  measured_by: nobody; made from the text of the paper by make-perseus.awk"
}

function print_one_per_node(    nodes) {
    print ""
    print "  # 2x1, one message at a time."
    print "  # QUOTED: a ping-pong; 81 Mbit/s at 16 KiB; the knee; minimum near average. ASSUMED: the rest."
    print_entry_head(2, 1, "pingpong", 1)
    print_pair_sizes()
    print ""
    print "  # 2x1, both directions at once. ASSUMED: as the ping-pong; each direction of a link is its own."
    print_entry_head(2, 1, "pairs", 2)
    print "    sizes: *two_nodes"
    for (nodes = 4; nodes <= 64; nodes *= 2) {
        print ""
        if (nodes == 64) {
            print "  # 64x1. QUOTED: +70 % at 1 KiB; long tails from 16 KiB on. ASSUMED: the other sizes; how much of"
            print "  # the messages the tails hold (15 %, 30 %, 40 %) and how long they are."
        } else
            printf "  # %dx1. ASSUMED: %.0f %% of the delay at 64x1. QUOTED: the minimum, the shape.\n", nodes, \
                100 * switch_share(nodes)
        print_contended_entry(nodes, 1)
    }
}

function print_two_per_node(    nodes) {
    print ""
    print "  # Two processes per node, one message at a time between two nodes."
    print "  # ASSUMED: as 2x1, since the idle processes disturb nobody."
    print_entry_head(2, 2, "pingpong", 1)
    print "    sizes: *two_nodes"
    for (nodes = 2; nodes <= 64; nodes *= 2) {
        print ""
        printf "  # %dx2. ASSUMED: the switches delay %d messages as those of %dx1; sharing an interface costs\n", \
            nodes, 2 * nodes, 2 * nodes
        printf "  # %.0f us and %.0f %% of the other's message. QUOTED: that it costs something; the shape%s.\n", \
            1000 * NIC_FIXED, 100 * NIC_SHARE, nodes == 64 ? " (Figure 3)" : ""
        print_contended_entry(nodes, 2)
    }
    print ""
    printf "  # Within a node. ASSUMED: TCP through the loopback interface, %.0f us and %.0f MB/s, undisturbed.\n", \
        1000 * WITHIN_LATENCY, WITHIN_RATE / 1000
    print_within_node()
}

BEGIN {
    N_SIZES = split("0 256 512 1024 4096 16384 32768 65536", SIZES, " ")
    KNEE = 16384             # bytes; quoted
    AT_64 = 0.70             # quoted: 64x1 takes 70 % longer than 2x1 at 1 KiB
    LATENCY = 0.180          # ms; assumed: the order of TCP between Pentium III nodes
    SMALL_RATE = KNEE / (KNEE * 8 / 81e3 - LATENCY)   # bytes/ms: 81 Mbit/s (quoted) at the knee, latency included
    LARGE_RATE = 10200       # bytes/ms; assumed
    PAIR_SPREAD = 0.03       # assumed: the minimum lies 3 % below the average of a ping-pong
    SHAPE = 8                # assumed: peak at 7/8 of the way from the minimum to the average
    REACH = 3.6              # assumed: the histogram ends 3.6 times as far from the minimum as the average
    BINS = 54
    SAMPLES = 100000         # assumed
    NIC_FIXED = 0.020        # ms; assumed: two processes share a network interface
    NIC_SHARE = 0.60         # assumed: and wait for this share of the other's message
    OVERHEAD = 0.020         # ms; assumed
    COPY_RATE = 100000       # bytes/ms; assumed
    WITHIN_LATENCY = 0.080   # ms; assumed: TCP through the loopback interface
    WITHIN_RATE = 60000      # bytes/ms; assumed

    print_header()
    print "point_to_point:"
    print_one_per_node()
    print_two_per_node()
}
