// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// The executables of the services, which are in the folder of this executable.
enum ServiceExecutables {
    private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .path(percentEncoded: false)

    static func path(of service: String) -> String { folder + service }

    /// Throws an error if the executable of a service is missing.
    static func require(_ services: [String]) throws(CommandFailure) {
        let missing = services.filter { !FileManager.default.isExecutableFile(atPath: path(of: $0)) }
        guard missing.isEmpty else {
            throw CommandFailure(
                .no,
                "executables are missing in \(folder), the folder of this executable: "
                    + "\(missing.joined(separator: ", ")); build all of them"
            )
        }
    }
}
