// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

private import Foundation

/// The extents of tests that repeat or explore: short in `make test`, long in `make nightly`.
///
/// `TIDINGS_NIGHTLY=1` in the environment selects the long ones.
package enum TestExtent {
    private static let isNightly = ProcessInfo.processInfo.environment["TIDINGS_NIGHTLY"] == "1"

    /// Returns the first extent in `make test`, and the second one in `make nightly`.
    package static func of<Extent>(_ usual: Extent, nightly: Extent) -> Extent { isNightly ? nightly : usual }

    /// Returns each `step`-th element, beginning with the first one; all elements in `make nightly`.
    ///
    /// If the elements are combinations, choose a step that has no divisor in common with the numbers of what is
    /// combined.
    package static func some<Elements: Collection>(of elements: Elements, each step: Int) -> [Elements.Element] {
        elements.enumerated().filter { isNightly || $0.offset.isMultiple(of: step) }.map(\.element)
    }
}
