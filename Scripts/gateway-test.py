#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Tests a running gateway over HTTP: schemathesis with its OpenAPI document, promtool, and hostile clients.

usage: gateway-test.py [--build FOLDER] [--seconds N] [--only NAME ...]

It starts `tidings up` with its own configuration on free ports, and stops it at the end. Each case prints one line. The
exit status is 1 if a case fails.
"""

import argparse, concurrent.futures, contextlib, datetime, http.client, itertools, json, os, pathlib, select, socket, statistics
import subprocess, sys, tempfile, threading, time, urllib.parse, urllib.request
import cases, processes, tools
from cases import Failure, check, program, wait
from endurance.system import free_ports
from origin import Documents

ROOT = pathlib.Path(__file__).resolve().parent.parent
FEED = b"<rss version='2.0'><channel><title>Blog</title><item><guid>1</guid><title>One</title></item></channel></rss>"
# How much more the gateway may have at the end than at the start, in MiB and descriptors.
SLACK_MEMORY, SLACK_DESCRIPTORS = 20, 16
SCHEMATHESIS = "schemathesis==4.32.5"


class System:
    """`tidings up` with two widgets, and a token for each kind of access."""

    def __init__(self, build, folder, more_widgets=()):
        self.build = build
        self.folder = folder
        self.origin = Documents()
        self.origin.set("/feed", FEED)
        self.configuration = folder / "tidings.yml"
        self.configuration.write_text(
            "fetching: {interval: 2s, minimumInterval: 0s, allowPrivateNetworks: true, hostSpacing: 0s}\n"
            "gateway: {requestsPerMinute: 0}\n"
            "widgets:\n"
            f"  blog: {{kind: feed, source: '{self.origin.url('/feed')}'}}\n"
            "  inbox: {kind: feed, source: push}\n"
            + "".join(f"  {widget}: {{kind: feed, source: push}}\n" for widget in more_widgets)
        )
        environment = dict(os.environ)
        self.port = free_ports(4)
        self.bus_port = self.port + 1
        environment.update(TIDINGS_BUS=self.bus(), TIDINGS_GATEWAY=f"127.0.0.1:{self.port}", TIDINGS_LOG_LEVEL="warning")
        self.log = open(folder / "log", "w+")
        self.token = subprocess.run(
            [build / "tidings", "token", "new", "--config", self.configuration, "--name", "test", "--scope", "act", "--scope", "push", "--scope", "admin"],
            check=True, capture_output=True, text=True,
        ).stdout.strip()
        self.process = subprocess.Popen(
            [build / "tidings", "up", "--config", self.configuration],
            stdout=subprocess.PIPE, stderr=self.log, env=environment, text=True,
        )
        if "ready tidings" not in self.process.stdout.readline():
            raise Failure(f"tidings up does not start: {(folder / 'log').read_text()}")
        self.gateway = processes.child(self.process.pid, "gateway")
        self.wait_for_content()

    def bus(self):
        return f"tcp://127.0.0.1:{self.bus_port}"

    def wait_for_content(self):
        def has_content():
            status, body = self.get("/v1/widgets/blog")
            return status == 200 and json.loads(body)["hasContent"]

        wait("the first content", has_content)

    def request(self, method, path, headers=None, body=None, timeout=40):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)) as connection:
            connection.request(method, path, body=body, headers=headers or {})
            response = connection.getresponse()
            return response.status, response.read()

    def get(self, path, headers=None):
        return self.request("GET", path, headers)

    def authorization(self):
        return {"Authorization": f"Bearer {self.token}"}

    def raw(self, data, timeout=30, read=True):
        """Sends bytes and returns the answer up to its end."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(data)
            received = b""
            with contextlib.suppress(ConnectionResetError, TimeoutError):
                while read and (piece := connection.recv(65536)):
                    received += piece
            return received

    def memory(self):
        """Returns the current and the maximum memory of the gateway in MiB."""
        return tuple(processes.memory(self.gateway, line) // 1024 for line in ("VmRSS", "VmHWM"))

    def sockets(self, state):
        """Returns the number of the gateway's connections in a state, given as its hexadecimal number in the kernel's table."""
        port = f":{self.port:04X}"
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        return sum(1 for line in lines if line.split()[1].endswith(port) and line.split()[3] == state)

    def latencies(self, seconds):
        """Returns the latencies of pictures for another client in the meantime, in milliseconds."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        found = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            start = time.monotonic()
            connection.request("GET", "/widgets/blog/phone-classic.png")
            response = connection.getresponse()
            response.read()
            check(response.status == 200, f"another client got {response.status}")
            found.append((time.monotonic() - start) * 1000)
            time.sleep(0.002)
        connection.close()
        return found

    def stop(self):
        self.process.terminate()
        status = self.process.wait(timeout=30)
        self.origin.close()
        if status != 0:
            raise Failure(f"tidings up ended with status {status}: {(self.folder / 'log').read_text()[-2000:]}")


    def cached(self):
        """Returns how many MiB the gateway's caches hold, as its health says."""
        _, body = self.request("GET", "/v1/health", self.authorization())
        gauges = next(one["health"]["gauges"] for one in json.loads(body)["instances"] if one["name"].startswith("gateway"))
        return (gauges["gateway.pictureCacheBytes"] + gauges["gateway.missedUpdateBytes"]) >> 20

    def measure(self):
        """Returns memory and descriptors of the gateway, and the median time from a push to its verdict."""
        times = []
        for number in range(50):
            body = FEED.replace(b"<title>One<", f"<title>{number} {time.time()}<".encode())
            start = time.monotonic()
            status, _ = self.request("PUT", "/v1/widgets/inbox/content", self.authorization(), body)
            check(status == 200, f"a push is answered with {status}")
            times.append((time.monotonic() - start) * 1000)
        return {
            "memory": self.memory()[0], "cached": self.cached(), "descriptors": processes.descriptors(self.gateway),
            "verdict": statistics.median(times),
        }

    def settle(self, before):
        """Waits at most 10 s until the gateway has returned its memory; returns the last measurement and what is wrong with it."""
        deadline = time.monotonic() + 10
        while self.memory()[0] > before["memory"] + self.cached() + SLACK_MEMORY and time.monotonic() < deadline:
            time.sleep(0.5)
        after = self.measure()
        worse = {
            f"the gateway keeps more than {SLACK_MEMORY} MiB besides its caches": after["memory"] > before["memory"] + after["cached"] + SLACK_MEMORY,
            "the gateway keeps descriptors": after["descriptors"] > before["descriptors"] + SLACK_DESCRIPTORS,
            "verdicts take longer": after["verdict"] > 2 * before["verdict"] + 20,
        }
        return after, [failure for failure, is_so in worse.items() if is_so]


def p99(values):
    return statistics.quantiles(values, n=100)[98]


# MARK: cases


def schemathesis(system, seconds):
    """Tests every operation against its description."""
    st = tools.environment("gateway-test", [SCHEMATHESIS]) / "bin" / "st"
    url = f"http://127.0.0.1:{system.port}"
    # No schema can express that a document is a feed, or that a key was used before: 422.
    settings = system.folder / "schemathesis.toml"
    settings.write_text(
        "[checks]\n"
        'positive_data_acceptance.expected-statuses = ["2xx", "3xx", 401, 403, 404, 409, 422, 429, "5xx"]\n'
    )
    ended = subprocess.run(
        [
            st, "--config-file", settings, "run", f"{url}/v1/openapi.json", "--url", url, "-H", f"Authorization: Bearer {system.token}",
            "--phases", "examples,coverage,fuzzing,stateful", "--max-time", str(seconds), "--exclude-path", "/v1/events",
            "--continue-on-failure",
        ],
        capture_output=True, text=True, cwd=system.folder,
    )
    if ended.returncode != 0:
        raise Failure(f"schemathesis ended with {ended.returncode}:\n{ended.stdout[-6000:]}\n{ended.stderr[-1000:]}")
    return ended.stdout.strip().splitlines()[-1]


def promtool(system, _):
    """Checks both metrics pages with promtool."""
    tool = program("promtool", "prometheus")
    for path in ["/metrics", "/metrics/system"]:
        status, body = system.get(path)
        check(status == 200, f"{path}: {status}")
        ended = subprocess.run([tool, "check", "metrics"], input=body, capture_output=True)
        if ended.returncode != 0:
            raise Failure(f"{path}: {ended.stderr.decode()}{ended.stdout.decode()}")
    return "clean"


def prometheus(system, _):
    """A real Prometheus scrapes both pages, and answers from what it has scraped."""
    server = program("prometheus")
    folder = system.folder / "prometheus"
    folder.mkdir()
    port = free_ports(1)
    jobs = "".join(
        f"  - job_name: {name}\n    metrics_path: {path}\n    static_configs: [{{targets: ['127.0.0.1:{system.port}']}}]\n"
        for name, path in [("gateway", "/metrics"), ("system", "/metrics/system")]
    )
    (folder / "prometheus.yml").write_text(f"global: {{scrape_interval: 1s, scrape_timeout: 1s}}\nscrape_configs:\n{jobs}")
    process = subprocess.Popen(
        [
            server, f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{port}",
        ],
        stdout=subprocess.DEVNULL, stderr=open(folder / "log", "w"),
    )

    def query(expression):
        url = f"http://127.0.0.1:{port}/api/v1/query?query={urllib.parse.quote(expression)}"
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)["data"]["result"]

    try:
        def is_scraped():
            with contextlib.suppress(OSError):
                return {one["metric"]["job"]: one["value"][1] for one in query("up")} == {"gateway": "1", "system": "1"}

        wait(f"a scrape of both pages (see {folder}/log)", is_scraped, 30, pause=0.5)
        counts = {}
        for expression in ["tidings_http_requests_total", '{job="system",__name__=~"tidings_.+"}']:
            counts[expression] = len(query(expression))
            check(counts[expression], f"{expression}: nothing was scraped")
        return f"both pages are scraped, {counts} series"
    finally:
        process.terminate()
        process.wait(timeout=10)


