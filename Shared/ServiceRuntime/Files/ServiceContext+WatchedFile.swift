// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Telemetry

extension ServiceContext {
    /// The name of the metric that counts failures to watch a file or a folder.
    public static let watchFailureCounter = "files.watchFailures"

    /// Calls `changed` on a separate thread whenever `file` was written or replaced.
    ///
    /// The watch lasts until the process ends. If `file` is a symbolic link, its present target is watched too. If the
    /// folder of one of these files cannot be watched, this is logged and counted, and the watcher tries again every
    /// few seconds.
    public func watchFile(_ file: String, changed: @escaping @Sendable () -> Void) {
        for path in Set([file, URL(filePath: file).resolvingSymlinksInPath().path]) {
            let url = URL(filePath: path)
            let failed: @Sendable (FileWatcher.Failure) -> Void = { [log, metrics] failure in
                metrics.counter(Self.watchFailureCounter).increment()
                log.warning(
                    "A file cannot be watched; its changes are not detected.",
                    [.file: path],
                    error: failure
                )
            }
            do throws(FileWatcher.Failure) {
                _ = try FileWatcher(
                    directory: url.deletingLastPathComponent().path,
                    files: [url.lastPathComponent],
                    report: { _ in changed() },
                    failed: failed
                )
            } catch {
                failed(error)
            }
        }
    }
}
