// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A request between processes; the bus sees a token instead of it.
enum SimulatedRequest {
    case lease(LeaseRequest)
    case command(CommandRequest)
    case refreshed(from: [WidgetID: SequenceNumber])
    case refreshedLast([WidgetID]?)
    case confirm(ConfirmRequest)
    case shown(ShownRequest)
    case laidOut(from: [WidgetID: SequenceNumber])
    case render(RenderRequest)
    case updates(from: [WidgetID: SequenceNumber])
    case updatesSince(StreamOffset)
    case updatesLast([WidgetID]?, after: WidgetID?)
}

/// An answer of the cache, which is not encoded in the simulation.
enum SimulatedAnswer {
    case lease(LeaseAnswer)
    case cycle(CycleAnswer)
    case confirm(ConfirmAnswer)
    case shown(ShownAnswer)
    case records(Records<Refreshed>, [Data])
}
