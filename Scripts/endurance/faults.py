# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""The faults of `Scripts/chaos-ha.py`: each method causes one, and returns when its cause has ended."""
import random, signal, time

# A node or Patroni that is frozen or held is resumed so many seconds after another one has become the leader.
RETURN_SECONDS = 1, 6
FREEZE_SECONDS = 5, 12
FAILOVER_SECONDS = 60


class Faults:
    """Chooses victims by `chance`. `KINDS` names all faults; those in `DATABASE` hit the primary."""

    DATABASE = [
        "kill PostgreSQL", "kill Patroni", "kill primary node", "stop primary node", "freeze Patroni", "freeze primary node",
    ]
    OTHERS = [
        "kill replica node", "kill etcd", "kill cache", "kill notifier", "kill bus", "kill layout", "kill gateway",
        "kill fetcher", "freeze cache", "freeze notifier", "freeze bus", "freeze layout",
    ]
    KINDS = DATABASE + OTHERS
    # Patroni's ttl of 20 s passes before another node takes over.
    SLOW = ["kill primary node", "freeze Patroni", "freeze primary node"]

    def __init__(self, system, cluster, roles, chance: random.Random):
        self.system, self.cluster, self.roles, self.chance = system, cluster, roles, chance

    def is_of_database(self, kind):
        return kind in self.DATABASE + ["kill replica node", "kill etcd"]

    def cause(self, kind):
        """Causes a fault and returns the name of its victim."""
        what, victim = kind.split(" ", 1)
        if self.is_of_database(kind):
            return self._database(what, victim)
        if victim in ("cache", "notifier"):
            name = self.roles.instance(victim)
        else:
            name = self.chance.choice([one for one in self.system.names if one.split(".")[0] == victim])
        if what == "kill":
            self.system.kill(name)
        else:
            child = self.system.children[name]
            self.system.signal(child, signal.SIGSTOP)
            time.sleep(self.chance.uniform(*FREEZE_SECONDS))
            self.system.signal(child, signal.SIGCONT)
        return name

    def _database(self, what, victim):
        cluster = self.cluster
        leader = cluster.leader()
        node = leader if victim not in ("replica node", "etcd") else self.chance.choice(
            [one for one in cluster.nodes if one is not leader or victim == "etcd"]
        )
        if victim == "etcd":
            node.etcd.kill()
        elif victim == "PostgreSQL":
            node.signal_postgres(signal.SIGKILL)
        elif what == "kill" and victim == "Patroni":
            # Whatever supervises Patroni starts it again at once.
            node.signal_patroni(signal.SIGKILL)
        elif what == "freeze":
            node.signal_patroni(signal.SIGSTOP)
            if victim == "primary node":
                node.signal_postgres(signal.SIGSTOP)
            self._wait_for_failover(node)
            if cluster.takes_leadership_back:
                # As a supervisor with a watchdog would; the server was frozen, or a second primary, until now all the same.
                node.signal_patroni(signal.SIGKILL)
            if victim == "primary node":
                node.signal_postgres(signal.SIGCONT)
            node.signal_patroni(signal.SIGCONT)
        else:
            node.is_held = True
            if what == "stop":
                node.signal_patroni(signal.SIGTERM)
            else:
                node.signal_patroni(signal.SIGKILL)
                node.signal_postgres(signal.SIGKILL)
            self._wait_for_failover(node)
            node.patroni.wait()
            cluster.start_patroni(node)
        return node.name

    def _wait_for_failover(self, node):
        """Waits until another node is the leader, and a bit longer."""
        def has_other_leader():
            leader = self.cluster.leader(besides=node)
            return leader is not None and leader is not node
        self.cluster.wait("another leader", has_other_leader, FAILOVER_SECONDS)
        time.sleep(self.chance.uniform(*RETURN_SECONDS))
