// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Dispatch
import Foundation
import WebServer
import WidgetSchema

/// The last good picture of each board, in a folder, so that a restarted gateway has it, too.
///
/// A file is one line of JSON, ``Head``, and the picture after it. It is replaced as a whole. Files with other contents
/// are ignored: a picture that is lost is drawn again.
final class BoardPictureStore: Sendable {
    /// A folder, and the maximum size of its files in bytes; those that were not written for longest are removed first.
    typealias Location = (folder: URL, maximumBytes: Int)

    /// The maximum size of the first line of a file in bytes.
    private static let maximumHeadBytes = 64 * 1024
    private static let newline = UInt8(ascii: "\n")

    /// The description of a stored picture.
    struct Head: Codable, Hashable, Sendable {
        var drawn: DrawnBoard
        var format: RenderFormat
        var bytes: Int
        /// The SHA-256 of the picture.
        var sha256: ContentDigest
        /// The palette of the picture if it has fewer levels than the board's; nil otherwise.
        var reducedPalette: PanelPalette?
    }

    /// The queue on which the files are read and written, one after another, so that only readers wait for a slow disk.
    let queue = DispatchQueue(label: "board-pictures")
    private let location: Location?

    /// Creates the store; if `location` is nil, it stores nothing.
    init(_ location: Location?) { self.location = location }

    /// Returns the stored picture of a board; nil if there is none.
    ///
    /// Waits for earlier writes, and must not be called on ``queue``.
    func picture(of board: BoardID, _ format: RenderFormat) -> (drawn: DrawnBoard, picture: Picture)? {
        queue.sync { read(board, format) }
    }

    private func read(_ board: BoardID, _ format: RenderFormat) -> (drawn: DrawnBoard, picture: Picture)? {
        guard let file = file(board, format), let data = try? Data(contentsOf: file),
            let end = data.prefix(Self.maximumHeadBytes).firstIndex(of: Self.newline),
            let head = try? WireJSON.decode(Head.self, from: Data(data[..<end]))
        else { return nil }
        let body = Data(data[(end + 1)...])
        guard head.drawn.board.id == board, head.format == format, head.bytes == body.count,
            head.sha256.rawValue == SHA256.hexDigest(of: body), let key = head.drawn.key(format)
        else { return nil }
        return (head.drawn, Picture(key: key, body: SharedBytes(body), reducedPalette: head.reducedPalette))
    }

    /// An error for a picture that is larger than all files may be together.
    struct TooLarge: Error {
        let bytes: Int
    }

    /// Stores a picture in place of the board's earlier one; throws if it is too large, or the folder cannot be written.
    ///
    /// Must be called on ``queue``.
    func keep(_ drawn: DrawnBoard, _ picture: Picture) throws {
        let (bytes, format) = (picture.body.data, picture.key.format)
        guard let location, let file = file(drawn.board.id, format),
            let sha256 = ContentDigest(rawValue: SHA256.hexDigest(of: bytes))
        else { return }
        guard bytes.count <= location.maximumBytes else { throw TooLarge(bytes: bytes.count) }
        let head = Head(
            drawn: drawn,
            format: format,
            bytes: bytes.count,
            sha256: sha256,
            reducedPalette: picture.reducedPalette
        )
        var data = try WireJSON.encode(head)
        data.append(Self.newline)
        data.append(bytes)
        try FileManager.default.createDirectory(at: location.folder, withIntermediateDirectories: true)
        try data.write(to: file, options: .atomic)
        Self.removeOldest(in: location)
    }

    /// Removes the files of all boards except for some, without waiting for the disk.
    func removePictures(except boards: Set<BoardID>) {
        guard let folder = location?.folder else { return }
        queue.async {
            let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            for file in files ?? [] {
                guard RenderFormat(rawValue: file.pathExtension) != nil,
                    let board = BoardID(rawValue: file.deletingPathExtension().lastPathComponent),
                    !boards.contains(board)
                else { continue }
                try? FileManager.default.removeItem(at: file)
            }
        }
    }

    private func file(_ board: BoardID, _ format: RenderFormat) -> URL? {
        location?.folder.appending(path: "\(board).\(format.rawValue)")
    }

    /// Removes files until their size is within the limit.
    private static func removeOldest(in location: Location) {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files = try? FileManager.default.contentsOfDirectory(
            at: location.folder,
            includingPropertiesForKeys: Array(keys)
        )
        var entries = (files ?? []).compactMap { file -> (file: URL, bytes: Int, written: Date)? in
            guard let values = try? file.resourceValues(forKeys: keys), let bytes = values.fileSize else { return nil }
            return (file, bytes, values.contentModificationDate ?? .distantPast)
        }
        var total = entries.reduce(0) { $0 + $1.bytes }
        guard total > location.maximumBytes else { return }
        entries.sort { $0.written < $1.written }
        for entry in entries where total > location.maximumBytes {
            try? FileManager.default.removeItem(at: entry.file)
            total -= entry.bytes
        }
    }
}
