// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The live layout instances with the versions of their engines.
///
/// While an upgrade runs two versions side by side, only layouts of the newer one count, so that verdicts do not
/// alternate between them. The versions come only from heartbeats. When the newer instances are gone, as after a
/// rollback, layouts of the older ones count again.
struct LayoutEngines: Hashable, Sendable {
    /// The time without heartbeats after which an instance counts as gone; heartbeats come every two seconds.
    static let patienceMilliseconds: Int64 = 10_000
    /// The maximum number of known instances; others are ignored.
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

    /// Returns the newest version, whose layouts count; nil if no instance is known to be live, so that all layouts
    /// count.
    func newest(at now: Instant) -> Int? {
        instances.values.filter { Self.isAlive($0, at: now) }.map(\.version).max()
    }

    /// Returns the instance to request layouts from; nil if any instance is suitable.
    func instanceToAsk(at now: Instant) -> InstanceName? {
        guard let newest = newest(at: now) else { return nil }
        let alive = instances.filter { Self.isAlive($0.value, at: now) }
        guard alive.values.contains(where: { $0.version < newest }) else { return nil }
        return alive.filter { $0.value.version == newest }.keys.min { $0.rawValue < $1.rawValue }
    }

    /// After the wall clock was set back, an instance heard in the future counts as live.
    private static func isAlive(_ instance: Instance, at now: Instant) -> Bool {
        now.milliseconds(since: instance.heardAt) <= patienceMilliseconds
    }
}
