// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
//
// Opens many event streams and reports the times at which the first and the last of them received each event.
//
// usage: reader PORT PATH CONNECTIONS. Each event contains the text tick-NNNNNN once. When all streams are connected, it
// prints `ready`. For each number that all streams have received, it prints `NNNNNN FIRST LAST`, in microseconds of the
// monotonic clock. At the end of its standard input it ends, and prints the numbers of streams that were closed or missed
// an event: `end CLOSED MISSED`.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { KEPT = 12, EVENTS = 100000 };

struct reader {
    int socket;
    int last;
    int kept;
    char tail[KEPT];
};

static long first[EVENTS], count[EVENTS];
static int closed, missed;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static void see(struct reader *reader, int number, int connections) {
    if (number >= EVENTS || number <= reader->last) return;
    if (reader->last > 0 && number > reader->last + 1) missed += number - reader->last - 1;
    reader->last = number;
    if (count[number]++ == 0) first[number] = now();
    if (count[number] == connections) {
        printf("%06d %ld %ld\n", number, first[number], now());
        fflush(stdout);
    }
}

static void scan(struct reader *reader, const char *bytes, size_t length, int connections) {
    static char buffer[1 << 17];
    memcpy(buffer, reader->tail, reader->kept);
    memcpy(buffer + reader->kept, bytes, length);
    size_t total = reader->kept + length;
    char *at = buffer, *end = buffer + total;
    while ((at = memmem(at, end - at, "tick-", 5)) != NULL && end - at >= 11) {
        see(reader, atoi(at + 5), connections);
        at += 11;
    }
    // Keeps the last bytes, so that a number that is split between two reads is found, and none is found twice.
    reader->kept = total < KEPT - 1 ? total : KEPT - 1;
    memcpy(reader->tail, buffer + total - reader->kept, reader->kept);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int connections = atoi(argv[3]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    struct reader *readers = calloc(connections, sizeof *readers);
    int poll = epoll_create1(0);
    char request[1024];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n", argv[2]);
    for (int i = 0; i < connections; i++) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1]))};
        address.sin_addr.s_addr = htonl(0x7f000001);
        int descriptor = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(descriptor, (struct sockaddr *) &address, sizeof address) != 0) {
            fprintf(stderr, "connection %d: %s\n", i, strerror(errno));
            return 1;
        }
        if (send(descriptor, request, length, 0) != length) return 1;
        char head[4096];
        ssize_t received = recv(descriptor, head, sizeof head - 1, 0);
        if (received <= 0 || strncmp(head, "HTTP/1.1 200", 12) != 0) {
            fprintf(stderr, "connection %d: %.*s\n", i, (int) (received > 0 ? received : 0), head);
            return 1;
        }
        readers[i].socket = descriptor;
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
    }
    printf("ready\n");
    fflush(stdout);
    struct epoll_event input = {.events = EPOLLIN, .data.u32 = UINT32_MAX};
    epoll_ctl(poll, EPOLL_CTL_ADD, 0, &input);
    static char bytes[1 << 16];
    for (;;) {
        struct epoll_event events[1024];
        int found = epoll_wait(poll, events, 1024, -1);
        for (int k = 0; k < found; k++) {
            unsigned i = events[k].data.u32;
            if (i == UINT32_MAX) {
                printf("end %d %d\n", closed, missed);
                return 0;
            }
            ssize_t received = recv(readers[i].socket, bytes, sizeof bytes, MSG_DONTWAIT);
            if (received > 0) {
                scan(&readers[i], bytes, received, connections);
            } else if (received == 0 || (errno != EAGAIN && errno != EINTR)) {
                closed++;
                epoll_ctl(poll, EPOLL_CTL_DEL, readers[i].socket, NULL);
            }
        }
    }
}
