// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
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
            + "else \(TidingsConfiguration.Bus.defaultAddress))."
    )

    static let options = [option, .config]

    /// Returns the address.
    ///
    /// A configuration is read only if nothing before it names one.
    ///
    /// A configuration with errors is reported as a warning: the services run with the last good one. Throws if the file
    /// cannot be read at all.
    static func address(_ options: ParsedOptions, environment: [String: String]) throws -> BusAddress {
        let variable = environment[EnvironmentVariable.bus.name].flatMap { $0.isEmpty ? nil : $0 }
        let text: String
        if let said = options.value(option.name) ?? variable {
            text = said
        } else {
            let (configuration, errors) = TidingsConfiguration.loadPartially(
                path: options.value(Option.config.name),
                environment: environment
            )
            guard !errors.contains(where: \.isUnreadableFile) else { throw ConfigurationErrors(errors) }
            text = configuration.bus.address
            if !errors.isEmpty {
                StandardStream.error.write(
                    "\(Program.name): \(configuration.file ?? "the environment") has errors, which 'tidings check' "
                        + "shows; the bus is taken to be at \(text)\n"
                )
            }
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