def picture_sizes(system, _):
    """100,000 different sizes of a picture: a limited number is drawn."""
    undisturbed = p99(system.latencies(3))
    before = system.memory()[0]
    statuses, disturbed = {}, []
    other = threading.Thread(target=lambda: disturbed.extend(system.latencies(5)))
    other.start()
    connection = http.client.HTTPConnection("127.0.0.1", system.port, timeout=30)
    for number in range(100_000):
        width, height = 16 + number % 400, 16 + number // 400
        connection.request("GET", f"/widgets/blog/phone-classic.png?width={width}&height={height}")
        response = connection.getresponse()
        response.read()
        statuses[response.status] = statuses.get(response.status, 0) + 1
    connection.close()
    other.join()
    check(statuses.get(200, 0) <= 24 and set(statuses) == {200, 429}, f"statuses {statuses}")
    return (
        f"statuses {statuses}; memory {before} -> {system.memory()[0]} MiB; "
        f"another client's p99 {p99(disturbed):.1f} ms, undisturbed {undisturbed:.1f} ms"
    )


def proxy(system, _):
    """The Caddy of Compose's `proxy` profile before a gateway that asks for tokens: HTTPS, HTTP/2, events as they come."""
    caddy, curl = program("caddy"), program("curl")
    port = free_ports(2)
    folder = system.folder / "caddy"
    folder.mkdir()
    environment = {
        **os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
        # As in Compose, a domain of its own; the port is free, so that nothing else is disturbed.
        "TIDINGS_DOMAIN": f"https://localhost:{port}", "TIDINGS_UPSTREAM": f"127.0.0.1:{port + 1}",
    }
    configuration = ROOT / "deploy" / "proxy" / "Caddyfile"
    checked = subprocess.run(
        [caddy, "validate", "--adapter", "caddyfile", "--config", configuration], env=environment, capture_output=True, text=True
    )
    if checked.returncode != 0:
        raise Failure(checked.stderr[-1000:])
    closed = system.folder / "proxied.yml"
    closed.write_text(
        system.configuration.read_text().replace("gateway: {", "gateway: {openReads: false, trustedProxies: [127.0.0.1], ")
    )
    gateway = subprocess.Popen(
        [system.build / "gateway", "--config", closed],
        env={**os.environ, "TIDINGS_BUS": system.bus(), "TIDINGS_GATEWAY": f"127.0.0.1:{port + 1}", "TIDINGS_INSTANCE": "proxied"},
        stdout=subprocess.PIPE, stderr=open(folder / "gateway.log", "w"), text=True,
    )
    server = None

    def ask(*arguments):
        command = [curl, "-sS", "-k", "--http2", "--max-time", "10", "-o", "/dev/null", "-w", "%{http_code} %{http_version}", *arguments]
        return subprocess.run(command, capture_output=True, text=True).stdout

    try:
        if "ready gateway" not in gateway.stdout.readline():
            raise Failure((folder / "gateway.log").read_text()[-1000:])
        server = subprocess.Popen(
            [caddy, "run", "--adapter", "caddyfile", "--config", configuration],
            env=environment, stdout=subprocess.DEVNULL, stderr=open(folder / "log", "w"),
        )
        base = f"https://localhost:{port}"
        authorization = f"Authorization: Bearer {system.token}"
        wait(f"/readyz behind the proxy (see {folder}/log)", lambda: ask(f"{base}/readyz") == "200 2", pause=0.2)
        expected = [
            ((f"{base}/v1/widgets",), "401 2"), (("-H", authorization, f"{base}/v1/widgets"), "200 2"),
            (("-H", authorization, f"{base}/widgets/blog/phone-classic.png"), "200 2"),
            (("-H", authorization, "-H", "X-Forwarded-For: 9.9.9.9", f"{base}/v1/widgets/none"), "404 2"),
        ]
        for arguments, answer in expected:
            if (found := ask(*arguments)) != answer:
                raise Failure(f"{arguments[-1]}: {found} instead of {answer}")
        begin = time.monotonic()
        events = subprocess.Popen(
            [curl, "-sS", "-k", "-N", "--http2", "--max-time", "20", "-H", authorization, f"{base}/v1/events"], stdout=subprocess.PIPE
        )
        try:
            received = b""
            while b"event: update" not in received:
                piece = events.stdout.read1(4096)
                check(piece, f"the stream ended: {received[-300:]}")
                received += piece
        finally:
            events.terminate()
            events.wait()
        return f"HTTP/2 with tokens; the first update came through after {time.monotonic() - begin:.1f} s"
    finally:
        for process in [server, gateway]:
            if process is not None:
                process.terminate()
                process.wait(timeout=20)


