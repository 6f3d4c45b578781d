#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the Tidings authors
"""Draws documentation comments and messages at random, for somebody who did not write them to judge.

usage: sample-texts.py [SEED] [--comments N] [--messages N]

Prints 40 comments and 20 messages of logs and errors with their places: of a comment, the line that it documents, after the type that
contains it; of a message, the lines of code that show its fields. Without a SEED it chooses one and prints it; the same
seed draws the same texts from the same sources. At most two of the 60 should need a second reading.
"""
import argparse
import os
import random
import re

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FOLDERS = ["Shared", "Services"]

# A literal that is an argument of a call which logs or creates an error.
MESSAGE = re.compile(
    r"(?:log\w*\.(?:trace|debug|info|notice|warning|error)\(|throw .*|fault\(|problem\(|[Ff]ailure\(|message: |faults\.append\(|Problem\()"
    r'[^"]*"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)+)"'
)

# The rest of a text that is longer than a line.
CONTINUATION = re.compile(r'\s*\+ "((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)+)"')

# SQL, markup and parts of sentences are no messages.
STATEMENT = re.compile(r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|BEGIN)\b|[^\w'\\<$]|<rect")


def sources():
    for folder in FOLDERS:
        for base, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                if name.endswith(".swift"):
                    path = os.path.join(base, name)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, ROOT), file.read().split("\n")


# The first line of a type or an extension, which can contain other declarations.
CONTAINER = re.compile(r"\s*(?:[\w@().]+ )*(?:struct|class|enum|actor|protocol|extension) \w")


def containers(lines, number):
    """The types that contain a line, the outermost first."""
    indentation = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    for before in range(number - 1, 0, -1):
        line = lines[before - 1]
        own = len(line) - len(line.lstrip())
        if line.strip() and own < indentation:
            if CONTAINER.match(line):
                yield from containers(lines, before)
                yield line.strip()
                return
            indentation = own


def comments(path, lines):
    """The documentation comments of a file, each with the types that contain it and the line that it documents."""
    block = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("///"):
            block.append(text[3:].strip())
        elif block:
            yield f"{path}:{number}", "\n    ".join(block), "\n    > ".join([*containers(lines, number), text])
            block = []


def messages(path, lines):
    """The messages of a file with at least three words."""
    for number, line in enumerate(lines, 1):
        found = MESSAGE.search(line)
        if not found and number > 1 and lines[number - 2].rstrip().endswith(("(", "message:", "throw")):
            found = re.match(r'\s*(?:message: )?"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)+)"', line)
        if found and found.group(1).count(" ") >= 2 and not STATEMENT.match(found.group(1)):
            text = found.group(1)
            for following in lines[number:]:
                part = CONTINUATION.match(following)
                if not part:
                    break
                text += part.group(1)
            yield f"{path}:{number}", text + "\n    > " + "\n    > ".join(part.strip() for part in lines[number - 2 : number + 3])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("seed", nargs="?", type=int, default=random.SystemRandom().randrange(100_000))
    parser.add_argument("--comments", type=int, default=40)
    parser.add_argument("--messages", type=int, default=20)
    options = parser.parse_args()
    files = sorted(sources())
    generator = random.Random(options.seed)
    every_comment = [found for path, lines in files for found in comments(path, lines)]
    every_message = [found for path, lines in files for found in messages(path, lines)]
    print(f"seed {options.seed}: of {len(every_comment)} comments and {len(every_message)} messages\n")
    for number, (place, text, declaration) in enumerate(generator.sample(every_comment, options.comments), 1):
        print(f"{number:2}. {place}\n    {text}\n    > {declaration}")
    print("\nA message that begins with a small letter follows the name of a command, a file, a position or a value.\n")
    for number, (place, text) in enumerate(generator.sample(every_message, options.messages), 1):
        print(f"{number:2}. {place}\n    {text}")


if __name__ == "__main__":
    main()
