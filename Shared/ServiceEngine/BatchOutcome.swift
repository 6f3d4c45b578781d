// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The result of a batch.
public enum BatchOutcome<Input, Effect> {
    /// The batch is committed; perform its effects in order.
    case perform([Effect])
    /// Writes are paused: the batch was not committed, or the result of its commit is unknown.
    ///
    /// Perform the effects: they answer the inputs that need no write. `refused` contains the other inputs; tell their
    /// requesters to retry.
    case paused([Effect], refused: [Input])
}
