// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCurl
import Foundation
import WidgetSchema

/// One request in flight, including all its redirects.
///
/// Used only on the thread of its `TransferLoop`.
final class Transfer {
    /// The next step after one hop has ended; a hop is one request to one address, with its answer.
    enum Step {
        case finished(Result<HTTPResponse, HTTPFailure>)
        /// A redirect or a repetition: the libcurl handle is ready for the next hop, and must be added to its multi
        /// handle again.
        case redirected
    }

    /// The parts that all transfers of a loop share.
    struct Tools {
        let configuration: HTTPClientConfiguration
        let proxyRules: ProxyRules
        let handles = EasyHandles()
    }

    let id: TransferID
    let handle: UnsafeMutableRawPointer
    let request: HTTPRequest
    private let completion: HTTPClient.Completion
    let configuration: HTTPClientConfiguration
    private let proxyRules: ProxyRules
    private let handles: EasyHandles
    private let deadline: ContinuousClock.Instant

    var address: WebAddress
    var method: String
    var requestBody: Data?
    var mayShowSecrets = true
    private var hops: [RedirectHop] = []
    var headerList: UnsafeMutablePointer<curl_slist>?
    var knownNameList: UnsafeMutablePointer<curl_slist>?
    private var hopMilliseconds = 0

    private var head = ResponseHead()
    private var body = Data()
    /// The number of bytes received so far of the current hop's body, before decompression.
    private var wireBytes = 0
    private var decoder: ContentDecoder?
    private var codingProblem = ""
    private var exceeded: HTTPFailure.Kind?
    private var refusal: String?
    /// A Boolean value that indicates whether the connection goes to a proxy, whose address is trusted and not checked.
    private var connectsToProxy = false
    private var openedSockets = 0
    private var http2Fallback: HTTP2Fallback

    init(
        id: TransferID,
        request: HTTPRequest,
        tools: Tools,
        completion: @escaping HTTPClient.Completion
    ) throws(HTTPFailure) {
        do throws(WebAddress.Problem) {
            address = try WebAddress(request.url)
        } catch {
            throw HTTPFailure(kind: error.kind, url: request.url, message: "the URL cannot be used: \(error.reason)")
        }
        (configuration, proxyRules, handles) = (tools.configuration, tools.proxyRules, tools.handles)
        let headers = request.headers + [HTTPHeader("User-Agent", configuration.userAgent)]
        if let header = headers.first(where: { !$0.isWellFormed }) {
            throw HTTPFailure(
                kind: .protocolError,
                url: address.redacted,
                message: "the request header \(header.name.debugDescription) contains a forbidden character"
            )
        }
        guard request.method.utf8.allSatisfy({ (0x41...0x5a).contains($0) }), !request.method.isEmpty else {
            throw HTTPFailure(
                kind: .protocolError,
                url: address.redacted,
                message: "the method \(request.method.debugDescription) does not consist of upper-case letters"
            )
        }
        guard let handle = handles.take() else {
            throw HTTPFailure(
                kind: .connectionFailed,
                url: address.redacted,
                message: "libcurl is out of memory",
                curlCode: Int(CURLE_OUT_OF_MEMORY.rawValue)
            )
        }
        self.id = id
        self.handle = handle
        self.request = request
        self.completion = completion
        deadline = .now + request.limits.totalDeadline
        http2Fallback = HTTP2Fallback(avoidsHTTP2: request.avoidsHTTP2)
        method = request.method
        requestBody = request.body
        for name in configuration.knownNames {
            knownNameList = curl_slist_append(knownNameList, name) ?? knownNameList
        }
    }

    deinit {
        handles.giveBack(handle)
        curl_slist_free_all(headerList)
        curl_slist_free_all(knownNameList)
    }

    func complete(_ result: Result<HTTPResponse, HTTPFailure>) {
        completion(result)
    }

    func failure(_ kind: HTTPFailure.Kind, _ message: String, code: CURLcode = CURLE_OK) -> HTTPFailure {
        HTTPFailure(kind: kind, url: address.redacted, message: message, curlCode: Int(code.rawValue))
    }

    // MARK: One hop

