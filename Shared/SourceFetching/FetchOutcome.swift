// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
package import WidgetSchema

/// The outcome of one fetch: the event's data and its contents, in order.
package struct FetchOutcome: Hashable, Sendable {
    package var data: Fetched
    package var contents: [Data]

    package init(data: Fetched, contents: [Data]) {
        self.data = data
        self.contents = contents
    }
}
