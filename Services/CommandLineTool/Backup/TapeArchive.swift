// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A tar archive of regular files, in the format ustar (POSIX.1-1988), which every tar program can read.
enum TapeArchive {
    /// The error for an invalid archive.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    static let block = 512
    private static let chunk = 1 << 20

    /// Writes an archive with the given files; `path` is the path of a file on disk, and `name` its name in the
    /// archive.
    static func write(_ files: [(name: String, path: String)], to sink: OutputFile.Sink) throws {
        func put(_ data: Data) throws { try data.withUnsafeBytes(sink) }
        for (name, path) in files {
            let input = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? input.close() }
            let size = try input.seekToEnd()
            try input.seek(toOffset: 0)
            try put(header(name, size: size))
            while let data = try input.read(upToCount: chunk), !data.isEmpty { try put(data) }
            try put(Data(count: padding(size)))
        }
        try put(Data(count: 2 * block))
    }

    /// Reads and returns the first header of an archive; throws a `Fault` if the file is not a tar archive.
    ///
    /// Callers use this to detect an invalid file before they write anything.
    static func readFirstHeader(from input: FileHandle) throws -> Data {
        guard let head = try input.read(upToCount: block), head.count == block else {
            throw Fault(description: "the file is not a backup, because it is not a tar archive")
        }
        _ = try parse(head)
        return head
    }

    /// Extracts the files with the given names from an archive into a folder, and returns the names of the extracted
    /// files.
    ///
    /// `first` is the header that `readFirstHeader` has read.
    static func extract(
        _ names: Set<String>,
        after first: Data,
        from input: FileHandle,
        into folder: String
    ) throws -> [String] {
        var found: [String] = []
        var next: Data? = first
        while let head = try next ?? input.read(upToCount: block), head.count == block,
            head.contains(where: { $0 != 0 })
        {
            next = nil
            let (name, size) = try parse(head)
            let output = names.contains(name) ? try create(folder + "/" + name) : nil
            defer { try? output?.close() }
            var left = size
            while left > 0 {
                guard let data = try input.read(upToCount: Int(min(UInt64(chunk), left))), !data.isEmpty else {
                    throw Fault(description: "the archive is incomplete: it ends within the file '\(name)'")
                }
                try output?.write(contentsOf: data)
                left -= UInt64(data.count)
            }
            _ = try input.read(upToCount: padding(size))
            if output != nil { found.append(name) }
        }
        return found
    }

    private static func create(_ path: String) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw Fault(description: "\(path) cannot be created")
        }
        return try FileHandle(forWritingTo: URL(filePath: path))
    }

    private static func padding(_ size: UInt64) -> Int { Int((UInt64(block) - size % UInt64(block)) % UInt64(block)) }

    // MARK: Headers

    private static let nameField = 0..<100
    private static let sizeField = 124..<136
    private static let checksumField = 148..<156
    private static let magicField = 257..<263

    private static func header(_ name: String, size: UInt64) -> Data {
        var head = Data(count: block)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { head[offset + index] = byte }
        }
        put(name, at: nameField.lowerBound)
        put("0000600\0", at: 100)
        put("0000000\0", at: 108)
        put("0000000\0", at: 116)
        put(octal(size, digits: 11) + "\0", at: sizeField.lowerBound)
        put("00000000000\0", at: 136)
        put("        ", at: checksumField.lowerBound)
        put("0", at: 156)
        put("ustar\0" + "00", at: magicField.lowerBound)
        put(octal(checksum(head), digits: 6) + "\0 ", at: checksumField.lowerBound)
        return head
    }

    private static func parse(_ head: Data) throws -> (name: String, size: UInt64) {
        guard String(decoding: head[magicField.lowerBound..<(magicField.lowerBound + 5)], as: UTF8.self) == "ustar"
        else {
            throw Fault(description: "the file is not a backup, because it is not a tar archive")
        }
        var blank = head
        for index in checksumField { blank[index] = UInt8(ascii: " ") }
        guard let size = number(head[sizeField]), number(head[checksumField]) == checksum(blank) else {
            throw Fault(description: "the archive is damaged")
        }
        return (String(decoding: head[nameField].prefix { $0 != 0 }, as: UTF8.self), size)
    }

    private static func checksum(_ head: Data) -> UInt64 { head.reduce(0) { $0 + UInt64($1) } }

    private static func octal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func number(_ field: Data) -> UInt64? {
        UInt64(String(decoding: field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }, as: UTF8.self), radix: 8)
    }
}
