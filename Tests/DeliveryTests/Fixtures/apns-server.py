# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""An HTTP/2 server over TLS that answers as a script says, in the place of Apple's push service.

usage: apns-server.py STREAMS SCRIPT

STREAMS is the maximum number of concurrent streams. SCRIPT is a JSON object: for each device token a list of actions, one
for each request, and 200 after the last one. An action is [STATUS, REASON, MEMBERS] or one of these texts:
refuse (RST_STREAM with REFUSED_STREAM), goaway (GOAWAY below the stream), reset (RST_STREAM after the headers of a 200), close
(the connection ends before the answer), headers (a 200 without an end, then the connection ends).

The first line of standard output is {"port", "certificate"}; then each request is a line with its connection, stream,
headers and body. The server ends with its standard input.

The port is that of a proxy, too: a CONNECT to any host leads to this server. Its certificate is for api.push.apple.com and for
127.0.0.1, so the connection to another host fails.
"""
import json, os, socket, ssl, subprocess, sys, tempfile, threading

import h2.config, h2.connection, h2.errors, h2.events, h2.exceptions, h2.settings

streams, script = int(sys.argv[1]), json.loads(sys.argv[2])
folder = tempfile.mkdtemp(dir=os.getcwd())
key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
     "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1,DNS:api.push.apple.com", "-keyout", key, "-out", certificate],
    check=True, stderr=subprocess.DEVNULL,
)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
context.set_alpn_protocols(["h2"])
listener = socket.create_server(("127.0.0.1", 0), backlog=256)
lock = threading.Lock()


def say(value):
    with lock:
        print(json.dumps(value), flush=True)


def next_action(token):
    with lock:
        actions = script.get(token, [])
        return actions.pop(0) if actions else [200]


class Connection:
    def __init__(self, number, accepted):
        self.number, self.socket = number, accepted
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.requests = {}

    def flush(self):
        self.socket.sendall(self.http.data_to_send())

    def answer(self, stream):
        """Returns whether the connection goes on."""
        headers, body = self.requests.pop(stream)
        token = headers[":path"].rsplit("/", 1)[-1]
        action = next_action(token)
        say({"connection": self.number, "stream": stream, "headers": headers, "body": body.decode()})
        if action == "close":
            return False
        if action == "refuse":
            self.http.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
        elif action == "goaway":
            self.http.close_connection(last_stream_id=max(0, stream - 2))
            self.flush()
            return False
        elif action in ("reset", "headers"):
            self.http.send_headers(stream, [(":status", "200")])
            self.flush()
            if action == "headers":
                return False
            self.http.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        else:
            status, reason, members = (action + [None, {}])[:3] if len(action) < 3 else action
            text = json.dumps({"reason": reason, **(members or {})}).encode() if reason else b""
            fields = [(":status", str(status)), ("apns-id", headers.get("apns-id", ""))]
            self.http.send_headers(stream, fields, end_stream=not text)
            if text:
                self.http.send_data(stream, text, end_stream=True)
        self.flush()
        return True

    def run(self):
        self.http.update_settings({h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: streams})
        self.http.initiate_connection()
        self.flush()
        while data := self.socket.recv(65536):
            for event in self.http.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    text = lambda value: value.decode() if isinstance(value, bytes) else value
                    self.requests[event.stream_id] = ({text(n): text(v) for n, v in event.headers}, b"")
                elif isinstance(event, h2.events.DataReceived):
                    headers, body = self.requests[event.stream_id]
                    self.requests[event.stream_id] = (headers, body + event.data)
                    self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded) and not self.answer(event.stream_id):
                    return
            self.flush()


def open_tunnel(accepted):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        data = accepted.recv(65536)
        if not data:
            raise ConnectionError("the client has closed the connection within its request")
        head += data
    accepted.sendall(b"HTTP/1.1 200 OK\r\n\r\n")


def serve(number, accepted):
    try:
        if accepted.recv(1, socket.MSG_PEEK) == b"C":
            open_tunnel(accepted)
        with context.wrap_socket(accepted, server_side=True) as connection:
            Connection(number, connection).run()
    except (OSError, h2.exceptions.ProtocolError):
        pass


def listen():
    number = 0
    while True:
        accepted, _ = listener.accept()
        number += 1
        threading.Thread(target=serve, args=(number, accepted), daemon=True).start()


say({"port": listener.getsockname()[1], "certificate": certificate})
threading.Thread(target=listen, daemon=True).start()
sys.stdin.read()
