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
            let start = bytes.prefix(prologBytes)
            guard start.first(where: { $0 > 32 }) == UInt8(ascii: "<") else { return false }
            return start.indices.contains {
                start[$0] == UInt8(ascii: "<") && start[$0...].dropFirst().starts(with: "plist".utf8)
            }
        }
    }

    /// Returns a property list, binary or XML, converted to JSON.
    static func json(
        _ bytes: [UInt8],
        documentURL: String,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> [UInt8] {
        BinaryPropertyList.isBinaryPropertyList(bytes)
            ? try BinaryPropertyList.json(bytes, documentURL: documentURL, work: work)
            : try XMLPropertyList.json(bytes, documentURL: documentURL, work: work)
    }
}
