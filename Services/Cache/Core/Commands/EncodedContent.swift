// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The JSON of a content, and its digest.
struct EncodedContent: Sendable {
    var digest: ContentDigest
    var bytes: Data
}
