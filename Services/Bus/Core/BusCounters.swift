// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The counters of the bus since its start.
struct BusCounters: Hashable, Sendable {
    var forwarding = ForwardingCounters()
    var requests: Int64 = 0
    var answers: Int64 = 0
    var unavailable: Int64 = 0
    var malformedRequests: Int64 = 0
    var lateAnswers: Int64 = 0
    var slowRequesters: Int64 = 0
    var refusedRegistrations: Int64 = 0
    /// The number of answers that did not come from the instance that got the request.
    var foreignAnswers: Int64 = 0
    /// The number of registrations, and of ends of registrations, that came from a connection of another instance.
    var foreignRegistrations: Int64 = 0
    /// The number of requesters' connections that were ended because the bus used too much memory.
    var droppedRequesters: Int64 = 0
    /// The number of messages of the bus itself that were not published, because too many waited.
    var droppedOwnMessages: Int64 = 0

    /// The values of the counters, by the names that health events use.
    ///
    /// Counters that are 0 are omitted, except those of forwarded messages, requests and answers.
    var values: [String: Int64] {
        var values: [String: Int64] = [
            "bus.forwarded": forwarding.forwarded, "bus.requests": requests, "bus.answers": answers,
        ]
        let others: [(String, Int64)] = [
            ("bus.dropped.unknownTopic", forwarding.unknownTopics),
            ("bus.dropped.wrongFrames", forwarding.wrongFrames),
            ("limit.bus.frameBytes", forwarding.oversized),
            ("bus.dropped.subscription", forwarding.unexpectedSubscriptions),
            ("limit.bus.subscriptions", forwarding.endedSubscribers),
            ("limit.bus.ownMessages", droppedOwnMessages),
            ("bus.unavailable", unavailable),
            ("bus.malformedRequests", malformedRequests),
            ("bus.lateAnswers", lateAnswers),
            ("limit.bus.requestQueue", slowRequesters),
            ("limit.bus.instances", refusedRegistrations),
            ("limit.bus.memory", droppedRequesters + forwarding.droppedPublishers),
            ("bus.dropped.foreignAnswer", foreignAnswers),
            ("bus.refused.foreignRegistration", foreignRegistrations),
        ]
        for (name, value) in others where value != 0 { values[name] = value }
        return values
    }
}
