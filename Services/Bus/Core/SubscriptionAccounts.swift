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

    /// The part of the limits of all connections, as its reciprocal, up to which subscriptions are no reason for a lack of
    /// memory.
    private static let smallPart = 4

    private let limits: SubscriptionLimits
    /// The accounts of the open connections, by descriptor.
    private var accounts: [Int32: SubscriptionAccount] = [:]
    /// The subscriptions from each address that has some.
    private var addresses: [String: SubscriptionAccount.Use] = [:]
    /// The highest number that a connection with a descriptor can have if it has ended.
    private var endedNumbers: [Int32: UInt64] = [:]
    /// The subscriptions of all connections.
    private(set) var use = SubscriptionAccount.Use()

    init(_ limits: SubscriptionLimits) {
        self.limits = limits
    }

    /// Adds or removes a subscription; returns the connection that must end, or nil.
    ///
    /// `frame` is nil if the connection has sent something else; it must then end, as it must if it exceeds its limits. If
    /// all connections together exceed theirs, the one with the most subscriptions must end, of those from the address with
    /// the most; of equal ones the newest. A connection with few subscriptions stays. Messages of connections that have
    /// ended are ignored.
    mutating func handle(
        _ frame: SubscriptionFrame?,
        of connection: Connection,
        at address: @autoclosure () -> String,
        now: ContinuousClock.Instant
    ) -> SubscriptionExcess? {
        guard isOpen(connection) else { return nil }
        let descriptor = connection.descriptor
        if accounts[descriptor] == nil {
            accounts[descriptor] = SubscriptionAccount(number: connection.number, address: address())
        }
        guard accounts[descriptor]?.isClosed == false else { return nil }
        guard let frame else { return close(descriptor, .otherFrames) }
        let change = accounts[descriptor]?.apply(frame, now: now) ?? SubscriptionAccount.Use()
        guard let account = accounts[descriptor] else { return nil }
        add(change, at: account.address)
        if account.isTooFast { return close(descriptor, .rate) }
        guard change.count > 0 else { return nil }
        if account.use.count > limits.count || account.use.bytes > limits.bytes { return close(descriptor, .ownLimits) }
        guard use.count > limits.countOfAll || use.bytes > limits.bytesOfAll, !isSmall(account) else { return nil }
        return close(largest ?? descriptor, .limitsOfAll)
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
        add(-account.use, at: account.address)
    }

    /// Returns the connections that must end because memory is short, beginning with the largest ones of the address with the
    /// most subscriptions.
    ///
    /// Half of the subscriptions remain, and all if they are too few to be the reason.
    mutating func release() -> [SubscriptionExcess] {
        let remaining = weight(use) / 2
        guard use.count > limits.countOfAll / Self.smallPart || use.bytes > limits.bytesOfAll / Self.smallPart else {
            return []
        }
        var excesses: [SubscriptionExcess] = []
        let ranks = accounts.filter { !isSmall($0.value) }.mapValues { account in
            (weight(addresses[account.address] ?? account.use), weight(account.use), account.number)
        }
        for (descriptor, _) in ranks.sorted(by: { $0.value > $1.value }) where weight(use) > remaining {
            if let excess = close(descriptor, .memory) { excesses.append(excess) }
        }
        return excesses
    }

    private func isSmall(_ account: SubscriptionAccount) -> Bool {
        account.use.count <= limits.protectedCount && account.use.bytes <= limits.protectedBytes
    }

    /// Returns a number for the part of the limits that is used.
    private func weight(_ use: SubscriptionAccount.Use) -> Int {
        max(use.count * limits.bytesOfAll, use.bytes * limits.countOfAll)
    }

    /// The connection with the most subscriptions, of those from the address with the most; nil if it has few.
    private var largest: Int32? {
        guard let address = addresses.max(by: { (weight($0.value), $0.key) < (weight($1.value), $1.key) })?.key else {
            return nil
        }
        var largest: (descriptor: Int32, rank: (Int, UInt64))?
        // This runs for each connection that ends, so it must not copy the accounts.
        for (descriptor, account) in accounts where account.address == address && !isSmall(account) {
            let rank = (weight(account.use), account.number)
            if largest.map({ $0.rank < rank }) ?? true { largest = (descriptor, rank) }
        }
        return largest?.descriptor
    }

    private mutating func add(_ change: SubscriptionAccount.Use, at address: String) {
        guard change != SubscriptionAccount.Use() else { return }
        use += change
        addresses[address, default: SubscriptionAccount.Use()] += change
        if addresses[address]?.count == 0 { addresses[address] = nil }
    }

    private mutating func close(_ descriptor: Int32, _ reason: SubscriptionExcess.Reason) -> SubscriptionExcess? {
        guard let account = accounts[descriptor] else { return nil }
        add(-account.use, at: account.address)
        accounts[descriptor]?.close()
        return SubscriptionExcess(
            connection: Connection(descriptor: descriptor, number: account.number),
            address: account.address,
            count: account.use.count,
            bytes: account.use.bytes,
            reason: reason
        )
    }
}
