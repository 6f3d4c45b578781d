// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import CommandOptions
public import WidgetSchema

/// A description of a service's executable: its help, its options, and the parts of the configuration that it uses.
public struct ServiceProgram: Sendable {
    public var service: ServiceName
    /// The sentence in the help that describes the service.
    public var summary: String
    public var options: [Option]
    /// A Boolean value that indicates whether the service uses the secrets in the configuration, which come from
    /// environment variables.
    ///
    /// If so, the service does not start if one of these variables is missing. Headers of requests to origins can
    /// contain secrets.
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
