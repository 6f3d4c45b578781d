"""Subscribes and sends a request over plain TCP sockets, without a ZeroMQ library: ZMTP 3.0 (https://rfc.zeromq.org/spec/23/).
raw.py [HOST [SUBSCRIBE_PORT [REQUEST_PORT]]]; prints one snapshot, then updates. The same steps work in any language."""
import json, socket, struct, sys, uuid
host, subscribe_port, request_port = sys.argv[1:] + ["127.0.0.1", "5556", "5557"][len(sys.argv) - 1 :]
MORE, LONG, COMMAND = 1, 2, 4  # the bits of a frame's first byte

class Peer:
    def __init__(self, port, kind):
        self.stream = socket.create_connection((host, int(port)))
        # The greeting, 64 bytes: signature, version 3.0, mechanism, as-server, filler.
        self.stream.sendall(b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32))
        self.read(64)
        # READY with one property: the length of the name is one byte, that of the value four bytes.
        self.frame(COMMAND, b"\x05READY" + b"\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind)
        self.receive(until_ready=True)

    def read(self, count):
        data = b""
        while len(data) < count:
            piece = self.stream.recv(count - len(data))
            if not piece: sys.exit("the bus closed the connection")
            data += piece
        return data

    def frame(self, flags, body):
        size = bytes([flags, len(body)]) if len(body) < 256 else bytes([flags | LONG]) + struct.pack(">Q", len(body))
        self.stream.sendall(size + body)

    def send(self, *frames):
        for body in frames[:-1]: self.frame(MORE, body)
        self.frame(0, frames[-1])

    def receive(self, until_ready=False):
        """Returns the frames of the next message. Answers PING, and ignores other commands."""
        frames = []
        while True:
            flags = self.read(1)[0]
            size = struct.unpack(">Q", self.read(8))[0] if flags & LONG else self.read(1)[0]
            body = self.read(size)
            if flags & COMMAND:
                if body.startswith(b"\x04PING"): self.frame(COMMAND, b"\x04PONG" + body[7:])
                if until_ready and body.startswith(b"\x05READY"): return []
                continue
            frames.append(body)
            if not flags & MORE: return frames

nonce = uuid.uuid4().hex
updates = Peer(subscribe_port, b"SUB")
for prefix in ["update/", f"~ready/{nonce}/"]: updates.send(b"\x01" + prefix.encode())  # 1 subscribes, 0 unsubscribes
while updates.receive()[0].decode() != f"~ready/{nonce}/": pass  # from here on, all updates arrive
requests = Peer(request_port, b"DEALER")
requests.send(b"notifier", f"{nonce}-1".encode(), b'{"request":"snapshot","deadlineMilliseconds":2000}')
answer = requests.receive()
for event in json.loads(answer[1])["result"]["records"]: print("snapshot", event["subject"], event["sequence"], flush=True)
while True:
    topic, event = updates.receive()[:2]
    print(topic.decode(), json.loads(event)["sequence"], flush=True)
