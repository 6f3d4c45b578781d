#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Checks the configurations of other programs in Examples/gateway and deploy/proxy with these programs: `make examples`.

Tools from PyPI are installed once, each into a virtual environment in .build/example-tools. Ends with status 1 if a tool rejects
its example. If a tool cannot be installed, or the file cannot be checked with it, this is said with the reason.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import tools

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Examples" / "gateway"
TOOLS = "example-tools"
# The newest that run with Python 3.11 of Debian 12.
ESPHOME = ["esphome==2026.6.5"]
HOME_ASSISTANT = [
    "homeassistant==2024.3.3", "colorlog==6.8.2",
    # Those of its package_constraints.txt for which pip would otherwise try one release after another.
    "habluetooth==2.4.2", "bluetooth-data-tools==1.19.0", "bleak==0.21.1",
]
CHECK_SECONDS = 300


class Problem(Exception):
    """The tool rejects the example."""


class Unchecked(Exception):
    """The example cannot be checked with its tool here."""


def run(*command, timeout=CHECK_SECONDS):
    """Returns the output; raises Problem with its last lines if the command fails."""
    try:
        ended = subprocess.run(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        raise Problem(f"{pathlib.Path(command[0]).name} did not end within {timeout} s") from None
    if ended.returncode != 0:
        raise Problem("\n".join(ended.stdout.splitlines()[-25:]))
    return ended.stdout


def environment(name, packages):
    """Returns the folder of executables of a virtual environment with these packages."""
    try:
        return tools.environment(f"{TOOLS}/{name}", packages) / "bin"
    except tools.NotInstalled as problem:
        raise Unchecked(problem) from None


def esphome(scratch):
    programs = environment("esphome", ESPHOME)
    shutil.copy(FOLDER / "esphome.yaml", scratch)
    (scratch / "secrets.yaml").write_text('wifi_ssid: "network"\nwifi_password: "password"\n')
    run(programs / "esphome", "config", scratch / "esphome.yaml")
    # The code that ESPHome generates shows which variables an automation has.
    run(programs / "esphome", "compile", "--only-generate", scratch / "esphome.yaml")
    code = (scratch / ".esphome/build/wall/src/main.cpp").read_text()
    if "[](bool cached)" not in code:
        raise Problem("ESPHome does not pass `cached` to on_download_finished")
    return f"esphome config, {ESPHOME[0]}"


def home_assistant(scratch):
    programs = environment("home-assistant", HOME_ASSISTANT)
    shutil.copy(FOLDER / "home-assistant.yaml", scratch / "configuration.yaml")
    found = run(programs / "hass", "--script", "check_config", "--config", scratch)
    # The status is 0 in any case.
    if "Incorrect config" in found:
        raise Problem(found)
    return f"check_config, {HOME_ASSISTANT[0]}"


def nginx(scratch):
    """Checks nginx.conf as a part of a main file, with a new certificate."""
    text = (FOLDER / "nginx.conf").read_text()
    for name in ("fullchain.pem", "privkey.pem"):
        if f"/etc/ssl/tidings/{name}" not in text:
            raise Problem(f"nginx.conf does not name /etc/ssl/tidings/{name}")
    (scratch / "tidings.conf").write_text(text.replace("/etc/ssl/tidings/", f"{scratch}/"))
    (scratch / "nginx.conf").write_text(
        f"pid {scratch}/pid; error_log stderr;\nevents {{}}\nhttp {{ access_log off; include {scratch}/tidings.conf; }}\n"
    )
    run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=tidings.example.org",
        "-keyout", scratch / "privkey.pem", "-out", scratch / "fullchain.pem",
    )
    run(shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin") or "nginx", "-t", "-q", "-c", scratch / "nginx.conf")
    return "nginx -t"


def caddy(file):
    def check(_):
        run("caddy", "validate", "--adapter", "caddyfile", "--config", file)
        return "caddy validate"

    return check


def yaml_only(name, parts):
    """Checks that the file is YAML with these keys; the program itself is in no registry of Debian or PyPI."""

    def check(_):
        python = environment("esphome", ESPHOME) / "python"
        run(python, "-c", "import sys, yaml; yaml.safe_load(open(sys.argv[1], encoding='utf-8'))", FOLDER / name)
        text = (FOLDER / name).read_text()
        missing = [part for part in parts if part not in text]
        if missing:
            raise Problem(f"{name} lacks {', '.join(missing)}")
        raise Unchecked("is valid YAML; the program itself is published as a container image, not by Debian or PyPI")

    return check


CHECKS = {
    "Examples/gateway/nginx.conf": nginx,
    "Examples/gateway/Caddyfile": caddy(FOLDER / "Caddyfile"),
    "deploy/proxy/Caddyfile": caddy(ROOT / "deploy" / "proxy" / "Caddyfile"),
    "Examples/gateway/homepage.yaml": yaml_only("homepage.yaml", ["type: iframe", "src: http"]),
    "Examples/gateway/glance.yaml": yaml_only("glance.yaml", ["type: iframe", "source: http", "type: html"]),
    "Examples/gateway/esphome.yaml": esphome,
    "Examples/gateway/home-assistant.yaml": home_assistant,
}


def main():
    failed = 0
    for name, check in CHECKS.items():
        with tempfile.TemporaryDirectory(prefix="tidings-example-") as scratch:
            try:
                print(f"ok         {name}: {check(pathlib.Path(scratch))}", flush=True)
            except Unchecked as reason:
                print(f"unchecked  {name}: {reason}", flush=True)
            except (Problem, OSError) as problem:
                failed += 1
                print(f"FAILED     {name}:\n{problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
