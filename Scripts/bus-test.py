#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Attacks a running bus from outside: `make bus-test`.

It starts all services, floods the bus with subscriptions, forges registrations and answers, sends garbage to each port, and keeps
connections half open. Each case prints one line. Meanwhile a subscriber must keep its connection, and requests must be answered.
At the end, memory, descriptors and latencies are compared with those of an undisturbed time. The exit status is 1 if a case
fails. Needs python3-zmq and a release build.
"""
import argparse, contextlib, json, multiprocessing, os, resource, socket, statistics, struct, subprocess, sys, time, uuid, zmq
from datetime import datetime
import cases, processes
from cases import Failure, check, wait
from endurance.record import Requester
from endurance.system import System, free_ports

# The defaults of the bus (Shared/MessageBus/SocketSettings.swift).
SUBSCRIPTIONS, OF_ALL = 1000, 128_000
# An answer may come later than those of another bus, which nobody attacks, by this much, in milliseconds.
LONGEST_HOLD = 100
SLACK_BYTES, SLACK_DESCRIPTORS = 20 << 20, 16
HANDSHAKE_SECONDS = 5
WIDGETS = [f"w{number:02}" for number in range(20)]
# An answer to a ping, without which the bus ends a connection after a while.
PONG = b"\4\5\4PONG"
GREETING = bytes([0xFF, *bytes(8), 0x7F, 3, 0]) + b"NULL" + bytes(16) + bytes(32)


class Peer:
    """A connection that speaks ZMTP 3.0 by hand, to send what libzmq would not."""

    def __init__(self, port, kind=b"SUB", source="127.0.0.1"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0))
        ready = b"\5READY\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind
        self.socket.sendall(GREETING)
        self._read(64)
        self.socket.sendall(bytes([4, len(ready)]) + ready)
        self._read(self._read(2)[1])

    def _read(self, size):
        data = b""
        while len(data) < size:
            piece = self.socket.recv(size - len(data))
            check(piece, "the bus closed the connection during the handshake")
            data += piece
        return data

    def send(self, data):
        """Sends all bytes; returns False if the bus has ended the connection."""
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            return False

    def is_ended(self, within):
        """Waits for the end of the connection; messages and pings before it are dropped."""
        deadline = time.monotonic() + within
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                if not self.socket.recv(65536):
                    return True
            except TimeoutError:
                return False
            except OSError:
                return True
        return False

    def close(self):
        self.socket.close()


def frame(data, more=False):
    return bytes([more, len(data)]) + data


def subscribe(prefix, begins=True):
    return frame(bytes([begins]) + prefix)


@contextlib.contextmanager
def other_bus(build, *options):
    """A bus of its own: the process, and its first port."""
    port = free_ports(3)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TIDINGS_")} | {
        "TIDINGS_BUS": f"tcp://127.0.0.1:{port}", "TIDINGS_INSTANCE": "other", "TIDINGS_STOP_WITH_INPUT": "1",
    }
    with subprocess.Popen(
        [os.path.join(build, "bus"), *options], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as bus:
        bus.stdout.readline()
        yield bus, port
        bus.stdin.close()


class Probe:
    """Measures, in a process of its own: the time of both buses' answers, and of verdicts from the commit to the subscriber."""

    def __init__(self, system, other_port):
        self.results, self.is_over = multiprocessing.Queue(), multiprocessing.Event()
        # When the request was sent that is not answered yet; 0 if there is none.
        self.pending = {kind: multiprocessing.Value("d", 0) for kind in ("answer", "other")}
        ports = system.subscribe_ports[0], {"answer": system.request_ports[0], "other": other_port}
        self.process = multiprocessing.Process(target=self._run, args=ports, daemon=True)
        self.process.start()

    def _run(self, subscribe_port, request_ports):
        context = zmq.Context()
        updates = context.socket(zmq.SUB)
        requests = {context.socket(zmq.DEALER): (kind, port) for kind, port in request_ports.items()}
        for one, port in [(updates, subscribe_port), *((one, port) for one, (_, port) in requests.items())]:
            one.linger = 0
            one.connect(f"tcp://127.0.0.1:{port}")
        for prefix in ["update/", f"~ready/{uuid.uuid4().hex}/"]:
            updates.subscribe(prefix)
        number, sent, due = 0, {}, dict.fromkeys(requests, 0)
        while not self.is_over.is_set():
            for one in requests:
                if one not in sent and time.monotonic() >= due[one]:
                    number, sent[one] = number + 1, time.monotonic()
                    self.pending[requests[one][0]].value = sent[one]
                    one.send_multipart([b"bus", b"probe-%d" % number, b'{"request":"health","deadlineMilliseconds":1000}'])
            for one in zmq.select([updates, *requests], [], [], 0.005)[0]:
                frames = one.recv_multipart()
                if one is not updates:
                    self.results.put((requests[one][0], (time.monotonic() - sent.pop(one)) * 1000))
                    self.pending[requests[one][0]].value = 0
                    due[one] = time.monotonic() + 0.005
                elif frames[0].startswith(b"~"):
                    self.results.put(("connection", 1))
                else:
                    committed = json.loads(frames[1])["data"]["times"]["committed"].replace("Z", "+00:00")
                    self.results.put(("verdict", (time.time() - datetime.fromisoformat(committed).timestamp()) * 1000))

    def take(self):
        """Returns what was measured since the last call; a request that waits longer than all answers counts with its age."""
        found = {"answer": [], "other": [], "verdict": [], "connection": []}
        while not self.results.empty():
            kind, value = self.results.get()
            found[kind].append(value)
        for kind, pending in self.pending.items():
            sent = pending.value
            age = (time.monotonic() - sent) * 1000 if sent else 0
            if age > max(found[kind], default=LONGEST_HOLD):
                found[kind].append(age)
        return found

    def end(self):
        self.is_over.set()
        self.process.join(5)


