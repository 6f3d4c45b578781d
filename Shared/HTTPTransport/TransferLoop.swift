// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCurl
import Foundation
import Locking

/// One set of connections, with the thread that drives it (`curl_multi_poll`, woken by `curl_multi_wakeup`).
final class TransferLoop: Sendable {
    private enum Command: Sendable {
        case start(TransferID, HTTPRequest, HTTPClient.Completion)
        case cancel(TransferID)
    }

    private struct Mailbox {
        var commands: [Command] = []
        var isStopping = false
        /// A Boolean value that indicates whether the thread has released, or is about to release, the multi handle.
        ///
        /// If so, commands are rejected, and the handle `multi` must not be used.
        var isClosed = false
        var onClosed: [@Sendable () -> Void] = []
    }

    /// The maximum time for which the thread sleeps if libcurl has set no timer, in milliseconds.
    ///
    /// Any event wakes the thread earlier.
    private static let idleMilliseconds: Int32 = 60_000

    private let configuration: HTTPClientConfiguration
    private let mailbox = Lock(Mailbox())
    // Safe: only the thread uses the handle. Other threads only wake it, which libcurl allows, and do so under the
    // mailbox's lock; the thread marks it as closed under that lock before freeing it.
    nonisolated(unsafe) private let multi: UnsafeMutableRawPointer

