#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Tests the README's section about containers with the demo: `make compose-test`.

Builds the image, starts the demo, reads verdicts from outside with both Python examples, scales the fetchers, kills each
service, stops everything, and looks whether anything is left. Waits for facts, each with a deadline. Needs python3-zmq, and
`docker compose` or docker-compose; ENGINE_SETUP names a script that runs first where there is no container engine.
`compose-test.py --image IMAGE` tests an image that is there, and builds none.
"""
import json, os, shutil, signal, socket, subprocess, sys, tempfile, threading, time, urllib.request, uuid

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROJECT = f"tidings-test-{uuid.uuid4().hex[:8]}"
IMAGE = sys.argv[2] if sys.argv[1:2] == ["--image"] else "tidings-test"
# The one that has Debian's python3-zmq; another may come first on the path.
PYTHON = "/usr/bin/python3"
BASE = "debian:bookworm-slim"
CORE = ["bus", "cache", "fetcher", "layout", "notifier", "gateway"]
WIDGETS = {"blog": "/blog.xml", "news": "/news.atom"}
MOST_MEGABYTES = 400
# The scripts that need a font of their own; the Dockerfile deletes the other Noto fonts.
FAMILIES = ["Noto Sans Thai UI", "Noto Sans Devanagari UI", "Noto Sans Tamil UI", "Noto Sans Hebrew", "Noto Sans Arabic UI"]
STOP_SECONDS = 10
REPLACE_SECONDS = 10
MEMORY_MEGABYTES = 512
HEAL_SECONDS = 60
began = time.monotonic()


class Failure(Exception):
    """A broken guarantee."""


def step(text):
    print(f"\n[{time.monotonic() - began:5.0f} s] {text}", flush=True)


def say(text):
    print(f"          {text}", flush=True)


def promise(holds, text):
    if not holds:
        raise Failure(text)
    say(f"ok: {text}")


def output(*command):
    """Returns the output of a command; raises Failure with its last lines if it fails."""
    ended = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    if ended.returncode != 0:
        raise Failure(f"{' '.join(command)} ended with {ended.returncode}:\n" + "\n".join(ended.stdout.splitlines()[-20:]))
    return ended.stdout.strip()


def compose(*arguments):
    return output(*tool, "--project-name", PROJECT, "--profile", "demo", *arguments)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Containers:
    """Follows the events of this project's containers."""

    def __init__(self):
        self.changed = threading.Event()
        self.process = subprocess.Popen(
            ["docker", "events", "--filter", f"label=com.docker.compose.project={PROJECT}", "--format", "{{.Status}}"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for _ in self.process.stdout:
            self.changed.set()

    @staticmethod
    def of(service=None, everything=False):
        """Returns (id, service, state, health) of each container."""
        filters = ["--filter", f"label=com.docker.compose.project={PROJECT}"]
        if service:
            filters += ["--filter", f"label=com.docker.compose.service={service}"]
        ids = output("docker", "ps", "--quiet", *(["--all"] if everything else []), *filters).split()
        found = json.loads(output("docker", "inspect", *ids)) if ids else []
        return [
            (
                one["Id"], one["Config"]["Labels"]["com.docker.compose.service"], one["State"]["Status"],
                one["State"].get("Health", {}).get("Status", "none"),
            )
            for one in found
        ]

    def wait_healthy(self, count, within, service=None):
        """Waits until exactly the given number of containers have a health check, and all of them are healthy."""
        deadline = time.monotonic() + within
        while True:
            self.changed.clear()
            found = [one for one in self.of(service) if one[3] != "none"]
            if len(found) == count and all(one[3] == "healthy" for one in found):
                return found
            left = deadline - time.monotonic()
            if left <= 0:
                raise Failure(f"not healthy after {within} s: {[one[1:] for one in found]}, wanted {count}")
            # Waits for an event; the timeout of a second covers one that arrives between the check and the wait.
            self.changed.wait(min(left, 1))


class Reader:
    """A process that prints a line for each update; stores the lines."""

    def __init__(self, *command):
        self.lines = []
        self.arrived = threading.Condition()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            with self.arrived:
                self.lines.append(line.rstrip("\n"))
                self.arrived.notify_all()

    def wait(self, what, within, holds):
        """Waits until `holds(lines)` returns a true value, and returns it."""
        deadline = time.monotonic() + within
        with self.arrived:
            while not (result := holds(self.lines)):
                left = deadline - time.monotonic()
                if left <= 0 or self.process.poll() is not None:
                    last = "\n".join(self.lines[-8:])
                    raise Failure(f"{what}: not within {within} s; the reader's last lines:\n{last}")
                self.arrived.wait(min(left, 1))
            return result

    def end(self):
        self.process.terminate()
        self.process.wait()


def ranges(lines, widget):
    return [(int(words[1]), int(words[2])) for words in map(str.split, lines) if words[0] == widget]


def last_cycle(lines, widget):
    return max((sequence for _, sequence in ranges(lines, widget)), default=0)


def counts():
    """Returns the counts of the origin: requests, and the maximum of simultaneous requests, for each path."""
    with urllib.request.urlopen(f"http://{origin}/requests", timeout=5) as answer:
        return json.load(answer)["paths"]


def go_on(what, cycles=5, within=HEAL_SECONDS):
    """Waits until each widget has the given number of further cycles."""
    before = {widget: last_cycle(follower.lines, widget) for widget in WIDGETS}
    follower.wait(what, within, lambda lines: all(last_cycle(lines, w) >= before[w] + cycles for w in WIDGETS))


def check_ranges():
    for widget in WIDGETS:
        found = ranges(list(follower.lines), widget)
        for (_, before), (first, sequence) in zip(found, found[1:]):
            if first != before + 1 or sequence < first:
                raise Failure(f"{widget}: {first}-{sequence} does not follow on {before}")
    parts = [f"{w} {len(ranges(follower.lines, w))} updates up to {last_cycle(follower.lines, w)}" for w in WIDGETS]
    promise(True, f"the ranges have no gaps: {', '.join(parts)}")


def tally():
    """Returns for each widget the requests at the origin, the cycles seen, and the difference.

    The three are read right after an update, seconds before the next request. Of three readings the
    smallest difference counts, in case a request is in flight. A second fetch of a cycle increases it permanently.
    """
    found = {}
    for widget, path in WIDGETS.items():
        looks = []
        for _ in range(3):
            seen = last_cycle(follower.lines, widget)
            follower.wait(f"the next update of {widget}", HEAL_SECONDS, lambda lines: last_cycle(lines, widget) > seen)
            asked = counts()[path]["count"]
            cycles = last_cycle(follower.lines, widget)
            looks.append((asked - cycles, asked, cycles))
        found[widget] = min(looks)
    return found


def check_tally(before, what, tolerated=0):
    after = tally()
    for widget, path in WIDGETS.items():
        asked, cycles = (after[widget][i] - before[widget][i] for i in (1, 2))
        most = counts()[path]["maximumConcurrent"]
        promise(
            cycles <= asked <= cycles + tolerated and most == 1,
            f"{what}: {path} asked {asked} times for {cycles} cycles, at most {most} at a time",
        )
    return after


def scale(number, before):
    step(f"Scaling to {number} fetchers")
    compose("up", "--detach", "--no-build", "--scale", f"fetcher={number}")
    containers.wait_healthy(number, 60, "fetcher")
    go_on(f"updates with {number} fetchers")
    after = check_tally(before, f"{number} fetchers")
    check_ranges()
    return after


def kill(service, before):
    killed = [one[0] for one in containers.of(service)]
    step(f"Killing {service} ({len(killed)} of {len(killed)})")
    output("docker", "kill", *killed)
    moment = time.monotonic()
    output("docker", "start", *killed)
    containers.wait_healthy(len(killed), 60, service)
    say(f"healthy {time.monotonic() - moment:.1f} s after its start")
    go_on(f"updates after {service} was killed", cycles=3)
    check_ranges()
    # A fetch is repeated if its fetcher was killed, or if its lease expired while the outcome could not be delivered.
    return check_tally(before, f"{service} killed", tolerated=len(killed))


def check_limits():
    step("Looking at the limits of each container")
    for one in containers.of():
        found = json.loads(output("docker", "inspect", one[0]))[0]["HostConfig"]
        memory, tasks, log = found["Memory"], found["PidsLimit"], found["LogConfig"].get("Config", {})
        promise(
            memory == MEMORY_MEGABYTES << 20 and tasks == 256 and log.get("max-size") == "10m",
            f"{one[1]}: {memory >> 20} MiB, {tasks} tasks, log files of {log.get('max-size')}",
        )


def check_secret():
    step("Looking for the secret of the env_file")
    # The configuration refers to the variable, so the cache does not start without it.
    for service, expected in (("cache", "yes"), ("fetcher", "no")):
        seen = output("docker", "exec", containers.of(service)[0][0], "sh", "-c", 'test -n "$NEWS_TOKEN" && echo yes || echo no')
        promise(seen == expected, f"the environment of {service} has it: {seen}")


def freeze(service):
    """Stops the process of a service, not its container; the container's first process has to replace it."""
    container = containers.of(service)[0][0]
    step(f"Freezing {service}")
    find = f'for p in /proc/[0-9]*; do read -r name < "$p/comm" && [ "$name" = {service} ] && kill -STOP "${{p#/proc/}}"; done; :'
    output("docker", "exec", container, "sh", "-c", find)
    moment = time.monotonic()
    starts = output("docker", "logs", container).count(f"ready {service} ")
    while output("docker", "logs", container).count(f"ready {service} ") == starts:
        if time.monotonic() - moment > REPLACE_SECONDS:
            raise Failure(f"{service} was not replaced within {REPLACE_SECONDS} s")
        containers.changed.wait(0.2)
    promise(True, f"{service} was replaced {time.monotonic() - moment:.1f} s after it was frozen")
    go_on(f"updates after {service} was frozen", cycles=3)
    check_ranges()


def engine():
    if subprocess.run(["docker", "info"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
        return
    setup = os.environ.get("ENGINE_SETUP")
    if not setup:
        raise Failure("no container engine answers; start Docker, or name a script that does with ENGINE_SETUP=FILE")
    step(f"Setting up a container engine with {setup}")
    subprocess.run(["bash", setup], check=True, stdout=subprocess.DEVNULL)


def compose_tool():
    if subprocess.run(["docker", "compose", "version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
        return ["docker", "compose"]
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    raise Failure("neither `docker compose` nor docker-compose is here")


def size(image):
    return int(output("docker", "image", "inspect", "--format", "{{.Size}}", image)) / 1e6


def leftovers():
    mine = ["--filter", f"label=com.docker.compose.project={PROJECT}", "--quiet"]
    return {
        "containers": output("docker", "ps", "--all", *mine).split(),
        "networks": output("docker", "network", "ls", *mine).split(),
        "volumes": output("docker", "volume", "ls", *mine).split(),
    }


def end():
    """Stops everything and returns the time that it took."""
    moment = time.monotonic()
    compose("stop")
    took = time.monotonic() - moment
    compose("down", "--volumes", "--remove-orphans")
    return took


def main():
    global containers, follower, origin
    if sys.argv[1:2] != ["--image"]:
        step(f"Building the image {IMAGE} with {' '.join(tool)}")
        moment = time.monotonic()
        # One service: all share the image, and docker-compose 1.29 would go through it once for each.
        compose("build", "bus")
        say(f"built in {time.monotonic() - moment:.0f} s")
    megabytes = size(IMAGE) - size(BASE)
    promise(megabytes <= MOST_MEGABYTES, f"{megabytes:.0f} MB above {BASE}, at most {MOST_MEGABYTES}")

    step(f"Starting the core services alone, as project {PROJECT}")
    containers = Containers()
    moment = time.monotonic()
    output(*tool, "--project-name", PROJECT, "up", "--detach", "--no-build")
    containers.wait_healthy(len(CORE), 120)
    say(f"all {len(CORE)} healthy after {time.monotonic() - moment:.0f} s")
    bus = containers.of("bus")[0][0]
    log = output("docker", "logs", bus)
    promise("without keys" in log, "the bus warns in its log that it listens without keys")
    fonts = {name.strip() for line in output("docker", "exec", bus, "fc-list", ":", "family").splitlines() for name in line.split(",")}
    missing = [family for family in FAMILIES if family not in fonts]
    promise(not missing, f"the image has the fonts of all scripts; missing: {', '.join(missing) or 'none'}")
    published = output("docker", "inspect", "--format", "{{json .HostConfig.PortBindings}}", bus)
    hosts = {binding["HostIp"] for bindings in json.loads(published).values() for binding in bindings}
    promise(hosts == {"127.0.0.1"}, f"its ports are published on {', '.join(hosts)} only")

    step("Starting the demo beside them")
    compose("up", "--detach", "--no-build")
    containers.wait_healthy(len(CORE) + 1, 60)
    origin = compose("port", "origin", "8080")
    say(f"the origin is reached at http://{origin}/")
    for line in output("docker", "exec", bus, "tidings", "health").splitlines():
        say(line)

    step("Reading verdicts from outside with Examples/python")
    with open(os.path.join(ROOT, "Examples/python/subscribe.py"), encoding="utf-8") as file:
        program = file.read()
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        promise(program in file.read(), "subscribe.py is what the README shows")
    five_lines = Reader(PYTHON, "-c", program.replace("127.0.0.1:5556", f"127.0.0.1:{ports[0]}"))
    readers.append(five_lines)
    follower = Reader(PYTHON, "Examples/python/follow.py", "127.0.0.1", *map(str, ports[:2]))
    readers.append(follower)
    go_on("updates from the demo", cycles=6)
    five_lines.wait("events for subscribe.py", 20, lambda lines: len(lines) >= 5)
    for line in five_lines.lines[:5]:
        event = json.loads(line)
        say(f"subscribe.py: {event['subject']} {event['data']['result']} ({event['data']['reason']})")
    five_lines.end()
    for line in follower.lines[-5:]:
        say(f"follow.py: {line}")
    check_ranges()
    for line in output("docker", "logs", containers.of("updates")[0][0]).splitlines()[-6:]:
        say(f"updates: {line}")

    check_limits()
    check_secret()
    for service in ("cache", "notifier", "gateway"):
        freeze(service)

    at_rest = tally()
    for number in (4, 2):
        at_rest = scale(number, at_rest)
    for service in CORE:
        at_rest = kill(service, at_rest)

    step("Stopping everything")
    follower.end()
    took = end()
    promise(took <= STOP_SECONDS, f"stopped within {took:.1f} s, at most {STOP_SECONDS}")
    left = leftovers()
    promise(not any(left.values()), "no container, network or volume is left")
    say(f"kept for the next run: the image {IMAGE}")


ports = free_ports(3)
environment = {key: value for key, value in os.environ.items() if not key.startswith(("TIDINGS_", "COMPOSE_"))}
environment |= {"TIDINGS_IMAGE": IMAGE, "TIDINGS_SUBSCRIBE_PORT": str(ports[0]), "TIDINGS_REQUEST_PORT": str(ports[1])}
environment |= {"TIDINGS_GATEWAY_PORT": str(ports[2])}
secrets = tempfile.mkdtemp(prefix="tidings-compose-")
with open(os.path.join(ROOT, "tidings.yml"), encoding="utf-8") as original, open(f"{secrets}/tidings.yml", "w", encoding="utf-8") as copy:
    plain = "source: http://origin:8080/blog.xml"
    named = 'source: {url: "http://origin:8080/blog.xml", headers: {Authorization: "Bearer ${NEWS_TOKEN}"}}'
    text = original.read()
    assert plain in text
    copy.write(text.replace(plain, named))
with open(f"{secrets}/tidings.env", "w", encoding="utf-8") as file:
    file.write("NEWS_TOKEN=a-secret-of-the-test\n")
os.chmod(secrets, 0o755)
environment |= {"TIDINGS_CONFIG": f"{secrets}/tidings.yml", "TIDINGS_SECRETS": f"{secrets}/tidings.env"}
readers, containers, follower, origin, tool = [], None, None, "", []
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
try:
    engine()
    tool = compose_tool()
    main()
    print(f"\nAll of it held, in {time.monotonic() - began:.0f} s.")
except Failure as failure:
    print(f"\nFAILED: {failure}", file=sys.stderr)
    if containers:
        print(f"\nThe services' last words:\n{compose('logs', '--tail', '15', '--no-color')}", file=sys.stderr)
    sys.exit(1)
except KeyboardInterrupt:
    sys.exit(130)
finally:
    for reader in readers:
        if reader.process.poll() is None:
            reader.end()
    if containers:
        containers.process.terminate()
        if any(leftovers().values()):
            end()
    shutil.rmtree(secrets, ignore_errors=True)
