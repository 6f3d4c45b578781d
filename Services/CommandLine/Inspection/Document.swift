// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// Bytes with what is known of them, whichever way they came.
struct Document: Sendable {
    /// Larger files and inputs are refused: an origin may send no more either.
    static let maximumBytes = 15 * 1024 * 1024

    var bytes: Data
    /// How a person finds it again: a path, an address, or `standard input`.
    var name: String
    /// The address that relative links are resolved against; empty where there is none.
    var base = ""
    /// The header of that name, of a document that came over HTTP.
    var contentType: String?

    /// Reads a file, or standard input for `-`.
    static func read(_ path: String) throws(CommandFailure) -> Document {
        let name = path == "-" ? "standard input" : path
        var isFolder = ObjCBool(false)
        if path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure(.no, "\(name): it is a folder; name a file in it")
        }
        guard let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            let reason = FileManager.default.fileExists(atPath: path) ? "it cannot be read" : "there is no such file"
            throw CommandFailure(.no, "\(name): \(reason)")
        }
        do {
            var bytes = Data()
            while bytes.count <= maximumBytes,
                let piece = try handle.read(upToCount: maximumBytes + 1 - bytes.count), !piece.isEmpty
            {
                bytes += piece
            }
            guard bytes.count <= maximumBytes else {
                throw CommandFailure(.no, "\(name): it has more than \(maximumBytes) bytes, which is the most read")
            }
            return Document(bytes: bytes, name: name)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.no, "\(name): it cannot be read: \(error.localizedDescription)")
        }
    }

    /// The text of a document that people write; refuses what is not UTF-8, and passes over a byte order mark.
    func text() throws(CommandFailure) -> String {
        guard let text = String(data: bytes, encoding: .utf8) else {
            throw CommandFailure(.no, "\(name): it is not UTF-8 text")
        }
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }
}
