// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A builder for a line of text: white space is collapsed to single spaces, and control characters are removed.
struct LineBuilder {
    /// The maximum number of scalars per character, on average over a line.
    ///
    /// A single character may consist of more scalars, but the average character of a text consists of fewer.
    private static let scalarsPerCharacter = 8

    private var bytes: [UInt8] = []
    private let limit: Int
    private let scalarLimit: Int
    private var count = 0
    /// A Boolean value that indicates whether each scalar so far is one character.
    private var isSimple = true
    private var hasPendingSpace = false

    /// Creates an empty line that is full as soon as it has enough scalars for more than `limit` characters.
    init(limit: Int) {
        self.limit = limit
        let (scalars, overflow) = limit.multipliedReportingOverflow(by: Self.scalarsPerCharacter)
        scalarLimit = overflow ? .max : scalars
        bytes.reserveCapacity(min(limit, 512) + 16)
    }

    var isFull: Bool { isSimple ? count > limit : count > scalarLimit }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends valid UTF-8 until the line is full.
    mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < piece.count, !isFull {
            let byte = piece[index]
            if byte > 32, byte < 0x7f {
                addPendingSpace()
                bytes.append(byte)
                count += 1
                index += 1
            } else if byte < 0x80 {
                if PlainText.isSpace(byte) { hasPendingSpace = true }
                index += 1
            } else {
                let (scalar, length) = PlainText.character(piece, at: index)
                append(scalar, piece[index..<(index + length)])
                index += length
            }
        }
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        append(scalar.value, UTF8.encode(scalar) ?? UTF8.EncodedScalar())
    }

    private mutating func append(_ scalar: UInt32, _ encoded: some Collection<UInt8>) {
        if PlainText.isSpace(scalar) {
            hasPendingSpace = true
            return
        }
        // Control characters and the byte order mark are invisible.
        if scalar < 32 || (0x7f..<0xa0).contains(scalar) || scalar == 0xfeff { return }
        addPendingSpace()
        bytes.append(contentsOf: encoded)
        count += 1
        if isSimple, !PlainText.standsAlone(scalar) { isSimple = false }
    }

    private mutating func addPendingSpace() {
        guard hasPendingSpace else { return }
        hasPendingSpace = false
        guard !bytes.isEmpty else { return }
        bytes.append(32)
        count += 1
    }
}
