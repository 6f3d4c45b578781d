// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension FailureCause {
    /// Returns a sentence that says what failed.
    func sentence(in language: WidgetLanguage) -> String {
        let word: PanelWord =
            switch (self.class, status) {
            case (.rateLimited, _): .tooManyRequests
            case (.malformed, _): .unreadable
            case (_, 404?), (_, 410?): .notFound
            case (_, 401?), (_, 403?), (_, 407?), (_, 451?): .forbidden
            case (_, (500...599)?): .serverError
            case (_, _?): .otherStatus
            case (.permanent, nil): .unusable
            case (.transient, nil): .unreachable
            }
        return word.string(in: language, status.map(String.init) ?? "")
    }
}
