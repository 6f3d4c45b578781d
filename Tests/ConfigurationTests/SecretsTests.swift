// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import Configuration

/// Tests of secrets in headers: they come from the environment, and no output and no error contains them.
@Suite struct SecretsTests {
    private static let secret = "s3cr3t-t0ken"

    private static func file(_ header: String) -> String {
        """
        widgets:
          private:
            kind: feed
            source:
              url: https://example.org/feed
              headers:
                Authorization: \(header)
        """
    }

    private func load(
        _ header: String,
        _ environment: [String: String],
        needsSecrets: Bool = true
    ) throws -> TidingsConfiguration {
        try withFile(Self.file(header)) { path in
            try TidingsConfiguration.load(
                path: path,
                environment: environment,
                needsSecrets: needsSecrets ? .ofSources : []
            )
        }
    }

    private func error(
        _ header: String,
        _ environment: [String: String],
        needsSecrets: Bool = true
    ) throws -> String {
        try #require(throws: ConfigurationErrors.self) {
            try load(header, environment, needsSecrets: needsSecrets)
        }
        .description
    }

    @Test(arguments: [
        ("Bearer ${TOKEN}", "Bearer s3cr3t-t0ken"), ("${TOKEN}${TOKEN}", "s3cr3t-t0kens3cr3t-t0ken"),
        ("costs $5", "costs $5"), ("$${TOKEN}", "${TOKEN}"), ("${A_1}-$", "one-$"),
    ])
    func theEnvironmentFillsHeaders(_ header: String, _ filled: String) throws {
        let configuration = try load("'\(header)'", ["TOKEN": Self.secret, "A_1": "one"])
        let source = try #require(configuration.widgets.first?.source)
        #expect(source.headers == ["Authorization": header])
        #expect(configuration.secrets.filled(header) == filled)
    }

    @Test func whoeverPrintsAConfigurationSeesNoSecret() throws {
        let configuration = try load("Bearer ${TOKEN}", ["TOKEN": Self.secret])
        var dumped = ""
        dump(configuration, to: &dumped)
        let printed = "\(configuration)\(String(reflecting: configuration))\(configuration.secrets)\(dumped)"
        #expect(!printed.contains(Self.secret))
        #expect(dumped.contains("TOKEN"))
    }

    @Test func whatTheEnvironmentLacksIsAnErrorWithItsPlaceForThoseWhoNeedIt() throws {
        for environment in [[:], ["TOKEN": ""]] {
            let error = try error("Bearer ${TOKEN}", environment)
            #expect(error.contains(".yml:7:24: the environment variable TOKEN, which a header needs"))
        }
        let others = try load("Bearer ${TOKEN}", [:], needsSecrets: false)
        #expect(others.widgets.count == 1)
    }

    @Test func aSecretThatNoHeaderCanHoldIsNamedAndNotShown() throws {
        let error = try error("Bearer ${TOKEN}", ["TOKEN": "\(Self.secret)\nX: y"])
        #expect(error.contains("the environment variable TOKEN cannot be used in a header"))
        #expect(!error.contains(Self.secret))
    }

    @Test(arguments: ["${TOKEN", "${}", "${1}", "${A B}"])
    func aNameThatIsNoneIsAnErrorWithItsPlace(_ header: String) throws {
        #expect(try error("'\(header)'", [:], needsSecrets: false).contains(".yml:7:24: "))
    }
}
