// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A registered device, as the store keeps it.
struct Device: Codable, Hashable, Sendable {
    var id: DeviceID
    /// The id of the access token that registered the device.
    var owner: String
    var registration: DeviceRegistration
    /// The time of the last registration.
    var registered: Instant

    /// The time at which the device is removed unless it registers again.
    var expires: Instant { registered.advanced(by: DeviceLimits.lifetime) }
}

/// The registered phones and browsers: who may change them, how many there are, and how long they stay.
///
/// It is a pure value: each call returns the changes that the store has to keep.
struct DeviceRegistry: Sendable {
    enum Change: Hashable, Sendable {
        case store(Device)
        case remove(DeviceID)
    }

    /// The answer to a request, and the changes that must be committed before it is sent.
    struct Reply: Hashable, Sendable {
        var answer: Answer<DeviceAnswer>
        var changes: [Change] = []
    }

    private(set) var devices: [DeviceID: Device] = [:]
    /// The device of each address, because an address belongs to one device.
    private var byAddress: [String: DeviceID] = [:]
    /// The number of devices of each owner.
    private var counts: [String: Int] = [:]
    /// A time before which no device expires; nil if there is no device.
    private(set) var nextExpiry: Instant?

    /// Creates a registry from stored devices; a registration in the future counts as one of now.
    init(_ stored: [Device] = [], now: Instant) {
        for var device in stored {
            device.registered = min(device.registered, now)
            insert(device)
        }
    }

    /// Answers a request of a client.
    mutating func handle(_ request: DeviceRequest, now: Instant) -> Reply {
        let existing = devices[request.device]
        // A client that knows a device's address may register it, for example with a new access token.
        let address = request.registration.map { Self.key($0.address) }
        if let existing, existing.owner != request.owner, address != Self.key(existing.registration.address) {
            let message = "The device '\(request.device)' was registered with another access token; use another id."
            return Reply(answer: .error(RequestError(.refused, message)))
        }
        guard let registration = request.registration else {
            guard existing != nil else {
                return Reply(answer: .error(RequestError(.notFound, "There is no device '\(request.device)'.")))
            }
            remove(request.device)
            return Reply(answer: .result(DeviceAnswer(device: request.device)), changes: [.remove(request.device)])
        }
        if let problem = DeviceCheck.problem(of: registration) {
            return Reply(answer: .error(RequestError(.malformed, problem)))
        }
        // An app that was installed again has another id and the same address; two pushes would go to one device.
        let other = byAddress[Self.key(registration.address)].flatMap { $0 == request.device ? nil : devices[$0] }
        if let message = limitMessage(of: request.owner, replacing: [existing, other].compactMap { $0 }) {
            return Reply(answer: .error(RequestError(.refused, message)))
        }
        var changes: [Change] = []
        if let other {
            remove(other.id)
            changes.append(.remove(other.id))
        }
        let device = Device(id: request.device, owner: request.owner, registration: registration, registered: now)
        remove(request.device)
        insert(device)
        changes.append(.store(device))
        return Reply(
            answer: .result(DeviceAnswer(device: device.id, expires: device.expires)),
            changes: changes
        )
    }

    /// Returns the reason why an owner may register no further device; nil if it may, for example in place of `replaced`.
    private func limitMessage(of owner: String, replacing replaced: [Device]) -> String? {
        if replaced.isEmpty, devices.count >= DeviceLimits.maximumDevices {
            return "There are already \(DeviceLimits.maximumDevices) devices, the maximum; remove one first."
        }
        let ofOwner = counts[owner] ?? 0
        if !replaced.contains(where: { $0.owner == owner }), ofOwner >= DeviceLimits.maximumDevicesOfOwner {
            return "This access token has already \(ofOwner) devices, the maximum; remove one first."
        }
        return nil
    }

    /// Removes a device whose address a push service no longer accepts.
    ///
    /// Does nothing if the device has registered again since: `registered` is the registration that the push used.
    mutating func removeRejected(_ id: DeviceID, registered: Instant) -> [Change] {
        guard let device = devices[id], device.registered == registered else { return [] }
        remove(id)
        return [.remove(id)]
    }

    /// Removes the devices that have not registered for ``DeviceLimits/lifetime``.
    mutating func expire(now: Instant) -> [Change] {
        guard let next = nextExpiry, next <= now else { return [] }
        let expired = devices.values.filter { $0.expires <= now }.map(\.id).sorted()
        for id in expired { remove(id) }
        nextExpiry = devices.values.map(\.expires).min()
        return expired.map { .remove($0) }
    }

    /// Moves all registrations by the amount by which the wall clock was set, so that no device expires because of it.
    mutating func shift(by change: Duration) -> [Change] {
        for id in devices.keys {
            guard var device = devices[id] else { continue }
            device.registered = device.registered.advanced(by: change)
            devices[id] = device
        }
        nextExpiry = devices.values.map(\.expires).min()
        return devices.values.sorted { $0.id < $1.id }.map { .store($0) }
    }

    private mutating func insert(_ device: Device) {
        devices[device.id] = device
        counts[device.owner, default: 0] += 1
        byAddress[Self.key(device.registration.address)] = device.id
        nextExpiry = min(nextExpiry ?? device.expires, device.expires)
    }

    private mutating func remove(_ id: DeviceID) {
        guard let device = devices.removeValue(forKey: id) else { return }
        counts[device.owner, default: 1] -= 1
        if counts[device.owner] == 0 { counts[device.owner] = nil }
        let key = Self.key(device.registration.address)
        if byAddress[key] == id { byAddress[key] = nil }
        if devices.isEmpty { nextExpiry = nil }
    }

    /// Returns a text that is equal for two registrations to which a push goes to the same place.
    private static func key(_ address: DeviceRegistration.Address) -> String {
        switch address {
        case .apns(let apns):
            "apns \(apns.push.rawValue) \(apns.environment.rawValue) \(apns.bundle) \(apns.token)"
        case .webPush(let subscription):
            "webPush \(subscription.endpoint)"
        }
    }
}
