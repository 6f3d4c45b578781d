# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""All services as separate processes in a temporary folder, with an origin."""
import json, os, pathlib, shutil, signal, socket, subprocess, sys, tempfile, threading, time, urllib.request
import processes

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
SERVICES = ["bus", "cache", "layout", "notifier", "fetcher"]
# The environment without the variables of Tidings.
OTHERS = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}


def free_ports(count):
    """Returns the first port of a range of consecutive free ports."""
    for first in range(20_000 + os.getpid() % 10_000, 32_000, count):
        sockets = [socket.socket() for _ in range(count)]
        try:
            for offset, one in enumerate(sockets):
                one.bind(("127.0.0.1", first + offset))
            return first
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()
    raise OSError(f"no {count} free ports in a row")


class System:
    """Started by `with`. Services that end are restarted at once; if they were not killed, that is a violation.

    With `standbys`, cache and notifier have a second instance each, and wait while the other one owns the store. One that
    was frozen and taken over ends by itself. `instances` is the number of each of the other services where it is not 1:
    `layout.2` is the second layout instance. There may be two buses. `store` is the address of a database, instead of a folder.

    With `destinations`, a part of the configuration, the service delivery runs.

    Services on another host have a `prefix` for their commands, and reach the bus and the origin at `bus_host` and `origin_host`.
    """

    def __init__(
        self, widgets, build=".build/release", interval="1s", lease=6, gateways=0, standbys=False, instances={}, store=None,
        intervals={}, prefixes={}, bus_host="127.0.0.1", origin_host="127.0.0.1", destinations=None,
    ):
        self.build = os.path.join(ROOT, build)
        self.intervals = intervals  # those that differ from `interval`
        self.builds = {}  # name: the folder of another version of its executable
        self.widgets, self.interval, self.lease = widgets, interval, lease
        self.children, self.violations, self.ready_after = {}, [], []
        self._lock, self._stopping = threading.Lock(), False
        # `gateway.1` is an instance of `gateway`.
        self.gateways = [f"gateway.{number + 1}" for number in range(gateways)]
        self.standbys = ["cache.2", "notifier.2"] if standbys else []
        self.store, self.prefixes, self.bus_host, self.origin_host = store, prefixes, bus_host, origin_host
        def all(service):
            return [service] + [f"{service}.{number}" for number in range(2, instances.get(service, 1) + 1)]
        self.buses = all("bus")
        # Fetchers last: what they bring first is seen by whoever looks as soon as all are ready.
        self.names = [name for service in SERVICES[:-1] for name in all(service)]
        self.destinations = destinations
        self.names += self.standbys + (["delivery"] if destinations else []) + self.gateways + all("fetcher")
        self._killed, self._ready = set(), {name: threading.Event() for name in self.names}

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="tidings-endurance-")
        self.origin = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, "Scripts/origin.py"), self.origin_host],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.origin_port = int(self.origin.stdout.readline())
        ports = 3 * len(self.buses)
        self.port = free_ports(ports + len(self.gateways))
        self.bus_ports = [self.port + 3 * number for number in range(len(self.buses))]
        self.subscribe_ports = [port + 1 for port in self.bus_ports]
        self.request_ports = [port + 2 for port in self.bus_ports]
        self.gateway_ports = [self.port + ports + number for number in range(len(self.gateways))]
        widgets = "\n".join(
            f'  {w}: {{kind: feed, source: "http://{self.origin_host}:{self.origin_port}/{w}", displays: [desk]'
            + (f", interval: {self.intervals[w]}}}" if w in self.intervals else "}")
            for w in self.widgets
        )
        self.configuration = os.path.join(self.folder, "tidings.yml")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write(
                f"store: ./store\nfetching:\n  interval: {self.interval}\n  minimumInterval: 0s\n"
                f"  allowPrivateNetworks: true\n  hostConcurrency: 64\n  hostSpacing: 0s\n"
                f"  leaseDuration: {self.lease}s\n"
                f"gateway: {{requestsPerMinute: 0, accessLog: false}}\n"
                f"bus: {{allowWithoutKeys: {'true' if self.prefixes else 'false'}}}\n"
                f"displays:\n  desk: {{family: panel, width: 300, height: 120, scale: 1}}\nwidgets:\n{widgets}\n"
                f"{self.destinations or ''}"
            )
        for name in self.names:
            self.start(name)
            if not self._ready[name].wait(30):
                raise TimeoutError(f"{name} is not ready after 30 s; see {self.folder}/{name}.log")
        return self

    def start(self, name):
        # A bus has its own address alone, and serves all interfaces if others are on another host.
        ports = [self.bus_ports[self.buses.index(name)]] if name in self.buses else self.bus_ports
        host = "*" if name in self.buses and self.prefixes else self.bus_host
        environment = OTHERS | {
            "TIDINGS_BUS": ",".join(f"tcp://{host}:{port}" for port in ports), "TIDINGS_INSTANCE": name,
            "TIDINGS_STOP_WITH_INPUT": "1",
        }
        if name.split(".")[0] in ("cache", "notifier"):
            if self.standbys:
                environment["TIDINGS_STANDBY"] = "1"
            if self.store:
                environment["TIDINGS_STORE"] = self.store
        if name in self.gateways:
            environment["TIDINGS_GATEWAY"] = f"127.0.0.1:{self.gateway_ports[self.gateways.index(name)]}"
        with open(os.path.join(self.folder, f"{name}.log"), "ab") as log:
            child = subprocess.Popen(
                [*self.prefixes.get(name, []), os.path.join(self.builds.get(name, self.build), name.split(".")[0]),
                 "--config", self.configuration],
                env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            )
        self._ready[name].clear()
        self.children[name] = child
        threading.Thread(target=self._watch, args=(name, child, time.monotonic()), daemon=True).start()

    def _watch(self, name, child, began):
        for line in child.stdout:
            if line.startswith(b"ready "):
                self.ready_after.append((name, time.monotonic() - began))
                with self._lock:
                    if child not in self._killed:
                        self._ready[name].set()
        status = child.wait()
        with self._lock:
            if self._stopping or self.children.get(name) is not child:
                return
            was_taken_over = status == 1 and self.standbys and name.split(".")[0] in ("cache", "notifier")
            if child not in self._killed and not was_taken_over:
                self.violations.append(f"{name} ended by itself with status {status}; see {self.folder}/{name}.log")
            self.start(name)

    def tidings(self, *arguments):
        """Runs a command of `tidings` with the configuration; raises CalledProcessError if it fails."""
        subprocess.run(
            [os.path.join(self.build, "tidings"), *arguments, "--config", self.configuration], env=OTHERS, check=True,
            stdout=subprocess.DEVNULL,
        )

    def change(self, old, new):
        """Replaces a text of the configuration, which the services load while they run."""
        text = pathlib.Path(self.configuration).read_text(encoding="utf-8")
        pathlib.Path(f"{self.configuration}.new").write_text(text.replace(old, new), encoding="utf-8")
        os.rename(f"{self.configuration}.new", self.configuration)

    def pid(self, name):
        return self.children[name].pid

    def wait_ready(self, name, within):
        return self._ready[name].wait(within)

    def kill(self, name):
        """Sends SIGKILL; the service is restarted as soon as it has ended."""
        with self._lock:
            child = self.children[name]
            self._killed.add(child)
            # Who waits for the service waits for its next start.
            self._ready[name].clear()
            child.kill()

    def signal(self, child, number):
        """Sends a signal to this process, if it is still running."""
        if child.poll() is None:
            child.send_signal(number)

    def stop(self, name, within=10):
        """Sends SIGTERM; the service is not restarted."""
        with self._lock:
            child = self.children.pop(name)
        child.send_signal(signal.SIGTERM)
        try:
            if child.wait(within) != 0:
                self.violations.append(f"{name} ended with status {child.returncode} after SIGTERM")
        except subprocess.TimeoutExpired:
            child.kill()
            self.violations.append(f"{name} did not end within {within} s after SIGTERM")

    def requests(self):
        """Returns {widget: the time of each answer}, as recorded by the origin."""
        return self.ask_origin("/requests")

    def ask_origin(self, path):
        """Returns {widget: list} of one of the origin's records."""
        with urllib.request.urlopen(f"http://{self.origin_host}:{self.origin_port}{path}", timeout=20) as answer:
            return {path[1:]: values for path, values in json.load(answer).items()}

    def memory(self, name):
        """Returns the resident memory in bytes."""
        return processes.memory(self.pid(name)) * 1024

    def __exit__(self, kind, *_):
        with self._lock:
            self._stopping = True
        for name in reversed(self.names):
            if name in self.children:
                self.signal(self.children[name], signal.SIGCONT)
                self.stop(name)
        self.origin.stdin.close()
        self.origin.wait()
        if self.violations or kind:
            print(f"the services' logs are kept in {self.folder}", file=sys.stderr)
        else:
            shutil.rmtree(self.folder)
