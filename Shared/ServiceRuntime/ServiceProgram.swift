// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import CommandOptions
public import Configuration
public import WidgetSchema

/// A description of a service's executable: its help, its options, and the parts of the configuration that it uses.
public struct ServiceProgram: Sendable {
    public var service: ServiceName
    /// The sentence that describes the service in the output of `--help`.
    public var summary: String
    public var options: [Option]
    /// The secrets of the configuration that the service uses.
    ///
    /// Secrets are values of environment variables and are used, for example, in headers of requests to origins. If
    /// one of these variables is missing, the service does not start.
    public var needsSecrets: NeededSecrets
    /// A Boolean value that indicates whether the service uses the configured widgets.
    public var needsWidgets: Bool
    /// The function that checks a copy of the service's store, and throws an error if the copy is not correct.
    ///
    /// Nil if the service has no store. If it is not nil, the service has the option `--check-store`.
    public var checkStore: (@Sendable (_ path: String) throws -> Void)?

    /// The option with which a service checks a copy of its store and exits, without configuration or bus.
    public static let checkStoreOption = Option(
        "check-store",
        value: "FILE",
        help: "Check FILE, a copy of the store that nothing uses, and exit: with 1 and the reason if it is not correct."
    )

    public init(
        _ service: ServiceName,
        summary: String,
        options: [Option] = [],
        needsSecrets: NeededSecrets = [],
        needsWidgets: Bool = false
    ) {
        self.service = service
        self.summary = summary
        self.options = options
        self.needsSecrets = needsSecrets
        self.needsWidgets = needsWidgets
    }
}
