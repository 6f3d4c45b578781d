#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Kills and stops the real executables under a steady load, and sees as a stranger whether anything was lost.

usage: chaos.py FOLDER [--kills N] [--stops N] [--rate CYCLES_PER_SECOND] [--seconds N] [--seed N]

FOLDER holds the executables. The subscriber knows nothing but docs/events.md: it keeps a record of its own, and compares it
at the end with what the cache says it has made.
"""
import argparse, collections, http.server, json, os, random, shutil, signal, socket, subprocess, sys, tempfile, threading, time, uuid
import zmq

ITEM = ('<item><guid>{0}</guid><title>Post {0} in state {1}</title><link>http://example.org/{0}</link></item>')


class Origin(http.server.ThreadingHTTPServer):
    """Feeds that change with every third request; each request is counted."""
    daemon_threads, request_queue_size, allow_reuse_address = True, 512, True

    def __init__(self):
        super().__init__(("0.0.0.0", 0), Handler)
        self.lock, self.requests = threading.Lock(), collections.Counter()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm = "HTTP/1.1", True

    def do_GET(self):
        with self.server.lock:
            self.server.requests[self.path] += 1
            state = self.server.requests[self.path] // 3
        tag = f'"{state}"'
        if self.headers.get("If-None-Match") == tag:
            self.send_response(304)
            self.send_header("ETag", tag)
            self.end_headers()
            return
        items = "".join(ITEM.format(n, state if n == 0 else 0) for n in range(5))
        body = f'<rss version="2.0"><channel><title>{self.path}</title>{items}</channel></rss>'.encode()
        self.send_response(200)
        for name, value in [("ETag", tag), ("Content-Type", "application/rss+xml"), ("Content-Length", len(body))]:
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): pass


class Subscriber(threading.Thread):
    """Follows every widget by the rules of the contract, from the first cycle on."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.nonce, self.stopping = port, uuid.uuid4().hex, False
        self.last, self.heads, self.missing = {}, {}, {}
        self.cycles = self.ranges = self.overlapping = self.duplicates = self.untiled = 0
        self.last_update, self.longest_gap = time.monotonic(), 0.0

    def run(self):
        context = zmq.Context()
        updates, requests = context.socket(zmq.SUB), context.socket(zmq.DEALER)
        updates.sndhwm, updates.rcvhwm = 0, 100_000
        for s in (updates, requests):
            s.setsockopt(zmq.HEARTBEAT_IVL, 1000)
            s.setsockopt(zmq.HEARTBEAT_TIMEOUT, 3000)
            s.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
        updates.connect(f"tcp://127.0.0.1:{self.port + 1}")
        requests.connect(f"tcp://127.0.0.1:{self.port + 2}")
        for prefix in ["update/", "heads/notifier/", "heads/cache/", f"~ready/{self.nonce}/"]:
            updates.subscribe(prefix)
        asked, lost, count = b"", 0.0, 0
        while not self.stopping:
            for s in zmq.select([updates, requests], [], [], 0.1)[0]:
                for _ in range(500):
                    try:
                        head, body = (s.recv_multipart(zmq.NOBLOCK) + [b"{}"])[:2]
                    except zmq.Again:
                        break
                    if s is updates:
                        self.hear(head.decode(), json.loads(body))
                    elif head == asked:
                        result, lost = json.loads(body).get("result"), time.monotonic() + 0.5
                        if result:
                            lost = 0.0
                            self.missing.clear() if not result["more"] else None
                            for event in result["records"]: self.take(event)
            now = time.monotonic()
            due = {w: f"{self.last.get(w, 0) + 1:020}" for w, at in self.missing.items() if at <= now}
            if due and now >= lost:
                asked, lost, count = f"{self.nonce}-{count}".encode(), now + 2, count + 1
                body = {"request": "replay", "deadlineMilliseconds": 2000, "from": dict(list(due.items())[:1000])}
                requests.send_multipart([b"notifier", asked, json.dumps(body).encode()])

    def hear(self, topic, event):
        if topic.startswith("~"):
            self.missing.update((widget, 0) for widget in self.last)
        elif topic.startswith("update/"):
            self.take(event)
        elif topic == "heads/cache/":
            for widget, head in event["data"]["heads"].items(): self.heads[widget] = int(head["sequence"])
        else:
            for widget, head in event["data"]["heads"].items():
                if int(head["sequence"]) <= self.last.get(widget, 0): self.missing.pop(widget, None)
                else: self.missing.setdefault(widget, time.monotonic() + 1)

    def take(self, event):
        widget, first, sequence = event["subject"], int(event["first"]), int(event["sequence"])
        position = self.last.get(widget, 0)
        if sequence <= position:
            self.duplicates += 1
        elif first > position + 1:
            self.missing.setdefault(widget, 0)
        else:
            if first != position + 1: self.overlapping += 1
            if first != sequence and position: self.ranges += 1
            self.cycles += sequence - position if position else 1
            self.last[widget] = sequence
            now = time.monotonic()
            self.longest_gap, self.last_update = max(self.longest_gap, now - self.last_update), now


