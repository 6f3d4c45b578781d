// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The sources that were last reported as silent or quarantined.
struct SourceReports: Sendable {
    var silent: [SilentSource] = []
    var nextSilenceCheck: Instant?
    /// The sources whose last two or more leases expired without an outcome.
    var quarantined: Set<SourceID> = []
}
