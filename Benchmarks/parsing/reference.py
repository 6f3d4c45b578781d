# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Reference for the parsing benchmark: runs fastfeedparser on one document repeatedly.

usage: reference.py FILE SECONDS
"""
import json
import sys
import time

import fastfeedparser

with open(sys.argv[1], "rb") as file:
    document = file.read()
times = []
end = time.perf_counter() + float(sys.argv[2])
while True:
    start = time.perf_counter()
    feed = fastfeedparser.parse(document)
    now = time.perf_counter()
    times.append(now - start)
    if now >= end:
        break
times.sort()
fields = ["id", "title", "link", "author", "published"]
print(json.dumps({
    "whole": {"runs": len(times), "best": times[0], "median": times[len(times) // 2]},
    "items": [{field: entry.get(field) for field in fields} for entry in feed.entries],
}))
