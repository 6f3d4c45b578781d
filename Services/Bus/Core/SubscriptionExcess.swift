// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A connection of a subscriber that must end, and why.
struct SubscriptionExcess: Hashable {
    enum Reason: Hashable {
        /// The connection has more subscriptions than it may have.
        case ownLimits
        /// All connections together have more subscriptions than they may have.
        case limitsOfAll
        /// The connection subscribes and unsubscribes too often.
        case rate
        /// The connection sent something else than single frames that subscribe or unsubscribe.
        case otherFrames
        /// Memory is short, and the address of the connection has more subscriptions than others.
        case memory

        /// The sentence that the bus logs, with the remedy.
        var warning: StaticString {
            switch self {
            case .ownLimits:
                "The bus ended a connection with too many subscriptions; use shorter prefixes, or raise --subscriptions."
            case .limitsOfAll:
                """
                The bus ended a connection because all together have too many subscriptions; use shorter prefixes, or \
                raise --all-subscriptions.
                """
            case .rate:
                "The bus ended a connection that repeats its subscriptions too often; subscribe once to each prefix."
            case .otherFrames:
                "The bus ended a connection that sent something else than subscriptions; use a SUB socket."
            case .memory:
                """
                The bus uses too much memory and ended a connection, because its address has the most subscriptions; \
                use shorter prefixes, or raise --memory.
                """
            }
        }
    }

    let connection: SubscriptionAccounts.Connection
    let address: String
    let count: Int
    let bytes: Int
    let reason: Reason
}