    init?(configuration: HTTPClientConfiguration, name: String) {
        guard globalInitialisation == CURLE_OK, let multi = curl_multi_init() else { return nil }
        self.configuration = configuration
        self.multi = multi
        _ = tidings_curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections)
        _ = tidings_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maximumConnections)
        if let maximum = configuration.maximumConnectionsPerServer {
            _ = tidings_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maximum)
        }
        let thread = Thread { self.run() }
        thread.name = name
        thread.start()
    }

    /// A Boolean value that indicates whether the loop has ended: it was stopped, or libcurl reported an error.
    var isClosed: Bool { mailbox.withLock(\.isClosed) }

    func start(_ id: TransferID, _ request: HTTPRequest, _ completion: @escaping HTTPClient.Completion) {
        guard !send(.start(id, request, completion)) else { return }
        completion(.failure(.clientStopped(request.url)))
    }

    func cancel(_ id: TransferID) {
        _ = send(.cancel(id))
    }

    /// Cancels all transfers in flight; calls `whenClosed` when the thread has released everything.
    func stop(whenClosed: @escaping @Sendable () -> Void) {
        let isClosed = mailbox.withLock { mailbox in
            guard !mailbox.isClosed else { return true }
            mailbox.isStopping = true
            mailbox.onClosed.append(whenClosed)
            curl_multi_wakeup(multi)
            return false
        }
        if isClosed { whenClosed() }
    }

    private func send(_ command: Command) -> Bool {
        mailbox.withLock { mailbox in
            guard !mailbox.isStopping, !mailbox.isClosed else { return false }
            // One wake-up is enough for all commands that the thread has not taken yet.
            if mailbox.commands.isEmpty { curl_multi_wakeup(multi) }
            mailbox.commands.append(command)
            return true
        }
    }

    // MARK: The thread

    private func run() {
        var running = RunningTransfers()
        let tools = Transfer.Tools(configuration: configuration, proxyRules: ProxyRules(configuration.proxy))
        while true {
            let (commands, isStopping) = mailbox.withLock { mailbox in
                defer { mailbox.commands = [] }
                return (mailbox.commands, mailbox.isStopping)
            }
            for command in commands {
                switch command {
                case .start(let id, let request, let completion):
                    do throws(HTTPFailure) {
                        let transfer = try Transfer(
                            id: id,
                            request: request,
                            tools: tools,
                            completion: completion
                        )
                        try begin(transfer, &running)
                    } catch {
                        completion(.failure(error))
                    }
                case .cancel(let id):
                    guard let transfer = running[id] else { continue }
                    remove(transfer, &running)
                    transfer.complete(.failure(transfer.failure(.cancelled, "the transfer was cancelled")))
                }
            }
            if isStopping { break }
            var active: Int32 = 0
            var code = curl_multi_perform(multi, &active)
            if collect(&running) { continue }
            if code == CURLM_OK { code = curl_multi_poll(multi, nil, 0, Self.idleMilliseconds, nil) }
            guard code == CURLM_OK else {
                return close(&running, .protocolError, "libcurl failed: \(String(cString: curl_multi_strerror(code)))")
            }
        }
        close(&running, .cancelled, "the transfer was cancelled: the HTTP client stopped")
    }

    private func begin(_ transfer: Transfer, _ running: inout RunningTransfers) throws(HTTPFailure) {
        try transfer.prepareHop()
        try add(transfer, &running)
    }

    private func add(_ transfer: Transfer, _ running: inout RunningTransfers) throws(HTTPFailure) {
        let code = curl_multi_add_handle(multi, transfer.handle)
        guard code == CURLM_OK else {
            let reason = String(cString: curl_multi_strerror(code))
            throw transfer.failure(.protocolError, "libcurl rejected the transfer: \(reason)")
        }
        running.insert(transfer)
    }

    private func remove(_ transfer: Transfer, _ running: inout RunningTransfers) {
        curl_multi_remove_handle(multi, transfer.handle)
        running.remove(transfer)
    }

    /// Handles each hop that has ended: completes its transfer or, after a redirect, starts the next hop.
    ///
    /// A hop is one request to one address. Returns whether any hop had ended.
    private func collect(_ running: inout RunningTransfers) -> Bool {
        var found = false
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let transfer = running[message.pointee.easy_handle] else {
                continue
            }
            found = true
            // The message becomes invalid when its handle is removed.
            let code = message.pointee.data.result
            remove(transfer, &running)
            switch transfer.hopEnded(code) {
            case .finished(let result):
                transfer.complete(result)
            case .redirected:
                do throws(HTTPFailure) {
                    try add(transfer, &running)
                } catch {
                    transfer.complete(.failure(error))
                }
            }
        }
        return found
    }

    /// Ends all transfers with a failure.
    ///
    /// The loop counts as closed before the first of them is told, so that a transfer that follows gets another loop.
    private func close(_ running: inout RunningTransfers, _ kind: HTTPFailure.Kind, _ message: String) {
        let (commands, onClosed) = mailbox.withLock { mailbox in
            mailbox.isClosed = true
            defer {
                mailbox.commands = []
                mailbox.onClosed = []
            }
            return (mailbox.commands, mailbox.onClosed)
        }
        for transfer in running.all {
            remove(transfer, &running)
            transfer.complete(.failure(transfer.failure(kind, message)))
        }
        for case .start(_, let request, let completion) in commands {
            completion(.failure(.clientStopped(request.url)))
        }
        curl_multi_cleanup(multi)
        for report in onClosed { report() }
    }
}

/// The transfers in flight, which can be found by their id and by libcurl's handle.
private struct RunningTransfers {
    private var byID: [TransferID: Transfer] = [:]
    private var byHandle: [UnsafeMutableRawPointer: Transfer] = [:]

    var all: [Transfer] { Array(byID.values) }

    subscript(id: TransferID) -> Transfer? { byID[id] }

    subscript(handle: UnsafeMutableRawPointer?) -> Transfer? { handle.flatMap { byHandle[$0] } }

    mutating func insert(_ transfer: Transfer) {
        byID[transfer.id] = transfer
        byHandle[transfer.handle] = transfer
    }

    mutating func remove(_ transfer: Transfer) {
        byID[transfer.id] = nil
        byHandle[transfer.handle] = nil
    }
}

extension HTTPFailure {
    static func clientStopped(_ url: String) -> HTTPFailure {
        HTTPFailure(kind: .cancelled, url: url, message: "the transfer was cancelled: the HTTP client stopped")
    }
}

/// The result of libcurl's global initialisation, which runs once per process.
///
/// The call is thread-safe if libcurl has the feature `threadsafe`.
private let globalInitialisation = tidings_curl_global_init()