class Service:
    """One executable, started again whenever it ends."""

    def __init__(self, name, binary, environment, log):
        self.name, self.binary, self.environment, self.log = name, binary, environment, log
        self.lock, self.wanted, self.stopped_until, self.process, self.starts = threading.Lock(), True, 0.0, None, 0
        threading.Thread(target=self.keep, daemon=True).start()

    def keep(self):
        while self.wanted:
            with self.lock:
                self.process = subprocess.Popen(
                    [self.binary], env=self.environment, stdout=subprocess.DEVNULL, stderr=self.log)
                self.starts += 1
            self.process.wait()

    def signal(self, number):
        with self.lock:
            if self.process and self.process.poll() is None: self.process.send_signal(number)

    def end(self):
        self.wanted = False
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        try: self.process.wait(10)
        except subprocess.TimeoutExpired: self.process.kill()


def free_ports():
    """A port with the next two free."""
    while True:
        sockets = [socket.socket() for _ in range(3)]
        try:
            sockets[0].bind(("127.0.0.1", 0))
            port = sockets[0].getsockname()[1]
            for offset in (1, 2): sockets[offset].bind(("127.0.0.1", port + offset))
            return port
        except OSError: pass
        finally:
            for s in sockets: s.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--stops", type=int, default=20)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the folder with the stores and the log")
    options = parser.parse_args()
    dice, work = random.Random(options.seed), tempfile.mkdtemp(prefix="tidings-chaos-")
    origin = Origin()
    threading.Thread(target=origin.serve_forever, daemon=True).start()
    port, interval = free_ports(), 2.0
    widgets = int(options.rate * interval)
    with open(f"{work}/tidings.yml", "w") as file:
        file.write(f"store: {work}/data\nfetching:\n  interval: {int(interval * 1000)}ms\n  minimumInterval: 1s\n"
                   "  allowPrivateNetworks: true\n  hostConcurrency: 16\n  hostSpacing: 0s\n  leaseDuration: 4s\nwidgets:\n")
        for n in range(widgets):
            address = f"127.0.1.{n % 100 + 1}:{origin.server_port}"
            file.write(f'  widget-{n}: {{kind: feed, source: "http://{address}/feed-{n}"}}\n')
    log = open(f"{work}/log", "w")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TIDINGS_")}
    environment |= {"TIDINGS_CONFIG": f"{work}/tidings.yml", "TIDINGS_BUS": f"tcp://127.0.0.1:{port}",
                    "TIDINGS_LOG_LEVEL": "warning"}
    subscriber = Subscriber(port)
    subscriber.start()
    names = ["bus", "cache", "layout", "notifier", "fetcher", "fetcher"]
    services = [Service(name, f"{options.folder}/{name}", environment | {"TIDINGS_INSTANCE": f"{name}-{n}"}, log)
                for n, name in enumerate(names)]
    status = 1
    try:
        begin = time.monotonic()
        while len(subscriber.last) < widgets and time.monotonic() < begin + 60: time.sleep(0.2)
        if len(subscriber.last) < widgets: sys.exit(f"only {len(subscriber.last)} of {widgets} widgets have an update after 60 s")
        before = subscriber.cycles
        begin, subscriber.longest_gap = time.monotonic(), 0.0
        events = [(dice.uniform(0, options.seconds), signal.SIGKILL) for _ in range(options.kills)]
        events += [(dice.uniform(0, max(options.seconds - 20, 1)), signal.SIGSTOP) for _ in range(options.stops)]
        turn = 0
        for at, number in sorted(events):
            time.sleep(max(0, begin + at - time.monotonic()))
            now = time.monotonic()
            if number == signal.SIGKILL:
                service = services[turn % len(services)]
                turn += 1
            else:
                service = dice.choice(services)
                pause = dice.uniform(1, 20)
                service.stopped_until = max(service.stopped_until, now + pause)
                threading.Timer(pause, lambda s=service: time.monotonic() + 0.05 > s.stopped_until and s.signal(signal.SIGCONT)).start()
            service.signal(number)
        time.sleep(max(0, begin + options.seconds - time.monotonic()))
        for service in services: service.signal(signal.SIGCONT)
        time.sleep(10)
        seconds, made = time.monotonic() - begin, subscriber.cycles - before
        # Quiescence: nobody fetches any more.
        for service in services[4:]: service.end()
        end = time.monotonic() + 60
        def behind(): return {w: (subscriber.last.get(w, 0), h) for w, h in subscriber.heads.items() if subscriber.last.get(w, 0) < h}
        time.sleep(3)
        subscriber.heads.clear()
        while (len(subscriber.heads) < widgets or behind()) and time.monotonic() < end: time.sleep(0.2)
        lost = sum(head - last for last, head in behind().values()) + (widgets - len(subscriber.heads))
        requests = sum(origin.requests.values())
        beyond = max(0, requests - subscriber.cycles)
        starts = sum(service.starts for service in services) - len(services)
        status = 1 if lost or subscriber.overlapping else 0
        print(f"cycles       {subscriber.cycles} ({made / seconds:.0f} a second, {widgets} widgets, {seconds:.0f} s)")
        print(f"kills        {options.kills} ({starts} starts again), {options.stops} stops of up to 20 s")
        print(f"lost         {lost}")
        print(f"overlapping  {subscriber.overlapping}")
        print(f"longest gap  {subscriber.longest_gap:.1f} s without any update")
        print(f"requests     {beyond} at the origin beyond one a cycle, of {requests}")
        print(f"besides      {subscriber.ranges} ranges of more than one cycle, {subscriber.duplicates} duplicates dropped")
    finally:
        for service in reversed(services): service.end()
        subscriber.stopping = True
        if options.keep: print(f"kept         {work}")
        else: shutil.rmtree(work, ignore_errors=True)
    sys.exit(status)


main()
