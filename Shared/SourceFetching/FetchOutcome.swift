// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
package import WidgetSchema

/// The outcome of one fetch: the data of the event `fetched`, and the encoded contents that the event refers to.
///
/// The contents are in the order of the references in the event.
package struct FetchOutcome: Hashable, Sendable {
    package var data: Fetched
    package var contents: [Data]
}
