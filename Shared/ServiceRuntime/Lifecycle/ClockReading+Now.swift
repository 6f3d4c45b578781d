// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import ServiceEngine

extension ClockReading {
    /// The present wall-clock time and monotonic time of this machine.
    ///
    /// Only threads that drive an engine use this property; cores get the time as a parameter.
    public static var now: ClockReading { ClockReading(wall: .now, monotonic: .now) }
}
