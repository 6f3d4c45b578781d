# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""The real services for a benchmark: nginx as the origin; bus, cache and fetchers as processes; their resource use."""
import collections
import itertools
import json
import os
import pwd
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request

import benchmarks
import processes
from endurance.system import free_ports

try:
    import zmq
except ImportError:
    benchmarks.fail("python3-zmq is missing; Scripts/install-dependencies.sh bench installs it")

# The number of loopback addresses of the origin; each counts as a host.
ADDRESSES = 256
HOST_CONCURRENCY = 16
HOST_SPACING = "0ms"
WORDS = (
    "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore "
    "magna aliqua"
).split()


def feed(number, size=30_000, items=None):
    """Returns an RSS document of about the given size, or number of items; the same number returns the same document."""
    chance = random.Random(number)
    words = lambda count: " ".join(chance.choice(WORDS) for _ in range(count))
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
        f"<title>Feed {number}</title><link>http://example.org/{number}/</link><description>About it</description>\n"
    ]
    length = len(parts[0])
    item = 0
    while item < items if items else length < size - 100:
        item += 1
        parts.append(
            f"<item><title>{words(8).capitalize()}</title><link>http://example.org/{number}/{item}.html</link>"
            f'<guid isPermaLink="false">id-{number}-{item}</guid><pubDate>Fri, 20 Nov 2026 {item % 24:02}:00:00 GMT'
            f"</pubDate><dc:creator>Author {item}</dc:creator><description><![CDATA[<p>{words(60)}</p><p>{words(60)} "
            '<a href="http://example.org/more">more</a></p>]]></description></item>\n'
        )
        length += len(parts[-1])
    return "".join(parts) + "</channel></rss>\n"


