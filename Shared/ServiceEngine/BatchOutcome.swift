// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The result of a batch.
public enum BatchOutcome<Input, Effect> {
    /// The batch is committed; perform its effects in order.
    case perform([Effect])
    /// No write of the batch is committed. Perform the effects, which are answers that need no write, and tell the
    /// requesters of the refused inputs to ask again.
    case paused([Effect], refused: [Input])
}
