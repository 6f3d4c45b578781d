# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Reference for the chain benchmark: the same bytes through four plain hops of ZeroMQ publish/subscribe."""
import multiprocessing
import struct
import time

import zmq

HOPS = 4


def forward(source, target):
    """Starts one hop in a separate process: libzmq's proxy between a subscriber's and a publisher's socket."""
    context = zmq.Context()
    incoming, outgoing = context.socket(zmq.XSUB), context.socket(zmq.XPUB)
    incoming.connect(source)
    outgoing.bind(target)
    zmq.proxy(incoming, outgoing)


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


def latencies(port, rate, seconds, body):
    """Returns the seconds from sending to receiving, for each message."""
    fork = multiprocessing.get_context("fork")
    addresses = [f"tcp://127.0.0.1:{port + hop}" for hop in range(HOPS + 1)]
    processes = [
        fork.Process(target=forward, args=pair, daemon=True) for pair in zip(addresses, addresses[1:])
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
