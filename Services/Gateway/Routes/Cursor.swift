// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Where a page of a list ends, as a text that clients only give back.
enum Cursor {
    static func text(_ widget: WidgetID) -> String { Data(widget.rawValue.utf8).base64EncodedString() }

    static func widget(_ text: String) -> WidgetID? {
        Data(base64Encoded: text).flatMap { WidgetID(rawValue: String(decoding: $0, as: UTF8.self)) }
    }
}
