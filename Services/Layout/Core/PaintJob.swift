// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import LayoutEngine
import WidgetSchema

/// A picture to paint for a request, with the metadata of the answer.
struct PaintJob: Hashable, Sendable {
    /// The subject of a picture.
    enum Subject: Hashable, Sendable {
        case widget(Picture, RenderAnswer)
        /// A board, with the engine of this instance.
        case board(BoardRequest, LayoutEngineVersion)
    }

    let reply: RequesterID
    let subject: Subject
    /// The format of the picture; never `layout`.
    let format: RenderFormat
    /// The time at which the request expires.
    let deadline: Instant

    /// The two frames of an answer: the JSON, then the picture.
    struct Answer: Hashable, Sendable {
        let json: Data
        let picture: Data
    }

    /// The tools of the thread that paints pictures.
    final class Tools {
        let painter: CairoPainter
        /// The composer, which is created for the first board: many services paint none.
        private(set) lazy var composer = BoardComposer()

        init(painter: CairoPainter = CairoPainter()) { self.painter = painter }
    }

    /// Draws the picture.
    func run(with tools: Tools) throws(RequestError) -> Answer {
        let picture: Picture
        switch subject {
        case .widget(let drawn, _): picture = drawn
        case .board(let request, _): picture = tools.composer.picture(request)
        }
        let data = try bytes(of: picture, tools.painter)
        let (width, height) = picture.pixels
        let rendered = RenderedPicture(format: format, width: width, height: height, bytes: data.count)
        do throws(WireError) {
            switch subject {
            case .widget(_, var answer):
                answer.picture = rendered
                return Answer(json: try WireJSON.encode(WidgetSchema.Answer.result(answer)), picture: data)
            case .board(let request, let engine):
                let answer = BoardAnswer(
                    board: request.board.id,
                    revision: request.board.revision,
                    picture: rendered,
                    engine: engine
                )
                return Answer(json: try WireJSON.encode(WidgetSchema.Answer.result(answer)), picture: data)
            }
        } catch {
            throw RequestError(.failed, "The picture cannot be sent: \(error).")
        }
    }

    private func bytes(of picture: Picture, _ painter: CairoPainter) throws(RequestError) -> Data {
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
        return data
    }
}
