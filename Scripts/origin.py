#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""The scripted origins of checks and benchmarks: HTTP servers that keep connections open and record what they are asked.

usage: origin.py ADDRESS     Runs `Changing`, prints its port, and ends at the end of the standard input.
"""
import asyncio, json, multiprocessing, sys, threading, time


def response(status, body=b"", **fields):
    """Returns the bytes of an answer; `_` in the name of a field stands for `-`."""
    # The answer 304 says nothing about a length.
    fields |= {} if status.startswith("304") else {"Content_Length": len(body)}
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def rss(title, items):
    """Returns an RSS feed; `items` are (title, guid, further elements)."""
    items = "".join(f"<item><title>{t}</title><guid>{guid}</guid>{more}</item>" for t, guid, more in items)
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>{title}</title>{items}</channel></rss>'.encode()


class Origin:
    """An origin; `answer` returns the bytes of an answer, which is sent after `wait` seconds."""

    async def listen(self, addresses, port):
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: Connection(self), addresses, port, backlog=1024)

    def wait(self, path):
        return 0


class Connection(asyncio.Protocol):
    def __init__(self, origin):
        self.origin, self.rest = origin, b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.rest += data
        if not self.rest[:1].isalpha():
            # What is no HTTP, such as the beginning of TLS, is answered at once, as servers do.
            self.transport.write(response("400 Bad Request", Connection="close"))
            return self.transport.close()
        while b"\r\n\r\n" in self.rest:
            head, self.rest = self.rest.split(b"\r\n\r\n", 1)
            first, *lines = head.decode().split("\r\n")
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            path = first.split(" ")[1]
            asyncio.get_running_loop().call_later(self.origin.wait(path), self.send, path, fields)

    def send(self, path, fields):
        if not self.transport.is_closing():
            peer = self.transport.get_extra_info("peername")[0]
            self.transport.write(self.origin.answer(path, fields, peer))


class Changing(Origin):
    """Each answer is another one: `/PATH` is a feed whose first post is titled "answer N", with N from 1 for each path.

    `GET /requests` returns {path: [time of answer 1, of answer 2, ...]} on the clock of `time.monotonic`, and `GET /peers` the
    addresses of the clients in the same form.
    """

    def __init__(self):
        self.asked, self.peers = {}, {}

    def answer(self, path, _, peer):
        if path in ("/requests", "/peers"):
            record = self.asked if path == "/requests" else self.peers
            return response("200 OK", json.dumps(record).encode(), Content_Type="application/json")
        times = self.asked.setdefault(path, [])
        times.append(time.monotonic())
        self.peers.setdefault(path, []).append(peer)
        newest = len(times)
        posts = [
            (f"answer {n}", f"{path}-{n}", f"<description>Post {n} of {path}.</description>")
            for n in range(newest, max(0, newest - 3), -1)
        ]
        return response("200 OK", rss(path, posts), Content_Type="application/rss+xml")


class Documents(Origin):
    """Serves documents from memory, in a thread of this process; `set` changes one.

    `fail` answers with a status instead, `redirect` with an address.
    """

    def __init__(self):
        self.documents, self.failures, self.targets = {}, {}, {}
        self.loop, ready = asyncio.new_event_loop(), threading.Event()

        async def begin():
            server = await self.listen("127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            ready.set()

        self.loop.create_task(begin())
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        if not ready.wait(10):
            raise TimeoutError("the origin does not listen")

    def answer(self, path, *_):
        status, target = self.failures.get(path), self.targets.get(path)
        if target:
            return response("301 Moved", Location=target)
        if status or path not in self.documents:
            return response(f"{status or 404} Failed")
        body, kind = self.documents[path]
        return response("200 OK", body, Content_Type=kind)

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def set(self, path, document):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.documents[path] = (body, "application/xml" if isinstance(document, bytes) else "application/json")

    def fail(self, path, status):
        self.failures[path] = status

    def redirect(self, path, target):
        self.targets[path] = target

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)


class Paced(Origin):
    """Serves `count` paths, `/0.xml` and so on, on the given addresses, from `start` to `stop`, in a process of its own.

    Every second request for a path is answered with a new document, and the others with 304. With `always_new`, each answer
    is a new document. The times of the last answers are in shared memory, on the clock of `time.monotonic`.

    With a `period` in seconds, a path answers at fixed times that are one period apart, and the times of all paths are
    spread evenly over a period. A request waits for the next of these times. Sources that are answered together would
    otherwise stay together, as one batch of each service, and each delay of the machine would make such groups larger.
    The first path answers at the monotonic time `first`, and at multiples of the period before and after it.
    """

    TEXT = "Nothing here is longer than a paragraph of a few plain words, as in many feeds. " * 4

    def __init__(self, addresses, port, count, always_new=False, period=0, first=0):
        self.always_new, self.count, self.period, self.first = always_new, count, period, first
        fork = multiprocessing.get_context("fork")
        self.answered = fork.Array("d", count, lock=False)
        self.changed, self.unchanged = (fork.Array("q", count, lock=False) for _ in range(2))
        self._listening = fork.Event()
        self._process = fork.Process(target=lambda: asyncio.run(self._run(addresses, port)), daemon=True)

    def start(self):
        self._process.start()
        return self._listening.wait(10)

    def stop(self):
        self._process.terminate()
        self._process.join()

    @property
    def answers(self):
        return sum(self.changed) + sum(self.unchanged)

    async def _run(self, addresses, port):
        server = await self.listen(addresses, port)
        self._listening.set()
        await server.serve_forever()

    @staticmethod
    def number(path):
        return int(path.strip("/").removesuffix(".xml"))

    @classmethod
    def document(cls, number, version):
        """Returns a feed of ten posts, of which the first is new in each version."""
        return rss(f"Feed {number}", [
            (f"Post {n} of feed {number}", f"{number}-{n}",
             f"<link>http://example.org/{number}/{n}</link><description>{cls.TEXT}</description>")
            for n in range(version + 10, version, -1)
        ])

    def wait(self, path):
        """Returns the seconds until the next time at which a path answers."""
        if not self.period:
            return 0
        due = self.first + self.period * self.number(path) / self.count
        return (due - time.monotonic()) % self.period

    def answer(self, path, fields, _):
        number = self.number(path)
        version = self.changed[number]
        tag = f'"{version}"'
        if not self.always_new and fields.get("if-none-match") == tag and self.unchanged[number] < version:
            self.unchanged[number] += 1
            answer = response("304 Not Modified", ETag=tag)
        else:
            self.changed[number] += 1
            body = self.document(number, version + 1)
            answer = response("200 OK", body, ETag=f'"{version + 1}"', Content_Type="application/rss+xml")
        self.answered[number] = time.monotonic()
        return answer


async def main():
    server = await Changing().listen(sys.argv[1], 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
