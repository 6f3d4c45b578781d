// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import AccessTokens
import CommandOptions
import Configuration
import Foundation
import ServiceRuntime
import WidgetSchema

/// `tidings token`: manages the tokens of the gateway.
enum TokenCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings token",
        summary: "Creates, lists and revokes the tokens of the gateway.",
        operands: [
            Operand("ACTION", help: "new, list or revoke."),
            Operand("ID", isOptional: true, help: "The id of the token to revoke, as 'list' shows it."),
        ],
        options: [
            .config,
            Option("name", short: "n", value: "NAME", help: "Who or what uses the new token."),
            Option(
                "scope",
                short: "s",
                value: "SCOPE",
                choices: AccessScope.allCases.map(\.rawValue),
                isRepeatable: true,
                help: "What it allows: read, act, push or admin (default: read)."
            ),
            Option(
                "path",
                short: "p",
                value: "PATH",
                isRepeatable: true,
                help: "Allow only reads below PATH, such as /widgets/blog/phone. Such a token may be part of an "
                    + "address: ?token=…"
            ),
        ],
        notes: """
            A token is shown once; the file keeps its hash. The gateway notices a change of
            the file within a second.

            Examples:
              tidings token new --name phone --scope read --scope act
              tidings token new --name panel --path /widgets/weather/wall
              tidings token revoke 0a1b2c3d
            """
    )

    private static let maximumNameCharacters = 60

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let configuration = try options.configuration(environment)
        let path = configuration.gateway.tokens ?? configuration.storeFolder + "/" + TokenFile.defaultName
        switch options.operands[0] {
        case "new": try create(options, path)
        case "list": try list(path)
        case "revoke":
            guard options.operands.count == 2 else { throw wrongUse("revoke needs the id of a token") }
            try revoke(options.operands[1], path)
        case let other: throw wrongUse("'\(other)' is not an action: use new, list or revoke")
        }
        return .done
    }

    private static func create(_ options: ParsedOptions, _ path: String) throws {
        guard let name = options.value("name"), !name.isEmpty, name.count <= maximumNameCharacters else {
            throw wrongUse("--name needs 1 to \(maximumNameCharacters) characters that say who uses the token")
        }
        let scopes: [AccessScope] = try options.values("scope").map { try choice($0, "'\($0)' is not a scope") }
        let paths = options.values("path")
        for path in paths where !path.hasPrefix("/") { throw wrongUse("the path '\(path)' does not begin with '/'") }
        if !paths.isEmpty, scopes.contains(where: { $0 != .read }) {
            throw wrongUse(
                "a token with --path may only have the scope 'read', because such a token can be part of an address"
            )
        }
        let token = AccessToken()
        let record = TokenRecord(
            token: token,
            name: name,
            scopes: scopes.isEmpty ? [.read] : scopes,
            paths: paths.isEmpty ? nil : paths,
            created: Instant.now.description
        )
        try TokenFile.change(path) { $0.tokens.append(record) }
        // A gateway with another configuration reads another file.
        StandardStream.error.write("Token \(record.id) for '\(name)', in \(path). It is shown only once:\n")
        do {
            try OutputFile(OutputFile.standardOutput).write(Data("\(token.text)\n".utf8))
        } catch {
            // The token could not be shown, so nobody can use it: its record is removed.
            try TokenFile.change(path) { file in file.tokens.removeAll { $0.id == record.id } }
            Program.note("the token \(record.id) was removed again")
            throw error
        }
    }

    private static func list(_ path: String) throws {
        let columns = try TokenFile.load(path).tokens.map { record in
            [record.id, record.scopes.map(\.rawValue).joined(separator: ","), record.created, record.name]
                + (record.paths ?? [])
        }
        for column in columns { try StandardOutput.write(column.joined(separator: "\t") + "\n") }
    }

    private static func revoke(_ id: String, _ path: String) throws {
        try TokenFile.change(path) { file in
            guard file.tokens.contains(where: { $0.id == id }) else {
                throw CommandFailure(.no, "there is no token '\(id)'; 'tidings token list' shows all tokens")
            }
            file.tokens.removeAll { $0.id == id }
        }
    }
}
