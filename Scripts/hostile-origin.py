#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""An origin that misbehaves in as many ways as it has addresses.

usage: hostile-origin.py FOLDER

Each way has an address of its own (127.1.0.1, 127.1.0.2, … over HTTP, 127.2.0.1, … over TLS), because a host is what rate
limits are counted by. The first request to an address is answered with a good feed, all later ones are not. One line of JSON
on standard output names the ways with their URLs, and the certificate authority to trust, which is written to FOLDER. Ends when
standard input does.
"""
import gzip, json, os, socket, ssl, struct, subprocess, sys, threading, time

FEED = b"""<rss version="2.0"><channel><title>Good</title><item><guid>1</guid><title>Kept</title></item></channel></rss>"""
# A peer that waits for an end reaches its own deadline before.
PATIENCE = 20
plain, tls, http2 = {}, {}, {}


def way(function):
    plain[function.__name__.replace("_", "-")] = function
    return function


def send(peer, parts):
    """Sends parts one after another; a function is called with the peer."""
    for one in parts:
        one(peer) if callable(one) else peer.sendall(one)


def sends(name, *parts):
    """A way that sends something, then ends in order."""
    plain[name] = lambda peer: send(peer, parts)


def answers(name, head, body=b"", ending=b""):
    sends(name, head + b"\r\n\r\n" + body + ending)


def ok(*headers):
    return b"\r\n".join([b"HTTP/1.1 200 OK", b"Connection: close", *headers])


def sized(body):
    return b"Content-Length: %d" % len(body)


def status(line, *headers):
    answers(f"status-{line.split(b' ')[0].decode()}" + "".join(f"-{h.split(b':')[0].decode().lower()}" for h in headers),
            b"\r\n".join([b"HTTP/1.1 " + line, b"Connection: close", b"Content-Length: 0", *headers]))


def reset(peer):
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


def drip(peer, data, pause):
    deadline = time.monotonic() + PATIENCE
    for byte in data:
        if time.monotonic() > deadline:
            return
        peer.sendall(bytes([byte]))
        time.sleep(pause)


def silence(peer):
    """Until the peer gives up."""
    peer.settimeout(PATIENCE)
    while peer.recv(65536):
        pass


# Truncation and connections that end.
sends("closes-at-once")
sends("resets-at-once", reset)
sends("ends-within-the-headers", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Ty")
sends("ends-within-the-status-line", b"HTTP/1.")
SHORT = ok(b"Content-Length: 5000") + b"\r\n\r\n" + FEED
sends("body-shorter-than-its-length", SHORT)
sends("resets-within-the-body", SHORT, lambda _: time.sleep(0.2), reset)
CHUNKED = b"Transfer-Encoding: chunked"
answers("ends-within-a-chunk", ok(CHUNKED), b"1000\r\n" + FEED)
answers("ends-between-chunks", ok(CHUNKED), b"%x\r\n%s\r\n" % (len(FEED), FEED))
answers("feed-cut-with-a-right-length", ok(sized(FEED[:-30])), FEED[:-30])
answers("feed-cut-at-its-end", ok(), FEED[:70])

# Lengths.
answers("chunk-size-is-no-number", ok(CHUNKED), b"xyz\r\n" + FEED)
answers("chunk-size-overflows", ok(CHUNKED), b"fffffffffffffffff\r\n" + FEED)
answers("chunk-longer-than-announced", ok(CHUNKED), b"10\r\n" + FEED + b"\r\n0\r\n\r\n")
answers("length-is-negative", ok(b"Content-Length: -5"), FEED)
answers("length-is-no-number", ok(b"Content-Length: many"), FEED)
answers("lengths-differ", ok(b"Content-Length: 10", sized(FEED)), FEED)
answers("length-is-a-quintillion", ok(b"Content-Length: 1000000000000000000"), FEED)
answers("body-is-empty", ok(b"Content-Length: 0"))


@way
def body_without_end(peer):
    peer.sendall(ok() + b"\r\n\r\n<rss><channel><title>")
    while True:
        peer.sendall(os.urandom(24576).hex().encode())


# Content codings.
packed = gzip.compress(FEED)
GZIP = b"Content-Encoding: gzip"
answers("gzip-cut-in-half", ok(GZIP, sized(packed[: len(packed) // 2])), packed[: len(packed) // 2])
answers("gzip-without-its-end", ok(GZIP, sized(packed[:-8])), packed[:-8])
wrong = packed[:-8] + b"\0\0\0\0" + packed[-4:]
answers("gzip-with-a-wrong-sum", ok(GZIP, sized(wrong)), wrong)
answers("tolerated-gzip-that-is-none", ok(GZIP, sized(FEED)), FEED)
answers("deflate-that-is-none", ok(b"Content-Encoding: deflate", sized(FEED)), FEED)
answers("brotli-that-is-none", ok(b"Content-Encoding: br", sized(FEED)), b"\xff" * len(FEED))
answers("tolerated-zstandard-that-is-none", ok(b"Content-Encoding: zstd", sized(FEED)), FEED)
answers("tolerated-coding-that-nobody-knows", ok(b"Content-Encoding: rot13", sized(FEED)), FEED)
answers("twenty-codings", ok(b"Content-Encoding: " + b", ".join([b"gzip"] * 20), sized(packed)), packed)
bomb = gzip.compress(FEED[:-30] + b" " * (64 << 20))
answers("gzip-bomb", ok(GZIP, sized(bomb)), bomb)


# Drips.
HEAD = ok(sized(FEED)) + b"\r\n\r\n"
sends("head-by-drops", lambda peer: drip(peer, HEAD + FEED, 0.5))
sends("body-by-drops", HEAD, lambda peer: drip(peer, FEED, 0.5))
sends("never-answers", silence)
sends("silent-after-the-head", HEAD, silence)


@way
def chunks_of_a_byte(peer):
    peer.sendall(ok(CHUNKED) + b"\r\n\r\n")
    for byte in FEED:
        peer.sendall(b"1\r\n%c\r\n" % byte)
        time.sleep(0.5)


# Headers.
@way
def headers_without_end(peer):
    peer.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        peer.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")


@way
def interim_answers_without_end(peer):
    while True:
        peer.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")


answers("header-line-of-200-kilobytes", ok(b"X-Long: " + b"x" * 200_000, sized(FEED)), FEED)
answers("status-is-no-number", b"HTTP/1.1 abc OK", FEED)
answers("protocol-of-the-future", b"HTTP/7.3 200 OK\r\nConnection: close", FEED)
sends("no-head-at-all", FEED)
sends("speaks-ssh", b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")
sends("speaks-tls", b"\x15\x03\x03\x00\x02\x02\x46")
sends("random-bytes", bytes(range(256)) * 8)


# Redirects.
def redirects(name, location, code=b"302 Found"):
    answers(f"redirect-{name}", b"HTTP/1.1 " + code + b"\r\nConnection: close\r\nContent-Length: 0"
            + (b"\r\nLocation: " + location if location is not None else b""))


redirects("to-itself", b"/")
redirects("to-a-file", b"file:///etc/passwd")
redirects("to-ftp", b"ftp://127.0.0.1/feed")
redirects("to-metadata", b"http://169.254.169.254/latest/meta-data/")
redirects("to-no-host", b"http://no-such-host.invalid/")
redirects("to-a-closed-port", b"http://127.0.0.1:1/")
redirects("to-no-address", b"http://[::1")
redirects("to-nowhere", None)
redirects("to-itself-for-good", b"/", b"301 Moved Permanently")

# Statuses.
for line in [b"204 No Content", b"206 Partial Content", b"304 Not Modified", b"400 Bad Request", b"401 Unauthorized",
             b"403 Forbidden", b"404 Not Found", b"410 Gone", b"412 Precondition Failed", b"418 I'm a teapot",
             b"429 Too Many Requests", b"500 Internal Server Error", b"502 Bad Gateway", b"503 Service Unavailable",
             b"999 No"]:
    status(line)
status(b"429 Too Many Requests", b"Retry-After: 7")
status(b"503 Service Unavailable", b"Retry-After: 5")
status(b"403 Forbidden", b"X-RateLimit-Remaining: 0", b"X-RateLimit-Reset: 30")

# Documents in place of the feed.
answers("page-to-sign-in", ok(b"Content-Type: text/html"), b"<!doctype html><html><body><form>Sign in</form></body></html>")
answers("words-in-place-of-a-feed", ok(b"Content-Type: application/rss+xml"), b"error generating <rss> feed")
answers("json-in-place-of-a-feed", ok(b"Content-Type: application/json"), b'{"error":"rate"}')
answers("bytes-in-place-of-a-feed", ok(b"Content-Type: application/rss+xml"), bytes(range(256)) * 4)

# What a reader has to bear with: the feed is there.
answers("tolerated-bytes-behind-the-body", ok(sized(FEED)), FEED, b"HTTP/1.1 200 OK\r\n\r\nmore")
answers("tolerated-bytes-behind-gzip", ok(GZIP, sized(packed + b"\0junk")), packed + b"\0junk")
answers("tolerated-http-1.0", b"HTTP/1.0 200 OK", FEED)
answers("tolerated-chunk-extensions", ok(CHUNKED), b"%x;a=b\r\n%s\r\n0\r\nX-Trailer: y\r\n\r\n" % (len(FEED), FEED))
answers("tolerated-control-byte-in-etag", ok(b'ETag: "a\x01b"', sized(FEED)), FEED)


# HTTP/2 over TLS, by hand: RFC 9113.
def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, GOAWAY, CONTINUATION = 0, 1, 3, 4, 5, 7, 9
END_STREAM, END_HEADERS = 1, 4
STATUS_200 = b"\x88"


def h2(name, *frames):
    """A way that answers the first stream with frames."""
    http2[name] = lambda peer: send(peer, frames)


def headers(block=STATUS_200, flags=END_HEADERS, stream=1):
    return frame(HEADERS, flags, stream, block)


def data(body=FEED, flags=0, stream=1):
    return frame(DATA, flags, stream, body)


h2("h2-stream-reset-before-the-answer", frame(RST_STREAM, 0, 1, struct.pack(">I", 2)), silence)
h2("h2-stream-reset-within-the-body", headers(), data(), frame(RST_STREAM, 0, 1, struct.pack(">I", 2)), silence)
h2("h2-stream-refused", frame(RST_STREAM, 0, 1, struct.pack(">I", 7)), silence)
h2("h2-stream-cancelled", frame(RST_STREAM, 0, 1, struct.pack(">I", 8)), silence)
h2("h2-goes-away-before-the-answer", frame(GOAWAY, 0, 0, struct.pack(">II", 0, 0)))
h2("h2-goes-away-with-an-error", headers(), frame(GOAWAY, 0, 0, struct.pack(">II", 0, 11)))
h2("h2-ends-within-the-body", headers(), data())
h2("h2-ends-without-an-answer")
h2("h2-silent", silence)
h2("h2-silent-after-the-headers", headers(), silence)
h2("h2-frame-too-long", frame(DATA, 0, 1, b"x" * 100_000), silence)
h2("h2-headers-that-cannot-be-decoded", headers(b"\xff\xff\xff\xff\xff\xff"), silence)
h2("h2-headers-without-a-status", headers(literal(b"content-type", b"text/xml")), data(flags=END_STREAM), silence)
h2("h2-length-differs", headers(STATUS_200 + literal(b"content-length", b"5")), data(flags=END_STREAM), silence)
h2("h2-data-before-headers", data(flags=END_STREAM), silence)
h2("h2-continuation-without-headers", frame(CONTINUATION, END_HEADERS, 1, STATUS_200), silence)
h2("h2-settings-of-a-wrong-size", frame(SETTINGS, 0, 0, b"\0\3\0"), silence)
h2("h2-headers-without-end", headers(STATUS_200, 0), lambda peer: [
    peer.sendall(frame(CONTINUATION, 0, 1, literal(b"x-more", b"y" * 120) * 100)) for _ in range(10_000)])
h2("h2-promise-that-nobody-wants", frame(PUSH_PROMISE, END_HEADERS, 1, struct.pack(">I", 2) + STATUS_200), silence)


# TLS.
def greeted(name, *parts):
    """A way that reads the greeting of the client, and sends something else than a server's."""
    tls[name] = lambda peer, _: send(peer, [lambda one: one.recv(65536), *parts])


