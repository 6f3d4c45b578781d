// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Stands in for a kind that this version does not draw: the placeholder is shown.
struct UndrawnLayout: WidgetLayout {
    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? { nil }

    func summary(of content: Content, at moment: WidgetMoment) -> String? { nil }
}
