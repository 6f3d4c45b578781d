// SPDX-License-Identifier: MIT
//
// Prints every update once and in order, one JSON event a line, over restarts of everything. Uses nothing but the C library:
// zmtp.c speaks ZMTP 3.0, json.c reads as much JSON as is needed. docs/events.md has the rules.
//
// Build and run: cc -std=c11 -O2 -o follow Examples/c/*.c && ./follow [HOST [SUBSCRIBE-PORT [REQUEST-PORT]]]
// The default is 127.0.0.1 5556 5557.

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "zmtp.h"

enum {
    SEQUENCE_DIGITS = 20,
    EPOCH_DIGITS = 16,
    REQUEST_DEADLINE = 2000,
    // The bus publishes heads every second. A longer silence means that the connection is dead.
    SILENCE_LIMIT = 5000,
    HEAD_DELAY = 1000,
};

/// One widget. `position` is the last sequence number that was printed.
typedef struct {
    char name[64];
    char position[SEQUENCE_DIGITS + 1], head[SEQUENCE_DIGITS + 1];
    int64_t behindSince;
    bool hasGap, isInSnapshot;
} Widget;

static Widget *widgets;
static size_t widgetCount;
static Connection subscriber, requester;
static char epoch[EPOCH_DIGITS + 1];  // Positions are valid within it; empty until the first snapshot is complete.
static char snapshotEpoch[EPOCH_DIGITS + 1];
static bool snapshotIsWanted, hasRequest, requestIsSnapshot;
static char requestID[64], request[1 << 16], snapshotAfter[64];
static int64_t requestSentAt, lastInput;
static unsigned long long random64;
static unsigned requestCount;

static int64_t milliseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool copySequence(Text value, char *target) {
    return copyString(value, target, SEQUENCE_DIGITS + 1) && strlen(target) == SEQUENCE_DIGITS;
}

// MARK: Requests

static void increment(char *sequence) {
    for (int index = SEQUENCE_DIGITS - 1; index >= 0; index--) {
        if (sequence[index] != '9') {
            sequence[index]++;
            return;
        }
        sequence[index] = '0';
    }
}

/// Sends the pending request, perhaps again: under the same id it is answered like the first time.
static bool sendRequest(void) {
    requestSentAt = milliseconds(CLOCK_MONOTONIC);
    return sendFrame(&requester, FRAME_HAS_MORE, "notifier", 8) && sendFrame(&requester, FRAME_HAS_MORE, requestID, strlen(requestID))
        && sendFrame(&requester, 0, request, strlen(request));
}

static bool beginRequest(bool isSnapshot) {
    hasRequest = true;
    requestIsSnapshot = isSnapshot;
    snprintf(requestID, sizeof requestID, "%016llx-%u", random64, ++requestCount);
    return sendRequest();
}

static bool askForSnapshot(void) {
    int count = snprintf(
        request, sizeof request, "{\"request\":\"snapshot\",\"deadlineMilliseconds\":%d", REQUEST_DEADLINE);
    if (snapshotAfter[0]) {
        count += snprintf(request + count, sizeof request - (size_t)count, ",\"after\":\"%s\"", snapshotAfter);
    }
    snprintf(request + count, sizeof request - (size_t)count, "}");
    return beginRequest(true);
}

/// Asks for what is missing, of as many widgets as fit.
static bool askForGaps(void) {
    int count = snprintf(
        request, sizeof request, "{\"request\":\"replay\",\"deadlineMilliseconds\":%d,\"from\":{", REQUEST_DEADLINE);
    bool isFirst = true;
    for (size_t index = 0; index < widgetCount && (size_t)count + 256 < sizeof request; index++) {
        if (!widgets[index].hasGap) continue;
        char from[SEQUENCE_DIGITS + 1];
        memcpy(from, widgets[index].position, sizeof from);
        increment(from);
        count += snprintf(
            request + count, sizeof request - (size_t)count, "%s\"%s\":\"%s\"", isFirst ? "" : ",", widgets[index].name, from);
        isFirst = false;
    }
    if (isFirst) return true;
    snprintf(request + count, sizeof request - (size_t)count, "}}");
    return beginRequest(false);
}

// MARK: The rules

static Widget *findWidget(const char *name) {
    for (size_t index = 0; index < widgetCount; index++) {
        if (!strcmp(widgets[index].name, name)) return &widgets[index];
    }
    widgets = realloc(widgets, (widgetCount + 1) * sizeof *widgets);
    if (!widgets) abort();
    Widget *widget = &widgets[widgetCount++];
    *widget = (Widget){0};
    snprintf(widget->name, sizeof widget->name, "%s", name);
    memset(widget->position, '0', SEQUENCE_DIGITS);
    memset(widget->head, '0', SEQUENCE_DIGITS);
    return widget;
}

