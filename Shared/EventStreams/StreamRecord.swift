// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A message of a stream, in the form in which the producer stores it.
public protocol StreamRecord {
    /// The cycles that the message covers.
    var range: SequenceRange { get }
    /// Returns a copy of the record with a range that begins at `first`.
    ///
    /// `first` must not be later than the beginning of the record's range. The copy ends at the same cycle and contains
    /// the same state of the widget as the record.
    func starting(at first: SequenceNumber) -> Self
}
