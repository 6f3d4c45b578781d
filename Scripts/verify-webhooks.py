#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Verifies the webhooks of a running system with the library `standardwebhooks` from PyPI.

usage: verify-webhooks.py [BUILD [COUNT]]     the folder with the executables (.build/debug), and the number of messages (20)

Two secrets sign each message, as while a secret is changed; the library must accept it with either, and refuse it with another one or if
one byte differs. The exit status is 1 if it does not.
"""
import base64
import http.server
import json
import os
import queue
import subprocess
import sys
import threading

import tools
from endurance.system import System

PACKAGES = ["standardwebhooks==1.1.0"]
WAIT_SECONDS = 60
VERIFIER = """
import json, sys
from standardwebhooks import Webhook
for line in sys.stdin:
    secret, headers, body = json.loads(line)
    try:
        Webhook(secret).verify(body, headers)
        print("valid", flush=True)
    except Exception as problem:
        print(type(problem).__name__, flush=True)
"""


def receive(messages):
    """Starts a server that puts each message into a queue; returns its port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            messages.put(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else ".build/debug"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    try:
        python = tools.environment("standardwebhooks", PACKAGES) / "bin" / "python"
    except tools.NotInstalled as problem:
        print(problem, file=sys.stderr)
        return 1
    secrets = ["whsec_" + base64.b64encode(os.urandom(32)).decode() for _ in range(3)]
    messages = queue.Queue()
    destination = (
        f'destinations:\n  hook: {{kind: webhook, url: "http://127.0.0.1:{receive(messages)}/", allowPrivateNetworks: true, '
        f'secret: ["{secrets[0]}", "{secrets[1]}"]}}\n'
    )
    verifier = subprocess.Popen([python, "-c", VERIFIER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def verify(secret, headers, body):
        verifier.stdin.write(json.dumps([secret, headers, body]) + "\n")
        verifier.stdin.flush()
        return verifier.stdout.readline().strip()

    wrong = []
    with System(["w0000", "w0001"], build, destinations=destination):
        for _ in range(count):
            headers, body = messages.get(timeout=WAIT_SECONDS)
            wrong += [f"with secret {n + 1}: {answer}" for n in (0, 1) if (answer := verify(secrets[n], headers, body)) != "valid"]
            if verify(secrets[2], headers, body) == "valid" or verify(secrets[0], headers, body[:-1] + " ") == "valid":
                wrong.append("a message that was not signed was accepted")
    verifier.stdin.close()
    for problem in wrong:
        print(problem, file=sys.stderr)
    print(f"{count} messages, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
