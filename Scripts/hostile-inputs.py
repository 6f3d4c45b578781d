#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Gives hostile documents to a program, and prints those that it does not handle.

usage: hostile-inputs.py [--seconds S] [--base MIB] [--most MIB] [--stride N] [--share N] [--jobs N] [--corpus FILE ...] PROGRAM [ARGUMENT ...]

PROGRAM reads a document from standard input. It must answer, with content or an error, within S seconds of CPU time
(default: 1) and without a signal. Compared with an empty input, it may use 8 times the input's size plus MIB MiB more memory
(--base, default: 4), and at most --most MiB in all (default: 150). Cases that change one byte try every N-th byte (--stride, default: 1).
What is repeated 100,000 times, or is 14 MiB large, is divided by N (--share, default: 1). A corpus is a file of JSON lines with
a document's `bytes` in base64; each document is cut at every 97th byte. Exit status: 1 if a document did harm.
"""
import argparse, base64, concurrent.futures, json, os, shutil, signal, subprocess, sys, tempfile, threading

MIB = 1 << 20
# A limit in wall-clock time, far above the allowed CPU time, for a program that waits for ever.
TIMEOUT_SECONDS = 60


def rss(channel):
    return b"<?xml version='1.0'?><rss version='2.0'><channel><title>T</title>" + channel + b"</channel></rss>"


def typed(declarations, text=b"&a;"):
    return b"<!DOCTYPE rss " + declarations + b">" + rss(b"<item><title>" + text + b"</title></item>")


def levels(count, fan, quote=b"'"):
    entities = [b"<!ENTITY a0 " + quote + b"lol" + quote + b">"]
    for level in range(1, count):
        entities.append(b"<!ENTITY a%d %s%s%s>" % (level, quote, b"&a%d;" % (level - 1) * fan, quote))
    return b"[" + b"".join(entities) + b"]"


def bombs():
    """Entities that grow, refer to each other, or refer to something outside of the document."""
    yield "ten levels of ten", typed(levels(10, 10), b"&a9;")
    yield "thirty levels of two, in an attribute", b"<!DOCTYPE feed " + levels(30, 2) + (
        b"><feed xmlns='http://www.w3.org/2005/Atom'><entry><title>t</title><link href='https://a.example/&a29;'/></entry></feed>")
    yield "one large entity many times", typed(b"[<!ENTITY a '" + b"x" * 100_000 + b"'>]", b"&a;" * 30_000)
    yield "short entities many times", typed(b"[<!ENTITY a '" + b"x" * 250 + b"'>]", b"&a;" * 300_000)
    yield "entities that name each other", typed(b"[<!ENTITY a '&b;'><!ENTITY b '&a;'>]")
    yield "an entity that names itself", typed(b"[<!ENTITY a '&a;&a;'>]", b"&a;" * 10_000)
    yield "parameter entities", typed(
        b"[<!ENTITY % a 'xxxxxxxxxx'>" + b"".join(
            b"<!ENTITY %% p%d '%s'>" % (i, (b"%%p%d;" % (i - 1) if i else b"%a;") * 10) for i in range(9)) + b"%p8;]")
    yield "a file", typed(b"[<!ENTITY a SYSTEM 'file:///etc/passwd'>]")
    yield "an external document type", b"<!DOCTYPE rss SYSTEM 'http://127.0.0.1:9/x.dtd'>" + rss(b"<item><title>t</title></item>")
    yield "an external parameter entity", typed(b"[<!ENTITY % a SYSTEM 'file:///dev/zero'>%a;]")
    yield "a device without end", typed(b"[<!ENTITY a SYSTEM 'file:///dev/zero'>]", b"&a;" * 100)
    yield "a hundred thousand entities", typed(
        b"[" + b"".join(b"<!ENTITY e%d 'x'>" % i for i in range(100_000)) + b"]", b"&e99999;" * 1000)


def repetitions(count):
    """Many repetitions of one construct, which find quadratic time."""
    for piece in [b"<a>", b"<item>", b"<", b"&", b"</a>", b"<a/>", b"<a ", b"<a b='", b"<!--", b"<![CDATA[", b"]]>", b"<?",
                  b"<!", b"<!DOCTYPE a [", b"&#", b"&amp;", b"<a xmlns:x='y'>", b"<a xml:base='b/'>", b"<!ENTITY x 'y'>",
                  b"<p title=\"", b"&lt;p&gt;", b"&lt;!--", b"&lt;script&gt;", b"&lt;a b=&quot;", b"\xc3\xa9\xcc\x81",
                  b"<title>x</title>", b"<link>a</link>", b"<author>a@b (c)</author>"]:
        name = piece.decode("utf-8", "replace")
        yield f"{count} times {name}", piece * count
        yield f"{count} times {name} in a channel", rss(piece * count)
        yield f"{count} times {name} in a text", rss(b"<item><description>" + piece * count + b"</description></item>")
    yield f"{count} nested elements", b"<a>" * count + b"</a>" * count
    yield f"{count} nested elements in an item", rss(b"<item><title>x</title><description>" + b"<a>" * count + b"</a>" * count + b"</description></item>")
    yield f"{count} names", rss(b"".join(b"<n%d/>" % i for i in range(count)))
    yield f"{count} names with prefixes", rss(b"".join(b"<p%d:n%d/>" % (i, i) for i in range(count)))
    yield f"{count} end tags among 400 names", rss(b"".join(b"<a:n%d>" % i for i in range(400)) + b"</id>" * count)
    yield f"{count} attributes", b"<rss" + b"".join(b" a%d='x'" % i for i in range(count)) + b"></rss>"
    for piece in [b"[", b"{", b'{"a":', b'[{"items":', b'"', b'"\\', b"[]", b",", b'{"id":"1"},']:
        name = piece.decode()
        yield f"{count} times {name}", piece * count
        yield f"{count} times {name} in a JSON feed", (
            b'{"version": "https://jsonfeed.org/version/1.1", "title": "x", "items": [' + piece * count)


def parts(count):
    """Elements that may occur many times in one item or feed, each with another value."""
    for element in [b"<dc:creator>name %d</dc:creator>", b"<author>name %d</author>", b"<category>c%d</category>",
                    b"<link>https://a.example/%d</link>", b"<enclosure url='https://a.example/%d'/>",
                    b"<pubDate>Sun, 06 Nov 1994 08:49:%02d GMT</pubDate>", b"<guid>%d</guid>",
                    b"<atom:author xmlns:atom='http://www.w3.org/2005/Atom'><atom:name>n%d</atom:name></atom:author>"]:
        many = b"".join(element % (i % 60 if b"%02d" in element else i) for i in range(7 * count // 2))[:14 * MIB]
        name = element.split(b">")[0].decode() + ">"
        yield f"{7 * count // 2} times {name} in an item", rss(b"<item><title>x</title>" + many + b"</item>")
        yield f"{7 * count // 2} times {name} in a channel", rss(many + b"<item><title>x</title></item>" * 1000)
    authors = b"".join(b"<author><name>name %d</name></author>" % i for i in range(count))
    entries = b"".join(b"<entry><id>%d</id><title>x</title></entry>" % i for i in range(1000))
    yield f"{count} authors of a feed of 1000 entries", (
        b"<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>" + authors + entries + b"</feed>")
    names = b",".join(b'{"name":"name %d"}' % i for i in range(2 * count))
    yield f"{2 * count} authors of a JSON feed", (
        b'{"version": "https://jsonfeed.org/version/1.1", "authors": [' + names + b'], "items": ['
        + b",".join(b'{"id":"%d","title":"x"}' % i for i in range(1000)) + b"]}")
    yield "an unknown element around each item, without its end", rss(b"<x><item><title>x</title></item>" * count)
    yield f"{count} unknown elements of many names around items", rss(
        b"".join(b"<x%d><item>" % (i % 300) for i in range(count)))


def large(share):
    size = 14 * MIB // share
    yield "a line of 64 MiB", b"x" * (64 * MIB)
    yield f"a line of {size} bytes in a title", rss(b"<item><title>" + b"x" * size + b"</title></item>")
    yield f"a line of {size} bytes of words, escaped", rss(b"<item><description>" + b"&lt;p&gt;word&lt;/p&gt; " * (size // 24) + b"</description></item>")
    yield f"{size} bytes of quotes", rss(b"<item><description>" + b'"' * size + b"</description></item>")
    yield f"{size} bytes of quotes in texts of 1 MiB, plain", b"<feed xmlns='http://www.w3.org/2005/Atom'>" + (
        b"<entry><title>t</title><summary>" + b'"' * MIB + b"</summary></entry>") * (size // MIB) + b"</feed>"
    yield f"{size} bytes of items", rss(b"<item><title>x</title><link>https://a.example/</link></item>" * (size // 60))
    yield f"{size} bytes of Windows-1252", b"<?xml version='1.0' encoding='windows-1252'?>" + rss(b"<item><title>" + b"\xe9\x80" * (size // 2) + b"</title></item>")
    yield f"{size} bytes of UTF-16", b"\xff\xfe" + rss(b"<item><title>" + b"y" * (size // 2 - 200) + b"</title></item>").decode().encode("utf-16-le")
    yield f"{size} bytes of line ends", rss(b"<item><title>" + b"\r\n" * (size // 2) + b"</title></item>")
    yield f"a JSON string of {size} bytes", b'{"version": "https://jsonfeed.org/version/1", "items": [{"id": "1", "content_text": "' + b"\\u0041" * (size // 6) + b'"}]}'


def odd(stride):
    yield "nothing", b""
    yield "a NUL", b"\0"
    yield "NULs", b"\0" * 100_000
    yield "NULs in a feed", rss(b"<item\0><title>\0a\0</ti\0tle></item>")
    every = bytes(range(256))
    yield "every byte", every
    yield "every byte, many times", every * 4096
    for name, start in [("an element", b"<rss>"), ("a title", b"<rss><channel><item><title>"), ("a tag", b"<rss a='"),
                        ("CDATA", b"<rss><channel><item><title><![CDATA["), ("a document type", b"<!DOCTYPE "),
                        ("a JSON feed", b'{"version": "jsonfeed", "items": [{"id": "')]:
        yield f"every byte in {name}", start + every
        for byte in range(0, 256, stride):
            yield f"byte {byte} in {name}", start + bytes([byte])
    for mark in [b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\0\0\xfe\xff", b"\xff\xfe\0\0"]:
        yield f"every byte behind the mark {mark.hex()}", mark + every


def cut(path):
    with open(path) as file:
        for line in file:
            case = json.loads(line)
            document = base64.b64decode(case["bytes"])
            for length in range(0, len(document), 97):
                yield f"{case['id']} cut at {length}", document[:length]


def work(command):
    """Runs the program on each file that is named on standard input, and prints the resources that it used.

    Runs as a separate small process, because a program's memory counts from that of the process that started it.
    """
    for line in sys.stdin:
        with open(line.rstrip("\n"), "rb") as file:
            process = subprocess.Popen(command, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        killer = threading.Timer(TIMEOUT_SECONDS, process.kill)
        killer.start()
        errors = process.stderr.read(2000)
        process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        killer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        print(json.dumps([process.returncode, errors.decode(errors="replace"), usage.ru_utime + usage.ru_stime,
                          usage.ru_maxrss * 1024]), flush=True)


class Worker:
    def __init__(self, folder, command):
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--work", *command],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.path = os.path.join(folder, str(self.process.pid))

    def measure(self, document):
        """Returns the exit status, the errors, the CPU time and the memory of the program with a document as its input."""
        with open(self.path, "wb") as file:
            file.write(document)
        self.process.stdin.write(self.path + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def start(self):
        """Returns the memory that the program uses with an empty input, the largest of some runs."""
        runs = [self.measure(b"") for _ in range(5)]
        status, errors, _, _ = runs[0]
        if status not in (0, 1):
            sys.exit(f"error: the program does not read an empty input; exit status {status}: {errors[:200]}")
        return max(memory for _, _, _, memory in runs)

    def run(self, name, document, seconds, base, most):
        """Returns the name, an error text, the time, and the memory in proportion to the limit.

        `base` and `most` are numbers of bytes.
        """
        status, errors, time, memory = self.measure(document)
        allowed = min(8 * len(document) + base, most)
        faults = []
        if status < 0:
            faults.append(f"ended by {signal.Signals(-status).name}")
        elif status > 1:
            faults.append(f"exit status {status}: {errors[:200]}")
        if "root:" in errors:
            faults.append("it read a file")
        if time > seconds:
            faults.append(f"{time:.1f} s")
        if memory > allowed:
            faults.append(f"{memory / MIB:.1f} MiB for {len(document) / MIB:.1f} MiB, {allowed / MIB:.1f} allowed")
        return name, ", ".join(faults), time, memory / allowed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seconds", type=float, default=1)
    for name, default in [("base", 4), ("most", 150), ("stride", 1), ("share", 1), ("jobs", os.cpu_count())]:
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--corpus", action="append", default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.command:
        sys.exit("error: name the program")
    if not shutil.which(options.command[0]):
        sys.exit(f"error: '{options.command[0]}' is not a program that can be run; name each corpus with a --corpus of its own")
    for corpus in options.corpus:
        if not os.access(corpus, os.R_OK):
            sys.exit(f"error: the corpus '{corpus}' cannot be read")

    def cases():
        count = 100_000 // options.share
        for group in [bombs(), repetitions(count), parts(count), large(options.share), odd(options.stride)]:
            yield from group
        for corpus in options.corpus:
            yield from cut(corpus)

    count, failed, start, slowest, largest = 0, 0, 0, (0, ""), (0, "")
    lock, source = threading.Lock(), cases()

    def serve(worker):
        nonlocal count, failed, slowest, largest
        while True:
            with lock:
                case = next(source, None)
            if case is None:
                return
            name, fault, time, memory = worker.run(*case, options.seconds, start + options.base * MIB, options.most * MIB)
            with lock:
                count += 1
                slowest, largest = max(slowest, (time, name)), max(largest, (memory, name))
                if fault:
                    failed += 1
                    print(f"{name}: {fault}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            workers = [Worker(folder, options.command) for _ in range(options.jobs)]
            start = workers[0].start()
            served = [pool.submit(serve, worker) for worker in workers]
        for future in served:
            future.result()
    print(f"{count - failed} of {count} documents did no harm; an empty one takes {start / MIB:.1f} MiB; the slowest took {slowest[0]:.2f} s ({slowest[1]}), "
          f"the largest {100 * largest[0]:.0f} % of the memory allowed ({largest[1]})")
    sys.exit(1 if failed else 0)


if sys.argv[1:2] == ["--work"]:
    work(sys.argv[2:])
else:
    main()
