// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
public import WidgetSchema

/// A file with one widget in the folder `widgets.d` beside the configuration file.
public struct WidgetFile: Sendable {
    public enum Failure: Error {
        /// The file was not written: with this file, the complete configuration would have the associated errors.
        case invalid(ConfigurationErrors)
        case cannotWrite(String)
    }

    /// The name of the folder that contains the files of widgets.
    public static let folder = "widgets.d"
    /// The suffix of the files' names; files with other names are ignored.
    public static let suffix = ".yml"

    public let id: WidgetID
    public let path: String

    /// Creates a reference to the file of the widget `id`; the file need not exist.
    ///
    /// `file` is the path of the main configuration file.
    public init(id: WidgetID, beside file: String) {
        self.id = id
        path = Self.folder(beside: file) + "/\(id)\(Self.suffix)"
    }

    public static func folder(beside file: String) -> String {
        FilePath.path(of: folder, in: FilePath.folder(of: file))
    }

    /// Returns the paths of the files in `widgets.d` beside a configuration, sorted by name; empty if there is no such
    /// folder.
    ///
    /// Throws if the folder exists and cannot be read.
    static func all(beside file: String) throws(SystemCallError) -> [String] {
        let folder = folder(beside: file)
        guard let stream = opendir(folder) else {
            guard errno == ENOENT else { throw SystemCallError(errno) }
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                }
            )
            errno = 0
        }
        // Half a list would count as the removal of the other widgets.
        guard errno == 0 else { throw SystemCallError(errno) }
        return names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
    }

    public var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Replaces the contents of this file with `text`, after a check of the complete configuration.
    ///
    /// `file` is the path of the main configuration file. The check reads the main file, the other files in
    /// `widgets.d`, and `text`. `text` must define the widget `id` and no other one. Its author may not be allowed to read
    /// the environment or files, or to reach private networks, so environment variables (`${NAME}`), `source: {file: …}` and
    /// `allowPrivateNetworks: true` in `text` are errors, too. If the check finds errors, `write` throws `Failure.invalid` and writes nothing. The text is
    /// written completely or not at all.
    public func write(_ text: String, checkedWith file: String) throws(Failure) {
        let (_, errors) = TidingsConfiguration.loadPartially(path: file, adding: (self, Array(text.utf8)))
        guard errors.isEmpty else { throw .invalid(ConfigurationErrors(errors)) }
        do {
            try FileManager.default.createDirectory(
                atPath: FilePath.folder(of: path),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .cannotWrite("\(path): \(error.localizedDescription)")
        }
    }
}
