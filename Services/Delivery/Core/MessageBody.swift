// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

/// The bytes of messages.
enum MessageBody {
    /// The number of hexadecimal digits of a message's id.
    private static let idDigits = 32

    /// The digests of bodies; that of the last one is kept, because an update has the same body for all destinations.
    struct Digests: Sendable {
        private var last: (body: Data, digest: String)?

        mutating func digest(of body: Data) -> String {
            if let last, last.body == body { return last.digest }
            let digest = SHA256.hexDigest(of: body)
            last = (body, digest)
            return digest
        }
    }

    /// Returns the id of a message: the same destination and body have the same id, others have another one.
    static func id(_ bodyDigest: String, to destination: DestinationName) -> String {
        "msg_" + SHA256.hexDigest(of: destination.rawValue + "\n" + bodyDigest).prefix(idDigits)
    }

    /// Returns the bytes of the message for a content.
    ///
    /// They are those of the received event, unless it covers more cycles or changes than that. `pictures` is the base address of
    /// a gateway; the body has the extension attribute `pictureurl` then.
    static func bytes(_ content: MessageContent, of subject: DeliverySubject, pictures: String?) -> Data {
        var json = content.json
        if content.isMerged, case .widget(let widget) = subject { json = merged(content, of: widget) ?? json }
        guard let pictures, let address = address(content, of: subject, base: pictures),
            let end = json.lastIndex(of: UInt8(ascii: "}"))
        else { return json }
        // A valid address has no character that JSON escapes.
        return json.prefix(upTo: end) + Data(#","pictureurl":"\#(address)"}"#.utf8)
    }

    /// Returns the event with the changes and cycles of a content; nil if they are its own.
    private static func merged(_ content: MessageContent, of widget: WidgetID) -> Data? {
        guard var event = try? WireJSON.decode(Event<Update>.self, from: content.json), let range = event.range,
            content.changed != event.data.changed || content.first < range.first,
            let covered = SequenceRange(first: min(content.first, range.first), sequence: range.sequence)
        else { return nil }
        event.data.changed = content.changed
        event.range = covered
        event.id = "\(Topic.update(event.data.result, widget))\(covered)"
        return try? WireJSON.encode(event)
    }

    private static func address(_ content: MessageContent, of subject: DeliverySubject, base: String) -> String? {
        let base = base.hasSuffix("/") ? String(base.dropLast()) : base
        switch subject {
        case .board(let board): return "\(base)/boards/\(board).png"
        case .widget(let widget):
            guard let display = content.changed.first ?? content.digests.keys.min() else { return nil }
            return "\(base)/widgets/\(widget)/\(display).png"
        }
    }
}