def slowloris(system, _):
    """500 clients send one header byte per second; another client must still be served."""
    undisturbed = p99(system.latencies(3))
    connections = []
    for _ in range(500):
        connection = socket.create_connection(("127.0.0.1", system.port))
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        connections.append(connection)
    begin = time.monotonic()
    dripping = threading.Event()

    def drip():
        while not dripping.wait(1):
            for connection in connections:
                with contextlib.suppress(OSError):
                    connection.send(b"X")

    thread = threading.Thread(target=drip)
    thread.start()
    disturbed = p99(system.latencies(3))
    left = set(connections)
    while left and time.monotonic() < begin + 40:
        readable, _, _ = select.select(list(left)[:900], [], [], 1)
        for connection in readable:
            try:
                ended = not connection.recv(1)
            except OSError:
                ended = True
            if ended:
                left.discard(connection)
    dripping.set()
    thread.join()
    seconds = time.monotonic() - begin
    for connection in connections:
        connection.close()
    check(not left, f"{len(left)} connections are still open after {seconds:.0f} s")
    return f"all closed within {seconds:.0f} s; another client's p99 {disturbed:.1f} ms, undisturbed {undisturbed:.1f} ms"


def large_bodies(system, _):
    """Sends a body of 1 GiB, with and without Content-Length."""
    head = f"PUT /v1/widgets/inbox/content HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {system.token}\r\n"
    answer = system.raw(f"{head.replace('Host: x', 'Host: localhost')}Content-Length: {1 << 30}\r\n\r\n".encode())
    check(b" 413 " in answer[:20], f"announced: {answer[:100]}")
    sent = 0
    with socket.create_connection(("127.0.0.1", system.port), timeout=30) as connection:
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        with contextlib.suppress(OSError):
            while sent < 1 << 30:
                connection.sendall(piece)
                sent += 65536
    check(sent < 1 << 30, "1 GiB was taken")
    return f"413; without a length cut off after {sent >> 20} MiB; memory {system.memory()[0]} MiB, at most {system.memory()[1]} MiB"


