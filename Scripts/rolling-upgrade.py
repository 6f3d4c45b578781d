#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Replaces every process of one version by one of another under load, in the order of docs/scaling.md: `make rolling-upgrade`.

Each part but delivery runs twice, so both versions run side by side for a while: fetchers, gateways, delivery, layouts, the standby and then
the active notifier and cache, and the buses. Nothing may be lost or announced twice, on the way there (--old to --new) and, with --back, of
the layouts back; each webhook must get the last state of each widget. Ends with status 1 at any violation. Needs python3-zmq and release
builds of both versions.
"""
import argparse, json, os, threading, time, zmq
from endurance.events import EventReader
from endurance.receivers import Receivers
from endurance.record import Record
from endurance.rest import missing, rest
from endurance.roles import Roles
from endurance.system import ROOT, System
from endurance.verdict import conclude, run

STEP_SECONDS = 60
# The number of widgets whose updates also go to webhooks.
DELIVERED = 20


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--old", required=True, help="where the executables of the earlier version are")
    parser.add_argument("--new", default=".build/release", help="where those of the later version are (.build/release)")
    parser.add_argument("--widgets", type=int, default=100, help="widgets, each fetched every second (100)")
    parser.add_argument("--back", action="store_true", help="replace the layouts by the earlier version again at the end")
    return parser.parse_args()


class Connections(threading.Thread):
    """Hears to how many buses each instance is connected."""

    def __init__(self, ports):
        super().__init__(daemon=True)
        self.changed, self.buses = threading.Condition(), {}
        self._socket = zmq.Context().socket(zmq.SUB)
        for port in ports:
            self._socket.connect(f"tcp://127.0.0.1:{port}")
        self._socket.subscribe("health/")

    def run(self):
        while True:
            topic, event = self._socket.recv_multipart()
            gauges = json.loads(event)["data"].get("gauges", {})
            if "bus.connected" in gauges:
                with self.changed:
                    self.buses[topic.decode().split("/")[2]] = gauges["bus.connected"], time.monotonic()
                    self.changed.notify_all()

    def wait(self, names, since):
        """Waits until each instance has said since then that it is connected to both buses."""
        def are_connected():
            return all(self.buses.get(name, (0, 0))[0] == 2 and self.buses[name][1] > since for name in names)
        with self.changed:
            if not self.changed.wait_for(are_connected, STEP_SECONDS):
                raise TimeoutError(f"not all instances are connected to both buses: {self.buses}")


def replace(system, record, connections, name, build):
    """Stops an instance in order, and starts it from another build; returns the longest time without a verdict."""
    began = time.monotonic()
    system.stop(name)
    system.builds[name] = build
    system.start(name)
    if not system.wait_ready(name, STEP_SECONDS):
        raise TimeoutError(f"{name} is not ready after {STEP_SECONDS} s; see {system.folder}/{name}.log")
    ready = time.monotonic()
    connections.wait([one for one in system.names if one not in system.buses], ready)
    record.wait_complete(ready, STEP_SECONDS, f"{name} was replaced")
    with record.lock:
        whole, single = record.longest_gaps(began, time.monotonic())
    print(f"  {name:11} {os.path.relpath(build, ROOT):24} no verdict for {whole:4.1f} s, of one widget {single:4.1f} s", flush=True)


def order(system, roles):
    """Yields the instances in the order of docs/scaling.md."""
    for service in ("fetcher", "gateway", "delivery", "layout"):
        yield from [name for name in system.names if name.split(".")[0] == service]
    for service in ("notifier", "cache"):
        active = roles.instance(service)
        yield from [name for name in (service, f"{service}.2") if name != active]
        yield active
    yield from system.buses


def main():
    arguments = options()
    old, new = (os.path.join(ROOT, path) for path in (arguments.old, arguments.new))
    widgets = [f"w{number:04}" for number in range(arguments.widgets)]
    receivers, instances = Receivers(widgets[:DELIVERED], seed=1), {"bus": 2, "layout": 2, "fetcher": 2}
    with System(widgets, old, gateways=2, standbys=True, instances=instances, destinations=receivers.configuration) as system:
        record, roles = Record(system.subscribe_ports, system.request_ports), Roles(system.subscribe_ports)
        connections, reader = Connections(system.subscribe_ports), EventReader(system.gateway_ports, [], 0)
        for thread in (record, roles, connections):
            thread.start()
        record.wait_for_all(widgets, STEP_SECONDS)
        roles.wait("an active cache and notifier", lambda: len(roles.active) == 2, 10)
        reader.start()
        for name in order(system, roles):
            replace(system, record, connections, name, new)
        for name in ("layout", "layout.2") if arguments.back else []:
            replace(system, record, connections, name, old)
        heads = rest(system, record, reader)
        receivers.behaves = True
        system.change(*receivers.addresses)
        late = receivers.wait(heads)
        receivers.end()
        record.end()
        reader.end()
        lost = record.lost(heads)
        twice = record.overlaps + record.repeated_answers()
        print(f"""
cycles                {record.count()}
lost                  {sum(last - first + 1 for _, first, last in lost)}
announced twice       {len(twice)}
the subscriber        {record.messages} messages, {record.healed} healed by {record.replays} replays
the reader of events  {reader.events} events, {reader.connections} connections
webhooks              {receivers.summary}
""")
        violations = missing(system, record, heads, reader) + twice
        violations += record.conflicts + record.malformed + list(system.violations) + receivers.violations + late
        system.violations = violations
    return conclude(violations, "Passed: nothing lost, nothing twice.")


run(main)
