// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import Configuration

@Suite struct EnvironmentTests {
    private static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The files of these paths, and of the folders below them, name the variables of the project.
    private static let paths = [
        "docker-compose.yml", "compose.single.yml", "Dockerfile", "Makefile", "deploy", "Scripts", "Benchmarks",
        "Examples",
    ]

    private func load(_ text: String, _ environment: [String: String]) throws -> TidingsConfiguration {
        try withFile(text) { try TidingsConfiguration.load(path: $0, environment: environment) }
    }

    @Test func theVariablesOfTheComposeFilesAndScriptsCauseNoWarning() throws {
        var names: Set<String> = []
        for path in Self.paths {
            let url = Self.project.appending(path: path)
            let manager = FileManager.default
            let below = manager.enumerator(at: url, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
            for case let file as URL in [url] + (below.map(Array.init) ?? [])
            where !["swift", "c", "h"].contains(file.pathExtension) {
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                names.formUnion(text.matches(of: /TIDINGS_[A-Z_]*[A-Z]/).map { String($0.output) })
            }
        }
        #expect(names.isSuperset(of: ["TIDINGS_IMAGE", "TIDINGS_UPSTREAM", "TIDINGS_SIMULATION_SEEDS", "TIDINGS_BUS"]))
        let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
        #expect(try load("", environment).warnings == [])
        let warning = "the environment variable TIDINGS_GATEWAY_PROT is unknown; did you mean TIDINGS_GATEWAY_PORT?"
        #expect(try load("", ["TIDINGS_GATEWAY_PROT": "1"]).warnings == [warning])
    }

    @Test(arguments: ["Examples/gateway/tidings.yml", "tidings.yml", "deploy/systemd/tidings.yml"])
    func aShippedConfigurationHasNoErrorAndNoWarning(path: String) throws {
        let file = Self.project.appending(path: path).path
        #expect(try TidingsConfiguration.load(path: file, environment: [:]).warnings == [])
    }

    // TIDINGS_LISTEN, TIDINGS_GATEWAY, then the address on which the gateway listens, and if reads need no token.
    @Test(
        arguments: [
            (nil, nil, "127.0.0.1:8080", true), (nil, "0.0.0.0:8080", "0.0.0.0:8080", false),
            ("0.0.0.0", nil, "0.0.0.0:8080", false), ("192.0.2.1", nil, "192.0.2.1:8080", false),
            ("[::]", nil, ":::8080", false), ("::1", nil, "::1:8080", true), ("localhost", nil, "localhost:8080", true),
            ("127.0.0.1", "0.0.0.0:8080", "0.0.0.0:8080", true), ("0.0.0.0", "0.0.0.0:80", "0.0.0.0:80", false),
            ("", "0.0.0.0:8080", "0.0.0.0:8080", false),
        ] as [(String?, String?, String, Bool)]
    )
    func readsAreOpenOnlyIfClientsReachTheGatewayOnLoopback(
        listen: String?,
        gateway: String?,
        address: String,
        isOpen: Bool
    ) throws {
        let environment = ["TIDINGS_LISTEN": listen, "TIDINGS_GATEWAY": gateway].compactMapValues { $0 }
        let configuration = try load("", environment).gateway
        #expect("\(configuration.host):\(configuration.port)" == address)
        #expect(configuration.isLoopbackOnly == isOpen)
    }

    @Test(arguments: ["0.0.0.0:9000", "tidings.home", "*", "127.0.0.1/8"])
    func anAddressOfClientsIsAnErrorUnlessItIsNumericAndWithoutPort(text: String) throws {
        let errors = try #require(throws: ConfigurationErrors.self) { _ = try load("", ["TIDINGS_LISTEN": text]) }
        #expect(errors.description.hasPrefix("TIDINGS_LISTEN: '\(text)' is not an address; use 127.0.0.1 for"))
    }

    @Test func theFolderOfFilesInTheEnvironmentReplacesTheConfiguredOne() throws {
        let text = "fetching: {fileDirectory: feeds}"
        #expect(try load(text, ["TIDINGS_FILES": "/srv/tidings"]).fetching.fileDirectory == "/srv/tidings")
        #expect(try load(text, ["TIDINGS_FILES": ""]).fetching.fileDirectory?.hasSuffix("/feeds") == true)
        #expect(try load("", ["TIDINGS_FILES": "/srv/tidings"]).fetching.fileDirectory == nil)
    }
}
