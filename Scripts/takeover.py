#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Kills and freezes the active cache and notifier under load, and prints how long their standbys need: `make takeover`.

It starts all services with a standby each for cache and notifier on one SQLite store. Most widgets are fetched once a minute, and
100 of them every second, so that there is always a next verdict. After each fault it waits for the
next verdict about a cycle that was committed (a fault of the cache) or decided (of the notifier) after it. Ends with status
1 if that took longer than the limit, or if a takeover came without a fault. Needs python3-zmq and a release build.
"""
import argparse, signal, time
from datetime import datetime, timezone
from endurance.roles import Roles
from endurance.system import System
from endurance.verdict import conclude, run

START_SECONDS = 180
VERDICT_SECONDS = 60
FREQUENT_WIDGETS = 100
# The time after which `tidings up` replaces a frozen service.
REPLACED_SECONDS = 6
LEASE_SECONDS = 3


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widgets", type=int, default=10_000, help="widgets in the store (10000)")
    parser.add_argument("--interval", default="60s", help="the interval between two fetches of most widgets (60s)")
    parser.add_argument("--rounds", type=int, default=3, help="kills and freezes of each service (3)")
    parser.add_argument("--limit", type=float, default=5, help="the maximum seconds of a takeover (5)")
    parser.add_argument("--quiet", type=float, default=20, help="seconds under load without a fault at the end (20)")
    parser.add_argument("--build", default=".build/release", help="where the executables are (.build/release)")
    return parser.parse_args()


class Listener(Roles):
    """Follows who is active, and hears when a verdict about a new cycle arrives."""

    def __init__(self, port):
        super().__init__([port], ["update/"])
        self.widgets, self.verdicts = set(), 0
        # service: the Unix time after which its work counts, and the monotonic time at which a verdict with it arrived.
        self.since, self.arrived = {}, {}

    def _message(self, event):
        self.widgets.add(event["subject"])
        self.verdicts += 1
        times = event["data"]["times"]
        for service, name in [("cache", "committed"), ("notifier", "decided")]:
            if service in self.since and service not in self.arrived and name in times:
                moment = datetime.fromisoformat(times[name].replace("Z", "+00:00")).replace(tzinfo=timezone.utc)
                if moment.timestamp() > self.since[service]:
                    self.arrived[service] = time.monotonic()
        self.changed.notify_all()


def fault(system, listener, service, kind):
    """Kills or freezes the active instance; returns the seconds to the takeover and to the next verdict, and if it was held up.

    A process that is frozen within a transaction of SQLite holds the lock of the store, until its supervisor kills it.
    """
    with listener.changed:
        term, name = listener.active[service]
        began = time.monotonic()
        listener.arrived.pop(service, None)
        # The clock of the events has milliseconds.
        listener.since[service] = time.time() + 0.001
    child = system.children[name]
    if kind == "kill":
        system.kill(name)
    else:
        system.signal(child, signal.SIGSTOP)
    held = False
    if kind == "freeze":
        with listener.changed:
            held = not listener.changed.wait_for(lambda: listener.active[service][0] > term, REPLACED_SECONDS)
        if held:
            # Frozen within a transaction, it holds SQLite's lock. `tidings up` replaces a frozen service.
            system.kill(name)
    listener.wait(f"a takeover of {name}", lambda: listener.active[service][0] > term, VERDICT_SECONDS)
    listener.wait(f"a verdict after the end of {name}", lambda: service in listener.arrived, VERDICT_SECONDS)
    active, verdict = listener.term_began(service) - began, listener.arrived[service] - began
    system.signal(child, signal.SIGCONT)
    child.wait(30)
    while system.children[name] is child:
        time.sleep(0.01)
    if not system.wait_ready(name, 30):
        raise TimeoutError(f"{name} has not come back as a standby")
    return active, verdict, held


def main():
    arguments = options()
    widgets = [f"w{number:05}" for number in range(arguments.widgets)]
    slow = []
    intervals = {widget: "1s" for widget in widgets[:FREQUENT_WIDGETS]}
    with System(widgets, arguments.build, arguments.interval, standbys=True, intervals=intervals) as system:
        listener = Listener(system.port + 1)
        listener.start()
        listener.wait("a verdict for each widget", lambda: len(listener.widgets) == len(widgets), START_SECONDS)
        listener.wait("an active cache and notifier", lambda: len(listener.active) == 2, 10)
        print(f"{len(widgets)} widgets, an interval of {arguments.interval}, a lease of 3 s", flush=True)
        for number in range(arguments.rounds):
            for service in ("cache", "notifier"):
                for kind in ("kill", "freeze"):
                    active, verdict, held = fault(system, listener, service, kind)
                    print(f"  {kind:6} {service:8} active after {active:4.1f} s, next verdict after {verdict:4.1f} s"
                          f"{', frozen within a transaction' if held else ''}", flush=True)
                    if verdict > arguments.limit + (REPLACED_SECONDS + LEASE_SECONDS if held else 0):
                        slow.append(f"{kind} of the {service}, round {number + 1}: {verdict:.1f} s")
        with listener.changed:
            terms, verdicts = len(listener.terms), listener.verdicts
        time.sleep(arguments.quiet)
        with listener.changed:
            needless, verdicts = len(listener.terms) - terms, listener.verdicts - verdicts
        print(f"  {arguments.quiet:.0f} s without a fault: {needless} takeovers, {verdicts} verdicts")
        violations = list(system.violations) + [f"too slow: {one}" for one in slow]
        violations += [f"{needless} takeovers without a fault"] if needless else []
        system.violations = violations
    return conclude(violations, f"Passed: each takeover within {arguments.limit:.0f} s.")


run(main)