/// Returns whether the number of a message is more than a day above the clock; then a replay must confirm it.
static bool isImplausible(const char *sequence) {
    errno = 0;
    uint64_t number = strtoull(sequence, NULL, 10);
    return errno == ERANGE || number > (uint64_t)milliseconds(CLOCK_REALTIME) + 86400000;
}

/// Handles one update. `isAnswer` tells those of a snapshot or replay from live ones.
static void handleUpdate(Text event, bool isAnswer) {
    char name[64], first[SEQUENCE_DIGITS + 1], sequence[SEQUENCE_DIGITS + 1];
    if (!copyString(member(event, "subject"), name, sizeof name) || !copySequence(member(event, "first"), first)
        || !copySequence(member(event, "sequence"), sequence)) return;
    Widget *widget = findWidget(name);
    bool startsHere = isAnswer && requestIsSnapshot && strcmp(snapshotEpoch, epoch);
    if (isAnswer && requestIsSnapshot) widget->isInSnapshot = true;
    if (!isAnswer && isImplausible(sequence)) {
        widget->hasGap = true;
        return;
    }
    if (startsHere && strcmp(sequence, widget->position) < 0) memcpy(widget->position, sequence, sizeof sequence);
    if (strcmp(sequence, widget->position) <= 0) return;
    char next[SEQUENCE_DIGITS + 1];
    memcpy(next, widget->position, sizeof next);
    increment(next);
    if (!startsHere && strcmp(first, next) > 0) {
        widget->hasGap = true;
        return;
    }
    memcpy(widget->position, sequence, sizeof sequence);
    printf("%.*s\n", (int)event.count, event.bytes);
}

static void handleHead(Text key, Text value, void *context) {
    (void)context;
    char name[64], sequence[SEQUENCE_DIGITS + 1];
    if (key.count >= sizeof name || !copySequence(member(value, "sequence"), sequence)) return;
    memcpy(name, key.bytes, key.count);
    name[key.count] = 0;
    Widget *widget = findWidget(name);
    if (strcmp(sequence, widget->position) <= 0) {
        widget->behindSince = 0;
        return;
    }
    int64_t now = milliseconds(CLOCK_MONOTONIC);
    if (widget->behindSince == 0) widget->behindSince = now;
    if (now - widget->behindSince >= HEAD_DELAY) widget->hasGap = true;
}

static void handleRecord(Text key, Text value, void *context) {
    (void)key;
    handleUpdate(value, true);
    copyString(member(value, "subject"), context, 64);
}

static void wantSnapshot(void) {
    snapshotIsWanted = true;
    snapshotAfter[0] = 0;
}

/// Returns whether the object has the epoch of the positions; otherwise a snapshot decides which epoch holds.
static bool isOfThisEpoch(Text object) {
    char heard[EPOCH_DIGITS + 1];
    if (!copyString(member(object, "epoch"), heard, sizeof heard) || strcmp(heard, epoch) == 0) return true;
    wantSnapshot();
    return false;
}

static void handleAnswer(Text id, Text body) {
    if (!hasRequest || id.count != strlen(requestID) || memcmp(id.bytes, requestID, id.count)) return;
    Text result = member(body, "result"), records = member(result, "records"), more = member(result, "more");
    if (result.count == 0) {
        fprintf(stderr, "The notifier answered: %.*s\n", (int)body.count, body.bytes);
        return;  // Sent again after its deadline.
    }
    hasRequest = false;
    if (requestIsSnapshot) {
        char heard[EPOCH_DIGITS + 1] = "";
        copyString(member(member(result, "end"), "epoch"), heard, sizeof heard);
        if (!snapshotAfter[0]) {
            memcpy(snapshotEpoch, heard, sizeof heard);
            for (size_t index = 0; index < widgetCount; index++) widgets[index].isInSnapshot = false;
        }
        if (strcmp(snapshotEpoch, heard)) {
            wantSnapshot();
            return;
        }
    } else if (!isOfThisEpoch(member(result, "end"))) {
        return;
    } else {
        for (size_t index = 0; index < widgetCount; index++) {
            widgets[index].hasGap = false;
            widgets[index].behindSince = 0;
        }
    }
    char last[64] = "";
    forEach(records, handleRecord, last);
    bool hasMore = more.count == 4 && !memcmp(more.bytes, "true", 4);
    if (!requestIsSnapshot) return;  // What is still missing shows at the next heads.
    if (hasMore && last[0]) {
        memcpy(snapshotAfter, last, sizeof last);
        return;
    }
    snapshotIsWanted = false;
    // A widget that the new epoch does not know begins anew.
    for (size_t index = 0; index < widgetCount && strcmp(snapshotEpoch, epoch); index++)
        if (!widgets[index].isInSnapshot) memset(widgets[index].position, '0', SEQUENCE_DIGITS);
    memcpy(epoch, snapshotEpoch, sizeof epoch);
}

