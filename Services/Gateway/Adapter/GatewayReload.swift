// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import Configuration
import Foundation
import Locking
import ServiceRuntime
import Telemetry

/// The reload of a running gateway's configuration and of its tokens.
///
/// Widgets, displays and all settings that a running server can change are applied at once. The keys of the others are
/// named in the log and in the gateway's health until it is restarted.
final class GatewayReload: Sendable {
    /// The parts of the gateway that use the configuration.
    struct Parts: Sendable {
        let live: LiveConfiguration
        let access: Access
        let accessLog: AccessLog
        let hub: EventHub
        let health: GatewayHealth
        let panels: PanelService
    }

    private let context: ServiceContext
    private let parts: Parts
    /// The settings in use.
    private let settings: Lock<GatewaySettings>

    init(_ context: ServiceContext, _ settings: GatewaySettings, _ parts: Parts) {
        self.context = context
        self.parts = parts
        self.settings = Lock(settings)
    }

    private var log: Logger { context.log }

    /// Starts to watch the token file, the configuration file, and the folder `widgets.d` beside it.
    func start() {
        watchTokens(settings.withLock(\.tokens))
        guard let file = context.settings.file else { return }
        context.reload.onReload { self.reload(file) }
        context.watchFile(file) { [reload = context.reload] in reload.reload() }
        context.watchWidgets(beside: file) { [reload = context.reload] in reload.reload() }
    }

    // MARK: Configuration

    private func reload(_ file: String) {
        do throws(ServiceContext.ReloadFailure) {
            let configuration = try context.load(file)
            // The options are those of the start, so they are valid.
            guard let new = try? GatewaySettings(configuration, context.options) else { return }
            apply(new, configuration)
        } catch {
            parts.health.set(problem: error.problem)
        }
    }

    private func apply(_ new: GatewaySettings, _ configuration: TidingsConfiguration) {
        // Reloads may come from several threads.
        settings.withLock { settings in
            let waiting = settings.waitingKeys(for: new)
            let next = settings.reloaded(new)
            let changesAccess = settings.changesAccess(to: next)
            let hasOtherTokens = settings.tokens != next.tokens
            settings = next
            parts.access.replace(settings: next.gateway)
            if hasOtherTokens { watchTokens(next.tokens) }
            parts.accessLog.set(isOn: next.gateway.accessLog)
            parts.hub.replace(limits: EventHub.Limits(next.gateway))
            if changesAccess { parts.hub.endStreams() }
            parts.live.replace(configuration)
            parts.panels.configure(configuration.panels)
            let keys = waiting.joined(separator: ", ")
            parts.health.set(
                problem: waiting.isEmpty ? nil : "Changed keys wait for a restart of the gateway: \(keys)"
            )
            guard !waiting.isEmpty else {
                log.notice("Reloaded the configuration.", [.widgets: configuration.widgets.count])
                return
            }
            log.warning(
                "Reloaded the configuration, except for keys that need a restart of the gateway.",
                [.widgets: configuration.widgets.count, .reason: keys]
            )
        }
    }

    // MARK: Tokens

    /// Loads the tokens of a file, and watches the file as long as it is the configured one.
    private func watchTokens(_ path: String) {
        // The watch is on the file's folder, so the folder must exist.
        let folder = URL(filePath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        context.watchFile(path) {
            guard self.settings.withLock({ $0.tokens == path }), let tokens = self.loadTokens(path) else { return }
            self.parts.access.replace(tokens: tokens)
            self.log.notice("Reloaded the tokens.", [.count: tokens.tokens.count])
        }
        // The file may have changed between the first reading and the start of the watch.
        if let tokens = loadTokens(path) { parts.access.replace(tokens: tokens) }
    }

    private func loadTokens(_ path: String) -> TokenFile? {
        do throws(TokenFile.Failure) {
            return try TokenFile.load(path)
        } catch {
            log.error("The token file cannot be read; the previously read tokens stay valid.", error: error)
            return nil
        }
    }
}

extension EventHub.Limits {
    /// Creates the limits that the settings of a gateway contain.
    init(_ settings: TidingsConfiguration.Gateway) {
        self.init(heartbeat: settings.heartbeat, lifetime: settings.streamLifetime)
    }
}
