// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A message of a stream as its producer keeps it.
public protocol StreamRecord {
    /// The cycles that it stands for.
    var range: SequenceRange { get }
    /// The same state, standing for the cycles from an earlier number on.
    func starting(at first: SequenceNumber) -> Self
}
