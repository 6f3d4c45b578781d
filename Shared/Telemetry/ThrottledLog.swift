// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking

/// A log handler that limits the number of entries with the same message, and counts the dropped entries.
///
/// Without this limit, a client could fill the disk by sending invalid data, because each malformed message is logged.
/// Only warnings and errors are throttled.
///
/// After an interval in which entries were dropped, the next warning or error reports their number. If that warning or
/// error has the same message, it contains the number as `dropped`. If it has another message, a separate entry with
/// the number follows.
public final class ThrottledLog: LogHandler {
    /// The default maximum number of entries with the same label and message that are written within an interval.
    public static let defaultBurst = 20
    /// The default length of an interval.
    public static let defaultInterval: Duration = .seconds(10)

    private struct Sentence {
        var start: Date
        var passed = 0
        var dropped = 0
    }

    private let handler: any LogHandler
    private let burst: Int
    private let interval: TimeInterval
    /// The counts of written and dropped entries; a key is the label and the message, separated by a newline.
    ///
    /// Messages are string literals, so the dictionary cannot grow without limit.
    private let sentences = Lock<[String: Sentence]>([:])

    public init(_ handler: any LogHandler, burst: Int = defaultBurst, interval: Duration = defaultInterval) {
        self.handler = handler
        self.burst = max(1, burst)
        self.interval = interval / .seconds(1)
    }

    public func write(_ entry: LogEntry) {
        guard entry.level >= .warning else { return handler.write(entry) }
        let (kept, summaries) = sentences.withLock { sentences in
            let kept = entryToWrite(for: entry, &sentences)
            return (kept, summarize(&sentences, at: entry))
        }
        if let kept { handler.write(kept) }
        for summary in summaries { handler.write(summary) }
    }

    private func isOver(_ sentence: Sentence, at now: Date) -> Bool {
        // An interval also ends if the clock was set back.
        now < sentence.start || now.timeIntervalSince(sentence.start) >= interval
    }

    /// Counts an entry, and returns it for writing; returns nil if it must be dropped.
    ///
    /// `sentences` contains the counts for each message. If entries with the same message were dropped in the previous
    /// interval, the returned entry also contains their number.
    private func entryToWrite(for entry: LogEntry, _ sentences: inout [String: Sentence]) -> LogEntry? {
        let key = entry.label + "\n" + entry.message
        var sentence = sentences[key] ?? Sentence(start: entry.time)
        var kept: LogEntry? = entry
        if isOver(sentence, at: entry.time) {
            if sentence.dropped > 0 { kept?.metadata[.dropped] = "\(sentence.dropped)" }
            sentence = Sentence(start: entry.time)
        }
        if sentence.passed < burst {
            sentence.passed += 1
        } else {
            sentence.dropped += 1
            kept = nil
        }
        sentences[key] = sentence
        return kept
    }

    /// Removes the counts of each message whose interval is over, and returns new entries about the dropped entries.
    ///
    /// For each removed message whose entries were dropped, the result contains one entry with their number. An
    /// interval is over if it ended before the time of `entry`, or if the clock was set back since its start.
    private func summarize(_ sentences: inout [String: Sentence], at entry: LogEntry) -> [LogEntry] {
        var summaries: [LogEntry] = []
        for (key, sentence) in sentences where isOver(sentence, at: entry.time) {
            sentences[key] = nil
            guard sentence.dropped > 0, let divider = key.firstIndex(of: "\n") else { continue }
            summaries.append(
                LogEntry(
                    time: entry.time,
                    level: .warning,
                    label: String(key[..<divider]),
                    message: "Repeated log entries were dropped.",
                    metadata: [.dropped: "\(sentence.dropped)", .reason: String(key[key.index(after: divider)...])]
                )
            )
        }
        return summaries.sorted { ($0.label, $0.message) < ($1.label, $1.message) }
    }
}
