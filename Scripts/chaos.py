#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Kills and freezes the real services under load, and checks that nothing is lost: `make chaos`.

A subscriber of its own keeps a record and heals its gaps as docs/events.md tells strangers to. At the end, at rest, its
ranges must tile each widget's numbers up to those that the cache holds. Readers of server-sent events, which know nothing
but HTTP and their last id, must miss nothing either, whichever of two gateways they come to. Webhooks that fail, hang, drop connections
and lie must get the last state of each widget and, if they want every update, each of them, in order, and no id with two bodies. One that
answers 410 must get nothing more until its address changes. Then the stores of delivery and of the notifier are put back to where they were
before the load, one after the other: each destination may get one message for each widget, with the last state, and must get it if it
may show another one. Ends with status 1 at any violation. The victims and moments follow from the seed. Needs python3-zmq and a release
build.
"""
import argparse, itertools, random, signal, threading, time
from endurance.events import EventReader
from endurance.receivers import Receivers
from endurance.rest import REST_SECONDS, missing, rest, started, unused
from endurance.restores import Backup, restores
from endurance.system import SERVICES, System
from endurance.verdict import conclude, run

LONGEST_FREEZE = 20
# Of so many kills, and of so many freezes, one hits delivery; the other services share the rest evenly.
DELIVERY_STEP = 3
# The number of widgets whose updates go to webhooks.
DELIVERED = 20


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=150, help="SIGKILLs, a third of them of delivery (150)")
    parser.add_argument("--freezes", type=int, default=30, help=f"SIGSTOPs of up to {LONGEST_FREEZE} s (30)")
    parser.add_argument("--seconds", type=float, default=210, help="how long that takes (210)")
    parser.add_argument("--cycles", type=int, default=200, help="cycles a second that the sources call for (200)")
    parser.add_argument("--readers", type=int, default=200, help="readers of server-sent events (200); 0: no gateways")
    parser.add_argument("--seed", type=int, default=None, help="chooses victims and moments (a new one each time)")
    parser.add_argument("--build", default=".build/release", help="where the executables are (.build/release)")
    return parser.parse_args()


def choose(count, names, chance):
    """Returns the services that are hit, in random order."""
    others = itertools.cycle(names)
    victims = ["delivery" if number % DELIVERY_STEP == 0 else next(others) for number in range(count)]
    chance.shuffle(victims)
    return victims


def schedule(arguments, names, chance):
    """(second, service, seconds of the freeze or None for a kill), in order of time."""
    victims = choose(arguments.kills, names, chance)
    step = arguments.seconds / max(1, len(victims))
    events = [((i + chance.random()) * step, victim, None) for i, victim in enumerate(victims)]
    for i, victim in enumerate(choose(arguments.freezes, names, chance)):
        # Most freezes are short, one has the maximum length. All end before the run does.
        length = LONGEST_FREEZE if i == 0 else 0.2 + (LONGEST_FREEZE - 0.2) * chance.random() ** 3
        length = min(length, arguments.seconds / 2)
        events.append((chance.random() * (arguments.seconds - length), victim, length))
    return sorted(events, key=lambda event: event[0])


def torment(system, record, events, log):
    began = time.monotonic()
    timers, told = [], 0
    for second, name, freeze in events:
        while (left := began + second - time.monotonic()) > 0:
            time.sleep(min(left, 1))
        child = system.children[name]
        if freeze is None:
            # A service that is killed again before it is ready would never do any work.
            system.wait_ready(name, 5)
            system.kill(name)
            log.append((time.monotonic(), time.monotonic(), name, "kill"))
        else:
            system.signal(child, signal.SIGSTOP)
            log.append((time.monotonic(), time.monotonic() + freeze, name, "freeze"))
            timer = threading.Timer(freeze, system.signal, (child, signal.SIGCONT))
            timer.start()
            timers.append(timer)
        if time.monotonic() - began >= told + 30:
            told += 30
            with record.lock:
                taken = record.count()
            print(f"  {told:4} s: {taken} updates, {sum(e[3] == 'kill' for e in log)} kills", flush=True)
    for timer in timers:
        timer.join()


def wake(system):
    """Ends all freezes and waits until all services are ready."""
    for name in system.names:
        system.signal(system.children[name], signal.SIGCONT)
        system.wait_ready(name, 30)


def second_requests(system, record, log):
    """Returns answers of the origin that no cycle used: (all, of killed fetchers, of freezes beyond the lease, others)."""
    counts, others = [0, 0, 0], []
    for widget, number, moment in unused(system.requests(), record):
        end = moment + system.lease
        counts[0] += 1
        if any(n == "fetcher" and what == "kill" and moment - 0.5 <= a <= end for a, _, n, what in log):
            counts[1] += 1
        elif any(what == "freeze" and a <= end + 0.5 and b >= moment for a, b, _, what in log):
            counts[2] += 1
        else:
            others.append((widget, number, moment))
    return counts, others


def start_readers(system, widgets, arguments, seed):
    """Each follows five widgets, the first one all of them."""
    readers = []
    for number in range(arguments.readers):
        own = [] if number == 0 else [widgets[(number * 5 + i) % len(widgets)] for i in range(5)]
        readers.append(EventReader(system.gateway_ports, own, seed * 1000 + number))
    for reader in readers:
        reader.start()
    for reader in readers:
        if not reader.joined.wait(30):
            raise TimeoutError("a reader of events has no stream after 30 s")
    return readers


def judge_readers(readers, heads):
    """What they miss once everything is at rest."""
    deadline = time.monotonic() + REST_SECONDS
    while True:
        late = [
            f"{widget}: a reader of events has {reader.last.get(widget, 0)} of {heads[widget]}"
            for reader in readers for widget in reader.widgets or heads if reader.last.get(widget, 0) != heads[widget]
        ]
        if not late or time.monotonic() > deadline:
            break
        time.sleep(0.5)
    for reader in readers:
        reader.end()
    return late + [violation for reader in readers for violation in reader.violations]


def main():
    arguments = options()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1_000_000)
    chance = random.Random(seed)
    gateways = 2 if arguments.readers else 0
    names = SERVICES + [f"gateway.{number + 1}" for number in range(gateways)]
    events = schedule(arguments, names, chance)
    # Some sources always wait for the lease of a fetcher that died.
    widgets = [f"w{number:04}" for number in range(arguments.cycles * 5 // 4)]
    print(
        f"seed {seed}: {arguments.kills} kills and {arguments.freezes} freezes in {arguments.seconds:.0f} s, "
        f"{len(widgets)} widgets that are fetched each second", flush=True,
    )
    receivers = Receivers(widgets[:DELIVERED], seed)
    with System(widgets, arguments.build, gateways=gateways, destinations=receivers.configuration) as system:
        record = started(system, widgets)
        backup = Backup(system)
        with record.lock:
            before = record.count()
        readers = start_readers(system, widgets, arguments, seed)
        began, log = time.monotonic(), []
        torment(system, record, events, log)
        took = time.monotonic() - began
        with record.lock:
            during = record.count() - before
        wake(system)
        heads = rest(system, record)
        receivers.behaves = True
        system.change(*receivers.addresses)
        late = receivers.wait(heads)
        missed = judge_readers(readers, heads)
        record.end()
        # The sources are fetched again between two restores.
        counts, others = second_requests(system, record, log)
        restored = restores(system, receivers, heads, backup)
        receivers.end()
        undelivered = receivers.violations + late
        lost = record.lost(heads)
        # The first range begins at the first sequence number.
        cycles = sum(heads[widget] + 1 - ranges[0][1] for widget, ranges in record.ranges.items() if widget in heads)
        wide = [one for ranges in record.ranges.values() for one in ranges[1:] if one[0] != one[1]]
        whole, single = record.longest_gaps(began, began + took)
        kills = [name for _, _, name, what in log if what == "kill"]
        freezes = [(name, end - start) for start, end, name, what in log if what == "freeze"]
        longest = max([length for _, length in freezes], default=0)
        slowest = max(system.ready_after, key=lambda one: one[1])
        print(f"""
