// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The names of time zones in words, as in .NET and in JavaScript: `W. Europe Standard Time`, `Eastern Daylight Time`.
enum LongZoneNames {
    /// Returns the offset of a zone in minutes east of Greenwich; nil if the name is unknown.
    ///
    /// The name must be in lower case. Daylight and summer time are an hour ahead of standard time, except for
    /// `GMT Daylight Time`: programs that write it mean GMT.
    static func offset(of name: String) -> Int64? {
        guard name.hasSuffix(ending) else { return nil }
        let words = name.dropLast(ending.count).split(separator: " ", omittingEmptySubsequences: true)
        guard let last = words.last else { return nil }
        let isSummer = last == "daylight" || last == "summer"
        let isForm = isSummer || last == "standard" || last == "mean" || last == "winter"
        let zone = (isForm ? words.dropLast() : words[...]).joined(separator: " ")
        guard let offset = offsets[zone] else { return nil }
        return isSummer && zone != "gmt" ? offset + 60 : offset
    }

    private static let ending = " time"

    /// The offsets of standard time, in minutes east of Greenwich.
    private static let offsets: [String: Int64] = [
        "gmt": 0, "greenwich": 0, "british": 0, "irish": 0, "coordinated universal": 0, "universal": 0, "utc": 0,
        "western european": 0, "western europe": 0, "morocco": 0, "w. europe": 60, "central europe": 60,
        "central european": 60, "romance": 60, "middle european": 60, "w. central africa": 60, "west africa": 60,
        "e. europe": 120, "eastern europe": 120, "eastern european": 120, "fle": 120, "gtb": 120, "egypt": 120,
        "israel": 120, "jordan": 120, "middle east": 120, "syria": 120, "south africa": 120, "central africa": 120,
        "kaliningrad": 120, "turkey": 180, "arab": 180, "arabic": 180, "e. africa": 180, "east africa": 180,
        "russian": 180, "moscow": 180, "belarus": 180, "iran": 210, "arabian": 240, "gulf": 240, "azerbaijan": 240,
        "georgian": 240, "caucasus": 240, "afghanistan": 270, "west asia": 300, "pakistan": 300, "ekaterinburg": 300,
        "india": 330, "sri lanka": 330, "nepal": 345, "central asia": 360, "bangladesh": 360, "myanmar": 390,
        "se asia": 420, "indochina": 420, "western indonesia": 420, "n. central asia": 420, "north asia": 420,
        "china": 480, "singapore": 480, "taipei": 480, "hong kong": 480, "philippine": 480, "w. australia": 480,
        "australian western": 480, "north asia east": 480, "ulaanbaatar": 480, "tokyo": 540, "japan": 540,
        "korea": 540, "korean": 540, "yakutsk": 540, "cen. australia": 570, "aus central": 570,
        "australian central": 570, "aus eastern": 600, "e. australia": 600, "australian eastern": 600,
        "tasmania": 600, "west pacific": 600, "vladivostok": 600, "central pacific": 660, "magadan": 660,
        "new zealand": 720, "fiji": 720, "azores": -60, "cape verde": -60, "mid-atlantic": -120, "greenland": -180,
        "e. south america": -180, "brasilia": -180, "sa eastern": -180, "argentina": -180, "montevideo": -180,
        "newfoundland": -210, "atlantic": -240, "sa western": -240, "pacific sa": -240, "chile": -240,
        "paraguay": -240, "venezuela": -240, "central brazilian": -240, "eastern": -300, "us eastern": -300,
        "sa pacific": -300, "colombia": -300, "peru": -300, "central": -360, "central america": -360,
        "canada central": -360, "mountain": -420, "us mountain": -420,
        "pacific": -480, "alaskan": -540, "alaska": -540, "hawaiian": -600, "hawaii-aleutian": -600, "samoa": 780,
    ]
}
