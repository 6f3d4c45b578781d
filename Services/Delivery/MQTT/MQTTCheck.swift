// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking

/// The check whether a broker accepts connections with the settings of a destination.
///
/// It has an id of its own, because the broker ends an older connection with the same id, and it publishes nothing.
enum MQTTCheck {
    /// Connects once, and calls `completion` exactly once.
    static func run(
        _ destination: MQTTDestination,
        timeout: Duration,
        completion: @escaping Sender.Completion
    ) {
        let configuration = MQTTConfiguration(
            address: destination.address,
            clientID: "tidings-" + UUID().uuidString.prefix(8),
            user: destination.user,
            password: destination.password,
            certificateFile: destination.certificateFile,
            allowPrivateNetworks: destination.allowPrivateNetworks,
            will: nil,
            filters: []
        )
        let place = Lock<MQTTLink?>(nil)
        let result = OneShot(timeout: timeout) { outcome in
            place.withLock { link in
                link?.stop()
                link = nil
            }
            completion(outcome)
        }
        let link = MQTTLink(configuration, named: "mqtt-check") { event in
            switch event {
            case .connected: result.finish(.delivered)
            case .disconnected(let reason): result.finish(.retry(after: nil, reason: reason + "."))
            case .overdue, .received: break
            }
        }
        guard let link else {
            return result.finish(.retry(after: nil, reason: "The process has no file descriptors left."))
        }
        // The result may have come already.
        if result.isPending { place.withLock { $0 = link } }
        if !result.isPending { link.stop() }
    }
}
