# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""A subscriber of `update/` that keeps a record, and requests missing updates as docs/events.md describes.

It shares no code with the services: it uses libzmq, JSON, and the rules of "Missing nothing".
"""
import collections, hashlib, json, threading, time, uuid, zmq


class Requester:
    """Sends one request at a time and waits for its answer; with two buses, it takes them in turns."""

    def __init__(self, ports):
        self.nonce, self.count = uuid.uuid4().hex, 0
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.DEALER)
        self.socket.linger = 0
        for port in ports:
            self.socket.connect(f"tcp://127.0.0.1:{port}")

    def ask(self, service, request, within=30):
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            self.count += 1
            identity = f"{self.nonce}-{self.count}".encode()
            self.socket.send_multipart(
                [service.encode(), identity, json.dumps({**request, "deadlineMilliseconds": 2000}).encode()]
            )
            until = min(deadline, time.monotonic() + 2)
            while (left := until - time.monotonic()) > 0 and self.socket.poll(left * 1000):
                frames = self.socket.recv_multipart()
                if frames[0] == identity:
                    answer = json.loads(frames[1])
                    if "result" in answer:
                        return answer["result"]
                    # The service is not running yet.
                    self.socket.poll(max(0, min(left, 0.2)) * 1000)
                    break
        raise TimeoutError(f"{service} did not answer {request['request']} within {within} s")

    def heads(self, service="cache"):
        """Returns the last cycle of each widget in the cache, or in the notifier."""
        return {subject: int(event["sequence"]) for subject, event in self._snapshot(service).items()}

    def shown(self):
        """Returns the digests of the displays of each widget in the notifier."""
        return {
            subject: {name: display["digest"] for name, display in event["data"]["displays"].items()}
            for subject, event in self._snapshot("notifier").items()
        }

    def _snapshot(self, service):
        found, after = {}, {}
        while True:
            result = self.ask(service, {"request": "snapshot", **after})
            found.update((event["subject"], event) for event in result["records"])
            if not result["more"]:
                return found
            after = {"after": result["records"][-1]["subject"]}


class Record(threading.Thread):
    """Follows every widget, on one bus or two. Its attributes contain the record; read them under `lock`.

    If `decides_again` is true, a cycle may get its verdict a second time in another epoch: without synchronous replication,
    a failover can lose the first one. Then its times and the number of changed rows may differ, but nothing else, unless the
    failover lost the cycle, too, and its number was given to another one (`renumbered`).
    """

    def __init__(self, subscribe_ports, request_ports, decides_again=False):
        super().__init__(daemon=True)
        self.lock = threading.Lock()
        self.arrived = threading.Condition(self.lock)
        self.last, self.began = {}, {}  # widget: the last cycle seen without a gap; that before the first
        self.ranges = {}  # widget: (first, sequence, time, cause, outcome, summary) of each handled update, in order
        # {range: digest of its bytes} and {range: digest of its contents}: another epoch repeats contents, not positions.
        self.wire, self.contents, self.repeated, self.conflicts = {}, {}, 0, []
        self.overlaps, self.malformed = [], []
        self.overlapping = collections.Counter()  # widget: its ranges that overlap others
        # widget: its ranges that are those of other cycles in another epoch; readers take its snapshot.
        self.renumbered = collections.defaultdict(list)
        self.replays, self.reconnects, self.healed = 0, 0, 0
        self.messages, self.bytes = 0, 0
        self._missing, self._held, self._snapshot = {}, [], None
        self._asked, self._lost, self._count = b"", 0.0, 0
        self._reading, self._paused, self._ended = threading.Event(), threading.Event(), False
        self._reading.set()
        self.context = zmq.Context()
        self._ports = subscribe_ports, request_ports
        self._nonce = uuid.uuid4().hex
        self._decides_again = decides_again

    def stop_reading(self):
        """Returns when reading has stopped; libzmq's own threads continue, as in any busy program."""
        self._reading.clear()
        self._paused.wait()

    def read_again(self):
        self._paused.clear()
        self._reading.set()

    def end(self):
        self._ended = True
        self._reading.set()
        self.join()

    def run(self):
        updates, requests = self.context.socket(zmq.SUB), self.context.socket(zmq.DEALER)
        updates.sndhwm = 0
        for socket, ports in zip((updates, requests), self._ports):
            socket.linger = 0
            # Heartbeats of libzmq, so that a bus that disappeared silently is detected.
            socket.heartbeat_ivl, socket.heartbeat_timeout = 2000, 6000
            for port in ports:
                socket.connect(f"tcp://127.0.0.1:{port}")
        for prefix in ["update/", "heads/notifier/", f"~ready/{self._nonce}/"]:
            updates.subscribe(prefix)
        while not self._ended:
            if not self._reading.is_set():
                self._paused.set()
                self._reading.wait()
            self._ask(requests)
            for socket in zmq.select([updates, requests], [], [], 0.2)[0]:
                for _ in range(256):
                    try:
                        frames = socket.recv_multipart(zmq.DONTWAIT)
                    except zmq.Again:
                        break
                    with self.lock:
                        if socket is updates:
                            self._hear(frames)
                        else:
                            self._answer(frames)
                        self.arrived.notify_all()
        updates.close()
        requests.close()

    def _ask(self, requests):
        now = time.monotonic()
        with self.lock:
            if now < self._lost:
                return
            if self._held is not None:
                request = self._snapshot
            else:
                due = {w: f"{self.last.get(w, 0) + 1:020}" for w, moment in self._missing.items() if moment <= now}
                request = due and {"request": "replay", "from": due}
            if not request:
                return
            self._asked, self._lost = f"{self._nonce}-{self._count}".encode(), now + 2
            self._count += 1
            self.replays += request["request"] == "replay"
        requests.send_multipart(
            [b"notifier", self._asked, json.dumps({**request, "deadlineMilliseconds": 2000}).encode()]
        )

    def _hear(self, frames):
        topic = frames[0].decode()
        if topic.startswith("~"):
            self.reconnects += 1
            self._missing.update((widget, 0) for widget in self.last)
            self._snapshot = {"request": "snapshot"}
            return
        event = json.loads(frames[1])
        if topic.startswith("update/"):
            self.messages += 1
            self.bytes += len(frames[0]) + len(frames[1])
            key = (event["subject"], event["first"], event["sequence"], event["epoch"])
            digest = hashlib.sha256(frames[0] + frames[1]).digest()
            if (before := self.wire.setdefault(key, digest)) is digest:
                contents = hash(json.dumps(self._contents(event), sort_keys=True))
                if self.contents.setdefault(key[:3], contents) != contents:
                    found = self.renumbered[event["subject"]] if self._decides_again else self.conflicts
                    found.append(f"{topic} {key[1]}-{key[2]} came with other contents in another epoch")
            else:
                self.repeated += 1
                if before != digest:
                    self.conflicts.append(f"{topic} {key[1]}-{key[2]} came with other bytes than before")
            self._take(event) if self._held is None else self._held.append(event)
        elif self._held is None:
            for widget, head in event["data"]["heads"].items():
                if int(head["sequence"]) <= self.last.get(widget, 0):
                    self._missing.pop(widget, None)
                else:
                    self._missing.setdefault(widget, time.monotonic() + 1)

    def _contents(self, event):
        """Returns the fields of an update that are equal in every epoch."""
        positions = ("epoch", "offset")
        if not self._decides_again:
            return {field: value for field, value in event.items() if field not in positions}
        contents = {field: value for field, value in event.items() if field not in (*positions, "time", "data")}
        data = {field: value for field, value in event["data"].items() if field not in ("times", "displays")}
        displays = {
            name: {field: value for field, value in display.items() if field != "rowChanges"}
            for name, display in event["data"].get("displays", {}).items()
        }
        return {**contents, "data": {**data, "displays": displays}}

    def _answer(self, frames):
        if frames[0] != self._asked:
            return
        result = json.loads(frames[1]).get("result")
        self._lost = time.monotonic() + 0.5
        if not result:
            return
        self._lost = 0.0
        more, is_late, early = result["more"], self._held is not None, self._held
        if is_late and result["records"]:
            self._snapshot = {"request": "snapshot", "after": result["records"][-1]["subject"]} if more else None
        if not more:
            self._missing.clear()
            self._held = None
        for event in result["records"]:
            if is_late:
                self.last.setdefault(event["subject"], int(event["first"]) - 1)
            elif int(event["sequence"]) > self.last.get(event["subject"], 0):
                self.healed += 1
            self._take(event)
        for event in early if is_late and not more else []:
            self._take(event)

    def _take(self, event):
        widget, first, sequence = event["subject"], int(event["first"]), int(event["sequence"])
        position = self.last.get(widget, 0)
        self.began.setdefault(widget, position)
        if first > sequence:
            self.malformed.append(f"{widget}: {first}-{sequence}")
        elif sequence <= position:
            return
        elif first > position + 1:
            self._missing.setdefault(widget, 0)
        else:
            if first <= position:
                self.overlaps.append(f"{widget}: {first}-{sequence} overlaps what ended at {position}")
                self.overlapping[widget] += 1
            self.last[widget] = sequence
            data = event["data"]
            self.ranges.setdefault(widget, []).append(
                (first, sequence, time.monotonic(), data["cause"], data["outcome"], data.get("summary", ""))
            )

    def count(self):
        """Returns the number of handled updates."""
        return sum(map(len, self.ranges.values()))

    def wait_for_all(self, widgets, within):
        """Waits until so many widgets as these were seen."""
        with self.arrived:
            if not self.arrived.wait_for(lambda: len(self.last) == len(widgets), within):
                raise TimeoutError(f"only {len(self.last)} of {len(widgets)} widgets were seen within {within} s")

    def wait_complete(self, since, within, what):
        """Waits until `is_complete`; `what` is the event after which that must be the case."""
        with self.arrived:
            if not self.arrived.wait_for(lambda: self.is_complete(since), within):
                late = [widget for widget, ranges in self.ranges.items() if ranges[-1][2] < since]
                raise TimeoutError(f"{len(late)} widgets got no verdict within {within:.0f} s after {what}: {late[:5]}")

    def is_complete(self, since):
        """Returns a Boolean value that indicates whether each widget has an update since then, and none is missing."""
        return not self._missing and self._held is None and all(
            ranges[-1][2] >= since for ranges in self.ranges.values()
        )

    def longest_gaps(self, begin, end):
        """Returns the longest times without an update between two times: of any widget, and of one widget."""
        def longest(moments):
            moments = [begin, *sorted(one for one in moments if begin < one < end), end]
            return max(b - a for a, b in zip(moments, moments[1:]))
        each = [[one[2] for one in ranges] for ranges in self.ranges.values()]
        return longest(sum(each, [])), max(map(longest, each))

    def repeated_answers(self):
        """Returns changes that were announced twice: answers of the origin ascend from one change to the next."""
        found = []
        for widget, ranges in self.ranges.items():
            last = 0
            for first, sequence, _, _, outcome, summary in ranges:
                words = summary.split()
                if outcome == "changed" and words[0] == "answer":
                    if int(words[1]) <= last:
                        found.append(f"{widget}: {first}-{sequence} announces answer {words[1]}, but {last} was announced before")
                    last = int(words[1])
        return found

    def lost(self, heads):
        """Returns cycles that the cache has and the record lacks: after its end, and between two ranges."""
        gaps = []
        for widget, head in heads.items():
            if self.last.get(widget, 0) < head:
                gaps.append((widget, self.last.get(widget, 0) + 1, head))
            position = self.began.get(widget, 0)
            for first, sequence, *_ in self.ranges.get(widget, []):
                if first > position + 1:
                    gaps.append((widget, position + 1, first - 1))
                position = max(position, sequence)
        return gaps
