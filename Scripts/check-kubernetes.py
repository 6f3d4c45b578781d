#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Renders each overlay in deploy/kubernetes and validates the result against the schemas of Kubernetes, offline.

Ends with status 1 if yamllint or kubernetes-validate finds something, and with 2 if kubectl is missing or too old.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import tools

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "deploy" / "kubernetes"
PACKAGES = ["yamllint==1.35.1", "kubernetes-validate==1.37.0"]
# The oldest and the newest supported minor version.
VERSIONS = ["1.27", "1.37"]


def rendered(overlay):
    try:
        run = subprocess.run(["kubectl", "kustomize", overlay], capture_output=True, text=True)
    except FileNotFoundError:
        print("error: kubectl is not installed; install 1.24 or newer, which renders the overlays", file=sys.stderr)
        sys.exit(2)
    if run.returncode != 0:
        print(f"error: {overlay.relative_to(ROOT)} cannot be rendered:\n{run.stderr}", file=sys.stderr)
        sys.exit(2 if "unknown" in run.stderr else 1)
    return run.stdout


def main():
    folder = tools.environment("kubernetes-tools", PACKAGES) / "bin"
    failed = subprocess.run([folder / "yamllint", "--strict", "."], cwd=FOLDER).returncode != 0
    for overlay in sorted((FOLDER / "overlays").iterdir()):
        text = rendered(overlay)
        count = len(re.findall(r"^kind:", text, re.MULTILINE))
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text)
            file.flush()
            for version in VERSIONS:
                command = [folder / "kubernetes-validate", "--strict", "--kubernetes-version", version, file.name]
                run = subprocess.run(command, capture_output=True, text=True)
                passed = (run.stdout + run.stderr).count(" passed for resource ")
                if run.returncode != 0 or passed != count:
                    failed = True
                    print(run.stdout + run.stderr, file=sys.stderr)
                print(f"{overlay.name}: {passed} of {count} resources valid for Kubernetes {version}")
    sys.exit(1 if failed else 0)


main()
