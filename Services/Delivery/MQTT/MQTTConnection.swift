// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMosquitto
import Configuration
import Foundation
import HTTPTransport
import WidgetSchema

/// One connection to a broker, from its opening to its end.
///
/// Used only on the thread of its `MQTTLink`, which also runs the callbacks of libmosquitto.
final class MQTTConnection {
    /// The maximum time for which the thread sleeps; libmosquitto checks its timers at each wake.
    private static let tickMilliseconds: Int32 = 1000
    /// The maximum time for the last messages of a connection.
    private static let disconnectTimeout = Duration.milliseconds(500)

    private let configuration: MQTTConfiguration
    private var handle: OpaquePointer?
    private var reason = "The connection to the broker ended"
    private var hasEnded = false
    private(set) var isAccepted = false
    private var received: [MQTTMessage] = []
    private var lastMisc = ContinuousClock.now
    /// The number of calls by libmosquitto so far.
    private var callbacks = 0
    /// The batches with unacknowledged messages, by number.
    private var batches: [Int: (completion: MQTTLink.Completion, remaining: Int)] = [:]
    private var lastBatch = 0
    /// The batch of each message that the broker has not acknowledged, by libmosquitto's id.
    private var batchOfMessage: [Int32: Int] = [:]

    init(_ configuration: MQTTConfiguration) {
        self.configuration = configuration
    }

    deinit {
        if let handle { mosquitto_destroy(handle) }
    }

    var isOpen: Bool { handle != nil && !hasEnded }

    // MARK: Opening

    /// Connects, and returns whether the connection is established; blocks meanwhile.
    func open() -> Bool {
        guard let host = checkedHost() else { return false }
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard let handle = mosquitto_new(configuration.clientID, true, context) else {
            reason = "libmosquitto is out of memory"
            return false
        }
        self.handle = handle
        mosquitto_connect_callback_set(handle, onConnect)
        mosquitto_disconnect_callback_set(handle, onDisconnect)
        mosquitto_publish_callback_set(handle, onPublish)
        mosquitto_message_callback_set(handle, onMessage)
        guard check(setCredentials(handle)), check(setTLS(handle)), check(setWill(handle)) else { return false }
        let port = Int32(configuration.address.port)
        return check(mosquitto_connect(handle, host, port, MQTTConfiguration.keepAliveSeconds))
    }

    private func setCredentials(_ handle: OpaquePointer) -> Int32 {
        guard let user = configuration.user else { return Int32(MOSQ_ERR_SUCCESS.rawValue) }
        return mosquitto_username_pw_set(handle, user, configuration.password)
    }

    private func setTLS(_ handle: OpaquePointer) -> Int32 {
        guard configuration.address.usesTLS else { return Int32(MOSQ_ERR_SUCCESS.rawValue) }
        if let file = configuration.certificateFile { return mosquitto_tls_set(handle, file, nil, nil, nil, nil) }
        return mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
    }

    private func setWill(_ handle: OpaquePointer) -> Int32 {
        guard let will = configuration.will else { return Int32(MOSQ_ERR_SUCCESS.rawValue) }
        return will.payload.withUnsafeBytes {
            mosquitto_will_set(handle, will.topic, Int32($0.count), $0.baseAddress, 1, will.isRetained)
        }
    }

