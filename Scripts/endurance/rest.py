# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Brings a system to rest, and says what its subscribers must have received."""
import time
from endurance.record import Record, Requester

REST_SECONDS = 60


def rest(system, record=None, reader=None):
    """Ends the fetching, waits until record and reader are where the cache is, and returns the cache's heads.

    Without a record, it waits until the notifier is there.
    """
    for name in [name for name in system.names if name.split(".")[0] == "fetcher"]:
        system.stop(name)
    requester = Requester(system.request_ports)
    deadline = time.monotonic() + REST_SECONDS
    heads, stable = {}, 0
    while time.monotonic() < deadline and stable < 3:
        found = requester.heads()
        if record is None:
            is_there = requester.heads("notifier") == found
        else:
            with record.lock:
                is_there = all(record.last.get(widget, 0) == head for widget, head in found.items())
        is_there = is_there and (reader is None or all(reader.last.get(widget, 0) == head for widget, head in found.items()))
        stable = stable + 1 if found == heads and is_there else 0
        heads = found
        time.sleep(1)
    return heads


def missing(system, record, heads, reader=None):
    """Returns what is missing at rest, as violations."""
    found = [f"{widget}: {first}-{last} is lost" for widget, first, last in record.lost(heads)]
    found += [f"{widget}: no update was received" for widget in system.widgets if widget not in heads]
    if reader is not None:
        found += [
            f"{widget}: the reader of events has {reader.last.get(widget, 0)} of {head}"
            for widget, head in heads.items() if reader.last.get(widget, 0) != head
        ]
        found += reader.violations
    return found


def unused(requests, record):
    """Returns (widget, number, time) of each answer of the origin that no cycle shows."""
    found = []
    for widget, moments in requests.items():
        ranges, unclear, previous = record.ranges.get(widget, []), [], 0.0
        for first, sequence, moment, *_ in ranges:
            if first != sequence:
                # A range of several cycles has used answers that cannot be identified any more.
                unclear.append((previous, moment))
            previous = moment
        used = answers(ranges)
        found += [
            (widget, number, moment) for number, moment in enumerate(moments, 1)
            if number not in used and not any(begin - 1 <= moment <= end for begin, end in unclear)
        ]
    return found


def answers(updates):
    """Returns the numbers of the answers that a widget's updates name; forged contents name numbers that no origin gave."""
    words = [summary.split() for *_, summary in updates]
    return {int(word[1]) for word in words if len(word) == 2 and word[0] == "answer"}


def started(system, widgets, **options):
    """Returns a record that has an update of each widget."""
    record = Record(system.subscribe_ports, system.request_ports, **options)
    record.start()
    record.wait_for_all(widgets, 60)
    return record
