# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""A stranger on the bus: it listens, and publishes messages of the services with other numbers, times and digests.

It also answers requests that it did not get: its answers grant leases that the cache has not granted.
"""
import datetime, json, random, re, time, uuid, zmq

TOPICS = ["fetched/", "refreshed/", "laidout/", "heads/cache"]
LEASE_ANSWERS = 0.1  # the share of forged answers among the forged messages
DAY = 86_400_000
DIGITS, HEXADECIMAL, MOMENT = re.compile(r"\d{20}"), re.compile(r"[0-9a-f]{16,64}"), re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


class Forger:
    """Learns from the messages of a running system; the forged ones follow from the seed and from these."""

    def __init__(self, system, seed):
        self._chance = random.Random(seed)
        self._context = zmq.Context()
        self._listening = self._context.socket(zmq.SUB)
        self._publishing = self._context.socket(zmq.PUB)
        self._answering = self._context.socket(zmq.DEALER)
        self._sockets = [self._listening, self._publishing, self._answering]
        for socket, port in zip(self._sockets, [system.subscribe_ports[0], system.bus_ports[0], system.request_ports[0]]):
            socket.linger, socket.sndhwm = 5000, 0
            socket.connect(f"tcp://127.0.0.1:{port}")
        self._learned = {}  # topic: the last event, and the contents behind it

    def learn(self, widgets, within=30):
        """Listens until there is a message of each kind about each widget, and until the bus forwards own messages."""
        for prefix in TOPICS:
            self._listening.subscribe(prefix)
        deadline, is_heard, probe = time.monotonic() + within, False, uuid.uuid4().hex
        while not is_heard or not self._knows(widgets):
            if time.monotonic() > deadline:
                raise TimeoutError(f"after {within} s, only {sorted(self._learned)} were heard")
            while self._listening.poll(200):
                topic, event, *contents = self._listening.recv_multipart()
                event = json.loads(event)
                is_heard = is_heard or event.get("probe") == probe
                self._learned[topic.decode()] = event, contents
                if topic.startswith(b"heads/") and not is_heard:
                    # Readers ignore members that they do not know.
                    self._publishing.send_multipart([topic, json.dumps(event | {"probe": probe}).encode()])
                if time.monotonic() > deadline or (is_heard and self._knows(widgets)):
                    break

    def _knows(self, widgets):
        kinds = [topic.split("/")[0] for topic in self._learned]
        return all(kinds.count(kind) >= len(widgets) for kind in ["fetched", "refreshed", "laidout"]) and "heads" in kinds

    def publish(self, count, rate=2000):
        """Publishes so many forged messages; returns {kind: their number}."""
        topics, sent = sorted(self._learned), {}
        for number in range(count):
            if self._chance.random() < LEASE_ANSWERS:
                kind = "lease answers"
                self._answering.send_multipart(self._make_answer())
            else:
                topic = self._chance.choice(topics)
                kind = topic.split("/")[0]
                event, contents = self._learned[topic]
                event = self._change(event, self._chance.choice([0.05, 0.3, 1]))
                self._publishing.send_multipart([topic.encode(), json.dumps(event).encode(), *map(self._change_content, contents)])
            sent[kind] = sent.get(kind, 0) + 1
            if number % 100 == 99:
                time.sleep(100 / rate)
        return sent

    def close(self):
        for socket in self._sockets:
            socket.close()

    def _make_answer(self):
        source = self._chance.choice([topic for topic in self._learned if topic.startswith("fetched/")]).split("/")[1]
        lease = {
            "id": f"{self._chance.randrange(1 << 32):x}-{self._chance.randrange(100)}", "source": source,
            "url": "http://127.0.0.1:9/", "durationMilliseconds": self._number(30_000), "parsings": [{"kind": "feed", "options": {}}],
            "allowPrivateNetworks": True,
        }
        route = self._chance.randbytes(self._chance.choice([0, 1, 16, 17, 25, 64]))
        identity = f"{self._chance.randrange(1 << 32):x}-{self._chance.randrange(1000)}"
        answer = {"result": {"leases": [lease], "open": [lease["id"]]}}
        return [self._chance.choice([b"!", b"\x01", b""]) + route, identity.encode(), json.dumps(answer).encode()]

    def _change(self, value, share):
        """Returns a copy in which this share of the numbers, positions, times and digests is another one."""
        if isinstance(value, dict):
            return {name: self._change(one, share) for name, one in value.items()}
        if isinstance(value, list):
            return [self._change(one, share) for one in value]
        if isinstance(value, bool) or self._chance.random() >= share:
            return value
        if isinstance(value, (int, float)):
            return self._number(int(value))
        if isinstance(value, str) and DIGITS.fullmatch(value):
            return f"{max(0, min(self._number(int(value)), 2**64 - 1)):020}"
        if isinstance(value, str) and HEXADECIMAL.fullmatch(value):
            return self._chance.randbytes(len(value) // 2).hex()
        if isinstance(value, str) and MOMENT.fullmatch(value):
            moment = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
            moment += datetime.timedelta(milliseconds=self._chance.choice([-DAY, -1000, 1, 1000, DAY, 30 * DAY]))
            return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return value

    def _change_content(self, content):
        """Returns the content, or another one of the same length: the digits of its texts are other ones."""
        if self._chance.random() < 0.5:
            return content
        return re.sub(rb"answer \d+", lambda found: b"answer " + b"9" * (len(found[0]) - 7), content)

    def _number(self, known):
        ahead = self._chance.choice([1, 2, 3, 1000, 80_000_000, DAY, 90_000_000])
        return self._chance.choice([0, 1, ahead, known, known + ahead, max(0, known - ahead), 2**31, 2**53, 2**63 - 1])
