// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id of a server-sent event, `EPOCH-OFFSET`: everything up to that offset was sent.
struct StreamID: Hashable, Sendable, CustomStringConvertible {
    static let maximumEpochLength = 64

    /// Names one numbering of offsets; an id of another one cannot be resumed from.
    let epoch: String
    let offset: UInt64

    init(epoch: String, offset: UInt64) {
        self.epoch = epoch
        self.offset = offset
    }

    /// Returns nil if the text is no id.
    init?(_ text: String) {
        guard let dash = text.lastIndex(of: "-"), let offset = UInt64(text[text.index(after: dash)...]) else {
            return nil
        }
        let epoch = text[..<dash]
        guard (1...Self.maximumEpochLength).contains(epoch.utf8.count),
            epoch.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0) })
        else { return nil }
        self.init(epoch: String(epoch), offset: offset)
    }

    var description: String { "\(epoch)-\(offset)" }
}
