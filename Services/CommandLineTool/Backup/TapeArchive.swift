// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

/// A tar archive of regular files, in the format ustar (POSIX.1-1988), which every tar program can read.
///
/// The last member, `SHA256SUMS`, contains the digests of the others in the format of `sha256sum`, so that
/// `sha256sum --check SHA256SUMS` finds damage, too. Each byte of an archive is protected: by a digest, by the checksum
/// of a header, or because it must be zero.
enum TapeArchive {
    /// The error for an archive that is damaged, or that is not a backup.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The error for an archive without digests, which an earlier version has made.
    struct WithoutDigests: Error, CustomStringConvertible {
        let names: [String]

        var description: String {
            "the archive does not contain '\(sumsName)': an earlier version of Tidings made it. Extract it, run "
                + "'sha256sum \(names.joined(separator: " ")) > \(sumsName)', add this file with "
                + "'tar --append --file=ARCHIVE \(sumsName)', and try again"
        }
    }

    static let sumsName = "SHA256SUMS"
    static let block = 512
    private static let chunk = 1 << 20
    /// The maximum size of `SHA256SUMS`, in bytes: lines for the stores and for ``PanelFiles/maximumFiles`` files.
    private static let sumsLimit: UInt64 = 1 << 20
    /// The maximum size of a member, in bytes: the largest number of 12 octal digits.
    private static let memberLimit: UInt64 = (1 << 36) - 1

    // MARK: Writing

