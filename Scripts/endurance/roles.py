# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Hears from the heartbeats which cache and which notifier are active."""
import json, threading, time, zmq


class Roles(threading.Thread):
    """Follows the active instances; its fields must be read under `changed`.

    `active` is {service: (term, instance)}, `terms` a list of (time, service) of all beginnings of a term, in monotonic time, and
    `takeovers` a list of (time, service, instance) of those in which another instance became active. A killed instance
    that has been started again may become active itself, with a new term.
    """

    def __init__(self, subscribe_ports, prefixes=()):
        """Subscribes to the health of cache and notifier; messages of other `prefixes` go to `_message`, under `changed`."""
        super().__init__(daemon=True)
        self.changed = threading.Condition()
        self.active, self.terms, self.takeovers = {}, [], []
        self._socket = zmq.Context().socket(zmq.SUB)
        self._socket.rcvhwm = 0
        for port in subscribe_ports:
            self._socket.connect(f"tcp://127.0.0.1:{port}")
        for service in ("cache", "notifier"):
            self._socket.subscribe(f"health/{service}/")
        for prefix in prefixes:
            self._socket.subscribe(prefix)

    def run(self):
        while True:
            frames = self._socket.recv_multipart()
            topic, event = frames[0].decode(), json.loads(frames[1])
            with self.changed:
                if topic.startswith("health/"):
                    self._health(*topic.split("/")[1:3], event["data"])
                else:
                    self._message(event)

    def _health(self, service, instance, health):
        if health.get("role") != "active" or health["state"] in ("gone", "stopping"):
            return
        known = self.active.get(service)
        if known is None or health["term"] > known[0]:
            now = time.monotonic()
            self.terms.append((now, service))
            if known and known[1] != instance:
                self.takeovers.append((now, service, instance))
            self.active[service] = (health["term"], instance)
            self.changed.notify_all()

    def _message(self, event):
        pass

    def instance(self, service):
        with self.changed:
            return self.active[service][1]

    def term_began(self, service):
        """Returns the monotonic time at which the present term of a service began."""
        with self.changed:
            return next(moment for moment, one in reversed(self.terms) if one == service)

    def wait(self, what, condition, within):
        with self.changed:
            if not self.changed.wait_for(condition, within):
                raise TimeoutError(f"{what} did not happen within {within} s")
