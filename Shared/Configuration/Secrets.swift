// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The values from the environment that replace `${NAME}`: tokens and passwords, which should not be in a file.
///
/// Descriptions of secrets, and of values that contain them, show no values. Only `TidingsConfiguration.load` fills
/// them, and only the cache and the commands that send requests to origins read them.
public struct Secrets: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// The first place of each variable in the configuration.
    private var places: [String: ConfigurationError.Place] = [:]
    private var values: [String: String] = [:]

    public init() {}

    public var description: String { "\(values.count) of \(places.count) variables" }
    public var customMirror: Mirror { Mirror(self, children: ["names": places.keys.sorted()]) }

    /// Returns a text in which values from the environment replace `${NAME}`; missing values are empty.
    public func filled(_ text: String) -> String {
        guard let pieces = try? SecretText.pieces(of: text) else { return text }
        return pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let name): values[name] ?? ""
            }
        }.joined()
    }

    /// Records the variables that a text uses.
    mutating func need(_ pieces: [SecretText.Piece], at place: ConfigurationError.Place) {
        for case .variable(let name) in pieces where places[name] == nil { places[name] = place }
    }

    /// Adds the variables that another file uses.
    mutating func add(_ other: Secrets) {
        places.merge(other.places) { first, _ in first }
        values.merge(other.values) { first, _ in first }
    }

    /// Reads the used variables from the environment; returns the problems.
    mutating func take(from environment: [String: String]) -> [ConfigurationError] {
        var errors: [ConfigurationError] = []
        for (name, place) in places {
            guard let value = environment[name], !value.isEmpty else {
                errors.append(ConfigurationError(place, "the environment has no \(name), which a header needs"))
                continue
            }
            if let problem = RequestSyntax.problem(headerValue: value) {
                errors.append(ConfigurationError(place, "the environment's \(name) cannot be used: \(problem)"))
            } else {
                values[name] = value
            }
        }
        return errors
    }
}
