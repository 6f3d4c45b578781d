// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The addressee of a request: `SERVICE` (any of its live instances) or `SERVICE/INSTANCE`.
public struct RequestTarget: Hashable, Sendable, CustomStringConvertible {
    public var service: ServiceName
    public var instance: InstanceName?

    public init(_ service: ServiceName, instance: InstanceName? = nil) {
        self.service = service
        self.instance = instance
    }

    /// Creates a target; nil if the text contains an unknown service or an invalid instance.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let service = ServiceName(rawValue: String(name)) else { return nil }
        guard parts.count == 2 else {
            self.init(service)
            return
        }
        guard let instance = InstanceName(rawValue: String(parts[1])) else { return nil }
        self.init(service, instance: instance)
    }

    public var description: String { instance.map { "\(service.rawValue)/\($0)" } ?? service.rawValue }
}
