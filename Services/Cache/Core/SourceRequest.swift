// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import RefreshRules
import WidgetSchema

/// The origin of a widget's content: the request that is sent, or none if the content is pushed.
struct SourceRequest: Hashable, Sendable {
    var url: String
    /// The headers as configured, with `${NAME}` in place of environment values; sorted by name.
    ///
    /// The id is made from them, so it stays the same when a secret changes, and reveals nothing about it.
    var headers: [RequestHeader]
    /// The headers as they are sent.
    var sentHeaders: [RequestHeader]
    var allowPrivateNetworks: Bool
    let id: SourceID
    /// Host and port, by which requests are counted and spaced; empty for sources without a host.
    let host: String
    /// A Boolean value that indicates whether the content is pushed, so that nothing is ever fetched.
    let isPushed: Bool
    /// The absolute path of the directory that contains the file; nil if the source is not a file.
    var fileDirectory: String?

    init(
        url: String,
        headers: [RequestHeader] = [],
        sentHeaders: [RequestHeader]? = nil,
        allowPrivateNetworks: Bool = false
    ) {
        self.url = url
        self.headers = headers.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        self.sentHeaders = sentHeaders?.sorted { ($0.name, $0.value) < ($1.name, $1.value) } ?? self.headers
        self.allowPrivateNetworks = allowPrivateNetworks
        isPushed = false
        id = Self.id(of: ["GET", url] + self.headers.flatMap { [$0.name.lowercased(), $0.value] })
        host = OriginHost.name(of: url)
    }

    /// Creates a file source; the source is the same for another directory.
    init(file path: String, below directory: String) {
        self.init(url: "file:\(path)")
        fileDirectory = directory
    }

    /// The path below the directory; nil if the source is not a file.
    var file: String? { fileDirectory == nil ? nil : String(url.dropFirst("file:".count)) }

    /// Creates the source of a widget whose content is pushed.
    init(pushedTo widget: WidgetID) {
        url = ""
        headers = []
        sentHeaders = []
        allowPrivateNetworks = false
        isPushed = true
        id = Self.id(of: ["PUSH", widget.rawValue])
        host = ""
    }

    private static func id(of parts: [String]) -> SourceID {
        guard let id = SourceID(rawValue: String(SHA256.hexDigest(of: parts.joined(separator: "\n")).prefix(16))) else {
            preconditionFailure("the first 16 digits of a SHA-256 are a source id")
        }
        return id
    }
}