class Test:
    def __init__(self, system, other_port):
        self.system, self.build = system, system.build
        self.publish, self.subscribe, self.request = (one[0] for one in (system.bus_ports, system.subscribe_ports, system.request_ports))
        self.requester = Requester(system.request_ports)
        self.probe = Probe(system, other_port)
        self.before = None

    def measure(self, seconds):
        self.probe.take()
        time.sleep(seconds)
        found = self.probe.take()
        if len(found["answer"]) < 10 or len(found["verdict"]) < 10:
            raise Failure(f"{len(found['answer'])} answers and {len(found['verdict'])} verdicts in {seconds} s")
        return {
            "answer": max(found["answer"]), "other": max(found["other"]), "median": statistics.median(found["verdict"]), "p95": statistics.quantiles(found["verdict"], n=20)[18],
            "memory": self.system.memory("bus"), "descriptors": processes.descriptors(self.system.pid("bus")),
        }

    def health(self):
        return self.requester.ask("bus", {"request": "health"})["health"]

    def counter(self, name):
        return self.health()["counters"].get(name, 0)

    def check_holds(self):
        """Fails if an answer took longer than it may since the last `take`, or if the subscriber had to connect again."""
        found = self.probe.take()

        def is_answered():
            for kind, values in self.probe.take().items():
                found[kind] += values
            return found["answer"] and found["other"]

        wait("an answer of each bus", is_answered, 10, pause=0.02)
        hold, other = max(found["answer"]), max(found["other"])
        check(hold <= other + LONGEST_HOLD, f"an answer took {hold:.0f} ms, one of the other bus {other:.0f} ms")
        check(not found["connection"], "the other subscriber lost its connection")
        return f"answers within {hold:.0f} ms, of the other bus {other:.0f} ms"

    def log(self):
        with open(os.path.join(self.system.folder, "bus.log"), encoding="utf-8") as file:
            return file.read()

    def flood(self, data, name="a flood"):
        """Sends bytes on one connection, which the bus must end and count."""
        before = self.counter("limit.bus.subscriptions")
        peer = Peer(self.subscribe)
        peer.send(data)
        check(peer.is_ended(10), f"{name}: the connection was not ended")
        peer.close()
        wait(f"{name}: the count", lambda: self.counter("limit.bus.subscriptions") > before)

    def wait_for_few_subscriptions(self, count=100, within=20):
        wait("the end of the subscriptions", lambda: self.health()["gauges"]["bus.subscriptions"] < count, within)


