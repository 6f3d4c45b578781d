// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import HTTPTransport
import ServiceRuntime
import SourceParsing

/// The bytes of a document with its name, its base address and its content type.
struct Document: Sendable {
    /// The maximum size of a file or of standard input; an origin's answer has the same limit.
    static let maximumBytes = 15 * 1024 * 1024

    var bytes: Data
    /// The name to show: a path, a URL, or `standard input`.
    var name: String
    /// The base address of relative links; empty if there is none.
    var base = ""
    /// The value of the header `Content-Type` or of the option `--content-type`; nil if there is neither.
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
            throw CommandFailure(.no, "\(name): it has more than \(maximumBytes) bytes, the maximum size")
        }
        do throws(InflationFailure) {
            return Document(bytes: try Data(bytes).inflated(maximumBytes: maximumBytes), name: name)
        } catch {
            throw CommandFailure(.no, "\(name): \(error.message)")
        }
    }

    /// The document as the parsers take it; it counts as received now.
    var body: SourceBody { SourceBody(bytes, contentType: contentType, documentURL: base, received: .now) }
}
