#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Cuts a host with fetchers and a layout off from the bus for 30 s, and checks that nothing is lost: `make two-hosts`.

Two network namespaces are the hosts. The first one runs the bus, the cache, the notifier, a layout and a fetcher, the second one
a layout and two fetchers. They are joined by two links: one to the bus, which is cut, and one to the origin, which
stays, as the internet would. While the link is cut, the first host must fetch and lay out everything, and the second one may finish only the requests
that it has begun. After that it must get work again. Ends with status 1 at any violation. Needs root or user namespaces, iproute2, python3-zmq and a
release build.
"""
import argparse, os, subprocess, sys, time
from endurance.rest import missing, rest, started, unused
from endurance.system import System
from endurance.verdict import conclude, run

HELD = "TIDINGS_TWO_HOSTS_NAMESPACE"
BUS_HOST, ORIGIN_HOST = "10.213.77.1", "10.213.78.1"
FAR_HOST = "10.213.78.2"
FAR = ["layout.2", "fetcher.2", "fetcher.3"]
# The time to notice that an instance is gone, beside the lease of its sources: a heartbeat is missing for 3.5 s, and a replay
# is requested up to 2.5 s later.
NOTICE_SECONDS = 6


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widgets", type=int, default=100, help="widgets, each fetched every second (100)")
    parser.add_argument("--cut", type=float, default=30, help="seconds for which the link is cut (30)")
    parser.add_argument("--rounds", type=int, default=2, help="how often (2)")
    parser.add_argument("--build", default=".build/release", help="where the executables are (.build/release)")
    return parser.parse_args()


def ip(*words, inside=None):
    subprocess.run([*(["nsenter", f"--net=/proc/{inside}/ns/net"] if inside else []), "ip", *words], check=True)


class FarHost:
    """A second network namespace with links to that of this process."""

    def __enter__(self):
        self._holder = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        own = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{self._holder.pid}/ns/net") == own:
            if self._holder.poll() is not None:
                raise OSError("the second network namespace cannot be created")
            os.sched_yield()
        pid = str(self._holder.pid)
        ip("link", "set", "lo", "up")
        ip("link", "set", "lo", "up", inside=pid)
        for name, address in (("bus", BUS_HOST), ("origin", ORIGIN_HOST)):
            ip("link", "add", f"{name}-near", "type", "veth", "peer", "name", f"{name}-far", "netns", pid)
            ip("address", "add", f"{address}/30", "dev", f"{name}-near")
            ip("link", "set", f"{name}-near", "up")
            ip("address", "add", f"{address[:-1]}2/30", "dev", f"{name}-far", inside=pid)
            ip("link", "set", f"{name}-far", "up", inside=pid)
        self.prefix = ["nsenter", f"--net=/proc/{pid}/ns/net"]
        return self

    def cut(self):
        # Without a carrier, packets disappear: no connection is told.
        ip("link", "set", "bus-far", "down", inside=self._holder.pid)

    def join(self):
        ip("link", "set", "bus-far", "up", inside=self._holder.pid)

    def __exit__(self, *_):
        self._holder.stdin.close()
        self._holder.wait()


def wait_complete(record, within, what):
    """Waits until each widget has another verdict and none is missing; returns the seconds that took."""
    now = time.monotonic()
    record.wait_complete(now, within, what)
    return time.monotonic() - now


def wait_for_work(system, since, within, what):
    """Waits until the far host has fetched something since a time."""
    deadline = time.monotonic() + within
    while not any(moment >= since and peer == FAR_HOST for _, _, moment, peer in answers(system)):
        if time.monotonic() > deadline:
            raise TimeoutError(f"the second host has fetched nothing within {within} s after {what}")
        time.sleep(0.2)
    return time.monotonic() - since


def answers(system):
    """Returns (widget, number, time, address of the client) of each answer of the origin."""
    requests = system.requests()
    # Asked later, so it has at least as many.
    peers = system.ask_origin("/peers")
    return [
        (widget, number, moment, peers[widget][number - 1])
        for widget, moments in requests.items() for number, moment in enumerate(moments, 1)
    ]


def main():
    arguments = options()
    widgets = [f"w{number:04}" for number in range(arguments.widgets)]
    violations = []
    with FarHost() as far, System(
        widgets, arguments.build, instances={"layout": 2, "fetcher": 3}, bus_host=BUS_HOST, origin_host=ORIGIN_HOST,
        prefixes={name: far.prefix for name in FAR},
    ) as system:
        record = started(system, widgets)
        wait_complete(record, 30, "the start")
        cuts = []
        for number in range(1, arguments.rounds + 1):
            wait_for_work(system, time.monotonic(), 30, "the start")
            began = time.monotonic()
            far.cut()
            time.sleep(arguments.cut)
            far.join()
            ended = time.monotonic()
            returned = wait_for_work(system, ended, 60, "its return")
            complete = wait_complete(record, 60, "the return")
            with record.lock:
                whole, single = record.longest_gaps(began, ended)
            cuts.append((began, ended))
            print(
                f"  cut {number}: no verdict for {whole:.1f} s, of one widget {single:.1f} s; "
                f"the second host fetches again after {returned:.1f} s, a verdict for all after {complete:.1f} s", flush=True,
            )
            if single > system.lease + NOTICE_SECONDS:
                violations.append(f"cut {number}: a widget had no verdict for {single:.1f} s; the lease is {system.lease} s")
        heads = rest(system, record)
        record.end()
        asked = answers(system)
        wasted = unused(system.requests(), record)
        late = [one for one in asked if one[3] == FAR_HOST and any(a + system.lease < one[2] < b for a, b in cuts)]
        others = [one for one in wasted if not any(a - system.lease <= one[2] <= b for a, b in cuts)]
        lost = record.lost(heads)
        print(f"""
cycles                {record.count()}
answers of the origin {len(asked)}, {sum(one[3] == FAR_HOST for one in asked)} of them to the second host
lost                  {sum(last - first + 1 for _, first, last in lost)}
overlapping           {len(record.overlaps)}
second requests       {len(wasted)} of {arguments.rounds} cuts with {len(widgets)} widgets
requests of the host that was cut off, after its leases  {len(late)}
the subscriber        {record.messages} messages, {record.healed} healed by {record.replays} replays
""")
        violations += missing(system, record, heads)
        violations += [f"{widget}: the second host fetched {moment - cuts[0][0]:.1f} s after the first cut" for widget, _, moment, _ in late]
        violations += [
            f"{widget}: answer {number} was requested but used by no cycle, {moment - cuts[0][0]:.1f} s after the first cut"
            for widget, number, moment in others
        ]
        violations += record.overlaps + record.conflicts + record.malformed + record.repeated_answers() + list(system.violations)
        system.violations = violations
    return conclude(violations, "Passed: nothing lost, nothing twice.")


if HELD not in os.environ:
    # A namespace of its own keeps the addresses and links out of the machine's.
    user = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
    os.execvpe("unshare", ["unshare", *user, "--net", sys.executable, *sys.argv], os.environ | {HELD: "1"})
run(main)
