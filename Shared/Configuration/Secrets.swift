// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The values of environment variables that replace `${NAME}` in the headers of sources, or in destinations.
///
/// The values are tokens and passwords, which should not be in a file; `description` and `customMirror` do not show
/// them. They are present only if the configuration was loaded for its users, as in the cache and in `tidings
/// check`.
public struct Secrets: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// For each variable, the place of its first use in the configuration; the keys are the names of the variables.
    private var places: [String: ConfigurationError.Place] = [:]
    private var values: [String: String] = [:]

    public init() {}

    public var description: String { "\(values.count) of \(places.count) variables" }
    public var customMirror: Mirror { Mirror(self, children: ["names": places.keys.sorted()]) }

    /// Returns `text` with the value from the environment in place of each `${NAME}`; a missing value counts as empty.
    public func filled(_ text: String) -> String {
        guard let pieces = try? SecretText.pieces(of: text) else { return text }
        return pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let name): values[name] ?? ""
            }
        }.joined()
    }

    /// Records the variables in `pieces`, which are the parts of a text in the configuration.
    ///
    /// `place` is the place of the text. If a variable is already recorded, its first place is kept.
    mutating func need(_ pieces: [SecretText.Piece], at place: ConfigurationError.Place) {
        for case .variable(let name) in pieces where places[name] == nil { places[name] = place }
    }

    /// An error for each recorded variable, for a file that must not contain variables.
    var refusals: [ConfigurationError] {
        places.sorted { $0.key < $1.key }.map { name, place in
            ConfigurationError(
                place,
                "the environment variable \(name) cannot be used here; write entries with ${NAME} into the "
                    + "configuration by hand"
            )
        }
    }

    /// Adds the variables of `other`; if both have the same variable, the existing entry is kept.
    mutating func add(_ other: Secrets) {
        places.merge(other.places) { first, _ in first }
        values.merge(other.values) { first, _ in first }
    }

    /// Reads the recorded variables from the environment; returns an error for each missing or invalid value.
    ///
    /// `user` is what needs the values, in error messages.
    mutating func take(from environment: [String: String], for user: String = "a header") -> [ConfigurationError] {
        var errors: [ConfigurationError] = []
        for (name, place) in places {
            guard let value = environment[name], !value.isEmpty else {
                errors.append(
                    ConfigurationError(
                        place,
                        "the environment variable \(name), which \(user) needs, is missing or empty"
                    )
                )
                continue
            }
            if let problem = RequestSyntax.problem(headerValue: value) {
                errors.append(
                    ConfigurationError(
                        place,
                        "the environment variable \(name) cannot be used in \(user): \(problem)"
                    )
                )
            } else {
                values[name] = value
            }
        }
        return errors
    }
}

/// The parts of a configuration whose secrets a program needs.
public struct NeededSecrets: OptionSet, Sendable {
    /// The secrets in the headers of sources.
    public static let ofSources = NeededSecrets(rawValue: 1)
    /// The secrets in destinations.
    public static let ofDestinations = NeededSecrets(rawValue: 2)

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
}
