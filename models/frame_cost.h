/* frame_cost.h - what a frame takes on the wire beside the bytes of messages. Bytes. */
#ifndef PEVPM_MODELS_FRAME_COST_H
#define PEVPM_MODELS_FRAME_COST_H

/* With each frame, Ethernet, IP and TCP with timestamps. */
enum { FRAME_WIRE_HEADERS = 66 };

/* With each message, the library's: Open MPI 4.1, pml/ob1 over btl/tcp, as packets show it. */
enum frame_header {
    FRAME_HEADER_eager = 22,       /* data that go at once */
    FRAME_HEADER_synchronous = 40, /* the same of a synchronous send */
    FRAME_HEADER_announces = 40,
    FRAME_HEADER_permits = 64,
    FRAME_HEADER_announced = 56,   /* data that have been permitted; the word that all is sent included */
    FRAME_HEADER_answers = 48,     /* to a synchronous send */
};

#endif
