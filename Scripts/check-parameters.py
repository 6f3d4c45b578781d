#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Finds functions and initialisers with more than four parameters: parameters that belong together become a struct.

usage: check-parameters.py [--list]     --list prints the accepted ones too

An initialiser whose parameters are stored properties of its type does not count. Scripts/parameter-exceptions.txt lists the
functions that may have more, each with its maximum and the reason. The exit status is 1 if there are others, or if an exception
has become unnecessary.
"""
import re
import sys

from sources import read, report, rows, swift_files

EXCEPTIONS = "Scripts/parameter-exceptions.txt"
FOLDERS = ["Shared", "Services"]
MAXIMUM = 4

DECLARATION = re.compile(r"(?<![\w.`])(?:func\s+([^\s(<]+)|init[?!]?)\s*(?:<[^()]*?>)?\s*\(")
# A call of an initialiser, and no declaration: `self.init(`, `return .init(`, `= .init(`.
CALL = re.compile(r"[=(.]|\breturn\b")
COMMENT = re.compile(r"//[^\n]*")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def blank(match):
    return " " * len(match.group())


def parameters(text, start):
    """The local name of each parameter in the list that begins at `start`; the name of a type without a label has none."""
    result, part, depth, angles, index = [], "", 1, 0, start
    while index < len(text):
        character = text[index]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                break
        elif character == "<":
            angles += 1
        elif character == ">" and text[index - 1] != "-":
            angles -= 1
        if character == "," and depth == 1 and angles == 0:
            result.append(part)
            part = ""
        else:
            part += character
        index += 1
    result += [part] if part.strip() else []
    return [part.split(":")[0].split()[-1] for part in result if ":" in part]


def findings(text):
    """The line, name and number of parameters of each function with too many."""
    code = STRING.sub(blank, COMMENT.sub(blank, text))
    for match in DECLARATION.finditer(code):
        start = code.rfind("\n", 0, match.start()) + 1
        name = match.group(1) or "init"
        if name == "init" and CALL.search(code[start : match.start()]):
            continue
        names = parameters(code, match.end())
        if len(names) <= MAXIMUM:
            continue
        if name == "init" and all(re.search(rf"\b(?:let|var) `?{re.escape(n)}\b", code) for n in names):
            continue
        yield text.count("\n", 0, match.start()) + 1, name, len(names)


def main():
    allowed = {(path, name): int(count) for path, name, count, _ in rows(EXCEPTIONS, 4)}
    used, problems = {}, []
    for path in swift_files(FOLDERS):
        for line, function, count in findings(read(path)):
            used[path, function] = max(count, used.get((path, function), 0))
            place = f"{path}:{line}: '{function}' has {count} parameters"
            if "--list" in sys.argv[1:]:
                print(place)
            if count > allowed.get((path, function), MAXIMUM):
                problems.append(f"{place}: make a struct of those that belong together")
    for (path, function), count in allowed.items():
        if used.get((path, function), 0) < count:
            problems.append(f"{EXCEPTIONS}: '{function}' in {path} has fewer than {count} parameters: lower or remove the line")
    return report(problems)


if __name__ == "__main__":
    sys.exit(main())
