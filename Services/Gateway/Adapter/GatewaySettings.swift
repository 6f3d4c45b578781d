// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import CommandOptions
import Configuration
import Foundation
import WidgetSchema

/// The settings of a gateway: those of the configuration, with the options of the command line.
struct GatewaySettings: Sendable, Equatable {
    var gateway: TidingsConfiguration.Gateway
    /// The path of the file with the hashes of tokens.
    var tokens: String
    private var boardFolder: String
    /// The path of the folder for the panels: their keys' hashes, and the pictures that they show.
    private(set) var panelFolder: String
    private var store: String
    private var bus: String

    /// The folder for the last pictures of boards, and the maximum size of its files in bytes; nil if none are stored.
    var boardPictures: BoardPictureStore.Location? {
        let bytes = gateway.boardPictureMebibytes << 20
        return bytes > 0 ? (folder: URL(filePath: boardFolder), maximumBytes: bytes) : nil
    }

    /// Creates the settings; throws if a host or a trusted proxy of the options is invalid.
    init(_ configuration: TidingsConfiguration, _ options: ParsedOptions) throws {
        gateway = configuration.gateway
        if options.has("open-reads") { gateway.openReads = true }
        gateway.hosts += options.values("host").compactMap(TidingsConfiguration.Gateway.hostName)
        gateway.trustedProxies += options.values("trusted-proxy")
        let problems =
            options.values("host").compactMap { TidingsConfiguration.Gateway.problem(host: $0) }
            + options.values("trusted-proxy").compactMap { TidingsConfiguration.Gateway.problem(trustedProxy: $0) }
        if let problem = problems.first { throw UsageError(command: ServiceName.gateway.rawValue, problem: problem) }
        tokens = gateway.tokens ?? configuration.storeFolder + "/" + TokenFile.defaultName
        store = configuration.store
        boardFolder = configuration.storeFolder + "/boards"
        panelFolder = configuration.panelFolder
        bus = configuration.bus.address
    }

    /// Returns the keys whose values in `new` need a restart.
    func waitingKeys(for new: GatewaySettings) -> [String] {
        let (old, next) = (gateway, new.gateway)
        let keys = [
            ("gateway.listen", old.host != next.host || old.port != next.port),
            ("gateway.basePath", old.basePath != next.basePath),
            ("gateway.maximumConnections", old.maximumConnections != next.maximumConnections),
            ("gateway.connectionsPerClient", old.connectionsPerClient != next.connectionsPerClient),
            ("gateway.boardPictureMegabytes", old.boardPictureMebibytes != next.boardPictureMebibytes),
            ("bus.address", bus != new.bus), ("store", store != new.store),
        ]
        return keys.filter(\.1).map(\.0)
    }

    /// Returns the settings that are in use after a reload of `new`: those of `new`, except the waiting ones.
    ///
    /// The default of `openReads` thus depends on the address on which the gateway really listens.
    func reloaded(_ new: GatewaySettings) -> GatewaySettings {
        var result = new
        (result.gateway.host, result.gateway.port) = (gateway.host, gateway.port)
        result.gateway.basePath = gateway.basePath
        result.gateway.maximumConnections = gateway.maximumConnections
        result.gateway.connectionsPerClient = gateway.connectionsPerClient
        result.gateway.boardPictureMebibytes = gateway.boardPictureMebibytes
        (result.store, result.bus, result.boardFolder) = (store, bus, boardFolder)
        result.panelFolder = panelFolder
        return result
    }

    /// Returns whether the access of an open stream must be checked again if the settings change to `new`.
    func changesAccess(to new: GatewaySettings) -> Bool {
        let (old, next) = (gateway, new.gateway)
        return old.readsAreOpen != next.readsAreOpen || old.hosts != next.hosts
            || old.allowedOrigins != next.allowedOrigins || old.trustedProxies != next.trustedProxies
            || tokens != new.tokens
    }
}
