// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import LayoutEngine
import WidgetSchema

/// The contents of recent cycles by digest, for later cycles that have the same content.
struct ContentMemory {
    /// The maximum total size of the contents as JSON, in bytes.
    static let maximumBytes = 64 * 1024 * 1024
    static let maximumWidgets = 65_536

    private struct Held {
        let content: ShownContent
        let bytes: Int
        /// The number of widgets that have this content as their latest content.
        var users = 0
    }

    private var contents: BoundedMemory<ContentDigest, Held>
    /// The digest of the content that each widget showed last.
    private var latest = BoundedMemory<WidgetID, ContentDigest>(limit: ContentMemory.maximumWidgets)

    init(maximumBytes: Int = ContentMemory.maximumBytes) {
        contents = BoundedMemory(limit: maximumBytes)
    }

    var forgotten: Int64 { contents.forgotten }

    var count: Int { contents.count }

    /// Returns the decoded content of a frame; nil if the digest of the frame is not `digest`.
    ///
    /// If the digest is correct, but the frame cannot be decoded, returns `ShownContent.unreadable`.
    static func read(_ frame: Data, as digest: ContentDigest) -> ShownContent? {
        guard SHA256.hexDigest(of: frame) == digest.rawValue else { return nil }
        do {
            return .content(try WireJSON.decode(Content.self, from: frame), digest)
        } catch {
            return .unreadable(digest)
        }
    }

    /// Stores the content of a frame; returns false if the digest of the frame is not `digest`.
    mutating func remember(_ frame: Data, as digest: ContentDigest) -> Bool {
        // Widgets of the same source can have the same content; it is decoded only once.
        if contents.value(for: digest) != nil { return true }
        guard let content = Self.read(frame, as: digest) else { return false }
        remember(content, as: digest, bytes: frame.count)
        return true
    }

    /// Stores a decoded content; `bytes` is the size of its frame in bytes.
    mutating func remember(_ content: ShownContent, as digest: ContentDigest, bytes: Int) {
        let users = contents.value(for: digest)?.users ?? 0
        contents.remember(Held(content: content, bytes: bytes, users: users), for: digest, cost: bytes)
    }

    /// Records that a widget shows the content with the digest `digest`.
    ///
    /// The widget's previous content is dropped unless another widget shows it. If a cycle with the dropped content
    /// arrives late, the content is requested from the cache.
    mutating func note(_ digest: ContentDigest, for widget: WidgetID) {
        let known = latest.value(for: widget)
        guard known != digest else { return }
        latest.remember(digest, for: widget)
        addUsers(1, to: digest)
        if let known { addUsers(-1, to: known) }
    }

    private mutating func addUsers(_ change: Int, to digest: ContentDigest) {
        guard var held = contents.value(for: digest) else { return }
        held.users += change
        if held.users > 0 {
            contents.remember(held, for: digest, cost: held.bytes)
        } else {
            contents.forget(digest)
        }
    }

    /// Returns the content that a cycle shows; nil if the content must be requested from the cache.
    ///
    /// `others` are additional contents to search, such as the contents in an answer of the cache.
    mutating func shown(
        by refreshed: Refreshed,
        beside others: [ContentDigest: ShownContent] = [:]
    ) -> ShownContent? {
        guard refreshed.contentSequence != nil else {
            if refreshed.isMissing == true, refreshed.isRefreshing != true { return .missing }
            return ShownContent.none(
                isRefreshing: refreshed.isRefreshing ?? false,
                attemptFailed: refreshed.outcome == .failed || refreshed.failure != nil
            )
        }
        return refreshed.content.flatMap { others[$0.digest] ?? contents.value(for: $0.digest)?.content }
    }
}
