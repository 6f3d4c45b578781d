// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Cryptography
package import WidgetSchema

extension SourceID {
    /// Creates the id of the source that is requested from an address with these headers.
    ///
    /// The headers are those of the configuration, with `${NAME}` in place of environment values: the id does not change
    /// with a secret, and reveals nothing about it. The order of the headers and the case of their names do not matter.
    package init(requestedFrom url: String, headers: [RequestHeader]) {
        let sorted = headers.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        self.init(of: ["GET", url] + sorted.flatMap { [$0.name.lowercased(), $0.value] })
    }

    /// Creates the id of the source of a widget whose content is pushed.
    package init(pushedTo widget: WidgetID) { self.init(of: ["PUSH", widget.rawValue]) }

    private init(of parts: [String]) {
        guard let id = SourceID(rawValue: String(SHA256.hexDigest(of: parts.joined(separator: "\n")).prefix(16))) else {
            preconditionFailure("internal error: the generated source id is invalid")
        }
        self = id
    }
}

extension TidingsConfiguration.Source {
    /// The id by which the services name this source.
    package var id: SourceID {
        SourceID(requestedFrom: url, headers: headers.map { RequestHeader(name: $0.key, value: $0.value) })
    }
}
