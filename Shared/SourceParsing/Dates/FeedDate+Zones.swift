// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension FeedDate {
    /// Returns the offset of a time zone in minutes east of Greenwich; nil if the name of the zone is unknown.
    static func zone(_ word: String) -> Int64? {
        if word.utf8.count == 1 {
            // The military letters were specified incorrectly and all count as UTC (RFC 5322, section 4.3).
            return word == "j" ? nil : 0
        }
        return zones[word]
    }

    /// Returns the zone that a comment or the end of a date names; nil if the name is unknown.
    static func zone(named name: String) -> DateZone? {
        var cursor = DateCursor(Array(name.utf8))
        cursor.skipSpaces()
        if let offset = cursor.offset(), cursor.isAtEnd { return .offset(offset) }
        guard let zone = cursor.zone() else { return nil }
        if case .offset(let minutes) = zone, let more = cursor.offset(), cursor.isAtEnd {
            // `GMT+7` means seven hours east of Greenwich.
            return .offset(minutes + more)
        }
        return cursor.isAtEnd ? zone : nil
    }

    private static let zones: [String: Int64] = [
        "gmt": 0, "utc": 0, "ut": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "met": 60, "mez": 60, "cest": 120,
        "mest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "msd": 240, "ist": 330, "hkt": 480, "sgt": 480,
        "awst": 480, "jst": 540, "kst": 540, "acst": 570, "acdt": 630, "aest": 600, "aedt": 660, "nzst": 720,
        "nzdt": 780, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480,
        "pdt": -420, "akst": -540, "akdt": -480, "hst": -600, "ast": -240, "adt": -180, "nst": -210, "ndt": -150,
        "brt": -180, "brst": -120, "art": -180, "clt": -240, "clst": -180, "pet": -300, "cot": -300, "vet": -240,
        "uyt": -180, "azot": -60, "cvt": -60, "wat": 60, "cat": 120, "sast": 120, "eat": 180, "trt": 180, "idt": 180,
        "irst": 210, "gst": 240, "samt": 240, "pkt": 300, "uzt": 300, "yekt": 300, "npt": 345, "bdt": 360, "omst": 360,
        "ict": 420, "wib": 420, "krat": 420, "novt": 420, "pht": 480, "myt": 480, "wita": 480, "irkt": 480, "wit": 540,
        "yakt": 540, "chst": 600, "vlat": 600, "magt": 660, "fjt": 720, "sst": -660, "akt": -540, "hadt": -540,
        "hdt": -540, "z": 0, "tu": 0, "мск": 180, "et": -300, "ct": -360, "mt": -420, "pt": -480,
    ]
}