cycles                {cycles} ({during / took:.0f}/s while services died)
kills                 {len(kills)} ({', '.join(f'{name} {kills.count(name)}' for name in [*names, 'delivery'])})
freezes               {len(freezes)} (delivery {sum(name == 'delivery' for name, _ in freezes)}; longest {longest:.1f} s)
lost                  {sum(last - first + 1 for _, first, last in lost)}
overlapping           {len(record.overlaps)}
conflicting bytes     {len(record.conflicts)}
longest gap           {whole:.1f} s without any update, {single:.1f} s for one widget
requests beyond one a cycle
  of killed fetchers  {counts[1]}
  of freezes          {counts[2]}
  of nothing else     {len(others)}
the record            {record.messages} messages, {record.repeated} came twice, {record.healed} healed by {record.replays} replays,
                      {record.reconnects} connections, {len(wide)} ranges of several cycles
readers of events     {len(readers)}: {sum(r.events for r in readers)} events, {sum(r.repeated for r in readers)} came twice, {sum(r.connections for r in readers)} connections, {len(missed)} violations
webhooks              {receivers.summary}, {len(undelivered)} violations
messages that follow a restore, to {len(receivers.pairs)} destinations with a widget
  of delivery         {restored['delivery']}
  of the notifier     {restored['notifier']}, and {restored['notifier after changes']} after changes that delivery has not seen
slowest start         {slowest[1]:.1f} s ({slowest[0]})
""")
        violations = list(system.violations)
        violations += missing(system, record, heads)
        violations += missed + undelivered
        violations += record.overlaps + record.conflicts + record.malformed
        violations += [
            f"{widget}: answer {number} was requested but used by no cycle, {moment - began:.1f} s after the beginning"
            for widget, number, moment in others
        ]
        system.violations = violations
    return conclude(violations, "Passed: nothing lost, nothing twice.", f"make chaos CHAOS_SEED={seed}")


run(main)
