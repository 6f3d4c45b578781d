# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Puts old stores back while a system rests, and counts what delivery sends because of that."""
import os, tarfile, time
from endurance.record import Requester
from endurance.rest import rest

SETTLE_SECONDS = 60


class Backup:
    """The stores as `tidings backup` has copied them while the services ran."""

    def __init__(self, system):
        self.system, self.archive = system, os.path.join(system.folder, "backup.tar")
        system.tidings("backup", self.archive)

    def put_back(self, service):
        """Replaces the store of a service that does not run."""
        store = os.path.join(self.system.folder, "store", f"{service}.sqlite")
        with tarfile.open(self.archive) as archive, open(f"{store}.old", "wb") as file:
            file.write(archive.extractfile(f"{service}.sqlite").read())
        for suffix in ("-wal", "-shm"):
            if os.path.exists(store + suffix):
                os.remove(store + suffix)
        os.rename(f"{store}.old", store)


def restores(system, receivers, heads, backup):
    """Puts the stores of delivery and of the notifier back, one after the other; returns {restore: messages that followed}.

    Delivery starts when the notifier has the last update of each widget, so that each message has to tell the last state. At the first
    restore of the notifier's store, each destination shows this state already, so no message is due. Before the second one, each widget
    changes while delivery does not run.
    """
    requester = Requester(system.request_ports)

    def restore(service, heads, allowed):
        receivers.begin_restore(heads)
        names = sorted({"delivery", service}, reverse=True)
        for name in names:
            if name in system.children:
                system.stop(name)
        backup.put_back(service)
        for name in names:
            _start(system, name, f"the restore of the store of {service}")
            _wait(f"{name} has not caught up after the restore of the store of {service}", _is_settled, requester, name, heads)
        return receivers.end_restore(service, allowed)

    # Each widget has changed since the backup.
    found = {"delivery": restore("delivery", heads, [1]), "notifier": restore("notifier", heads, [0, 1])}
    system.stop("delivery")
    shown = requester.shown()
    _start(system, "fetcher", "the restores")
    _wait("a widget has not changed after the restores", _has_changed, requester, receivers.widgets, shown)
    found["notifier after changes"] = restore("notifier", rest(system), [1])
    return found


def _start(system, name, what):
    system.start(name)
    if not system.wait_ready(name, 30):
        raise TimeoutError(f"{name} is not ready 30 s after {what}; see {system.folder}/{name}.log")


def _has_changed(requester, widgets, shown):
    """Returns a Boolean value that indicates whether each widget looks different."""
    found = requester.shown()
    return all(found[widget] != shown[widget] for widget in widgets)


def _is_settled(requester, service, heads):
    """Returns a Boolean value that indicates whether the notifier has all updates, or delivery has sent all messages."""
    if service == "notifier":
        return requester.heads("notifier") == heads
    answer = requester.ask("delivery", {"request": "deliveries"})
    return all(
        subject["state"] not in ("waiting", "sending", "retrying")
        for destination in answer["destinations"] for subject in destination["subjects"]
    )


def _wait(problem, condition, *arguments):
    deadline = time.monotonic() + SETTLE_SECONDS
    while not condition(*arguments):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{problem} within {SETTLE_SECONDS} s")
        time.sleep(0.2)
