// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import ServiceEngine

extension StoreFailure {
    /// Runs an operation of a store, and converts its errors to the failures that an engine distinguishes.
    public static func classifying<Result>(_ operation: () throws -> Result) throws(StoreFailure) -> Result {
        do {
            return try operation()
        } catch let error as StoreTakenOver {
            throw .takenOver(error)
        } catch {
            throw .discard(error)
        }
    }
}
