// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Glibc

/// The files of a backup that hold what the gateway knows of panels that sleep: for each panel its record and its picture.
///
/// A panel whose record is lost needs a new key. A record without its picture is valid: the picture is drawn again.
enum PanelFiles {
    /// The error for files that a backup cannot contain.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder of the files in an archive.
    static let folder = "panels"
    /// The maximum number of files: two for each of 1,000 panels, and those that a crash has left.
    static let maximumFiles = 4_096
    /// The maximum size of a file in bytes.
    static let maximumBytes: UInt64 = 4 * 1024 * 1024
    private static let record = ".json"
    private static let picture = ".png"
    /// The file whose replacement tells a running gateway to read the others again.
    private static let lock = ".lock"

    /// Returns whether a member of an archive is such a file.
    static func contains(_ member: String) -> Bool {
        member.hasPrefix(folder + "/") && isName(member.dropFirst(folder.utf8.count + 1))
    }

    /// Returns whether a name is that of a record or a picture: hexadecimal digits and `-` before the suffix.
    private static func isName(_ name: some StringProtocol) -> Bool {
        guard let suffix = [record, picture].first(where: { name.hasSuffix($0) }) else { return false }
        let stem = name.dropLast(suffix.count)
        return !stem.isEmpty && stem.utf8.count <= 80
            && stem.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) || $0 == 0x2D }
    }

    /// Copies the files of the gateway's folder `source`, which may be in use, into the folder of an archive in `scratch`; returns
    /// their names in the archive.
    ///
    /// Throws a `Fault` if a file cannot be read, or if `restore` would not accept it.
    static func copy(from source: String, to scratch: String) throws -> [String] {
        let target = "\(scratch)/\(folder)"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        var copied: Set<String> = []
        // A picture is written before the record that names it, and removed after it is no longer named. So each record finds
        // its picture among those that were there before or after the records were copied.
        for suffix in [picture, record, picture] {
            for name in try names(in: source)
            where name.hasSuffix(suffix) && isName(name) && !copied.contains(name) {
                // A file may be gone meanwhile.
                guard let data = try contents("\(source)/\(name)") else { continue }
                guard copied.count < maximumFiles else {
                    throw Fault(description: "\(source): there are more than \(maximumFiles) files of panels")
                }
                try data.write(to: URL(filePath: "\(target)/\(name)"))
                copied.insert(name)
            }
        }
        return copied.sorted().map { "\(folder)/\($0)" }
    }

    /// Returns the sorted names of the files in a folder; none if it does not exist.
    private static func names(in folder: String) throws(Fault) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            if access(folder, F_OK) != 0, errno == ENOENT { return [] }
            throw Fault(description: "\(folder): the folder cannot be read: \(SystemError.text(error))")
        }
    }

    /// Returns the contents of a file; nil if it does not exist.
    private static func contents(_ path: String) throws(Fault) -> Data? {
        let data: Data
        do throws(FileProblem) {
            data = Data(try FileReader.read(path, maximum: Int(maximumBytes) + 1))
        } catch .system(SystemCallError(ENOENT)) {
            return nil
        } catch {
            throw Fault(description: "\(path): the file of a panel cannot be read: \(error)")
        }
        guard data.count <= maximumBytes else {
            throw Fault(description: "\(path): the file of a panel has more than \(maximumBytes) bytes")
        }
        return data
    }

    /// Puts the extracted files with these names in an archive in place of those of the gateway's folder `target`.
    ///
    /// A running gateway reads them before it writes again. What root writes belongs to the owner of the folder of `target`.
    static func restore(_ members: [String], from scratch: String, to target: String) throws {
        try FileManager.default.createDirectory(
            atPath: target,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let parent = FilePath.folder(of: target)
        let descriptor = open(target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0 {
            FilePath.giveToOwner(ofFolder: parent, descriptor)
            close(descriptor)
        }
        func replace(_ name: some StringProtocol, with data: Data) throws {
            let draft = try FileDraft(for: "\(target)/\(name)")
            FilePath.giveToOwner(ofFolder: parent, draft.descriptor)
            try draft.write(data.bytes)
            try draft.replace()
        }
        let restored = Set(members.map { String($0.dropFirst(folder.utf8.count + 1)) })
        for member in members {
            let name = member.dropFirst(folder.utf8.count + 1)
            try replace(name, with: try Data(contentsOf: URL(filePath: "\(scratch)/\(member)")))
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: target)
        where isName(name) && !restored.contains(name) {
            unlink("\(target)/\(name)")
        }
        try replace(lock, with: Data())
    }
}
