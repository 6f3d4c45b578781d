// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension String {
    /// Returns the text, cut to at most `limit` characters; nil if the text is empty.
    ///
    /// A cut text ends with an ellipsis, which is one of the `limit` characters. The text is cut at the last space in
    /// the last third of these characters, or inside a word if there is no such space.
    func shortened(to limit: Int) -> String? {
        guard !isEmpty else { return nil }
        guard utf8.count > limit else { return self }
        let cut = PlainText.withBytes(of: self) { Self.cut($0, to: limit) }
        switch cut {
        case .nowhere: return self
        case .at(let offset): return String(self[..<utf8.index(startIndex, offsetBy: offset)]) + "…"
        case .unknown: return shortenedByCharacters(to: limit)
        }
    }

    private enum Cut {
        case nowhere
        /// The text is cut after this number of bytes.
        case at(Int)
        /// The position of the cut is unknown, because only Unicode's rules can determine the characters of the text.
        case unknown
    }

    /// Returns the position at which to cut a text, so that it has at most `limit` characters with its ellipsis.
    ///
    /// Returns `unknown` if several scalars of the text may form one character, and `nowhere` if the text has at most
    /// `limit` characters.
    private static func cut(_ bytes: UnsafeBufferPointer<UInt8>, to limit: Int) -> Cut {
        // The ellipsis takes the place of one character.
        let kept = limit - 1
        let earliest = kept * 2 / 3
        var count = 0
        var keptBytes = 0
        var space: Int?
        var index = 0
        while index < bytes.count {
            let (scalar, length) = PlainText.character(bytes, at: index)
            guard PlainText.standsAlone(scalar) else { return .unknown }
            if count < kept {
                if scalar == 32, count >= earliest { space = index }
                keptBytes = index + length
            }
            count += 1
            index += length
        }
        guard count > limit else { return .nowhere }
        var end = space ?? keptBytes
        while end > 0, bytes[end - 1] == 32 { end -= 1 }
        return .at(end)
    }

    private func shortenedByCharacters(to limit: Int) -> String {
        guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return self }
        var head = self[..<index(before: end)]
        let earliest = head.index(head.startIndex, offsetBy: head.count * 2 / 3)
        if let space = head[earliest...].lastIndex(of: " ") { head = head[..<space] }
        while head.last == " " { head.removeLast() }
        return head + "…"
    }
}
