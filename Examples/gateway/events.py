#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Follows the updates over server-sent events, with the standard library only.

usage: events.py [URL [COUNT]]

Prints each update once, in the order of each widget, and reconnects if the gateway restarts.
"""

import json
import random
import sys
import time
import urllib.error
import urllib.request


def events(response):
    """Yields the events of a stream, each as a dictionary of its fields."""
    event = {}
    for line in response:
        line = line.decode().rstrip("\r\n")
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            event[name] = event[name] + "\n" + value if name == "data" and name in event else value
        elif event:
            yield event
            event = {}


def follow(url):
    """Yields each update, without end."""
    last = {}  # widget -> sequence; all have 20 digits, so text order is number order
    last_event_id = ""
    while True:
        request = urllib.request.Request(url)
        if last_event_id:
            request.add_header("Last-Event-ID", last_event_id)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                for event in events(response):
                    last_event_id = event.get("id", last_event_id)
                    if event.get("event") != "update":
                        continue
                    update = json.loads(event["data"])
                    # After a reconnect, an update may arrive again.
                    if update["sequence"] > last.get(update["subject"], ""):
                        last[update["subject"]] = update["sequence"]
                        yield update
        except (urllib.error.URLError, OSError) as error:
            print(f"{error}; connecting again", file=sys.stderr)
        # Jitter, so that many readers do not reconnect at the same time.
        time.sleep(random.uniform(0.1, 2))


def main():
    url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080/v1/events?snapshot=1"
    left = int(sys.argv[2]) if len(sys.argv) > 2 else -1
    for update in follow(url):
        print(update["subject"], update["sequence"], update["data"]["result"], update["data"]["summary"], flush=True)
        left -= 1
        if left == 0:
            return


if __name__ == "__main__":
    main()
