// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A panel that sleeps between its requests, as the configuration describes it.
public struct SleepingPanel: Hashable, Sendable {
    public static let maximumPanels = 500
    public static let defaultInterval: Duration = .seconds(15 * 60)
    public static let defaultMinimumSleep: Duration = .seconds(5 * 60)
    public static let defaultMaximumSleep: Duration = .seconds(6 * 3_600)

    public var name: PanelName
    /// The id that the panel sends; nil for a client that only names itself in the address of its picture.
    public var id: PanelID?
    /// The board that the panel shows.
    public var board: BoardID
    /// The time between two wakes if nothing else decides.
    public var interval: Duration
    /// The shortest sleep that a certain change of the picture may cause.
    public var minimumSleep: Duration
    /// The longest sleep while the panel is neither in its quiet hours nor told to sleep.
    public var maximumSleep: Duration
    /// The hours of each day through which the panel sleeps; nil if there are none.
    public var quietHours: QuietHours?
    /// The name of the time zone of ``quietHours``, such as `Europe/Berlin`.
    public var timeZone: String

    public init(
        name: PanelName,
        id: PanelID? = nil,
        board: BoardID,
        interval: Duration = defaultInterval,
        minimumSleep: Duration = defaultMinimumSleep,
        maximumSleep: Duration = defaultMaximumSleep,
        quietHours: QuietHours? = nil,
        timeZone: String
    ) {
        self.name = name
        self.id = id
        self.board = board
        self.interval = interval
        self.minimumSleep = minimumSleep
        self.maximumSleep = maximumSleep
        self.quietHours = quietHours
        self.timeZone = timeZone
    }
}

/// The part of each day through which a panel sleeps, such as `23:00-06:30`; it may contain midnight.
public struct QuietHours: Hashable, Sendable {
    private static let minutesOfDay = 24 * 60

    /// The start in minutes since 00:00.
    public var start: Int
    /// The end in minutes since 00:00, which is no part of it.
    public var end: Int

    public init(start: Int, end: Int) {
        self.start = start
        self.end = end
    }

    /// Parses `HH:MM-HH:MM`; nil for any other text, and if both times are the same.
    public init?(_ text: String) {
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
        guard times.count == 2, let start = times[0], let end = times[1], start != end else { return nil }
        (self.start, self.end) = (start, end)
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isDigit) }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    /// Returns the end of the quiet hours that contain an instant; nil if it is in none.
    public func end(around instant: Instant, in days: LocalDays) -> Instant? {
        let minute = Int(days.millisecondsOfDay(at: instant) / 60_000)
        let isQuiet = start < end ? (start..<end).contains(minute) : minute >= start || minute < end
        guard isQuiet else { return nil }
        let day = days.date(at: instant).daysSince1970 + (minute >= end ? 1 : 0)
        let local = (Int64(day) * Int64(Self.minutesOfDay) + Int64(end)) * 60_000
        return days.instant(localMilliseconds: local)
    }
}
