#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Compares the table of folders in docs/architecture.md with the targets in Package.swift and the folders on disk, and checks what the
gateway contains.

usage: check-architecture.py

The exit status is 1 if a module is missing in one of them, if a service folder lacks a required part, if a part of a core is not in the
file with its name, or if the gateway depends on a module that it must not contain.
"""
import os
import re
import sys

from sources import ROOT, read, report, swift_files

# The required parts of every service folder: decisions, adapters, composition.
ROOMS = ["Core", "Adapter", "Main.swift"]
# The types that make up a service; each has the service's name before its own, and a file of its own.
PARTS = ["Core", "Input", "Effect", "Write", "State", "Store", "Adapter"]
# The command line is not a service.
WITHOUT_ROOMS = {"CommandLineTool"}
# The process that faces the network neither fetches nor parses documents: fetchers do, in a process of its own.
NOT_IN_GATEWAY = {"SourceParsing", "SourceFetching", "HTTPTransport", "CLibXML2", "CCurl", "CCompression"}


def folders(parent):
    path = os.path.join(ROOT, parent)
    return {name for name in os.listdir(path) if os.path.isdir(os.path.join(path, name))}


def dependencies(manifest, name):
    """Returns all modules that a module depends on, directly or through others."""
    direct = {
        target: set(re.findall(r'"(\w+)"', names))
        for target, names in re.findall(r'^ +(?:shared|service)\(\s*"(\w+)",\s*\[([^\]]*)\]', manifest, re.M)
    }
    found, pending = set(), [name]
    while pending:
        new = direct.get(pending.pop(), set()) - found
        found |= new
        pending += new
    return found


def misplaced_parts(service):
    """Returns a problem for each part of a service that another file declares, or that has another name."""
    declaration = re.compile(r"^( *)(?:final )?(?:struct|enum|class) (\w+)", re.M)
    named = {service + part for part in PARTS}
    problems, types, aliases = [], set(), []
    texts = {path: read(path) for path in swift_files([f"Services/{service}"])}
    # The engine does not run the core of the bus.
    if not any(f"{service}Core: ServiceCore" in text for text in texts.values()):
        return []
    for path, text in texts.items():
        # A service can have a second core, with a name of its own.
        owner = re.search(r"^struct (\w+)Core: ServiceCore", text, re.M)
        found = re.findall(r"^ +typealias (Input|Effect|Write|State) = (\w+)$", text, re.M)
        aliases += [(owner[1] if owner else service, part, name) for part, name in found]
        for indent, name in declaration.findall(text):
            types.add(name)
            if not indent and name in named and os.path.basename(path) != f"{name}.swift":
                problems.append(f"{path}: {name} belongs in {name}.swift")
            if indent and name in {"Input", "Effect", "Write"} and path.startswith(f"Services/{service}/Core/"):
                problems.append(f"{path}: {name} belongs in {service}{name}.swift, as {service}{name}")
    for owner, part, name in aliases:
        if name in types and name != owner + part:
            problems.append(f"Services/{service}: {name} is the core's {part}, and should be named {owner}{part}")
    return problems


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
        problems += misplaced_parts(service)
    gateway = dependencies(manifest, "Gateway")
    if "CMicroHTTPD" not in gateway:
        problems.append("Package.swift: the dependencies of Gateway are not found")
    for name in sorted(gateway & NOT_IN_GATEWAY):
        problems.append(f"Package.swift: Gateway depends on {name}, which the process that faces the network must not contain")
    return report(problems)


if __name__ == "__main__":
    sys.exit(main())
