// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import WidgetSchema

/// The pictures of widgets, as the layout service draws them.
final class BusPictures: PictureProvider {
    /// The timeout of a request to the layout service.
    private static let timeout: Duration = .seconds(5)

    private let client: BusClient

    init(_ client: BusClient) { self.client = client }

    func picture(of request: PictureRequest, completion: @escaping @Sendable (Data?) -> Void) {
        var render = RenderRequest(widget: request.widget, display: request.display)
        render.sequence = request.sequence
        render.format = .png
        let (client, body) = (client, render)
        Task {
            let answer = try? await client.ask(RequestTarget(.layout), body, deadline: Self.timeout)
            completion(answer.flatMap { Self.picture($0.result, $0.contents, of: request) })
        }
    }

    /// Returns the picture of an answer; nil if it is that of a later cycle that looks different.
    ///
    /// The layout service has the last cycles only, and answers with the latest one if it no longer has the requested one.
    static func picture(_ answer: RenderAnswer, _ contents: [Data], of request: PictureRequest) -> Data? {
        answer.sequence == request.sequence || answer.digest.description == request.digest ? contents.first : nil
    }
}
