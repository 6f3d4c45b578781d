// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Text

/// The validation of time zone names and locale identifiers.
enum Region {
    private static let zoneFolder = "/usr/share/zoneinfo"

    /// Returns an error message if the name of a time zone is invalid, and nil otherwise.
    ///
    /// The time zone files in `zoneFolder` are checked before Foundation's list of time zones, because the list needs
    /// more memory.
    static func problem(timeZone name: String) -> String? {
        if isFixedOffset(name) { return nil }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain =
            (1...3).contains(parts.count)
            && parts.allSatisfy { part in
                part.first?.isLetter == true
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_+-".contains($0)) }
            }
        if isPlain, !["posix", "right"].contains(parts[0]) {
            if isZoneFile("\(zoneFolder)/\(name)") { return nil }
            if TimeZone.knownTimeZoneIdentifiers.contains(name) { return nil }
        }
        let offset = "GMT" + name.filter { $0 != ":" }
        return "'\(name)' is not a time zone such as Europe/Berlin or UTC"
            + EditDistance.hint(
                for: name,
                among: TimeZone.knownTimeZoneIdentifiers,
                else: isFixedOffset(offset) ? "; did you mean '\(offset)'?" : ""
            )
    }

    /// Returns an error message if a locale identifier is invalid, and nil otherwise.
    ///
    /// The script may be omitted: `zh_TW` is `zh_Hant_TW`.
    static func problem(locale identifier: String) -> String? {
        let plain = identifier.replacing("-", with: "_")
        if plain == TidingsConfiguration.defaultLocale { return nil }
        let known = Locale.availableIdentifiers
        if known.contains(plain) || known.contains(where: { withoutScript($0) == plain }) { return nil }
        return "'\(identifier)' is not a known locale such as en_US or de_DE"
            + EditDistance.hint(for: plain, among: known, else: "")
    }

    /// Returns a locale identifier without its script, which has four letters: `zh_TW` for `zh_Hant_TW`.
    private static func withoutScript(_ identifier: String) -> String {
        let parts = identifier.split(separator: "_")
        guard parts.count > 2, parts[1].count == 4 else { return identifier }
        return "\(parts[0])_\(parts[2...].joined(separator: "_"))"
    }

    /// Returns whether a name is `GMT+HHMM` or `GMT-HHMM`, a zone without daylight saving time.
    private static func isFixedOffset(_ name: String) -> Bool {
        guard let match = name.wholeMatch(of: /GMT[+-]([0-9]{2})([0-9]{2})/), let hours = Int(match.1),
            let minutes = Int(match.2)
        else { return false }
        return minutes < 60 && hours * 60 + minutes <= 14 * 60
    }

    private static func isZoneFile(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 4)) == Data("TZif".utf8)
    }
}
