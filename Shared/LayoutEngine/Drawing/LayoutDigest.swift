// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import WidgetSchema

/// The SHA-256 digest of everything visible and every action in a layout.
///
/// Invisible frames, names of text styles and the nesting of views do not count: layouts with the same pixels and the
/// same actions have the same digest. Lengths are rounded to thousandths of a point.
enum LayoutDigest {
    /// Returns the digest of a layout.
    ///
    /// `hasContent` is false if hosts should hide the widget. The digest of a hidden widget differs from the digest of
    /// a visible widget with the same layout.
    static func of(_ layout: Layout, hasContent: Bool = true) -> ContentDigest {
        var visible = VisibleBytes()
        visible.append(layout.size.width, layout.size.height)
        visible.append(layout.appearance.rawValue)
        if !hasContent { visible.append("hidden") }
        if let mode = layout.largestMode { visible.append("largest mode " + mode.rawValue) }
        if let link = layout.link { visible.append("link " + link) }
        visible.append(layout.views, x: 0, y: 0)
        return visible.digest
    }

    /// Returns the digest of a row; a row that moves keeps its digest, because its position does not count.
    static func of(row: LayoutView) -> ContentDigest {
        var visible = VisibleBytes()
        visible.append(row.frame.width, row.frame.height)
        visible.append(row, x: -row.frame.x, y: -row.frame.y)
        return visible.digest
    }
}

/// The visible parts of a layout as bytes; each text is preceded by its length.
private struct VisibleBytes {
    private var bytes: [UInt8] = []

    /// Creates an empty value with space for a Today view of six rows, so that the array seldom has to grow.
    init() { bytes.reserveCapacity(4096) }

    var digest: ContentDigest {
        guard let digest = ContentDigest(bytes: SHA256.digest(of: bytes)) else {
            preconditionFailure("the SHA-256 digest does not have 32 bytes")
        }
        return digest
    }

    mutating func append(_ first: Double, _ second: Double) {
        append(bytesOf: (Self.thousandths(first), Self.thousandths(second)))
    }

    mutating func append(_ length: Double) { append(bytesOf: Self.thousandths(length)) }

    mutating func append(_ text: String) {
        text.withBytes { utf8 in
            append(bytesOf: UInt32(truncatingIfNeeded: utf8.count).littleEndian)
            bytes.append(contentsOf: utf8)
        }
    }

    private static func thousandths(_ length: Double) -> Int64 { Int64((length * 1000).rounded()).littleEndian }

    private mutating func append(bytesOf numbers: some BitwiseCopyable) {
        withUnsafeBytes(of: numbers) { bytes.append(contentsOf: $0) }
    }

    /// Appends the visible parts of views that have the same parent.
    ///
    /// `x` and `y` are the coordinates of the parent's origin, in points. They are measured from the origin of the
    /// layout or, in the digest of a single row, from the origin of the row.
    mutating func append(_ views: [LayoutView], x: Double, y: Double) {
        // An iterator and a subscript of an array copy each view.
        views.withUnsafeBufferPointer { views in
            for index in views.indices { append(views[index], x: x, y: y) }
        }
    }

    /// Appends the visible parts of a view and its subviews.
    ///
    /// `x` and `y` are the coordinates of the origin of the view's parent, in points. They are measured from the origin
    /// of the layout or, in the digest of a single row, from the origin of the row.
    mutating func append(_ view: LayoutView, x: Double, y: Double) {
        let frame = Rectangle(
            x: x + view.frame.x,
            y: y + view.frame.y,
            width: view.frame.width,
            height: view.frame.height
        )
        if let action = view.action {
            mark("action", frame)
            switch action {
            case .open(let url): append(url)
            case .command(let command): append(command.name.rawValue + Self.argument(of: command))
            }
        }
        if let text = view.text {
            for line in text.lines {
                append("line")
                append(frame.x + line.x, frame.y + line.baseline)
                append(line.text)
                append(text.font.size)
                append(text.font.weight.rawValue)
                append(text.font.italic ? "italic" : "")
                append(text.color.rawValue)
            }
        }
        if let image = view.image {
            mark("image", frame)
            append(image.symbol)
            append(image.color.rawValue)
        }
        if view.kind == .divider { mark("divider", frame) }
        if let children = view.views { append(children, x: frame.x, y: frame.y) }
    }

    private mutating func mark(_ what: String, _ frame: Rectangle) {
        append(what)
        append(
            bytesOf: (
                Self.thousandths(frame.x), Self.thousandths(frame.y),
                Self.thousandths(frame.width), Self.thousandths(frame.height)
            )
        )
    }

    private static func argument(of command: Command) -> String {
        switch command {
        case .setExpanded(let expanded): expanded ? " true" : " false"
        case .performUpdate, .refresh, .nextValue: ""
        }
    }
}
