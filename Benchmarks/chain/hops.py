# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""References for the chain benchmark: the same bytes through four hops of ZeroMQ publish/subscribe.

The hops are plain, or two of them write to the disk before they forward, as the cache and the notifier do.
"""
import multiprocessing
import os
import struct
import time

import zmq

HOPS = 4
# The hops that write: the second and the fourth, as the cache and the notifier.
DURABLE = (1, 3)
# The bytes of a write, and of the file that writes go through again and again, as a write-ahead log.
WRITE, FILE = 8192, 4 << 20


def forward(source, target):
    """Starts one hop in a separate process: libzmq's proxy between a subscriber's and a publisher's socket."""
    context = zmq.Context()
    incoming, outgoing = context.socket(zmq.XSUB), context.socket(zmq.XPUB)
    incoming.connect(source)
    outgoing.bind(target)
    zmq.proxy(incoming, outgoing)


def forward_durably(source, target, path):
    """The same, with one synchronous write before the messages that have arrived together are forwarded."""
    context = zmq.Context()
    incoming, outgoing = context.socket(zmq.XSUB), context.socket(zmq.XPUB)
    incoming.connect(source)
    outgoing.bind(target)
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    os.posix_fallocate(file, 0, FILE)
    os.write(file, os.urandom(FILE))
    os.fsync(file)
    block, offset = os.urandom(WRITE), 0
    poller = zmq.Poller()
    poller.register(incoming, zmq.POLLIN)
    poller.register(outgoing, zmq.POLLIN)
    while True:
        ready = dict(poller.poll())
        if outgoing in ready:
            incoming.send(outgoing.recv())
        if incoming not in ready:
            continue
        arrived = [incoming.recv_multipart()]
        while incoming.poll(0):
            arrived.append(incoming.recv_multipart())
        os.pwrite(file, block, offset)
        os.fdatasync(file)
        offset = (offset + WRITE) % FILE
        for message in arrived:
            outgoing.send_multipart(message)


def publish(address, rate, seconds, body):
    context = zmq.Context()
    socket = context.socket(zmq.XPUB)
    socket.bind(address)
    # The subscription has passed through all hops.
    socket.recv()
    begun = time.monotonic()
    for number in range(int(rate * seconds)):
        time.sleep(max(0, begun + number / rate - time.monotonic()))
        socket.send_multipart([b"update/", struct.pack("d", time.monotonic()) + body])
    socket.close(linger=5000)
    context.term()


def latencies(port, rate, seconds, body, folder=None):
    """Returns the seconds from sending to receiving, for each message.

    With a folder, the hops of `DURABLE` write to files there.
    """
    fork = multiprocessing.get_context("fork")
    addresses = [f"tcp://127.0.0.1:{port + hop}" for hop in range(HOPS + 1)]
    pairs = list(zip(addresses, addresses[1:]))
    processes = [
        fork.Process(target=forward_durably, args=(*pair, os.path.join(folder, f"hop{hop}")), daemon=True)
        if folder and hop in DURABLE
        else fork.Process(target=forward, args=pair, daemon=True)
        for hop, pair in enumerate(pairs)
    ] + [fork.Process(target=publish, args=(addresses[0], rate, seconds, body), daemon=True)]
    for process in processes:
        process.start()
    context = zmq.Context()
    reader = context.socket(zmq.SUB)
    reader.connect(addresses[-1])
    reader.subscribe(b"")
    taken, expected = [], int(rate * seconds)
    while len(taken) < expected and reader.poll((seconds + 10) * 1000):
        stamp = reader.recv_multipart()[1][:8]
        taken.append(time.monotonic() - struct.unpack("d", stamp)[0])
    for process in processes:
        process.terminate()
        process.join()
    context.destroy(linger=0)
    return taken, expected
