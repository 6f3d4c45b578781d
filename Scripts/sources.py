# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""What the checks of sources share: files, tables of exceptions, and the report."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def swift_files(folders):
    """Yields the path of each Swift file in the folders, relative to the root."""
    for folder in folders:
        for base, _, names in os.walk(os.path.join(ROOT, folder)):
            yield from (os.path.relpath(os.path.join(base, name), ROOT) for name in sorted(names) if name.endswith(".swift"))


def rows(path, columns):
    """Yields the rows of a file of exceptions: their columns, which `|` separates."""
    for line in read(path).splitlines():
        if line.strip() and not line.startswith("#"):
            yield [part.strip() for part in line.split("|", columns - 1)]


def report(problems):
    """Prints the problems, and returns the exit status."""
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0
