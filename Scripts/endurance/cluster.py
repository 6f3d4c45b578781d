# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""A PostgreSQL cluster on this machine: three etcd, three Patroni and three PostgreSQL 15, as a plain user.

Needs the Debian packages of `Scripts/install-dependencies.sh ha`. Everything is in one folder, on ports that the caller
chooses, and ends with `stop`.
"""
import concurrent.futures, http.client, json, os, pwd, signal, subprocess, threading, time, urllib.request
import processes

import psycopg2

NODES = 3
PORTS_PER_NODE = 4
START_SECONDS = 90
STOP_SECONDS = 20
DATABASE = "tidings"
# The smallest that Patroni accepts, as in deploy/ha/patroni.yml.
TIMES = {"ttl": 20, "loop_wait": 2, "retry_timeout": 3}


class Node:
    """An etcd, a Patroni and the PostgreSQL that Patroni runs."""

    def __init__(self, number, folder, first_port):
        self.name = f"node{number}"
        self.folder = os.path.join(folder, self.name)
        self.client_port, self.peer_port, self.rest_port, self.port = range(first_port, first_port + PORTS_PER_NODE)
        self.etcd = self.patroni = None
        self.is_held = False

    def postgres_pids(self):
        """Returns the processes of the server, the postmaster first."""
        try:
            with open(f"{self.folder}/data/postmaster.pid", encoding="ascii") as file:
                master = int(file.readline())
        except (FileNotFoundError, ValueError):
            return []
        children = processes.children(master)
        return [master, *children] if children or os.path.exists(f"/proc/{master}") else []

    def signal_postgres(self, number):
        for pid in self.postgres_pids():
            send(pid, number)

    def signal_patroni(self, number):
        send(self.patroni.pid, number)


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


class Cluster:
    """Started by `start`. A Patroni or etcd that ends is started again at once, unless its node is held."""

    def __init__(self, folder, first_port, is_synchronous=True):
        self.folder, self.is_synchronous = folder, is_synchronous
        self.nodes = [Node(n + 1, folder, first_port + n * PORTS_PER_NODE) for n in range(NODES)]
        self._prefix = ["setpriv", "--pdeathsig=TERM"]
        self._lock, self._stopping = threading.Lock(), False
        # The kernel ends a child with the thread that started it, so one thread starts all of them.
        self._starter = concurrent.futures.ThreadPoolExecutor(1)
        version = subprocess.run(["patroni", "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
        # A Patroni before 3.1 that was frozen overwrites the new leader's key (https://github.com/patroni/patroni/pull/2689) and
        # never finds its own cache stale (https://github.com/patroni/patroni/issues/2779): commits of the new leader are lost.
        self.takes_leadership_back = tuple(int(part) for part in version.split(".")[:2]) < (3, 1)

    @property
    def url(self):
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return (
            f"postgresql://tidings@{hosts}/{DATABASE}"
            "?target_session_attrs=read-write&connect_timeout=3&tcp_user_timeout=5000"
        )

    # Start and stop

    def start(self):
        """Returns the seconds until the cluster had a primary and all its replicas."""
        began = time.monotonic()
        os.makedirs(self.folder, exist_ok=True)
        if os.getuid() == 0:
            # PostgreSQL refuses to run as root.
            nobody = pwd.getpwnam("nobody")
            self._prefix += [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
            os.chmod(os.path.dirname(self.folder), 0o755)
        for node in self.nodes:
            os.makedirs(node.folder, mode=0o700)
            with open(f"{node.folder}/patroni.yml", "w", encoding="utf-8") as file:
                json.dump(self._configuration(node), file, indent=1)
            if os.getuid() == 0:
                for path in (self.folder, node.folder, f"{node.folder}/patroni.yml"):
                    os.chown(path, nobody.pw_uid, nobody.pw_gid)
        for node in self.nodes:
            self._start_etcd(node)
        for node in self.nodes:
            self.start_patroni(node)
        self.wait_healthy(START_SECONDS)
        self.run(
            "postgres", "postgres", "CREATE ROLE tidings LOGIN",
            f"CREATE DATABASE {DATABASE} OWNER tidings ENCODING 'UTF8' TEMPLATE template0",
        )
        return time.monotonic() - began

    def _configuration(self, node):
        """Returns Patroni's configuration; its format, YAML, includes JSON."""
        return {
            "scope": "tidings", "name": node.name,
            "restapi": {"listen": f"127.0.0.1:{node.rest_port}", "connect_address": f"127.0.0.1:{node.rest_port}"},
            "etcd3": {"hosts": [f"127.0.0.1:{other.client_port}" for other in self.nodes]},
            "bootstrap": {
                "dcs": TIMES | {
                    "maximum_lag_on_failover": 1048576, "synchronous_mode": self.is_synchronous,
                    "postgresql": {
                        "use_pg_rewind": True,
                        "parameters": {
                            "wal_level": "replica", "hot_standby": "on", "wal_log_hints": "on", "max_connections": 60,
                            "max_wal_senders": 10, "shared_buffers": "32MB",
                        },
                    },
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
                "pg_hba": [
                    "local all all trust", "host replication replicator 127.0.0.1/32 trust", "host all all 127.0.0.1/32 trust",
                ],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{node.port}", "connect_address": f"127.0.0.1:{node.port}",
                "data_dir": f"{node.folder}/data", "bin_dir": "/usr/lib/postgresql/15/bin", "pgpass": f"{node.folder}/pgpass",
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"}},
                "parameters": {"unix_socket_directories": node.folder},
            },
            "watchdog": {"mode": "off"},
        }

    def _start_etcd(self, node):
        def peer(one):
            return f"http://127.0.0.1:{one.peer_port}"
        client = f"http://127.0.0.1:{node.client_port}"
        node.etcd = self._start(node, "etcd", [
            "etcd", "--name", node.name, "--data-dir", f"{node.folder}/etcd", "--listen-peer-urls", peer(node),
            "--initial-advertise-peer-urls", peer(node), "--listen-client-urls", client, "--advertise-client-urls", client,
            "--initial-cluster", ",".join(f"{one.name}={peer(one)}" for one in self.nodes), "--log-level", "warn",
        ])

    def start_patroni(self, node):
        node.is_held = False
        node.patroni = self._start(node, "patroni", ["patroni", f"{node.folder}/patroni.yml"])

    def _start(self, node, program, command):
        with open(f"{node.folder}/{program}.log", "ab") as log:
            child = self._starter.submit(
                subprocess.Popen, self._prefix + command, cwd=node.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={"PATH": "/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin", "HOME": node.folder},
            ).result()
        threading.Thread(target=self._watch, args=(node, program, child), daemon=True).start()
        return child

    def _watch(self, node, program, child):
        child.wait()
        with self._lock:
            if self._stopping or program == "patroni" and node.is_held:
                return
            time.sleep(0.1)
            if program == "etcd":
                self._start_etcd(node)
            else:
                self.start_patroni(node)

    def stop(self):
        with self._lock:
            self._stopping = True
        for node in self.nodes:
            node.signal_postgres(signal.SIGCONT)
        patronis = [node.patroni for node in self.nodes if node.patroni]
        for child in patronis:
            child.send_signal(signal.SIGCONT)
            child.terminate()
        self._end(patronis)
        for node in self.nodes:
            # Patroni stops its server, unless it was killed.
            node.signal_postgres(signal.SIGKILL)
        etcds = [node.etcd for node in self.nodes if node.etcd]
        for child in etcds:
            child.terminate()
        self._end(etcds)

    def _end(self, children):
        deadline = time.monotonic() + STOP_SECONDS
        for child in children:
            try:
                child.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()

    # State

    def connect(self, node, user="tidings", database=DATABASE):
        return psycopg2.connect(
            host="127.0.0.1", port=node.port, user=user, dbname=database, connect_timeout=2, application_name="chaos"
        )

    def run(self, user, database, *statements):
        """Runs each statement on the leader as a transaction of its own."""
        connection = self.connect(self.leader(), user, database)
        connection.autocommit = True
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
        connection.close()

    def members(self, besides=None):
        """Returns what the first Patroni that answers says about {node's name: member}; one node is not asked."""
        for node in self.nodes:
            if node is besides:
                continue
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{node.rest_port}/cluster", timeout=1) as answer:
                    return {one["name"]: one for one in json.load(answer)["members"]}
            except (OSError, http.client.HTTPException, ValueError):
                continue
        return {}

    def leader(self, besides=None):
        """Returns the node that Patroni calls the leader, or None."""
        for name, member in self.members(besides).items():
            if member["role"] == "leader":
                return next(node for node in self.nodes if node.name == name)
        return None

    def timeline(self):
        return max((int(one.get("timeline") or 0) for one in self.members().values()), default=0)

    def is_healthy(self):
        """Returns a Boolean value: all nodes follow one leader, and one does so synchronously if that is the mode."""
        members = self.members()
        roles = [one["role"] for one in members.values()]
        timelines = {one.get("timeline") for one in members.values()}
        return (
            len(members) == NODES and len(timelines) == 1 and roles.count("leader") == 1
            and all(one["state"] in ("running", "streaming") for one in members.values())
            and (not self.is_synchronous or "sync_standby" in roles)
        )

    def wait_healthy(self, within):
        self.wait("a leader and its replicas", self.is_healthy, within)

    def wait_stable(self, within):
        """Waits until the cluster has been healthy for two loops of Patroni.

        After a restart of the primary, Patroni chooses the synchronous standby anew, and without one no replica may be promoted.
        """
        since = time.monotonic()
        def is_stable():
            nonlocal since
            if not self.is_healthy():
                since = time.monotonic()
            return time.monotonic() - since > 2 * TIMES["loop_wait"] + 1
        self.wait("a leader and its replicas for some time", is_stable, within)

    def wait(self, what, condition, within):
        deadline = time.monotonic() + within
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"the cluster has not got {what} within {within} s: {self.members()}")
            time.sleep(0.2)


class WriteProbe:
    """Writes to each node ten times a second, and notes when a write was acknowledged."""

    def __init__(self, cluster):
        self.cluster, self.moments, self._ended = cluster, [], False
        cluster.run(
            "tidings", DATABASE, "CREATE TABLE probe (number bigint NOT NULL)", "INSERT INTO probe VALUES (0)"
        )
        self._threads = [threading.Thread(target=self._probe, args=(node,), daemon=True) for node in cluster.nodes]

    def start(self):
        for thread in self._threads:
            thread.start()

    def end(self):
        self._ended = True

    def _probe(self, node):
        connection = None
        while not self._ended:
            try:
                if connection is None or connection.closed:
                    connection = self.cluster.connect(node)
                    connection.autocommit = True
                with connection.cursor() as cursor:
                    cursor.execute("UPDATE probe SET number = number + 1")
                self.moments.append(time.monotonic())
            except psycopg2.OperationalError:
                connection = None
            except psycopg2.Error:
                # A replica accepts no writes.
                pass
            time.sleep(0.1)