def certificate(name, context):
    tls[name] = lambda peer, contexts: contexts[context].wrap_socket(peer, server_side=True)


def secured(name, *parts):
    """A way that reads a request over TLS, and sends something."""
    def answer(peer, contexts):
        secure = contexts["good"].wrap_socket(peer, server_side=True)
        secure.recv(65536)
        send(secure, parts)
    tls[name] = answer


def end_without_alert(secure):
    """The descriptor closes without close_notify, so the body's end may be an attacker's: the document has to tell."""
    os.close(secure.detach())


greeted("tls-alert-instead-of-a-greeting", b"\x15\x03\x03\x00\x02\x02\x28")
greeted("tls-warning-then-silence", b"\x15\x03\x03\x00\x02\x01\x5a", silence)
greeted("tls-closes-within-the-handshake")
greeted("tls-resets-within-the-handshake", reset)
tls["tls-silent"] = lambda peer, _: silence(peer)
greeted("tls-that-is-none", HEAD + FEED)
greeted("tls-random-bytes", bytes(range(256)) * 64, silence)
certificate("tls-certificate-of-a-stranger", "stranger")
certificate("tls-certificate-of-another-name", "other")
certificate("tls-certificate-that-has-expired", "expired")
secured("tls-cut-without-its-alert", ok() + b"\r\n\r\n" + FEED[:-30], end_without_alert)
secured("tolerated-tls-end-without-its-alert", ok() + b"\r\n\r\n" + FEED, end_without_alert)
secured("tls-resets-within-the-body", SHORT, reset)


