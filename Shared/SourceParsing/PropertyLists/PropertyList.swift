// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials

/// Functions that recognise the property lists of Apple's platforms, and convert them to JSON.
enum PropertyList {
    /// The number of bytes at the beginning of a document that are searched for the start tag `<plist`.
    ///
    /// A document without this tag in these bytes is not recognised as an XML property list.
    private static let prologBytes = 1024

    /// Returns whether bytes begin like a property list.
    static func isPropertyList(_ bytes: Data) -> Bool {
        if bytes.starts(with: BinaryPropertyList.magic) { return true }
        return bytes.withUnsafeBytes { bytes in
            // A loop over the bytes themselves is a hundred times as fast as one over a slice and its indices.
            let start = UnsafeRawBufferPointer(rebasing: bytes.prefix(prologBytes))
            guard start.first(where: { $0 > 32 }) == UInt8(ascii: "<") else { return false }
            for index in 0..<start.count where start[index] == UInt8(ascii: "<") {
                if start[index...].dropFirst().starts(with: "plist".utf8) { return true }
            }
            return false
        }
    }

    /// Returns a property list, binary or XML, converted to JSON.
    static func json(_ bytes: [UInt8], work: ParsingWork = ParsingWork()) throws(ParsingError) -> [UInt8] {
        BinaryPropertyList.isBinaryPropertyList(bytes)
            ? try BinaryPropertyList.json(bytes, work: work) : try XMLPropertyList.json(bytes, work: work)
    }
}
