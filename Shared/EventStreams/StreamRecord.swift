// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A message of a stream, in the form in which the producer stores it.
public protocol StreamRecord {
    /// The cycles that the message covers.
    var range: SequenceRange { get }
    /// Returns a copy of the record whose range begins at the earlier sequence number `first`; its state is unchanged.
    func starting(at first: SequenceNumber) -> Self
}
