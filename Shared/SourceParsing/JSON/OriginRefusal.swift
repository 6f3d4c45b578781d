// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// The detection of an error message that an origin sends in place of data, often with status 200.
enum OriginRefusal {
    /// The beginning of a text that origins send in place of numbers to clients with a free plan.
    private static let placeholder = "sign up to access"
    private static let maximumReasonCharacters = 200

    /// Returns the error message that a document contains in place of data; nil if it contains none.
    static func find(in root: JSONValue) -> JSONFault? {
        let members = root.members("status", "success", "error", "message", "reason", "code", "info", "data")
        let reason = ["reason", "message", "info"].lazy.compactMap { members[$0].flatMap(text) }.first
        if let error = members["error"] {
            if error.flag == true { return fault(error, reason ?? "an error") }
            if error.kind == .object {
                let inner = error.members("message", "reason", "info", "type")
                let said = ["message", "reason", "info", "type"].lazy.compactMap { inner[$0].flatMap(text) }.first
                return fault(error, said ?? reason ?? "an error")
            }
            if let said = text(error) {
                return fault(error, [said, reason].compactMap(\.self).joined(separator: ": "))
            }
        }
        // Without a reason, the status may be data, such as that of a job.
        if let status = members["status"], let word = status.string?.lowercased(),
            ["fail", "failed", "error"].contains(word), reason != nil || members["data"] != nil
        {
            return fault(status, reason ?? word)
        }
        if let success = members["success"], success.flag == false, let reason { return fault(success, reason) }
        return nil
    }

    /// Returns an error if the text of a value says that the data are only available for payment; nil otherwise.
    static func find(inValue value: JSONValue, _ text: String) -> JSONFault? {
        guard text.utf8.count <= 100, text.lowercased().hasPrefix(placeholder) else { return nil }
        return value.fault("the origin says: \(text)", kind: .refused)
    }

    private static func text(_ value: JSONValue) -> String? {
        value.string.map { PlainText.collapse($0, limit: maximumReasonCharacters) }?
            .shortened(to: maximumReasonCharacters)
    }

    private static func fault(_ value: JSONValue, _ reason: String) -> JSONFault {
        let words = reason.lowercased().filter { $0.isLetter }
        let isLimited = ["ratelimit", "toomanyrequests", "limitexceeded", "limitreached", "quota"].contains {
            words.contains($0)
        }
        return value.fault("the origin says: \(reason)", kind: isLimited ? .rateLimited : .refused)
    }
}
