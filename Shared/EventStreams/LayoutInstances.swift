// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The live layout instances with their engines, as their heartbeats describe them.
///
/// Several instances may run, also of different versions while an upgrade is rolled out. Only layouts of the current
/// engine count, so that verdicts do not alternate between two engines: the newest version and, if hosts differ in
/// their fonts, the larger digest of the fonts. When the current instances are gone, as after a rollback, those of the
/// next engine count.
public struct LayoutInstances: Hashable, Sendable {
    /// The version of an engine and its fonts; everything that decides about a layout beside the cycle.
    public struct Engine: Hashable, Comparable, Sendable {
        public let version: Int
        /// The mark of the fonts' digest; zero if it is unknown.
        public let fonts: Int64

        public init(version: Int, fonts: Int64 = 0) {
            self.version = version
            self.fonts = fonts
        }

        public init(_ engine: LayoutEngineVersion) {
            self.init(version: engine.version, fonts: engine.fontsMark ?? 0)
        }

        public static func < (left: Engine, right: Engine) -> Bool {
            (left.version, left.fonts) < (right.version, right.fonts)
        }
    }

    /// The time without heartbeats after which an instance counts as gone; heartbeats come every two seconds.
    public static let timeoutMilliseconds: Int64 = 10_000
    /// The maximum number of known instances; others are ignored.
    public static let maximumInstances = 1024

    private struct Instance: Hashable, Sendable {
        let engine: Engine
        let heardAt: Instant
    }

    private var instances: [InstanceName: Instance] = [:]

    public init() {}

    /// Takes note of a heartbeat.
    public mutating func heard(_ health: Health, of name: InstanceName, at now: Instant) {
        instances = instances.filter { Self.isAlive($0.value, at: now) }
        guard health.state == .ready || health.state == .degraded,
            let version = health.layoutEngineVersion,
            instances[name] != nil || instances.count < Self.maximumInstances
        else {
            instances[name] = nil
            return
        }
        let fonts = health.gauges[LayoutEngineVersion.fontsHealthGauge] ?? 0
        instances[name] = Instance(engine: Engine(version: Int(clamping: version), fonts: fonts), heardAt: now)
    }

    /// Returns the current engine; nil if no instance is known to be live, so that all layouts count.
    public func current(at now: Instant) -> Engine? {
        instances.values.lazy.filter { Self.isAlive($0, at: now) }.map(\.engine).max()
    }

    /// Returns a Boolean value that indicates whether a layout of this engine counts.
    ///
    /// An engine that is newer than all live instances counts: its instance has not been heard yet.
    public func counts(_ engine: LayoutEngineVersion, at now: Instant) -> Bool {
        guard let current = current(at: now) else { return true }
        let engine = Engine(engine)
        guard engine.version == current.version else { return engine.version > current.version }
        return engine.fonts == current.fonts || engine.fonts == 0 || current.fonts == 0
    }

    /// Returns the instance to request layouts from; nil if any instance is suitable.
    public func instanceToAsk(at now: Instant) -> InstanceName? {
        guard let current = current(at: now) else { return nil }
        let alive = instances.filter { Self.isAlive($0.value, at: now) }
        guard alive.values.contains(where: { $0.engine != current }) else { return nil }
        return alive.filter { $0.value.engine == current }.keys.min { $0.rawValue < $1.rawValue }
    }

    /// Returns the live instances of an engine, ordered by name.
    public func live(_ engine: Engine, at now: Instant) -> [InstanceName] {
        instances.filter { Self.isAlive($0.value, at: now) && $0.value.engine == engine }.keys.sorted()
    }

    /// The time from which on the earliest of the live instances counts as gone, unless it is heard again.
    public var nextTimeout: Instant? {
        instances.values.map(\.heardAt).min()?.advanced(byMilliseconds: Self.timeoutMilliseconds + 1)
    }

    /// After the wall clock was set back, an instance heard in the future counts as live.
    private static func isAlive(_ instance: Instance, at now: Instant) -> Bool {
        now.milliseconds(since: instance.heardAt) <= timeoutMilliseconds
    }
}
