# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Tests of file sources in containers, of compose.single.yml, and of access from another network namespace."""
import json, os, re, subprocess, time
from containers.support import Failure, PROJECT, Reader, environment, output, promise, say, step

# The widget of a file source, on one of its displays.
WIDGET = "notes"
PICTURE = f"/widgets/{WIDGET}/phone-classic.png"
NOTICE_SECONDS = 1
ATTEMPTS = 3


def configure(text, folder):
    """Returns the configuration with a widget of a file in `folder`, which is polled once an hour."""
    write(folder, 0)
    return text.replace("\nfetching:\n", "\nfetching:\n  fileDirectory: files\n") + (
        f"\n  {WIDGET}:\n    kind: keyValue\n    source: {{file: {WIDGET}.json}}\n    interval: 1h\n"
    )


def write(folder, value):
    """Replaces the file of the widget, as an editor does."""
    new = os.path.join(folder, f"{WIDGET}.new")
    with open(new, "w", encoding="utf-8") as file:
        json.dump({"value": value}, file)
    os.chmod(new, 0o644)
    os.rename(new, os.path.join(folder, f"{WIDGET}.json"))


def file_is_noticed(container, folder):
    """Replaces the file of the widget, and measures the time to the verdict. `container` has the command and a bus."""
    step("Replacing the file of a file source")
    reader = Reader("docker", "exec", container, "tidings", "subscribe", "--json", f"update/newData/{WIDGET}/")
    times = []
    try:
        for attempt in range(1, ATTEMPTS + 1):
            seen, deadline = len(reader.lines), time.monotonic() + 20
            # The subscription may begin after the first file.
            while len(reader.lines) == seen:
                began = time.monotonic()
                write(folder, time.time_ns())
                with reader.arrived:
                    reader.arrived.wait_for(lambda: len(reader.lines) > seen, timeout=3)
                if time.monotonic() > deadline:
                    raise Failure("a replaced file is not noticed within 20 s")
            times.append(time.monotonic() - began)
    finally:
        reader.end()
    promise(
        min(times) <= NOTICE_SECONDS,
        f"a replaced file has its verdict after {', '.join(f'{one:.2f}' for one in times)} s",
    )


def outside(image, port, path):
    """Sends a request from a container of another network, which is another network namespace; returns the answer's bytes."""
    network = f"{PROJECT}-outside"
    output("docker", "network", "create", network)
    try:
        host = output("docker", "network", "inspect", "--format", "{{(index .IPAM.Config 0).Gateway}}", network)
        request = f"GET {path} HTTP/1.1\\r\\nHost: {host}:{port}\\r\\nConnection: close\\r\\n\\r\\n"
        script = f"exec 3<>/dev/tcp/{host}/{port} && printf '{request}' >&3 && cat <&3"
        command = ["docker", "run", "--rm", "--network", network, image, "timeout", "10", "bash", "-c", script]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    finally:
        output("docker", "network", "rm", network)


def run(tool, containers, folder, image):
    """Runs all services in one container, and fetches a picture with a token from another network namespace."""
    step(f"Running compose.single.yml with {' '.join(tool)}")
    port = environment["TIDINGS_GATEWAY_PORT"]
    compose = [*tool, "--project-name", PROJECT, "--file", "compose.single.yml"]
    environment["TIDINGS_LISTEN"] = "0.0.0.0"
    try:
        output(*compose, "up", "--detach", "--no-build")
        container = containers.wait_healthy(1, 60, "tidings")[0][0]
        file_is_noticed(container, folder)
        answer = outside(image, port, PICTURE)
        promise(answer.startswith(b"HTTP/1.1 401 "), "with TIDINGS_LISTEN=0.0.0.0, reads from outside need a token")
        made = output(*compose, "exec", "-T", "tidings", "tidings", "token", "new", "--name", "panel", "--path", PICTURE[:-4])
        token = re.search(r"tdg_\w+", made).group()
        # The gateway reads its tokens once a second.
        deadline = time.monotonic() + 5
        while not (answer := outside(image, port, f"{PICTURE}?token={token}")).startswith(b"HTTP/1.1 200 "):
            if time.monotonic() > deadline:
                raise Failure(f"no picture for the token: {answer[:300]}")
        promise(b"\r\n\r\n\x89PNG" in answer, f"with a token, a picture of {len(answer)} bytes arrives there")
        warnings = [line for line in output("docker", "logs", container).splitlines() if "environment variable" in line]
        promise(not warnings, "no variable of the compose file is unknown")
        say(output("docker", "exec", container, "tidings", "health").splitlines()[-1])
    finally:
        del environment["TIDINGS_LISTEN"]
        output(*compose, "down", "--volumes")