def bodies_without_token(system, _):
    """1,500 uploads of 700 KB without a token: each gets 401, none is kept, and others are served."""
    head = f"PUT /v1/widgets/inbox/content HTTP/1.1\r\nHost: localhost\r\nContent-Length: 700000\r\n\r\n".encode()
    undisturbed, before = p99(system.latencies(3)), system.memory()[0]
    statuses, most, is_over = {}, before, threading.Event()

    def upload(_):
        with socket.create_connection(("127.0.0.1", system.port), timeout=30) as connection:
            with contextlib.suppress(OSError):
                connection.sendall(head)
                for _ in range(7):
                    connection.sendall(b"x" * 100_000)
            try:
                return connection.recv(4096)[9:12].decode()
            except OSError:
                return "closed"

    with concurrent.futures.ThreadPoolExecutor(201) as pool:
        others = pool.submit(system.latencies, 5)
        for status in pool.map(upload, range(1500)):
            statuses[status] = statuses.get(status, 0) + 1
            most = max(most, system.memory()[0])
        disturbed = p99(others.result())
    check(statuses == {"401": 1500}, f"statuses {statuses}")
    check(most <= before + 64, f"memory {before} → {most} MiB")
    return f"statuses {statuses}; memory {before} → {most} MiB; another client's p99 {undisturbed:.1f} → {disturbed:.1f} ms"


