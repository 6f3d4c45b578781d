// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// A request for pictures of one layout, without their format.
struct PictureOrder: Sendable {
    /// The request to the layout service; its format is nil.
    let request: RenderRequest
    /// The current layout engine; nil if no instance of the layout service is live.
    let engine: LayoutInstances.Engine?
    let links: LinkFilter

    /// The request for whatever cycle: the widget, the display and the options.
    var subject: RenderRequest {
        var subject = request
        subject.sequence = nil
        return subject
    }
}

/// The identity of a layout that the layout service drew.
struct DrawnLayout: Hashable, Sendable {
    let digest: ContentDigest
    /// The sequence number of the cycle that was drawn; it is later than requested if that cycle is no longer stored.
    let sequence: SequenceNumber
    /// The values besides the digest that determine the pixels of a picture.
    let surface: String
    /// A Boolean value that indicates whether the engine of the layout is older than the current one, or has other fonts.
    let isOutdated: Bool
    /// The earliest time of the picture's last change, in Unix seconds; nil if only the digest has ever changed.
    ///
    /// If ``surface`` changes and the digest does not, no update tells the time; it is the time at which this gateway
    /// noticed that. Later changes have later times.
    var notBefore: Int64?

    /// Creates the identity of the layout in an answer; `order` is the order that was answered.
    init(_ answer: RenderAnswer, to order: PictureOrder) {
        digest = answer.digest
        sequence = answer.sequence
        if let engine = answer.engine, let family = answer.family, let scale = answer.scale {
            surface = "\(engine.version) \(engine.fonts?.rawValue ?? "-") \(family.rawValue) \(scale)"
            isOutdated = order.engine?.accepts(engine) == false
        } else {
            // The layout service is of an earlier version, and does not tell for what it drew. So its pictures are not
            // shared with other orders.
            let subject = order.subject
            let text = (try? WireJSON.encode(subject)).map { String(decoding: $0, as: UTF8.self) } ?? "\(subject)"
            surface = "\(order.engine?.version ?? 0) \(text)"
            isOutdated = false
        }
    }
}
