// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
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
        let handle = path == "-" ? FileHandle.standardInput : try InputFile.open(path)
        let bytes: [UInt8]
        do throws(SystemCallError) {
            bytes = try FileReader.read(handle.fileDescriptor, maximum: maximumBytes + 1)
        } catch {
            throw CommandFailure(.wrongUse, "\(name): it cannot be read: \(error)")
        }
        guard bytes.count <= maximumBytes else {
            throw CommandFailure(.no, "\(name): it has more than \(maximumBytes) bytes, which is the most read")
        }
        return Document(bytes: Data(bytes), name: name)
    }

    /// The text of a document that people write; refuses what is not UTF-8, and passes over a byte order mark.
    func text() throws(CommandFailure) -> String {
        guard let text = String(data: bytes, encoding: .utf8) else {
            throw CommandFailure(.no, "\(name): it is not UTF-8 text")
        }
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }
}
