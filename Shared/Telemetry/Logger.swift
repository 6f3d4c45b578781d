// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// The log of one service or command, in which each entry is a fixed sentence with named values.
///
/// ```swift
/// log.info("Committed a batch.", [.cycles: 3, .widget: "blog"])
/// // 2026-11-21T00:49:16.123Z info cache: Committed a batch. cycles=3 widget=blog
/// ```
/// Values are evaluated only if the entry is written.
///
/// Safe on any thread.
public struct Logger: Sendable {
    public typealias Metadata = LogEntry.Metadata

    /// The service or the command that writes the entries.
    public var label: String
    /// The minimum level of entries that are written.
    public var minimumLevel: LogLevel
    /// The values that every entry contains; a value with the same key in a log call takes precedence.
    public var metadata: Metadata
    private let handler: any LogHandler

    public init(label: String, minimumLevel: LogLevel = .info, metadata: Metadata = [:], handler: any LogHandler) {
        self.label = label
        self.minimumLevel = minimumLevel
        self.metadata = metadata
        self.handler = handler
    }

    /// Creates a log that writes to standard error and throttles repeated warnings and errors.
    public init(label: String, minimumLevel: LogLevel = .info, format: LogFormat = .text) {
        self.init(label: label, minimumLevel: minimumLevel, handler: ThrottledLog(StandardErrorLog(format: format)))
    }

    /// A log that discards all entries.
    public static let discarded = Logger(label: "discarded", minimumLevel: .error, handler: DiscardedLog())

    public func log(
        _ level: LogLevel,
        _ message: StaticString,
        _ metadata: @autoclosure () -> Metadata = [:],
        error: (any Error)? = nil
    ) {
        guard level >= minimumLevel else { return }
        var merged = self.metadata
        merged.merge(metadata()) { _, new in new }
        if let error { merged[.error] = String(describing: error) }
        handler.write(
            LogEntry(time: Date(), level: level, label: label, message: message.description, metadata: merged)
        )
    }

    public func debug(
        _ message: StaticString,
        _ metadata: @autoclosure () -> Metadata = [:],
        error: (any Error)? = nil
    ) {
        log(.debug, message, metadata(), error: error)
    }

    public func info(_ message: StaticString, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.info, message, metadata())
    }

    public func notice(_ message: StaticString, _ metadata: @autoclosure () -> Metadata = [:]) {
        log(.notice, message, metadata())
    }

    public func warning(
        _ message: StaticString,
        _ metadata: @autoclosure () -> Metadata = [:],
        error: (any Error)? = nil
    ) {
        log(.warning, message, metadata(), error: error)
    }

    public func error(
        _ message: StaticString,
        _ metadata: @autoclosure () -> Metadata = [:],
        error: (any Error)? = nil
    ) {
        log(.error, message, metadata(), error: error)
    }
}
