// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "zmtp.h"

#include <errno.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static bool sendBytes(Connection *connection, const void *bytes, size_t count) {
    for (const char *at = bytes; count > 0;) {
        ssize_t written = send(connection->descriptor, at, count, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        count -= (size_t)written;
    }
    return true;
}

bool sendFrame(Connection *connection, int flags, const void *bytes, size_t count) {
    unsigned char head[9] = {(unsigned char)flags, (unsigned char)count};
    size_t headCount = 2;
    if (count > 255) {
        head[0] |= FRAME_IS_LARGE;
        for (int index = 0; index < 8; index++) head[1 + index] = (unsigned char)(count >> (56 - 8 * index));
        headCount = 9;
    }
    return sendBytes(connection, head, headCount) && (count == 0 || sendBytes(connection, bytes, count));
}

bool receive(Connection *connection) {
    if (connection->capacity - connection->count < 65536) {
        connection->capacity = connection->capacity * 2 + 131072;
        connection->input = realloc(connection->input, connection->capacity);
        if (!connection->input) abort();
    }
    ssize_t count = recv(connection->descriptor, connection->input + connection->count, 65536, 0);
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    connection->count += (size_t)count;
    return true;
}

int nextFrame(Connection *connection, size_t *offset, int *flags, Text *frame) {
    const unsigned char *at = (const unsigned char *)connection->input + *offset;
    size_t left = connection->count - *offset, headCount = 2;
    if (left < 2) return 0;
    uint64_t size = at[1];
    if (at[0] & FRAME_IS_LARGE) {
        headCount = 9;
        if (left < 9) return 0;
        size = 0;
        for (int index = 1; index < 9; index++) size = size << 8 | at[index];
    }
    if (size > MAXIMUM_FRAME_BYTES) return -1;
    if (left < headCount + size) return 0;
    *flags = at[0];
    *frame = (Text){(const char *)at + headCount, size};
    *offset += headCount + size;
    return 1;
}

void disconnect(Connection *connection) {
    if (connection->descriptor >= 0) close(connection->descriptor);
    connection->descriptor = -1;
    connection->count = 0;
}

bool connectTo(Connection *connection, const char *host, int port, const char *socketType) {
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *addresses;
    if (getaddrinfo(host, service, &hints, &addresses) != 0) return false;
    connection->count = 0;
    connection->descriptor = socket(addresses->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool isConnected = connection->descriptor >= 0
        && connect(connection->descriptor, addresses->ai_addr, addresses->ai_addrlen) == 0;
    freeaddrinfo(addresses);
    struct timeval timeout = {.tv_sec = 2};
    if (!isConnected || setsockopt(connection->descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout)) return false;

    unsigned char greeting[64] = {0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 3, 0, 'N', 'U', 'L', 'L'};
    char ready[64];
    size_t typeCount = strlen(socketType);
    size_t count = (size_t)snprintf(ready, sizeof ready, "%cREADY%cSocket-Type", 5, 11);
    memcpy(ready + count, (char[]){0, 0, 0, (char)typeCount}, 4);
    memcpy(ready + count + 4, socketType, typeCount);
    if (!sendBytes(connection, greeting, sizeof greeting)) return false;
    while (connection->count < sizeof greeting) {
        if (!receive(connection)) return false;
    }
    if (!sendFrame(connection, FRAME_IS_COMMAND, ready, count + 4 + typeCount)) return false;
    for (;;) {
        size_t offset = sizeof greeting;
        int flags = 0;
        Text frame;
        int found = nextFrame(connection, &offset, &flags, &frame);
        if (found < 0 || (found == 0 && !receive(connection))) return false;
        if (found == 0) continue;
        memmove(connection->input, connection->input + offset, connection->count - offset);
        connection->count -= offset;
        return flags & FRAME_IS_COMMAND && frame.count > 6 && !memcmp(frame.bytes, "\5READY", 6);
    }
}

bool answerCommand(Connection *connection, Text command) {
    if (command.count < 7 || memcmp(command.bytes, "\4PING", 5)) return true;
    // Behind the name stand two bytes of time to live, then up to 16 bytes that come back.
    char pong[32] = "\4PONG";
    size_t contextCount = command.count - 7 > 16 ? 16 : command.count - 7;
    memcpy(pong + 5, command.bytes + 7, contextCount);
    return sendFrame(connection, FRAME_IS_COMMAND, pong, 5 + contextCount);
}
