# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""The gateway with all services, and nginx, for the benchmarks of what is served over HTTP; and their resource use."""
import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import time
import zlib

import benchmarks
import processes
from endurance.system import free_ports

# Documents are pushed to this widget; it has one display.
WIDGET = "bench"
DISPLAY = "wall"
SERVICES = ["bus", "cache", "layout", "notifier", "delivery", "gateway", "fetcher"]
START_SECONDS = 10


def send(port, method, path, body=None, headers=None):
    """Sends a request and returns the body of its answer; fails unless it succeeds."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, headers or {})
    response = connection.getresponse()
    text = response.read()
    connection.close()
    if response.status >= 300:
        benchmarks.fail(f"{method} {path}: {response.status} {text[:300]}")
    return text


def tidings(build=None):
    """Returns the path of `tidings`; builds it and all services unless `build` names a folder with them."""
    if build:
        return os.path.join(build, "tidings")
    return [benchmarks.product(name) for name in SERVICES + ["tidings"]][-1]


class Gateway:
    """`tidings up` in a folder, with one widget to which feeds are pushed; runs within the `with` block."""

    def __init__(self, program, folder, options):
        self.program, self.folder = program, folder
        self.configuration = folder / "tidings.yml"
        self.configuration.write_text(
            f"gateway: {{requestsPerMinute: 0, accessLog: false{options}}}\n"
            f"displays: {{{DISPLAY}: {{family: panel, width: 400, height: 300}}}}\n"
            f"widgets: {{{WIDGET}: {{kind: feed, source: push}}}}\n"
        )

    def __enter__(self):
        self.token = subprocess.run(
            [self.program, "token", "new", "--config", self.configuration, "--name", "bench", "--scope", "push"],
            check=True, capture_output=True, text=True,
        ).stdout.strip()
        self.port = free_ports(1)
        environment = dict(
            os.environ, TIDINGS_BUS="tcp://127.0.0.1:0", TIDINGS_GATEWAY=f"127.0.0.1:{self.port}", TIDINGS_LOG_LEVEL="warning"
        )
        self.up = subprocess.Popen(
            [self.program, "up", "--config", self.configuration], stdout=subprocess.PIPE, env=environment, text=True
        )
        if not self.up.stdout.readline().startswith("ready"):
            self.__exit__()
            benchmarks.fail("tidings up does not start")
        self.process = processes.child(self.up.pid, "gateway")
        return self

    def push(self, titles, wait):
        """Pushes a feed of posts with these titles; with `wait`, returns after its verdict."""
        posts = "".join(f"<item><guid>{zlib.crc32(title.encode())}</guid><title>{title}</title></item>" for title in titles)
        feed = f"<rss version='2.0'><channel><title>B</title>{posts}</channel></rss>"
        headers = {"Authorization": f"Bearer {self.token}", "Prefer": f"wait={wait}"}
        send(self.port, "PUT", f"/v1/widgets/{WIDGET}/content", feed, headers)

    def __exit__(self, *_):
        self.up.terminate()
        self.up.wait()


@contextlib.contextmanager
def nginx(folder, port, server, top="", http="", connections=1024):
    """Runs nginx with one worker in a folder; gives the worker's process id. `server` is the content of its only server."""
    (folder / "nginx.conf").write_text(f"""
        {top}
        worker_processes 1;
        worker_rlimit_nofile {connections + 1000};
        daemon off;
        pid {folder}/nginx.pid;
        error_log {folder}/error.log;
        events {{ worker_connections {connections}; }}
        http {{
            {http}
            access_log off;
            client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
            uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
            server {{
                listen 127.0.0.1:{port};
                {server}
            }}
        }}
    """)
    process = subprocess.Popen([shutil.which("nginx") or "/usr/sbin/nginx", "-p", folder, "-c", folder / "nginx.conf"])
    try:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                if time.monotonic() > deadline or process.poll() is not None:
                    benchmarks.fail(f"nginx does not start: {(folder / 'error.log').read_text()}")
                time.sleep(0.05)
        yield processes.child(process.pid, "nginx")
    finally:
        process.terminate()
        process.wait()
