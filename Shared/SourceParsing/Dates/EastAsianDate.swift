// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// A parser for dates in which the unit follows each number, as in Chinese, Japanese and Korean.
enum EastAsianDate {
    /// The minutes east of Greenwich of Korea's zone.
    private static let koreanOffset: Int64 = 9 * 60

    /// Parses `2004년 5월 28일 오후 11:31:58` and `2004年5月28日(金) 23時31分 JST`; returns nil for any other text.
    ///
    /// Without a zone, a date in Korean is in Korea's zone, any other date in UTC. Text before and after the date is
    /// ignored. `text` is in simple characters; see ``DateText``.
    static func parse(_ text: String) -> Instant? {
        guard let year = text.first(where: { "년年".contains($0) }) else { return nil }
        let date = withoutUnits(text)
        // A year alone is no date.
        guard date.contains("-") else { return nil }
        return FeedDate.iso(Array(date.utf8), offsetMinutes: year == "년" ? koreanOffset : 0)
    }

    /// A unit that follows a number.
    private struct Unit {
        /// The separator that replaces the unit before another number.
        let separator: String
        /// The text that replaces the unit if no number follows.
        let end: String
    }

    /// Returns the date in the form of ISO 8601: `2004-5-28 (金) 23:31 JST`.
    private static func withoutUnits(_ text: String) -> String {
        var result = ""
        var unit: Unit?
        var isAfterNumber = false
        for character in text.drop(while: { !isDigit($0) }) {
            if isDigit(character) {
                result += unit?.separator ?? ""
                unit = nil
                result.append(character)
                isAfterNumber = true
            } else if character == " ", isAfterNumber || unit != nil {
                // A space may stand between a number and its unit, and between a unit and the next number.
                if unit == nil { unit = Unit(separator: " ", end: " ") }
            } else if isAfterNumber, let found = Self.unit(character) {
                unit = found
                isAfterNumber = false
            } else {
                result += unit?.end ?? ""
                unit = nil
                result.append(character)
                isAfterNumber = false
            }
        }
        result += unit?.end ?? ""
        return String(result.reversed().drop { !$0.isASCII || $0 == " " }.reversed())
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    private static func unit(_ character: Character) -> Unit? {
        switch character {
        case "년", "年", "월", "月": Unit(separator: "-", end: "-")
        case "일", "日", "号", "號": Unit(separator: " ", end: " ")
        case "시", "時", "时", "点", "點": Unit(separator: ":", end: ":00 ")
        case "분", "分": Unit(separator: ":", end: " ")
        case "초", "秒": Unit(separator: " ", end: " ")
        default: nil
        }
    }
}
