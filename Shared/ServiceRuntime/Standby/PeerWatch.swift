// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import WidgetSchema

/// The other instances of a service, as an active instance knows them from their health messages.
///
/// `PeerWatch` is a value type and uses neither a clock nor a socket.
struct PeerWatch {
    private struct Peer {
        var health: Health
        var heardAt: ContinuousClock.Instant
    }

    /// The time without a heartbeat after which a peer is removed.
    ///
    /// The bus publishes the health of each instance every 2 s.
    static let peerTimeout: Duration = .seconds(10)
    /// The time for which missing standbys are not reported after an instance has become active.
    static let grace: Duration = .seconds(10)
    /// The maximum number of peers that are recorded; further ones are ignored.
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

    /// Returns the prefix of the topics on which the health of the service's instances is published.
    static func healthTopicPrefix(of service: ServiceName) -> String { Topic.Prefix.health + service.rawValue + "/" }

    mutating func hear(_ health: Health, of instance: InstanceName, now: ContinuousClock.Instant) {
        guard instance != own else { return }
        guard health.isLive else {
            peers[instance] = nil
            return
        }
        guard peers[instance] != nil || peers.count < Self.maximumPeers else { return }
        peers[instance] = Peer(health: health, heardAt: now)
    }

    /// Removes the peers from which no health message arrived for the duration `peerTimeout`.
    mutating func forget(now: ContinuousClock.Instant) {
        guard peers.contains(where: { now - $0.value.heardAt >= Self.peerTimeout }) else { return }
        peers = peers.filter { now - $0.value.heardAt < Self.peerTimeout }
    }

    /// Returns the other active instance with the highest term; nil if no other active instance has a term above
    /// `term`.
    func superior(to term: Term) -> (instance: InstanceName, term: Term)? {
        peers.compactMap { instance, peer -> (instance: InstanceName, term: Term)? in
            guard peer.health.role == .active, let other = peer.health.term, other > term else { return nil }
            return (instance, other)
        }.max { ($0.term, $0.instance) < ($1.term, $1.instance) }
    }

    /// Returns the problem that this instance reports in its health; nil if there is none.
    ///
    /// The problem is either that standbys are missing, or that a standby has a different configuration.
    /// `configuration` is the digest of this instance's configuration; if it is nil, the configurations are not
    /// compared.
    func problem(configuration: ContentDigest?, now: ContinuousClock.Instant) -> InstanceRole.Problem? {
        let standbys = peers.filter { $0.value.health.role == .standby }
        if standbys.count < expectedStandbys, now - startedAt >= Self.grace {
            return InstanceRole.Problem(
                "only \(standbys.count) of \(expectedStandbys) expected standbys of the \(service.rawValue) are "
                    + "running; start the missing ones",
                isAlarm: true
            )
        }
        guard let configuration else { return nil }
        let others = standbys.filter { $0.value.health.configurationDigest.map { $0 != configuration } ?? false }
        guard let first = others.keys.min() else { return nil }
        return InstanceRole.Problem(
            "the standby \(first) and this instance have different configurations; use the same configuration for both",
            isAlarm: false
        )
    }
}

/// The error of an active instance that is superseded, because another active instance has a higher term.
///
/// Each of the two instances owns the store on the database server to which it is connected. This is possible if a
/// replica was promoted, the former primary continues to run, and this instance is still connected to the former
/// primary.
struct SupersededInstance: Error, CustomStringConvertible {
    var service: ServiceName
    var instance: InstanceName
    var term: Term

    var description: String {
        "\(service.rawValue)/\(instance) is active with the higher term \(term): this process is connected to a former "
            + "primary, or to another store"
    }
}
