// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMicroHTTPD
import Foundation

// The callbacks of libmicrohttpd, which it calls on its own thread.

/// The objects that the callbacks of one server use.
final class ServerContext: Sendable {
    let core: ServerCore
    let watcher: StreamWatcher

    init(core: ServerCore, watcher: StreamWatcher) {
        self.core = core
        self.watcher = watcher
    }
}

func serverCallbacks(_ context: UnsafeMutableRawPointer) -> tidings_mhd_callbacks {
    tidings_mhd_callbacks(
        context: context,
        accept: acceptConnection,
        connection: connectionChanged,
        target: requestLineArrived,
        handler: handleRequest,
        completed: requestCompleted
    )
}

private func server(_ context: UnsafeMutableRawPointer) -> ServerContext {
    Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
}

private let acceptConnection: MHD_AcceptPolicyCallback = { context, address, _ in
    guard let context, let address else { return .NO }
    return server(context).core.accepts(numericAddress(address)) ? .YES : .NO
}

private let connectionChanged: MHD_NotifyConnectionCallback = { context, connection, socketContext, change in
    guard let context, let connection, let socketContext else { return }
    let core = server(context).core
    if tidings_mhd_is_start(change) != 0 {
        let client = tidings_mhd_client(connection).map(numericAddress) ?? ""
        let opened = core.opened(client: client, socket: tidings_mhd_socket(connection))
        socketContext.pointee = Unmanaged.passRetained(opened).toOpaque()
    } else if let known = socketContext.pointee {
        core.closed(Unmanaged<WebConnection>.fromOpaque(known).takeRetainedValue())
        socketContext.pointee = nil
    }
}

private func webConnection(_ connection: OpaquePointer) -> WebConnection? {
    tidings_mhd_socket_context(connection).map { Unmanaged<WebConnection>.fromOpaque($0).takeUnretainedValue() }
}

/// The callback for the first line of each request; it creates the ``Exchange`` of the request.
///
/// The result is a retained pointer to the exchange. libmicrohttpd passes this pointer to the later callbacks for the
/// same request.
private let requestLineArrived:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
        _,
        target,
        connection in
        guard let target, let connection else { return nil }
        webConnection(connection)?.setHasRequest(true)
        return Unmanaged.passRetained(Exchange(target: target, connection: connection)).toOpaque()
    }

/// The callback for a request.
///
/// libmicrohttpd calls it with the headers, with each piece of the body, at the end of the body, and after the
/// connection was resumed.
private let handleRequest: MHD_AccessHandlerCallback = {
    context,
    connection,
    url,
    method,
    version,
    uploadData,
    uploadSize,
    exchangeContext in
    guard let context, let connection, let url, let method, let version, let uploadSize,
        let known = exchangeContext?.pointee
    else { return .NO }
    let server = server(context)
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    guard let request = exchange.request else {
        let line = RequestLine(
            method: String(cString: method),
            path: String(cString: url),
            target: exchange.target,
            version: String(cString: version)
        )
        var block = HeaderBlock(method: method, target: exchange.targetAddresses, version: version)
        let head = requestHead(connection, line, &block)
        let isValid = block.isValid(size: tidings_mhd_header_size(connection))
        webConnection(connection)?.setDeadline(server.core.requestDeadline)
        guard let (response, closes) = server.core.admit(head, isValid: isValid, exchange) else { return .YES }
        // Without a body, the response waits for the end of the request, and the connection stays open.
        guard head.hasBody else {
            exchange.answerNow(response)
            return .YES
        }
        if closes || head.header("Expect") != nil {
            // The body is not read, and libmicrohttpd closes the connection after the response. A client that expects 100
            // sends no body.
            exchange.answerNow(response)
            return queue(response, connection, server, version: head.version)
        }
        return answerEarly(response, head, exchange, connection)
    }
    if uploadSize.pointee > 0 {
        let piece = UnsafeRawBufferPointer(start: uploadData, count: uploadSize.pointee)
        uploadSize.pointee = 0
        let discardable = 2 * server.core.limits.maximumBodyBytes
        let step = exchange.receive(body: piece, discardable: discardable) {
            server.core.reserve($0, growing: $1, to: $2)
        }
        switch step {
        case .taken: return .YES
        case .discarded:
            server.core.release(exchange)
            guard !exchange.isAnsweredEarly, let refusal = exchange.refusal else { return .YES }
            // The end of the body may be far away, or never come.
            return answerEarly(server.core.response(to: refusal, request), request, exchange, connection)
        case .refused: return .NO
        }
    }
    // The response is sent, and the body is discarded; this result closes the connection.
    if exchange.isAnsweredEarly { return .NO }
    webConnection(connection)?.setDeadline(WebConnection.noDeadline)
    if exchange.response == nil, !server.core.respond(exchange, suspend: { MHD_suspend_connection(connection) }) {
        return .YES
    }
    guard var response = exchange.response else { return .NO }
    if request.header("Transfer-Encoding") != nil, case .data = response.content {
        // libmicrohttpd also takes a bare LF for the end of a line between chunks, and a proxy may not, so nothing may follow.
        response.headers.append(WebHeader("Connection", "close"))
    }
    return queue(response, connection, server, version: request.version)
}

/// Sends the response to a request whose body is still to come; it is discarded.
private func answerEarly(
    _ response: WebResponse,
    _ request: WebRequest,
    _ exchange: Exchange,
    _ connection: OpaquePointer
) -> MHD_Result {
    exchange.answerEarly(response)
    return EarlyAnswer.send(response, to: request, socket: tidings_mhd_socket(connection)) ? .YES : .NO
}

