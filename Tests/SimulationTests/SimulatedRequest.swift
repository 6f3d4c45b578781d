// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// What one process asks of another; the bus sees a token in its place.
enum SimulatedRequest {
    case lease(LeaseRequest)
    case command(CommandRequest)
    case refreshed(from: [WidgetID: SequenceNumber])
    case refreshedLast([WidgetID]?)
    case laidOut(from: [WidgetID: SequenceNumber])
    case render(RenderRequest)
    case updates(from: [WidgetID: SequenceNumber])
    case updatesSince(StreamOffset)
    case updatesLast([WidgetID]?, after: WidgetID?)
}

/// The answer of the cache, which is not put into words here.
enum SimulatedAnswer {
    case lease(LeaseAnswer)
    case cycle(CycleAnswer)
    case records(Records<Refreshed>, [Data])
}
