// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import ServiceEngine
import WidgetSchema

extension ClockReading {
    /// Reads both clocks of this machine.
    ///
    /// For the threads that drive an engine: cores are given the time.
    public static var now: ClockReading { ClockReading(wall: .now, monotonic: .now) }
}
