#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Checks that a subscriber that stops reading does not affect others: `make slow-subscriber`.

Two subscribers follow every widget; one stops reading for a minute, then continues. The bus may keep messages for it up to
its high-water mark. The record of the other one must be complete, without a long pause. At the end the slow one must have
caught up with the cache, by the documented rules alone. Ends with status 1 otherwise. Needs python3-zmq and a release
build.
"""
import argparse, threading, time
from endurance.record import Requester, Record
from endurance.system import System
from endurance.verdict import conclude, run

# The messages that the bus keeps for one subscriber (Shared/MessageBus/SocketSettings.swift).
HIGH_WATER_MARK = 10_000
# The memory that libzmq needs for a message besides its bytes: two frames, each with a header and an entry in a queue.
OVERHEAD_BYTES = 512
# Additional memory for the allocator and socket buffers.
SLACK_BYTES = 16 << 20
LONGEST_PAUSE = 5
CATCH_UP_SECONDS = 60


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="duration without reading in seconds (60)")
    parser.add_argument("--cycles", type=int, default=1000, help="cycles per second (1000)")
    parser.add_argument("--build", default=".build/release", help="folder with the executables (.build/release)")
    return parser.parse_args()


def at_rest(record, heads):
    return all(record.last.get(widget, 0) >= head for widget, head in heads.items())


def main():
    arguments = options()
    widgets = [f"w{number:05}" for number in range(arguments.cycles)]
    print(f"{len(widgets)} widgets that are fetched each second, {arguments.seconds:.0f} s without reading", flush=True)
    violations = []
    with System(widgets, arguments.build, lease=30) as system:
        ports = system.subscribe_ports, system.request_ports
        quick, slow = Record(*ports), Record(*ports)
        for record in (quick, slow):
            record.start()
            record.wait_for_all(widgets, 120)
        before = system.memory("bus")
        slow.stop_reading()
        began = time.monotonic()
        with quick.lock:
            count, messages, replays = quick.count(), quick.messages, quick.replays
        most, ended = before, threading.Event()
        while time.monotonic() < began + arguments.seconds:
            most = max(most, system.memory("bus"))
            ended.wait(0.5)
        end = time.monotonic()
        with quick.lock:
            made = quick.count() - count
            received = quick.messages - messages
            pause, _ = quick.longest_gaps(began, end)
        requester = Requester(ports[1])
        heads = requester.heads()
        slow.read_again()
        moment = time.monotonic()
        with slow.arrived:
            caught_up = slow.arrived.wait_for(lambda: at_rest(slow, heads), CATCH_UP_SECONDS)
        took = time.monotonic() - moment
        system.stop("fetcher")
        heads = requester.heads()
        for name, record in (("the quick one", quick), ("the slow one", slow)):
            with record.arrived:
                record.arrived.wait_for(lambda: at_rest(record, heads), CATCH_UP_SECONDS)
            record.end()
            lost = record.lost(heads)
            violations += [f"{name}: {w}: {first}-{last} is lost" for w, first, last in lost[:5]]
            violations += record.overlaps + record.conflicts + record.malformed
        size = quick.bytes / quick.messages
        limit = HIGH_WATER_MARK * (size + OVERHEAD_BYTES) + SLACK_BYTES
        print(f"""
cycles                {made} in {end - began:.0f} s ({made / (end - began):.0f}/s)
memory of the bus     {before / 1e6:.1f} MB before, {most / 1e6:.1f} MB at most: {(most - before) / 1e6:.1f} MB for the slow one, of {limit / 1e6:.1f} MB allowed
                      ({HIGH_WATER_MARK} messages of {size:.0f} bytes)
the quick one         {received} messages, longest pause {pause:.2f} s, {quick.replays - replays} replays
the slow one          {slow.messages} messages, {slow.healed} updates by {slow.replays} replays, {slow.reconnects} connections,
                      caught up {took:.1f} s after it read again
""")
        if most - before > limit:
            violations.append(f"the bus took {most - before} bytes for a subscriber that does not read, more than {limit}")
        if pause > LONGEST_PAUSE:
            violations.append(f"the quick one had no update for {pause:.1f} s")
        if not caught_up:
            violations.append(f"the slow one had not caught up with the cache after {CATCH_UP_SECONDS} s")
        violations = system.violations = violations + system.violations
    return conclude(violations, "Passed: the slow subscriber did not affect the others.", shown=len(violations))


run(main)