private let requestCompleted: MHD_RequestCompletedCallback = { context, connection, exchangeContext, _ in
    guard let context, let connection, let known = exchangeContext?.pointee else { return }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    exchangeContext?.pointee = nil
    let core = server(context).core
    if let connection = webConnection(connection) {
        connection.setHasRequest(false)
        connection.setDeadline(core.requestDeadline)
    }
    // If the client closed the connection before the headers of a stream were sent, nothing else ends the stream.
    if case .stream(let stream) = exchange.response?.content { stream.end(.readerGone) }
    core.end(exchange)
}

// MARK: Requests

private final class FieldCollector {
    var fields: [(name: String, value: String)] = []
    /// The headers as they were sent; nil for parameters.
    var block: HeaderBlock?
}

/// The first line of a request (RFC 9112, section 3).
private struct RequestLine {
    let method: String
    /// The path in the request's target, decoded.
    let path: String
    let target: String
    let version: String
}

/// Returns a request without its body, and adds its headers to `block`.
private func requestHead(_ connection: OpaquePointer, _ line: RequestLine, _ block: inout HeaderBlock) -> WebRequest {
    let parameters = FieldCollector()
    collect(.GET_ARGUMENT_KIND, of: connection, parameters)
    let headers = FieldCollector()
    headers.block = block
    collect(.HEADER_KIND, of: connection, headers)
    block = headers.block ?? block
    return WebRequest(
        method: line.method,
        path: line.path,
        target: line.target,
        query: parameters.fields,
        headers: headers.fields.map { WebHeader($0.name, $0.value) },
        client: webConnection(connection)?.client ?? "",
        version: line.version
    )
}

private func collect(_ kind: MHD_ValueKind, of connection: OpaquePointer, _ collector: FieldCollector) {
    let add: MHD_KeyValueIterator = { context, _, name, value in
        guard let context, let name else { return .YES }
        let collector = Unmanaged<FieldCollector>.fromOpaque(context).takeUnretainedValue()
        collector.fields.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
        if let value { collector.block?.add(name: name, value: value) }
        return .YES
    }
    MHD_get_connection_values(connection, kind, add, Unmanaged.passUnretained(collector).toOpaque())
}

// MARK: Responses

private func queue(
    _ response: WebResponse,
    _ connection: OpaquePointer,
    _ server: ServerContext,
    version: String
) -> MHD_Result {
    guard let message = message(of: response, connection, server, version: version) else { return .NO }
    defer { MHD_destroy_response(message) }
    for header in response.headers {
        // libmicrohttpd rejects a header with a line break. The connection is then closed without a response, because a
        // response that lacks a header would be wrong.
        guard MHD_add_response_header(message, header.name, header.value) == .YES else { return .NO }
    }
    return MHD_queue_response(connection, UInt32(response.status), message)
}

private func message(
    of response: WebResponse,
    _ connection: OpaquePointer,
    _ server: ServerContext,
    version: String
) -> OpaquePointer? {
    switch response.content {
    case .data(let data):
        let body = response.describesBody ? data : Data()
        return body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY
            )
        }
    case .shared(let shared):
        let bytes = response.describesBody ? shared.bytes : UnsafeRawBufferPointer(rebasing: shared.bytes[..<0])
        return MHD_create_response_from_buffer_with_free_callback_cls(
            bytes.count,
            UnsafeMutableRawPointer(mutating: shared.bytes.baseAddress),
            { context in
                if let context { Unmanaged<SharedBytes>.fromOpaque(context).release() }
            },
            Unmanaged.passRetained(shared).toOpaque()
        )
    case .omitted: return tidings_mhd_without_length()
    case .stream(let stream):
        let reader = StreamReader(
            stream: stream,
            connection: connection,
            watcher: server.watcher,
            isChunked: version != "HTTP/1.0"
        )
        return MHD_create_response_from_callback(
            UInt64.max,
            StreamReader.blockBytes,
            readStream,
            Unmanaged.passRetained(reader).toOpaque(),
            { context in
                if let context { Unmanaged<StreamReader>.fromOpaque(context).release() }
            }
        )
    }
}

/// The context of the callback `readStream`.
///
/// libmicrohttpd calls `readStream` to read the body of a stream. The first call suspends the connection. After the
/// stream has ended, libmicrohttpd calls `readStream` again. The result `end` makes libmicrohttpd close the connection.
private final class StreamReader {
    /// The size in bytes of the buffer that libmicrohttpd allocates for the body.
    ///
    /// The size is small because the buffer stays empty: the stream writes its chunks directly to the socket.
    static let blockBytes = 64

    let stream: WebStream
    let connection: OpaquePointer
    let watcher: StreamWatcher
    let isChunked: Bool

    init(stream: WebStream, connection: OpaquePointer, watcher: StreamWatcher, isChunked: Bool) {
        self.stream = stream
        self.connection = connection
        self.watcher = watcher
        self.isChunked = isChunked
    }

    /// The value of `MHD_CONTENT_READER_END_WITH_ERROR`, a macro that Swift cannot import.
    ///
    /// If `readStream` returns this value, libmicrohttpd closes the connection.
    static let end = -2
}

private let readStream: MHD_ContentReaderCallback = { context, _, _, _ in
    guard let context else { return StreamReader.end }
    let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
    let socket = tidings_mhd_socket(reader.connection)
    let isAttached = reader.stream.attach(
        reader.connection,
        socket: socket,
        isChunked: reader.isChunked,
        watcher: reader.watcher
    )
    return isAttached ? 0 : StreamReader.end
}
