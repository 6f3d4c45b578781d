#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Checks the language of Swift sources: names, phrases, first words of comments, labels and file length.

usage: check-language.py [--count]     --count prints the findings of each rule and folder, exceptions included

Scripts/language-exceptions.txt lists exceptions: a rule, a path or folder, the number of allowed findings, and the reason. Lower
a number when you remove findings, so that the list only shrinks.
"""
import collections
import os
import re
import sys

from sources import ROOT, read, report, rows, swift_files

EXCEPTIONS = "Scripts/language-exceptions.txt"
MAXIMUM_LINES = 400
FOLDERS = ["Shared", "Services", "Tests"]

NAMES = ["Easel", "Exhibit", "Specimen", "Draftsman", "Glance", "DrawingCrew", "DrawingBoard", "isHungry", "Utils", "Helpers",
         "asker", "askers", "AskerToken", "patience"]
PHRASES = ["probably not meant so", "of no more use", "make up for what", "begin anew", "asked at once that went well",
           "is it half of", "gone for good", "is nothing for a", "what no header may"]
FIRST_WORDS = ["What", "Whether", "How", "So many", "Nil", "Who", "Whom", "Whose", "Whoever", "When", "Where", "Why", "Everything",
               "Somebody", "Nobody", "Anybody", "From", "Of", "Behind", "Instead", "Points", "Pixels", "Set while", "Set if"]

# The summary of a function is an action: "Returns …", "Schedules …", "Called …".
FUNCTION = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))? )*(?:[a-z]+(?:\(\w+\))? )*func\b")
ACTION = re.compile(r"^\s*/// (?:[A-Z][a-z]+s|Called)\b")

RULES = {
    "name": (re.compile(r"\b(%s)\b" % "|".join(NAMES)), "an unclear name; see the glossary in CONTRIBUTING.md"),
    "phrase": (re.compile("|".join(PHRASES)), "a phrase that has to be read twice"),
    "first-word": (
        re.compile(r"^\s*/// (%s)\b" % "|".join(FIRST_WORDS)),
        "a summary names the thing (a noun phrase) or the action (a verb in the third person)",
    ),
    "label": (re.compile(r"[(,]\s*_ now: "), "an instant has a label: now:"),
}


def findings(path, text):
    previous = ""
    summary = None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip().startswith("///"):
            summary = summary or (number, line)
        elif not line.strip().startswith("@") or FUNCTION.match(line):
            if summary and FUNCTION.match(line) and not ACTION.match(summary[1]):
                yield "function", summary[0], "the summary of a function begins with a verb in the third person"
            summary = None
        for rule, (pattern, message) in RULES.items():
            if not pattern.search(line):
                continue
            # Only the first line of a comment is a summary.
            if rule == "first-word" and previous.strip().startswith("///"):
                continue
            yield rule, number, message
        previous = line
    lines = text.count("\n")
    if lines > MAXIMUM_LINES:
        yield "length", lines, f"more than {MAXIMUM_LINES} lines: split the file by responsibility"


def main():
    found = collections.defaultdict(list)
    for path in swift_files(FOLDERS):
        for rule, number, message in findings(path, read(path)):
            found[rule].append((path, number, message))
    if "--count" in sys.argv[1:]:
        counts = collections.Counter(
            (rule, path if rule == "length" else "/".join(path.split("/")[:2])) for rule, all in found.items() for path, _, _ in all
        )
        for (rule, path), count in sorted(counts.items()):
            print(f"{rule} | {path} | {count}")
        return 0
    problems = []
    for rule, path, allowed, _ in rows(EXCEPTIONS, 4):
        if not os.path.exists(os.path.join(ROOT, path)):
            problems.append(f"{EXCEPTIONS} names {path}, which does not exist")
        matching = [f for f in found[rule] if f[0] == path or f[0].startswith(path + "/")]
        if len(matching) > int(allowed):
            problems += [f"{p}:{n}: {message}" for p, n, message in matching]
            problems.append(f"{path} has {len(matching)} findings of '{rule}', and {EXCEPTIONS} allows {allowed}")
        found[rule] = [f for f in found[rule] if f not in matching]
    for rule, all in found.items():
        problems += [f"{path}:{number}: {message}" for path, number, message in all]
    return report(problems)


if __name__ == "__main__":
    sys.exit(main())
