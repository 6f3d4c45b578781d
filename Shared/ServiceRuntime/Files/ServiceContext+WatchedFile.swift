// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Telemetry

extension ServiceContext {
    /// The name of the metric that counts failures to watch a file or a folder.
    public static let watchFailureCounter = "files.watchFailures"

    /// Calls `changed` on a separate thread whenever `file` was written or replaced.
    ///
    /// The watch lasts until the process ends. If `file` is a symbolic link, its present target is watched too. If the
    /// folder of one of these files cannot be watched, this is logged and counted, and the watcher tries again every
    /// few seconds. If the watcher cannot be created, this is also logged and counted, and `changed` is never called.
    public func watchFile(_ file: String, changed: @escaping @Sendable () -> Void) {
        for path in Self.watchedPaths(of: file) {
            let url = URL(filePath: path)
            let folder = url.deletingLastPathComponent().path
            watch(.files([url.lastPathComponent]), in: folder, changed: changed) { [log] failure in
                log.warning("A file cannot be watched; its changes are not detected.", [.file: path], error: failure)
            }
        }
    }

    /// Returns the path of a file and, if a symbolic link leads elsewhere, that of its target.
    package static func watchedPaths(of file: String) -> [String] {
        let target = URL(filePath: file).resolvingSymlinksInPath().path
        // A relative path leads to the same place as the absolute one.
        return URL(filePath: file).standardizedFileURL.path == target ? [file] : [file, target]
    }

    /// Calls `changed` on a separate thread whenever a widget's file was written, replaced or removed.
    ///
    /// `file` is the path of the configuration file. The files of widgets are the `.yml` files in the folder
    /// `widgets.d`, which is in the same folder as `file`. `changed` is also called when `widgets.d` itself is created,
    /// removed or replaced. The watch lasts until the process ends. If a folder cannot be watched, this is logged and
    /// counted, and the watcher tries again every few seconds; a missing `widgets.d` is not a failure. If the watcher
    /// cannot be created, this is also logged and counted, and `changed` is never called.
    public func watchWidgets(beside file: String, changed: @escaping @Sendable () -> Void) {
        let folder = WidgetFile.folder(beside: file)
        let parent = FilePath.folder(of: folder)
        let target = FileWatcher.Target.folder(name: WidgetFile.folder, suffix: WidgetFile.suffix)
        watch(target, in: parent.isEmpty ? "." : parent, changed: changed) { [log] failure in
            log.warning(
                "The folder of widgets cannot be watched. Remove the cause, or send SIGHUP after each change in it.",
                [.path: folder],
                error: failure
            )
        }
    }

    /// Starts a watcher that is never stopped, and counts its failures.
    private func watch(
        _ target: FileWatcher.Target,
        in directory: String,
        changed: @escaping @Sendable () -> Void,
        failed: @escaping @Sendable (FileWatcher.Failure) -> Void
    ) {
        let countFailure: @Sendable (FileWatcher.Failure) -> Void = { [metrics] failure in
            metrics.counter(Self.watchFailureCounter).increment()
            failed(failure)
        }
        do throws(FileWatcher.Failure) {
            _ = try FileWatcher(
                directory: directory,
                target: target,
                report: { _ in changed() },
                failed: countFailure
            )
        } catch {
            metrics.counter(Self.watchFailureCounter).increment()
            log.warning(
                "Changes of files cannot be detected. Remove the cause and restart the service.",
                [.path: directory],
                error: error
            )
        }
    }
}
