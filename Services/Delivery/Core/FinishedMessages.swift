// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A message that was accepted or rejected, for explanations.
struct FinishedMessage: Hashable, Sendable {
    var first: SequenceNumber
    var last: SequenceNumber
    var at: Instant
    var attempts: Int
    /// The reason why the destination rejected it; nil if it accepted it.
    var rejection: String?
    /// A Boolean value that indicates whether the message counts in the budget.
    var isSpent = false

    init(_ content: MessageContent, at time: Instant, attempts: Int) {
        first = content.first
        last = content.last
        at = time
        self.attempts = attempts
    }

    /// Parses a line of ``FinishedMessages``; returns nil if it is not valid.
    fileprivate init?(line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count >= 5, let first = UInt64(parts[0]), let last = UInt64(parts[1]), let at = Int64(parts[2]),
            let attempts = Int(parts[3])
        else { return nil }
        self.first = SequenceNumber(first)
        self.last = SequenceNumber(last)
        self.at = Instant(milliseconds: at)
        self.attempts = attempts
        isSpent = parts[4] == "1"
        rejection = parts.count > 5 ? String(parts[5]) : nil
    }

    func covers(_ sequence: SequenceNumber) -> Bool { first <= sequence && sequence <= last }

    fileprivate var line: String {
        let numbers = "\(first.number) \(last.number) \(at.milliseconds) \(attempts) \(isSpent ? 1 : 0)"
        guard let rejection else { return numbers }
        return numbers + " " + String(rejection.map { $0.isNewline ? " " : $0 })
    }
}

/// The last messages of a lane, oldest first.
///
/// They are one text with a line for each, because a lane is stored before and after each attempt: with an object for each
/// message, coding 16 of them took twice the time of the attempt.
struct FinishedMessages: Hashable, Sendable {
    private var text = ""

    /// Returns the last message that fulfils a condition; nil if none does.
    func last(where isWanted: (FinishedMessage) -> Bool) -> FinishedMessage? {
        for line in text.split(separator: "\n").reversed() {
            if let message = FinishedMessage(line: line), isWanted(message) { return message }
        }
        return nil
    }

    /// Adds a message, and removes the oldest ones if there are more than `limit`.
    mutating func append(_ message: FinishedMessage, limit: Int) {
        text += message.line
        text += "\n"
        let newline = UInt8(ascii: "\n")
        for _ in 0..<max(0, text.utf8.count { $0 == newline } - limit) {
            guard let end = text.utf8.firstIndex(of: newline) else { return }
            text.removeSubrange(...end)
        }
    }
}

extension FinishedMessages: Codable, DefaultValue {
    static let defaultValue = FinishedMessages()

    /// Reads the text; earlier versions stored objects, which are forgotten.
    init(from decoder: any Decoder) throws { text = (try? decoder.singleValueContainer().decode(String.self)) ?? "" }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