    /// Writes an archive with the given files; `path` is the path of a file on disk, and `name` its name in the
    /// archive.
    static func write(_ files: [(name: String, path: String)], to sink: OutputFile.Sink) throws {
        func put(_ data: Data) throws { try data.withUnsafeBytes(sink) }
        var sums = ""
        for (name, path) in files {
            let input = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? input.close() }
            let size = try input.seekToEnd()
            guard size <= memberLimit else {
                throw Fault(description: "\(name) has \(size) bytes, but a tar archive can contain only \(memberLimit)")
            }
            try input.seek(toOffset: 0)
            try put(header(name, size: size))
            var hash = SHA256()
            while let data = try input.read(upToCount: chunk), !data.isEmpty {
                hash.update(data)
                try put(data)
            }
            try put(Data(count: padding(size)))
            sums += sumsLine(hash.hexDigest(), name) + "\n"
        }
        let member = Data(sums.utf8)
        try put(header(sumsName, size: UInt64(member.count)) + member + Data(count: padding(UInt64(member.count))))
        try put(Data(count: 2 * block))
    }

    private static func sumsLine(_ digest: String, _ name: String) -> String { "\(digest)  \(name)" }

    // MARK: Reading

    /// Reads and returns the first header of an archive; throws a `Fault` if the file is not a tar archive.
    ///
    /// Callers use this to detect an invalid file before they write anything.
    static func readFirstHeader(from input: FileHandle) throws -> Data {
        guard let head = try input.read(upToCount: block), head.count == block,
            String(decoding: head[magicField.lowerBound..<(magicField.lowerBound + 5)], as: UTF8.self) == "ustar"
        else { throw Fault(description: "the file is not a backup, because it is not a tar archive") }
        _ = try parse(head)
        return head
    }

    /// The names of the files in an archive, besides files of panels.
    struct Contents {
        var required: [String]
        var optional: [String] = []

        var count: Int { required.count + optional.count }
    }

    /// Extracts an archive that contains the given files, and possibly files of panels, into a folder; returns the names of all
    /// that it contains.
    ///
    /// Throws a `Fault` if the archive lacks a required file, contains another one, or differs in any byte from what was written.
    /// `first` is the header that `readFirstHeader` has read.
    @discardableResult
    static func extract(
        _ contents: Contents,
        after first: Data,
        from input: FileHandle,
        into folder: String
    ) throws -> Set<String> {
        let panels = "\(folder)/\(PanelFiles.folder)"
        try FileManager.default.createDirectory(atPath: panels, withIntermediateDirectories: true)
        var digests: [String: String] = [:]
        var sums: String?
        var head = first
        while head.contains(where: { $0 != 0 }) {
            let (name, size) = try parse(head)
            guard digests[name] == nil, name != sumsName || sums == nil else {
                throw Fault(description: "the archive contains '\(name)' twice")
            }
            if name == sumsName {
                guard size <= sumsLimit else { throw Fault(description: "'\(name)' is too large: \(size) bytes") }
                let text = try read(Int(size), of: name, from: input)
                sums = String(decoding: text, as: UTF8.self)
            } else if PanelFiles.contains(name) {
                guard size <= PanelFiles.maximumBytes, digests.count < PanelFiles.maximumFiles + contents.count else {
                    throw Fault(description: "the archive has too many or too large files of panels, such as '\(name)'")
                }
                digests[name] = try copy(name, size: size, from: input, to: "\(folder)/\(name)")
            } else if contents.required.contains(name) || contents.optional.contains(name) {
                digests[name] = try copy(name, size: size, from: input, to: "\(folder)/\(name)")
            } else {
                throw Fault(description: "the archive contains '\(name)', which does not belong to a backup")
            }
            guard try read(padding(size), of: name, from: input).allSatisfy({ $0 == 0 }) else {
                throw Fault(description: "the archive is damaged after '\(name)'")
            }
            head = try read(block, of: nil, from: input)
        }
        try readEnd(from: input)
        if let missing = contents.required.first(where: { digests[$0] == nil }) {
            throw Fault(
                description:
                    "the archive does not contain '\(missing)'; a backup contains \(list(contents.required)), because "
                    + "each of them alone would contradict the other"
            )
        }
        try check(digests, sums)
        return Set(digests.keys)
    }

    /// Compares digests with those in `SHA256SUMS`; `sums` is nil if the archive does not contain this file.
    private static func check(_ digests: [String: String], _ sums: String?) throws {
        guard let sums else { throw WithoutDigests(names: digests.keys.sorted()) }
        let lines = sums.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (name, digest) in digests.sorted(by: { $0.key < $1.key }) where !lines.contains(sumsLine(digest, name)) {
            throw Fault(description: "'\(name)' is damaged: it does not have the digest in '\(sumsName)'")
        }
        // One more line for the empty text after the last newline.
        guard lines.count == digests.count + 1, lines.last == "" else {
            let names = list(digests.keys.sorted())
            throw Fault(description: "'\(sumsName)' is damaged: it must have one line for each of \(names)")
        }
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: " and ") }

    /// Copies a member to a new file, and returns its digest.
    private static func copy(_ name: String, size: UInt64, from input: FileHandle, to path: String) throws -> String {
        let created = FileManager.default.createFile(
            atPath: path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        guard created else { throw Fault(description: "\(path) cannot be created") }
        let output = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? output.close() }
        var hash = SHA256()
        var left = size
        while left > 0 {
            let data = try read(Int(min(UInt64(chunk), left)), of: name, from: input)
            hash.update(data)
            try output.write(contentsOf: data)
            left -= UInt64(data.count)
        }
        return hash.hexDigest()
    }

    /// Reads exactly `count` bytes; `name` is the name of the member in which they are, nil between two members.
    private static func read(_ count: Int, of name: String?, from input: FileHandle) throws -> Data {
        guard count > 0 else { return Data() }
        guard let data = try input.read(upToCount: count), data.count == count else {
            let place = name.map { "it ends within the file '\($0)'" } ?? "its end is missing"
            throw Fault(description: "the archive is incomplete: \(place)")
        }
        return data
    }

    /// Reads the second block of the end of an archive, and the zeros with which some tar programs fill the last record.
    private static func readEnd(from input: FileHandle) throws {
        var data = try read(block, of: nil, from: input)
        while data.allSatisfy({ $0 == 0 }) {
            guard let next = try input.read(upToCount: chunk), !next.isEmpty else { return }
            data = next
        }
        throw Fault(description: "the archive is damaged: there are bytes after its end")
    }

    private static func padding(_ size: UInt64) -> Int { Int((UInt64(block) - size % UInt64(block)) % UInt64(block)) }

    // MARK: Headers

    private static let nameField = 0..<100
    private static let sizeField = 124..<136
    private static let checksumField = 148..<156
    private static let kindField = 156
    private static let magicField = 257..<263
    /// The folder of a name that is too long for `nameField`.
    private static let prefixField = 345..<500

    private static func header(_ name: String, size: UInt64) -> Data {
        var head = Data(count: block)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { head[offset + index] = byte }
        }
        put(name, at: nameField.lowerBound)
        put("0000600\0", at: 100)
        put("0000000\0", at: 108)
        put("0000000\0", at: 116)
        put(size.padded(to: 11, radix: 8) + "\0", at: sizeField.lowerBound)
        put("00000000000\0", at: 136)
        put("0", at: kindField)
        put("ustar\0" + "00", at: magicField.lowerBound)
        put(checksum(head), at: checksumField.lowerBound)
        return head
    }

    /// Returns the name and the size of a member; throws a `Fault` if any byte of its header was changed, or if it is
    /// not a regular file.
    private static func parse(_ head: Data) throws(Fault) -> (name: String, size: UInt64) {
        guard Data(checksum(head).utf8) == head[checksumField], let size = number(head[sizeField]) else {
            throw Fault(description: "the archive is damaged: the header of a file does not have its checksum")
        }
        let folder = text(head[prefixField])
        let name = (folder.isEmpty ? "" : folder + "/") + text(head[nameField])
        guard head[kindField] == UInt8(ascii: "0") else {
            throw Fault(description: "the archive contains '\(name)', which is not a regular file")
        }
        return (name, size)
    }

    /// Returns the bytes of the checksum field: the sum of all bytes, of which those of the field count as spaces.
    private static func checksum(_ head: Data) -> String {
        var sum = UInt64(checksumField.count) * UInt64(UInt8(ascii: " "))
        for (index, byte) in head.enumerated() where !checksumField.contains(index) { sum += UInt64(byte) }
        return sum.padded(to: 6, radix: 8) + "\0 "
    }

    private static func number(_ field: Data) -> UInt64? {
        UInt64(String(decoding: field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }, as: UTF8.self), radix: 8)
    }

    private static func text(_ field: Data) -> String { String(decoding: field.prefix { $0 != 0 }, as: UTF8.self) }
}
