// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Reads content in the form that it has on the bus, `{"kind": "quote", "quote": {…}}`: what an app writes for itself.
enum OwnForm {
    static func read(_ bytes: Data, kind: WidgetKind, documentURL: String) throws(ParsingError) -> Content {
        let content: Content
        do {
            content = try WireJSON.decode(Content.self, from: bytes)
        } catch {
            throw ParsingError(kind: .wrongFormat, message: "no \(kind) in it: \(error)", documentURL: documentURL)
        }
        guard content.kind == kind else {
            throw ParsingError(
                kind: .wrongFormat,
                message: "it is of kind \(content.kind.rawValue), not \(kind.rawValue)",
                documentURL: documentURL
            )
        }
        let faults = content.faults
        guard faults.isEmpty else {
            throw ParsingError(
                kind: .wrongFormat,
                message: faults.joined(separator: "; "),
                documentURL: documentURL
            )
        }
        return content
    }
}
