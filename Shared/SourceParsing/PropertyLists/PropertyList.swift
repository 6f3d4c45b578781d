// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import FoundationEssentials

/// Property lists, which apps of Apple's platforms write, in either of their formats.
enum PropertyList {
    /// So far into a document its root element begins.
    private static let prologBytes = 1024

    /// Whether bytes begin as a property list does.
    static func isOne(_ bytes: Data) -> Bool {
        if bytes.starts(with: BinaryPropertyList.magic) { return true }
        let start = bytes.prefix(prologBytes)
        guard start.first(where: { $0 > 32 }) == UInt8(ascii: "<") else { return false }
        return start.indices.contains {
            start[$0] == UInt8(ascii: "<") && start[$0...].dropFirst().starts(with: "plist".utf8)
        }
    }

    /// The JSON that says the same as a property list, binary or XML.
    static func json(
        _ bytes: [UInt8],
        documentURL: String,
        work: ParsingWork = ParsingWork()
    ) throws(ParsingError) -> [UInt8] {
        BinaryPropertyList.isOne(bytes)
            ? try BinaryPropertyList.json(bytes, documentURL: documentURL, work: work)
            : try XMLPropertyList.json(bytes, documentURL: documentURL, work: work)
    }
}
