#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""An origin that changes each answer and records its time; runs as a separate process.

`/PATH` is a feed whose first post is titled "answer N", with N counted from 1 for each path. `GET /requests` returns
{path: [time of answer 1, of answer 2, ...]} on the clock of `time.monotonic`, and `GET /peers` the addresses of the clients
in the same form. The only argument is the address to listen on. Prints its port, and stops at the end of its standard input.
"""
import asyncio, json, sys, time

asked, peers = {}, {}


def feed(path, number):
    posts = "".join(
        f"<item><title>answer {n}</title><guid>{path}-{n}</guid><description>Post {n} of {path}.</description></item>"
        for n in range(number, max(0, number - 3), -1)
    )
    return f'<rss version="2.0"><channel><title>{path}</title>{posts}</channel></rss>'.encode()


class Connection(asyncio.Protocol):
    def __init__(self):
        self.rest = b""

    def connection_made(self, transport):
        self.transport = transport
        self.peer = transport.get_extra_info("peername")[0]

    def data_received(self, data):
        self.rest += data
        while b"\r\n\r\n" in self.rest:
            head, self.rest = self.rest.split(b"\r\n\r\n", 1)
            path = head.split(b" ", 2)[1].decode()
            if path in ("/requests", "/peers"):
                kind, body = "application/json", json.dumps(asked if path == "/requests" else peers).encode()
            else:
                moments = asked.setdefault(path, [])
                moments.append(time.monotonic())
                peers.setdefault(path, []).append(self.peer)
                kind, body = "application/rss+xml", feed(path, len(moments))
            self.transport.write(
                f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
            )


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, sys.argv[1], 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


asyncio.run(main())
