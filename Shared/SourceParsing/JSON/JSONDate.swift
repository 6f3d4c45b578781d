// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A reader for dates in JSON documents, in the forms that a configuration names.
enum JSONDate {
    /// The smallest absolute value of a number that is read as milliseconds since 1970.
    ///
    /// A number with a smaller absolute value is read as seconds. As milliseconds, it would be a date from October 1966
    /// to March 1973, which is unlikely.
    private static let firstMilliseconds = 100_000_000_000.0
    /// The range of valid dates in milliseconds since 1970: the years 1 to 9999.
    private static let possible = -62_135_596_800_000.0...253_402_300_799_999.0

    static func read(_ value: JSONValue, _ format: RowsParsing.Format) throws(JSONFault) -> Instant {
        switch format {
        case .rfc3339: return try read(value, "RFC 3339, such as 2026-11-21T00:49:16Z") { Instant($0) }
        case .rfc822: return try read(value, "RFC 822, such as Sat, 21 Nov 2026 00:49:16 GMT", FeedDate.parse)
        case .unixSeconds: return try instant(value, milliseconds: try value.expectNumber() * 1000)
        case .unixMilliseconds: return try instant(value, milliseconds: try value.expectNumber())
        case .date, .text, .decimal, .percent, .bytes:
            if let number = value.number {
                return try instant(value, milliseconds: abs(number) < firstMilliseconds ? number * 1000 : number)
            }
            return try read(value, "a date, such as 2026-11-21T00:49:16Z", FeedDate.parse)
        }
    }

    private static func read(
        _ value: JSONValue,
        _ expected: String,
        _ parse: (String) -> Instant?
    ) throws(JSONFault) -> Instant {
        let text = try value.expectString()
        guard let date = parse(PlainText.trimmed(text)) else {
            throw value.fault("'\(text.prefix(100))' is not a date; \(expected) was expected")
        }
        return date
    }

    private static func instant(_ value: JSONValue, milliseconds: Double) throws(JSONFault) -> Instant {
        guard possible.contains(milliseconds) else {
            throw value.fault("\(milliseconds) milliseconds since 1970 are not a date in the years 1 to 9999")
        }
        return Instant(milliseconds: Int64(milliseconds.rounded()))
    }
}
