#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Breaks parts of a system in which each part runs twice, on a real PostgreSQL cluster: `make chaos-ha`.

Three etcd, three Patroni and three PostgreSQL on this machine are the store of two caches and two notifiers; two buses, two
layouts, two fetchers and two gateways run beside them. Kills and freezes follow from the seed. After each one, each widget must get
another verdict, and everything that was broken must be back. At the end, a subscriber of both buses must have each
widget's numbers without gap and overlap up to the cache's, and a reader of server-sent events must have missed nothing but
what was announced as a gap after a failover of the database. Ends with status 1 at any violation.

Without synchronous replication (--asynchronous), a failover may lose commits: then one range of each widget may overlap, and have
the number of a cycle that was lost.
Needs `Scripts/install-dependencies.sh ha` and a release build.
"""
import argparse, os, random, shutil, signal, statistics, sys, tempfile, time
from endurance.cluster import NODES, PORTS_PER_NODE, Cluster, WriteProbe
from endurance.events import EventReader
from endurance.faults import Faults
from endurance.record import Record
from endurance.rest import missing, rest
from endurance.roles import Roles
from endurance.system import System, free_ports
from endurance.verdict import conclude, run as run_check

SETTLE_SECONDS = 90
SHOWN = 20


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=100, help="the number of faults (100)")
    parser.add_argument("--seed", type=int, default=None, help="chooses faults and victims (a new one each time)")
    parser.add_argument("--kind", action="append", choices=Faults.KINDS, help="only faults of this kind; repeatable")
    parser.add_argument("--widgets", type=int, default=100, help="widgets, each fetched every second (100)")
    parser.add_argument("--asynchronous", action="store_true", help="replicate asynchronously: failovers may lose commits")
    parser.add_argument("--build", default=".build/release", help="where the executables are (.build/release)")
    return parser.parse_args()


def schedule(count, kinds, chance):
    """Returns so many kinds, in an order that follows from the seed; slow ones come half as often as others."""
    found, number = [], 0
    while len(found) < count:
        number += 1
        one_round = [kind for kind in kinds if number % 2 or kind not in Faults.SLOW] or list(kinds)
        chance.shuffle(one_round)
        found += one_round
    return found[:count]


def settle(system, cluster, record):
    """Waits until everything runs again and each widget has had a verdict since now."""
    deadline = time.monotonic() + SETTLE_SECONDS
    for name in system.names:
        if not system.wait_ready(name, max(0, deadline - time.monotonic())):
            raise TimeoutError(f"{name} is not ready {SETTLE_SECONDS} s after the fault; see {system.folder}/{name}.log")
    cluster.wait_healthy(max(1, deadline - time.monotonic()))
    record.wait_complete(time.monotonic(), max(1, deadline - time.monotonic()), "the services were back")


class Fault:
    """A fault and the times that are measured: those without a verdict, for all and for one widget, and without a write."""

    def __init__(self, kind, victim, began, ended):
        self.kind, self.victim, self.began, self.ended = kind, victim, began, ended
        self.takeovers = []

    def measure(self, record, probe, roles):
        self.verdict, self.widget = record.longest_gaps(self.began, self.ended)
        moments = [self.began, *sorted(one for one in probe.moments if self.began < one < self.ended), self.ended]
        self.cluster = max(b - a for a, b in zip(moments, moments[1:]))
        with roles.changed:
            self.takeovers = [
                service for moment, service, _ in roles.takeovers if self.began <= moment <= self.ended
            ]

    def needless(self):
        """Returns the services that were taken over although neither they nor their database had a fault."""
        if self.kind in Faults.DATABASE:
            return []
        return [service for service in self.takeovers if service != self.kind.split()[1]]


def torment(arguments, system, cluster, record, probe, roles, chance):
    faults, kinds = Faults(system, cluster, roles, chance), arguments.kind or Faults.KINDS
    done = []
    for number, kind in enumerate(schedule(arguments.faults, kinds, chance), 1):
        time.sleep(chance.uniform(0.5, 2))
        if faults.is_of_database(kind):
            cluster.wait_stable(SETTLE_SECONDS)
        began = time.monotonic()
        try:
            victim = faults.cause(kind)
            settle(system, cluster, record)
        except TimeoutError as error:
            raise TimeoutError(f"fault {number}, {kind}: {error}") from None
        fault = Fault(kind, victim, began, time.monotonic())
        with record.lock:
            fault.measure(record, probe, roles)
        done.append(fault)
        print(
            f"  {number:3} {kind:20} {victim:11} no verdict for {fault.verdict:4.1f} s, of one widget {fault.widget:4.1f} s; "
            f"no write for {fault.cluster:4.1f} s; settled after {fault.ended - began:4.1f} s"
            f"{'; taken over: ' + ', '.join(fault.takeovers) if fault.takeovers else ''}", flush=True,
        )
    return done


def table(faults):
    print(f"\n{'seconds, median and maximum':22} {'faults':>6}  {'no verdict':>11}  {'one widget':>11}  {'no write':>11}  takeovers")
    for kind in Faults.KINDS:
        own = [fault for fault in faults if fault.kind == kind]
        if own:
            def both(values):
                return f"{statistics.median(values):5.1f} {max(values):5.1f}"
            print(
                f"{kind:27} {len(own):6}  {both([f.verdict for f in own])}  {both([f.widget for f in own])}  "
                f"{both([f.cluster for f in own])}  {sum(len(f.takeovers) for f in own):9}"
            )


def judge(arguments, system, record, reader, heads, faults, timelines):
    """Returns the violations."""
    violations = missing(system, record, heads, reader)
    violations += record.conflicts + record.malformed
    violations += [f"the {one} was taken over needlessly after: {f.kind} {f.victim}" for f in faults for one in f.needless()]
    if reader.gaps > timelines:
        violations.append(f"{reader.gaps} gaps were announced over HTTP, but there were {timelines} failovers of the database")
    if arguments.asynchronous:
        violations += [
            f"{widget}: {count} ranges overlap, but there were {timelines} failovers of the database"
            for widget, count in record.overlapping.items() if count > timelines
        ]
        violations += [found for ranges in record.renumbered.values() if len(ranges) > timelines for found in ranges]
    else:
        violations += record.overlaps + record.repeated_answers()
    return violations


def run(arguments, folder, cluster):
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(
        f"seed {seed}: {arguments.faults} faults, {arguments.widgets} widgets that are fetched each second, "
        f"{'asynchronous' if arguments.asynchronous else 'synchronous'} replication", flush=True,
    )
    print(f"the cluster has started in {cluster.start():.1f} s", flush=True)
    probe = WriteProbe(cluster)
    probe.start()
    widgets = [f"w{number:04}" for number in range(arguments.widgets)]
    with System(
        widgets, arguments.build, gateways=2, standbys=True, store=cluster.url,
        instances={"bus": 2, "layout": 2, "fetcher": 2},
    ) as system:
        record = Record(system.subscribe_ports, system.request_ports, decides_again=arguments.asynchronous)
        roles = Roles(system.subscribe_ports)
        reader = EventReader(system.gateway_ports, [], seed, accepts_gaps=True)
        roles.start()
        record.start()
        record.wait_for_all(widgets, 60)
        roles.wait("an active cache and notifier", lambda: len(roles.active) == 2, 10)
        reader.start()
        settle(system, cluster, record)
        timeline, began = cluster.timeline(), time.monotonic()
        faults = torment(arguments, system, cluster, record, probe, roles, random.Random(seed))
        took, timelines = time.monotonic() - began, cluster.timeline() - timeline
        heads = rest(system, record, reader)
        record.end()
        reader.end()
        probe.end()
        wide = [one for ranges in record.ranges.values() for one in ranges[1:] if one[0] != one[1]]
        table(faults)
        print(f"""
