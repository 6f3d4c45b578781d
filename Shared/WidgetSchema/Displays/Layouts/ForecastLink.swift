// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A deep link to a day of the forecast, such as `weatherwidget://?daysFromNow=2`.
public struct ForecastLink: Hashable, Sendable {
    /// The URL to which the day is added if the configuration of the widget does not set ``WidgetDefinition/link``.
    public static let defaultBase = "weatherwidget://"
    public static let scheme = "weatherwidget"
    public static let parameter = "daysFromNow"
    /// The number of days that a forecast shows, today included.
    public static let forecastDays = 5

    /// The number of days from today to the linked day; 0 for the day that the widget calls "Today".
    public let daysFromNow: Int

    /// Creates the link to a day; a day outside the forecast is replaced by the nearest day of the forecast.
    public init(daysFromNow: Int) { self.daysFromNow = min(max(daysFromNow, 0), Self.forecastDays - 1) }

    public var url: String { url(from: Self.defaultBase) }

    /// Returns the link to the day: `base` with the additional query item `daysFromNow=N`.
    ///
    /// The base may have a path, a query and a fragment, which are kept.
    public func url(from base: String) -> String {
        let parts = base.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let front = parts[0]
        let separator = !front.contains("?") ? "?" : front.hasSuffix("?") || front.hasSuffix("&") ? "" : "&"
        let fragment = parts.count > 1 ? "#" + parts[1] : ""
        return "\(front)\(separator)\(Self.parameter)=\(daysFromNow)\(fragment)"
    }

    /// An error that tells a person why a text is not a forecast link.
    public struct ParsingError: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// Parses a link of the form `SCHEME://…?daysFromNow=N`; the link may have any path and other query items.
    ///
    /// Percent-encoded characters in the query are decoded (RFC 3986, section 2.1), so `%31` is a 1.
    ///
    /// Throws if the scheme is not that of `base` (ignoring case), if `://` is missing after the scheme, or if the day
    /// is missing, repeated, malformed or outside the forecast.
    public init(parsing text: String, base: String = defaultBase) throws(ParsingError) {
        let scheme = base.prefix { $0 != ":" }.lowercased()
        func fail(_ problem: String) -> ParsingError {
            let shown = text.count > 80 ? text.prefix(80) + "…" : text[...]
            return ParsingError(
                description: "'\(shown)' is not a link to a day of the forecast: \(problem); write "
                    + "\(scheme)://?\(Self.parameter)=N, where N is a number of days from 0 to \(Self.forecastDays - 1)"
            )
        }
        guard let colon = text.firstIndex(of: ":") else { throw fail("the link has no scheme") }
        guard text[..<colon].lowercased() == scheme else {
            throw fail("the scheme '\(text[..<colon].prefix(40))' is not '\(scheme)'")
        }
        let rest = text[colon...].prefix { $0 != "#" }
        guard rest.hasPrefix("://") else { throw fail("'://' is missing after the link's scheme") }
        let query = rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...] } ?? ""
        let values = query.split(separator: "&").compactMap { item -> String? in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard Self.decoded(parts[0]) == Self.parameter else { return nil }
            return parts.count > 1 ? Self.decoded(parts[1]) ?? String(parts[1]) : ""
        }
        guard let digits = values.first else { throw fail("the link has no parameter '\(Self.parameter)'") }
        guard values.count == 1 else {
            throw fail("the link has the parameter '\(Self.parameter)' \(values.count) times")
        }
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else {
            throw fail("'\(digits.prefix(40))' is not a number of days")
        }
        guard let days = Int(digits), days < Self.forecastDays else {
            throw fail("the forecast has no day \(digits.prefix(40))")
        }
        daysFromNow = days
    }

    /// Returns a text without percent-encoding; nil if an escape is malformed, or if the result is not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            bytes.append(UInt8(digits[0] * 16 + digits[1]))
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
