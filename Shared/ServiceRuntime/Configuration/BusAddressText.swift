// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import MessageBus

/// Checks the text of a bus's address.
enum BusAddressText {
    static let rule = "tcp://HOST:PORT or ipc://FOLDER"

    /// What is wrong with an address; nil where nothing is.
    static func problem(_ text: String) -> String? {
        // Three endpoints with commas between, as a bus names them that chose its ports itself.
        if text.contains(",") {
            do throws(BusAddressError) {
                _ = try BusAddress(text)
                return nil
            } catch {
                return error.description
            }
        }
        if let folder = text.removingPrefix("ipc://") {
            if folder.isEmpty { return "the folder is missing in '\(text)'; an address is \(rule)" }
            guard folder.utf8.count <= ConfigurationLimits.maximumBusFolderBytes else {
                return "the folder has more than \(ConfigurationLimits.maximumBusFolderBytes) bytes"
            }
            return nil
        }
        guard let rest = text.removingPrefix("tcp://") else { return "'\(text)' is no address: \(rule)" }
        guard let colon = rest.lastIndex(of: ":") else { return "the port is missing in '\(text)'" }
        let host = rest[..<colon]
        let port = rest[rest.index(after: colon)...]
        guard isHost(host) else { return "'\(host)' is no host: a name, an IPv4 address or an IPv6 address in [ ]" }
        guard !port.isEmpty, port.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(port),
            ConfigurationLimits.busPort.contains(number)
        else {
            let range = ConfigurationLimits.busPort
            return "the port is a number from \(range.lowerBound) to \(range.upperBound) "
                + "(it and the next two are used), not '\(port)'"
        }
        return nil
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host == "*" { return true }
        if host.hasPrefix("[") {
            return host.hasSuffix("]") && host.count > 3
                && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" }
        }
        return !host.isEmpty && host.utf8.count <= 253
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_") }
    }
}

extension String {
    /// What follows the prefix; nil where the text does not begin so.
    func removingPrefix(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