class Origin:
    def __init__(self, folder):
        self.folder = folder
        self.served = set()
        self.lock = threading.Lock()
        self.ways = {}
        for network, group in [(1, plain), (2, {**tls, **http2})]:
            for number, name in enumerate(group, 1):
                self.ways[f"127.{network}.0.{number}"] = name
        self.contexts = self.certificates()

    def certificates(self):
        """The contexts of a good server, and of those that no client should believe."""
        names = ",".join(f"IP:{address}" for address in self.ways if address.startswith("127.2."))
        with open(f"{self.folder}/names", "w", encoding="utf-8") as file:
            file.write(f"subjectAltName={names}\n")
        with open(f"{self.folder}/other-names", "w", encoding="utf-8") as file:
            file.write("subjectAltName=DNS:elsewhere.example\n")
        key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        script = f"""
            set -e; cd "$1"
            for authority in trusted stranger; do
                openssl req -x509 {key} -days 2 -subj /CN=$authority -keyout $authority.key -out $authority.pem
            done
            openssl req {key} -subj /CN=origin -keyout origin.key -out origin.csr
            sign() {{ openssl x509 -req -in origin.csr -CA $1.pem -CAkey $1.key -CAcreateserial -days $2 -extfile $3 -out $4; }}
            sign trusted 2 names good.pem
            sign stranger 2 names stranger-signed.pem
            sign trusted 2 other-names other.pem
            sign trusted -1 names expired.pem
        """
        subprocess.run(["bash", "-c", script, "bash", self.folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        contexts = {}
        for name, file in [("good", "good"), ("h2", "good"), ("stranger", "stranger-signed"), ("other", "other"), ("expired", "expired")]:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(f"{self.folder}/{file}.pem", f"{self.folder}/origin.key")
            if name == "h2":
                context.set_alpn_protocols(["h2"])
            contexts[name] = context
        return contexts

    def is_first(self, name):
        with self.lock:
            first = name not in self.served
            self.served.add(name)
            return first

    def serve(self, listener, is_secure):
        while True:
            peer, _ = listener.accept()
            threading.Thread(target=self.handle, args=(peer, is_secure), daemon=True).start()

    def handle(self, peer, is_secure):
        name = self.ways.get(peer.getsockname()[0])
        try:
            if name in http2:
                self.answer_http2(self.contexts["h2"].wrap_socket(peer, server_side=True), name)
            elif is_secure:
                if self.is_first(name):
                    self.answer(self.contexts["good"].wrap_socket(peer, server_side=True))
                else:
                    tls[name](peer, self.contexts)
            elif self.is_first(name):
                self.answer(peer)
            else:
                if name not in ("closes-at-once", "resets-at-once"):
                    peer.recv(65536)
                plain[name](peer)
                if peer.fileno() >= 0:
                    # Unread bytes would turn the end into a reset.
                    peer.shutdown(socket.SHUT_WR)
                    silence(peer)
        except OSError:
            pass
        finally:
            peer.close()

    @staticmethod
    def answer(peer):
        peer.recv(65536)
        peer.sendall(ok(b"Content-Type: application/rss+xml", b'ETag: "good"', sized(FEED)) + b"\r\n\r\n" + FEED)
        peer.close()

    def answer_http2(self, peer, name):
        """Greets, reads until the first request, and answers it well or badly."""
        peer.sendall(frame(SETTINGS, 0, 0))
        received = b""
        while True:
            received += peer.recv(65536)
            at = 24
            while len(received) >= at + 9:
                length, kind = int.from_bytes(received[at:at + 3], "big"), received[at + 3]
                if kind == HEADERS and len(received) >= at + 9 + length:
                    peer.sendall(frame(SETTINGS, 1, 0))
                    if self.is_first(name):
                        peer.sendall(headers() + data(flags=END_STREAM) + frame(GOAWAY, 0, 0, struct.pack(">II", 1, 0)))
                        silence(peer)
                    else:
                        http2[name](peer)
                    peer.close()
                    return
                at += 9 + length


def listen(port=0):
    listener = socket.create_server(("0.0.0.0", port), backlog=512)
    return listener, listener.getsockname()[1]


def main():
    origin = Origin(sys.argv[1])
    (http, http_port), (https, https_port) = listen(), listen()
    threading.Thread(target=origin.serve, args=(http, False), daemon=True).start()
    threading.Thread(target=origin.serve, args=(https, True), daemon=True).start()
    urls = {}
    for address, name in origin.ways.items():
        is_plain = address.startswith("127.1.")
        urls[name] = f"http://{address}:{http_port}/" if is_plain else f"https://{address}:{https_port}/"
    print(json.dumps({"authority": f"{sys.argv[1]}/trusted.pem", "ways": urls}), flush=True)
    sys.stdin.read()


main()
