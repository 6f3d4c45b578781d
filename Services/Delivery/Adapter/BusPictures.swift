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

    func picture(
        of widget: WidgetID,
        on display: DisplayName,
        sequence: SequenceNumber,
        completion: @escaping @Sendable (Data?) -> Void
    ) {
        var request = RenderRequest(widget: widget, display: display)
        request.sequence = sequence
        request.format = .png
        let (client, body) = (client, request)
        Task {
            let answer = try? await client.ask(RequestTarget(.layout), body, deadline: Self.timeout)
            completion(answer.flatMap { Self.picture($0.result, $0.contents, of: sequence) })
        }
    }

    /// Returns the picture of an answer; nil if it shows another cycle, because the layout service no longer has this one.
    static func picture(_ answer: RenderAnswer, _ contents: [Data], of sequence: SequenceNumber) -> Data? {
        answer.sequence == sequence ? contents.first : nil
    }
}
