// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Which layout instances are alive, and which version draws in each: while an upgrade runs two versions side by side,
/// only what the newer one drew counts, so that verdicts do not flip between them.
///
/// Known from heartbeats alone. When the newer instances are gone, as after a rollback, the older ones count again.
struct LayoutEngines: Hashable, Sendable {
    /// Without heartbeats for so long, an instance counts as gone; they come every two seconds.
    static let patienceMilliseconds: Int64 = 10_000
    /// More than run anywhere; beyond it, those not known yet do not count.
    static let maximumInstances = 1024

    private struct Instance: Hashable, Sendable {
        let version: Int
        let heardAt: Instant
    }

    private var instances: [InstanceName: Instance] = [:]

    init() {}

    mutating func heard(_ health: Health, of name: InstanceName, at now: Instant) {
        instances = instances.filter { Self.isAlive($0.value, at: now) }
        guard health.state != .gone, health.state != .stopping,
            let version = health.layoutEngineVersion,
            instances[name] != nil || instances.count < Self.maximumInstances
        else {
            instances[name] = nil
            return
        }
        instances[name] = Instance(version: Int(clamping: version), heardAt: now)
    }

    /// The version of which layouts count; nil where no instance is known to be alive, and all do.
    func newest(at now: Instant) -> Int? {
        instances.values.filter { Self.isAlive($0, at: now) }.map(\.version).max()
    }

    /// Whom to ask for layouts that count; nil where any instance will do.
    func instanceToAsk(at now: Instant) -> InstanceName? {
        guard let newest = newest(at: now) else { return nil }
        let alive = instances.filter { Self.isAlive($0.value, at: now) }
        guard alive.values.contains(where: { $0.version < newest }) else { return nil }
        return alive.filter { $0.value.version == newest }.keys.min { $0.rawValue < $1.rawValue }
    }

    /// A wall clock may be set back; an instance heard in the future was heard just now.
    private static func isAlive(_ instance: Instance, at now: Instant) -> Bool {
        now.milliseconds(since: instance.heardAt) <= patienceMilliseconds
    }
}
