# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Readers of server-sent events that know nothing but HTTP: each goes from gateway to gateway with its last id."""
import json, random, socket, threading, time

# Beyond the gateway's heartbeat of 15 s: nothing for so long is a connection that hangs.
SILENCE = 40
CONNECT = 5


class EventReader(threading.Thread):
    """Follows some widgets, drops what it has seen by (widget, sequence), and notes every gap.

    Gaps that the gateway announces are violations, unless `accepts_gaps` is set: a database that has failed over begins
    another epoch.
    """

    def __init__(self, ports, widgets, seed, accepts_gaps=False):
        super().__init__(daemon=True)
        self.ports, self.widgets = ports, widgets
        self.accepts_gaps, self.gaps = accepts_gaps, 0
        self.last, self.violations = {}, []
        self.connections = self.events = self.repeated = 0
        self.joined = threading.Event()
        self._chance, self._id, self._ended = random.Random(seed), None, False

    def run(self):
        while not self._ended:
            try:
                self._follow(self._chance.choice(self.ports))
            except (OSError, ValueError):
                pass
            time.sleep(0.1 + self._chance.random())

    def end(self):
        self._ended = True

    def _follow(self, port):
        with socket.create_connection(("127.0.0.1", port), timeout=CONNECT) as connection:
            connection.settimeout(SILENCE)
            resume = f"Last-Event-ID: {self._id}\r\n" if self._id else ""
            path = "/v1/events?snapshot=1" + (f"&widget={','.join(self.widgets)}" if self.widgets else "")
            connection.sendall(f"GET {path} HTTP/1.0\r\n{resume}\r\n".encode())
            with connection.makefile("rb") as lines:
                if b" 200 " not in lines.readline():
                    return
                while lines.readline().strip():
                    pass
                self.connections += 1
                self._read(lines, is_first=self._id is None)

    def _read(self, lines, is_first):
        fields = {}
        for line in lines:
            line = line.rstrip(b"\r\n")
            if line:
                name, _, value = line.partition(b":")
                fields[name] = value.removeprefix(b" ")
                continue
            if fields.get(b"event") == b"start":
                if json.loads(fields[b"data"])["gap"]:
                    self.gaps += 1
                    if not self.accepts_gaps:
                        self.violations.append(f"a gap is announced behind {self._id}")
                    is_first = True
            elif fields.get(b"event") == b"update":
                self._take(json.loads(fields[b"data"]), is_state=is_first and b"id" not in fields)
            if b"id" in fields:
                self._id = fields[b"id"].decode()
                self.joined.set()
            fields = {}
            if self._ended:
                return

    def _take(self, event, is_state):
        self.events += 1
        widget, first, sequence = event["subject"], int(event["first"]), int(event["sequence"])
        last = self.last.get(widget)
        if last is not None and sequence <= last:
            self.repeated += 1
            return
        if last is not None and first > last + 1 and not is_state:
            self.violations.append(f"{widget}: {last + 1}-{first - 1} is missing before {first}-{sequence}")
        self.last[widget] = sequence
