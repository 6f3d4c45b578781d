#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Starts the demo several times, and checks how soon the first content of each widget has its verdict: `make demo-starts`.

All services start at the same time, so an event may be published before its consumer is ready. A subscriber that connects before
the bus exists measures the time from the origin's answer (for a push, from the cache's commit) to the arrival of the verdict. It
requests the updates that were sent before it was ready from the notifier; for these, the time of the decision counts.
Ends with status 1 if a verdict took longer than the bound, or if a widget had no content. Needs python3-zmq and a release build.
"""
import argparse, datetime, json, os, signal, statistics, subprocess, sys, time, uuid, zmq
from endurance.system import free_ports

# The widgets of the demo, all of which get content: by a fetch, or by a push of the demo's app.
WIDGETS = ["blog", "builds", "documents", "place", "quote", "weather"]


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--starts", type=int, default=20, help="starts of the demo (20)")
    parser.add_argument("--bound", type=int, default=500, help="milliseconds from an answer to its verdict (500)")
    parser.add_argument("--within", type=float, default=20, help="seconds within which each widget must have content (20)")
    parser.add_argument("--build", default=".build/release", help="where the executables are (.build/release)")
    return parser.parse_args()


def seconds(instant):
    return datetime.datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp()


class Verdict:
    """The first verdict of a widget with content. All times are in milliseconds since the answer or the push."""

    def __init__(self, times, arrived):
        begin = seconds(times.get("answered") or times["committed"])
        self.steps = {
            step: round((seconds(times[step]) - begin) * 1000) for step in ("committed", "laidOut", "decided") if step in times
        }
        self.arrived = round((arrived - begin) * 1000) if arrived else None

    @property
    def delay(self):
        """The time of arrival, or of the decision if the update was sent before the subscriber was ready."""
        return self.steps["decided"] if self.arrived is None else self.arrived


class Start:
    """One start of the demo, and the first verdict with content of each widget."""

    def __init__(self, build):
        self.port = free_ports(3)
        self.firsts = {}
        self.context = zmq.Context()
        self.updates = self.socket(zmq.SUB, self.port + 1)
        self.updates.subscribe("update/")
        self.requests = self.socket(zmq.DEALER, self.port + 2)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}
        self.demo = subprocess.Popen(
            [os.path.join(build, "tidings"), "demo", "--bus", f"tcp://127.0.0.1:{self.port}"],
            env=environment, stdout=subprocess.DEVNULL,
        )

    def socket(self, kind, port):
        found = self.context.socket(kind)
        found.linger, found.reconnect_ivl = 0, 1
        found.connect(f"tcp://127.0.0.1:{port}")
        return found

    def follow(self, within):
        """Reads updates until each widget has content; raises TimeoutError."""
        deadline = time.monotonic() + within
        asked = 0
        while missing := [widget for widget in WIDGETS if widget not in self.firsts]:
            now = time.monotonic()
            if self.demo.poll() is not None:
                raise RuntimeError(f"the demo ended with status {self.demo.returncode}")
            if now > deadline:
                raise TimeoutError(f"no content within {within:.0f} s: {', '.join(missing)}")
            # A widget whose update was sent before this process was subscribed is only found this way.
            if now > asked + 1:
                asked = now
                start = {widget: f"{1:020}" for widget in missing}
                request = {"request": "replay", "deadlineMilliseconds": 1000, "from": start}
                self.requests.send_multipart([b"notifier", uuid.uuid4().hex.encode(), json.dumps(request).encode()])
            for ready in zmq.select([self.updates, self.requests], [], [], 0.2)[0]:
                frames = ready.recv_multipart()
                if ready is self.updates:
                    self.take(json.loads(frames[1]), time.time())
                else:
                    for update in json.loads(frames[1]).get("result", {}).get("records", []):
                        self.take(update, None)

    def take(self, update, arrived):
        if "contentDate" in update["data"] and update["subject"] not in self.firsts:
            self.firsts[update["subject"]] = Verdict(update["data"]["times"], arrived)

    def end(self):
        self.demo.send_signal(signal.SIGTERM)
        self.demo.wait(30)
        self.context.destroy(linger=0)


def main():
    arguments = options()
    delays, late, replayed = [], [], 0
    for number in range(1, arguments.starts + 1):
        start = Start(arguments.build)
        try:
            start.follow(arguments.within)
        except (RuntimeError, TimeoutError) as problem:
            sys.exit(f"error: start {number}: {problem}")
        finally:
            start.end()
        slowest = max(start.firsts, key=lambda widget: start.firsts[widget].delay)
        print(f"start {number}: slowest first verdict after {start.firsts[slowest].delay} ms ({slowest})", flush=True)
        for widget, verdict in start.firsts.items():
            delays.append(verdict.delay)
            replayed += verdict.arrived is None
            if verdict.delay > arguments.bound:
                late.append(f"start {number}, {widget}: {verdict.steps}, arrived after {verdict.arrived} ms")
    delays.sort()
    print(
        f"{len(delays)} first verdicts: median {statistics.median(delays):.0f} ms, p95 {delays[len(delays) * 95 // 100]} ms, "
        f"slowest {delays[-1]} ms; {replayed} came before the subscriber was ready"
    )
    if late:
        sys.exit(f"error: {len(late)} took longer than {arguments.bound} ms:\n  " + "\n  ".join(late))


if __name__ == "__main__":
    main()
