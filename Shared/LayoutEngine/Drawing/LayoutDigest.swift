// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import WidgetSchema

/// The SHA-256 digest of everything visible and every action in a layout.
///
/// Invisible frames, names of text styles and the nesting of views do not count: layouts with the same pixels and the
/// same actions have the same digest. Lengths are rounded to thousandths of a point.
enum LayoutDigest {
    /// Returns the digest of a layout.
    ///
    /// `hasContent` is false if displays should hide the widget. The digest of a hidden widget differs from the digest of
    /// a visible widget with the same layout.
    /// The palette, the rotation, the inversion and the place of a `panel` count, too: they change the picture.
    static func of(_ layout: Layout, hasContent: Bool = true, panel: Panel? = nil) -> ContentDigest {
        VisibleBytes.digest { visible in
            visible.append(layout.size.width)
            visible.append(layout.size.height)
            visible.append(layout.appearance.rawValue)
            if !hasContent { visible.append("hidden") }
            if let mode = layout.largestMode { visible.append("largest mode " + mode.rawValue) }
            if let link = layout.link { visible.append("link " + link) }
            visible.append(layout.views, x: 0, y: 0)
            if let header = layout.header {
                visible.append("header")
                withUnsafePointer(to: header) { visible.append($0, x: 0, y: 0) }
            }
            if let panel { visible.append(panel) }
        }
    }

    /// Returns the digest of a row; a row that moves keeps its digest, because its position does not count.
    static func of(row: LayoutView) -> ContentDigest {
        VisibleBytes.digest { visible in
            visible.append(row.frame.width)
            visible.append(row.frame.height)
            withUnsafePointer(to: row) { visible.append($0, x: -row.frame.x, y: -row.frame.y) }
        }
    }
}

/// The digest of the visible parts of a layout; each text is preceded by its length.
///
/// A digest is computed for each layout, even if nothing changed. So the bytes are collected on the stack and digested in
/// blocks, and views are read in place: each copy of a view would retain and release its texts.
private struct VisibleBytes: ~Copyable {
    /// The size of a block in bytes; Swift allocates larger blocks on the heap.
    private static let blockSize = 1024

    /// The address of the block, which contains the bytes that are not yet part of `hash`.
    private let block: UnsafeMutableRawPointer
    /// The number of bytes in the block.
    private var count = 0
    private var hash = SHA256()

    /// Returns the digest of the bytes that `append` appends.
    static func digest(_ append: (inout VisibleBytes) -> Void) -> ContentDigest {
        withUnsafeTemporaryAllocation(byteCount: blockSize, alignment: 1) { block in
            guard let address = block.baseAddress else { preconditionFailure("the block has no address") }
            var visible = VisibleBytes(address)
            append(&visible)
            visible.flush()
            guard let digest = ContentDigest(bytes: visible.hash.digest()) else {
                preconditionFailure("the SHA-256 digest does not have 32 bytes")
            }
            return digest
        }
    }

    private init(_ block: UnsafeMutableRawPointer) { self.block = block }

    /// Hashes the block and empties it.
    ///
    /// The function is not inlined, because inlining it would make each of the many calls of `append` slower.
    @inline(never)
    private mutating func flush() {
        hash.update(UnsafeRawBufferPointer(start: block, count: count))
        count = 0
    }

    /// Appends bytes; if the block has too little space for them, the hash takes its bytes first.
    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress else { return }
        if bytes.count > Self.blockSize - count {
            flush()
            guard bytes.count <= Self.blockSize else {
                hash.update(bytes)
                return
            }
        }
        (block + count).copyMemory(from: address, byteCount: bytes.count)
        count += bytes.count
    }

    /// Appends the bytes of a number, the lowest one first.
    private mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        let size = MemoryLayout<Number>.size
        if size > Self.blockSize - count { flush() }
        block.storeBytes(of: number.littleEndian, toByteOffset: count, as: Number.self)
        count += size
    }

    mutating func append(_ length: Double) { append(Int64((length * 1000).rounded())) }

    mutating func append(_ text: String) {
        let bytes = text.utf8.span.bytes
        append(UInt32(truncatingIfNeeded: bytes.byteCount))
        bytes.withUnsafeBytes { append($0) }
    }

    /// Appends the visible parts of views that have the same parent.
    ///
    /// `x` and `y` are the coordinates of the parent's origin, in points. They are measured from the origin of the
    /// layout or, in the digest of a single row, from the origin of the row.
    mutating func append(_ views: [LayoutView], x: Double, y: Double) {
        views.withUnsafeBufferPointer { views in
            guard let first = views.baseAddress else { return }
            for index in views.indices { append(first + index, x: x, y: y) }
        }
    }

    /// Appends the visible parts of a view and its subviews.
    ///
    /// `x` and `y` are the coordinates of the origin of the view's parent, in points. They are measured from the origin
    /// of the layout or, in the digest of a single row, from the origin of the row.
    mutating func append(_ view: UnsafePointer<LayoutView>, x: Double, y: Double) {
        let own = view.pointee.frame
        let frame = Rectangle(x: x + own.x, y: y + own.y, width: own.width, height: own.height)
        if let action = view.pointee.action {
            mark("action", frame)
            switch action {
            case .open(let url): append(url)
            case .command(let command): append(command.name.rawValue + Self.argument(of: command))
            }
        }
        if let text = view.pointee.text {
            text.lines.withUnsafeBufferPointer { lines in
                for index in lines.indices {
                    append("line")
                    append(frame.x + lines[index].x)
                    append(frame.y + lines[index].baseline)
                    append(lines[index].text)
                    append(text.font.size)
                    append(text.font.weight.rawValue)
                    append(text.font.italic ? "italic" : "")
                    append(text.color.rawValue)
                }
            }
        }
        if let image = view.pointee.image {
            mark("image", frame)
            append(image.symbol)
            append(image.color.rawValue)
        }
        switch view.pointee.kind {
        case .divider, .bar, .badge, .rule, .dots: mark(view.pointee.kind.rawValue, frame)
        case .row, .label, .image, .button: break
        }
        if let children = view.pointee.views { append(children, x: frame.x, y: frame.y) }
    }

    /// Appends the properties of a panel that change its picture, and the place on its board.
    mutating func append(_ panel: Panel) {
        append("panel " + panel.palette.rawValue)
        append(Int64(panel.rotation.rawValue))
        append(panel.isInverted ? "inverted" : "")
        append(Int64(panel.fileBits ?? 0))
        guard let place = panel.cell?.place else { return }
        append("board " + place.id.rawValue)
        append(place.revision)
        append(Int64(place.cell))
        append(Int64(place.of))
    }

    private mutating func mark(_ what: String, _ frame: Rectangle) {
        append(what)
        append(frame.x)
        append(frame.y)
        append(frame.width)
        append(frame.height)
    }

    private static func argument(of command: Command) -> String {
        switch command {
        case .setExpanded(let expanded): expanded ? " true" : " false"
        case .performUpdate, .refresh, .nextValue: ""
        }
    }
}
