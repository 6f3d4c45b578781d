#!/usr/bin/python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Prints the lines of code of each module, without comments and blank lines, and the totals.

usage: count.py [COMMIT]     default: the working tree; with a commit, also its lines and the ratio to them
"""
import collections
import io
import os
import re
import subprocess
import sys
import tarfile

from sources import ROOT

# What begins a comment, by the end of a file's name; a line that begins so is no code.
COMMENTS = {".swift": r"//", ".h": r"//|/\*| \*", ".c": r"//|/\*| \*", ".js": r"//", ".py": r"#", ".sh": r"#", "": r"#"}
# The totals: a name, and the folders that count.
TOTALS = {"Shared + Services": ("Shared/", "Services/"), "tests and scripts": ("Tests/", "Fuzzing/", "Scripts/", "Benchmarks/")}
# Folders whose modules are counted one by one.
MODULES = ("Shared", "Services", "Tests")


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True).stdout


def lines(text, ending):
    comment = re.compile(rf"\s*({COMMENTS[ending]}|$)")
    return sum(not comment.match(line) for line in text.splitlines())


def files(commit):
    """Yields path and text of each file of a commit, or of the working tree if it is None."""
    if commit:
        with tarfile.open(fileobj=io.BytesIO(git("archive", commit))) as archive:
            for member in archive:
                if member.isfile():
                    yield member.name, archive.extractfile(member).read()
        return
    for path in git("ls-files", "-z").decode().split("\0"):
        if os.path.isfile(f"{ROOT}/{path}"):
            with open(f"{ROOT}/{path}", "rb") as file:
                yield path, file.read()


def count(commit):
    """Returns the lines of each module of a commit, or of the working tree if it is None."""
    modules = collections.Counter()
    for path, data in files(commit):
        top, _, rest = path.partition("/")
        ending = os.path.splitext(path)[1]
        if not rest or ending not in COMMENTS or "/Fixtures/" in path or (not ending and not data.startswith(b"#!")):
            continue
        modules[f"{top}/{rest.split('/')[0]}" if top in MODULES else f"{top}/"] += lines(data.decode(), ending)
    return modules


def main():
    commit = sys.argv[1] if len(sys.argv) > 1 else None
    now, before = count(None), count(commit) if commit else {}
    rows = [(name, now.get(name, 0), before.get(name, 0)) for name in sorted({*now, *before})]
    for title, folders in TOTALS.items():
        chosen = [row for row in rows if (row[0] + "/").startswith(folders)]
        rows.append((title, sum(row[1] for row in chosen), sum(row[2] for row in chosen)))
    for name, lines_now, lines_before in rows:
        ratio = f"{lines_before:8,}  {100 * lines_now / lines_before:6.1f} %" if lines_before else ""
        print(f"{name:28}{lines_now:8,}{ratio}")


if __name__ == "__main__":
    main()
