# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Destinations of webhooks that fail, hang, drop connections and lie, and a record of what they got."""
import http.server, json, random, threading, time

# The part of the requests that goes wrong. Five failures in a row stop all attempts to a server for a while, so it is small.
FAULTS = 0.08
# Attempts end after this time, which is the shortest that the configuration allows.
TIMEOUT_SECONDS = 1
REST_SECONDS = 240


class Receivers:
    """A server with the destinations `latest` and `every`, which get the updates of some widgets."""

    def __init__(self, widgets, seed):
        self.widgets, self.chance, self.lock = widgets, random.Random(seed), threading.Lock()
        self.behaves = False
        self.requests, self.faults, self.repeated = 0, {}, 0
        self.bodies, self.ranges, self.violations = {}, {}, []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                outer.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def configuration(self):
        """The part of `tidings.yml` about the destinations."""
        address = f"http://127.0.0.1:{self.server.server_address[1]}"
        common = (
            f"kind: webhook, allowPrivateNetworks: true, timeout: {TIMEOUT_SECONDS}s, result: [newData, noData, failed], initial: state, "
            f"widgets: [{', '.join(self.widgets)}]"
        )
        return (
            f'destinations:\n  latest: {{{common}, url: "{address}/latest"}}\n'
            f'  every: {{{common}, url: "{address}/every", mode: every}}\n'
        )

    def fault(self):
        with self.lock:
            self.requests += 1
            if self.behaves or self.chance.random() >= FAULTS:
                return None
            fault = self.chance.choice(["500", "429", "hang", "drop", "unread", "lie"])
            self.faults[fault] = self.faults.get(fault, 0) + 1
            return fault

    def answer(self, request):
        fault = self.fault()
        request.close_connection = fault is not None
        if fault == "unread":
            return
        body = request.rfile.read(int(request.headers["Content-Length"]))
        # One that lies, or closes the connection, has the message.
        if fault in (None, "drop", "lie"):
            self.take(request.path[1:], request.headers["webhook-id"], body)
        if fault == "drop":
            return
        if fault == "hang":
            time.sleep(2 * TIMEOUT_SECONDS)
            return
        request.send_response({"500": 500, "lie": 500, "429": 429}.get(fault, 204))
        if fault == "429":
            request.send_header("Retry-After", "1")
        if fault:
            request.send_header("Content-Length", "0")
        request.end_headers()

    def take(self, destination, identity, body):
        event = json.loads(body)
        widget, first, last = event["subject"], int(event.get("first", event["sequence"])), int(event["sequence"])
        with self.lock:
            known = self.bodies.setdefault((destination, identity), body)
            if known is not body:
                self.repeated += 1
                if known != body:
                    self.violations.append(f"{destination}: the id {identity} has two bodies")
                return
            ranges = self.ranges.setdefault((destination, widget), [])
            before = ranges[-1][1] if ranges else 0
            if last <= before:
                self.violations.append(f"{destination}: {widget}: {last} came after {before}")
            elif destination == "every" and ranges and first > before + 1:
                self.violations.append(f"every: {widget}: {before} is followed by {first} to {last}")
            ranges.append((first, last))

    def late(self, heads):
        """Returns the widgets whose last update is not at a destination."""
        with self.lock:
            return [
                f"{destination}: {widget} has {ranges[-1][1] if ranges else 0} of {heads[widget]}"
                for destination in ("latest", "every") for widget in self.widgets
                for ranges in [self.ranges.get((destination, widget))]
                if not ranges or ranges[-1][1] != heads[widget]
            ]

    def judge(self, heads):
        """Waits until each destination has the last update of each widget; returns the violations."""
        deadline = time.monotonic() + REST_SECONDS
        while (late := self.late(heads)) and time.monotonic() < deadline:
            time.sleep(0.5)
        self.server.shutdown()
        return self.violations + late

    @property
    def summary(self):
        messages = {d: sum(len(r) for (name, _), r in self.ranges.items() if name == d) for d in ("latest", "every")}
        wide = sum(1 for (name, _), ranges in self.ranges.items() if name == "every" for first, last in ranges if first != last)
        faults = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        return (
            f"{self.requests} requests, {messages['latest']} messages to latest, {messages['every']} to every "
            f"({wide} of several cycles), {self.repeated} came twice; faults: {faults}"
        )
