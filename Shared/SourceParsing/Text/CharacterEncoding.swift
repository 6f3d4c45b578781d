// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CLibXML2
internal import Glibc

/// The conversion of a document in any encoding to UTF-8.
enum CharacterEncoding {
    /// The maximum number of bytes that are searched for an encoding declaration.
    private static let declarationBytes = 1024

    /// Returns the charset in the value of a Content-Type header, as it is written; nil if there is none.
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

    /// The result of converting a document to UTF-8.
    enum Reading {
        /// The document is already clean UTF-8; the associated value contains its bytes without a byte order mark.
        case asIs(UnsafeBufferPointer<UInt8>)
        case converted([UInt8])
    }

    /// Returns the document in UTF-8 as XML requires: without byte order mark, and cleaned by `ByteSurvey`.
    ///
    /// `charset` is the charset in the header `Content-Type`, if any; see `choose` for its priority. A document that is
    /// already clean UTF-8, as most are, is not copied.
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

    /// Returns the document in UTF-8, without byte order mark; invalid bytes become U+FFFD.
    ///
    /// `charset` is the charset in the header `Content-Type`, if any; see `choose` for its priority.
    static func decode(_ bytes: [UInt8], charset: String?) -> [UInt8] {
        let converted = bytes.withUnsafeBufferPointer { Self.converted($0, charset: charset, ByteSurvey($0)) }
        return converted ?? (bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
    }

    /// The byte order mark of UTF-8.
    private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// An encoding, the evidence for it, and the document in UTF-8.
    ///
    /// `text` is nil if the bytes are already UTF-8, with or without a byte order mark.
    private typealias Choice = (name: String, reason: String, text: [UInt8]?)

    private static func converted(
        _ bytes: UnsafeBufferPointer<UInt8>,
        charset: String?,
        _ survey: ByteSurvey
    ) -> [UInt8]? {
        choose(bytes, charset: charset, survey).text
    }

    /// Returns the name of the encoding in which a document is read, and the evidence for this encoding.
    ///
    /// `charset` is the charset in the header `Content-Type`, if any; see `choose` for its priority.
    static func name(of bytes: UnsafeBufferPointer<UInt8>, charset: String?) -> (name: String, reason: String) {
        let choice = choose(bytes, charset: charset, ByteSurvey(bytes))
        return (choice.name, choice.reason)
    }

    /// Chooses the encoding of a document.
    ///
    /// The following order combines the rules of browsers (https://encoding.spec.whatwg.org), RFC 7303 and feed
    /// readers:
    ///
    /// 1. a byte order mark, or the zero bytes next to the first character;
    /// 2. UTF-8, if all bytes are valid UTF-8, whatever encoding is declared (except ISO 2022);
    /// 3. UTF-8 for JSON (RFC 8259, section 8.1), and for bytes that are UTF-8 with few errors;
    /// 4. the first of these two in which all bytes are valid: the charset in `Content-Type`, the encoding in the XML
    ///    declaration;
    /// 5. the first known encoding of the two in step 4, even if some bytes are invalid in it;
    /// 6. Windows-1252.
    private static func choose(
        _ bytes: UnsafeBufferPointer<UInt8>,
        charset: String?,
        _ survey: ByteSurvey
    ) -> Choice {
        if bytes.starts(with: mark) {
            return ("UTF-8", "its byte order mark", survey.isUTF8 ? nil : validUTF8(bytes.dropFirst(mark.count)))
        }
        if let (name, length) = wideEncoding(bytes), let text = convert(bytes.dropFirst(length), from: name)?.text {
            return (name, length > 0 ? "its byte order mark" : "its first bytes", text)
        }
        let first = bytes.first { $0 > 32 }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        // Most documents return here, before the declared names are compared.
        if survey.isUTF8, !survey.hasEscape || isJSON { return ("UTF-8", "its bytes are UTF-8", nil) }
        if isJSON { return ("UTF-8", "it is JSON; not all of its bytes are UTF-8", validUTF8(bytes[...])) }
        let declared = declared(bytes)
        let names = [(charset, "the header Content-Type"), (declared, "its XML declaration")].compactMap {
            name,
            reason in
            name.map { (name: EncodingName.standard($0), reason: reason) }
        }
        if survey.isUTF8, !names.contains(where: { $0.name.hasPrefix("ISO-2022") }) {
            return ("UTF-8", "its bytes are UTF-8", nil)
        }
        if !survey.isUTF8, ByteSurvey.isMostlyUTF8(bytes) {
            return ("UTF-8", "nearly all of its bytes are UTF-8", validUTF8(bytes[...]))
        }
        var known: Choice?
        for (name, reason) in names {
            if name == "UTF-8" {
                known = known ?? ("UTF-8", "\(reason), but not all bytes are valid in it", validUTF8(bytes[...]))
            } else if let (text, errors) = convert(bytes[...], from: name) {
                if errors == 0 { return (name, reason, text) }
                known = known ?? (name, "\(reason), but not all bytes are valid in it", text)
            }
        }
        if let known { return known }
        let text = convert(bytes[...], from: "WINDOWS-1252")?.text
        return ("WINDOWS-1252", "the default, because no known encoding is declared", text ?? validUTF8(bytes[...]))
    }

    /// Detects UTF-32 and UTF-16 by their byte order marks or by zero bytes next to the first character, and EBCDIC by
    /// the first characters (XML 1.0, appendix F).
    ///
    /// Returns the name of the encoding, and the length of the byte order mark in bytes, which is 0 if there is none.
    /// Returns nil for any other encoding.
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

    /// Returns the name of the encoding in the XML declaration; nil if there is none.
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

    /// Returns the bytes in UTF-8, and the number of invalid places, which became U+FFFD; nil if the C library does not
    /// know the encoding.
    private static func convert(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>,
        from name: String
    ) -> (text: [UInt8], errors: Int)? {
        guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        // After invalid bytes, decoding continues at the next code unit, so an unpaired surrogate becomes one U+FFFD.
        let unit = name.hasPrefix("UTF-32") ? 4 : name.hasPrefix("UTF-16") ? 2 : 1
        var errors = 0
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 2)
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        // iconv does not write to its input, although the type allows it.
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
                    // An invalid byte, or an incomplete character at the end.
                    result.append(contentsOf: [0xef, 0xbf, 0xbd])
                    errors += 1
                    let passed = min(unit, left)
                    next = next.map { $0 + passed }
                    left -= passed
                }
            }
        }
        return (result, errors)
    }
}
