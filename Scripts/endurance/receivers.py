# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Destinations of webhooks that fail, hang, drop connections and lie, and a record of what they got."""
import collections, http.server, json, random, socket, struct, threading, time

# The part of the requests that goes wrong. Five failures in a row stop all attempts to a server for a while, so it is small.
FAULTS = 0.08
# A `drop` has the message and does not answer, a `lie` has it and answers 500, a `reset` answers 200 and resets the connection, and a
# `cut` answers 200 and ends within the body. To a sender, a receiver that answers without having read the message looks like a `reset`.
KINDS = ["500", "429", "hang", "drop", "unread", "lie", "reset", "cut"]
TAKING = [None, "drop", "lie", "reset", "cut"]
STATUS = {"500": 500, "lie": 500, "429": 429, "reset": 200, "cut": 200}
# Attempts end after this time, which is the shortest that the configuration allows.
TIMEOUT_SECONDS = 1
REST_SECONDS = 240


class Receivers:
    """A server with the destinations `latest` and `every`, which get the updates of some widgets, and `gone`.

    `gone` gets the updates of one widget. It answers 410 at its first address, where it must get no other message from then on.
    """

    def __init__(self, widgets, seed):
        self.widgets, self.chance, self.lock = widgets, random.Random(seed), threading.Lock()
        self.behaves = False
        self.requests, self.faults, self.repeated = 0, collections.Counter(), 0
        self.bodies, self.ranges, self.violations = {}, {}, []
        self.rejected = collections.Counter()  # the ids of messages that were answered with 410
        self.restored, self.messages = None, collections.Counter()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                outer.answer(self)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            # All messages of a start come at once; with the default of 5, the kernel drops connections.
            request_queue_size = 256

            def handle_error(self, *_):
                """Does not print the errors of connections that a killed sender resets."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        # The addresses of `gone` before and after its change.
        self.addresses = f"{self.address}/gone/before", f"{self.address}/gone"
        self.pairs = [(name, widget) for name in ("latest", "every") for widget in widgets] + [("gone", widgets[0])]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def configuration(self):
        """The part of `tidings.yml` about the destinations."""
        common = (
            f"kind: webhook, allowPrivateNetworks: true, timeout: {TIMEOUT_SECONDS}s, result: [newData, noData, failed], initial: state, "
        )
        widgets = f"widgets: [{', '.join(self.widgets)}]"
        return (
            f'destinations:\n  latest: {{{common}{widgets}, url: "{self.address}/latest"}}\n'
            f'  every: {{{common}{widgets}, url: "{self.address}/every", mode: every}}\n'
            f'  gone: {{{common}widgets: [{self.widgets[0]}], url: "{self.addresses[0]}"}}\n'
        )

    def fault(self):
        with self.lock:
            self.requests += 1
            if self.behaves or self.chance.random() >= FAULTS:
                return None
            fault = self.chance.choice(KINDS)
            self.faults[fault] += 1
            return fault

    def answer(self, request):
        if request.path == "/gone/before":
            return self.reject(request)
        fault = self.fault()
        request.close_connection = fault is not None
        if fault == "unread":
            return
        body = request.rfile.read(int(request.headers["Content-Length"]))
        if fault in TAKING:
            self.take(request.path[1:], request.headers["webhook-id"], body)
        if fault == "drop":
            return
        if fault == "hang":
            time.sleep(2 * TIMEOUT_SECONDS)
            return
        request.send_response(STATUS.get(fault, 204))
        if fault == "429":
            request.send_header("Retry-After", "1")
        if fault:
            request.send_header("Content-Length", "2" if fault == "cut" else "0")
        request.end_headers()
        if fault == "cut":
            request.wfile.write(b"o")
        if fault == "reset":
            # Without lingering, the end of the connection is a reset.
            request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def reject(self, request):
        """Answers 410. A sender that is killed before it has stored the answer sends the same message again, and no other one."""
        request.rfile.read(int(request.headers["Content-Length"]))
        with self.lock:
            self.rejected[request.headers["webhook-id"]] += 1
            if len(self.rejected) == 2:
                self.violations.append("gone: another message came after the answer 410")
        request.send_response(410)
        request.send_header("Content-Length", "0")
        request.end_headers()

    def take(self, destination, identity, body):
        event = json.loads(body)
        widget, first, last = event["subject"], int(event.get("first", event["sequence"])), int(event["sequence"])
        with self.lock:
            known = self.bodies.setdefault((destination, identity), body)
            if known != body:
                self.violations.append(f"{destination}: the id {identity} has two bodies")
            if self.restored is not None:
                self.messages[destination, widget] += 1
                if last != self.restored[widget]:
                    self.violations.append(f"{destination}: {widget}: {last} came after a restore, the last one is {self.restored[widget]}")
                return
            if known is not body:
                self.repeated += 1
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
                for destination, widget in self.pairs for ranges in [self.ranges.get((destination, widget))]
                if not ranges or ranges[-1][1] != heads[widget]
            ]

    def wait(self, heads):
        """Waits until each destination has the last update of each widget; returns what is late."""
        deadline = time.monotonic() + REST_SECONDS
        while (late := self.late(heads)) and time.monotonic() < deadline:
            time.sleep(0.5)
        return late

    def begin_restore(self, heads):
        """Counts the messages from now on, each of which must tell the last state of its widget."""
        with self.lock:
            self.restored, self.messages = heads, collections.Counter()

    def end_restore(self, service, allowed):
        """Returns the number of messages since the restore of a store; for each destination and widget, it must be one of `allowed`."""
        wanted = " or ".join(map(str, allowed))
        with self.lock:
            self.violations += [
                f"{destination}: {widget} got {count} messages after the restore of the store of {service}, not {wanted}"
                for destination, widget in sorted({*self.pairs, *self.messages})
                for count in [self.messages[destination, widget]] if count not in allowed
            ]
            return self.messages.total()

    def end(self):
        self.server.shutdown()

    @property
    def summary(self):
        messages = {d: sum(len(r) for (name, _), r in self.ranges.items() if name == d) for d in ("latest", "every")}
        wide = sum(1 for (name, _), ranges in self.ranges.items() if name == "every" for first, last in ranges if first != last)
        faults = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        return (
            f"{self.requests} requests, {messages['latest']} messages to latest, {messages['every']} to every ({wide} of several cycles),\n"
            f"                      {self.repeated} came twice, {sum('two bodies' in one for one in self.violations)} ids with two bodies; "
            f"faults: {faults}, 410 {self.rejected.total()}"
        )