static void handleMessage(bool isAnswer, const Text *frames, size_t count, const char *ready) {
    if (isAnswer) {
        if (count >= 2) handleAnswer(frames[0], frames[1]);
    } else if (count == 1 && frames[0].count == strlen(ready) && !memcmp(frames[0].bytes, ready, frames[0].count)) {
        wantSnapshot();
    } else if (count != 2 || snapshotIsWanted) {
        return;  // What comes before the snapshot is complete is told of by the heads.
    } else if (frames[0].count > 7 && !memcmp(frames[0].bytes, "update/", 7)) {
        if (isOfThisEpoch(frames[1])) handleUpdate(frames[1], false);
    } else if (frames[0].count == 15 && !memcmp(frames[0].bytes, "heads/notifier/", 15)) {
        Text data = member(frames[1], "data");
        if (isOfThisEpoch(member(data, "end"))) forEach(member(data, "heads"), handleHead, NULL);
    }
}

/// Takes all complete messages. Returns false if the peer does not follow the protocol.
static bool handleInput(Connection *connection, bool isAnswer, const char *ready) {
    size_t offset = 0, handled = 0, count = 0;
    Text frames[4];
    int flags, found;
    Text frame;
    while ((found = nextFrame(connection, &offset, &flags, &frame)) == 1) {
        if (flags & FRAME_IS_COMMAND) {
            if (!answerCommand(connection, frame)) return false;
        } else {
            if (count < 4) frames[count++] = frame;
            if (flags & FRAME_HAS_MORE) continue;
            handleMessage(isAnswer, frames, count, ready);
            count = 0;
        }
        handled = count == 0 ? offset : handled;
    }
    memmove(connection->input, connection->input + handled, connection->count - handled);
    connection->count -= handled;
    return found == 0;
}

/// Follows for as long as both connections last. Returns false if there was none.
static bool follow(const char *host, int subscribePort, int requestPort) {
    char ready[64], subscription[64];
    snprintf(ready, sizeof ready, "~ready/%016llx-%u/", random64, ++requestCount);
    snapshotIsWanted = hasRequest = false;
    if (!connectTo(&subscriber, host, subscribePort, "SUB")) return false;
    if (!connectTo(&requester, host, requestPort, "DEALER")) return false;
    const char *topics[] = {"update/", "heads/notifier/", ready};
    for (int index = 0; index < 3; index++) {
        int count = snprintf(subscription, sizeof subscription, "\1%s", topics[index]);
        if (!sendFrame(&subscriber, 0, subscription, (size_t)count)) return false;
    }
    lastInput = milliseconds(CLOCK_MONOTONIC);
    fprintf(stderr, "Connected to %s, ports %d and %d.\n", host, subscribePort, requestPort);
    for (;;) {
        struct pollfd polled[] = {{subscriber.descriptor, POLLIN, 0}, {requester.descriptor, POLLIN, 0}};
        if (!handleInput(&subscriber, false, ready) || !handleInput(&requester, true, ready)) return true;
        int64_t now = milliseconds(CLOCK_MONOTONIC);
        if (now - lastInput > SILENCE_LIMIT) return true;
        bool isSent = true;
        if (hasRequest) {
            if (now - requestSentAt > REQUEST_DEADLINE) isSent = sendRequest();
        } else {
            isSent = snapshotIsWanted ? askForSnapshot() : askForGaps();
        }
        fflush(stdout);
        if (!isSent || ferror(stdout)) return true;
        if (poll(polled, 2, 500) < 0 && errno != EINTR) return true;
        if (polled[0].revents && !receive(&subscriber)) return true;
        if (polled[0].revents) lastInput = milliseconds(CLOCK_MONOTONIC);
        if (polled[1].revents && !receive(&requester)) return true;
    }
}

int main(int argumentCount, char **arguments) {
    const char *host = argumentCount > 1 ? arguments[1] : "127.0.0.1";
    int subscribePort = argumentCount > 2 ? atoi(arguments[2]) : 5556;
    int requestPort = argumentCount > 3 ? atoi(arguments[3]) : subscribePort + 1;
    subscriber.descriptor = requester.descriptor = -1;
    if (subscribePort <= 0 || requestPort <= 0 || getentropy(&random64, sizeof random64) != 0) {
        fprintf(stderr, "Usage: follow [HOST [SUBSCRIBE-PORT [REQUEST-PORT]]]\n");
        return 2;
    }
    for (bool wasConnected = true; !ferror(stdout);) {
        bool isConnected = follow(host, subscribePort, requestPort);
        disconnect(&subscriber);
        disconnect(&requester);
        if (isConnected || wasConnected) fprintf(stderr, "Not connected to %s; trying again.\n", host);
        wasConnected = isConnected;
        nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    }
    return 1;
}
