/* small_queue.h - when what a connection has been given beside what is on its way leaves its host.
 *
 * The host counts the memory of a connection's frames until they have passed: 960 bytes for each and its data, 1448 in
 * a full one. What is kept takes these 960 bytes once, however many frames it will fill (Linux, skb->truesize on x86).
 * With `full`, what a full frame takes of the sender's port, and times of the port for bytes,
 *
 *     memory(kept) = 0.4 full + 0.6 kept
 *     written      kept leaves in the call that writes the last of it, if on way <= memory(kept): automatic corking
 *     later        as a frame has passed, if on way <= 2 memory(kept): small queues
 *
 * Source: Linux 6.18, tcp_should_autocork and tcp_small_queue_check. Its other limit, what leaves in 1/1024 s at the
 * connection's pace, is below two frames up to 20 Mbit/s and left out. Both numbers are of 1448 bytes to a frame, whatever the
 * machine's frame is: of a jumbo frame the 960 bytes are a tenth and not 0.4. Pure; seconds. */
#ifndef PEVPM_NETWORK_SMALL_QUEUE_H
#define PEVPM_NETWORK_SMALL_QUEUE_H

/* How much may be on the way for `kept` to leave. */
static inline double small_queue_written(double kept, double full)
{
    return 0.4 * full + 0.6 * kept;
}

static inline double small_queue_later(double kept, double full)
{
    return 2 * small_queue_written(kept, full);
}

#endif
