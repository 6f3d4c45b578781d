// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The subscriptions of each connection, counted against the limits.
///
/// The system gives the descriptor of an ended connection to a later one, while messages of the ended one may still be
/// unread. The numbers of the connections tell them apart.
struct SubscriptionAccounts {
    /// A connection of a subscriber.
    struct Connection: Hashable {
        let descriptor: Int32
        /// The number of the connection; later connections have higher ones.
        let number: UInt64
    }

    /// A connection that must end, because it has too many subscriptions.
    struct Excess: Hashable {
        let connection: Connection
        let address: String
        let count: Int
        let bytes: Int
    }

    private struct Account {
        let number: UInt64
        let address: String
        var prefixes: Set<[UInt8]> = []
        var bytes = 0
        /// A Boolean value that indicates whether the connection must end; its further messages are ignored.
        var isClosed = false

        /// Adds or removes a subscription; returns the change of their number.
        mutating func apply(_ frame: SubscriptionFrame) -> Int {
            guard !isClosed else { return 0 }
            let hasChanged =
                frame.subscribes ? prefixes.insert(frame.prefix).inserted : prefixes.remove(frame.prefix) != nil
            guard hasChanged else { return 0 }
            let change = frame.subscribes ? 1 : -1
            bytes += change * frame.prefix.count
            return change
        }
    }

    private let limits: SubscriptionLimits
    /// The accounts of the open connections, by descriptor.
    private var accounts: [Int32: Account] = [:]
    /// The highest number that a connection with a descriptor can have if it has ended.
    private var endedNumbers: [Int32: UInt64] = [:]
    /// The number of subscriptions of all connections.
    private(set) var count = 0
    /// The size of the prefixes of all connections, in bytes.
    private(set) var bytes = 0

    init(_ limits: SubscriptionLimits) {
        self.limits = limits
    }

    /// Adds or removes a subscription; returns the connection that must end, or nil.
    ///
    /// If this connection exceeds its limits, it must end. If all connections together exceed theirs, the one with the
    /// most subscriptions must end. Messages of connections that have ended are ignored.
    mutating func handle(_ frame: SubscriptionFrame, of connection: Connection, at address: String) -> Excess? {
        guard isOpen(connection) else { return nil }
        let descriptor = connection.descriptor
        let change = accounts[descriptor, default: Account(number: connection.number, address: address)].apply(frame)
        count += change
        bytes += change * frame.prefix.count
        guard change > 0, let account = accounts[descriptor] else { return nil }
        if account.prefixes.count > limits.count || account.bytes > limits.bytes { return close(descriptor) }
        return exceedsLimitsOfAll ? largest.flatMap { close($0) } : nil
    }

    /// Returns true if a connection has not ended.
    func isOpen(_ connection: Connection) -> Bool {
        connection.number > endedNumbers[connection.descriptor, default: 0]
    }

    /// Removes the subscriptions of a connection that has ended; `last` is the highest number of a connection so far.
    ///
    /// Must be called before a later connection gets its number.
    mutating func end(_ descriptor: Int32, last: UInt64) {
        endedNumbers[descriptor] = last
        guard let account = accounts.removeValue(forKey: descriptor) else { return }
        count -= account.prefixes.count
        bytes -= account.bytes
    }

    private var exceedsLimitsOfAll: Bool { count > limits.countOfAll || bytes > limits.bytesOfAll }

    /// The descriptor of the connection that uses the largest part of its limits.
    private var largest: Int32? {
        func use(_ account: Account) -> Int { max(account.prefixes.count * limits.bytes, account.bytes * limits.count) }
        return accounts.max { use($0.value) < use($1.value) }?.key
    }

    private mutating func close(_ descriptor: Int32) -> Excess? {
        guard let account = accounts[descriptor] else { return nil }
        count -= account.prefixes.count
        bytes -= account.bytes
        accounts[descriptor] = Account(number: account.number, address: account.address, isClosed: true)
        return Excess(
            connection: Connection(descriptor: descriptor, number: account.number),
            address: account.address,
            count: account.prefixes.count,
            bytes: account.bytes
        )
    }
}
