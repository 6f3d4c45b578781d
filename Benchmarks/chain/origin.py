# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""The origin of the chain benchmark: an HTTP server in a separate process that records the time of each answer.

It answers every second request for a path with a new document, and the others with 304. The times are in shared memory,
on the clock of `time.monotonic`, which all processes of a machine share.
"""
import asyncio
import multiprocessing
import time

ITEMS = 10
TEXT = "Nothing here is longer than a paragraph of a few plain words, as in many feeds. " * 4


def document(number, version):
    """Returns an RSS document whose first item is new in each version."""
    items = "".join(
        f"<item><title>Post {n} of feed {number}</title><link>http://example.org/{number}/{n}</link>"
        f"<guid>{number}-{n}</guid><description>{TEXT}</description></item>"
        for n in range(version + ITEMS, version, -1)
    )
    return f'<rss version="2.0"><channel><title>Feed {number}</title>{items}</channel></rss>'.encode()


class Origin:
    """Serves `count` paths, `/0.xml` and so on, on the given addresses, from `start` to `stop`.

    With `always_new`, each answer is a new document. With a `period` in seconds, a path answers at fixed times that are
    one period apart, and the times of all paths are spread evenly over a period. A request waits for the next of these
    times. Sources that are answered together would otherwise stay together, as one batch of each service, and each
    delay of the machine would make such groups larger. The first path answers at the monotonic time `first`, and at
    multiples of the period before and after it.
    """

    def __init__(self, addresses, port, count, always_new=False, period=0, first=0):
        self.always_new = always_new
        self.count, self.period, self.first = count, period, first
        fork = multiprocessing.get_context("fork")
        self.answered = fork.Array("d", count, lock=False)
        self.changed, self.unchanged = (fork.Array("q", count, lock=False) for _ in range(2))
        self._listening = fork.Event()
        self._process = fork.Process(target=self._serve, args=(addresses, port), daemon=True)

    def start(self):
        self._process.start()
        return self._listening.wait(10)

    def stop(self):
        self._process.terminate()
        self._process.join()

    @property
    def answers(self):
        return sum(self.changed) + sum(self.unchanged)

    def _serve(self, addresses, port):
        asyncio.run(self._run(addresses, port))

    async def _run(self, addresses, port):
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connection(self), addresses, port, backlog=1024)
        self._listening.set()
        await server.serve_forever()

    def wait(self, number):
        """Returns the seconds until the next time at which a path answers."""
        if not self.period:
            return 0
        due = self.first + self.period * number / self.count
        return (due - time.monotonic()) % self.period

    def answer(self, number, condition):
        """Returns the bytes of the next answer for a path; a condition is the entity tag that the client has."""
        version = self.changed[number]
        tag = f'"{version}"'
        if not self.always_new and condition == tag and self.unchanged[number] < version:
            self.unchanged[number] += 1
            head, body = f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n", b""
        else:
            self.changed[number] += 1
            body = document(number, version + 1)
            head = (
                f'HTTP/1.1 200 OK\r\nETag: "{version + 1}"\r\nContent-Type: application/rss+xml\r\n'
                f"Content-Length: {len(body)}\r\n\r\n"
            )
        self.answered[number] = time.monotonic()
        return head.encode() + body


class Connection(asyncio.Protocol):
    def __init__(self, origin):
        self.origin = origin
        self.rest = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.rest += data
        while b"\r\n\r\n" in self.rest:
            head, self.rest = self.rest.split(b"\r\n\r\n", 1)
            lines = head.decode().split("\r\n")
            number = int(lines[0].split(" ")[1].strip("/").removesuffix(".xml"))
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            asyncio.get_running_loop().call_later(
                self.origin.wait(number), self.send, number, fields.get("if-none-match")
            )

    def send(self, number, condition):
        if self.transport.is_closing():
            return
        self.transport.write(self.origin.answer(number, condition))
