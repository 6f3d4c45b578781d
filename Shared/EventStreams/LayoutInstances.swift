// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The live layout instances with their engines, as reported by their heartbeats.
///
/// Several instances may run, with different versions during an upgrade. Consumers use only the layouts of one engine,
/// the current one, so that the results for a widget do not alternate between two engines.
///
/// The current engine is the live engine with the newest version. Engines of the same version can have different fonts;
/// of these, the engine with the largest digest of the fonts is the current one. An engine is live as long as one of
/// its instances is live. After a rollback, an older engine therefore becomes the current one.
public struct LayoutInstances: Hashable, Sendable {
    /// A layout engine: its version and its fonts, which together determine the layout of a given cycle.
    public struct Engine: Hashable, Comparable, Sendable {
        public let version: Int
        /// The first 13 hexadecimal digits of the digest of the fonts, as a number; zero if the digest is unknown.
        ///
        /// See ``LayoutEngineVersion/fontsMark``.
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

        /// Returns a Boolean value that indicates whether consumers use a layout of another engine while this one is the
        /// current one; otherwise, they drop it.
        ///
        /// They use layouts of an engine with the same version and fonts; unknown fonts count as equal. They also use layouts
        /// of a newer version, because its first heartbeat may not have arrived yet.
        public func accepts(_ engine: LayoutEngineVersion) -> Bool {
            let other = Engine(engine)
            guard other.version == version else { return other.version > version }
            return other.fonts == fonts || other.fonts == 0 || fonts == 0
        }
    }

    /// The time without heartbeats after which an instance counts as gone; heartbeats come every two seconds.
    public static let timeout: Duration = .seconds(10)
    /// The maximum number of known instances; heartbeats of further instances are ignored.
    public static let maximumInstances = 1024

    private struct Instance: Hashable, Sendable {
        let engine: Engine
        var heardAt: Instant
    }

    private var instances: [InstanceName: Instance] = [:]

    public init() {}

    /// Records a heartbeat of a layout instance.
    public mutating func heard(_ health: Health, of name: InstanceName, at now: Instant) {
        instances = instances.filter { Self.isAlive($0.value, at: now) }
        limitTimes(to: now)
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

    /// Returns the current engine; nil if no instance is known to be live.
    ///
    /// Without a current engine, consumers use the layouts of all engines.
    public func current(at now: Instant) -> Engine? {
        instances.values.lazy.filter { Self.isAlive($0, at: now) }.map(\.engine).max()
    }

    /// Returns a Boolean value that indicates whether consumers use a layout of this engine; without a current engine, they
    /// use all layouts.
    public func accepts(_ engine: LayoutEngineVersion, at now: Instant) -> Bool {
        current(at: now)?.accepts(engine) ?? true
    }

    /// Returns the instance to request layouts from; nil if the request may go to any instance.
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

    /// The earliest time at which an instance counts as gone if no further heartbeats arrive; nil if no instance is
    /// known.
    public var nextTimeout: Instant? {
        instances.values.map(\.heardAt).min()?.advanced(by: Self.timeout + .milliseconds(1))
    }

    /// Sets the times of heartbeats in the future to `now`; they show that the clock was set back.
    ///
    /// Otherwise, an instance that is gone would count as live until the clock reaches its last heartbeat again.
    mutating func limitTimes(to now: Instant) {
        for (name, instance) in instances where instance.heardAt > now { instances[name]?.heardAt = now }
    }

    /// Returns a Boolean value that indicates whether an instance counts as live.
    ///
    /// If the clock was set back, the last heartbeat of an instance may be in the future; the instance then counts as
    /// live until the next heartbeat of any instance changes that time.
    private static func isAlive(_ instance: Instance, at now: Instant) -> Bool {
        now <= instance.heardAt.advanced(by: timeout)
    }
}
