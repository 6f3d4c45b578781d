// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CLibXML2
internal import Glibc

/// Makes UTF-8 of a document in any encoding.
enum CharacterEncoding {
    /// Encodings are declared within so many bytes.
    private static let declarationBytes = 1024

    /// The charset of a Content-Type header, as written.
    static func charset(ofContentType contentType: String?) -> String? {
        guard let parameters = contentType?.split(separator: ";").dropFirst() else { return nil }
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { PlainText.trimmed(String($0)) }
            guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
            let name = parts[1].filter { $0 != "\"" && $0 != "'" }
            return name.isEmpty ? nil : name
        }
        return nil
    }

    /// A document as it can be read.
    enum Reading {
        /// The bytes are UTF-8, and begin behind a byte order mark.
        case asIs(UnsafeBufferPointer<UInt8>)
        case converted([UInt8])
    }

    /// The document in UTF-8 as XML wants it: without byte order mark and without what `ByteSurvey` cleans away.
    ///
    /// What is UTF-8 and clean, as most documents are, is not copied.
    static func reading(of bytes: UnsafeBufferPointer<UInt8>, charset: String?) -> Reading {
        var survey = ByteSurvey(bytes)
        if let converted = converted(bytes, charset: charset, survey) {
            return converted.withUnsafeBufferPointer { text in
                survey = ByteSurvey(text)
                return .converted(survey.needsCleaning ? ByteSurvey.cleaned(text) : converted)
            }
        }
        let text = bytes.starts(with: mark) ? UnsafeBufferPointer(rebasing: bytes.dropFirst(mark.count)) : bytes
        return survey.needsCleaning ? .converted(ByteSurvey.cleaned(text)) : .asIs(text)
    }

    /// The document in UTF-8, without byte order mark; bytes that mean nothing become U+FFFD.
    static func decode(_ bytes: [UInt8], charset: String?) -> [UInt8] {
        let converted = bytes.withUnsafeBufferPointer { Self.converted($0, charset: charset, ByteSurvey($0)) }
        return converted ?? (bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
    }

    /// The byte order mark of UTF-8.
    private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// The document in UTF-8, or `nil` where it is that already, but for a byte order mark.
    ///
    /// A byte order mark decides; then, whatever is said, bytes that are UTF-8; then HTTP's charset, the XML
    /// declaration, and Windows-1252.
    private static func converted(
        _ bytes: UnsafeBufferPointer<UInt8>,
        charset: String?,
        _ survey: ByteSurvey
    ) -> [UInt8]? {
        if bytes.starts(with: mark) { return survey.isUTF8 ? nil : validUTF8(bytes.dropFirst(mark.count)) }
        if let (name, length) = wideEncoding(bytes) {
            return convert(bytes.dropFirst(length), from: name)
        }
        // Most documents end here, without a look at their names.
        if survey.isUTF8, !survey.hasEscape { return nil }
        let names = [charset, declared(bytes)].compactMap { $0 }
        if survey.isUTF8, !names.contains(where: { $0.lowercased().hasPrefix("iso-2022") }) { return nil }
        for name in names {
            if name.lowercased() == "utf-8" || name.lowercased() == "utf8" { return validUTF8(bytes[...]) }
            if let converted = convert(bytes[...], from: alias(of: name)) { return converted }
        }
        return convert(bytes[...], from: "WINDOWS-1252") ?? validUTF8(bytes[...])
    }

    /// Which encoding a document is read in, and what said so, by the steps of `converted`.
    static func name(of bytes: UnsafeBufferPointer<UInt8>, charset: String?) -> (name: String, reason: String) {
        let survey = ByteSurvey(bytes)
        if bytes.starts(with: mark) { return ("UTF-8", "its byte order mark") }
        if let (name, length) = wideEncoding(bytes) {
            return (name, length > 0 ? "its byte order mark" : "its first bytes")
        }
        let stated = [(charset, "the header Content-Type"), (declared(bytes), "its XML declaration")]
        let names = stated.compactMap { name, reason in name.map { ($0, reason) } }
        let mayBeEscaped = names.contains { $0.0.lowercased().hasPrefix("iso-2022") } && survey.hasEscape
        if survey.isUTF8, !mayBeEscaped {
            guard let other = names.first, !["utf-8", "utf8"].contains(other.0.lowercased()) else {
                return ("UTF-8", names.first?.1 ?? "its bytes are UTF-8")
            }
            return ("UTF-8", "its bytes are UTF-8, whatever \(other.1) says (\(other.0))")
        }
        for (name, reason) in names {
            if ["utf-8", "utf8"].contains(name.lowercased()) {
                return ("UTF-8", "\(reason); not all of its bytes are")
            }
            if convert(bytes[..<0], from: alias(of: name)) != nil { return (alias(of: name), reason) }
        }
        return ("WINDOWS-1252", "nothing that is known says otherwise")
    }

    /// UTF-32 and UTF-16 by their byte order marks, or by the zeros beside a document's first character, with the mark's
    /// length; EBCDIC by that character (XML 1.0, appendix F).
    private static func wideEncoding(_ bytes: UnsafeBufferPointer<UInt8>) -> (String, Int)? {
        guard bytes.count >= 2 else { return nil }
        if bytes.count >= 4 {
            switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
            case (0, 0, 0xfe, 0xff): return ("UTF-32BE", 4)
            case (0xff, 0xfe, 0, 0): return ("UTF-32LE", 4)
            case (0, 0, 0, 0x3c), (0, 0, 0, 0x7b): return ("UTF-32BE", 0)
            case (0x3c, 0, 0, 0), (0x7b, 0, 0, 0): return ("UTF-32LE", 0)
            case (0x4c, 0x6f, 0xa7, 0x94): return ("IBM037", 0)
            default: break
            }
        }
        switch (bytes[0], bytes[1]) {
        case (0xff, 0xfe): return ("UTF-16LE", 2)
        case (0xfe, 0xff): return ("UTF-16BE", 2)
        case (0x3c, 0), (0x7b, 0): return ("UTF-16LE", 0)
        case (0, 0x3c), (0, 0x7b): return ("UTF-16BE", 0)
        default: return nil
        }
    }

    private static func validUTF8(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        Array(String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self).utf8)
    }

    /// The encoding in an XML declaration.
    private static func declared(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let head = Substring(String(decoding: bytes.prefix(declarationBytes), as: UTF8.self))
        guard let start = head.firstRange(of: "<?xml"), let end = head[start.upperBound...].firstRange(of: "?>") else {
            return nil
        }
        let declaration = head[start.upperBound..<end.lowerBound]
        guard let key = declaration.firstRange(of: "encoding") else { return nil }
        let value = declaration[key.upperBound...].drop { $0 == " " || $0 == "=" || $0 == "\t" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        let name = value.dropFirst().prefix { $0 != quote }
        return name.isEmpty ? nil : String(name)
    }

    /// What is meant by names that browsers read as a larger set (https://encoding.spec.whatwg.org).
    private static func alias(of name: String) -> String {
        let name = name.lowercased()
        return switch name.hasPrefix("x-") ? String(name.dropFirst(2)) : name {
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "us-ascii", "ascii", "ansi", "cp1252":
            "WINDOWS-1252"
        case "iso-8859-9", "latin5": "WINDOWS-1254"
        case "iso-8859-11", "tis-620", "windows-874": "CP874"
        case "iso-8859-8-i", "logical": "ISO-8859-8"
        case "gb2312", "gbk", "gb_2312-80", "chinese": "GB18030"
        case "shift_jis", "shift-jis", "sjis", "ms_kanji", "windows-31j": "CP932"
        case "euc-kr", "ks_c_5601-1987", "korean", "windows-949": "CP949"
        case "big5", "big5-hkscs", "cn-big5": "BIG5-HKSCS"
        case "mac-roman", "macintosh", "mac": "MACINTOSH"
        case "mac-cyrillic", "mac-ukrainian": "MAC-CYRILLIC"
        case "koi8", "koi": "KOI8-R"
        case "unicode", "ucs-2": "UTF-16"
        case let other: other
        }
    }

    /// The bytes in UTF-8, or `nil` for an encoding that the C library does not know.
    private static func convert(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, from name: String) -> [UInt8]? {
        guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 2)
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        // iconv does not write to its input, though its type says that it may.
        let input = UnsafeMutableRawBufferPointer(
            mutating: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes))
        )
        input.withMemoryRebound(to: CChar.self) { input in
            var next = input.baseAddress
            var left = input.count
            while left > 0 {
                let (code, written) = buffer.withUnsafeMutableBytes { buffer in
                    var end = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                    var room = buffer.count
                    let converted = iconv(converter, &next, &left, &end, &room)
                    return (converted == -1 ? errno : 0, buffer.count - room)
                }
                result.append(contentsOf: buffer[..<written])
                switch code {
                case 0, E2BIG: continue
                default:
                    // A byte that means nothing here, or the beginning of a character at the end.
                    result.append(contentsOf: [0xef, 0xbf, 0xbd])
                    next = next.map { $0 + 1 }
                    left -= 1
                }
            }
        }
        return result
    }
}
