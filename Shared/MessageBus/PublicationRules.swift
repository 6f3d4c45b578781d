// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
package import WidgetSchema

/// The rules for published messages: the topic must be known, and the number and the sizes of the frames must be
/// allowed for this topic.
///
/// Publishers check before they send, and the bus checks before it forwards. A check neither copies nor allocates.
package struct PublicationRules: Sendable {
    /// The reason why a message is rejected.
    package enum Refusal: String, CaseIterable, Sendable {
        case unknownTopic
        case wrongFrames
        case tooLarge
    }

    private struct Kind {
        let prefix: [UInt8]
        /// The maximum size in bytes of each frame of a message whose topic begins with `prefix`.
        ///
        /// This limit does not apply to frame 0, which contains the topic.
        let limit: Int
        let carriesContent: Bool
    }

    private let kinds: [Kind]

    package init() {
        func kind(_ prefix: String, limit: Int, carriesContent: Bool = false) -> Kind {
            Kind(prefix: Array(prefix.utf8), limit: limit, carriesContent: carriesContent)
        }
        // `health/` and `~ready/` are missing: only the bus publishes those.
        kinds = [
            kind(Topic.Prefix.update, limit: MessageLimits.clientFrame),
            kind(Topic.Prefix.layout, limit: MessageLimits.clientFrame),
            kind(Topic.Prefix.laidOut, limit: MessageLimits.internalFrame),
            kind(Topic.Prefix.refreshed, limit: MessageLimits.internalFrame, carriesContent: true),
            kind(Topic.Prefix.fetched, limit: MessageLimits.internalFrame, carriesContent: true),
            kind(Topic.Prefix.heads, limit: MessageLimits.clientFrame),
            kind(Topic.Prefix.schedule, limit: MessageLimits.clientFrame),
        ]
    }

    /// Returns the reason to reject a message; nil if the message is allowed.
    ///
    /// `sizeOfFrame` returns the size in bytes of frame 1 and later; frame 0 is the topic.
    package func refusal(
        topic: UnsafeRawBufferPointer,
        frameCount: Int,
        sizeOfFrame: (Int) -> Int
    ) -> Refusal? {
        guard topic.count <= BusLimits.topic, topic.last == UInt8(ascii: "/"),
            let kind = kinds.first(where: { Self.begins(topic, with: $0.prefix) })
        else { return .unknownTopic }
        guard frameCount == 2 || (frameCount > 2 && frameCount <= FrameBuffer.capacity && kind.carriesContent) else {
            return .wrongFrames
        }
        for index in 1..<frameCount where sizeOfFrame(index) > kind.limit { return .tooLarge }
        return nil
    }

    private static func begins(_ topic: UnsafeRawBufferPointer, with prefix: [UInt8]) -> Bool {
        guard topic.count > prefix.count, let base = topic.baseAddress else { return false }
        return prefix.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memcmp(base, $0, bytes.count) == 0 } ?? true
        }
    }

    package func refusal(_ topic: Topic, _ frames: [Data]) -> Refusal? {
        var text = topic.text
        return text.withUTF8 { bytes in
            refusal(topic: UnsafeRawBufferPointer(bytes), frameCount: frames.count + 1) { frames[$0 - 1].count }
        }
    }
}
