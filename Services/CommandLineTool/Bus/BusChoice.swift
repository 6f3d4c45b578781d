// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import WidgetSchema

/// The choice of the bus for a command: `--bus`, or else `TIDINGS_BUS`, or else the configured bus, or else the
/// default.
enum BusChoice {
    static let option = Option(
        "bus",
        short: "b",
        value: "ADDRESS",
        help: "The bus's address, tcp://HOST:PORT or ipc://FOLDER; for two buses, both addresses separated "
            + "by a comma (default: TIDINGS_BUS, else the configuration's, else \(TidingsConfiguration.Bus.defaultAddress))."
    )

    static let options = [option, .config]

    /// Returns the address of the bus, or the addresses of both buses.
    ///
    /// The configuration is read only if neither `--bus` nor `TIDINGS_BUS` is set. Throws an error if the configuration
    /// file cannot be read, or if the chosen address is invalid.
    ///
    /// Other errors in the configuration only cause a warning. Running services also continue after such errors, with
    /// the last valid configuration.
    static func address(_ options: ParsedOptions, environment: [String: String]) throws -> BusAddresses {
        let text: String
        if let said = options.value(option.name) ?? EnvironmentVariable.bus.value(in: environment) {
            text = said
        } else {
            let (configuration, errors) = options.partialConfiguration(environment)
            guard !errors.contains(where: \.isUnreadableFile) else { throw ConfigurationErrors(errors) }
            text = configuration.bus.address
            if !errors.isEmpty {
                let place = configuration.file ?? "the environment"
                Program.note("\(place) has errors ('tidings check' shows them); using the bus at \(text)")
            }
        }
        do throws(BusAddressError) {
            let addresses = try BusAddresses(text).reachable
            guard addresses.all.flatMap(\.endpoints).allSatisfy(\.isConnectable) else {
                throw BusAddressError(
                    text,
                    "the address lets the bus choose its ports; use the addresses that the bus prints in its "
                        + "readiness line"
                )
            }
            return addresses
        } catch {
            throw CommandFailure(.wrongUse, "\(error).")
        }
    }
}

extension BusAddresses {
    var reachable: BusAddresses { map(\.reachable) }

    /// The addresses as text, each in its shortest form, separated by commas.
    var short: String { all.map(\.short).joined(separator: ",") }
}

extension BusAddress {
    /// The address that a client on this machine connects to; `*` (every interface) becomes the loopback address.
    var reachable: BusAddress {
        BusAddress(publish: publish.reachable, subscribe: subscribe.reachable, request: request.reachable)
    }

    /// The shortest text from which `BusAddress(_:)` creates this address.
    ///
    /// This is `tcp://HOST:PORT` if the bus uses `PORT` and the next two ports. It is `ipc://FOLDER` if the sockets
    /// have their default names in one folder. Otherwise, it is the list of the three endpoints: publish, subscribe,
    /// request.
    var short: String {
        let text = publish.description
        if (try? BusAddress(text)) == self { return text }
        if case .ipc(let path) = publish {
            let folder = "ipc://\(FilePath.folder(of: path))"
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
