// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A message of a stream as its producer stores it.
public protocol StreamRecord {
    /// The cycles that the message covers.
    var range: SequenceRange { get }
    /// Returns the same state for a range that begins at an earlier sequence number.
    func starting(at first: SequenceNumber) -> Self
}
