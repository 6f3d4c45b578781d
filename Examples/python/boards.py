#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors

"""Prints the name of each board that looks different: boards.py [ADDRESS]

ADDRESS is the bus's port for subscribers (default: tcp://127.0.0.1:5556). Needs pyzmq.
"""

import json
import sys

import zmq

cells = {}  # (board, display) -> (revision, digest)


def changed(update):
    """Returns the names of the boards that an update changes."""
    displays = update["data"]["displays"].items()
    shown = [(state["board"], name, state["digest"]) for name, state in displays if "board" in state]
    new = {(board["id"], name): (board["revision"], digest) for board, name, digest in shown}
    found = {key[0] for key, value in new.items() if cells.get(key) != value}
    cells.update(new)
    return found


def main():
    socket = zmq.Context.instance().socket(zmq.SUB)
    socket.connect(sys.argv[1] if len(sys.argv) > 1 else "tcp://127.0.0.1:5556")
    socket.subscribe(b"update/")
    while True:
        for board in sorted(changed(json.loads(socket.recv_multipart()[1]))):
            print(board, flush=True)


if __name__ == "__main__":
    main()
