// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The names of character encodings that documents declare.
enum EncodingName {
    /// Returns the name of the encoding that browsers use if a document declares `label`; it is often a superset of the
    /// declared encoding (https://encoding.spec.whatwg.org).
    ///
    /// Case and punctuation do not matter: `cp-1251`, `Windows_1251` and `win1251` are the same. The result for an unknown
    /// label is the label in lower case.
    static func standard(_ label: String) -> String {
        var label = label.lowercased()
        if label.hasPrefix("x-") { label.removeFirst(2) }
        let compact = label.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return known[compact] ?? iso8859(compact) ?? codePage(compact) ?? iso2022(compact) ?? label
    }

    private static let known: [String: String] = Dictionary(
        uniqueKeysWithValues: [
            "WINDOWS-1252": "latin1 l1 usascii ascii ansi iso646us ansix341968",
            "WINDOWS-1254": "latin5 l5",
            "CP874": "tis620 thai",
            "ISO-8859-2": "latin2 l2",
            "ISO-8859-3": "latin3 l3",
            "ISO-8859-4": "latin4 l4",
            "ISO-8859-5": "cyrillic",
            "ISO-8859-6": "arabic",
            "ISO-8859-7": "greek greek8",
            "ISO-8859-8": "iso88598i iso88598e logical visual hebrew",
            "ISO-8859-10": "latin6 l6",
            "ISO-8859-15": "latin9 l9",
            "ISO-8859-16": "latin10 l10",
            "GB18030": "gb18030 gb2312 gbk gb231280 chinese euccn",
            "CP932": "shiftjis sjis mskanji windows31j csshiftjis",
            "EUC-JP": "eucjp ujis",
            "CP949": "euckr ksc56011987 ksc56011989 ksc5601 korean uhc",
            "BIG5-HKSCS": "big5 big5hkscs cnbig5 csbig5",
            "MACINTOSH": "macroman macintosh mac",
            "MAC-CYRILLIC": "maccyrillic macukrainian",
            "KOI8-R": "koi8r koi8 koi",
            "KOI8-U": "koi8u koi8ru",
            "UTF-8": "utf8 utf8sig utf8mb4 utf8bom unicode11utf8 unicode20utf8",
            "UTF-16": "utf16 unicode ucs2 iso10646ucs2",
            "UTF-16LE": "utf16le ucs2le unicodelittle",
            "UTF-16BE": "utf16be ucs2be unicodebig unicodefffe",
            "UTF-32": "utf32 ucs4",
        ].flatMap { name, labels in labels.split(separator: " ").map { (String($0), name) } }
    )

    /// Returns the name for a label of a part of ISO 8859, such as `iso88592`, `88592` or `iso885921987`.
    private static func iso8859(_ label: String) -> String? {
        guard let mark = label.firstRange(of: "8859"), ["", "iso", "csiso"].contains(label[..<mark.lowerBound]) else {
            return nil
        }
        var part = label[mark.upperBound...]
        // The year of the standard.
        if part.count > 4, part.suffix(4).hasPrefix("19") { part = part.dropLast(4) }
        return switch Int(part) {
        case 1: "WINDOWS-1252"
        case 9: "WINDOWS-1254"
        case 11: "CP874"
        case let number? where (2...16).contains(number): "ISO-8859-\(number)"
        default: nil
        }
    }

    /// Returns the name for a label of a code page of Windows or DOS, such as `cp1251`, `win1251` or `1251`.
    private static func codePage(_ label: String) -> String? {
        let digits = label.drop { !$0.isNumber }
        let prefixes = ["", "cp", "win", "windows", "cswindows", "ms", "ansi", "dos", "oem", "ibm", "codepage"]
        guard prefixes.contains(String(label.dropLast(digits.count))), let number = Int(digits) else { return nil }
        return switch number {
        case 1250...1258: "WINDOWS-\(number)"
        case 936, 54936: "GB18030"
        case 950: "BIG5-HKSCS"
        case 1200: "UTF-16LE"
        case 1201: "UTF-16BE"
        case 10000: "MACINTOSH"
        case 20866: "KOI8-R"
        case 21866: "KOI8-U"
        case 28591...28606: iso8859("8859\(number - 28590)")
        case 51932: "EUC-JP"
        case 51949: "CP949"
        case 65001: "UTF-8"
        default: label.hasPrefix("ibm") ? "IBM\(digits)" : "CP\(digits)"
        }
    }

    /// Returns the name for a label of ISO 2022, such as `iso2022jp`.
    private static func iso2022(_ label: String) -> String? {
        guard label.hasPrefix("iso2022") else { return nil }
        let rest = label.dropFirst("iso2022".count).uppercased()
        let country = rest.prefix(2)
        return "ISO-2022-\(country)" + (rest.count > 2 ? "-\(rest.dropFirst(2))" : "")
    }
}
