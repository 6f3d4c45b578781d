// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import WidgetSchema

/// The other instances of a service, as an active instance knows them from their health.
///
/// A value type without clock or socket.
struct PeerWatch {
    private struct Peer {
        var health: Health
        var heardAt: ContinuousClock.Instant
    }

    /// The time without a heartbeat after which a peer is removed.
    ///
    /// The bus publishes the health of each instance every 2 s.
    static let memory: Duration = .seconds(10)
    /// The time after its start for which an active instance does not report missing standbys.
    static let grace: Duration = .seconds(10)
    /// The maximum number of known peers.
    static let maximumPeers = 64

    private let service: ServiceName
    private let own: InstanceName
    private let expectedStandbys: Int
    private let startedAt: ContinuousClock.Instant
    private var peers: [InstanceName: Peer] = [:]

    init(service: ServiceName, own: InstanceName, expectedStandbys: Int, now: ContinuousClock.Instant) {
        self.service = service
        self.own = own
        self.expectedStandbys = expectedStandbys
        startedAt = now
    }

    /// Returns the prefix of the topics with the health of the service's instances.
    static func subscription(_ service: ServiceName) -> String { Topic.Prefix.health + service.rawValue + "/" }

    mutating func hear(_ health: Health, of instance: InstanceName, now: ContinuousClock.Instant) {
        guard instance != own else { return }
        guard health.isLive else {
            peers[instance] = nil
            return
        }
        guard peers[instance] != nil || peers.count < Self.maximumPeers else { return }
        peers[instance] = Peer(health: health, heardAt: now)
    }

    /// Removes the peers that have not been heard for `memory`.
    mutating func forget(now: ContinuousClock.Instant) {
        guard peers.contains(where: { now - $0.value.heardAt >= Self.memory }) else { return }
        peers = peers.filter { now - $0.value.heardAt < Self.memory }
    }

    /// Returns the active instance with the highest term above this one's.
    func superior(to term: Term) -> (instance: InstanceName, term: Term)? {
        peers.compactMap { instance, peer -> (instance: InstanceName, term: Term)? in
            guard peer.health.role == .active, let other = peer.health.term, other > term else { return nil }
            return (instance, other)
        }.max { ($0.term, $0.instance) < ($1.term, $1.instance) }
    }

    /// Returns the problem for the health of this instance: missing standbys, or a standby with another configuration.
    func problem(configuration: ContentDigest?, now: ContinuousClock.Instant) -> InstanceRole.Problem? {
        let standbys = peers.filter { $0.value.health.role == .standby }
        if standbys.count < expectedStandbys, now - startedAt >= Self.grace {
            return InstanceRole.Problem(
                "\(standbys.count) of \(expectedStandbys) standbys of the \(service.rawValue) live; start the others",
                isAlarm: true
            )
        }
        guard let configuration else { return nil }
        let others = standbys.filter { $0.value.health.configurationDigest.map { $0 != configuration } ?? false }
        guard let first = others.keys.min() else { return nil }
        return InstanceRole.Problem(
            "the standby \(first) has another configuration than this instance",
            isAlarm: false
        )
    }
}

/// The error of an instance that has heard of another one with a higher term while its store still belongs to it.
///
/// This happens when a server was promoted while the former primary continues: the process is connected to the wrong
/// server.
struct SupersededInstance: Error, CustomStringConvertible {
    var service: ServiceName
    var instance: InstanceName
    var term: Term

    var description: String {
        "\(service.rawValue)/\(instance) is active with the higher term \(term): this process is connected to a former "
            + "primary, or to another store"
    }
}
