// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The makers of senders for registered devices.
struct DeviceSenders: Sendable {
    /// The service for devices of Apple; nil if the configuration has no key.
    var apns: APNsService?
    var vapid: VAPIDKey
    var transport: any PushTransport
    /// Returns the name of a widget or board that people see.
    var name: @Sendable (DeliverySubject) -> String

    /// Returns the sender of a device; nil if this installation cannot send to it.
    func sender(of device: Device) -> (any Sender)? {
        switch device.registration.address {
        case .apns(let registration):
            return apns.map { APNsSender(registration, registered: device.registered, service: $0) }
        case .webPush(let subscription):
            let notify = Set(device.registration.notify ?? [])
            let options = WebPushSender.Options(
                key: vapid,
                notifies: { subject in
                    guard case .widget(let widget) = subject else { return false }
                    return notify.contains(widget)
                },
                name: name
            )
            return WebPushSender(subscription, options, transport: transport)
        }
    }
}