time                  {took:.0f} s, {timelines} new timelines of the database
updates               {record.count()}, of these {len(wide)} ranges of several cycles
lost                  {sum(last - first + 1 for _, first, last in record.lost(heads))}
overlapping           {sum(record.overlapping.values())} ranges of {len(record.overlapping)} widgets
numbers given again   {sum(map(len, record.renumbered.values()))} to {len(record.renumbered)} widgets
announced twice       {len(record.repeated_answers())}
the subscriber        {record.messages} messages, {record.repeated} came twice, {record.healed} healed by {record.replays} replays
the reader of events  {reader.events} events, {reader.connections} connections, {reader.gaps} announced gaps
""")
        violations = list(system.violations) + judge(arguments, system, record, reader, heads, faults, timelines)
        system.violations = violations
    passed = "Passed: nothing twice, and nothing lost" + (" but single ranges." if arguments.asynchronous else ".")
    return conclude(violations, passed, f"make chaos-ha CHAOS_SEED={seed}", SHOWN)


def main():
    arguments = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp(prefix="tidings-cluster-")
    cluster = Cluster(os.path.join(folder, "nodes"), free_ports(NODES * PORTS_PER_NODE), not arguments.asynchronous)
    status = 1
    try:
        status = run(arguments, folder, cluster)
        return status
    finally:
        cluster.stop()
        if status:
            print(f"the cluster's logs are kept in {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder)


run_check(main)
