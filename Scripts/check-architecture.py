#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Compares the table of folders in docs/architecture.md with the targets in Package.swift and the folders on disk.

usage: check-architecture.py

The exit status is 1 if a module is missing in one of them, or if a service folder lacks a required part.
"""
import os
import re
import sys

from sources import ROOT, read, report

# The required parts of every service folder: decisions, adapters, composition.
ROOMS = ["Core", "Adapter", "Main.swift"]
# The command line is not a service.
WITHOUT_ROOMS = {"CommandLineTool"}


def folders(parent):
    path = os.path.join(ROOT, parent)
    return {name for name in os.listdir(path) if os.path.isdir(os.path.join(path, name))}


def main():
    manifest, text = read("Package.swift"), read("docs/architecture.md")
    problems = []
    for parent, function in [("Shared", "shared"), ("Services", "service")]:
        targets = set(re.findall(r"^ +%s\(\s*\"(\w+)\"" % function, manifest, re.M))
        documented = set(re.findall(r"^\| `%s/(\w+)` \|" % parent, text, re.M))
        present = folders(parent)
        if parent == "Shared":
            documented.discard("CLibraries")
            present.discard("CLibraries")
        for name in sorted(targets | documented | present):
            missing = [
                place
                for place, names in [
                    ("Package.swift", targets), ("docs/architecture.md", documented), (f"the folder {parent}", present),
                ]
                if name not in names
            ]
            if missing:
                problems.append(f"{parent}/{name} is missing in {' and in '.join(missing)}")
    for service in sorted(folders("Services") - WITHOUT_ROOMS):
        for room in ROOMS:
            if not os.path.exists(os.path.join(ROOT, "Services", service, room)):
                problems.append(f"Services/{service} has no {room}; every service has {', '.join(ROOMS)}")
    return report(problems)


if __name__ == "__main__":
    sys.exit(main())
