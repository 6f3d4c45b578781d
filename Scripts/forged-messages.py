#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Publishes forged messages of fetchers, cache and layout, and checks that everything heals; a part of `make bus-test`.

30 s after the last one, without a restart, each widget must have had a verdict about an answer that its origin gave later, and cache,
notifier and 13 readers (libzmq and server-sent events) must agree. Ends with status 1 otherwise. Needs python3-zmq and a release build.
"""
import argparse, random, time
from endurance.events import EventReader
from endurance.forger import Forger
from endurance.record import Record, Requester
from endurance.rest import answers, missing, rest
from endurance.system import System
from endurance.verdict import conclude, run

WIDGETS = [f"w{number}" for number in range(12)]
RECORDS, READERS = 7, 6
HEAL_SECONDS = 30


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=10_000, help="forged messages (10000)")
    parser.add_argument("--seed", type=int, default=None, help="chooses the messages (a new one each time)")
    parser.add_argument("--build", default=".build/release", help="where the executables are (.build/release)")
    return parser.parse_args()


def wait_for_later_answers(system, record):
    """Waits until each widget has a verdict about a later answer of its origin; returns the seconds, and the widgets without one."""
    began, answered = time.monotonic(), {widget: len(moments) for widget, moments in system.requests().items()}

    def late():
        given = {widget: len(moments) for widget, moments in system.requests().items()}
        return [
            widget for widget in WIDGETS
            if not any(answered.get(widget, 0) < number <= given.get(widget, 0) for number in answers(record.ranges.get(widget, [])))
        ]

    with record.arrived:
        record.arrived.wait_for(lambda: not late(), HEAL_SECONDS)
        return time.monotonic() - began, late()


def notifier_heads(system):
    records = Requester(system.request_ports).ask("notifier", {"request": "snapshot"})["records"]
    return {event["subject"]: int(event["sequence"]) for event in records}


def main():
    arguments = options()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}: {arguments.messages} forged messages, {len(WIDGETS)} widgets that are fetched each second", flush=True)
    with System(WIDGETS, arguments.build, gateways=2) as system:
        records = [Record(system.subscribe_ports, system.request_ports) for _ in range(RECORDS)]
        readers = [EventReader(system.gateway_ports, [], seed + number) for number in range(READERS)]
        for one in records + readers:
            one.start()
        for record in records:
            record.wait_for_all(WIDGETS, 60)
        forger = Forger(system, seed)
        forger.learn(WIDGETS)
        sent = forger.publish(arguments.messages)
        forger.close()
        seconds, late = wait_for_later_answers(system, records[0])
        heads = rest(system, records[0])
        decided = notifier_heads(system)
        violations = list(system.violations) + missing(system, records[0], heads)
        violations += [f"{widget}: no later answer has a verdict after {HEAL_SECONDS} s" for widget in late]
        violations += [f"{widget}: the notifier is at {decided.get(widget)}, the cache at {head}" for widget, head in heads.items() if decided.get(widget) != head]
        deadline = time.monotonic() + HEAL_SECONDS
        everyone = records + readers
        while any(one.last.get(widget) != head for one in everyone for widget, head in heads.items()) and time.monotonic() < deadline:
            time.sleep(0.5)
        violations += [
            f"{widget}: reader {number} is at {one.last.get(widget)}, the cache at {head}"
            for number, one in enumerate(everyone) for widget, head in heads.items() if one.last.get(widget) != head
        ]
        violations += [violation for reader in readers for violation in reader.violations]
        for one in everyone:
            one.end()
        print(f"forged {sent}; later answers of all widgets after {seconds:.1f} s; {len(everyone)} readers compared")
        system.violations = violations
    return conclude(violations, "Passed: everything agrees.", f"Scripts/forged-messages.py --seed {seed}")


run(main)
