// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Text
public import WidgetSchema

/// The share of the widgets that one layout instance lays out.
///
/// The live instances of the current engine share the widgets by rendezvous hashing (highest random weight): each
/// instance computes a weight for itself and for every other one, and lays out the widgets for which its own weight is
/// the highest. If an instance comes or goes, only its share moves. See D. Thaler and C. Ravishankar, "Using Name-Based
/// Mappings to Increase Hit Rates", IEEE/ACM Transactions on Networking 6(1), 1998.
///
/// Correctness does not depend on the shares. While two instances have received different heartbeats, a cycle may be
/// laid out twice or not at all. Consumers drop a second layout of a cycle, and request a missing layout.
public struct LayoutShare: Sendable {
    public let instance: InstanceName
    public let engine: LayoutInstances.Engine
    private var others = LayoutInstances()
    /// The other instances that have a share, with the hashes of their names; nil if they must be determined again.
    private var rivals: [(name: InstanceName, hash: UInt64)]?
    private let ownHash: UInt64
    /// A Boolean value that indicates whether this instance has a share; only instances of the current engine do.
    public private(set) var isMember = true
    private var lookedAt = Instant(milliseconds: .min)
    private var changesAt: Instant?

    public init(instance: InstanceName, engine: LayoutInstances.Engine) {
        self.instance = instance
        self.engine = engine
        ownHash = StableHash.hash(instance.rawValue.utf8)
    }

    /// The number of instances that share the widgets, this one included; zero if this one has no share.
    public var members: Int { isMember ? (rivals?.count ?? 0) + 1 : 0 }

    /// Records a heartbeat of a layout instance.
    public mutating func heard(_ health: Health, of name: InstanceName, at now: Instant) {
        // This instance needs no heartbeat of its own: it lays out its share as soon as it has started.
        guard name != instance else { return }
        others.heard(health, of: name, at: now)
        rivals = nil
        update(at: now)
    }

    /// Returns a Boolean value that indicates whether this instance lays out a widget.
    ///
    /// `widget` is the UTF-8 text of the widget's id, so that the caller need not decode the message first.
    public mutating func owns(_ widget: some Sequence<UInt8>, at now: Instant) -> Bool {
        update(at: now)
        guard isMember else { return false }
        guard let rivals, !rivals.isEmpty else { return true }
        let hash = StableHash.hash(widget)
        let own = Self.weight(ownHash, hash)
        return rivals.allSatisfy { rival in
            let other = Self.weight(rival.hash, hash)
            return own > other || own == other && instance < rival.name
        }
    }

    /// Updates the list of instances that have a share, if one of them may be gone or the clock was set back.
    private mutating func update(at now: Instant) {
        defer { lookedAt = now }
        guard rivals == nil || now < lookedAt || changesAt.map({ $0 <= now }) ?? false else { return }
        if now < lookedAt { others.limitTimes(to: now) }
        let current = max(others.current(at: now) ?? engine, engine)
        isMember = current == engine
        rivals = others.live(engine, at: now).map { ($0, StableHash.hash($0.rawValue.utf8)) }
        changesAt = others.nextTimeout
    }

    /// Returns the weight of an instance for a widget, computed from the hashes of both.
    private static func weight(_ instance: UInt64, _ widget: UInt64) -> UInt64 {
        StableHash.mixed(instance ^ (widget &* StableHash.increment))
    }
}
