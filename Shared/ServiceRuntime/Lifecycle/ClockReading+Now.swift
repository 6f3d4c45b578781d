// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import ServiceEngine
import WidgetSchema

extension ClockReading {
    /// The present time of both clocks of this machine.
    ///
    /// Only for threads that drive an engine, because cores get the time as a parameter.
    public static var now: ClockReading { ClockReading(wall: .now, monotonic: .now) }
}
