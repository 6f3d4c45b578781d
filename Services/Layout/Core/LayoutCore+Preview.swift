// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import LayoutEngine
import WidgetSchema

/// Previews: layouts of widgets that do not exist, made from the request alone.
extension LayoutCore {
    /// A widget to preview, with its content.
    struct Preview {
        let shown: ShownContent
        let moment: WidgetMoment
        let displays: [Display]
    }

    mutating func preview(_ request: PreviewRequest, for id: RequesterID, now: Instant) -> [LayoutEffect] {
        guard request.content.kind == request.definition.kind else {
            let (kind, given) = (request.definition.kind.rawValue, request.content.kind.rawValue)
            let text = "The widget is of kind \(kind), but its content is of kind \(given)."
            return [.refuse(id, RequestError(.malformed, text))]
        }
        guard (1...PreviewRequest.maximumDisplays).contains(request.displays.count) else {
            let text = "A preview needs 1 to \(PreviewRequest.maximumDisplays) displays."
            return [.refuse(id, RequestError(.malformed, text))]
        }
        let faults = request.content.faults
        guard faults.isEmpty else {
            return [.refuse(id, RequestError(.malformed, faults.joined(separator: "\n")))]
        }
        guard let frame = try? WireJSON.encode(request.content),
            let digest = ContentDigest(rawValue: SHA256.hexDigest(of: frame))
        else { return [.refuse(id, RequestError(.failed, "The content cannot be encoded."))] }
        let preview = Preview(
            shown: .content(request.content, digest),
            moment: WidgetMoment(
                definition: request.definition,
                interaction: InteractionState(),
                instant: now
            ),
            displays: request.displays
        )
        return begin(.preview(id, preview), now: now)
    }

    /// Returns the layouts of a preview; nil if a drawing of the preview is not in ``drawingCache`` yet.
    mutating func draw(_ preview: Preview) -> PreviewAnswer? {
        let drawings = drawingCache.drawings(of: preview.shown, at: preview.moment, on: preview.displays)
        return drawings.map { drawings in
            PreviewAnswer(
                layouts: zip(preview.displays, drawings).map {
                    PreviewAnswer.Entry(display: $0.name, digest: $1.digest, layout: $1.publishedLayout)
                }
            )
        }
    }
}
