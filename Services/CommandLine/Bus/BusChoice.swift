// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime

/// Which bus a command talks to: `--bus`, else `TIDINGS_BUS`, else the configuration's, else the standard one.
enum BusChoice {
    static let option = Option(
        "bus",
        short: "b",
        value: "ADDRESS",
        help: "The bus's address, tcp://HOST:PORT or ipc://FOLDER (default: TIDINGS_BUS, else the configuration's, "
            + "else \(Configuration.Bus.defaultAddress))."
    )

    static let options = [option, .config]

    /// A configuration is read only where nothing before it says an address, so a broken one disturbs nobody else.
    static func address(_ options: ParsedOptions, environment: [String: String]) throws -> BusAddress {
        let variable = environment[EnvironmentVariable.bus.name].flatMap { $0.isEmpty ? nil : $0 }
        let text: String
        if let said = options.value(option.name) ?? variable {
            text = said
        } else {
            text = try Configuration.load(path: options.value(Option.config.name), environment: environment).bus.address
        }
        do throws(BusAddressError) {
            let address = try BusAddress(text).reachable
            guard address.endpoints.allSatisfy(\.isConnectable) else {
                throw BusAddressError(text, "lets the bus pick its ports: take them from its readiness line")
            }
            return address
        } catch {
            throw CommandFailure(.wrongUse, "\(error).")
        }
    }
}

extension BusAddress {
    /// The same, where a listener's "every interface" is this machine.
    var reachable: BusAddress {
        BusAddress(publish: publish.reachable, subscribe: subscribe.reachable, request: request.reachable)
    }

    /// As a person writes it: one endpoint where the others follow from it.
    var short: String {
        let text = publish.description
        if (try? BusAddress(text)) == self { return text }
        if case .ipc(let path) = publish {
            let folder = "ipc://\((path as NSString).deletingLastPathComponent)"
            if (try? BusAddress(folder)) == self { return folder }
        }
        return description
    }
}

extension Endpoint {
    fileprivate var reachable: Endpoint {
        if case .tcp("*", let port) = self { return .tcp(host: "127.0.0.1", port: port) }
        return self
    }
}
