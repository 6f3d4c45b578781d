// SPDX-License-Identifier: MIT
//
// ZMTP 3.0 over TCP, without security: https://rfc.zeromq.org/spec/23/

#ifndef TIDINGS_ZMTP_H
#define TIDINGS_ZMTP_H

#include <stdbool.h>
#include <stddef.h>

#include "json.h"

enum {
    MAXIMUM_FRAME_BYTES = 2 << 20,
    // Bits of a frame's flags.
    FRAME_HAS_MORE = 1,
    FRAME_IS_LARGE = 2,
    FRAME_IS_COMMAND = 4,
};

typedef struct {
    int descriptor;
    char *input;
    size_t count, capacity;
} Connection;

/// Connects, and exchanges greetings and the command READY.
bool connectTo(Connection *connection, const char *host, int port, const char *socketType);

void disconnect(Connection *connection);

bool sendFrame(Connection *connection, int flags, const void *bytes, size_t count);

/// Reads what is there. Returns false if the connection has ended.
bool receive(Connection *connection);

/// Finds the frame at `offset` and moves behind it. Returns 0 if it is incomplete, -1 if it is too large.
int nextFrame(Connection *connection, size_t *offset, int *flags, Text *frame);

/// Answers the command if it is a PING. Returns false if the connection has ended.
bool answerCommand(Connection *connection, Text command);

#endif
