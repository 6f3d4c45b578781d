// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import LayoutEngine
import WidgetSchema

/// A picture to draw for a request, with the metadata of the answer.
struct PaintJob: Hashable, Sendable {
    let reply: LayoutCore.ReplyID
    let picture: Picture
    /// The format of the picture; never `layout`.
    let format: RenderFormat
    let answer: RenderAnswer
    /// The time at which the request expires.
    let deadline: Instant

    /// The two frames of an answer: the JSON, then the picture.
    struct Answer: Hashable, Sendable {
        let json: Data
        let picture: Data
    }

    /// Draws the picture.
    func run(with painter: CairoPainter) throws(RequestError) -> Answer {
        let data: Data
        do throws(RenderingError) {
            switch format {
            case .png: data = try painter.png(of: picture)
            case .svg, .layout: data = SVGWriter.data(of: picture)
            }
        } catch {
            throw RequestError(.refused, "\(error)")
        }
        guard data.count <= MessageLimits.maximumFrame else {
            throw RequestError(
                .refused,
                "The \(format.rawValue) has \(data.count) bytes, but an answer can have at most "
                    + "\(MessageLimits.maximumFrame). Request a smaller display, or svg instead of png."
            )
        }
        var answer = answer
        let pixels = picture.pixels
        answer.picture = RenderedPicture(
            format: format,
            width: pixels.width,
            height: pixels.height,
            bytes: data.count
        )
        do throws(WireError) {
            return Answer(json: try WireJSON.encode(WidgetSchema.Answer.result(answer)), picture: data)
        } catch {
            throw RequestError(.failed, "The picture cannot be sent: \(error).")
        }
    }
}
