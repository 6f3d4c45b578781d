// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams

/// The effects that the gateway's core requests; effects are performed in order.
enum GatewayEffect: Sendable {
    case request(UpdateFollower.Request)
    case follow(UpdateFollower.Output)
}
