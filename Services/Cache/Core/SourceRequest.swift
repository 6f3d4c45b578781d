// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Digests
import RefreshRules
import WidgetSchema

/// The request for a widget's content to its origin; empty if the content is pushed.
struct SourceRequest: Hashable, Sendable {
    var url: String
    /// As configured, `${NAME}` in place of what the environment gives; sorted by name.
    ///
    /// They are what the id is made of: it stays when a secret changes, and tells nothing about it.
    var headers: [RequestHeader]
    /// The same as they are sent.
    var sentHeaders: [RequestHeader]
    var allowPrivateNetworks: Bool
    let id: SourceID
    /// Host and port: what requests are counted and spaced by; empty where there is no host to be polite to.
    let host: String
    /// Nothing is ever fetched.
    let isPushed: Bool
    /// The directory that a file is below, absolute; nil where the source is no file.
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

    /// A file below a directory; the source stays the same when the directory is another.
    init(file path: String, below directory: String) {
        self.init(url: "file:\(path)")
        fileDirectory = directory
    }

    /// The path below the directory; nil where the source is no file.
    var file: String? { fileDirectory == nil ? nil : String(url.dropFirst("file:".count)) }

    /// The source of a widget whose content is pushed.
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