    /// Sets up the handle for the current address, ready to be added to a multi handle.
    func prepareHop() throws(HTTPFailure) {
        head = ResponseHead()
        body = Data()
        wireBytes = 0
        decoder = nil
        openedSockets = 0
        hopMilliseconds = (deadline - .now).curlMilliseconds
        guard hopMilliseconds > 0 else { throw failure(.timedOut, totalDeadlineMessage) }
        let proxy = proxyRules.proxy(for: address)
        connectsToProxy = proxy != nil
        if connectsToProxy, let numeric = IPAddress(address.host), let range = refusal(of: numeric) {
            throw failure(.refusedAddress, "connecting to \(numeric) is not allowed: it is not public (\(range))")
        }

        curl_easy_reset(handle)
        let context = Unmanaged.passUnretained(self).toOpaque()
        set(CURLOPT_URL, address.text)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_PROXY, proxy ?? "")
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_NOSIGNAL, 1)
        // Without this option, cancelling waits for the name server and blocks all other transfers.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_HTTP_VERSION, http2Fallback.version)
        // The connection that failed must not be used again.
        if http2Fallback.isActive { set(CURLOPT_FRESH_CONNECT, 1) }
        if configuration.maximumConnectionsPerServer != nil { set(CURLOPT_PIPEWAIT, 1) }
        // Earlier versions are deprecated (RFC 8996), and Apple's push service rejects them.
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_NETRC, 0)
        if let file = configuration.certificateFile { set(CURLOPT_CAINFO, file) }
        if knownNameList != nil { _ = tidings_curl_set_list(handle, CURLOPT_RESOLVE, knownNameList) }
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, request.limits.connectDeadline.curlMilliseconds))
        set(CURLOPT_TIMEOUT_MS, hopMilliseconds)
        set(CURLOPT_LOW_SPEED_LIMIT, request.limits.minimumBytesPerSecond)
        set(CURLOPT_LOW_SPEED_TIME, max(1, request.limits.slowWindow.curlMilliseconds / 1000))
        tidings_curl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.limits.maximumBodyBytes))
        tidings_curl_set_write(handle, CURLOPT_WRITEFUNCTION, receiveBody)
        tidings_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        tidings_curl_set_write(handle, CURLOPT_HEADERFUNCTION, receiveHeader)
        tidings_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        tidings_curl_set_opensocket(handle, openSocket)
        tidings_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
        prepareMethod()
        prepareHeaders()
    }

    // MARK: The end of a hop

    /// Handles the end of a hop.
    ///
    /// Must be called after the handle was removed from its multi handle.
    func hopEnded(_ code: CURLcode) -> Step {
        guard code == CURLE_OK else {
            // HTTP/1.1 may work where HTTP/2 does not. A GET or HEAD may be repeated (RFC 9110, section 9.2.2).
            let mayRepeat = exceeded == nil && (method == "GET" || method == "HEAD")
            if mayRepeat, http2Fallback.begins(after: code, isSecure: address.scheme == "https") {
                do throws(HTTPFailure) {
                    try prepareHop()
                    return .redirected
                } catch {
                    return .finished(.failure(error))
                }
            }
            return .finished(.failure(failure(for: code)))
        }
        if head.receivedBytes > request.limits.maximumHeaderBytes {
            return .finished(.failure(failure(.headersTooLarge, headerLimitMessage)))
        }
        if head.hasContradictoryLengths {
            return .finished(.failure(failure(.protocolError, "the answer has several Content-Length values")))
        }
        let status = long(CURLINFO_RESPONSE_CODE)
        if [301, 302, 303, 307, 308].contains(status), let location = head.headers["Location"] {
            do throws(HTTPFailure) {
                try redirect(status, to: location)
                return .redirected
            } catch {
                return .finished(.failure(error))
            }
        }
        do throws(DecodingProblem) {
            // Fails only if a limit is exceeded, which these last bytes cannot do.
            if wireBytes > 0 { _ = try decoder?.finish(append) }
        } catch {
            return .finished(.failure(failure(.badContentCoding, error.message)))
        }
        let response = HTTPResponse(
            status: status,
            headers: head.headers,
            body: [204, 205, 304].contains(status) ? Data() : body,
            finalURL: hops.isEmpty ? request.url : address.text,
            hops: hops,
            httpVersion: httpVersion,
            failedHTTP2: http2Fallback.isActive,
            connectedAddress: string(CURLINFO_PRIMARY_IP)
        )
        return .finished(.success(response))
    }

    private func redirect(_ status: Int, to location: String) throws(HTTPFailure) {
        guard hops.count < request.limits.maximumRedirects else {
            throw failure(.tooManyRedirects, "the server sent more than \(request.limits.maximumRedirects) redirects")
        }
        let target: WebAddress
        do throws(WebAddress.Problem) {
            target = try address.resolving(location)
        } catch {
            throw failure(error.kind, "a redirect cannot be followed: \(error.reason)")
        }
        hops.append(RedirectHop(from: hops.isEmpty ? request.url : address.text, status: status, to: target.text))
        if !address.trustsWithSecrets(target) { mayShowSecrets = false }
        // RFC 9110 §15.4: 303 changes the method to GET; 301 and 302 turn a POST into a GET for historical reasons.
        if status == 303 && method != "HEAD" || (status == 301 || status == 302) && method == "POST" {
            method = "GET"
            requestBody = nil
        }
        address = target
        try prepareHop()
    }

    private func failure(for code: CURLcode) -> HTTPFailure {
        let limits = request.limits
        switch exceeded {
        case .bodyTooLarge: return failure(.bodyTooLarge, bodyLimitMessage, code: code)
        case .bodyTooDense: return failure(.bodyTooDense, ratioMessage, code: code)
        case .headersTooLarge: return failure(.headersTooLarge, headerLimitMessage, code: code)
        case .badContentCoding: return failure(.badContentCoding, codingProblem, code: code)
        default: break
        }
        let reason = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_FILESIZE_EXCEEDED:
            return failure(.bodyTooLarge, bodyLimitMessage, code: code)
        case CURLE_OUT_OF_MEMORY:
            // libcurl reports this also for a single header line of more than 100 KiB.
            return failure(.headersTooLarge, "a header line is too long, or memory ran out", code: code)
        case CURLE_OPERATION_TIMEDOUT:
            let elapsed = Int(offset(CURLINFO_TOTAL_TIME_T) / 1000)
            if elapsed + Self.timerSlackMilliseconds >= hopMilliseconds {
                return failure(.timedOut, totalDeadlineMessage, code: code)
            }
            if offset(CURLINFO_PRETRANSFER_TIME_T) == 0 {
                return failure(.timedOut, "no connection was established within \(limits.connectDeadline)", code: code)
            }
            let message = "received less than \(limits.minimumBytesPerSecond) bytes/s for \(limits.slowWindow)"
            return failure(.tooSlow, message, code: code)
        case CURLE_COULDNT_CONNECT:
            if let refusal, openedSockets == 0 { return failure(.refusedAddress, refusal, code: code) }
            return failure(.connectionFailed, reason, code: code)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return failure(.nameNotResolved, reason, code: code)
        case CURLE_UNSUPPORTED_PROTOCOL:
            // The scheme was checked before; libcurl reports this also for an answer without a status line (HTTP/0.9).
            return failure(.protocolError, "the answer is not HTTP", code: code)
        case CURLE_URL_MALFORMAT:
            return failure(.badURL, reason, code: code)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_SHUTDOWN_FAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            return failure(.tls, reason, code: code)
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_PROXY,
            CURLE_NO_CONNECTION_AVAILABLE, CURLE_INTERFACE_FAILED:
            return failure(.connectionFailed, reason, code: code)
        default:
            return failure(.protocolError, reason, code: code)
        }
    }

    /// The maximum time in milliseconds by which libcurl's timer ends too early, because libcurl rounds times.
    private static let timerSlackMilliseconds = 5

    private var totalDeadlineMessage: String { "no complete answer within \(request.limits.totalDeadline.roundedText)" }
    private var bodyLimitMessage: String { "the body is larger than \(request.limits.maximumBodyBytes) bytes" }
    private var ratioMessage: String {
        "the decompressed body is more than \(request.limits.maximumRatio) times as large as on the wire"
    }
    private var headerLimitMessage: String { "the headers are larger than \(request.limits.maximumHeaderBytes) bytes" }

    private var httpVersion: String {
        switch long(CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_1_0: "1.0"
        case CURL_HTTP_VERSION_2_0: "2"
        case CURL_HTTP_VERSION_3: "3"
        default: "1.1"
        }
    }

    // MARK: Callbacks of libcurl

    fileprivate func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(DecodingProblem) {
            if wireBytes == 0 { decoder = try ContentDecoder(head.headers.values("Content-Encoding")) }
            wireBytes += bytes.count
            guard let decoder else { return append(bytes) }
            return try decoder.decode(bytes, append)
        } catch {
            exceeded = .badContentCoding
            codingProblem = error.message
            return false
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = body.count + bytes.count
        guard count <= request.limits.maximumBodyBytes else {
            exceeded = .bodyTooLarge
            return false
        }
        guard count <= HTTPLimits.ratioExemptBytes || count <= wireBytes * request.limits.maximumRatio else {
            exceeded = .bodyTooDense
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    fileprivate func receive(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        head.receive(line: bytes)
        guard head.receivedBytes <= request.limits.maximumHeaderBytes else {
            exceeded = .headersTooLarge
            return false
        }
        return true
    }

    private func refusal(of address: IPAddress) -> String? {
        let allowed = configuration.allowedAddresses
        return AddressGuard.refusal(of: address, allowPrivateNetworks: request.allowPrivateNetworks, allowed: allowed)
    }

    fileprivate func open(_ target: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        if !connectsToProxy {
            let address = IPAddress(
                socketAddress: tidings_curl_address(target),
                length: Int(target.pointee.addrlen)
            )
            guard let address else {
                refusal = "address family \(target.pointee.family) is not allowed"
                return -1
            }
            if let range = refusal(of: address) {
                refusal = "connecting to \(address) is not allowed: it is not public (\(range))"
                return -1
            }
        }
        let type = target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(target.pointee.family, type, target.pointee.protocol)
        if descriptor >= 0 { openedSockets += 1 }
        return descriptor
    }
}

private func transfer(_ context: UnsafeMutableRawPointer) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

private let receiveBody: curl_write_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    let length = size * count
    return transfer(context).receive(body: UnsafeRawBufferPointer(start: bytes, count: length)) ? length : length + 1
}

private let receiveHeader: curl_write_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    let length = size * count
    let isAccepted = transfer(context).receive(headerLine: UnsafeRawBufferPointer(start: bytes, count: length))
    return isAccepted ? length : length + 1
}

private let openSocket: curl_opensocket_callback = { context, _, target in
    guard let context, let target else { return -1 }
    return transfer(context).open(target)
}
