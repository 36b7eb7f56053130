/* frame_cost.h - what a frame takes on the wire beside the bytes of messages. Bytes. */
#ifndef PEVPM_MODELS_FRAME_COST_H
#define PEVPM_MODELS_FRAME_COST_H

/* With each frame, Ethernet, IP and TCP with timestamps. */
enum { FRAME_WIRE_HEADERS = 66 };

/* With each message, the library's: Open MPI 4.1, pml/ob1 over btl/tcp, as packets show it, X(what, bytes):
 *
 *     eager        data that go at once
 *     synchronous  the same of a synchronous send
 *     announced    data that have been permitted, the word that all is sent included
 *     announces, permits, answers     what the two tell each other; the last is the answer to a synchronous send */
#define FRAME_HEADER_LIST(X) X(eager, 22) X(synchronous, 40) X(announced, 56) X(announces, 40) X(permits, 64) X(answers, 48)
enum frame_header {
#define X(what, bytes) FRAME_HEADER_##what = bytes,
    FRAME_HEADER_LIST(X)
#undef X
};

#endif
