// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// The valid ranges of the values in a configuration.
public enum ConfigurationLimits {
    public static let maximumWidgets = 200_000
    /// The maximum number of files in `widgets.d`.
    public static let maximumWidgetFiles = 10_000
    public static let maximumDisplays = 100
    public static let maximumDestinations = 10_000
    /// The valid range for the maximum duration of an attempt to send a message.
    public static let destinationTimeout: ClosedRange<Duration> = .seconds(1) ... .seconds(60)
    /// The valid range for the number of messages in 24 hours of a budget.
    public static let perDay = 1...10_000
    /// The valid range for the minimum time between two messages of a budget.
    public static let spacing: ClosedRange<Duration> = .zero ... .seconds(86_400)
    public static let maximumHeaders = 32
    public static let maximumHeaderBytes = 4_096
    public static let maximumURLBytes = 4_096
    public static let interval: ClosedRange<Duration> = .milliseconds(100) ... .seconds(365 * 86_400)
    public static let minimumInterval: ClosedRange<Duration> = .zero ... .seconds(365 * 86_400)
    public static let staleAfter: ClosedRange<Duration> = .seconds(60) ... .seconds(3650 * 86_400)
    public static let hostSpacing: ClosedRange<Duration> = .zero ... .seconds(3_600)
    public static let hostConcurrency = 1...64
    public static let leaseDuration: ClosedRange<Duration> = .seconds(2) ... .seconds(600)
    public static let historyCycles = 1...10_000
    public static let historyAge: ClosedRange<Duration> = .seconds(60) ... .seconds(3650 * 86_400)
    public static let historyContentKibibytes = 1...1_048_576
    /// The valid range for the number of rows of a widget; 50 is the maximum, because content has at most 50 items.
    public static let rows = 1...50
    /// The valid widths and heights of displays, in points.
    public static let length = 1.0...10_000.0
    public static let maximumNameCharacters = 60
    /// The valid range for the number of quick actions; more than five buttons would be too narrow for a finger.
    public static let actions = 1...5
    public static let inset = 0.0...1_000.0
    public static let scale = 1...3
    /// The valid widths and heights of a cell of a board, in pixels.
    public static let cellLength = 16.0...4096.0
    public static let boardPictureMebibytes = 0...65_536
    /// The valid intervals and sleeps of a panel; `TIDINGS_SHORTEST_PANEL_SLEEP` lowers the minimum, in seconds, for tests.
    public static let panelSleep: ClosedRange<Duration> =
        .seconds(shortestPanelSleep(ProcessInfo.processInfo.environment)) ... .seconds(86_400)

    /// Returns the shortest sleep of a panel in seconds: a minute, or what `environment` says if that is less, and at least 5 s.
    static func shortestPanelSleep(_ environment: [String: String]) -> Int {
        min(max(environment["TIDINGS_SHORTEST_PANEL_SLEEP"].flatMap { Int($0) } ?? 60, 5), 60)
    }

    public static let requestsPerMinute = 0...10_000_000
    public static let connections = 1...1_000_000
    public static let connectionsPerClient = 0...1_000_000
    public static let streamLifetime: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)
    public static let heartbeat: ClosedRange<Duration> = .seconds(1) ... .seconds(600)
}
