// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import CommandOptions
public import WidgetSchema

/// The executable of a service: its help, its options, and its needs from the configuration.
public struct ServiceProgram: Sendable {
    public var service: ServiceName
    /// The sentence about the service in its help.
    public var summary: String
    public var options: [Option]
    /// A Boolean value that indicates whether the service sends requests to origins, or leases them, with headers that
    /// contain values from the environment.
    public var needsSecrets: Bool
    /// A Boolean value that indicates whether the service uses the configured widgets.
    public var needsWidgets: Bool

    public init(
        _ service: ServiceName,
        summary: String,
        options: [Option] = [],
        needsSecrets: Bool = false,
        needsWidgets: Bool = false
    ) {
        self.service = service
        self.summary = summary
        self.options = options
        self.needsSecrets = needsSecrets
        self.needsWidgets = needsWidgets
    }
}
