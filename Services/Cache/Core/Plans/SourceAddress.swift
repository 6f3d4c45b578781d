// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import OriginRules
import WidgetSchema

/// The address of a widget's source: a URL with headers, a file, or the pushes of clients.
struct SourceAddress: Hashable, Sendable {
    var url: String
    /// The headers as configured, sorted by name, with `${NAME}` in place of environment values.
    ///
    /// `id` is computed from the URL and these headers. The id therefore does not change when a secret changes, and
    /// reveals nothing about the secret.
    var headers: [RequestHeader]
    /// The headers as they are sent, with the environment values.
    var sentHeaders: [RequestHeader]
    var allowPrivateNetworks: Bool
    let id: SourceID
    /// The host and port to which the limits for requests apply; empty for sources without a host.
    let host: String
    /// A Boolean value that indicates whether clients push the content; such a source is never fetched.
    let isPushed: Bool
    /// The absolute path of the directory to which `file` is relative; nil if the source is not a file.
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
        id = SourceID(requestedFrom: url, headers: headers)
        host = OriginHost.name(of: url)
    }

    /// Creates the source for a file whose `path` is relative to `directory`.
    ///
    /// The directory does not affect the source's id.
    init(file path: String, below directory: String) {
        self.init(url: FileURL.url(of: path))
        fileDirectory = directory
    }

    /// The path of the file, relative to `fileDirectory`; nil if the source is not a file.
    var file: String? { fileDirectory == nil ? nil : FileURL.path(of: url) }

    /// Creates the source of a widget whose content is pushed.
    init(pushedTo widget: WidgetID) {
        url = ""
        headers = []
        sentHeaders = []
        allowPrivateNetworks = false
        isPushed = true
        id = SourceID(pushedTo: widget)
        host = ""
    }
}
