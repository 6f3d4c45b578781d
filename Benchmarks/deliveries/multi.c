// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// Sends a webhook to many addresses with libcurl's multi interface and nothing else: the reference of the benchmark.
//
// usage: multi ADDRESSES PARALLEL BYTES
// ADDRESSES is a file with one address on each line. Each line on standard input begins a round, in which each address gets a body of
// BYTES bytes, PARALLEL of them at a time. The number of accepted requests is printed after each round.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char **addresses;
static size_t count;
static char *body;
static long bytes;
static unsigned long round_number;

static void read_addresses(const char *name) {
    FILE *file = fopen(name, "r");
    char line[256];
    if (file == NULL) {
        perror(name);
        exit(1);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = 0;
        addresses = realloc(addresses, (count + 1) * sizeof *addresses);
        addresses[count++] = strdup(line);
    }
    fclose(file);
}

static size_t discard(char *data, size_t size, size_t number, void *context) {
    (void)data, (void)context;
    return size * number;
}

// Begins the request for an address; the handle keeps its headers as its private pointer.
static void begin(CURLM *multi, CURL *handle, size_t number) {
    char text[96];
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/cloudevents+json; charset=utf-8");
    snprintf(text, sizeof text, "webhook-id: msg_%016lx%016zx", round_number, number);
    headers = curl_slist_append(headers, text);
    snprintf(text, sizeof text, "webhook-timestamp: %ld", (long)time(NULL));
    headers = curl_slist_append(headers, text);
    curl_easy_setopt(handle, CURLOPT_URL, addresses[number]);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, bytes);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, headers);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, discard);
    curl_multi_add_handle(multi, handle);
}

// Handles all requests that have ended; returns their number.
static size_t finish(CURLM *multi, size_t *next, size_t *accepted) {
    size_t ended = 0;
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        CURL *handle = message->easy_handle;
        struct curl_slist *headers;
        long status = 0;
        if (message->data.result == CURLE_OK) curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
        if (status / 100 == 2) ++*accepted;
        curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)&headers);
        curl_multi_remove_handle(multi, handle);
        curl_slist_free_all(headers);
        ended++;
        if (*next < count) begin(multi, handle, (*next)++);
    }
    return ended;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: multi ADDRESSES PARALLEL BYTES\n");
        return 2;
    }
    read_addresses(argv[1]);
    size_t parallel = strtoul(argv[2], NULL, 10);
    bytes = strtol(argv[3], NULL, 10);
    body = malloc(bytes);
    memset(body, 'x', bytes);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    CURL **handles = calloc(parallel, sizeof *handles);
    for (size_t i = 0; i < parallel; i++) handles[i] = curl_easy_init();
    char line[16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t next = 0, ended = 0, accepted = 0;
        int running;
        round_number++;
        while (next < parallel && next < count) {
            begin(multi, handles[next], next);
            next++;
        }
        while (ended < count) {
            curl_multi_perform(multi, &running);
            size_t now = finish(multi, &next, &accepted);
            ended += now;
            if (now == 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
        }
        printf("%zu\n", accepted);
        fflush(stdout);
    }
    return 0;
}
