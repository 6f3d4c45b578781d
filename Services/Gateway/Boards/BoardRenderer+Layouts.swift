// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WebServer
import WidgetSchema

extension BoardRenderer {
    /// The requests to the layout service.
    struct Layouts: Sendable {
        var layout: @Sendable (RenderRequest) async throws(Problem) -> RenderAnswer
        var paint: @Sendable (BoardRequest) async throws(Problem) -> (result: BoardAnswer, contents: [Data])

        /// Returns the bytes of a board's picture.
        ///
        /// `current` is the current layout engine; nil if no instance of the layout service is live. Throws if an older engine,
        /// or one with other fonts, drew the picture.
        func picture(
            _ request: BoardRequest,
            for current: LayoutInstances.Engine?
        ) async throws(Problem) -> Data {
            let (answer, contents) = try await paint(request)
            guard let bytes = contents.first, bytes.count == answer.picture.bytes,
                answer.revision == request.board.revision
            else {
                throw Problem(
                    502,
                    "no-picture",
                    "The layout service sent no picture.",
                    "The layout service may be older than the gateway; update the layout service."
                )
            }
            if let current, !current.accepts(answer.engine) {
                throw Problem(
                    503,
                    "older-layout-engine",
                    "The layout service is being upgraded.",
                    "An instance with an older layout engine drew board '\(request.board.id)'; repeat the request in a second.",
                    headers: [WebHeader("Retry-After", "1")]
                )
            }
            return bytes
        }
    }
}
