// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization

/// All counters and gauges of a process by name.
///
/// Safe on any thread. Asking twice for a name gives the same counter; hot paths ask once and keep it. A name is either
/// a counter or a gauge, never both, and is written in `lowerCamelCase`, with dots in a path: `bus.dropped`.
public final class Metrics: Sendable {
    /// What the names of limits begin with: `limit.messageBytes` counts how often that limit was hit.
    public static let limitPrefix = "limit."

    private struct Registry {
        var counters: [String: Counter] = [:]
        var gauges: [String: Gauge] = [:]
    }

    private let registry = Mutex(Registry())

    public init() {}

    public func counter(_ name: String) -> Counter {
        registry.withLock { registry in
            precondition(registry.gauges[name] == nil, "\(name) is a gauge")
            if let known = registry.counters[name] { return known }
            let counter = Counter()
            registry.counters[name] = counter
            return counter
        }
    }

    public func gauge(_ name: String) -> Gauge {
        registry.withLock { registry in
            precondition(registry.counters[name] == nil, "\(name) is a counter")
            if let known = registry.gauges[name] { return known }
            let gauge = Gauge()
            registry.gauges[name] = gauge
            return gauge
        }
    }

    /// Counts how often the limit of this name was hit.
    public func limit(_ name: String) -> Counter { counter(Self.limitPrefix + name) }

    /// All values by name.
    public func snapshot() -> [String: Int64] {
        registry.withLock { registry in
            var values = registry.counters.mapValues(\.value)
            for (name, gauge) in registry.gauges { values[name] = gauge.value }
            return values
        }
    }

    /// How often each limit was hit, by the limit's name; limits never hit are left out.
    public func limitsHit() -> [String: Int64] {
        registry.withLock { registry in
            var values: [String: Int64] = [:]
            for (name, counter) in registry.counters where name.hasPrefix(Self.limitPrefix) && counter.value > 0 {
                values[String(name.dropFirst(Self.limitPrefix.count))] = counter.value
            }
            return values
        }
    }
}
