// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import ServiceEngine
import WidgetSchema

/// Registered phones and browsers, each of which is a destination.
extension DeliveryCore {
    /// Answers a registration or a removal; the answer is sent after the commit.
    mutating func register(_ number: RequesterID, _ request: DeviceRequest, _ step: inout Decisions, now: Instant) {
        if case .apns? = request.registration?.address, !plan.devices.acceptsApple {
            let text = "This installation has no key for Apple's push service; set devices.apns in the configuration."
            step.effects.append(.answerDevice(number, .error(RequestError(.refused, text))))
            return
        }
        let reply = devices.handle(request, now: now)
        apply(reply.changes, &step, now: now)
        step.effects.append(.answerDevice(number, reply.answer))
    }

    /// Makes the destinations those of the registry after its changes.
    mutating func apply(_ changes: [DeviceRegistry.Change], _ step: inout Decisions, now: Instant) {
        for change in changes {
            switch change {
            case .store(let device):
                step.writes.append(.device(device.id, device))
                follow(device, &step, now: now)
            case .remove(let id):
                step.writes.append(.device(id, nil))
                step.effects.append(.note(.deviceRemoved(id)))
                let name = DestinationName.of(id)
                guard let old = destinations[name] else { continue }
                followers.remove(old.plan)
                deviceIDs[name] = nil
                forget(name)
            }
        }
        if !changes.isEmpty { beginFollowing(&step, now: now) }
    }

    private mutating func follow(_ device: Device, _ step: inout Decisions, now: Instant) {
        let plan = DestinationPlan(device, self.plan.devices)
        let old = destinations[plan.name]?.plan
        if old == nil { step.effects.append(.note(.deviceRegistered(device.id))) }
        guard plan != old else { return }
        // After a crash, the updates so far must not come again: they would pass the filter of this registration.
        positionDue = now
        if let old { followers.remove(old) }
        followers.insert(plan)
        deviceIDs[plan.name] = device.id
        let isRenewed = adopt(plan, as: plan.name)
        guard old != nil else { return }
        for key in index[plan.name] {
            stopIfUnfollowed(key, now: now)
            removeIfUnneeded(key, now: now)
            if isRenewed { endPause(key, now: now) }
            lanes[key]?.timer = nil
            schedule(key, now: now)
            updateSums(of: key, now: now)
        }
        updateSums(of: plan.name, now: now)
    }

    /// Removes a device whose address its push service no longer accepts; returns false if it has registered since.
    mutating func removeRejected(
        _ id: DeviceID,
        registered: Instant?,
        _ step: inout Decisions,
        now: Instant
    ) -> Bool {
        guard let registered else { return false }
        let changes = devices.removeRejected(id, registered: registered)
        guard !changes.isEmpty else { return false }
        apply(changes, &step, now: now)
        return true
    }
}

extension DestinationName {
    private static let digits = 32

    /// A Boolean value that indicates whether the name is that of a registered device.
    var isDevice: Bool { rawValue.hasPrefix(TidingsConfiguration.Destination.devicePrefix) }

    /// Returns the name of a device as a destination.
    static func of(_ device: DeviceID) -> DestinationName {
        let hash = SHA256.hexDigest(of: device.rawValue).prefix(digits)
        guard let name = DestinationName(rawValue: TidingsConfiguration.Destination.devicePrefix + hash) else {
            preconditionFailure("hexadecimal digits after the prefix have the form of a name")
        }
        return name
    }
}

extension DestinationPlan {
    /// Creates the rules of a registered device.
    init(_ device: Device, _ settings: DeliveryPlan.Devices) {
        let registration = device.registration
        let server: String
        let address: String
        var reloadsAll = false
        switch registration.address {
        case .apns(let apns):
            server = Self.server(of: APNsPush.origin(of: apns.environment)) ?? ""
            reloadsAll = apns.push == .widgets
            address = "\(apns.push.rawValue) \(apns.bundle) \(apns.token) \(settings.appleKey ?? "")"
        case .webPush(let subscription):
            server = Self.server(of: subscription.endpoint) ?? ""
            address = "\(subscription.endpoint) \(subscription.keys.p256dh) \(subscription.keys.auth)"
        }
        self.init(
            name: .of(device.id),
            kind: registration.address.kind.rawValue,
            budget: settings.budget,
            sharesBudget: reloadsAll,
            server: server,
            fingerprint: SHA256.hexDigest(of: "\(server) \(address)")
        )
        filter.widgets = registration.widgets.map { Set($0) }
        filter.displays = registration.displays.map { Set($0) }
    }
}