# MARK: cases


def subscriptions_by_count(test):
    """400,000 subscriptions of one connection."""
    test.flood(b"".join(subscribe(b"update/newData/w%06d/" % number) for number in range(400_000)))
    check("subscriptions" in test.log(), "the log of the bus does not name subscriptions")
    return f"ended and logged, {test.check_holds()}"


def subscriptions_by_bytes(test):
    """300 subscriptions of one connection, with 250 bytes each."""
    test.flood(b"".join(subscribe(b"%03d" % number + b"x" * 247) for number in range(300)))
    return f"ended, {test.check_holds()}"


def allowed_subscriptions(test):
    """As many subscriptions as are allowed, and 100,000 that begin and end: the connection stays."""
    before = test.counter("limit.bus.subscriptions")
    peer = Peer(test.subscribe)
    prefixes = [b"heads/%04d/" % number for number in range(SUBSCRIPTIONS - 1)]
    peer.send(b"".join(map(subscribe, prefixes)))
    for _ in range(100):
        peer.send(b"".join(subscribe(b"a%d" % (number % 7), begins) for number in range(500) for begins in (True, False)))
        time.sleep(0.01)
    check(not peer.is_ended(2), "the connection was ended")
    check(test.counter("limit.bus.subscriptions") <= before, "the connection was counted")
    peer.close()
    test.wait_for_few_subscriptions(SUBSCRIPTIONS // 2)
    return f"the connection stays, {test.check_holds()}"


def subscriptions_of_many(test):
    """400 connections with 1,000 subscriptions each, which are then closed."""
    before = test.counter("limit.bus.subscriptions")
    peers = [Peer(test.subscribe) for _ in range(400)]
    for number, peer in enumerate(peers):
        peer.socket.settimeout(5)
        peer.send(b"".join(subscribe(b"update/newData/w%06d/" % (1000 * number + index)) for index in range(1000)))
    def are_ended():
        for peer in peers:
            peer.send(PONG)
        # At most so many connections can have all their subscriptions at the same time.
        return test.counter("limit.bus.subscriptions") - before >= 400 - OF_ALL // SUBSCRIPTIONS

    wait("the end of the others", are_ended, 60)
    adding = test.check_holds()
    for peer in peers:
        peer.close()
    test.wait_for_few_subscriptions(within=60)
    ended = test.counter("limit.bus.subscriptions") - before
    return f"{ended} ended, {adding}; the others closed, {test.check_holds()}"


def two_part_subscriptions(test):
    """Messages with several frames, of which some subscribe, and frames that are no subscriptions."""
    def prefixes():
        return (b"update/newData/w%06d/" % number for number in range(100_000))

    floods = {
        "second frame": (frame(b"\2", True) + subscribe(prefix) for prefix in prefixes()),
        "first frame": (frame(b"\1" + prefix, True) + frame(b"\2") for prefix in prefixes()),
        "after an empty frame": (frame(b"", True) + subscribe(prefix) for prefix in prefixes()),
        "300 frames": (frame(b"\2", True) * 300 + subscribe(prefix) for prefix in list(prefixes())[:1000]),
        "alone": [frame(b"hello")],
    }
    for name, messages in floods.items():
        test.flood(b"".join(messages), name)
    test.wait_for_few_subscriptions()
    return f"{len(floods)} kinds ended and counted, {test.check_holds()}"


def repeated_subscriptions(test):
    """400,000 times the same subscription, the end of one that never began, and one that begins and ends."""
    floods = [subscribe(b"a")], [subscribe(b"b", False)], [subscribe(b"c"), subscribe(b"c", False)]
    for pieces in floods:
        test.flood(b"".join(pieces) * (400_000 // len(pieces)), f"{pieces} again and again")
    return f"ended and counted, {test.check_holds()}"


def small_connections(test):
    """450 connections with 3 long prefixes at a bus that allows 1,000: one with 12 from another address stays."""
    with other_bus(test.build, "--all-subscriptions", "1000") as (_, port):
        requester = Requester([port + 2])

        def health():
            return requester.ask("bus", {"request": "health"})["health"]

        honest = Peer(port + 1, source="127.0.0.2")
        honest.send(b"".join(subscribe(b"update/newData/honest-%d/" % number) for number in range(12)))
        peers = [Peer(port + 1) for _ in range(450)]
        for number, peer in enumerate(peers):
            peer.send(b"".join(subscribe((b"%d-%d" % (number, index)).ljust(250, b"x")) for index in range(3)))

        def are_ended():
            for peer in [honest, *peers]:
                peer.send(PONG)
            return health()["counters"].get("limit.bus.subscriptions", 0) >= 100

        wait("the end of some", are_ended, 60)
        check(not honest.is_ended(2), "the honest connection was ended")
        if not 12 < health()["gauges"]["bus.subscriptions"] <= 1000:
            raise Failure(f"{health()['gauges']['bus.subscriptions']} subscriptions")
        for peer in [honest, *peers]:
            peer.close()
    return "the honest one stays"


def _flood_for_ever(port, source):
    """Connects again and again, and sends different prefixes without pause."""
    data = b"".join(subscribe(os.urandom(250)) for _ in range(200))
    while True:
        with contextlib.suppress(OSError, Failure):
            peers = [Peer(port, source=source) for _ in range(20)]
            for peer in peers:
                peer.socket.settimeout(0.05)
            while any([peer.send(data) for peer in peers]):
                pass


def stop_during_flood(test):
    """SIGTERM to a bus that is flooded by 60 connections."""
    with other_bus(test.build) as (bus, port):
        floods = [
            multiprocessing.Process(target=_flood_for_ever, args=(port + 1, f"127.0.0.{number}"), daemon=True) for number in (2, 3, 4)
        ]
        for one in floods:
            one.start()
        try:
            time.sleep(2)
            started = time.monotonic()
            bus.terminate()
            status = bus.wait(10)
        except subprocess.TimeoutExpired:
            bus.kill()
            raise Failure("the bus did not stop within 10 s") from None
        finally:
            for one in floods:
                one.kill()
        check(not status, f"the bus ended with status {status}")
    return f"stopped within {time.monotonic() - started:.1f} s"


def wait_for_end(connection, failure):
    """Reads until the bus has ended a connection; fails if it does not within the time limit of the connection."""
    try:
        while connection.recv(4096):
            pass
    except TimeoutError:
        raise Failure(failure) from None
    except OSError:
        pass


def old_protocols(test):
    """Subscribers that speak ZMTP 1 and 2, whose connection libzmq does not tell."""
    for name, greeting in ("1", b"\1\0"), ("2", bytes([0xFF, *bytes(7), 1, 0x7F, 1, 2, 0, 0])):
        # Without a limit for them, the bus would end the connection only after the time for a handshake.
        with socket.create_connection(("127.0.0.1", test.subscribe), timeout=HANDSHAKE_SECONDS - 2) as one:
            one.sendall(greeting)
            wait_for_end(one, f"ZMTP {name} was not refused")
    return f"refused, {test.check_holds()}"


class Service:
    """A DEALER that registers as a service."""

    def __init__(self, test):
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.connect(f"tcp://127.0.0.1:{test.request}")
        self.count = 0

    def receive(self, within=5):
        check(self.socket.poll(within * 1000), "no answer")
        return self.socket.recv_multipart()

    def register(self, service, instance, **health):
        self.count += 1
        identity = b"register-%d" % self.count
        request = {
            "request": "register", "deadlineMilliseconds": 2000, "service": service, "instance": instance,
            "health": {"state": "ready", "version": "0", "startedAt": "2026-01-01T00:00:00.000Z", "counters": {}, "gauges": {}, **health},
        }
        self.socket.send_multipart([b"bus", identity, json.dumps(request).encode()])
        frames = self.receive()
        check(frames[0] == identity, f"another answer: {frames[0]}")
        return json.loads(frames[1])

    def close(self):
        self.socket.close()
        self.context.term()


def forged_registrations(test):
    """A second instance of a connection, the end of somebody else's registration, and `active` with a term that is held."""
    before = test.counter("bus.refused.foreignRegistration")
    began = time.monotonic()
    forger = Service(test)
    active = {"role": "active", "term": "00000001-00000000000000000001"}
    try:
        check("result" in forger.register("fetcher", "forger"), "the first registration was refused")
        check("error" in forger.register("fetcher", "second"), "a connection registered two instances")
        stranger = Service(test)
        check("error" in stranger.register("cache", "cache", state="stopping"), "a stranger ended the cache's registration")
        held = test.requester.ask("cache", {"request": "health"})["health"]
        stranger.register("cache", "forged", **({**active, "term": held["term"]} if "term" in held else active))
        for _ in range(20):
            check(test.requester.ask("cache", {"request": "health"})["instance"] == "cache", "a stranger with an equal term displaced the cache")
        stranger.register("cache", "forged", state="stopping")
        second = Service(test)
        same = {key: held[key] for key in ("startedAt", "version", "role", "term") if key in held}
        for _ in range(20):
            check("error" in second.register("cache", "cache", **same), "a stranger registered the cache's own name")
            if test.requester.ask("cache", {"request": "health"})["instance"] != "cache" or second.socket.poll(0):
                raise Failure("a stranger with the cache's own name got its requests")
        if "error" not in second.register("cache", "cache", state="stopping"):
            raise Failure("a stranger ended the cache's registration after it registered its name")
        for one in (stranger, second):
            one.close()
        forger.register("fetcher", "forger", state="stopping")
    finally:
        forger.close()
    check(test.counter("bus.refused.foreignRegistration") >= before + 23, "not counted")
    return f"refused and counted within {time.monotonic() - began:.1f} s, {test.check_holds()}"


def restarted_instances(test):
    """An instance whose connection ends and which registers again at once, 20 times."""
    longest = 0
    for _ in range(20):
        service = Service(test)
        started = time.monotonic()
        while "error" in service.register("fetcher", "restarted"):
            check(time.monotonic() <= started + 1, "a restarted instance was not registered within a second")
        longest = max(longest, time.monotonic() - started)
        service.close()
    return f"each within {longest * 1000:.0f} ms, {test.check_holds()}"


def forged_answers(test):
    """Answers to a request that another instance got, and to requests that were never made."""
    before = test.counter("bus.dropped.foreignAnswer")
    service, forger = Service(test), Service(test)
    asking = test.requester.context.socket(zmq.DEALER)
    asking.linger = 0
    asking.connect(f"tcp://127.0.0.1:{test.request}")
    try:
        service.register("fetcher", "asked")
        forger.register("fetcher", "forger")
        asking.send_multipart([b"fetcher/asked", b"forged-1", b'{"request":"health","deadlineMilliseconds":5000}'])
        route, identity = service.receive()[:2]
        forger.socket.send_multipart([b"~answer", route, identity, b'{"result":"forged"}'])
        service.socket.send_multipart([b"~answer", route, b"forged-2", b'{"result":"forged"}'])
        for length in range(1, 40):
            forger.socket.send_multipart([b"~answer", route[:1] + os.urandom(length), identity, b'{"result":"forged"}'])
        wait("the count", lambda: test.counter("bus.dropped.foreignAnswer") >= before + 2)
        if asking.poll(200):
            raise Failure(f"a forged answer arrived: {asking.recv_multipart()}")
        service.socket.send_multipart([b"~answer", route, identity, b'{"result":"right"}'])
        check(asking.poll(5000) and asking.recv_multipart()[1] == b'{"result":"right"}', "the right answer did not arrive")
        for one, name in (service, "asked"), (forger, "forger"):
            one.register("fetcher", name, state="stopping")
    finally:
        for one in (service, forger, asking):
            one.close()
    return f"dropped and counted; the right answer arrived; {test.check_holds()}"


def garbage_greetings(test):
    """16 greetings on each port that are none."""
    greetings = [
        b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00", b"\0" * 64, b"\xff" * 64, b"SSH-2.0-x\r\n", GREETING[:12] + b"CURVE" + bytes(47),
        GREETING[:12] + b"PLAIN" + bytes(47), GREETING + b"\4\xff" + b"x" * 255, GREETING + b"\6" + struct.pack(">Q", 1 << 62),
        GREETING + b"\4\x06\5ERROR", GREETING + b"\4\x05\4PING", GREETING + b"\0\1\1", os.urandom(64), os.urandom(4096),
        GREETING[:10] + b"\x09\x09" + GREETING[12:], GREETING + b"\4\x19\5READY\x0bSocket-Type\xff\xff\xff\xffSUB",
    ]
    for port in (test.publish, test.subscribe, test.request):
        for greeting in greetings:
            with socket.create_connection(("127.0.0.1", port), timeout=10) as one:
                try:
                    one.sendall(greeting)
                    one.shutdown(socket.SHUT_WR)
                except TimeoutError:
                    raise Failure(f"port {port} does not read from the connection of {greeting[:20]!r}") from None
                except OSError:
                    # The bus may have ended the connection.
                    continue
                wait_for_end(one, f"port {port} keeps the connection of {greeting[:20]!r}")
    return f"{3 * len(greetings)} connections ended, {test.check_holds()}"


def half_open_connections(test):
    """100 connections on each port that send nothing, or half a greeting."""
    started = time.monotonic()
    connections = []
    for port in (test.publish, test.subscribe, test.request):
        for number in range(100):
            one = socket.create_connection(("127.0.0.1", port), timeout=10)
            one.sendall(GREETING[: (number % 2) * 20])
            connections.append(one)
    limit = started + HANDSHAKE_SECONDS + 10
    for one in connections:
        one.settimeout(max(0.1, limit - time.monotonic()))
        wait_for_end(one, f"a connection is still open after {HANDSHAKE_SECONDS + 10} s")
        one.close()
    return f"all 300 ended within {time.monotonic() - started:.0f} s, {test.check_holds()}"


CASES = [
    subscriptions_by_count, subscriptions_by_bytes, allowed_subscriptions, subscriptions_of_many, two_part_subscriptions,
    repeated_subscriptions, small_connections, stop_during_flood, old_protocols, forged_registrations, restarted_instances, forged_answers, garbage_greetings, half_open_connections,
]


def compare(before, after):
    """Prints both measurements; returns what is worse than allowed."""
    print(f"""
                          undisturbed     afterwards
memory                {before['memory'] / 1e6:12.1f} MB {after['memory'] / 1e6:11.1f} MB
descriptors           {before['descriptors']:12}    {after['descriptors']:11}
longest answer        {before['answer']:12.1f} ms {after['answer']:11.1f} ms
 of the other bus     {before['other']:12.1f} ms {after['other']:11.1f} ms
verdict, median       {before['median']:12.1f} ms {after['median']:11.1f} ms
verdict, p95          {before['p95']:12.1f} ms {after['p95']:11.1f} ms
""")
    worse = {
        "the bus has kept more than 20 MB": after["memory"] > before["memory"] + SLACK_BYTES,
        "the bus has kept descriptors": after["descriptors"] > before["descriptors"] + SLACK_DESCRIPTORS,
        "answers take longer": after["answer"] > max(before["answer"], after["other"]) + LONGEST_HOLD,
        "verdicts take longer": after["median"] > 2 * before["median"] + 20 or after["p95"] > 2 * before["p95"] + LONGEST_HOLD,
    }
    return [failure for failure, is_so in worse.items() if is_so]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=".build/release", help="folder with the executables (.build/release)")
    parser.add_argument("--seconds", type=float, default=10, help="duration of each measurement in seconds (10)")
    cases.add_option(parser, CASES)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    failures = []
    with System(WIDGETS, options.build, lease=30) as system, other_bus(system.build) as (_, other_port):
        test = Test(system, other_port + 2)
        try:
            time.sleep(3)
            test.before = test.measure(options.seconds)
            failures += cases.run(CASES, options.only, test)
            time.sleep(3)
            failures += compare(test.before, test.measure(options.seconds))
        finally:
            test.probe.end()
        failures += system.violations
    for failure in failures:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
