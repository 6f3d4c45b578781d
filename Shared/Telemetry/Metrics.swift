// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking

/// The counters, gauges and histograms of a process by name.
///
/// Safe on any thread.
///
/// The same name always gives the same object; code that runs often should store that object. A name belongs to one
/// kind of metric, and is written in `lowerCamelCase`, with dots as in a path: `bus.dropped`.
public final class Metrics: Sendable {
    /// The prefix of the names of counters that count how often a limit was exceeded.
    ///
    /// For example, `limit.messageBytes` is the counter of the limit `messageBytes`.
    public static let limitPrefix = "limit."

    /// The values of all metrics at one time.
    public struct Reading: Hashable, Sendable {
        public var counters: [String: Int64] = [:]
        public var gauges: [String: Int64] = [:]
        public var histograms: [String: Histogram.Reading] = [:]

        public init() {}
    }

    private struct Registry {
        var counters: [String: Counter] = [:]
        var gauges: [String: Gauge] = [:]
        var histograms: [String: Histogram] = [:]

        func isFree(_ name: String) -> Bool {
            counters[name] == nil && gauges[name] == nil && histograms[name] == nil
        }

        /// Returns the metric with the name `name`; the first call with a name creates its metric.
        mutating func metric<Metric>(
            _ name: String,
            in kind: WritableKeyPath<Registry, [String: Metric]>,
            orNew new: () -> Metric
        ) -> Metric {
            if let known = self[keyPath: kind][name] { return known }
            precondition(isFree(name), "\(name) is a metric of another kind")
            let metric = new()
            self[keyPath: kind][name] = metric
            return metric
        }
    }

    private let registry = Lock(Registry())

    public init() {}

    public func counter(_ name: String) -> Counter {
        registry.withLock { $0.metric(name, in: \.counters) { Counter() } }
    }

    public func gauge(_ name: String) -> Gauge {
        registry.withLock { $0.metric(name, in: \.gauges) { Gauge() } }
    }

    public func histogram(_ name: String) -> Histogram {
        registry.withLock { $0.metric(name, in: \.histograms) { Histogram() } }
    }

    /// Returns the counter `limit.NAME`, which counts how often the limit with the name `name` was exceeded.
    public func limit(_ name: String) -> Counter { counter(Self.limitPrefix + name) }

    public func reading() -> Reading {
        registry.withLock { registry in
            var reading = Reading()
            reading.counters = registry.counters.mapValues(\.value)
            reading.gauges = registry.gauges.mapValues(\.value)
            reading.histograms = registry.histograms.mapValues(\.reading)
            return reading
        }
    }

    /// Returns how often each limit was exceeded.
    ///
    /// The keys are the names of the limits without ``limitPrefix``. Limits that were never exceeded are omitted.
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