class System:
    """Service processes in a temporary folder. All end with the `with` block.

    The programs are those in the folder `build`, such as the `.build/release` of another commit. Without `build`, they are
    those in the folder BENCH_PROGRAMS of the environment, or else those of this package.
    """

    def __init__(self, name, build=None):
        build = build or os.environ.get("BENCH_PROGRAMS")
        self.folder = os.path.join(benchmarks.WORK, name)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.processes = {}
        self.port = free_ports(16)
        self.counter = itertools.count()
        self.context = zmq.Context()
        self.programs = {
            name: os.path.join(build, name) if build else benchmarks.product(name)
            for name in ("bus", "cache", "fetcher", "layout", "notifier")
        }

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for name in reversed(list(self.processes)):
            self.stop(name)
        self.context.destroy(linger=0)

    def spawn(self, name, command, environment=None):
        log = open(os.path.join(self.folder, f"{name}.log"), "a")
        self.processes[name] = subprocess.Popen(
            command, stdout=log, stderr=log, env=dict(os.environ, **(environment or {}))
        )
        log.close()

    def stop(self, name, by=signal.SIGTERM):
        process = self.processes.pop(name)
        process.send_signal(by)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    # The origin.

    def url(self, number, addresses=ADDRESSES):
        return f"http://127.0.1.{number % addresses}:{self.port + 3}/{number}.xml"

    def serve(self, documents, location=""):
        """Starts nginx on all addresses, with the documents of a folder."""
        path = os.path.join(self.folder, "nginx.conf")
        temporary = "".join(
            f"{kind}_temp_path {self.folder}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        # If started as root, nginx would switch to a user that may not be able to read the documents.
        user = f"user {pwd.getpwuid(0).pw_name}; " if os.geteuid() == 0 else ""
        with open(path, "w") as file:
            file.write(
                f"{user}daemon off; worker_processes 2; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.log;\n"
                "events { worker_connections 4096; }\n"
                "http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; etag on;\n"
                f"types {{ application/rss+xml xml; }} open_file_cache max=100000; {temporary}\n"
                f"server {{ listen {self.port + 3}; root {documents}; {location} }} }}\n"
            )
        self.spawn("nginx", ["nginx", "-c", path])
        self.until(lambda: os.path.exists(f"{self.folder}/nginx.pid"), 10, "nginx does not start")
        self.check(self.url(0))

    def check(self, url):
        """Fails unless the origin answers with a document: figures of failed requests would be meaningless."""
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                if not answer.read():
                    benchmarks.fail(f"{url} is empty")
        except urllib.error.URLError as problem:
            benchmarks.fail(f"{url} cannot be fetched: {problem}")

    # The services.

    def configure(self, count, interval, more="", top="", addresses=ADDRESSES):
        """Writes a configuration with one source for each widget; `more` is added to each widget, `top` at the top level."""
        path = os.path.join(self.folder, "tidings.yml")
        with open(path, "w") as file:
            file.write(
                f"store: {self.folder}/store\nbus:\n  address: tcp://127.0.0.1:{self.port}\nfetching:\n"
                f"  interval: {interval}s\n  minimumInterval: 1s\n  allowPrivateNetworks: true\n"
                f"  hostConcurrency: {HOST_CONCURRENCY}\n  hostSpacing: {HOST_SPACING}\n{top}widgets:\n"
            )
            for number in range(count):
                file.write(f"  w{number}:\n    kind: feed\n    source: {self.url(number, addresses)}\n{more}")

    def start(self, service, more=None):
        """Starts a service; `more` is added to its environment."""
        environment = {"TIDINGS_CONFIG": f"{self.folder}/tidings.yml", "TIDINGS_LOG_LEVEL": "warning"}
        self.spawn(service, [self.programs[service]], {**environment, **(more or {})})

    def socket(self):
        made = self.context.socket(zmq.DEALER)
        made.connect(f"tcp://127.0.0.1:{self.port + 2}")
        return made

    def request(self, requester, service, body):
        """Sends a request and returns its id."""
        number = f"bench-{next(self.counter)}"
        requester.send_multipart([service.encode(), number.encode(), json.dumps(body).encode()])
        return number

    def send_commands(self, count, in_flight, widgets, chance):
        """Sends commands to random widgets, `in_flight` at any time, and waits for all answers.

        `chance` chooses the widgets, which are those of `configure`. Each command is a cycle.
        """
        requester = self.socket()
        client = f"bench-{next(self.counter)}"
        sent = answered = 0
        while answered < count:
            while sent < count and sent - answered < in_flight:
                sent += 1
                self.request(
                    requester,
                    "cache",
                    {
                        "request": "command",
                        "deadlineMilliseconds": 60_000,
                        "client": client,
                        "counter": sent,
                        "widget": f"w{chance.randrange(widgets)}",
                        "command": {"name": "setExpanded", "expanded": bool(sent % 2)},
                    },
                )
            if not requester.poll(60_000):
                benchmarks.fail("the cache does not answer commands")
            if "result" not in json.loads(requester.recv_multipart()[1]):
                benchmarks.fail("the cache refuses a command")
            answered += 1
        requester.close(linger=0)

    def counters(self, service):
        """Returns the counters of a service; empty if it is not running."""
        requester = self.socket()
        try:
            self.request(requester, service, {"request": "health", "deadlineMilliseconds": 5000})
            if not requester.poll(5000):
                return {}
            answer = json.loads(requester.recv_multipart()[1])
            health = answer.get("result", {}).get("health", {})
            return {**health.get("counters", {}), **health.get("gauges", {})}
        finally:
            requester.close(linger=0)

    def until(self, done, seconds, problem):
        """Waits until a condition is true and returns the time that it took."""
        begun = time.monotonic()
        while not done():
            for name, process in self.processes.items():
                if process.poll() is not None:
                    benchmarks.fail(f"{name} ended; see {self.folder}/{name}.log")
            if time.monotonic() - begun > seconds:
                benchmarks.fail(f"{problem} within {seconds} s; see {self.folder}")
            time.sleep(0.02)
        return time.monotonic() - begun

    def verify_outcomes(self, outcome, count):
        """Fails unless the last cycles of all `count` widgets have the same `outcome`, such as "changed"."""
        with sqlite3.connect(f"file:{self.folder}/store/cache.sqlite?mode=ro", uri=True, timeout=60) as store:
            events = store.execute("SELECT event, max(sequence) FROM cycles GROUP BY widget")
            outcomes = collections.Counter(json.loads(event)["data"]["outcome"] for event, _ in events)
        if outcomes != {outcome: count}:
            benchmarks.fail(f"the last cycles' outcomes are {dict(outcomes)}, expected {count} times {outcome}")

    # Resource use.

    def cpu(self, name):
        """Returns the processor time of a process and its children so far, in seconds."""
        first = self.processes[name].pid
        return sum(processes.processor_seconds(pid) for pid in (first, *processes.children(first)))

    def peak(self, name):
        """Returns the maximum resident memory so far, in MB."""
        return processes.memory(self.processes[name].pid, "VmHWM") / 1000
