// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Text that can be shown as it is: no line breaks, no control characters, single spaces, a bounded length.
struct DisplayText: Hashable, Sendable {
    /// More than the widest display shows, so that no text costs more to measure than this.
    static let maximumScalars = 1000

    let string: String

    init(_ raw: String) {
        if Self.isPlain(raw) {
            string = raw
            return
        }
        var scalars = String.UnicodeScalarView()
        var count = 0
        var spaceIsDue = false
        for scalar in raw.unicodeScalars {
            if Self.isSpace(scalar) {
                spaceIsDue = count > 0
            } else if !Self.isInvisible(scalar) {
                if spaceIsDue {
                    scalars.append(" ")
                    count += 1
                    spaceIsDue = false
                }
                guard count < Self.maximumScalars else {
                    scalars.append("…")
                    break
                }
                scalars.append(scalar)
                count += 1
            }
        }
        string = String(scalars)
    }

    var isEmpty: Bool { string.isEmpty }

    /// Whether a text is short and of ASCII's visible characters with single spaces between, as most are: it is shown as
    /// it is, and nothing about its scalars needs to be looked up.
    private static func isPlain(_ raw: String) -> Bool {
        var raw = raw
        return raw.withUTF8 { bytes in
            guard bytes.count <= maximumScalars, bytes.last != 0x20 else { return false }
            var previous: UInt8 = 0x20
            for byte in bytes {
                guard (0x20...0x7E).contains(byte), byte != 0x20 || previous != 0x20 else { return false }
                previous = byte
            }
            return true
        }
    }

    /// What breaks lines or leaves room for a word's end; a no-break space stays as it is.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace && scalar != "\u{A0}" && scalar != "\u{202F}" && scalar != "\u{2007}"
    }

    /// Control characters, noncharacters and what stands for an object: fonts have boxes for them, or nothing.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
            || scalar == "\u{FEFF}" || scalar == "\u{FFFC}" || scalar == "\u{AD}"
    }
}