    /// Returns the host to connect to, after the check of its addresses; nil if none of them is allowed.
    ///
    /// Without TLS the result is the checked address itself, so a name server cannot answer another one meanwhile. With
    /// TLS it is the name, which the certificate of the broker proves.
    private func checkedHost() -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(configuration.address.host, nil, &hints, &list)
        guard code == 0, let first = list else {
            reason = "The name of the broker cannot be resolved: \(String(cString: gai_strerror(code)))"
            return nil
        }
        defer { freeaddrinfo(first) }
        var next: UnsafeMutablePointer<addrinfo>? = first
        var refused: String?
        while let entry = next {
            next = entry.pointee.ai_next
            guard let socketAddress = entry.pointee.ai_addr,
                let address = IPAddress(socketAddress: socketAddress, length: Int(entry.pointee.ai_addrlen))
            else { continue }
            let refusal = AddressGuard.refusal(
                of: address,
                allowPrivateNetworks: configuration.allowPrivateNetworks,
                allowed: configuration.allowedAddresses
            )
            if let refusal {
                refused = "Connecting to \(address) is not allowed: it is not public (\(refusal))"
                // libmosquitto chooses among the addresses of a name, so all of them must be allowed.
                if configuration.address.usesTLS { break }
            } else if !configuration.address.usesTLS {
                return address.description
            }
        }
        if let refused {
            reason = refused
            return nil
        }
        return configuration.address.host
    }

    private func check(_ code: Int32) -> Bool {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return true }
        let system = errno
        fail("The connection to the broker failed: \(Self.text(code, errno: system))")
        return false
    }

    private static func text(_ code: Int32, errno system: Int32) -> String {
        if code == MOSQ_ERR_ERRNO.rawValue { return String(cString: strerror(system)) }
        return mosquitto_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    // MARK: Working

    func subscribe() {
        guard let handle else { return }
        for filter in configuration.filters where isOpen {
            _ = check(mosquitto_subscribe(handle, nil, filter, 1))
        }
    }

    /// Hands messages to libmosquitto; `batch.completion` is called when the broker has acknowledged the last one.
    func publish(_ batch: MQTTLink.Batch) {
        guard let handle, isOpen else { return batch.completion(.notSent(reason: reason)) }
        guard !batch.messages.isEmpty else { return batch.completion(.acknowledged) }
        lastBatch += 1
        let number = lastBatch
        batches[number] = (batch.completion, batch.messages.count)
        for message in batch.messages {
            var id: Int32 = 0
            let code = message.payload.withUnsafeBytes {
                let count = Int32(clamping: $0.count)
                return mosquitto_publish(handle, &id, message.topic, count, $0.baseAddress, 1, message.isRetained)
            }
            guard check(code) else { return }
            batchOfMessage[id] = number
        }
    }

    /// Waits until there is something to do, and does it.
    func work(wake: Int32) {
        guard let handle, isOpen else { return }
        let socket = mosquitto_socket(handle)
        guard socket >= 0 else { return fail("The connection to the broker was lost") }
        let events = Int16(POLLIN) | (mosquitto_want_write(handle) ? Int16(POLLOUT) : 0)
        var descriptors = [
            pollfd(fd: socket, events: events, revents: 0), pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        poll(&descriptors, nfds_t(descriptors.count), Self.tickMilliseconds)
        if descriptors[1].revents != 0 { Self.lower(wake) }
        // TLS can have read more from the socket than one packet, so the state of the socket does not show whether there is another one.
        var before: Int
        repeat {
            before = callbacks
            guard check(mosquitto_loop_read(handle, 1)) else { return }
        } while isOpen && callbacks != before
        if isOpen, mosquitto_want_write(handle), !check(mosquitto_loop_write(handle, 1)) { return }
        guard isOpen, ContinuousClock.now - lastMisc >= .milliseconds(Int(Self.tickMilliseconds)) else { return }
        lastMisc = .now
        _ = check(mosquitto_loop_misc(handle))
    }

    func takeReceived() -> [MQTTMessage] {
        defer { received = [] }
        return received
    }

    // MARK: The end

    func fail(_ reason: String) {
        guard !hasEnded else { return }
        hasEnded = true
        self.reason = reason
    }

    /// Publishes the will and disconnects: a client that leaves in an orderly way has no will.
    func disconnect() {
        guard let handle, isOpen else { return }
        let end = ContinuousClock.now + Self.disconnectTimeout
        if isAccepted, let will = configuration.will {
            publish(MQTTLink.Batch(messages: [will]) { _ in })
            let last = lastBatch
            while isOpen, batches[last] != nil, ContinuousClock.now < end {
                var descriptor = pollfd(fd: mosquitto_socket(handle), events: Int16(POLLIN | POLLOUT), revents: 0)
                poll(&descriptor, 1, Int32(Self.disconnectTimeout / .milliseconds(1)) / 10)
                guard check(mosquitto_loop_write(handle, 1)) else { break }
                if descriptor.revents & Int16(POLLIN) != 0, !check(mosquitto_loop_read(handle, 1)) { break }
            }
        }
        if isOpen {
            mosquitto_disconnect(handle)
            _ = mosquitto_loop_write(handle, 1)
        }
        fail("The connection to the broker was stopped")
    }

    /// Ends the connection and all publications that the broker has not acknowledged; returns the reason of the end.
    func close() -> String {
        hasEnded = true
        if let handle { mosquitto_destroy(handle) }
        handle = nil
        for (_, batch) in batches.sorted(by: { $0.key < $1.key }) { batch.completion(.unknown(reason: reason)) }
        (batches, batchOfMessage) = ([:], [:])
        return reason
    }

    static func lower(_ wake: Int32) {
        var count: UInt64 = 0
        while read(wake, &count, MemoryLayout<UInt64>.size) == -1 && errno == EINTR {}
    }

    // MARK: Callbacks of libmosquitto

    fileprivate func connected(_ code: Int32) {
        callbacks += 1
        if code == 0 { isAccepted = true } else { fail("The broker rejected the connection: \(Self.rejection(code))") }
    }

    private static func rejection(_ code: Int32) -> String {
        mosquitto_connack_string(code).map { String(cString: $0) } ?? "code \(code)"
    }

    fileprivate func disconnected(_ code: Int32) {
        fail(code == 0 ? "The connection to the broker was stopped" : "The broker closed the connection")
    }

    fileprivate func acknowledged(_ id: Int32) {
        callbacks += 1
        guard let number = batchOfMessage.removeValue(forKey: id), var batch = batches[number] else { return }
        batch.remaining -= 1
        batches[number] = batch.remaining == 0 ? nil : batch
        if batch.remaining == 0 { batch.completion(.acknowledged) }
    }

    fileprivate func receive(_ message: mosquitto_message) {
        callbacks += 1
        let length = Int(message.payloadlen)
        guard length <= MQTTConfiguration.maximumIncomingBytes, let topic = message.topic else { return }
        let payload = message.payload.map { Data(bytes: $0, count: length) } ?? Data()
        received.append(MQTTMessage(String(cString: topic), payload, isRetained: message.retain))
    }
}

private func connection(_ context: UnsafeMutableRawPointer?) -> MQTTConnection? {
    context.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
}

private typealias Callback = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Void

private let onConnect: Callback = { _, context, code in
    connection(context)?.connected(code)
}

private let onDisconnect: Callback = { _, context, code in
    connection(context)?.disconnected(code)
}

private let onPublish: Callback = { _, context, id in
    connection(context)?.acknowledged(id)
}

private let onMessage:
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafePointer<mosquitto_message>?) -> Void = {
        _,
        context,
        message in
        guard let message else { return }
        connection(context)?.receive(message.pointee)
    }
