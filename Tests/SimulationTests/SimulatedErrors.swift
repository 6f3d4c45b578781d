// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The death of a process in the middle of a batch.
struct SimulatedDeath: Error {}

/// The takeover of the store by another process.
struct SimulatedTakeover: Error {}

/// The failure of a commit, or the loss of its result.
struct SimulatedFailure: Error {}
