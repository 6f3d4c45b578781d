#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Tests the README's section about containers with the demo: `make compose-test`.

Builds the image, starts the demo, reads verdicts from outside with both Python examples, scales the fetchers, kills each
service, stops everything, and looks whether anything is left. Then starts the services with each compose tool, all containers
and the single one, and fetches a picture from another network namespace. Waits for facts, each with a deadline. Needs
python3-zmq; `docker compose` comes from PyPI if it is not here. ENGINE_SETUP names a script that runs first if there is no
container engine. `compose-test.py --image IMAGE` tests an image that is there, and builds none; `--short` omits the demo.
"""
import json, os, shutil, signal, sys, tempfile, time, urllib.request
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from containers import single
from containers.support import (
    PROJECT, ROOT, Containers, Failure, Reader, began, compose_tools, engine, environment, leftovers, output, promise,
    say, step,
)
from endurance.system import free_ports

IMAGE = sys.argv[sys.argv.index("--image") + 1] if "--image" in sys.argv else "tidings-test"
# The one that has Debian's python3-zmq; another may come first on the path.
PYTHON = "/usr/bin/python3"
BASE = "debian:bookworm-slim"
CORE = ["bus", "cache", "fetcher", "layout", "notifier", "delivery", "gateway"]
WIDGETS = {"blog": "/blog.xml", "news": "/news.atom"}
# Fonts for Chinese, Japanese and Korean take 91 of them, and Apprise with Python 34.
MOST_MEGABYTES = 440
# The scripts that need a font of their own; the Dockerfile deletes the other Noto fonts.
FAMILIES = ["Noto Sans Thai UI", "Noto Sans Devanagari UI", "Noto Sans Tamil UI", "Noto Sans Hebrew", "Noto Sans Arabic UI"]
STOP_SECONDS = 10
REPLACE_SECONDS = 10
MEMORY_MEGABYTES = 512
HEAL_SECONDS = 60


def compose(*arguments):
    return output(*tool, "--project-name", PROJECT, "--profile", "demo", *arguments)


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


def size(image):
    return int(output("docker", "image", "inspect", "--format", "{{.Size}}", image)) / 1e6


def end():
    """Stops everything and returns the time that it took."""
    moment = time.monotonic()
    compose("stop")
    took = time.monotonic() - moment
    compose("down", "--volumes", "--remove-orphans")
    return took


def main():
    global containers
    for one in tools:
        builds = output(*one, "--profile", "demo", "--profile", "proxy", "config").count("build:")
        promise(builds == 1, f"{' '.join(one)} builds the image for {builds} service")
    if "--image" not in sys.argv:
        step(f"Building the image {IMAGE} with {' '.join(tool)}")
        moment = time.monotonic()
        compose("build")
        say(f"built in {time.monotonic() - moment:.0f} s")
    containers = Containers()
    if "--short" not in sys.argv:
        check_demo()
    for one in tools:
        check_tool(one)
    left = leftovers()
    promise(not any(left.values()), "no container, network or volume is left")
    say(f"kept for the next run: the image {IMAGE}")


def check_tool(one):
    """Starts the services with a compose tool, scales the fetchers, and runs the single container."""
    step(f"Starting the services with {' '.join(one)}")
    command = [*one, "--project-name", PROJECT]
    output(*command, "up", "--detach", "--no-build", "--scale", "fetcher=4")
    containers.wait_healthy(len(CORE) + 3, 120)
    single.file_is_noticed(containers.of("bus")[0][0], files)
    answer = single.outside(IMAGE, environment["TIDINGS_GATEWAY_PORT"], single.PICTURE)
    promise(answer == b"", "without TIDINGS_LISTEN, nothing answers outside of this machine")
    with urllib.request.urlopen(f"http://127.0.0.1:{environment['TIDINGS_GATEWAY_PORT']}{single.PICTURE}", timeout=20) as answer:
        promise(answer.read(4) == b"\x89PNG", "on this machine, a picture needs no token")
    output(*command, "down", "--volumes")
    single.run(one, containers, files, IMAGE)


def check_demo():
    global follower, origin
    megabytes = size(IMAGE) - size(BASE)
    promise(megabytes <= MOST_MEGABYTES, f"{megabytes:.0f} MB above {BASE}, at most {MOST_MEGABYTES}")

    step(f"Starting the core services alone, as project {PROJECT}")
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
    five_lines = Reader(PYTHON, "-c", program.replace("127.0.0.1:5556", f"127.0.0.1:{port}"))
    readers.append(five_lines)
    follower = Reader(PYTHON, "Examples/python/follow.py", "127.0.0.1", str(port), str(port + 1))
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


port = free_ports(3)
environment |= {"TIDINGS_IMAGE": IMAGE, "TIDINGS_SUBSCRIBE_PORT": str(port), "TIDINGS_REQUEST_PORT": str(port + 1)}
environment |= {"TIDINGS_GATEWAY_PORT": str(port + 2)}
secrets = tempfile.mkdtemp(prefix="tidings-compose-")
files = os.path.join(secrets, "files")
os.mkdir(files)
with open(os.path.join(ROOT, "tidings.yml"), encoding="utf-8") as original, open(f"{secrets}/tidings.yml", "w", encoding="utf-8") as copy:
    plain = "source: http://origin:8080/blog.xml"
    named = 'source: {url: "http://origin:8080/blog.xml", headers: {Authorization: "Bearer ${NEWS_TOKEN}"}}'
    text = original.read()
    assert plain in text
    copy.write(single.configure(text.replace(plain, named), files))
with open(f"{secrets}/tidings.env", "w", encoding="utf-8") as file:
    file.write("NEWS_TOKEN=a-secret-of-the-test\n")
for folder in (secrets, files):
    os.chmod(folder, 0o755)
environment |= {"TIDINGS_CONFIG": f"{secrets}/tidings.yml", "TIDINGS_SECRETS": f"{secrets}/tidings.env", "TIDINGS_FILES": files}
readers, containers, follower, origin, tools, tool = [], None, None, "", [], []
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
try:
    engine()
    tools = compose_tools()
    # The demo runs with the first one, and the services with each.
    tool = tools[0]
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
