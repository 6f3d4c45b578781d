# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""An origin that offers HTTP/2 over TLS and breaks its rules: broken-http2-origin.py FAULT BODY; ends with its standard input."""
import os, socket, ssl, struct, sys, threading

fault, body = sys.argv[1], sys.argv[2].encode()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("certificate.pem", "key.pem")
context.set_alpn_protocols(["h2", "http/1.1"])
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)

def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

def exactly(connection, count):
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            raise OSError("the end")
        data += piece
    return data

def speak2(connection):
    if fault == "wrongVersion":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno")
        return connection.recv(65536)
    exactly(connection, 24)
    connection.sendall(frame(4, 0, 0, b""))
    while True:
        head = exactly(connection, 9)
        kind, stream = head[3], struct.unpack(">I", head[5:])[0]
        exactly(connection, int.from_bytes(head[:3], "big"))
        if kind == 1:
            break
    if fault == "largeFrame":
        connection.sendall(struct.pack(">I", 1 << 20)[1:] + bytes([0, 0]) + struct.pack(">I", stream))
    elif fault == "resetStream":
        connection.sendall(frame(3, 0, stream, struct.pack(">I", 1)))
    else:
        connection.sendall(frame(7, 0, 0, struct.pack(">II", 0, 1)))
        return
    connection.recv(65536)

def speak1(connection):
    head = b""
    while b"\r\n\r\n" not in head:
        head += exactly(connection, 1)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body)

def serve(accepted):
    try:
        with context.wrap_socket(accepted, server_side=True) as connection:
            (speak2 if connection.selected_alpn_protocol() == "h2" else speak1)(connection)
    except OSError:
        pass

def listen():
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

threading.Thread(target=listen, daemon=True).start()
sys.stdin.read()
