#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Starts the demo several times, and checks how soon the first content of each widget has its verdict: `make demo-starts`.

The cache starts when layout and notifier are ready, so that no cycle is published before its consumer is ready. A subscriber
that connects before the bus exists measures the time from the origin's answer (for a push, from the cache's commit) to the
arrival of the verdict. It requests the updates that were sent before it was ready from the notifier; for these, the time of the
decision counts. A lost first cycle is not noticed if the next one covers it.
Ends with status 1 if a verdict took longer than the bound, or if a widget had no content. Needs python3-zmq and a release build.
"""
import argparse, datetime, json, os, signal, statistics, subprocess, sys, time, uuid, zmq
from endurance.system import ROOT, free_ports

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
            [os.path.join(ROOT, build, "tidings"), "demo", "--bus", f"tcp://127.0.0.1:{self.port}"],
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
        """Stops the demo; raises RuntimeError if it had to be killed."""
        try:
            self.demo.send_signal(signal.SIGTERM)
            self.demo.wait(30)
        except subprocess.TimeoutExpired:
            self.demo.kill()
            self.demo.wait()
            raise RuntimeError("the demo did not end within 30 s after SIGTERM") from None
        finally:
            self.context.destroy(linger=0)


def follow(arguments):
    """Starts the demo once; returns the first verdict of each widget."""
    start = Start(arguments.build)
    try:
        start.follow(arguments.within)
    finally:
        start.end()
    return start.firsts


def main():
    arguments = options()
    if arguments.starts < 1:
        sys.exit("error: --starts must be at least 1")
    if not os.access(os.path.join(ROOT, arguments.build, "tidings"), os.X_OK):
        sys.exit(f"error: there is no executable in {arguments.build}; run `make release` first")
    verdicts, problems = [], []
    for number in range(1, arguments.starts + 1):
        try:
            firsts = follow(arguments)
        except (OSError, RuntimeError, TimeoutError) as problem:
            problems.append(f"start {number}: {problem}")
            break
        slowest = max(firsts, key=lambda widget: firsts[widget].delay)
        print(f"start {number}: slowest first verdict after {firsts[slowest].delay} ms ({slowest})", flush=True)
        verdicts += firsts.values()
        problems += [
            f"start {number}, {widget}: {verdict.steps}, arrived after {verdict.arrived} ms"
            for widget, verdict in firsts.items() if verdict.delay > arguments.bound
        ]
    if verdicts:
        delays = sorted(verdict.delay for verdict in verdicts)
        replayed = sum(verdict.arrived is None for verdict in verdicts)
        print(
            f"{len(delays)} first verdicts: median {statistics.median(delays):.0f} ms, p95 {delays[len(delays) * 95 // 100]} ms, "
            f"slowest {delays[-1]} ms; {replayed} came before the subscriber was ready"
        )
    if problems:
        sys.exit(f"error: a start failed, or a verdict took longer than {arguments.bound} ms:\n  " + "\n  ".join(problems))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
