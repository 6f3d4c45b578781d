// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The deep link of a day of the forecast, `weatherwidget://?daysFromNow=2`.
public struct ForecastLink: Hashable, Sendable {
    public static let scheme = "weatherwidget"
    public static let parameter = "daysFromNow"
    /// As far as any forecast looks.
    public static let maximumDays = 365

    /// 0 is the day that the widget calls "Today".
    public let daysFromNow: Int

    /// A day within the limits; one beyond them counts as the nearest that is not.
    public init(daysFromNow: Int) { self.daysFromNow = min(max(daysFromNow, 0), Self.maximumDays) }

    public var url: String { "\(Self.scheme)://?\(Self.parameter)=\(daysFromNow)" }

    /// Why a text is no such link, for a person.
    public struct ParsingError: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// Reads a link, exactly as ``url`` writes it; the scheme's letters may be large.
    public init(parsing text: String) throws(ParsingError) {
        func fail(_ problem: String) -> ParsingError {
            let shown = text.count > 80 ? text.prefix(80) + "…" : text[...]
            return ParsingError(
                description: "'\(shown)' is no link to a day of the forecast: \(problem); write "
                    + "\(Self.scheme)://?\(Self.parameter)=N, where N is a number of days from 0 to \(Self.maximumDays)"
            )
        }
        guard let colon = text.firstIndex(of: ":") else { throw fail("it has no scheme") }
        guard text[..<colon].lowercased() == Self.scheme else {
            throw fail("its scheme is '\(text[..<colon].prefix(40))'")
        }
        let rest = text[colon...]
        guard rest.hasPrefix("://?") else { throw fail("'://?' does not follow its scheme") }
        let query = rest.dropFirst("://?".count)
        guard !query.isEmpty else { throw fail("it has no \(Self.parameter)") }
        let parts = query.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == Self.parameter else {
            throw fail("its parameter is '\(parts[0].prefix(40))'")
        }
        let digits = parts[1]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw fail("'\(digits.prefix(40))' is no number of days")
        }
        guard let days = Int(digits), days <= Self.maximumDays else {
            throw fail("\(digits.prefix(40)) days are beyond every forecast")
        }
        daysFromNow = days
    }
}