def many_headers(system, _):
    """100,000 headers."""
    headers = "".join(f"X-{number}: {number}\r\n" for number in range(100_000))
    answer = system.raw(f"GET / HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode())
    check(not answer or b" 431 " in answer[:20] or b" 413 " in answer[:20], f"{answer[:100]}")
    return answer[:12].decode() if answer else "closed"


def odd_requests(system, _):
    """Invalid UTF-8, tricks with paths, broken requests: never a status of 500 or more, never a file."""
    paths = [
        b"/../../etc/passwd", b"/widgets/../v1/widgets", b"/widgets/%2e%2e/x", b"//v1/widgets", b"/v1//widgets", b"/v1/widgets%00",
        b"/v1/widgets/\xff\xfe", b"/v1/widgets/%ff", b"/widgets/blog/phone-classic.png%00.json", b"/v1/widgets/./blog", b"/\xe2\x82",
        b"/" + b"a" * 10_000, b"/v1/widgets/" + b"%41" * 100, b"http://evil.example/v1/widgets", b"*",
    ]

    def status_of(path):
        answer = system.raw(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", timeout=5)
        return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 0

    statuses = {}
    for path in paths:
        status = status_of(path)
        statuses[status] = statuses.get(status, 0) + 1
        check(status != 200 and status < 500, f"{path[:60]!r}: {status}")
    for query in [b"cursor=%ff", b"limit=%ff", b"kind=\xff", b"since=%00", b"token=%ff%fe"]:
        status = status_of(b"/v1/widgets?" + query)
        check(status < 500, f"{query!r}: {status}")
    malformed = [
        b"GET / HTTP/1.1\r\nX-\0A: b", b"GET / HTTP/1.1\r\nX-A: b\0c", b"GET / HTTP/1.1\r\nX-A: b\rX-B: c",
        b"GET / HTTP/1.1\r\nX-A: b\nX-B: c", b"GET / HTTP/1.1\r\nX-A: b\r\n c", b"GET / HTTP/1.1\r\nContent-Length : 30",
        b"GET /\0 HTTP/1.1", b"GET /a b HTTP/1.1", b"GET / HTTP/1.1\r\nX A: b", b"GET / HTTP/1.1\r\nHost: localhost",
    ]
    for head in malformed:
        begin = time.monotonic()
        answer = system.raw(head + b"\r\nHost: localhost\r\n\r\n", timeout=5)
        if not answer.startswith(b"HTTP/1.1 400 ") or time.monotonic() - begin > 1:
            raise Failure(f"{head!r}: {answer[:60]!r} after {time.monotonic() - begin:.1f} s")
    for body in [b"\xff\xfe", b"{", b"[" * 100_000, b'{"name":"\xff"}', b'{"name":1e999}']:
        status, _ = system.request("POST", "/v1/widgets/blog/commands", system.authorization(), body)
        check(status == 400, f"{body[:20]!r}: {status}")
    return f"statuses {dict(sorted(statuses.items()))}"


def shared_update(system, _):
    """1,000 simultaneous performUpdates."""
    barrier = threading.Barrier(1000)

    def update(_):
        barrier.wait()
        status, body = system.request("POST", "/v1/widgets/inbox/performUpdate", system.authorization())
        return status, json.loads(body).get("sequence")

    with concurrent.futures.ThreadPoolExecutor(1000) as pool:
        answers = list(pool.map(update, range(1000)))
    statuses = {status for status, _ in answers}
    cycles = len({sequence for _, sequence in answers})
    check(statuses == {200}, f"statuses {statuses}")
    check(cycles == 1, f"{cycles} cycles")
    return "one cycle"


def vanishing_readers(system, _):
    """500 event streams whose readers vanish, and 500 connections cut in the middle of a request."""
    streams = []
    for _ in range(500):
        connection = socket.create_connection(("127.0.0.1", system.port), timeout=30)
        connection.sendall(b"GET /v1/events?widget=blog HTTP/1.1\r\nHost: localhost\r\n\r\n")
        streams.append(connection)
    for connection in streams:
        check(b"200 OK" in connection.recv(4096), "a stream was refused")
    for connection in streams:
        connection.close()
    for _ in range(500):
        with socket.create_connection(("127.0.0.1", system.port)) as connection:
            connection.sendall(b"POST /v1/widgets/blog/performUpdate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf")
    begin = time.monotonic()
    close_wait = "08"
    wait("the end of all connections in CLOSE_WAIT", lambda: not system.sockets(close_wait), 30)
    return f"none in CLOSE_WAIT after {time.monotonic() - begin:.1f} s; memory {system.memory()[0]} MiB"


def slow_reader(system, _):
    """
    A reader takes 8 events a second while 60 updates come: most are merged, none is old, and its stream stays open.

    Its receive buffer has a fixed size: what its own kernel keeps for it, often 128 KiB, makes events older by seconds.
    """
    seconds, pause, rate = 90, 1 / 8, 60
    widgets = [f"load-{number}" for number in range(120)]
    folder = system.folder / "slow"
    folder.mkdir()
    loaded = System(system.build, folder, widgets)
    is_over = threading.Event()
    refused, pushed = [], []

    def push(widgets):
        connection = http.client.HTTPConnection("127.0.0.1", loaded.port, timeout=30)
        for number in itertools.count():
            # Without the time of an answer, so that the rate is the wanted one.
            if is_over.wait(max(0, started + number * 4 / rate - time.monotonic())):
                return connection.close()
            body = FEED.replace(b"<title>One<", f"<title>{number}<".encode())
            path = f"/v1/widgets/{widgets[number % len(widgets)]}/content"
            connection.request("PUT", path, body, loaded.authorization() | {"Prefer": "wait=0"})
            response = connection.getresponse()
            response.read()
            (pushed if response.status < 300 else refused).append(response.status)

    started = time.monotonic()
    pushing = [threading.Thread(target=push, args=(widgets[number::4],)) for number in range(4)]
    try:
        reading = http.client.HTTPConnection("127.0.0.1", loaded.port, timeout=30)
        reading.sock = socket.socket()
        reading.sock.settimeout(30)
        reading.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32 * 1024)
        reading.sock.connect(("127.0.0.1", loaded.port))
        reading.request("GET", "/v1/events")
        stream = reading.getresponse()
        started = time.monotonic()
        for thread in pushing:
            thread.start()
        ages, merged = [], 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            line = stream.readline()
            check(line, f"the stream ended after {len(ages)} events")
            if not line.startswith(b"data: ") or b'"update/' not in line:
                continue
            event = json.loads(line[6:])
            ages.append(time.time() - datetime.datetime.fromisoformat(event["time"].replace("Z", "+00:00")).timestamp())
            merged += event["first"] < event["sequence"]
            time.sleep(pause)
        check(len(pushed) >= 3 * len(ages), f"{len(pushed)} updates came while {len(ages)} were read: the load is too low")
        share, age = merged / len(ages), statistics.median(ages)
        if share < 0.8 or age > 12 or refused:
            raise Failure(f"{share:.0%} of {len(ages)} events are merged, half of them are older than {age:.1f} s; refused {refused[:3]}")
        return f"{share:.0%} of {len(ages)} events are merged, half of them are at most {age:.1f} s old, the oldest {max(ages):.1f} s"
    finally:
        is_over.set()
        for thread in pushing:
            if thread.is_alive():
                thread.join()
        loaded.stop()


def access(system, _):
    """Tokens that are missing, wrong, or not enough; forged hosts and origins."""
    update = "/v1/widgets/blog/performUpdate"
    wrong = {"Authorization": f"Bearer {system.token[:-1]}x"}
    expected = [
        ("POST", update, {}, 401), ("POST", update, wrong, 401), ("POST", update, {"Authorization": "Basic eA=="}, 401),
        ("POST", update, {**system.authorization(), "Origin": "https://evil.example"}, 403),
        ("POST", update, {**system.authorization(), "Sec-Fetch-Site": "cross-site"}, 403),
        ("GET", f"/v1/widgets?token={system.token}", {}, 403), ("GET", "/v1/configuration", {}, 401),
        ("GET", "/v1/widgets", {"Host": "evil.example"}, 421),
        ("GET", "/v1/widgets", {"Host": "evil.example", "X-Forwarded-Host": "localhost"}, 421),
        ("DELETE", "/v1/widgets", {}, 405),
    ]
    for method, path, headers, status in expected:
        found, body = system.request(method, path, headers)
        check(found == status, f"{method} {path} {headers}: {found} instead of {status}")
        check(json.loads(body)["detail"], f"{method} {path}: nothing is explained")
    return f"{len(expected)} requests refused, each with its reason"


def session_cookie(system, _):
    """The cookie of a browser that signed in, which servers at other ports of the host name receive, too."""
    connection = http.client.HTTPConnection("127.0.0.1", system.port, timeout=40)
    connection.request("POST", "/v1/session", json.dumps({"token": system.token}))
    response = connection.getresponse()
    cookie = (response.getheader("Set-Cookie") or "").split(";")[0]
    connection.close()
    if response.status != 204 or not cookie.startswith("tidings-session-") or system.token in cookie:
        raise Failure(f"signing in is answered with {response.status} and the cookie {cookie!r}")
    status, body = system.get("/v1/session", {"Cookie": cookie})
    check(status == 200 and json.loads(body)["scopes"] == ["read"], f"the cookie allows {body}")
    operations = [
        ("POST", "/v1/widgets/blog/performUpdate"), ("POST", "/v1/widgets/blog/commands"), ("PUT", "/v1/widgets/inbox/content"),
        ("GET", "/v1/configuration"), ("POST", "/v1/inspect"), ("POST", "/v1/widgets"),
    ]
    for method, path in operations:
        for headers in ({"Cookie": cookie}, {"Cookie": f"tidings-token={system.token}"}):
            status, body = system.request(method, path, headers, "{}" if method != "GET" else None)
            check(status == 401, f"{method} {path} with {headers}: {status} {body[:200]}")
    return f"{len(operations)} operations refused"


CASES = [schemathesis, promtool, prometheus, proxy, picture_sizes, access, session_cookie, odd_requests, many_headers, large_bodies, bodies_without_token, shared_update, vanishing_readers, slow_reader, slowloris]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / ".build" / "release")
    parser.add_argument("--seconds", type=int, default=120, help="time limit for schemathesis in seconds")
    cases.add_option(parser, CASES)
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="tidings-gateway-") as folder:
        system = System(options.build.resolve(), pathlib.Path(folder))
        try:
            before = system.measure()
            failed = bool(cases.run(CASES, options.only, system, options.seconds, errors=[http.client.HTTPException]))
            after, failures = system.settle(before)
            print(f"""
                    undisturbed     afterwards
memory              {before['memory']:7} MiB     {after['memory']:6} MiB, at most {system.memory()[1]} MiB
 of its caches      {before['cached']:7} MiB     {after['cached']:6} MiB
descriptors         {before['descriptors']:7}         {after['descriptors']:6}
push to verdict     {before['verdict']:7.1f} ms      {after['verdict']:6.1f} ms
""")
            for failure in failures:
                failed = True
                print(f"FAILED: {failure}", flush=True)
        finally:
            system.stop()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
