// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import LayoutEngine
import WidgetSchema

/// A picture that somebody asked for, and what the answer says beside it.
struct PaintJob: Hashable, Sendable {
    let reply: LayoutCore.ReplyID
    let picture: Picture
    /// Not `layout`, which is no picture.
    let format: RenderFormat
    let answer: RenderAnswer
    /// When nobody waits for it any more.
    let deadline: Instant

    /// The answer's JSON and the frame behind it.
    struct Answer: Hashable, Sendable {
        let json: Data
        let picture: Data
    }

    /// Draws it.
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
                "the \(format.rawValue) has \(data.count) bytes, and an answer has room for \(MessageLimits.maximumFrame): "
                    + "ask for svg, or for a smaller display"
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
            throw RequestError(.failed, "the answer \(error)")
        }
    }
}
